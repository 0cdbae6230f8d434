//! `profiles(…)`: the provider profiles that arguments are checked against.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use super::entries::{self, Entry, Seen, Value, unknown_key};
use crate::errors::Errors;

/// Sets of profiles, then the profiles, by the names that `Profile::name` gives them.
const NAMES: &[&str] = &[
    "default",
    "portable",
    "openai",
    "openai_strict",
    "anthropic",
    "anthropic_strict",
    "gemini_parameters",
    "gemini",
    "dashscope",
    "deepseek",
    "deepseek_strict",
    "mistral",
    "ollama",
    "xai",
    "bedrock",
    "mcp",
];

/// What stands in the list, at least one name.
pub(crate) struct Profiles {
    key: Ident,
    names: Vec<Ident>,
}

impl Profiles {
    /// Reads `profiles(…)`.
    pub(crate) fn read(entry: Entry, errors: &mut Errors) -> Option<Self> {
        let key = entry.key;
        let tokens = match entry.value {
            Value::List(tokens) if !tokens.is_empty() => tokens,
            Value::Broken => return None,
            _ => {
                errors.at(&key, "`profiles` needs the names of profiles: write `profiles(openai_strict, gemini)`, or `profiles(portable)` for all");
                return None;
            }
        };
        let mut seen = Seen::default();
        let mut names = Vec::new();
        for entry in entries::parse(tokens, errors) {
            if !NAMES.contains(&entry.key.to_string().as_str()) {
                unknown_key(&entry.key, "`profiles`", NAMES, errors);
            } else if !matches!(entry.value, Value::Flag) {
                errors.at(&entry.key, format!("a profile takes no value: write `{}` alone", entry.key));
            } else if seen.first(&entry.key, errors) {
                names.push(entry.key);
            }
        }
        (!names.is_empty()).then_some(Self { key, names })
    }

    /// The word `profiles`, where the user wrote it.
    pub(crate) fn key(&self) -> &Ident {
        &self.key
    }

    /// The names as they were written.
    pub(crate) fn names(&self) -> &[Ident] {
        &self.names
    }

    /// The set as an expression.
    pub(crate) fn to_expr(&self, span: Span) -> TokenStream {
        let sets = self.names.iter().map(|name| match name.to_string().as_str() {
            "default" => quote_spanned!(span=> __p::tree::Profiles::DEFAULT),
            "portable" => quote_spanned!(span=> __p::tree::Profiles::PORTABLE),
            name => quote_spanned!(span=> __p::tree::Profiles::named(#name)),
        });
        quote_spanned!(span=> __p::tree::Profiles::NONE #(.union(#sets))*)
    }
}
