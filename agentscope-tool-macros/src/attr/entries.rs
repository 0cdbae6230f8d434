//! The common grammar, `key`, `key = value` and `key(entries)`, separated by commas.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, Expr, ExprLit, ExprPath, Lit, LitBool, LitStr, Meta, Path, Token, Type, TypePath,
    ext::IdentExt,
    parse::{ParseStream, Parser},
    token,
};

use crate::{
    errors::Errors,
    names::{listed, nearest},
    types::type_text,
};

/// One `key`, `key = value` or `key(…)`.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// What follows a key.
pub(crate) enum Value {
    /// Nothing.
    Flag,
    /// `= expr`.
    Expr(Expr),
    /// `(…)`, not yet read.
    List(TokenStream),
    /// Something that was reported already.
    Broken,
}

/// The entries of a token list; a broken one is reported and the next comma is the place to go on.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Vec<Entry> {
    let mut entries = Vec::new();
    let parser = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match entry(input, errors) {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    errors.push(error);
                    skip_to_comma(input)?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    if let Err(error) = parser.parse2(tokens) {
        errors.push(error);
    }
    entries
}

/// The entries of one attribute, `#[name]` or `#[name(…)]`.
pub(crate) fn of_attribute(attr: &Attribute, errors: &mut Errors) -> Vec<Entry> {
    match &attr.meta {
        Meta::Path(_) => Vec::new(),
        Meta::List(list) => parse(list.tokens.clone(), errors),
        Meta::NameValue(meta) => {
            let name = meta.path.to_token_stream();
            errors
                .at(&meta.value, format!("`#[{name}]` takes its keys in parentheses: write `#[{name}(key = value)]`"));
            Vec::new()
        }
    }
}

fn entry(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Entry> {
    if !input.peek(Ident::peek_any) {
        return Err(input.error("expected a key here: write `key` or `key = value`"));
    }
    let key = input.call(Ident::parse_any)?;
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(Entry { key, value: Value::Flag });
    }
    if input.peek(token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        let tokens = content.parse()?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(format!("expected `,` after `{key}(…)`")));
        }
        return Ok(Entry { key, value: Value::List(tokens) });
    }
    if !input.peek(Token![=]) {
        return Err(input.error(format!("expected `=`, `(` or `,` after `{key}`")));
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        errors.at(&key, format!("`{key}` has no value: write `{key} = value`"));
        return Ok(Entry { key, value: Value::Broken });
    }
    let value = match input.parse() {
        Ok(value) => value,
        Err(error) => {
            errors.push(error);
            skip_to_comma(input)?;
            return Ok(Entry { key, value: Value::Broken });
        }
    };
    if !input.is_empty() && !input.peek(Token![,]) {
        return Err(input.error(format!("expected `,` after the value of `{key}`")));
    }
    Ok(Entry { key, value: Value::Expr(value) })
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Keys that were seen, so that the second use of one is reported.
#[derive(Default)]
pub(crate) struct Seen(HashSet<String>);

impl Seen {
    /// Whether this is the first use of the key; reports it otherwise.
    pub(crate) fn first(&mut self, key: &Ident, errors: &mut Errors) -> bool {
        let first = self.0.insert(key.to_string());
        if !first {
            errors.at(key, format!("`{key}` is specified more than once: keep one of them"));
        }
        first
    }
}

/// Reports a key that an attribute does not have; says which one was probably meant.
pub(crate) fn unknown_key(
    key: &Ident,
    attribute: &str,
    known: &'static [&'static str],
    errors: &mut Errors,
) -> Option<&'static str> {
    let name = key.to_string();
    let meant = nearest(&name, known.iter().copied());
    let message = match meant {
        Some(meant) => format!("unknown key `{name}` in {attribute}: did you mean `{meant}`?"),
        None => format!("unknown key `{name}` in {attribute}: it takes {}", listed(known.iter().copied(), "and")),
    };
    errors.at(key, message);
    meant
}

/// A boolean flag.
#[derive(Clone)]
pub(crate) struct Flag {
    pub(crate) key: Ident,
    pub(crate) value: bool,
}

impl Entry {
    /// `key`, `key = true` or `key = false`.
    pub(crate) fn flag(self, errors: &mut Errors) -> Option<Flag> {
        let key = self.key;
        match self.value {
            Value::Flag => Some(Flag { key, value: true }),
            Value::Expr(Expr::Lit(ExprLit { lit: Lit::Bool(LitBool { value, .. }), .. })) => Some(Flag { key, value }),
            Value::Expr(expr) => {
                errors.at(expr, format!("`{key}` is a flag: write `{key}`, `{key} = true` or `{key} = false`"));
                None
            }
            Value::Broken => None,
            Value::List(_) => {
                errors.at(&key, format!("`{key}` takes no list: write `{key}`, `{key} = true` or `{key} = false`"));
                None
            }
        }
    }

    /// `key = expr`; `example` shows how to write it.
    pub(crate) fn expr(self, example: &str, errors: &mut Errors) -> Option<(Ident, Expr)> {
        match self.value {
            Value::Expr(expr) => Some((self.key, expr)),
            Value::Broken => None,
            Value::Flag | Value::List(_) => {
                let key = self.key;
                errors.at(&key, format!("`{key}` needs a value: write `{key} = {example}`"));
                None
            }
        }
    }

    /// `key = "text"`.
    pub(crate) fn text(self, errors: &mut Errors) -> Option<LitStr> {
        let (key, expr) = self.expr("\"…\"", errors)?;
        match string_literal(&expr) {
            Some(literal) => Some(literal),
            None => {
                errors.at(expr, format!("`{key}` must be a string literal: write `{key} = \"…\"`"));
                None
            }
        }
    }

    /// `key = expr`, where a literal must be a string that is not blank.
    pub(crate) fn text_expr(self, errors: &mut Errors) -> Option<Expr> {
        let (key, expr) = self.expr("\"…\"", errors)?;
        if let Some(literal) = string_literal(&expr) {
            if literal.value().trim().is_empty() {
                errors.at(expr, format!("`{key}` is empty: write a text or remove the key"));
                return None;
            }
        } else if matches!(expr, Expr::Lit(_)) {
            errors.at(expr, format!("`{key}` must be a string: write `{key} = \"…\"`"));
            return None;
        }
        Some(expr)
    }

    /// `key = path`, where the path is a function's; `example` is the path of one.
    pub(crate) fn function(self, example: &str, errors: &mut Errors) -> Option<ExprPath> {
        let (key, expr) = self.expr(example, errors)?;
        let mut value = &expr;
        // A path that came through `macro_rules!`.
        while let Expr::Group(group) = value {
            value = &group.expr;
        }
        let (meant, how) = match value {
            Expr::Path(path) => return Some(path.clone()),
            Expr::Call(call) => (Some(call.func.to_token_stream()), "without calling it"),
            other => match string_literal(other) {
                Some(text) => (text.parse().ok(), "without quotes"),
                None => (None, "with the name of your function"),
            },
        };
        // What else was called or quoted is no path that could be shown.
        let meant = meant.and_then(|tokens| syn::parse2::<TypePath>(tokens).ok());
        let path = meant.map_or_else(|| example.to_owned(), |path| type_text(&Type::Path(path)));
        errors.at(&expr, format!("`{key}` must be the path of a function: write `{key} = {path}` {how}"));
        None
    }

    /// `key = path`.
    pub(crate) fn path(self, example: &str, errors: &mut Errors) -> Option<Path> {
        let (key, expr) = self.expr(example, errors)?;
        match expr {
            Expr::Path(ExprPath { qself: None, path, .. }) => Some(path),
            other => {
                errors.at(other, format!("`{key}` must be a path: write `{key} = {example}` without quotes"));
                None
            }
        }
    }
}

/// The string that an expression plainly is, also when it came through `macro_rules!`.
pub(crate) fn string_literal(expr: &Expr) -> Option<LitStr> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.clone()),
        Expr::Group(group) => string_literal(&group.expr),
        Expr::Paren(paren) => string_literal(&paren.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn messages(tokens: TokenStream) -> (Vec<String>, Vec<String>) {
        let mut errors = Errors::default();
        let entries = parse(tokens, &mut errors);
        (entries.iter().map(|entry| entry.key.to_string()).collect(), errors.messages())
    }

    #[test]
    fn flags_values_and_lists_are_told_apart() {
        let mut errors = Errors::default();
        let entries = parse(
            quote!(read_only, struct = Weather, crate = ::a::b, range(min = 1, max = f::<A, B>(2)),),
            &mut errors,
        );
        assert!(errors.is_empty());
        assert!(matches!(entries[0].value, Value::Flag));
        assert!(matches!(entries[1].value, Value::Expr(_)));
        assert!(matches!(entries[2].value, Value::Expr(_)));
        assert!(matches!(&entries[3].value, Value::List(tokens) if parse(tokens.clone(), &mut errors).len() == 2));
    }

    #[test]
    fn parsing_goes_on_after_a_fault() {
        let (keys, messages) = messages(quote!("x", name =, a b c, read_only, title = = 3, blocking));
        assert_eq!(keys, ["name", "read_only", "title", "blocking"]);
        assert_eq!(messages.len(), 4, "{messages:?}");
    }
}
