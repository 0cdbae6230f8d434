//! What a function returns, as far as its syntax tells.

use syn::{ReturnType, Type, TypeParamBound, visit::Visit};

use crate::types::{first_argument, last_segment, plain};

/// The form of a return type.
pub(crate) enum Output {
    /// No return type, or `()`.
    Unit,
    /// A type with a name.
    Type(Box<Type>),
    /// `impl Stream<…>`.
    Stream { ty: Box<Type>, captures_nothing: bool },
    /// `Result<impl Stream<…>, E>`.
    StreamOrError { ty: Box<Type>, captures_nothing: bool },
    /// Another type with an `impl Trait` in it.
    Opaque(Box<Type>),
}

impl Output {
    pub(crate) fn read(output: &ReturnType) -> Self {
        let ReturnType::Type(_, ty) = output else { return Self::Unit };
        let ty = plain(ty);
        if let Some(captures_nothing) = stream(ty) {
            return Self::Stream { ty: Box::new(ty.clone()), captures_nothing };
        }
        if let Some(segment) = last_segment(ty).filter(|segment| segment.ident == "Result")
            && let Some(captures_nothing) = first_argument(segment).and_then(stream)
        {
            return Self::StreamOrError { ty: Box::new(ty.clone()), captures_nothing };
        }
        match ty {
            Type::Tuple(tuple) if tuple.elems.is_empty() => Self::Unit,
            ty if has_impl_trait(ty) => Self::Opaque(Box::new(ty.clone())),
            ty => Self::Type(Box::new(ty.clone())),
        }
    }

    pub(crate) fn is_stream(&self) -> bool {
        matches!(self, Self::Stream { .. } | Self::StreamOrError { .. })
    }

    /// Whether `use<>` says that nothing is borrowed.
    pub(crate) fn captures_nothing(&self) -> bool {
        matches!(self, Self::Stream { captures_nothing: true, .. } | Self::StreamOrError { captures_nothing: true, .. })
    }
}

/// What `impl Future<Output = …>`, at the root of a return type, resolves to.
pub(crate) fn future(ty: &Type) -> Option<Option<&Type>> {
    let Type::ImplTrait(ty) = plain(ty) else { return None };
    ty.bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let segment = bound.path.segments.last().filter(|segment| segment.ident == "Future")?;
        let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return Some(None) };
        Some(arguments.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::AssocType(output) if output.ident == "Output" => Some(&output.ty),
            _ => None,
        }))
    })
}

/// Whether a type is `impl Stream`; if so, whether it captures nothing.
fn stream(ty: &Type) -> Option<bool> {
    let Type::ImplTrait(ty) = plain(ty) else { return None };
    let is_stream = ty.bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|segment| segment.ident == "Stream"),
        _ => false,
    });
    let captures_nothing = ty.bounds.iter().any(|bound| match bound {
        TypeParamBound::PreciseCapture(capture) => {
            !capture.params.iter().any(|param| matches!(param, syn::CapturedParam::Lifetime(_)))
        }
        _ => false,
    });
    is_stream.then_some(captures_nothing)
}

fn has_impl_trait(ty: &Type) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_type(ty);
    find.0
}

/// The type that stands in for a return type outside of the function: its lifetimes are not in scope there.
pub(crate) fn without_lifetimes(ty: &Type) -> Type {
    let mut ty = ty.clone();
    syn::visit_mut::VisitMut::visit_type_mut(&mut Elide, &mut ty);
    ty
}

struct Elide;

impl syn::visit_mut::VisitMut for Elide {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "static" {
            lifetime.ident = syn::Ident::new("_", lifetime.ident.span());
        }
    }
}
