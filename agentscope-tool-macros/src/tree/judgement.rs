//! The constants that fail where a profile refuses a type: each at the user's tokens.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{LitStr, Type};

use crate::{
    attr::flags::Flags,
    param::ParamKind,
    parts::{ends, site},
    types::{Kind, shape},
    valid::ToolFn,
};

/// A constant that calls one of the checks, placed at `tokens`.
pub(super) fn at(tokens: &impl ToTokens, check: &str, arguments: &TokenStream) -> TokenStream {
    let call = call(tokens, check, arguments);
    quote_spanned!(ends(tokens).0=> const _: () = #call;)
}

/// The call's first and last tokens have the user's own spans: the compiler then shows what the user wrote, and not that a
/// macro wrote something there.
fn call(tokens: &impl ToTokens, check: &str, arguments: &TokenStream) -> TokenStream {
    let (start, _) = ends(tokens);
    let check = Ident::new(check, start);
    let mut trees = tokens.to_token_stream().into_iter();
    let first = trees.next().map_or(start, |tree| edge(&tree, false));
    let last = trees.last().map_or(first, |tree| edge(&tree, true));
    let mut callee = Group::new(Delimiter::Parenthesis, quote_spanned!(start=> __p::#check));
    callee.set_span(first);
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments.clone());
    arguments.set_span(last);
    quote!(#callee #arguments)
}

/// The span of the first or last token in a tree.
fn edge(tree: &TokenTree, last: bool) -> Span {
    match tree {
        // What came through `macro_rules!` is in a group without brackets.
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let mut inner = group.stream().into_iter();
            let inner = if last { inner.last() } else { inner.next() };
            inner.map_or_else(|| group.span(), |tree| edge(&tree, last))
        }
        TokenTree::Group(group) if last => group.span_close(),
        TokenTree::Group(group) => group.span_open(),
        tree => tree.span(),
    }
}

/// Whether it is clear without the compiler that every profile takes a field of this type and name.
pub(super) fn is_taken(ty: &Type, key: &str) -> bool {
    let is_simple = matches!(shape(ty).kind, Kind::Int { .. } | Kind::Float | Kind::Bool | Kind::Str | Kind::Char);
    let is_plain = key.len() <= 64
        && !key.starts_with(|letter: char| letter.is_ascii_digit())
        && key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    is_simple && is_plain
}

/// The constants that judge the arguments of a function; nothing where it is clear that they are taken.
pub(crate) fn arguments(tool: &ToolFn) -> TokenStream {
    let span = site(tool.ident.span());
    let profiles = tool.flags.profiles(span);
    let name = LitStr::new(&tool.name.value(), span);
    let mut checks = TokenStream::new();
    let mut fields = Vec::new();
    for param in &tool.params {
        let ParamKind::Arg(argument) = &param.kind else { continue };
        if argument.attr.skip.is_some() {
            continue;
        }
        let (ty, key) = (&param.ty, argument.name(&param.ident));
        let node = quote_spanned!(span=> <__p::Probe<#ty>>::NODE);
        if !is_taken(ty, &key) {
            let profiles: Vec<&TokenStream> = tool.flags.profiles_key().map(|_| &profiles).into_iter().collect();
            let check = if !profiles.is_empty() { "argument_for" } else { "argument" };
            checks.extend(at(ty, check, &quote_spanned!(span=> #name, #key, #node #(, #profiles)*)));
        }
        let default = argument.attr.default.as_ref();
        let default = default.map(|_| quote_spanned!(span=> .or(|| __p::core::option::Option::None)));
        fields.push(quote_spanned!(span=> __p::tree::Field::new(#key, #node) #default));
    }
    // Only profiles that are no defaults count anything.
    if let Some(key) = tool.flags.profiles_key() {
        checks.extend(at(key, "totals", &quote_spanned!(span=> #name, &[#(#fields),*], #profiles)));
    }
    checks
}

/// The call that judges the arguments of a derived tool, whose type is `args`: where the tool names its profiles, else at
/// its name.
pub(crate) fn typed(name: &LitStr, args: &TokenStream, flags: &Flags, ident: &Ident) -> TokenStream {
    let span = site(ident.span());
    let profiles = flags.profiles(span);
    let arguments = quote_spanned!(span=> #name, <__p::Probe<#args>>::NODE, #profiles);
    call(flags.profiles_key().unwrap_or(ident), "root", &arguments)
}
