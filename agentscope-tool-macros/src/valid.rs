//! The checks of a function or method that is to be a tool, and what is known of it afterwards.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{FnArg, GenericParam, LitStr, Receiver, ReceiverKind, ReturnType, Safety, Signature};

use crate::{
    ast::{Body, Function},
    attr::flags::{Flags, Place},
    constraints,
    docs::{self, Docs},
    errors::Errors,
    names::{self, plain},
    output::{self, Output},
    param::{self, Injected, Param, ParamKind},
    types::is_named,
};

/// A checked tool.
pub(crate) struct ToolFn {
    /// The tool's name.
    pub(crate) name: LitStr,
    pub(crate) docs: Docs,
    pub(crate) flags: Flags,
    pub(crate) params: Vec<Param>,
    pub(crate) output: Output,
    /// Whether a method takes `self: Arc<Self>`.
    pub(crate) owns_self: bool,
    pub(crate) is_async: bool,
    pub(crate) ident: Ident,
}

/// Checks a function and takes our attributes off its parameters.
pub(crate) fn check(function: &mut Function, flags: Flags, place: Place, errors: &mut Errors) -> ToolFn {
    check_signature(&function.sig, errors);
    let docs = docs::read(&function.attrs);
    let receiver = function.sig.inputs.first().and_then(|input| match input {
        FnArg::Receiver(receiver) => Some(receiver.clone()),
        FnArg::Typed(_) => None,
    });
    let owns_self = check_receiver(receiver.as_ref(), &function.sig, place, errors);
    let name = tool_name(flags.name.as_ref(), &function.sig.ident, errors);
    check_description(&flags, &docs, &function.sig.ident, &name.value(), errors);

    let mut params = Vec::new();
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(input) = input {
            params.extend(param::read(input, errors));
        }
    }
    let output = Output::read(&function.sig.output);
    check_arguments(&params, &docs, flags.is_undocumented(), errors);
    check_names(&params, errors);
    check_body(function, &flags, &output, errors);
    if flags.is_external() {
        check_external(function, &params, &output, errors);
    }
    if output.is_stream() && !output.captures_nothing() {
        check_stream(&params, receiver.as_ref().filter(|_| !owns_self), errors);
    }
    ToolFn {
        name,
        docs,
        params,
        output,
        owns_self,
        is_async: function.sig.asyncness.is_some(),
        ident: function.sig.ident.clone(),
        flags,
    }
}

fn check_signature(sig: &Signature, errors: &mut Errors) {
    if let Some(token) = &sig.constness {
        errors.at(token, "a tool cannot be `const`, since it runs when a model calls it: remove `const`");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.at(token, "a tool cannot be `unsafe`, since a model calls it: make it safe to call with any argument");
    }
    if let Some(abi) = &sig.abi {
        errors.at(
            abi.extern_token,
            "a tool cannot be `extern`: remove it, and call the foreign function from the tool's body",
        );
    }
    if let Some(variadic) = &sig.variadic {
        errors.at(variadic, "a tool cannot be variadic: take a `Vec` of the further arguments");
    }
    for param in &sig.generics.params {
        match param {
            GenericParam::Type(param) => {
                let name = &param.ident;
                errors.at(
                    name,
                    format!("a tool cannot be generic, since it has one schema: write a type instead of `{name}`"),
                );
            }
            GenericParam::Const(param) => {
                let name = &param.ident;
                errors.at(
                    name,
                    format!("a tool cannot be generic, since it has one schema: write a number instead of `{name}`"),
                );
            }
            GenericParam::Lifetime(param) if !param.bounds.is_empty() => {
                errors.at(
                    &param.bounds,
                    "a tool's lifetime cannot have bounds, since it is that of one call: remove them",
                );
            }
            GenericParam::Lifetime(_) => {}
        }
    }
}

/// Checks `self`; says whether it is `Arc<Self>`.
fn check_receiver(receiver: Option<&Receiver>, sig: &Signature, place: Place, errors: &mut Errors) -> bool {
    match (receiver, place) {
        (None, Place::Method) => {
            errors.at(
                &sig.ident,
                format!("a tool of a toolset takes `&self`: add it, or move `{}` out of the block", sig.ident),
            );
            false
        }
        (Some(receiver), Place::Method) => match &receiver.kind {
            ReceiverKind::Reference(_, _, None) => false,
            ReceiverKind::Typed(_, ty) if is_named(ty, "Arc") => true,
            ReceiverKind::Reference(_, _, Some(mutability)) => {
                errors.at(
                    mutability,
                    "tools of a toolset may run at the same time: take `&self` and put what changes behind a lock",
                );
                false
            }
            _ => {
                errors.at(receiver.self_token, "a tool of a toolset can be called many times: take `&self`");
                false
            }
        },
        (Some(receiver), _) => {
            errors.at(
                receiver.self_token,
                "a method can be a tool only inside of a toolset: write `#[toolset]` above its `impl` block",
            );
            false
        }
        (None, _) => false,
    }
}

/// The tool's name, from its key or from the identifier.
pub(crate) fn tool_name(chosen: Option<&LitStr>, ident: &Ident, errors: &mut Errors) -> LitStr {
    let name = chosen.cloned().unwrap_or_else(|| LitStr::new(&plain(ident), ident.span()));
    let text = name.value();
    if let Some(fault) = names::tool_name_fault(&text) {
        let way_out = if chosen.is_none() { " (`name = \"…\"` overrides it)" } else { "" };
        errors.at_span(name.span(), format!("the tool name `{text}` {fault}{way_out}"));
    }
    name
}

/// Reports a tool without a description.
pub(crate) fn check_description(flags: &Flags, docs: &Docs, ident: &Ident, name: &str, errors: &mut Errors) {
    if docs.description.is_empty() && !flags.has_description_key {
        errors.at(
            ident,
            format!("the tool `{name}` has no description, and a model cannot use it without: write a doc comment or `description = \"…\"`"),
        );
    }
}

/// The description as an expression.
pub(crate) fn description(flags: &Flags, docs: &Docs, span: Span, p: &TokenStream) -> TokenStream {
    match &flags.description {
        Some(expr) => expr.to_token_stream(),
        None => docs.description.to_expr(span, &quote_spanned!(span=> #p::core)),
    }
}

fn check_arguments(params: &[Param], docs: &Docs, undocumented: bool, errors: &mut Errors) {
    let known = || params.iter().map(|param| plain(&param.ident));
    let renamed: Vec<String> = params
        .iter()
        .filter_map(|param| match &param.kind {
            ParamKind::Arg(argument) => argument.attr.rename.as_ref().map(LitStr::value),
            _ => None,
        })
        .collect();
    for entry in &docs.arguments {
        if known().chain(renamed.iter().cloned()).any(|name| name == entry.name) {
            continue;
        }
        let names: Vec<String> = known().collect();
        let message = match names::nearest(&entry.name, names.iter().map(String::as_str)) {
            Some(meant) => {
                format!("`# Arguments` describes `{}`, which is no parameter: did you mean `{meant}`?", entry.name)
            }
            None => format!(
                "`# Arguments` describes `{}`, which is no parameter: remove the line or add the parameter",
                entry.name
            ),
        };
        errors.at_span(entry.span, message);
    }
    for param in params {
        let ParamKind::Arg(argument) = &param.kind else { continue };
        constraints::check(param, argument, errors);
        if argument.attr.skip.is_some() || argument.attr.has_description_key || undocumented {
            continue;
        }
        let name = argument.name(&param.ident);
        let listed = listed_text(docs, param, &name);
        if argument.docs.is_empty() && listed.is_none_or(str::is_empty) {
            errors.at(
                &param.ident,
                format!("the argument `{name}` has no description: write a doc comment above it, a line in `# Arguments`, or `undocumented` for the tool"),
            );
        }
    }
}

/// The text of an argument's line in `# Arguments`.
pub(crate) fn listed_text<'d>(docs: &'d Docs, param: &Param, name: &str) -> Option<&'d str> {
    let own = plain(&param.ident);
    docs.arguments.iter().find(|entry| entry.name == own || entry.name == name).map(|entry| entry.text.as_str())
}

fn check_names(params: &[Param], errors: &mut Errors) {
    let mut seen: HashMap<String, ()> = HashMap::new();
    for param in params {
        let ParamKind::Arg(argument) = &param.kind else { continue };
        if argument.attr.skip.is_some() {
            continue;
        }
        let name = argument.name(&param.ident);
        let span = argument.name_span(&param.ident);
        if let Some(fault) = names::argument_name_fault(&name) {
            let way_out =
                if argument.attr.rename.is_none() { " (`#[arg(rename = \"…\")]` overrides it)" } else { "" };
            errors.at_span(span, format!("the argument name `{name}` {fault}{way_out}"));
        } else if seen.insert(name.clone(), ()).is_some() {
            errors.at_span(span, format!("two arguments are named `{name}`: rename one of them"));
        }
    }
}

fn check_body(function: &Function, flags: &Flags, output: &Output, errors: &mut Errors) {
    if let Some(blocking) = flags.blocking.as_ref().filter(|flag| flag.value) {
        if flags.is_external() {
            errors.at(&blocking.key, "an external tool has no body that could block: remove `blocking`");
        } else if function.sig.asyncness.is_some() {
            errors.at(&blocking.key, "`blocking` is for functions that are not `async`: remove one of the two");
        } else if output.is_stream() {
            errors.at(
                &blocking.key,
                "a stream cannot run on the blocking pool: remove `blocking`, or return the whole result",
            );
        }
    }
    if let (None, ReturnType::Type(_, ty)) = (&function.sig.asyncness, &function.sig.output)
        && let Some(resolved) = output::future(ty)
    {
        let arrow = resolved.map_or_else(String::new, |ty| format!(" -> {}", crate::types::type_text(ty)));
        let name = &function.sig.ident;
        errors
            .at(ty, format!("a tool that returns a future is an `async` function: write `async fn {name}(…){arrow}`"));
    }
    match (&function.body, flags.is_external()) {
        (Body::Block(block), true) => {
            errors.at_span(
                block.span_open(),
                "an external tool is executed elsewhere and has no body: write `;` instead, or remove `external`",
            );
        }
        (Body::Semicolon(semicolon), false) if !flags.has_faulty_external => {
            errors.at(
                semicolon,
                "a tool needs a body unless it is executed elsewhere: write one, or `#[tool(external)]`",
            );
        }
        _ => {}
    }
}

fn check_external(function: &Function, params: &[Param], output: &Output, errors: &mut Errors) {
    for param in params {
        match &param.kind {
            ParamKind::State(_) | ParamKind::Context { .. } => {
                errors.at(
                    &param.ident,
                    "an external tool is executed elsewhere, where nothing can be injected: remove this parameter",
                );
            }
            ParamKind::Arg(argument) => {
                if let Some(skip) = &argument.attr.skip {
                    errors.at(skip, "an external tool has no body that could use a hidden parameter: remove it");
                }
            }
            ParamKind::Broken => {}
        }
    }
    let ReturnType::Type(_, ty) = &function.sig.output else { return };
    if is_named(ty, "Result") {
        errors.at(ty, "an external tool's return type is what the executor sends back, and a failure is no part of it: write the type inside of `Result`");
    } else if !matches!(output, Output::Type(_) | Output::Unit) {
        errors.at(ty, "an external tool's return type is what the executor sends back: name a type");
    }
}

fn check_stream(params: &[Param], receiver: Option<&Receiver>, errors: &mut Errors) {
    if let Some(receiver) = receiver {
        errors.at(
            receiver.self_token,
            "a stream outlives the call that made it and cannot borrow the object: take `self: Arc<Self>`",
        );
    }
    for param in params {
        let owned = match &param.kind {
            ParamKind::State(injected) => match &**injected {
                Injected::Ref(ty) if is_named(ty, "AgentState") => "AgentState".to_owned(),
                Injected::Ref(ty) | Injected::Arc { ty, by_ref: true } | Injected::Wrapper { ty, by_ref: true } => {
                    format!("State<{}>", crate::types::type_text(ty))
                }
                _ => continue,
            },
            ParamKind::Context { by_ref: true } => "ToolContext".to_owned(),
            _ => continue,
        };
        errors.at(&param.ty, format!("a stream outlives the call that made it and cannot borrow: write `{owned}`"));
    }
}
