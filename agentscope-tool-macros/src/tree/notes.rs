//! What attributes and comments say of a type, a field or a variant: `.doc("…").with(&[…])`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Expr, ExprLit, Lit, LitStr, Meta, Token, parse::Parser};

use crate::{
    attr::entries::{self, Entry, Value, string_literal},
    errors::Errors,
};

use super::attrs::Attrs;

/// The calls that add the notes of an item; nothing if there are none. `with_rules` adds what limits values, which only
/// fields have.
pub(super) fn notes(all: &[Attribute], attrs: &Attrs, with_rules: bool, span: Span) -> TokenStream {
    let mut constraints = Vec::new();
    let mut doc = doc(all, span);
    for entry in attrs.own_entries() {
        remark(entry, &mut doc, &mut constraints, span);
    }
    if all.iter().any(|attr| attr.path().is_ident("deprecated")) {
        constraints.push(quote_spanned!(span=> __p::tree::Constraint::Deprecated));
    }
    if with_rules {
        rules(attrs.own_entries(), &mut constraints, span);
        rules(&attrs.others, &mut constraints, span);
        if attrs.has("skip_serializing") {
            constraints.push(quote_spanned!(span=> __p::tree::Constraint::WriteOnly));
        }
    }
    let mut calls = TokenStream::new();
    calls.extend(doc.map(|doc| quote_spanned!(span=> .doc(#doc))));
    if !constraints.is_empty() {
        calls.extend(quote_spanned!(span=> .with(const { &[#(#constraints),*] })));
    }
    calls
}

/// The doc comment as it was written, without the blank that stands after the slashes.
fn doc(attrs: &[Attribute], span: Span) -> Option<TokenStream> {
    let mut lines: Vec<&Expr> = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        if let Meta::NameValue(meta) = &attr.meta {
            lines.push(&meta.value);
        }
    }
    if lines.is_empty() {
        return None;
    }
    let texts: Option<Vec<String>> =
        lines.iter().map(|line| string_literal(line).map(|text| unindented(&text))).collect();
    if let Some(texts) = texts {
        return Some(LitStr::new(&texts.join("\n"), span).into_token_stream());
    }
    let parts = lines.iter().enumerate().map(|(index, line)| {
        let gap = (index > 0).then(|| quote_spanned!(span=> "\n",));
        match string_literal(line) {
            Some(text) => {
                let text = LitStr::new(&unindented(&text), span);
                quote_spanned!(span=> #gap #text)
            }
            None => quote_spanned!(span=> #gap #line),
        }
    });
    Some(quote_spanned!(span=> __p::core::concat!(#(#parts),*)))
}

fn unindented(text: &LitStr) -> String {
    let text = text.value();
    text.strip_prefix(' ').map_or(text.clone(), str::to_owned)
}

fn remark(entry: &Entry, doc: &mut Option<TokenStream>, constraints: &mut Vec<TokenStream>, span: Span) {
    let key = entry.key.to_string();
    match (key.as_str(), &entry.value) {
        ("title", _) => constraints.push(quote_spanned!(span=> __p::tree::Constraint::Title)),
        ("description", Value::Expr(expr)) => match string_literal(expr) {
            Some(text) => *doc = Some(text.into_token_stream()),
            None => {
                let text = quote_spanned!(span=> __p::tree::Literal::Of(|| __p::tree_value(&(#expr))));
                *doc = None;
                constraints.push(quote_spanned!(span=> __p::tree::Constraint::Description(#text)));
            }
        },
        ("example", Value::Expr(expr)) => constraints.push(quote_spanned! {span=>
            __p::tree::Constraint::Example(|| __p::serde_json::to_value(#expr).ok())
        }),
        ("extend", Value::List(tokens)) => {
            for (keyword, value) in extensions(tokens) {
                constraints.push(quote_spanned! {span=>
                    __p::tree::Constraint::Extension(#keyword, || __p::serde_json::json!(#value))
                });
            }
        }
        ("transform", Value::Expr(expr)) => constraints.push(quote_spanned! {span=>
            __p::tree::Constraint::Transform(|__schema| __p::schemars::transform::Transform::transform(&mut #expr, __schema))
        }),
        _ => {}
    }
}

/// `"key" = value, …` with values in the words of `json!`.
fn extensions(tokens: &TokenStream) -> Vec<(LitStr, TokenStream)> {
    let mut found = Vec::new();
    let parser = |input: syn::parse::ParseStream<'_>| {
        while !input.is_empty() {
            let keyword: LitStr = input.parse()?;
            input.parse::<Token![=]>()?;
            let mut value = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                value.extend([input.parse::<TokenTree>()?]);
            }
            input.parse::<Option<Token![,]>>()?;
            found.push((keyword, value));
        }
        Ok(())
    };
    // What is wrong with it is for schemars to report.
    let _ = parser.parse2(tokens.clone());
    found
}

/// What limits values. Of lengths and ranges, the key says which bound; the rest is a pattern, a format, or `inner`.
fn rules(entries: &[Entry], constraints: &mut Vec<TokenStream>, span: Span) {
    let mut push = |name: &str, value: TokenStream| {
        let name = proc_macro2::Ident::new(name, span);
        constraints.push(quote_spanned!(span=> __p::tree::Constraint::#name(#value)));
    };
    for entry in entries {
        let key = entry.key.to_string();
        match (key.as_str(), &entry.value) {
            ("length" | "range", Value::List(tokens)) => {
                let (min, max) = if key == "length" { ("MinLength", "MaxLength") } else { ("Minimum", "Maximum") };
                for bound in entries::parse(tokens.clone(), &mut Errors::default()) {
                    let Value::Expr(expr) = &bound.value else { continue };
                    let value = bound_value(expr, span);
                    if bound.key == "min" || bound.key == "equal" {
                        push(min, value.clone());
                    }
                    if bound.key == "max" || bound.key == "equal" {
                        push(max, value);
                    }
                }
            }
            ("regex", Value::List(tokens)) => {
                for part in entries::parse(tokens.clone(), &mut Errors::default()) {
                    if let Value::Expr(expr) = &part.value
                        && (part.key == "pattern" || part.key == "path")
                    {
                        push("Pattern", text_value(expr, span));
                    }
                }
            }
            ("pattern", Value::List(tokens)) => {
                if let Ok(expr) = syn::parse2::<Expr>(tokens.clone()) {
                    push("Pattern", text_value(&expr, span));
                }
            }
            ("contains", Value::List(tokens)) => {
                let named = entries::parse(tokens.clone(), &mut Errors::default()).into_iter().find_map(|part| {
                    match part.value {
                        Value::Expr(expr) if part.key == "pattern" => Some(expr),
                        _ => None,
                    }
                });
                if let Some(expr) = named.or_else(|| syn::parse2(tokens.clone()).ok()) {
                    push("Contains", text_value(&expr, span));
                }
            }
            ("email" | "ip" | "ipv4" | "ipv6", _) => push("Format", LitStr::new(&key, span).into_token_stream()),
            ("url", _) => push("Format", LitStr::new("uri", span).into_token_stream()),
            ("inner", Value::List(tokens)) => {
                let mut inner = Vec::new();
                rules(&entries::parse(tokens.clone(), &mut Errors::default()), &mut inner, span);
                if !inner.is_empty() {
                    push("Items", quote_spanned!(span=> const { &[#(#inner),*] }));
                }
            }
            _ => {}
        }
    }
}

/// The bound of a length or a range: a number, an expression, or a text that holds one.
fn bound_value(expr: &Expr, span: Span) -> TokenStream {
    if let Some(text) = string_literal(expr) {
        return match text.parse::<Expr>() {
            Ok(inner) => bound_value(&inner, span),
            Err(_) => quote!(),
        };
    }
    if let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = expr
        && number.suffix().is_empty()
    {
        return quote_spanned!(span=> __p::tree::Literal::Integer(#number));
    }
    quote_spanned!(span=> __p::tree::Literal::Of(|| __p::tree_value(&(#expr))))
}

fn text_value(expr: &Expr, span: Span) -> TokenStream {
    match string_literal(expr) {
        Some(text) => quote_spanned!(span=> __p::tree::Literal::Text(#text)),
        None => quote_spanned!(span=> __p::tree::Literal::Of(|| __p::tree_text(&(#expr)))),
    }
}
