//! The nodes of a tree.

use serde_json::Value;

use super::{NodeRef, Profiles};

/// A type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Node {
    /// What tells the type from all others, for finding recursion. Empty for generic types and those of the standard
    /// library, which cannot contain themselves without a type that is told apart: `Page<Page<T>>` is no recursion.
    pub identity: &'static str,
    /// The name that the schema has for the type.
    pub name: &'static str,
    /// Whether the schema of the type stands where the type is used, and not among the definitions.
    pub is_inline: bool,
    /// What is said of the type.
    pub notes: Notes,
    /// The profiles that the fields were checked against where the type is defined.
    pub checked: Profiles,
    /// What kind of type it is.
    pub kind: Kind,
}

/// What is said of a type, a field or a variant beside its kind.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Notes {
    /// The doc comment, or the description that an attribute gives, as it was written.
    pub doc: Option<&'static str>,
    /// What attributes add.
    pub constraints: &'static [Constraint],
}

/// The kinds of types, by the JSON that they are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// Any JSON.
    Any,
    /// Nothing is known.
    Opaque,
    /// One of some simple types; most often there is only one.
    Scalar(&'static [Scalar]),
    /// The type, or `null`.
    Optional(NodeRef),
    /// A list, a set or an array; one without items is always empty.
    List {
        /// The type of the items.
        items: Option<NodeRef>,
        /// Whether all items differ.
        is_set: bool,
    },
    /// A list with a type for each place.
    Tuple(&'static [Field]),
    /// An object with keys that are not known.
    Map {
        /// The type of the keys.
        key: NodeRef,
        /// The type of the values.
        value: NodeRef,
    },
    /// An object with known keys.
    Struct {
        /// The fields that are decoded.
        fields: &'static [Field],
        /// Whether other keys are refused.
        is_closed: bool,
    },
    /// A choice.
    Enum {
        /// How one sees which variant it is.
        tagging: Tagging,
        /// The variants that are decoded.
        variants: &'static [Variant],
        /// Whether other keys are refused.
        is_closed: bool,
    },
    /// What the one field is.
    Newtype(&'static Field),
}

/// The simple types of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A text.
    String,
}

impl Scalar {
    /// The name in JSON Schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
        }
    }
}

/// How serde writes which variant of an enum a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tagging {
    /// An object with the variant's name as its only key; a plain variant is a text.
    External,
    /// As `External`, but not closed, which is how schemars describes `Result` and `Bound`.
    OpenExternal,
    /// A key beside the variant's own.
    Internal(&'static str),
    /// A key for the variant's name and one for its content.
    Adjacent(&'static str, &'static str),
    /// Not at all.
    Untagged,
}

/// A field of a struct, a tuple or a variant.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The key in the object; empty where there is none.
    pub key: &'static str,
    /// The type.
    pub node: NodeRef,
    /// What is said of the field.
    pub notes: Notes,
    /// What the field is when it is left out, if it may be; `None` where the default cannot be written as JSON.
    pub default: Option<fn() -> Option<Value>>,
    /// Whether the fields of the type stand among those of the struct.
    pub is_flattened: bool,
    /// Whether an attribute makes an `Option` required.
    pub is_required: bool,
}

/// A variant of an enum.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Variant {
    /// The name.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// What is said of it.
    pub notes: Notes,
    /// Whether this one is not tagged.
    pub is_untagged: bool,
}

/// What a variant holds.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Nothing.
    Unit,
    /// One value without a name.
    Newtype(&'static Field),
    /// Some values without names.
    Tuple(&'static [Field]),
    /// Fields.
    Struct(&'static [Field]),
}

/// A rule or a remark that an attribute adds.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Constraint {
    /// The smallest number.
    Minimum(Literal),
    /// The largest number.
    Maximum(Literal),
    /// The first number that is too large.
    ExclusiveMaximum(Literal),
    /// The value that it is not.
    Not(Literal),
    /// The least length: characters of a text, items of a list.
    MinLength(Literal),
    /// The greatest length.
    MaxLength(Literal),
    /// A regular expression for a text.
    Pattern(Literal),
    /// A text that is a part of the text.
    Contains(Literal),
    /// The format of a text or a number.
    Format(&'static str),
    /// Rules for each item of a list.
    Items(&'static [Constraint]),
    /// A title, which our schemas do not have.
    Title,
    /// A description that has to be computed.
    Description(Literal),
    /// An example, if it can be written as JSON.
    Example(fn() -> Option<Value>),
    /// It should no longer be used.
    Deprecated,
    /// It is read and never written.
    WriteOnly,
    /// A keyword with its value.
    Extension(&'static str, fn() -> Value),
    /// Changes to the schema.
    Transform(fn(&mut schemars::Schema)),
}

/// A value that a constraint compares with.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// A whole number.
    Integer(i128),
    /// A text.
    Text(&'static str),
    /// An expression of the user's.
    Of(fn() -> Value),
}

impl Notes {
    /// Nothing is said.
    pub const NONE: Self = Self { doc: None, constraints: &[] };

    /// Whether no attribute and no comment says anything.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.doc.is_none() && self.constraints.is_empty()
    }
}

impl Node {
    /// A type of which the schema stands where the type is used.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self { identity: "", name, is_inline: true, notes: Notes::NONE, checked: Profiles::NONE, kind }
    }

    /// A type that has a definition of its own.
    #[must_use]
    pub const fn named(name: &'static str, kind: Kind) -> Self {
        Self { is_inline: false, ..Self::new(name, kind) }
    }

    /// A simple type.
    #[must_use]
    pub const fn scalar(types: &'static [Scalar]) -> Self {
        Self::new("", Kind::Scalar(types))
    }

    /// Sets what tells the type from all others.
    #[must_use]
    pub const fn identity(self, identity: &'static str) -> Self {
        Self { identity, ..self }
    }

    /// Puts the schema where the type is used.
    #[must_use]
    pub const fn inline(self) -> Self {
        Self { is_inline: true, ..self }
    }

    /// Sets the doc comment.
    #[must_use]
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { notes: Notes { doc: Some(doc), ..self.notes }, ..self }
    }

    /// Sets what attributes add.
    #[must_use]
    pub const fn with(self, constraints: &'static [Constraint]) -> Self {
        Self { notes: Notes { constraints, ..self.notes }, ..self }
    }

    /// Says what the fields were checked against where the type is defined.
    #[must_use]
    pub const fn checked(self, checked: Profiles) -> Self {
        Self { checked, ..self }
    }
}

impl Field {
    /// A field.
    #[must_use]
    pub const fn new(key: &'static str, node: NodeRef) -> Self {
        Self { key, node, notes: Notes::NONE, default: None, is_flattened: false, is_required: false }
    }

    /// Sets the doc comment.
    #[must_use]
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { notes: Notes { doc: Some(doc), ..self.notes }, ..self }
    }

    /// Sets what attributes add.
    #[must_use]
    pub const fn with(self, constraints: &'static [Constraint]) -> Self {
        Self { notes: Notes { constraints, ..self.notes }, ..self }
    }

    /// Sets what the field is when it is left out.
    #[must_use]
    pub const fn or(self, default: fn() -> Option<Value>) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Puts the fields of the type among those of the struct.
    #[must_use]
    pub const fn flatten(self) -> Self {
        Self { is_flattened: true, ..self }
    }

    /// Makes an `Option` required.
    #[must_use]
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// Whether the field may be left out.
    #[must_use]
    pub const fn is_optional(&self) -> bool {
        self.default.is_some() || (!self.is_required && matches!(self.node.get().kind, Kind::Optional(_)))
    }
}

impl Variant {
    /// A variant.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape) -> Self {
        Self { name, shape, notes: Notes::NONE, is_untagged: false }
    }

    /// Sets the doc comment.
    #[must_use]
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { notes: Notes { doc: Some(doc), ..self.notes }, ..self }
    }

    /// Sets what attributes add.
    #[must_use]
    pub const fn with(self, constraints: &'static [Constraint]) -> Self {
        Self { notes: Notes { constraints, ..self.notes }, ..self }
    }

    /// Says that this variant is not tagged.
    #[must_use]
    pub const fn untagged(self) -> Self {
        Self { is_untagged: true, ..self }
    }
}
