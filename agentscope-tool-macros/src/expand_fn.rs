//! `#[tool]` on a function: the function as it was, a type named after it, and the type's `Tool` implementation.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::{Attribute, Visibility};

use crate::{
    ast::{Body, Function, is_ours},
    attr::{
        entries,
        flags::{Flags, Place},
    },
    errors::Errors,
    fallback, hook, krate,
    names::{plain, type_name},
    parts::{self, site},
    tree,
    valid::{self, ToolFn},
};

/// Expands `#[tool(attr)] item`.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let flags = Flags::read(entries::parse(attr, &mut errors), Place::Function, &mut errors);
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => return fallback::no_function(&item, error, errors),
    };
    let is_method = function.sig.receiver().is_some();
    if function.attrs.iter().any(|attr| is_ours(attr, "tool")) {
        let name = &function.sig.ident;
        errors.at(name, format!("the function `{name}` is marked `#[tool]` twice: remove one of the two attributes"));
    }
    function.attrs.retain(|attr| !is_ours(attr, "tool"));
    let krate = krate::path(flags.krate.as_ref(), site(function.sig.ident.span()));
    let tool = valid::check(&mut function, flags, Place::Function, &mut errors);
    let ty = (!is_method).then(|| name_type(&tool, &mut errors)).flatten();
    match ty {
        Some(ty) if errors.is_empty() => generate(&function, &tool, &ty, &krate),
        ty => fallback::function(function, &tool, ty.as_ref(), &krate, errors),
    }
}

/// The name of the tool's type.
fn name_type(tool: &ToolFn, errors: &mut Errors) -> Option<Ident> {
    if let Some(chosen) = &tool.flags.type_name {
        return Some(chosen.clone());
    }
    let name = plain(&tool.ident);
    let ty = type_name(&name);
    if ty.is_none() {
        errors.at(
            &tool.ident,
            format!("no type name can be made of `{name}`: choose one with `#[tool(struct = MyTool)]`"),
        );
    }
    ty.map(|ty| Ident::new(&ty, tool.ident.span()))
}

fn generate(function: &Function, tool: &ToolFn, ty: &Ident, krate: &TokenStream) -> TokenStream {
    let span = site(tool.ident.span());
    let configured = configuration(&function.attrs);
    let item = unit_struct(&function.vis, ty, tool, &configured, function.sig.fn_token.span);
    let kept = matches!(function.body, Body::Block(_)).then_some(function);
    let deprecated = deprecated(&function.attrs, span);
    let spec = parts::spec(tool);
    let (input, cx) = (Ident::new("__input", span), Ident::new("__cx", span));
    let permission = hook::method(tool.flags.permission.as_ref(), span);
    let callee = &tool.ident;
    let checks = tree::arguments(tool);
    let (head, call) = if tool.flags.is_external() {
        let name = &tool.name;
        (quote_spanned!(span=> |_, _|), quote_spanned!(span=> __p::ToolStream::error(__p::ToolError::external(#name))))
    } else {
        let input_name = if tool.uses_input() { input.clone() } else { format_ident!("_", span = span) };
        let cx_name = if tool.uses_context() { cx.clone() } else { format_ident!("_", span = span) };
        (
            quote_spanned!(span=> |#input_name, #cx_name|),
            parts::call(tool, &quote_spanned!(callee.span()=> #callee), None, &input, &cx),
        )
    };
    quote_spanned! {span=>
        #kept
        #item
        #(#configured)*
        #deprecated
        const _: () = {
            use #krate::__private::{self as __p, probes::*};
            #checks
            const __PARTS: (fn() -> __p::ToolSpec, __p::Call) = (|| #spec, #head #call);
            __p::register!(__PARTS.0);
            impl __p::Tool for #ty {
                fn spec(&self) -> &__p::ToolSpec {
                    static SPEC: __p::SpecCell = __p::SpecCell::new();
                    SPEC.get::<Self>(__PARTS.0)
                }
                fn call(self: __p::std::sync::Arc<Self>, input: __p::ToolInput, cx: __p::ToolContext) -> __p::ToolStream {
                    (__PARTS.1)(input, cx)
                }
                #permission
            }
        };
    }
}

/// The attributes that decide whether an item exists at all.
pub(crate) fn configuration(attrs: &[Attribute]) -> Vec<&Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect()
}

/// Keeps quiet about our own use of a deprecated function.
pub(crate) fn deprecated(attrs: &[Attribute], span: Span) -> Option<TokenStream> {
    attrs.iter().any(|attr| attr.path().is_ident("deprecated")).then(|| quote_spanned!(span=> #[allow(deprecated)]))
}

/// The tool's type.
pub(crate) fn unit_struct(
    vis: &Visibility,
    ty: &Ident,
    tool: &ToolFn,
    configured: &[&Attribute],
    keyword: Span,
) -> TokenStream {
    let span = site(tool.ident.span());
    let name = tool.ident.to_string();
    let doc = if tool.flags.is_external() {
        format!(" The tool `{}`, which is executed elsewhere.", tool.name.value())
    } else if name.starts_with("r#") {
        format!(" The tool made of the function `{name}`.")
    } else {
        format!(" The tool made of [`{name}`].")
    };
    // The keyword stands where the user's `fn` does: in a place where no type may stand, the compiler points there.
    let keyword = Ident::new("struct", site(keyword));
    quote_spanned! {span=>
        #[doc = #doc]
        #(#configured)*
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        #[derive(::core::fmt::Debug, ::core::default::Default)]
        #vis #keyword #ty;
    }
}

#[cfg(test)]
mod tests;
