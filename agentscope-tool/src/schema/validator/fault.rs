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
    /// A key that nobody knows, and what the keys that are not listed may look like.
    Unknown { suggestion: Option<String>, known: Vec<String>, patterns: Vec<String> },
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

    /// The same fault of a value that was written as `text` before it was brought to another type.
    pub(crate) fn of_written(mut self, text: &str) -> Self {
        if let Problem::Expected { got, .. } = &mut self.problem {
            text.clone_into(got);
        }
        self
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
            Problem::Unknown { known, patterns, .. } => {
                if !known.is_empty() {
                    write!(f, "known here: {}", listed(known.iter().map(|name| format!("`{name}`"))))?;
                }
                let other = if known.is_empty() { "" } else { "; other " };
                match (&patterns[..], known.is_empty()) {
                    ([], true) => f.write_str("none are taken here"),
                    ([], false) => Ok(()),
                    (patterns, _) => write!(f, "{other}keys here must {}", patterns.join(" or ")),
                }
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

/// What keys that match a pattern look like, as the end of "keys must".
pub(super) fn key_form(pattern: &str) -> String {
    match pattern {
        r"^\d+$" | "^[0-9]+$" => "be whole numbers from 0 on, like \"7\"".to_owned(),
        r"^-?\d+$" | "^-?[0-9]+$" => "be whole numbers, like \"7\" or \"-7\"".to_owned(),
        _ => format!("match `{pattern}`"),
    }
}

/// The value as JSON, cut to a length that can be read.
pub(crate) fn shown(value: &Value) -> String {
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
