//! The parameters of a function: what each one is, and what is wrong with it.

use proc_macro2::{Ident, Span};
use syn::{Attribute, Pat, PatType, Type, TypeReference};

use crate::{
    ast::take,
    attr::{arg::ArgAttr, foreign},
    docs::{self, Text},
    errors::Errors,
    names::plain,
    types::{self, is_named, type_text, unwrapped},
};

/// A parameter, cleaned of our attributes.
pub(crate) struct Param {
    /// Its name, for a local variable.
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) kind: ParamKind,
}

pub(crate) enum ParamKind {
    /// Decoded from the call; part of the schema unless `skip`ped.
    Arg(Box<Argument>),
    State(Box<Injected>),
    /// `&ToolContext`, or `ToolContext` by value.
    Context {
        by_ref: bool,
    },
    /// Faulty, and reported.
    Broken,
}

pub(crate) struct Argument {
    pub(crate) attr: ArgAttr,
    /// The doc comment on the parameter.
    pub(crate) docs: Text,
}

impl Argument {
    /// The property's name in the schema.
    pub(crate) fn name(&self, ident: &Ident) -> String {
        self.attr.rename.as_ref().map_or_else(|| plain(ident), syn::LitStr::value)
    }

    /// The token that says the name.
    pub(crate) fn name_span(&self, ident: &Ident) -> Span {
        self.attr.rename.as_ref().map_or_else(|| ident.span(), syn::LitStr::span)
    }
}

/// How a state reaches its parameter.
pub(crate) enum Injected {
    /// `&T`.
    Ref(Type),
    /// `Arc<T>`, or `&Arc<T>`.
    Arc { ty: Type, by_ref: bool },
    /// `State<T>`, or `&State<T>`.
    Wrapper { ty: Type, by_ref: bool },
    /// `AgentState` by value: a cheap handle.
    Agent,
}

/// Reads a parameter and takes our attributes and the doc comment off it.
pub(crate) fn read(param: &mut PatType, errors: &mut Errors) -> Option<Param> {
    let docs = docs::read(&param.attrs);
    let arg = take(&mut param.attrs, "arg");
    let state = take(&mut param.attrs, "state");
    let context = take(&mut param.attrs, "context");
    param.attrs.retain(|attr| !docs::is_doc(attr));
    for attr in param.attrs.iter().filter(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")) {
        errors.at(
            attr.path(),
            "a tool's parameter cannot depend on the configuration: put the `#[cfg]` on two versions of the function",
        );
    }
    foreign::refuse(&mut param.attrs, errors);
    check_bare(&state, errors);
    check_bare(&context, errors);
    if let Some(second) = state.get(1).or(context.get(1)) {
        let name = second.path().get_ident().map_or_else(String::new, ToString::to_string);
        errors.at(second.path(), format!("`#[{name}]` is specified more than once: keep one of them"));
    }
    let ty = (*param.ty).clone();
    let ident = name(&param.pat, errors);
    let kind = match (state.first(), context.first()) {
        (Some(_), Some(context)) => {
            errors.at(context.path(), "a parameter is either `#[state]` or `#[context]`: remove one of them");
            ParamKind::Broken
        }
        (Some(_), None) => {
            refuse_arg(&arg, "#[state]", errors);
            injected(&ty, errors).map_or(ParamKind::Broken, |injected| ParamKind::State(Box::new(injected)))
        }
        (None, Some(_)) => {
            refuse_arg(&arg, "#[context]", errors);
            context_kind(&ty, errors)
        }
        // Beside `#[arg]` it is clear that an argument was meant, which still cannot be a reference.
        (None, None)
            if (arg.is_empty() || matches!(types::plain(&ty), Type::Reference(_))) && refuse_unmarked(&ty, errors) =>
        {
            ParamKind::Broken
        }
        (None, None) => {
            types::check_argument_type(&ty, errors);
            let attr = ArgAttr::read(&arg, errors);
            ParamKind::Arg(Box::new(Argument { attr, docs: docs.description }))
        }
    };
    Some(Param { ident: ident?, ty, kind })
}

/// Reports a type that the application provides, on a parameter that nothing marks as injected.
fn refuse_unmarked(ty: &Type, errors: &mut Errors) -> bool {
    let ty = types::plain(ty);
    let elem = match ty {
        Type::Reference(reference) => types::plain(&reference.elem),
        ty => ty,
    };
    let text = type_text(ty);
    if is_named(elem, "ToolContext") {
        errors.at(ty, format!("`{text}` is not something a model can send: mark it `#[context]`"));
        return true;
    }
    let is_state = is_named(elem, "AgentState") || unwrapped(elem, "State").is_some();
    let shared = match ty {
        Type::Reference(_) => Some(unwrapped(elem, "Arc").unwrap_or(elem)),
        ty => unwrapped(ty, "Arc"),
    };
    let shared = shared.map(types::plain);
    let way_out = match shared {
        _ if is_state => String::new(),
        Some(Type::TraitObject(_)) => String::new(),
        Some(inner @ Type::Path(_)) if types::shape(inner).kind == types::Kind::Unknown => {
            format!(", or write `{}`", type_text(inner))
        }
        _ => return false,
    };
    errors.at(
        ty,
        format!(
            "`{text}` is not something a model can send: mark it `#[state]` if the application provides it{way_out}"
        ),
    );
    true
}

fn check_bare(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        if attr.meta.require_path_only().is_err() {
            let name = attr.path().get_ident().map_or_else(String::new, ToString::to_string);
            errors.at(attr.path(), format!("`#[{name}]` takes no keys: write `#[{name}]` alone"));
        }
    }
}

fn refuse_arg(attrs: &[Attribute], marker: &str, errors: &mut Errors) {
    for attr in attrs {
        errors.at(
            attr.path(),
            format!(
                "`#[arg]` describes what the model sends, and a `{marker}` parameter is not sent: remove one of them"
            ),
        );
    }
}

fn name(pat: &Pat, errors: &mut Errors) -> Option<Ident> {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        Pat::Ident(pat) => {
            errors.at(
                pat,
                format!("a tool's parameter must be a plain name: write `{}` and match on it in the body", pat.ident),
            );
            None
        }
        Pat::Wild(pat) => {
            errors.at(
                pat,
                "a tool's parameter must have a name, which is what the model sends: write one, such as `_city`",
            );
            None
        }
        Pat::Paren(pat) => name(&pat.pat, errors),
        other => {
            errors.at(other, "a tool's parameter must be a plain name: write one and take it apart in the body");
            None
        }
    }
}

fn context_kind(ty: &Type, errors: &mut Errors) -> ParamKind {
    match types::plain(ty) {
        Type::Reference(reference) if reference.mutability.is_none() && is_named(&reference.elem, "ToolContext") => {
            ParamKind::Context { by_ref: true }
        }
        Type::Reference(TypeReference { mutability: Some(mutability), elem, .. }) if is_named(elem, "ToolContext") => {
            errors.at(mutability, "the context is shared and cannot be borrowed mutably: write `&ToolContext`");
            ParamKind::Broken
        }
        ty if is_named(ty, "ToolContext") => ParamKind::Context { by_ref: false },
        ty => {
            errors.at(ty, "a `#[context]` parameter must be a `&ToolContext` or a `ToolContext`: change the type, or write `#[state]`");
            ParamKind::Broken
        }
    }
}

fn injected(ty: &Type, errors: &mut Errors) -> Option<Injected> {
    let ty = types::plain(ty);
    if let Type::Reference(reference) = ty {
        let elem = types::plain(&reference.elem);
        if let Some(mutability) = &reference.mutability {
            let text = type_text(elem);
            errors.at(
                mutability,
                format!("a state is shared by all calls and cannot be borrowed mutably: write `&{text}` and put what changes behind a lock"),
            );
            return None;
        }
        if is_named(elem, "ToolContext") {
            errors.at(ty, "the context is no state: write `#[context]` instead of `#[state]`");
            return None;
        }
        return Some(match (unwrapped(elem, "Arc"), unwrapped(elem, "State")) {
            (Some(inner), _) => Injected::Arc { ty: own(inner, errors)?, by_ref: true },
            (_, Some(inner)) => Injected::Wrapper { ty: own(inner, errors)?, by_ref: true },
            _ => Injected::Ref(own(elem, errors)?),
        });
    }
    if is_named(ty, "AgentState") {
        return Some(Injected::Agent);
    }
    if is_named(ty, "ToolContext") {
        errors.at(ty, "the context is no state: write `#[context]` instead of `#[state]`");
        return None;
    }
    for wrapper in ["Arc", "State"] {
        let Some(inner) = unwrapped(ty, wrapper) else { continue };
        if is_named(inner, "AgentState") {
            errors.at(ty, "`AgentState` is a handle already: write `&AgentState` or `AgentState`");
            return None;
        }
        let ty = own(inner, errors)?;
        return Some(if wrapper == "Arc" {
            Injected::Arc { ty, by_ref: false }
        } else {
            Injected::Wrapper { ty, by_ref: false }
        });
    }
    let text = type_text(ty);
    errors.at(ty, format!("a state is shared by all calls and cannot be taken by value: write `&{text}`, `Arc<{text}>` or `State<{text}>`"));
    None
}

/// A state's type, which is looked up by itself and so must not borrow.
fn own(ty: &Type, errors: &mut Errors) -> Option<Type> {
    let ty = types::plain(ty);
    if let Type::Reference(reference) = ty {
        errors.at(
            ty,
            format!(
                "a state must own its data, since it outlives every call: write `{}` here",
                type_text(&reference.elem)
            ),
        );
        return None;
    }
    if let Some(lifetime) = types::borrowed_lifetime(ty) {
        errors.at(lifetime, "a state must own its data, since it outlives every call: use an owned type or `'static`");
        return None;
    }
    Some(ty.clone())
}
