//! What the profiles refuse, one question each.

use super::super::Profiles;
use crate::schema::Profile;
use crate::schema::profile::{Form, Rules};

/// The profiles of which a rule holds.
macro_rules! profiles_where {
    (|$rules:ident| $holds:expr) => {{
        let mut profiles = Profiles::NONE;
        let mut index = 0;
        while index < Profile::ALL.len() {
            let $rules = Profile::ALL[index].rules();
            if $holds {
                profiles = profiles.and(Profile::ALL[index]);
            }
            index += 1;
        }
        profiles
    }};
}

/// A limit that the rules of a profile have.
const fn limit(limit: Option<usize>) -> usize {
    match limit {
        Some(limit) => limit,
        None => usize::MAX,
    }
}

/// The profiles that get the portable form: what has no portable form is refused by them.
pub(super) const OF_PORTABLE_FORM: Profiles = profiles_where!(|rules| !matches!(rules.form, Form::NaturalOrPortable));

/// The profiles in which nothing may be left without a type.
pub(super) const TYPED: Profiles = profiles_where!(|rules| !rules.untyped);

/// The profiles in which a schema cannot refer to itself.
pub(super) const FINITE: Profiles = profiles_where!(|rules| !rules.references);

/// The profiles of which the walk has to see all that is inside, also where that was judged at another place.
pub(super) const LOOK_INTO_ALL: Profiles = OF_PORTABLE_FORM;

/// The profiles that bound depth, properties, values and characters.
pub(super) const BOUNDED: Profiles = profiles_where!(|rules| rules.depth.is_some());
const BOUNDS: Rules = Profile::OpenAiStrict.rules();
/// Objects inside of each other.
pub(super) const MOST_DEPTH: usize = limit(BOUNDS.depth);
/// Properties of all objects together.
pub(super) const MOST_PROPERTIES: usize = limit(BOUNDS.properties);
/// Characters of all names of properties and values of enums together.
pub(super) const MOST_CHARACTERS: usize = limit(BOUNDS.characters);
/// Values of one enum.
pub(super) const MOST_VALUES: usize = limit(BOUNDS.values);
/// From how many values on their characters are counted.
pub(super) const MANY_VALUES: usize = 250;
/// Characters of the values of one enum that has many.
pub(super) const MOST_VALUE_CHARACTERS: usize = 15_000;

/// The profiles that bound how many parameters are unions, which in the portable form those are that may be left out.
pub(super) const OF_FEW_UNIONS: Profiles = profiles_where!(|rules| rules.unions.is_some());
/// Unions of all strict tools of a request together.
pub(super) const MOST_UNIONS: usize = limit(Profile::AnthropicStrict.rules().unions);

/// Something that a profile does not take.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    Any,
    Opaque,
    Map,
    Empty,
    NoVariant,
    Recursive,
    FlattenedMap,
    FlattenedChoice,
    Key,
    RootChoice,
    RootNoObject,
    Depth(usize),
    Values(usize),
    ValueCharacters(usize),
    Properties(usize),
    Unions(usize),
    Characters(usize),
}

impl Fault {
    /// What is there.
    pub(super) const fn what(self) -> &'static str {
        match self {
            Self::Any => "may be any JSON",
            Self::Opaque => "has a type of which only the `JsonSchema` is known",
            Self::Map => "is a map with free keys",
            Self::Empty => "is an object without fields",
            Self::NoVariant => "is an enum without variants",
            Self::Recursive => "contains itself",
            Self::FlattenedMap => "lets in any other key (`#[serde(flatten)]` of a map)",
            Self::FlattenedChoice => {
                "has the fields of one of several types among its own (`flatten` or `tag` of an enum)"
            }
            Self::Key => "has this name",
            Self::RootChoice => "takes a choice between types as its arguments",
            Self::RootNoObject => "takes arguments that are no object",
            Self::Depth(_) => "is nested too deeply",
            Self::Values(_) => "has too many values",
            Self::ValueCharacters(_) => "has values of too many characters together",
            Self::Properties(_) => "has too many properties, those of nested types included",
            Self::Unions(_) => "has too many fields that are a choice or may be left out",
            Self::Characters(_) => "has too many characters in the names of its properties and values",
        }
    }

    /// How much is there, and how much may be.
    pub(super) const fn numbers(self) -> Option<(usize, usize)> {
        match self {
            Self::Depth(number) => Some((number, MOST_DEPTH)),
            Self::Values(number) => Some((number, MOST_VALUES)),
            Self::ValueCharacters(number) => Some((number, MOST_VALUE_CHARACTERS)),
            Self::Properties(number) => Some((number, MOST_PROPERTIES)),
            Self::Unions(number) => Some((number, MOST_UNIONS)),
            Self::Characters(number) => Some((number, MOST_CHARACTERS)),
            _ => None,
        }
    }

    /// What to write instead.
    pub(super) const fn instead(self) -> &'static str {
        match self {
            Self::Any => "give it a type, or a `String` that holds JSON",
            Self::Opaque => "put `#[tool_args]` on the type, or derive `ToolArgs` or `ToolType` for it",
            Self::Map => "write a `Vec` of a struct with a key and a value, or a struct with named fields",
            Self::Empty => "give it a field, or leave it out",
            Self::NoVariant => "give it a variant, or leave it out",
            Self::Recursive => "write a type for each level, or a `String` that holds JSON",
            Self::FlattenedMap => "write a field of type `Vec` of a struct with a key and a value",
            Self::FlattenedChoice => "put the choice in a field of its own, without `flatten`",
            Self::Key => "rename it to letters, digits and `_`, at most 64, no digit first",
            Self::RootChoice => "write a struct with the enum as a field",
            Self::RootNoObject => "write a struct with named fields",
            Self::Depth(_) => "move what is deep inside further out",
            Self::Values(_) | Self::ValueCharacters(_) => "write a `String`, and name the values in its description",
            Self::Properties(_) | Self::Characters(_) => "make several tools of it",
            Self::Unions(_) => "make some of them required, or make several tools of it",
        }
    }
}

/// The profiles that do not take a property of this name.
///
/// - The portable form: `^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`, that of Gemini's `parameters` (ai.google.dev).
/// - Anthropic, and Bedrock where Claude runs: `^[a-zA-Z0-9_.-]{1,64}$` (n8n#30590, claude-code#79418). One bad name fails the
///   whole request.
pub(super) const fn refusing_key(key: &str) -> Profiles {
    let bytes = key.as_bytes();
    let mut is_word = !bytes.is_empty() && bytes.len() <= 64;
    let mut is_dotted = is_word;
    let mut index = 0;
    while index < bytes.len() {
        let byte = bytes[index];
        if !byte.is_ascii_alphanumeric() && byte != b'_' {
            is_word = false;
            if byte != b'-' && byte != b'.' {
                is_dotted = false;
            }
        }
        index += 1;
    }
    let is_portable = is_word && !bytes[0].is_ascii_digit();
    let mut refusing = if is_portable { Profiles::NONE } else { OF_PORTABLE_FORM };
    if !is_dotted {
        refusing = refusing.union(Profiles::of(&[Profile::Anthropic, Profile::Bedrock]));
    }
    refusing
}
