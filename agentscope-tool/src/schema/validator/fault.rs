//! One fault of a value, in words that a model can act on.

use std::fmt;

use serde_json::Value;

/// One thing that is wrong with the arguments of a call.
///
/// Its text names the argument, what was expected and what came:
///
/// ```text
/// `limit`: expected an integer of at least 1, got 0
/// `city`: missing; expected a string (The city name to look up.)
/// unknown argument `encodng`; did you mean `encoding`?
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    path: String,
    problem: Problem,
}

/// What is wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A value that should have been another one.
    Expected { expected: String, got: String },
    /// Nothing where something must be.
    Missing { expected: String, description: Option<String> },
    /// A key that nobody knows.
    Unknown { suggestion: Option<String>, known: Vec<String> },
    /// Anything else, as the end of a sentence that starts with the place.
    Other(String),
}

impl Fault {
    pub(super) fn new(path: String, problem: Problem) -> Self {
        Fault { path, problem }
    }

    /// The place of the fault, like `filters[0].label`; empty if it is the arguments as a whole.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the fault is an argument that is not there.
    pub fn is_missing(&self) -> bool {
        matches!(self.problem, Problem::Missing { .. })
    }

    /// Whether the fault is an argument that the tool does not have.
    pub fn is_unknown(&self) -> bool {
        matches!(self.problem, Problem::Unknown { .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.problem, self.path.as_str()) {
            (Problem::Unknown { .. }, path) => write!(f, "unknown argument `{path}`; ")?,
            (_, "") => f.write_str("the arguments: ")?,
            (_, path) => write!(f, "`{path}`: ")?,
        }
        match &self.problem {
            Problem::Expected { expected, got } => write!(f, "expected {expected}, got {got}"),
            Problem::Missing { expected, description: None } => write!(f, "missing; expected {expected}"),
            Problem::Missing { expected, description: Some(description) } => {
                write!(f, "missing; expected {expected} ({description})")
            }
            Problem::Unknown { suggestion: Some(name), .. } => write!(f, "did you mean `{name}`?"),
            Problem::Unknown { known, .. } if known.is_empty() => f.write_str("none are taken here"),
            Problem::Unknown { known, .. } => {
                write!(f, "known here: {}", listed(known.iter().map(|name| format!("`{name}`"))))
            }
            Problem::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

/// Some of `items`, separated by commas, and how many there are if that is not all.
pub(super) fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 16;
    let count = items.len();
    let mut text = items.take(SHOWN).collect::<Vec<_>>().join(", ");
    if count > SHOWN {
        text.push_str(&format!(", … ({count} in all)"));
    }
    text
}

/// The value as JSON, cut to a length that can be read.
pub(super) fn shown(value: &Value) -> String {
    const SHOWN: usize = 80;
    let cut = |text: &str| -> Option<String> { text.char_indices().nth(SHOWN).map(|(end, _)| text[..end].to_owned()) };
    match value {
        Value::String(text) => match cut(text) {
            Some(start) => format!("{}… ({} characters)", Value::String(start), text.chars().count()),
            None => value.to_string(),
        },
        Value::Array(items) => {
            let text = value.to_string();
            cut(&text).map_or(text, |start| format!("{start}… (an array of {})", items.len()))
        }
        Value::Object(members) => {
            let text = value.to_string();
            cut(&text).map_or(text, |start| format!("{start}… (an object of {} members)", members.len()))
        }
        other => other.to_string(),
    }
}

/// The name among `known` that `name` is most likely meant to be.
pub(crate) fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Below this two names have little in common.
    const ALIKE: f64 = 0.84;
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let wanted = plain(name);
    let likeness =
        |candidate: &str| if plain(candidate) == wanted { 1.0 } else { strsim::jaro_winkler(name, candidate) };
    let best =
        known.into_iter().map(|candidate| (likeness(candidate), candidate)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 > ALIKE).then_some(best.1)
}
