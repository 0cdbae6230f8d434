//! What is emitted beside errors: the user's item without our attributes, and stand-ins for what would have been
//! generated, so that no further errors follow from the first.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, DeriveInput, ItemImpl, Token, Visibility, parse::Parser};

use crate::{
    ast::{Body, Function},
    attr::flags::Flags,
    errors::Errors,
    expand_fn::{configuration, unit_struct},
    parts::site,
    valid::ToolFn,
};

/// `#[tool]` on something that is no function.
pub(crate) fn no_function(item: &TokenStream, error: syn::Error, mut errors: Errors) -> TokenStream {
    match keyword(item) {
        Some((keyword, "struct")) => {
            errors.at(
                keyword,
                "`#[tool]` is for functions: write `#[derive(Tool)]` for a struct, and its keys in `#[spec(…)]`",
            );
        }
        Some((keyword, "impl")) => {
            errors.at(keyword, "`#[tool]` is for functions: write `#[toolset]` for an `impl` block")
        }
        Some((keyword, kind)) => {
            errors.at(keyword, format!("`#[tool]` is for functions: this is {kind}, which cannot be a tool"))
        }
        None => errors.push(error),
    }
    let errors = errors.into_tokens();
    quote!(#item #errors)
}

/// The keyword of an item, and what it stands for in a sentence.
pub(crate) fn keyword(item: &TokenStream) -> Option<(Ident, &'static str)> {
    let rest = |input: syn::parse::ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<Option<Token![unsafe]>>()?;
        input.parse::<TokenStream>()
    };
    let Some(TokenTree::Ident(keyword)) = rest.parse2(item.clone()).ok()?.into_iter().next() else { return None };
    let kind = match keyword.to_string().as_str() {
        "struct" => "struct",
        "impl" => "impl",
        "enum" => "an enum",
        "union" => "a union",
        "trait" => "a trait",
        "mod" => "a module",
        "type" => "a type alias",
        "static" => "a static",
        "const" => "a constant",
        "use" => "an import",
        "macro_rules" => "a macro",
        _ => return None,
    };
    Some((keyword, kind))
}

/// A faulty `#[tool]` function.
pub(crate) fn function(
    mut function: Function,
    tool: &ToolFn,
    ty: Option<&Ident>,
    krate: &TokenStream,
    errors: Errors,
) -> TokenStream {
    let span = site(tool.ident.span());
    let stand_in = ty.map(|ty| {
        let configured = configuration(&function.attrs);
        let item = unit_struct(&function.vis, ty, tool, &configured, function.sig.fn_token.span);
        let implementation =
            tool_impl(&quote!(), &ty.to_token_stream(), &quote!(), &tool.name.value(), krate, tool.ident.span());
        quote_spanned!(span=> #item #(#configured)* #implementation)
    });
    give_body(&mut function);
    let errors = errors.into_tokens();
    quote!(#function #stand_in #errors)
}

/// A function without a body, or with `...`, is no valid item.
fn give_body(function: &mut Function) {
    function.sig.variadic = None;
    if let Body::Semicolon(semicolon) = &function.body {
        function.attrs.push(syn::parse_quote!(#[allow(unused_variables)]));
        let mut block = Group::new(proc_macro2::Delimiter::Brace, quote!(loop {}));
        block.set_span(site(semicolon.span));
        function.body = Body::Block(block);
    }
}

/// A `Tool` implementation that never runs.
pub(crate) fn tool_impl(
    generics: &TokenStream,
    ty: &TokenStream,
    bounds: &TokenStream,
    name: &str,
    krate: &TokenStream,
    span: proc_macro2::Span,
) -> TokenStream {
    quote_spanned! {site(span)=>
        const _: () = {
            use #krate::__private as __p;
            #[automatically_derived]
            impl #generics __p::Tool for #ty #bounds {
                fn spec(&self) -> &__p::ToolSpec {
                    static SPEC: __p::SpecCell = __p::SpecCell::new();
                    SPEC.get::<Self>(|| __p::ToolSpec::builder(#name, "").build())
                }
                fn call(self: __p::std::sync::Arc<Self>, _: __p::ToolInput, _: __p::ToolContext) -> __p::ToolStream {
                    __p::ToolStream::error(__p::ToolError::external(#name))
                }
            }
        };
    }
}

/// A faulty `#[toolset]` block, already cleaned of our attributes.
pub(crate) fn toolset(block: &ItemImpl, krate: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.into_tokens();
    if block.trait_.is_some() {
        return quote!(#block #errors);
    }
    let (generics, _, _) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    let bounds = crate::expand_toolset::bounds(block);
    let span = site(block.impl_token.span);
    quote_spanned! {span=>
        #block
        const _: () = {
            use #krate::__private as __p;
            #[automatically_derived]
            impl #generics __p::Toolset for #ty #bounds {
                fn tools(self: __p::std::sync::Arc<Self>) -> __p::std::vec::Vec<__p::std::sync::Arc<dyn __p::Tool>> {
                    __p::std::vec::Vec::new()
                }
            }
        };
        #errors
    }
}

/// Stand-ins for what `#[tool_args]` derives, for attributes that the derives could not see.
pub(crate) fn arguments(input: &DeriveInput, krate: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    let ty = quote!(#ident #arguments);
    let mut decoded = input.generics.clone();
    decoded.params.insert(0, syn::parse_quote!('de));
    let (decoding, _, _) = decoded.split_for_impl();
    quote_spanned! {site(ident.span())=>
        const _: () = {
            use #krate::__private as __p;
            impl #generics __p::serde::Serialize for #ty #bounds {
                fn serialize<S: __p::serde::Serializer>(&self, _: S) -> __p::core::result::Result<S::Ok, S::Error> {
                    loop {}
                }
            }
            impl #decoding __p::serde::Deserialize<'de> for #ty #bounds {
                fn deserialize<D: __p::serde::Deserializer<'de>>(_: D) -> __p::core::result::Result<Self, D::Error> {
                    loop {}
                }
            }
            impl #generics __p::schemars::JsonSchema for #ty #bounds {
                fn schema_name() -> __p::std::borrow::Cow<'static, __p::core::primitive::str> {
                    loop {}
                }
                fn json_schema(_: &mut __p::schemars::SchemaGenerator) -> __p::schemars::Schema {
                    loop {}
                }
            }
            impl #generics __p::ToolArgs for #ty #bounds {}
        };
    }
}

/// The name that a stand-in for a derived tool goes by.
pub(crate) fn derived_name(flags: &Flags, ident: &Ident) -> String {
    flags.name.as_ref().map_or_else(|| ident.to_string(), syn::LitStr::value)
}
