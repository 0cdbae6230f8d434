//! What can be wrong with a schema itself.

/// A schema that cannot be compiled into a validator.
///
/// `path` is where in the schema the fault is, as a JSON pointer (`#/properties/limit/minimum`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The keyword is not one of those that are checked, so that ignoring it would admit what the schema forbids.
    #[error(
        "keyword `{keyword}` at `{path}` is not supported; leave it out, or turn on the cargo feature `jsonschema`"
    )]
    UnsupportedKeyword {
        /// The keyword's name.
        keyword: String,
        /// Where it is.
        path: String,
    },
    /// The keyword's value is not of the kind that the keyword takes.
    #[error("keyword `{keyword}` at `{path}` must be {expected}")]
    InvalidKeyword {
        /// The keyword's name.
        keyword: String,
        /// Where it is.
        path: String,
        /// What its value must be.
        expected: &'static str,
    },
    /// A `pattern` that is no regular expression.
    #[error("the pattern at `{path}` is not a regular expression that can be used here: {message}")]
    Pattern {
        /// Where it is.
        path: String,
        /// What the `regex` crate says of it, in one line.
        message: String,
    },
    /// A `$ref` that leads nowhere inside this schema.
    #[error(
        "`{reference}` at `{path}` leads nowhere; a reference must point into the same schema, like `#/$defs/Name`"
    )]
    DanglingReference {
        /// The reference as written.
        reference: String,
        /// Where it is.
        path: String,
    },
    /// A schema that applies itself to the same value again, without end.
    #[error("the schema at `{path}` refers to itself without going into a property or an item")]
    EndlessReference {
        /// Where the circle was entered.
        path: String,
    },
    /// Something stands where a schema must stand, but is neither an object nor a boolean.
    #[error("a schema must be an object, true or false, and the one at `{path}` is not")]
    NotASchema {
        /// Where it is.
        path: String,
    },
    /// The schema is nested deeper than any sensible one.
    #[error("the schema is nested too deeply at `{path}`")]
    TooDeep {
        /// Where the limit was reached.
        path: String,
    },
    /// The `jsonschema` crate refuses the schema.
    #[error("the schema is not valid: {message}")]
    Invalid {
        /// What the crate says.
        message: String,
    },
}
