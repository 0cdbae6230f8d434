//! What had to be put right in the arguments of a call.

use std::fmt;

/// One thing that was put right. Each kind of fault in the text is named once, however often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// The text began with a byte order mark.
    ByteOrderMark,
    /// The object was in a fenced code block.
    CodeFence,
    /// The object was written as a JSON string.
    DoubleEncoded,
    /// Single quotes around a string.
    SingleQuotes,
    /// Quotes inside of a string that were not escaped.
    InnerQuotes,
    /// Line ends, tabs or other control characters inside of a string that were not escaped.
    RawControl,
    /// A backslash before a character that it does not escape; both were kept.
    Escape,
    /// A comma before a closing bracket.
    TrailingComma,
    /// No comma between two members.
    MissingComma,
    /// A key without quotes.
    UnquotedKey,
    /// `True`, `False` or `None`.
    PythonLiteral,
    /// A comment.
    Comment,
    /// The text ended inside of a string, an array or an object.
    Closed,
    /// A value was not of the type that the schema asks for.
    Coerced {
        /// Where, like `filters[0].limit`.
        path: String,
        /// What was done.
        coercion: Coercion,
    },
}

/// How a value was brought to the type that the schema asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coercion {
    /// `"7"` became `7`.
    NumberFromText,
    /// `"true"` became `true`.
    BooleanFromText,
    /// `"null"` became `null`.
    NullFromText,
    /// `1.10` became `"1.10"`.
    TextFromNumber,
    /// `"[1]"` became `[1]`, or `"{}"` became `{}`.
    Unpacked,
    /// `"a"` became `["a"]`.
    Wrapped,
    /// `null` for an optional argument was taken as "not given".
    NullDropped,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Repair::ByteOrderMark => "byte order mark removed",
            Repair::CodeFence => "code fence removed",
            Repair::DoubleEncoded => "object taken out of a string",
            Repair::SingleQuotes => "single quotes read as double quotes",
            Repair::InnerQuotes => "quotes inside of a string kept",
            Repair::RawControl => "control characters inside of a string kept",
            Repair::Escape => "backslash kept that escapes nothing",
            Repair::TrailingComma => "trailing comma removed",
            Repair::MissingComma => "missing comma added",
            Repair::UnquotedKey => "key without quotes read as a string",
            Repair::PythonLiteral => "Python literal read as JSON",
            Repair::Comment => "comment removed",
            Repair::Closed => "cut-off end closed",
            Repair::Coerced { path, coercion } => {
                let what = match coercion {
                    Coercion::NumberFromText => "string read as a number",
                    Coercion::BooleanFromText => "string read as a boolean",
                    Coercion::NullFromText => "string read as null",
                    Coercion::TextFromNumber => "number read as a string",
                    Coercion::Unpacked => "string read as the JSON in it",
                    Coercion::Wrapped => "single value read as an array",
                    Coercion::NullDropped => "null read as not given",
                };
                return write!(f, "`{path}`: {what}");
            }
        })
    }
}
