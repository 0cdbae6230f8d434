//! `permission = path`: the user's function as the tool's own say in permissions.
//!
//! The function is handed on and not called here: `__p::ask` says what it has to take and return, and the compiler reports
//! one that does not fit at its path.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::ExprPath;

use crate::parts::ends;

/// The method of `impl Tool` for a function's tool; nothing without the key, since the trait's default asks.
pub(crate) fn method(path: Option<&ExprPath>, span: Span) -> Option<TokenStream> {
    let asked = ask(path?, "ask", &["input", "cx"], span);
    // As `async_trait` writes it, without its bare `Box`.
    Some(quote_spanned! {span=>
        fn check_permissions<'s, 'i, 'c, 'h>(
            &'s self,
            input: &'i __p::ToolInput,
            cx: &'c __p::PermissionContext,
        ) -> __p::Hook<'h, __p::PermissionDecision>
        where
            's: 'h,
            'i: 'h,
            'c: 'h,
            Self: 'h,
        {
            #asked
        }
    })
}

/// The closure that a method's tool asks, with the object first; nothing without the key.
pub(crate) fn closure(path: Option<&ExprPath>, span: Span) -> Option<TokenStream> {
    let asked = ask(path?, "ask_method", &["object", "input", "cx"], span);
    Some(quote_spanned!(span=> |object, input, cx| #asked))
}

fn ask(path: &ExprPath, ask: &str, arguments: &[&str], span: Span) -> TokenStream {
    let (first, last) = ends(path);
    let ask = Ident::new(ask, first);
    let arguments = arguments.iter().map(|argument| Ident::new(argument, span));
    let arguments = quote_spanned!(last=> (#path, #(#arguments),*));
    quote_spanned!(first=> __p::#ask #arguments)
}
