//! What each profile takes, as a table. Beside each row stands where it is known from.

use super::Profile;

/// The form of the schema that a provider gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The natural one where it has nothing that is refused, else the portable one.
    NaturalOrPortable,
    /// The portable one.
    Portable,
    /// The portable one in the spelling of Gemini's `parameters`.
    Gemini,
}

/// The names of properties that are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Any.
    Any,
    /// `^[a-zA-Z0-9_.-]{1,64}$`
    Dotted,
    /// `^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`
    Word,
}

/// The rules of one profile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) form: Form,
    pub(crate) keys: Keys,
    /// The longest name of a tool, and whether it may have `.` and `:` in it.
    pub(crate) name: (usize, bool),
    /// Keywords that are refused, misread or dropped, so that the portable form says more.
    pub(crate) refused: &'static [&'static str],
    /// Whether a list of types may stand for a choice.
    pub(crate) type_lists: bool,
    /// Whether a schema may say nothing about what it accepts.
    pub(crate) untyped: bool,
    /// Whether definitions may be referred to, which is how the natural form says recursion.
    pub(crate) references: bool,
    /// The most tools in a request.
    pub(crate) tools: Option<usize>,
    /// The most properties that may be left out or be `null`, over all tools of a request.
    pub(crate) optional: Option<usize>,
    /// The most properties that are a choice, over all tools of a request.
    pub(crate) unions: Option<usize>,
    /// The deepest nesting of objects and lists.
    pub(crate) depth: Option<usize>,
    /// The most properties of a tool.
    pub(crate) properties: Option<usize>,
    /// The most values of enums of a tool.
    pub(crate) values: Option<usize>,
    /// The most characters in the names of properties and in values, of a tool.
    pub(crate) characters: Option<usize>,
}

/// What is refused nowhere that is not said otherwise.
const OPEN: Rules = Rules {
    form: Form::NaturalOrPortable,
    keys: Keys::Any,
    name: (64, false),
    refused: &[],
    type_lists: true,
    untyped: true,
    references: true,
    tools: None,
    optional: None,
    unions: None,
    depth: None,
    properties: None,
    values: None,
    characters: None,
};

const STRICT: Rules = Rules { form: Form::Portable, keys: Keys::Word, untyped: false, references: false, ..OPEN };

/// What Gemini reads in another way or not at all: the list of supported properties of `responseJsonSchema`, in the API's reference.
const NOT_IN_GEMINI: &[&str] = &[
    "oneOf",
    "allOf",
    "const",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "uniqueItems",
    "patternProperties",
    "propertyNames",
    "not",
    "contains",
];

/// What Go's structs of the API have no field for, and drop (references too, but what is recursive has no other form); older versions refuse lists of types (ollama#10328, ellmer#342).
const NOT_IN_OLLAMA: &[&str] = &["oneOf", "allOf", "const", "prefixItems", "not", "patternProperties"];

/// "Not supported", docs.x.ai on structured outputs.
const NOT_IN_XAI: &[&str] = &["allOf", "minLength", "maxLength", "minItems", "maxItems", "prefixItems"];

impl Profile {
    /// What the profile takes.
    pub(crate) const fn rules(self) -> Rules {
        match self {
            // 128: `array_above_max_length`; `prefixItems`: `array schema missing items` (shunt#454). A schema without a type is
            // taken, and misread (reklawdbox#32).
            Self::OpenAi => Rules { tools: Some(128), refused: &["prefixItems"], ..OPEN },
            // The guide to structured outputs: depth 10, 5,000 properties, 1,000 values, 120,000 characters.
            Self::OpenAiStrict => Rules {
                tools: Some(128),
                depth: Some(10),
                properties: Some(5000),
                values: Some(1000),
                characters: Some(120_000),
                ..STRICT
            },
            // One bad key fails the whole request: n8n#30590, claude-code#79418.
            Self::Anthropic => Rules { keys: Keys::Dotted, ..OPEN },
            // 20 tools, 24 optional parameters, 16 unions: the documentation of strict tool use. The portable form says what is optional
            // as a union, so the smaller figure counts for both.
            Self::AnthropicStrict => Rules { tools: Some(20), optional: Some(24), unions: Some(16), ..STRICT },
            Self::GeminiParameters => Rules { form: Form::Gemini, name: (64, true), ..STRICT },
            Self::Gemini => Rules { name: (64, true), refused: NOT_IN_GEMINI, untyped: false, ..OPEN },
            // Only the root is known to be judged.
            Self::DashScope | Self::DeepSeek | Self::Mistral => OPEN,
            Self::DeepSeekStrict => STRICT,
            Self::Ollama => {
                Rules { refused: NOT_IN_OLLAMA, type_lists: false, untyped: false, name: (128, true), ..OPEN }
            }
            Self::Xai => Rules { refused: NOT_IN_XAI, ..OPEN },
            // The keys are the model's matter: Claude's, as of Anthropic.
            Self::Bedrock => Rules { keys: Keys::Dotted, ..OPEN },
            // Names: the draft's tools page. One boolean or empty schema makes clients drop the whole server (drua#230,
            // claude-code#92900, opencode#49464).
            Self::Mcp => Rules { name: (128, true), untyped: false, ..OPEN },
        }
    }
}
