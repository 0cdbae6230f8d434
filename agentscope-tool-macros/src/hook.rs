//! `permission = path`: the user's function as the tool's own say in permissions.

use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::{ExprPath, spanned::Spanned};

use crate::parts::site;

/// The expression that makes the hook's future of a call of the user's function with `arguments`.
///
/// All of it stands where the path was written, so that a function that does not fit is reported there. `Decide`
/// takes what a plain function returns as well as what an `async` one does.
fn future(path: &ExprPath, arguments: &[&Ident]) -> TokenStream {
    let span = place(path);
    let arguments = arguments.iter().map(|argument| Ident::new(&argument.to_string(), span));
    quote_spanned! {span=>
        __p::std::boxed::Box::pin(async move { __p::Decided::decided(__p::Decide::decide(#path(#(#arguments),*)).await) })
    }
}

/// Where a path says what it means: at its last name.
fn place(path: &ExprPath) -> proc_macro2::Span {
    site(path.path.segments.last().map_or_else(|| path.span(), |segment| segment.ident.span()))
}

/// The method of `impl Tool` for a function's tool; nothing without the key, since the trait's default asks.
pub(crate) fn method(path: Option<&ExprPath>) -> Option<TokenStream> {
    let path = path?;
    let span = place(path);
    let [input, cx] = ["input", "cx"].map(|name| Ident::new(name, span));
    let future = future(path, &[&input, &cx]);
    // As `async_trait` writes it, without its bare `Box`.
    Some(quote_spanned! {span=>
        fn check_permissions<'s, 'i, 'c, 'h>(
            &'s self,
            #input: &'i __p::ToolInput,
            #cx: &'c __p::PermissionContext,
        ) -> __p::Hook<'h, __p::PermissionDecision>
        where
            's: 'h,
            'i: 'h,
            'c: 'h,
            Self: 'h,
        {
            #future
        }
    })
}

/// The closure that a method's tool asks, with the object first; nothing without the key.
pub(crate) fn closure(path: Option<&ExprPath>) -> Option<TokenStream> {
    let path = path?;
    let span = place(path);
    let [object, input, cx] = ["__object", "__input", "__cx"].map(|name| Ident::new(name, span));
    let future = future(path, &[&object, &input, &cx]);
    Some(quote_spanned!(span=> |#object, #input, #cx| #future))
}
