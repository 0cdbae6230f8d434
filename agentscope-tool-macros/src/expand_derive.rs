//! `#[derive(Tool)]`: the struct is the tool, and its body is the typed trait that the user implements.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Data, DeriveInput, LitStr};

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
    tree, valid,
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
    let implementation = implementation(&input, &ty, &builder, &name, &flags);
    quote_spanned! {span=>
        const _: () = {
            use #krate::__private::{self as __p, probes::*};
            #implementation
        };
    }
}

/// The `where` clause of the implementation: what a tool's type must be. The body's trait promises that too, and could
/// otherwise vouch for itself.
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
    name: &LitStr,
    flags: &Flags,
) -> TokenStream {
    let external = flags.is_external();
    let span = site(input.ident.span());
    let (module, body) = if external { ("external", "ExternalBody") } else { ("body", "ToolBody") };
    let [module, body] = [module, body].map(|name| Ident::new(name, span));
    let (generics, _, _) = input.generics.split_for_impl();
    let described = if external {
        quote_spanned!(span=> builder.arguments::<B::Args>().output::<B::Output>())
    } else {
        quote_spanned!(span=> builder.arguments::<B::Args>())
    };
    let parts = |ty: &TokenStream| {
        let mut spec = quote_spanned!(span=> __describe::<#ty>(#builder));
        if !external {
            spec = quote_spanned!(span=> __p::output_of::<#ty>().describe(#spec));
        }
        (quote_spanned!(span=> __p::#module::<#ty>()), quote_spanned!(span=> || #spec.build()))
    };
    // A missing body is reported once, since one constant asks for it. The body of a generic struct may have bounds of
    // its own, so there the implementation has to ask.
    let is_generic = !input.generics.params.is_empty();
    let (hooks, spec, constant) = if is_generic {
        let (hooks, spec) = parts(&quote_spanned!(span=> Self));
        (hooks, spec, None)
    } else {
        // All at one place, or the compiler takes it for two mistakes.
        let mut here = input.ident.clone();
        here.set_span(span);
        let (hooks, spec) = parts(&here.to_token_stream());
        let args = quote_spanned!(span=> <#here as __p::#body>::Args);
        let check = tree::typed(name, &args, flags, &input.ident);
        let constant = quote_spanned! {span=>
            const __PARTS: (__p::Hooks<#ty>, fn() -> __p::ToolSpec) = {
                #check;
                (#hooks, #spec)
            };
            __p::register!(__PARTS.1);
        };
        (quote_spanned!(span=> __PARTS.0), quote_spanned!(span=> __PARTS.1), Some(constant))
    };
    let asked = is_generic.then(|| quote_spanned!(span=> + __p::#body));
    let bounds = bounds(input, ty, &asked.into_token_stream());
    quote_spanned! {span=>
        // For any body: what a certain one lacks is reported at the body and not here too.
        fn __describe<B: __p::#body>(builder: __p::SpecBuilder) -> __p::SpecBuilder {
            #described
        }
        #constant
        #[automatically_derived]
        impl #generics __p::Tool for #ty #bounds {
            fn spec(&self) -> &__p::ToolSpec {
                static SPEC: __p::SpecCell = __p::SpecCell::new();
                SPEC.get::<Self>(#spec)
            }
            fn call(self: __p::std::sync::Arc<Self>, input: __p::ToolInput, cx: __p::ToolContext) -> __p::ToolStream {
                (#hooks.call)(self, input, cx)
            }
            fn describe(&self) -> __p::core::option::Option<__p::std::borrow::Cow<'static, __p::core::primitive::str>> {
                (#hooks.describe)(self)
            }
            // As `async_trait` writes them, without its bare `Box`.
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
                (#hooks.check_permissions)(self, input, cx)
            }
            fn check_read_only<'s, 'i, 'h>(&'s self, input: &'i __p::ToolInput) -> __p::Hook<'h, __p::core::primitive::bool>
            where
                's: 'h,
                'i: 'h,
                Self: 'h,
            {
                (#hooks.check_read_only)(self, input)
            }
            fn footprint<'s, 'i, 'h>(&'s self, input: &'i __p::ToolInput) -> __p::Hook<'h, __p::Footprint>
            where
                's: 'h,
                'i: 'h,
                Self: 'h,
            {
                (#hooks.footprint)(self, input)
            }
            fn match_rule(&self, rule: &__p::PermissionRule, input: &__p::ToolInput, footprint: &__p::Footprint) -> __p::core::primitive::bool {
                (#hooks.match_rule)(self, rule, input, footprint)
            }
            fn rules_that_cover(&self, rules: &[__p::PermissionRule], input: &__p::ToolInput, footprint: &__p::Footprint) -> __p::std::vec::Vec<__p::PermissionRule> {
                (#hooks.rules_that_cover)(self, rules, input, footprint)
            }
            fn generate_suggestions(&self, input: &__p::ToolInput, footprint: &__p::Footprint) -> __p::std::vec::Vec<__p::PermissionRule> {
                (#hooks.generate_suggestions)(self, input, footprint)
            }
        }
    }
}
