//! Why the arguments of a call cannot be used, in words that a model can act on.

use std::fmt;

use serde_json::Value;

use crate::schema::Fault;

/// Arguments that cannot be used. The text says what to send instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// The text is not JSON, and not something that can be read as JSON without guessing.
    #[error(
        "the arguments are not valid JSON: {problem} at {position}; send one JSON object. The arguments were: {excerpt}"
    )]
    Syntax {
        /// What is wrong.
        problem: String,
        /// Where.
        position: Position,
        /// The text.
        excerpt: Excerpt,
    },
    /// The text ends too early.
    #[error(
        "the arguments were cut off{}; nothing was run. Send the whole call again, and if it was too long for one message, split the work into smaller calls. The arguments were: {excerpt}",
        inside(.path)
    )]
    CutOff {
        /// The argument in which the text ends, like `filters[0].label`; empty if it is not inside of one.
        path: String,
        /// The text.
        excerpt: Excerpt,
    },
    /// Something comes after the object.
    #[error(
        "there is more after the end of the arguments, at {position}; send one JSON object and nothing else. The arguments were: {excerpt}"
    )]
    Trailing {
        /// Where the rest begins.
        position: Position,
        /// The text.
        excerpt: Excerpt,
    },
    /// JSON, but no object.
    #[error("the arguments must be one JSON object like {{\"name\": \"value\"}}, not {found}")]
    NotAnObject {
        /// What came instead.
        found: &'static str,
    },
    /// The same key twice in one object.
    #[error("the key {key:?} comes twice in one object; send it once")]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// `NaN`, `Infinity` and the like.
    #[error("`{literal}` at {position} is not a JSON number; send a finite number, or leave the argument out")]
    NotFinite {
        /// What was written.
        literal: String,
        /// Where.
        position: Position,
    },
    /// A number that is too large, too small or too long to be kept as it is.
    #[error("{}the number {literal} cannot be kept exactly; send a number of at most 15 digits, or a string if a string is allowed there", place(.path))]
    Number {
        /// The argument.
        path: String,
        /// What was written.
        literal: Excerpt,
    },
    /// Nested deeper than anything sensible.
    #[error("the arguments are nested too deeply; at most 127 levels are read")]
    TooDeep,
    /// An argument that is not the model's to give.
    #[error("`{argument}` is no argument that a call can give; leave it out")]
    Reserved {
        /// The argument.
        argument: &'static str,
    },
    /// The arguments do not fit the schema.
    #[error("{}", listed(.0))]
    Invalid(Vec<Fault>),
    /// The arguments fit the schema, but the tool's type refuses them.
    #[error("{}{message}", place(.argument))]
    Decode {
        /// The argument, as far as it is known; else empty.
        argument: String,
        /// What the type says.
        message: String,
    },
}

/// The faults, one in a line, and how many there are if not all are shown.
fn listed(faults: &[Fault]) -> String {
    const SHOWN: usize = 20;
    if let [only] = faults {
        return format!("invalid arguments: {only}");
    }
    let mut text = "invalid arguments:".to_owned();
    for fault in faults.iter().take(SHOWN) {
        text.push_str(&format!("\n- {fault}"));
    }
    if faults.len() > SHOWN {
        text.push_str(&format!("\n- … and {} more", faults.len() - SHOWN));
    }
    text
}

fn place(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("`{path}`: ") }
}

fn inside(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" inside `{path}`") }
}

/// What a value is, with its article.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// A place in a text, both counted from one; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The position of a byte offset.
    pub(super) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A text, shortened in its middle if it has more than 200 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt(String);

impl Excerpt {
    /// The excerpt of a text.
    pub fn new(text: &str) -> Self {
        Self::of_length(text, 200)
    }

    /// The excerpt of a text of which up to `whole` characters are shown.
    pub(crate) fn of_length(text: &str, whole: usize) -> Self {
        let end = whole / 2;
        let count = text.chars().count();
        if count <= whole {
            return Excerpt(text.to_owned());
        }
        let first: String = text.chars().take(end).collect();
        let last: String = text.chars().skip(count - end).collect();
        Excerpt(format!("{first} [… {} characters left out …] {last}", count - whole))
    }

    /// The excerpt as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ArgumentError {
    /// The same error, seen from outside of the member `key`.
    pub(super) fn within(self, key: &str) -> Self {
        self.inside_of(|path| match path.chars().next() {
            None => key.to_owned(),
            Some('[') => format!("{key}{path}"),
            Some(_) => format!("{key}.{path}"),
        })
    }

    /// The same error, seen from outside of the item `index`.
    pub(super) fn within_item(self, index: usize) -> Self {
        self.inside_of(|path| match path.chars().next() {
            None | Some('[') => format!("[{index}]{path}"),
            Some(_) => format!("[{index}].{path}"),
        })
    }

    fn inside_of(self, rename: impl FnOnce(&str) -> String) -> Self {
        match self {
            ArgumentError::CutOff { path, excerpt } => ArgumentError::CutOff { path: rename(&path), excerpt },
            other => other,
        }
    }
}
