//! The constants that fail where a profile refuses a type: each at the user's tokens.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
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

fn call(tokens: &impl ToTokens, check: &str, arguments: &TokenStream) -> TokenStream {
    let (start, end) = ends(tokens);
    let check = Ident::new(check, start);
    // The place of the call is that of its first and its last token.
    let arguments = quote_spanned!(end=> (#arguments));
    quote_spanned!(start=> __p::tree::check::#check #arguments)
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
        let default = argument.attr.default.as_ref();
        let default = default.map(|_| quote_spanned!(span=> .or(|| __p::core::option::Option::None)));
        let field = quote_spanned!(span=> __p::tree::Field::new(#key, <__p::tree::Probe<#ty>>::NODE) #default);
        if !is_taken(ty, &key) {
            let arguments = quote_spanned!(span=> #name, &#field, #profiles);
            checks.extend(at(ty, "argument", &arguments));
        }
        fields.push(field);
    }
    // Only profiles that are no defaults count anything.
    if let Some(key) = tool.flags.profiles_key() {
        checks.extend(at(key, "totals", &quote_spanned!(span=> #name, &[#(#fields),*], #profiles)));
    }
    if checks.is_empty() {
        return checks;
    }
    quote_spanned!(span=> use __p::tree::Opaque as _; #checks)
}

/// The call that judges the arguments of a derived tool, whose type is `args`: where the tool names its profiles, else at
/// its name.
pub(crate) fn typed(name: &LitStr, args: &TokenStream, flags: &Flags, ident: &Ident) -> TokenStream {
    let span = site(ident.span());
    let profiles = flags.profiles(span);
    let arguments = quote_spanned! {span=> #name, {
        use __p::tree::Opaque as _;
        <__p::tree::Probe<#args>>::NODE
    }, #profiles };
    call(flags.profiles_key().unwrap_or(ident), "root", &arguments)
}
