//! `#[toolset]` on an `impl` block: the block as it was, and a `Toolset` implementation that makes a tool of every
//! method marked `#[tool]`.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Attribute, ImplItem, ItemImpl, Meta, Token, punctuated::Punctuated, spanned::Spanned};

use crate::{
    ast::{Body, Function, is_ours},
    attr::{
        entries,
        flags::{Flags, Place},
    },
    errors::Errors,
    expand_fn::{configuration, deprecated},
    fallback, hook, krate,
    parts::{self, site},
    tree, types,
    valid::{self, ToolFn},
};

/// Expands `#[toolset(attr)] item`.
pub(crate) fn expand(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let flags = Flags::read(entries::parse(attr, &mut errors), Place::Toolset, &mut errors);
    let mut block: ItemImpl = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            let function = syn::parse2::<Function>(item.clone()).ok().map(|function| function.sig.fn_token);
            match (function, fallback::keyword(&item)) {
                (Some(keyword), _) => {
                    errors.at(keyword, "`#[toolset]` is for an `impl` block: write `#[tool]` for a function")
                }
                (None, Some((keyword, _))) if keyword != "impl" => {
                    errors.at(
                        keyword,
                        "`#[toolset]` is for an `impl` block: move it there, above the methods marked `#[tool]`",
                    );
                }
                _ => errors.push(error),
            }
            let errors = errors.into_tokens();
            return quote!(#item #errors);
        }
    };
    let krate = krate::path(flags.krate.as_ref(), site(block.impl_token.span));
    if let Some((path, _)) = &block.trait_ {
        errors.at(
            path,
            "a toolset is made of a type's own methods: write `#[toolset]` above an `impl` block without a trait",
        );
    }
    for param in block.generics.lifetimes() {
        errors.at(
            &param.lifetime,
            "a toolset is shared by all calls and must own its data: implement it for a type without lifetimes",
        );
    }
    let methods = methods(&mut block, &mut errors);
    if methods.is_empty() && errors.is_empty() {
        errors.at(&block.self_ty, "this toolset has no tools: mark a method of the block with `#[tool]`");
    }
    check_names(&methods, &mut errors);
    check_permissions(&block, &methods, &mut errors);
    if errors.is_empty() { generate(&block, &methods, &krate) } else { fallback::toolset(&block, &krate, errors) }
}

struct Method {
    tool: ToolFn,
    configured: Vec<Attribute>,
    deprecated: Option<TokenStream>,
}

/// The methods marked `#[tool]`, which are cleaned of our attributes.
fn methods(block: &mut ItemImpl, errors: &mut Errors) -> Vec<Method> {
    let mut methods = Vec::new();
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            refuse_conditional_marks(&mut function.attrs, errors);
        }
        let tokens = match item {
            ImplItem::Fn(function) if function.attrs.iter().any(|attr| is_ours(attr, "tool")) => {
                function.to_token_stream()
            }
            ImplItem::Verbatim(tokens) => tokens.clone(),
            _ => continue,
        };
        let Ok(mut function) = syn::parse2::<Function>(tokens) else { continue };
        let marks: Vec<Attribute> = function.attrs.extract_if(.., |attr| is_ours(attr, "tool")).collect();
        let Some(mark) = marks.first() else { continue };
        if marks.len() > 1 {
            let name = &function.sig.ident;
            errors.at(name, format!("the method `{name}` is marked `#[tool]` twice: remove one of the two attributes"));
        }
        let flags = Flags::read(entries::of_attribute(mark, errors), Place::Method, errors);
        let tool = valid::check(&mut function, flags, Place::Method, errors);
        let configured = configuration(&function.attrs).into_iter().cloned().collect();
        let deprecated = deprecated(&function.attrs, site(function.sig.ident.span()));
        if let Body::Semicolon(semicolon) = &function.body {
            let mut body = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, quote!(loop {}));
            body.set_span(site(semicolon.span));
            function.body = Body::Block(body);
        }
        *item = ImplItem::Verbatim(function.to_token_stream());
        methods.push(Method { tool, configured, deprecated });
    }
    methods
}

/// Reports `#[cfg_attr(…, tool)]`, which is not yet decided when the block is read.
fn refuse_conditional_marks(attrs: &mut Vec<Attribute>, errors: &mut Errors) {
    let marks = attrs.extract_if(.., |attr| {
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        attr.path().is_ident("cfg_attr")
            && attr.parse_args_with(parser).is_ok_and(|metas| {
                metas
                    .iter()
                    .skip(1)
                    .any(|meta| meta.path().segments.last().is_some_and(|segment| segment.ident == "tool"))
            })
    });
    for mark in marks {
        errors.at(
            mark.path(),
            "a tool cannot be marked under a condition: put `#[tool]` directly on the method, and `#[cfg]` if the method itself depends on it",
        );
    }
}

fn check_names(methods: &[Method], errors: &mut Errors) {
    let mut seen = HashSet::new();
    for method in methods.iter().filter(|method| method.configured.is_empty()) {
        let name = &method.tool.name;
        if !seen.insert(name.value()) {
            errors.at_span(
                name.span(),
                format!(
                    "two tools of this toolset are named `{}`: rename one with `#[tool(name = \"…\")]`",
                    name.value()
                ),
            );
        }
    }
}

/// Reports a function of the block that is named as if it stood outside, where the compiler would not find it, or would
/// find another one.
fn check_permissions(block: &ItemImpl, methods: &[Method], errors: &mut Errors) {
    let is_of_the_block = |name: &Ident| {
        block.items.iter().any(|item| matches!(item, ImplItem::Fn(function) if function.sig.ident == *name))
    };
    for path in methods.iter().filter_map(|method| method.tool.flags.permission.as_ref()) {
        if let Some(name) = path.path.get_ident().filter(|name| is_of_the_block(name)) {
            errors.at(
                name,
                format!("`{name}` is a function of this block: write `permission = Self::{name}`, or `self::{name}` for one outside"),
            );
        }
    }
}

/// The block's `where` clause with what a toolset's type must be. A bound is reported once, and not once per tool.
pub(crate) fn bounds(block: &ItemImpl) -> TokenStream {
    let mut generics = block.generics.clone();
    let ty = &block.self_ty;
    let bound = quote_spanned! {site(ty.span())=>
        #ty: __p::core::marker::Send + __p::core::marker::Sync + 'static
    };
    generics.make_where_clause().predicates.extend(syn::parse2::<syn::WherePredicate>(bound).ok());
    generics.where_clause.into_token_stream()
}

fn generate(block: &ItemImpl, methods: &[Method], krate: &TokenStream) -> TokenStream {
    let span = site(block.impl_token.span);
    let (generics, _, _) = block.generics.split_for_impl();
    let ty = &block.self_ty;
    let bounds = bounds(block);
    let configured = configuration(&block.attrs);
    let deprecated = methods.iter().find_map(|method| method.deprecated.as_ref());
    let tools = methods.iter().map(tool);
    let checks = checks(block, methods);
    quote_spanned! {span=>
        #block
        #(#configured)*
        #deprecated
        const _: () = {
            use #krate::__private::{self as __p, probes::*};
            #checks
            #[automatically_derived]
            impl #generics __p::Toolset for #ty #bounds {
                fn tools(self: __p::std::sync::Arc<Self>) -> __p::std::vec::Vec<__p::std::sync::Arc<dyn __p::Tool>> {
                    __p::std::vec::Vec::from([#(#tools),*])
                }
            }
        };
    }
}

/// What judges the arguments of the methods, and puts the tools on the list of all tools. It stands outside of the block, where neither its type
/// parameters nor `Self` are known.
fn checks(block: &ItemImpl, methods: &[Method]) -> TokenStream {
    let is_generic = block.generics.type_params().next().is_some() || block.generics.const_params().next().is_some();
    let mut checks = TokenStream::new();
    for method in methods.iter().filter(|_| !is_generic) {
        let of_method = tree::arguments(&method.tool);
        let configured = &method.configured;
        if !of_method.is_empty() && !types::names_self(&of_method) {
            checks.extend(quote!(#(#configured)* const _: () = { #of_method };));
        }
        let spec = parts::spec(&method.tool);
        if !types::names_self(&spec) {
            let span = site(method.tool.ident.span());
            checks.extend(quote_spanned!(span=> #(#configured)* __p::register!(|| #spec);));
        }
    }
    checks
}

/// The expression that makes one method's tool.
fn tool(method: &Method) -> TokenStream {
    let tool = &method.tool;
    let span = site(tool.ident.span());
    let spec = parts::spec(tool);
    let [object, input, cx] = ["__object", "__input", "__cx"].map(|name| Ident::new(name, span));
    let ident = &tool.ident;
    let callee = quote_spanned!(span=> Self::#ident);
    // A stream's method owns the object; another borrows it for as long as the call runs.
    let receiver = if tool.owns_self { object.to_token_stream() } else { quote_spanned!(span=> &#object) };
    let call = parts::call(tool, &callee, Some(&receiver), &input, &cx);
    let input = if tool.uses_input() { input } else { format_ident!("_", span = span) };
    let cx = if tool.uses_context() { cx } else { format_ident!("_", span = span) };
    let configured = &method.configured;
    let (new, permission) = match hook::closure(tool.flags.permission.as_ref(), span) {
        Some(closure) => (quote_spanned!(span=> with_permission), Some(quote_spanned!(span=> #closure,))),
        None => (quote_spanned!(span=> new), None),
    };
    quote_spanned! {span=>
        #(#configured)*
        {
            static __SPEC: __p::SpecCell = __p::SpecCell::new();
            __p::MethodTool::#new(
                __p::std::sync::Arc::clone(&self),
                __SPEC.get::<Self>(|| #spec),
                |#object, #input, #cx| #call,
                #permission
            )
        }
    }
}
