//! The two halves of a tool made of a function or method: the expression that builds its spec and the expression
//! that runs a call. Generated code says `__p` for our private re-exports, and nothing by a name that a user could
//! shadow.
//!
//! Both halves must stand in one body (a `const` or a method): the compiler reports a type that lacks a trait once
//! per body and place, so that the user sees one error for one mistake.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, LitStr, Type, spanned::Spanned};

use crate::{
    attr::{arg::DefaultValue, flags::Flags},
    literal,
    output::{self, Output},
    param::{Argument, Injected, Param, ParamKind},
    types::{Kind, first_argument, last_segment, shape, unwrapped},
    valid::{self, ToolFn},
};

/// A place in the user's code for generated tokens, with names that the user's code cannot see.
pub(crate) fn site(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// The first and the last place of some tokens: a pair of generated tokens that are placed there spans all of them.
pub(crate) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut trees = tokens.to_token_stream().into_iter();
    let first = trees.next().map_or_else(Span::call_site, |tree| tree.span());
    let last = trees.last().map_or(first, |tree| tree.span());
    (site(first), site(last))
}

/// `__p::ToolSpec::builder(…)…` with what the flags say, not yet built.
pub(crate) fn builder(name: &LitStr, description: &TokenStream, flags: &Flags, span: Span) -> TokenStream {
    let title = flags.title.iter().map(|title| quote_spanned!(span=> .title(#title)));
    let flags = flags.spec_flags().map(|(method, value)| {
        let method = Ident::new(method, span);
        quote_spanned!(span=> .#method(#value))
    });
    quote_spanned!(span=> __p::ToolSpec::builder(#name, #description) #(#title)* #(#flags)*)
}

/// The expression that builds the spec.
pub(crate) fn spec(tool: &ToolFn) -> TokenStream {
    let span = site(tool.ident.span());
    let p = quote_spanned!(span=> __p);
    let description = valid::description(&tool.flags, &tool.docs, span, &p);
    let builder = builder(&tool.name, &description, &tool.flags, span);
    let mut rest = TokenStream::new();
    let mut is_empty = true;
    for param in &tool.params {
        match &param.kind {
            ParamKind::Arg(argument) if argument.attr.skip.is_none() => {
                is_empty = false;
                rest.extend(describe(param, argument, tool, span, &p));
            }
            ParamKind::State(injected) => {
                let ty = injected.ty();
                rest.extend(quote_spanned!(span=> .state::<#ty>()));
            }
            _ => {}
        }
    }
    if is_empty {
        rest.extend(quote_spanned!(span=> .no_params()));
    }
    match &tool.output {
        Output::Type(ty) if tool.flags.is_external() => {
            let ty = unwrapped(ty, "Json").unwrap_or(ty);
            quote_spanned!(span=> #builder #rest.output::<#ty>().build())
        }
        Output::Type(ty) if may_be_described(ty) => {
            let ty = output::without_lifetimes(ty);
            quote_spanned!(span=> __p::OutputProbe::<#ty>::new().describe(#builder #rest).build())
        }
        _ => quote_spanned!(span=> #builder #rest.build()),
    }
}

/// Whether a return type could have an output schema; of well-known types it is clear that they do not.
fn may_be_described(ty: &Type) -> bool {
    let Some(segment) = last_segment(ty) else { return false };
    match first_argument(segment) {
        Some(Type::Tuple(tuple)) if segment.ident == "Result" => !tuple.elems.is_empty(),
        Some(inner) if segment.ident == "Result" => shape(inner).kind == Kind::Unknown,
        _ => shape(ty).kind == Kind::Unknown,
    }
}

/// `.param(__p::Param::new::<T>("name")…)`.
fn describe(param: &Param, argument: &Argument, tool: &ToolFn, span: Span, p: &TokenStream) -> TokenStream {
    let (ident, ty, attr) = (&param.ident, &param.ty, &argument.attr);
    let (site, name) = (site(ident.span()), argument.name(ident));
    let shape = shape(ty);
    let literal = LitStr::new(&name, argument.name_span(ident));
    let description = match (&attr.description, argument.docs.is_empty()) {
        (Some(expr), _) => Some(expr.to_token_stream()),
        (None, false) => Some(argument.docs.to_expr(site, &quote_spanned!(site=> __p::core))),
        (None, true) => {
            valid::listed_text(&tool.docs, param, &name).map(|text| LitStr::new(text, site).into_token_stream())
        }
    };
    let mut rest = TokenStream::new();
    rest.extend(description.map(|text| quote_spanned!(site=> .description(#text))));
    let bounds = |bounds: &Option<crate::attr::arg::Bounds>, min: &str, max: &str, tokens: fn(&Expr) -> TokenStream| {
        let mut calls = TokenStream::new();
        if let Some(bounds) = bounds {
            for (method, bound) in [(min, &bounds.min), (max, &bounds.max)] {
                let Some(bound) = bound else { continue };
                let (method, bound) = (Ident::new(method, site), tokens(bound));
                calls.extend(quote_spanned!(site=> .#method(#bound)));
            }
        }
        calls
    };
    rest.extend(bounds(&attr.range, "minimum", "maximum", literal::bound_tokens));
    rest.extend(bounds(&attr.length, "min_length", "max_length", literal::length_tokens));
    rest.extend(attr.pattern.as_ref().map(|pattern| quote_spanned!(site=> .pattern(#pattern))));
    rest.extend(attr.format.as_ref().map(|format| quote_spanned!(site=> .format(#format))));
    for example in &attr.examples {
        // Not held to the parameter's type: `"celsius"` is an example of an enum.
        let example = literal::bound_tokens(example);
        rest.extend(quote_spanned!(site=> .example(#example)));
    }
    rest.extend(default(argument, ty, shape, p).map(|default| {
        let default = value(&default);
        quote_spanned!(site=> .default(#default))
    }));
    quote_spanned!(span=> .param(__p::Param::new::<#ty>(#literal) #rest))
}

/// The default as a closure that makes it.
fn default(argument: &Argument, ty: &Type, shape: crate::types::Shape, p: &TokenStream) -> Option<Closure> {
    match argument.attr.default.as_ref()? {
        DefaultValue::OfType(key) => {
            let expr = quote_spanned!(site(key.span())=> #p::core::default::Default::default());
            Some(typed(ty, &expr, key))
        }
        DefaultValue::Expr(expr) => Some(typed(ty, &literal::value_tokens(expr, shape, p), expr)),
    }
}

/// `|| -> T { expr }`, and where it was written.
struct Closure {
    tokens: TokenStream,
    ends: (Span, Span),
}

fn typed(ty: &Type, expr: &impl ToTokens, written: &impl ToTokens) -> Closure {
    let ends = ends(written);
    Closure { tokens: quote_spanned!(ends.0=> || -> #ty { #expr }), ends }
}

/// A call of the closure, placed where the expression was written.
fn value(closure: &Closure) -> TokenStream {
    let tokens = &closure.tokens;
    let function = quote_spanned!(closure.ends.0=> (#tokens));
    let call = quote_spanned!(closure.ends.1=> ());
    quote!(#function #call)
}

/// The expression that runs a call; `callee` is the path of the function and, for a method, `object` its first argument.
pub(crate) fn call(
    tool: &ToolFn,
    callee: &TokenStream,
    object: Option<&TokenStream>,
    input: &Ident,
    cx: &Ident,
) -> TokenStream {
    let span = site(tool.ident.span());
    let p = quote_spanned!(span=> __p);
    let mut decode = TokenStream::new();
    let mut arguments: Vec<TokenStream> = object.into_iter().cloned().collect();
    for param in &tool.params {
        // The user's name, out of reach for the user's expressions.
        let mut local = param.ident.clone();
        local.set_span(site(local.span()));
        match &param.kind {
            ParamKind::Arg(argument) => {
                let decoded = decoded(param, argument, input, &p);
                decode.extend(quote_spanned!(span=> let #local = #decoded;));
                arguments.push(local.to_token_stream());
            }
            ParamKind::State(injected) => arguments.push(state(injected, cx, span)),
            ParamKind::Context { by_ref: true } => arguments.push(quote_spanned!(span=> &#cx)),
            ParamKind::Context { by_ref: false } => {
                arguments.push(quote_spanned!(span=> __p::core::clone::Clone::clone(&#cx)))
            }
            ParamKind::Broken => {}
        }
    }
    let mut result = quote_spanned!(span=> #callee(#(#arguments),*));
    if tool.is_async {
        result = quote_spanned!(span=> #result.await);
    }
    // The annotation and the place make a type that is no tool output be reported where it is written.
    let (result, ty) = match &tool.output {
        Output::Stream { ty, .. } => (quote_spanned!(span=> __p::Streamed(#result)), Some(ty)),
        Output::StreamOrError { ty, .. } => {
            (quote_spanned!(span=> __p::core::result::Result::map(#result, __p::Streamed)), Some(ty))
        }
        Output::Type(ty) | Output::Opaque(ty) => (result, Some(ty)),
        Output::Unit => (result, None),
    };
    let convert = match ty {
        None => quote_spanned!(span=> let __r = __p::IntoToolOutput::into_tool_output(#result);),
        Some(ty) => {
            let returned = Ident::new("__r", site(ty.span()));
            let annotation = matches!(tool.output, Output::Type(_)).then(|| {
                let ty = output::without_lifetimes(ty);
                quote_spanned!(span=> : #ty)
            });
            quote_spanned! {span=>
                let #returned #annotation = #result;
                let __r = __p::IntoToolOutput::into_tool_output(#returned);
            }
        }
    };
    let body = quote_spanned!(span=> #decode #convert __p::core::result::Result::Ok::<_, __p::ToolError>(__r));
    if tool.flags.is_blocking() {
        quote_spanned!(span=> __p::ToolStream::blocking(move || { #body }))
    } else {
        quote_spanned!(span=> __p::ToolStream::once(async move { #body }))
    }
}

/// The expression that decodes one argument, or makes a skipped one.
fn decoded(param: &Param, argument: &Argument, input: &Ident, p: &TokenStream) -> TokenStream {
    let (ty, site) = (&param.ty, site(param.ident.span()));
    let default = default(argument, ty, shape(ty), p);
    if argument.attr.skip.is_some() {
        return default.map_or_else(
            || {
                let span = self::site(param.ty.span());
                quote_spanned!(span=> <#ty as __p::core::default::Default>::default())
            },
            |closure| value(&closure),
        );
    }
    let name = LitStr::new(&argument.name(&param.ident), argument.name_span(&param.ident));
    match default {
        Some(Closure { tokens, .. }) => quote_spanned!(site=> __p::or::<#ty>(&#input, #name, #tokens)?),
        None => quote_spanned!(site=> __p::arg::<#ty>(&#input, #name)?),
    }
}

fn state(injected: &Injected, cx: &Ident, span: Span) -> TokenStream {
    match injected {
        Injected::Ref(ty) => quote_spanned!(span=> #cx.state::<#ty>()?),
        Injected::Arc { ty, by_ref } => {
            let borrow = by_ref.then(|| quote_spanned!(span=> &));
            quote_spanned!(span=> #borrow #cx.state_arc::<#ty>()?)
        }
        Injected::Wrapper { ty, by_ref } => {
            let borrow = by_ref.then(|| quote_spanned!(span=> &));
            quote_spanned!(span=> #borrow __p::State(#cx.state_arc::<#ty>()?))
        }
        Injected::Agent => quote_spanned!(span=> __p::core::clone::Clone::clone(#cx.agent_state())),
    }
}

impl ToolFn {
    /// Whether running a call reads the input.
    pub(crate) fn uses_input(&self) -> bool {
        self.params.iter().any(|param| matches!(&param.kind, ParamKind::Arg(argument) if argument.attr.skip.is_none()))
    }

    /// Whether running a call uses the context.
    pub(crate) fn uses_context(&self) -> bool {
        self.params.iter().any(|param| matches!(param.kind, ParamKind::State(_) | ParamKind::Context { .. }))
    }
}

impl Injected {
    /// The type that the state is registered by.
    fn ty(&self) -> TokenStream {
        match self {
            Self::Ref(ty) | Self::Arc { ty, .. } | Self::Wrapper { ty, .. } => ty.to_token_stream(),
            Self::Agent => quote!(__p::AgentState),
        }
    }
}
