//! One difference between two schemas.

use std::fmt;

use serde_json::Value;

use crate::schema::shown;

/// A difference between two versions of a tool's schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SchemaChange {
    /// The tool's name; empty where schemas were compared without one.
    pub tool: String,
    /// The place in the arguments, such as `filters[].label`; empty for the arguments as a whole.
    pub path: String,
    /// What is different.
    pub kind: ChangeKind,
}

/// What is different at one place of a schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// There is a further tool.
    ToolAdded,
    /// A tool is not there any more.
    ToolRemoved,
    /// Only the words for the model are different.
    Described,
    /// A further argument, which may be left out.
    AddedOptional,
    /// A further argument, which has to be given.
    AddedRequired,
    /// An argument is not there any more, and refused.
    Removed,
    /// An argument is not there any more; what is given for it is taken like any unknown argument.
    RemovedOpen,
    /// An argument has another name.
    Renamed {
        /// Its new name.
        to: String,
    },
    /// An argument that could be left out has to be given.
    BecameRequired,
    /// An argument that had to be given may be left out.
    BecameOptional,
    /// Further types are accepted.
    TypeWidened {
        /// Those.
        by: String,
    },
    /// Types are not accepted any more.
    TypeNarrowed {
        /// Those.
        by: String,
    },
    /// None of the types is accepted that were.
    TypeChanged {
        /// The types that were accepted.
        from: String,
        /// The types that are accepted.
        to: String,
    },
    /// A further value of a closed set.
    ValueAdded(Value),
    /// A value of a closed set is not there any more.
    ValueRemoved(Value),
    /// Any value is accepted where it was a closed set.
    ValuesOpened,
    /// Only a closed set of values is accepted where it was any.
    ValuesClosed,
    /// A constraint lets more through, or is gone.
    Loosened {
        /// Its keyword.
        keyword: &'static str,
        /// Its value before.
        from: Option<Value>,
        /// Its value now.
        to: Option<Value>,
    },
    /// A constraint lets less through, or is new.
    Tightened {
        /// Its keyword.
        keyword: &'static str,
        /// Its value before.
        from: Option<Value>,
        /// Its value now.
        to: Option<Value>,
    },
    /// Another value is taken when the argument is left out.
    DefaultChanged {
        /// The value before.
        from: Option<Value>,
        /// The value now.
        to: Option<Value>,
    },
    /// Something that is not understood is different, which may mean anything.
    Other {
        /// The keyword.
        keyword: String,
    },
}

impl SchemaChange {
    pub(super) fn new(tool: &str, path: &str, kind: ChangeKind) -> Self {
        Self { tool: tool.to_owned(), path: path.to_owned(), kind }
    }

    /// Whether arguments that were accepted before may be refused now.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        match &self.kind {
            ChangeKind::ToolAdded
            | ChangeKind::Described
            | ChangeKind::AddedOptional
            | ChangeKind::RemovedOpen
            | ChangeKind::BecameOptional
            | ChangeKind::TypeWidened { .. }
            | ChangeKind::ValueAdded(_)
            | ChangeKind::ValuesOpened
            | ChangeKind::Loosened { .. }
            | ChangeKind::DefaultChanged { .. } => false,
            ChangeKind::ToolRemoved
            | ChangeKind::AddedRequired
            | ChangeKind::Removed
            | ChangeKind::Renamed { .. }
            | ChangeKind::BecameRequired
            | ChangeKind::TypeNarrowed { .. }
            | ChangeKind::TypeChanged { .. }
            | ChangeKind::ValueRemoved(_)
            | ChangeKind::ValuesClosed
            | ChangeKind::Tightened { .. }
            | ChangeKind::Other { .. } => true,
        }
    }
}

impl fmt::Display for SchemaChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_breaking() { "breaking: " } else { "compatible: " })?;
        if !self.tool.is_empty() {
            write!(f, "{}: ", self.tool)?;
        }
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        let value =
            |value: &Option<Value>| value.as_ref().map_or_else(|| "none".to_owned(), |value| shown(value).to_string());
        match &self.kind {
            ChangeKind::ToolAdded => f.write_str("a new tool"),
            ChangeKind::ToolRemoved => f.write_str("the tool is gone"),
            ChangeKind::Described => f.write_str("described in other words"),
            ChangeKind::AddedOptional => f.write_str("added as optional"),
            ChangeKind::AddedRequired => f.write_str("added as required"),
            ChangeKind::Removed => f.write_str("removed"),
            ChangeKind::RemovedOpen => f.write_str("removed, and taken like any unknown argument"),
            ChangeKind::Renamed { to } => write!(f, "renamed to `{to}`"),
            ChangeKind::BecameRequired => f.write_str("has to be given now"),
            ChangeKind::BecameOptional => f.write_str("may be left out now"),
            ChangeKind::TypeWidened { by } => write!(f, "accepts {by} as well"),
            ChangeKind::TypeNarrowed { by } => write!(f, "does not accept {by} any more"),
            ChangeKind::TypeChanged { from, to } => write!(f, "accepts {to} instead of {from}"),
            ChangeKind::ValueAdded(value) => write!(f, "accepts the value {} as well", shown(value)),
            ChangeKind::ValueRemoved(value) => write!(f, "does not accept the value {} any more", shown(value)),
            ChangeKind::ValuesOpened => f.write_str("accepts any value instead of a closed set"),
            ChangeKind::ValuesClosed => f.write_str("accepts a closed set of values instead of any"),
            ChangeKind::Loosened { keyword, from, to: None } => {
                write!(f, "`{keyword}` is gone, was {}", value(from))
            }
            ChangeKind::Loosened { keyword, from, to } => {
                write!(f, "`{keyword}` is loosened: {}, was {}", value(to), value(from))
            }
            ChangeKind::Tightened { keyword, from: None, to } => {
                write!(f, "`{keyword}` is tightened: {}, was not there", value(to))
            }
            ChangeKind::Tightened { keyword, from, to } => {
                write!(f, "`{keyword}` is tightened: {}, was {}", value(to), value(from))
            }
            ChangeKind::DefaultChanged { from, to } => {
                write!(f, "the default is {}, was {}", value(to), value(from))
            }
            ChangeKind::Other { keyword } => write!(f, "`{keyword}` is different"),
        }
    }
}
