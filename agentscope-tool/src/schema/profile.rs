//! STUB
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Profile {
    OpenAi,
    OpenAiStrict,
    Anthropic,
    AnthropicStrict,
    GeminiParameters,
    Gemini,
    DashScope,
    DeepSeek,
    DeepSeekStrict,
    Mistral,
    Ollama,
    Xai,
    Bedrock,
    Mcp,
}
impl Profile {
    #[allow(missing_docs)]
    pub const ALL: &'static [Self] = &[
        Self::OpenAi,
        Self::OpenAiStrict,
        Self::Anthropic,
        Self::AnthropicStrict,
        Self::GeminiParameters,
        Self::Gemini,
        Self::DashScope,
        Self::DeepSeek,
        Self::DeepSeekStrict,
        Self::Mistral,
        Self::Ollama,
        Self::Xai,
        Self::Bedrock,
        Self::Mcp,
    ];
    #[allow(missing_docs)]
    pub const DEFAULT: &'static [Self] = &[
        Self::OpenAi,
        Self::Anthropic,
        Self::Gemini,
        Self::DashScope,
        Self::DeepSeek,
        Self::Mistral,
        Self::Ollama,
        Self::Xai,
        Self::Bedrock,
        Self::Mcp,
    ];
    #[allow(missing_docs)]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::OpenAiStrict => "openai_strict",
            Self::Anthropic => "anthropic",
            Self::AnthropicStrict => "anthropic_strict",
            Self::GeminiParameters => "gemini_parameters",
            Self::Gemini => "gemini",
            Self::DashScope => "dashscope",
            Self::DeepSeek => "deepseek",
            Self::DeepSeekStrict => "deepseek_strict",
            Self::Mistral => "mistral",
            Self::Ollama => "ollama",
            Self::Xai => "xai",
            Self::Bedrock => "bedrock",
            Self::Mcp => "mcp",
        }
    }
}
