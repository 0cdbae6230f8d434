//! What the syntax of a type tells: its kind, as far as constraints and literals are concerned, and what keeps it
//! from being an argument's type.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    GenericArgument, Lifetime, PathArguments, PathSegment, Type, TypeFnPtr, TypeImplTrait, TypeInfer, TypeNever,
    TypePath, TypePtr, TypeReference, TypeSlice, TypeTraitObject,
    visit::{self, Visit},
};

use crate::errors::Errors;

/// The kinds of JSON value a well-known type decodes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A whole number from `min` to `max`.
    Int {
        min: i128,
        max: u128,
    },
    Float,
    Bool,
    /// A string; also one in another form, like a path.
    Str,
    Char,
    List,
    Map,
    /// Some other type: only the compiler knows more.
    Unknown,
}

/// A type's kind, and whether an `Option` is around it.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) optional: bool,
    pub(crate) kind: Kind,
}

/// Looks at the name of a type. A user's own type of a well-known name is taken for the well-known one.
pub(crate) fn shape(ty: &Type) -> Shape {
    if let Some(segment) = last_segment(ty) {
        let inner = |segment| first_argument(segment).map(shape);
        match segment.ident.to_string().as_str() {
            "Option" => {
                return Shape { optional: true, kind: inner(segment).map_or(Kind::Unknown, |shape| shape.kind) };
            }
            "Box" | "Arc" | "Rc" => return inner(segment).unwrap_or(Shape { optional: false, kind: Kind::Unknown }),
            _ => {}
        }
    }
    Shape { optional: false, kind: kind(ty) }
}

fn kind(ty: &Type) -> Kind {
    let ty = plain(ty);
    if matches!(ty, Type::Array(_) | Type::Slice(_)) {
        return Kind::List;
    }
    let Some(segment) = last_segment(ty) else { return Kind::Unknown };
    match segment.ident.to_string().as_str() {
        "u8" => unsigned(u8::MAX.into()),
        "u16" => unsigned(u16::MAX.into()),
        "u32" => unsigned(u32::MAX.into()),
        "u64" | "usize" => unsigned(u64::MAX.into()),
        "u128" => unsigned(u128::MAX),
        "i8" => Kind::Int { min: i8::MIN.into(), max: i8::MAX.unsigned_abs().into() },
        "i16" => Kind::Int { min: i16::MIN.into(), max: i16::MAX.unsigned_abs().into() },
        "i32" => Kind::Int { min: i32::MIN.into(), max: i32::MAX.unsigned_abs().into() },
        "i64" | "isize" => Kind::Int { min: i64::MIN.into(), max: i64::MAX.unsigned_abs().into() },
        "i128" => Kind::Int { min: i128::MIN, max: i128::MAX.unsigned_abs() },
        "f32" | "f64" => Kind::Float,
        "bool" => Kind::Bool,
        "char" => Kind::Char,
        "String" | "str" | "PathBuf" | "Path" => Kind::Str,
        "Vec" | "VecDeque" | "LinkedList" | "HashSet" | "BTreeSet" | "BinaryHeap" => Kind::List,
        "HashMap" | "BTreeMap" => Kind::Map,
        _ => Kind::Unknown,
    }
}

fn unsigned(max: u128) -> Kind {
    Kind::Int { min: 0, max }
}

/// A type without the parentheses and invisible groups around it.
pub(crate) fn plain(ty: &Type) -> &Type {
    match ty {
        Type::Paren(paren) => plain(&paren.elem),
        Type::Group(group) => plain(&group.elem),
        other => other,
    }
}

/// The last segment of a path type.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match plain(ty) {
        Type::Path(TypePath { qself: None, path, .. }) => path.segments.last(),
        _ => None,
    }
}

/// Whether a type is named `name`, whatever the path in front of it.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == name)
}

/// The first type among a segment's generic arguments.
pub(crate) fn first_argument(segment: &PathSegment) -> Option<&Type> {
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        _ => None,
    }
}

/// The type inside of `Wrapper<…>`, if `ty` is that.
pub(crate) fn unwrapped<'a>(ty: &'a Type, wrapper: &str) -> Option<&'a Type> {
    last_segment(ty).filter(|segment| segment.ident == wrapper).and_then(first_argument)
}

/// Reports what keeps a type from being decoded from JSON: borrowed, unnamed and unsized parts, each at its place.
pub(crate) fn check_argument_type(ty: &Type, errors: &mut Errors) {
    ArgumentType { errors }.visit_type(plain(ty));
}

struct ArgumentType<'e> {
    errors: &'e mut Errors,
}

impl<'ast> Visit<'ast> for ArgumentType<'_> {
    fn visit_type_reference(&mut self, ty: &'ast TypeReference) {
        let owned = owned(&ty.elem);
        self.errors
            .at(ty, format!("an argument is decoded from the model's JSON and cannot be borrowed: write `{owned}`"));
    }

    fn visit_type_slice(&mut self, ty: &'ast TypeSlice) {
        let elem = type_text(&ty.elem);
        self.errors.at(ty, format!("an argument cannot be a bare slice: write `Vec<{elem}>`"));
    }

    fn visit_type_impl_trait(&mut self, ty: &'ast TypeImplTrait) {
        self.errors.at(ty, "an argument needs one type to be decoded into: name a type instead of `impl Trait`");
    }

    fn visit_type_trait_object(&mut self, ty: &'ast TypeTraitObject) {
        self.errors.at(ty, "an argument cannot be a trait object: name a type, such as an enum of the possible kinds");
    }

    fn visit_type_fn_ptr(&mut self, ty: &'ast TypeFnPtr) {
        self.errors.at(ty, "a function cannot be sent as JSON: let the argument name what to call, such as an enum");
    }

    fn visit_type_ptr(&mut self, ty: &'ast TypePtr) {
        self.errors.at(ty, "a pointer cannot be sent as JSON: write the type that it points to");
    }

    fn visit_type_infer(&mut self, ty: &'ast TypeInfer) {
        self.errors.at(ty, "an argument's type cannot be inferred: name it");
    }

    fn visit_type_never(&mut self, ty: &'ast TypeNever) {
        self.errors.at(ty, "an argument of type `!` can never be given: name another type");
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident != "static" {
            self.errors.at(
                lifetime,
                "an argument is decoded from the model's JSON and must own its data: use an owned type or `'static`",
            );
        }
    }

    // Expressions in array lengths hold no types of the argument.
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}

    fn visit_macro(&mut self, node: &'ast syn::Macro) {
        visit::visit_macro(self, node);
    }
}

/// The first lifetime other than `'static` in a type.
pub(crate) fn borrowed_lifetime(ty: &Type) -> Option<Lifetime> {
    struct Find(Option<Lifetime>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
            if lifetime.ident != "static" && self.0.is_none() {
                self.0 = Some(lifetime.clone());
            }
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// Whether `Self` stands anywhere in the tokens.
pub(crate) fn names_self(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == "Self",
        TokenTree::Group(group) => names_self(&group.stream()),
        _ => false,
    })
}

/// The owned form of what a reference points to.
fn owned(ty: &Type) -> String {
    match plain(ty) {
        Type::Slice(slice) => format!("Vec<{}>", type_text(&slice.elem)),
        ty if is_named(ty, "str") => "String".to_owned(),
        ty if is_named(ty, "Path") => "PathBuf".to_owned(),
        Type::Reference(reference) => owned(&reference.elem),
        ty => type_text(ty),
    }
}

/// A type as a user would write it.
pub(crate) fn type_text(ty: &Type) -> String {
    let text = match plain(ty) {
        Type::Reference(reference) => format!("&{}", type_text(&reference.elem)),
        ty => ty.to_token_stream().to_string(),
    };
    let mut tidy = text;
    for (spaced, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        ("[ ", "["),
        (" ]", "]"),
    ] {
        tidy = tidy.replace(spaced, tight);
    }
    tidy
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    fn faults(ty: Type) -> Vec<String> {
        let mut errors = Errors::default();
        check_argument_type(&ty, &mut errors);
        errors.messages()
    }

    #[test]
    fn well_known_types_are_recognised_through_their_wrappers() {
        assert_eq!(shape(&parse_quote!(std::string::String)).kind, Kind::Str);
        assert_eq!(shape(&parse_quote!(Option<Box<u8>>)).kind, Kind::Int { min: 0, max: 255 });
        assert!(shape(&parse_quote!(Option<u8>)).optional);
        assert_eq!(shape(&parse_quote!(Vec<u8>)).kind, Kind::List);
        assert_eq!(shape(&parse_quote!([u8; 4])).kind, Kind::List);
        assert_eq!(shape(&parse_quote!(Unit)).kind, Kind::Unknown);
        assert_eq!(shape(&parse_quote!((u8, u8))).kind, Kind::Unknown);
    }

    #[test]
    fn a_borrowed_argument_is_refused_with_its_owned_form() {
        assert!(faults(parse_quote!(&str))[0].contains("write `String`"));
        assert!(faults(parse_quote!(&[u8]))[0].contains("write `Vec<u8>`"));
        assert!(faults(parse_quote!(Option<&'static str>))[0].contains("write `String`"));
        assert_eq!(faults(parse_quote!(&str)).len(), 1);
    }

    #[test]
    fn every_part_without_a_json_form_is_found() {
        assert_eq!(faults(parse_quote!((Box<dyn Fn()>, fn(), *const u8, Cow<'_, str>))).len(), 4);
        assert_eq!(faults(parse_quote!(Vec<_>)).len(), 1);
        assert_eq!(faults(parse_quote!(impl Into<String>)).len(), 1);
        assert!(faults(parse_quote!(HashMap<String, [f64; 2]>)).is_empty());
        assert!(faults(parse_quote!(Cow<'static, str>)).is_empty());
    }
}
