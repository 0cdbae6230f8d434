//! The providers' dialects of JSON Schema, one profile each.

mod rules;

use std::fmt;
use std::str::FromStr;

pub(super) use rules::{Form, Keys, Rules};

/// A provider's way to be told of tools, with what it takes and what it refuses.
///
/// ```
/// use agentscope_tool::schema::Profile;
///
/// assert_eq!("anthropic_strict".parse(), Ok(Profile::AnthropicStrict));
/// assert!(Profile::ALL.contains(&Profile::Mcp) && !Profile::DEFAULT.contains(&Profile::OpenAiStrict));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// OpenAI, and what is compatible with it.
    OpenAi,
    /// OpenAI with `strict`: the model can only write arguments that fit the schema.
    OpenAiStrict,
    /// Anthropic.
    Anthropic,
    /// Anthropic with `strict`.
    AnthropicStrict,
    /// Gemini's older field, `parameters`, which is a dialect of OpenAPI.
    GeminiParameters,
    /// Gemini's `parametersJsonSchema`.
    Gemini,
    /// DashScope, for Qwen.
    DashScope,
    /// DeepSeek.
    DeepSeek,
    /// DeepSeek with `strict`.
    DeepSeekStrict,
    /// Mistral.
    Mistral,
    /// Ollama.
    Ollama,
    /// xAI, for Grok.
    Xai,
    /// Amazon Bedrock's Converse.
    Bedrock,
    /// Clients of the Model Context Protocol, which pass schemas on to any of these.
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

    /// The profiles that a tool is checked against when it names none: all that take more than the portable form.
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

    /// The name, as it is written in `#[tool(profiles(…))]`.
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

    /// Whether the provider makes the model keep to the schema.
    #[must_use]
    pub const fn is_strict(self) -> bool {
        matches!(self, Self::OpenAiStrict | Self::AnthropicStrict | Self::DeepSeekStrict)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no profile of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no profile `{0}`; there are {all}", all = Profile::ALL.iter().map(|profile| profile.name()).collect::<Vec<_>>().join(", "))]
pub struct UnknownProfile(String);

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().find(|profile| profile.name() == name).copied().ok_or_else(|| UnknownProfile(name.to_owned()))
    }
}
