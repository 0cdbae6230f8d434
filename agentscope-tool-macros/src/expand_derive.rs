//! `#[derive(Tool)]`: the struct is the tool, and its body is the typed trait that the user implements.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Data, DeriveInput};

use crate::{
    ast::take,
    attr::{
        entries,
        flags::{Flags, Place},
    },
    docs,
    errors::Errors,
    fallback, krate,
    parts::{self, site},
    valid,
};

/// Expands `#[derive(Tool)] item`.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let marks = take(&mut input.attrs, "spec");
    let entries = marks.iter().flat_map(|mark| entries::of_attribute(mark, &mut errors)).collect();
    let flags = Flags::read(entries, Place::Derive, &mut errors);
    let krate = krate::path(flags.krate.as_ref(), site(input.ident.span()));
    match &input.data {
        Data::Struct(_) => {}
        Data::Enum(data) => {
            errors.at(data.enum_token, "`#[derive(Tool)]` is for structs: a struct may hold the enum as a field")
        }
        Data::Union(data) => errors.at(data.union_token, "`#[derive(Tool)]` is for structs: write `struct`"),
    }
    for param in input.generics.lifetimes() {
        errors
            .at(&param.lifetime, "a tool is shared by all calls and must own its data: use an owned type or `'static`");
    }
    let docs = docs::read(&input.attrs);
    let name = valid::tool_name(flags.name.as_ref(), &input.ident, &mut errors);
    valid::check_description(&flags, &docs, &input.ident, &name.value(), &mut errors);

    let ident = &input.ident;
    let (generics, arguments, _) = input.generics.split_for_impl();
    let ty = quote!(#ident #arguments);
    if !errors.is_empty() {
        let bounds = bounds(&input, &ty, &quote!());
        let name = fallback::derived_name(&flags, ident);
        let stand_in = fallback::tool_impl(&generics.to_token_stream(), &ty, &bounds, &name, &krate, ident.span());
        let errors = errors.into_tokens();
        return quote!(#stand_in #errors);
    }
    let span = site(ident.span());
    let description = valid::description(&flags, &docs, span, &quote_spanned!(span=> __p));
    let builder = parts::builder(&name, &description, &flags, span);
    let implementation = implementation(&input, &ty, &builder, flags.is_external(), &name);
    quote_spanned! {span=>
        const _: () = {
            use #krate::__private::{self as __p, DescribeOutput as _, NoOutput as _};
            #implementation
        };
    }
}

/// The `where` clause of the implementation. It names the body, so that a missing one is reported once, and what a
/// tool's type must be: the body's trait promises that too, and could otherwise vouch for itself.
fn bounds(input: &DeriveInput, ty: &TokenStream, body: &TokenStream) -> TokenStream {
    let span = site(input.ident.span());
    let mut generics = input.generics.clone();
    let bound = quote_spanned!(span=> #ty: __p::core::marker::Send + __p::core::marker::Sync + 'static #body);
    generics.make_where_clause().predicates.extend(syn::parse2::<syn::WherePredicate>(bound).ok());
    generics.where_clause.into_token_stream()
}

fn implementation(
    input: &DeriveInput,
    ty: &TokenStream,
    builder: &TokenStream,
    external: bool,
    name: &syn::LitStr,
) -> TokenStream {
    let span = site(input.ident.span());
    let (module, body) = if external { ("external", "ExternalBody") } else { ("body", "ToolBody") };
    let [module, body] = [module, body].map(|name| Ident::new(name, span));
    let (generics, _, _) = input.generics.split_for_impl();
    let bounds = bounds(input, ty, &quote_spanned!(span=> + __p::#body));
    let described = if external {
        quote_spanned!(span=> builder.arguments::<B::Args>().output::<B::Output>())
    } else {
        quote_spanned!(span=> builder.arguments::<B::Args>())
    };
    let mut spec = quote_spanned!(span=> __describe::<Self>(#builder));
    if !external {
        spec = quote_spanned!(span=> __p::OutputProbe::<<Self as __p::#body>::Output>::new().describe(#spec));
    }
    let call = if external {
        quote_spanned!(span=> __p::ToolStream::error(__p::ToolError::external(#name)))
    } else {
        quote_spanned!(span=> __p::body::call(self, input, cx))
    };
    let (input_name, cx_name) =
        if external { (quote!(_), quote!(_)) } else { (quote_spanned!(span=> input), quote_spanned!(span=> cx)) };
    quote_spanned! {span=>
        // For any body: what a certain one lacks is reported at the body and not here too.
        fn __describe<B: __p::#body>(builder: __p::SpecBuilder) -> __p::SpecBuilder {
            #described
        }
        #[automatically_derived]
        #[__p::async_trait]
        impl #generics __p::Tool for #ty #bounds {
            fn spec(&self) -> &__p::ToolSpec {
                static SPEC: __p::SpecCell = __p::SpecCell::new();
                SPEC.get::<Self>(|| #spec.build())
            }
            fn call(self: __p::std::sync::Arc<Self>, #input_name: __p::ToolInput, #cx_name: __p::ToolContext) -> __p::ToolStream {
                #call
            }
            fn describe(&self) -> __p::core::option::Option<__p::std::borrow::Cow<'static, __p::core::primitive::str>> {
                __p::#module::describe(self)
            }
            async fn check_permissions(&self, input: &__p::ToolInput, cx: &__p::PermissionContext) -> __p::PermissionDecision {
                __p::#module::check_permissions(self, input, cx).await
            }
            async fn check_read_only(&self, input: &__p::ToolInput) -> __p::core::primitive::bool {
                __p::#module::check_read_only(self, input).await
            }
            async fn footprint(&self, input: &__p::ToolInput) -> __p::Footprint {
                __p::#module::footprint(self, input).await
            }
            fn match_rule(&self, rule: &__p::PermissionRule, input: &__p::ToolInput, footprint: &__p::Footprint) -> __p::core::primitive::bool {
                __p::#module::match_rule(self, rule, input, footprint)
            }
            fn generate_suggestions(&self, input: &__p::ToolInput, footprint: &__p::Footprint) -> __p::std::vec::Vec<__p::PermissionRule> {
                __p::#module::generate_suggestions(self, input, footprint)
            }
        }
    }
}
