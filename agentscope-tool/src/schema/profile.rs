//! The providers, by what they take of a schema.

/// A provider's API, in one of the ways in which it takes tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// OpenAI's Chat Completions and Responses.
    OpenAi,
    /// The same with `strict: true`.
    OpenAiStrict,
    /// Anthropic's Messages.
    Anthropic,
    /// The same with `strict: true`.
    AnthropicStrict,
    /// Gemini's `parameters`, a dialect of OpenAPI.
    GeminiParameters,
    /// Gemini's `parametersJsonSchema`.
    Gemini,
    /// DashScope, where Qwen runs.
    DashScope,
    /// DeepSeek.
    DeepSeek,
    /// The same with `strict: true`.
    DeepSeekStrict,
    /// Mistral.
    Mistral,
    /// Ollama.
    Ollama,
    /// xAI.
    Xai,
    /// Bedrock's Converse.
    Bedrock,
    /// What clients of MCP servers have in common.
    Mcp,
}

impl Profile {
    /// All profiles.
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

    /// Those that a tool is checked against when it names none: those that are not strict. Gemini's `parameters` is not among
    /// them, since it takes no map.
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

    /// The name, as it is written in `profiles(…)`.
    #[must_use]
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
