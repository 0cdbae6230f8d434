//! Literals in `default`, `example` and the bounds of `range` and `length`: reading them, judging them against the
//! parameter's type and constraints, and writing them so that they have that type.

use std::cmp::Ordering;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote_spanned};
use regex_syntax::hir::Hir;
use syn::{Expr, ExprCall, ExprLit, ExprPath, ExprUnary, Lit, UnOp, spanned::Spanned};

use crate::{
    errors::Errors,
    pattern,
    types::{Kind, Shape},
};

/// A literal value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// Sign and magnitude, since neither `i128` nor `u128` holds all.
    Int {
        negative: bool,
        magnitude: u128,
    },
    Float(f64),
    Bool(bool),
    Str(String),
    Char(char),
}

/// How an expression gives its value.
enum Given {
    /// A literal, with its suffix, bare or inside of `Some(…)`.
    Literal { value: Value, suffix: String, in_some: bool },
    /// `None`.
    None,
    /// Anything else: only the compiler knows.
    Other,
}

/// A literal's value, minus signs included.
pub(crate) fn value(expr: &Expr) -> Option<Value> {
    match read(expr) {
        Given::Literal { value, in_some: false, .. } => Some(value),
        _ => None,
    }
}

fn read(expr: &Expr) -> Given {
    match expr {
        Expr::Group(group) => read(&group.expr),
        Expr::Paren(paren) => read(&paren.expr),
        Expr::Lit(ExprLit { lit, .. }) => read_literal(lit),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match read(expr) {
            Given::Literal { value: Value::Int { negative: false, magnitude }, suffix, in_some: false } => {
                Given::Literal { value: Value::Int { negative: true, magnitude }, suffix, in_some: false }
            }
            Given::Literal { value: Value::Float(value), suffix, in_some: false } => {
                Given::Literal { value: Value::Float(-value), suffix, in_some: false }
            }
            _ => Given::Other,
        },
        Expr::Path(ExprPath { qself: None, path, .. }) if path.is_ident("None") => Given::None,
        Expr::Call(ExprCall { func, args, .. }) if args.len() == 1 => {
            let is_some = matches!(&**func, Expr::Path(path) if path.path.is_ident("Some"));
            match args.first().map(read) {
                Some(Given::Literal { value, suffix, in_some: false }) if is_some => {
                    Given::Literal { value, suffix, in_some: true }
                }
                _ => Given::Other,
            }
        }
        _ => Given::Other,
    }
}

fn read_literal(lit: &Lit) -> Given {
    let (value, suffix) = match lit {
        Lit::Int(int) => match int.base10_parse::<u128>() {
            Ok(magnitude) => (Value::Int { negative: false, magnitude }, int.suffix()),
            Err(_) => return Given::Other,
        },
        Lit::Float(float) => match float.base10_parse::<f64>() {
            Ok(value) => (Value::Float(value), float.suffix()),
            Err(_) => return Given::Other,
        },
        Lit::Bool(value) => (Value::Bool(value.value), ""),
        Lit::Str(text) => (Value::Str(text.value()), text.suffix()),
        Lit::Char(value) => (Value::Char(value.value()), value.suffix()),
        _ => return Given::Other,
    };
    Given::Literal { value, suffix: suffix.to_owned(), in_some: false }
}

/// Which of two numbers is greater; `None` unless both are numbers.
pub(crate) fn compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int { .. }, Value::Int { .. }) => {
            let (left, right) = (signed(left)?, signed(right)?);
            Some(left.cmp(&right))
        }
        _ => as_float(left)?.partial_cmp(&as_float(right)?),
    }
}

/// An integer as a pair that orders as the numbers do.
fn signed(value: &Value) -> Option<(bool, i128, u128)> {
    match value {
        Value::Int { negative: true, magnitude: 1.. } => {
            let Value::Int { magnitude, .. } = value else { return None };
            Some((false, 0i128.checked_sub_unsigned(*magnitude).unwrap_or(i128::MIN), 0))
        }
        Value::Int { magnitude, .. } => Some((true, 0, *magnitude)),
        _ => None,
    }
}

#[allow(clippy::cast_precision_loss)] // A bound that differs by less than a float can tell is no fault to report.
fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Int { negative, magnitude } => Some(if *negative { -(*magnitude as f64) } else { *magnitude as f64 }),
        Value::Float(value) => Some(*value),
        _ => None,
    }
}

/// Whether an integer is in a type's range.
fn fits(negative: bool, magnitude: u128, min: i128, max: u128) -> bool {
    if negative { magnitude <= min.unsigned_abs() } else { magnitude <= max }
}

/// The type of a parameter, and what its literals are judged against.
pub(crate) struct Rules<'a> {
    pub(crate) shape: Shape,
    /// The type as the user wrote it.
    pub(crate) ty: &'a str,
    pub(crate) range: Limits,
    pub(crate) length: Limits,
    pub(crate) pattern: Option<&'a Hir>,
}

/// The bounds that are literals.
#[derive(Default)]
pub(crate) struct Limits {
    pub(crate) min: Option<Value>,
    pub(crate) max: Option<Value>,
}

/// Reports a literal that does not fit its parameter; `role` is what it is written for.
pub(crate) fn check(expr: &Expr, role: &str, rules: &Rules<'_>, errors: &mut Errors) {
    let text = expr.to_token_stream().to_string().replace("- ", "-");
    let ty = rules.ty;
    let (value, suffix) = match read(expr) {
        Given::Literal { in_some: true, .. } | Given::None
            if !rules.shape.optional && rules.shape.kind != Kind::Unknown =>
        {
            errors.at(expr, format!("{role} `{text}` is an `Option`, but the parameter is a `{ty}`: write a `{ty}`"));
            return;
        }
        Given::Literal { value, suffix, .. } => (value, suffix),
        Given::None | Given::Other => return,
    };
    if let Some(fault) = type_fault(&value, &suffix, rules.shape.kind, ty) {
        errors.at(expr, format!("{role} `{text}` {fault}"));
    } else if let Some(fault) = constraint_fault(&value, rules) {
        errors.at(expr, format!("{role} `{text}` {fault}"));
    }
}

fn type_fault(value: &Value, suffix: &str, kind: Kind, ty: &str) -> Option<String> {
    let wanted = match (kind, value) {
        (Kind::Unknown, _) => return None,
        (Kind::Int { min, max }, Value::Int { negative, magnitude }) => {
            if !fits(*negative, *magnitude, min, max) {
                return Some(format!("does not fit `{ty}`: write a number from {min} to {max}"));
            }
            return (!suffix.is_empty() && !ty.contains(suffix))
                .then(|| format!("is a `{suffix}`, but the parameter is a `{ty}`: remove the suffix"));
        }
        (Kind::Float, Value::Int { .. } | Value::Float(_)) => {
            return (!suffix.is_empty() && !ty.contains(suffix))
                .then(|| format!("is a `{suffix}`, but the parameter is a `{ty}`: remove the suffix"));
        }
        (Kind::Bool, Value::Bool(_)) | (Kind::Str, Value::Str(_)) | (Kind::Char, Value::Char(_)) => return None,
        (Kind::Int { .. }, _) => "a whole number",
        (Kind::Float, _) => "a number",
        (Kind::Bool, _) => "`true` or `false`",
        (Kind::Str, _) => "a string",
        (Kind::Char, _) => "a character such as `'a'`",
        (Kind::List, _) => "a list such as `vec![]`",
        (Kind::Map, _) => "a map",
    };
    Some(format!("does not fit `{ty}`: write {wanted}"))
}

fn constraint_fault(value: &Value, rules: &Rules<'_>) -> Option<String> {
    if let Some(min) = &rules.range.min
        && compare(value, min) == Some(Ordering::Less)
    {
        return Some(format!("is below the range's minimum of {}: raise it or lower `min`", number(min)));
    }
    if let Some(max) = &rules.range.max
        && compare(value, max) == Some(Ordering::Greater)
    {
        return Some(format!("is above the range's maximum of {}: lower it or raise `max`", number(max)));
    }
    let Value::Str(text) = value else { return None };
    let length = Value::Int { negative: false, magnitude: text.chars().count() as u128 };
    if let Some(min) = &rules.length.min
        && compare(&length, min) == Some(Ordering::Less)
    {
        return Some(format!("is shorter than the minimum of {}: lengthen it or lower `min`", number(min)));
    }
    if let Some(max) = &rules.length.max
        && compare(&length, max) == Some(Ordering::Greater)
    {
        return Some(format!("is longer than the maximum of {}: shorten it or raise `max`", number(max)));
    }
    if rules.pattern.is_some_and(|hir| !pattern::matches(hir, text)) {
        return Some("does not match the pattern: change one of them".to_owned());
    }
    None
}

/// A number for a message.
pub(crate) fn number(value: &Value) -> String {
    match value {
        Value::Int { negative, magnitude } => format!("{}{magnitude}", if *negative { "-" } else { "" }),
        Value::Float(value) => value.to_string(),
        _ => String::new(),
    }
}

/// What is wrong with a literal bound of `range` on a parameter of this kind, as the end of a sentence.
pub(crate) fn bound_fault(value: &Value, kind: Kind, ty: &str) -> Option<String> {
    match (kind, value) {
        (Kind::Int { min, max }, Value::Int { negative, magnitude }) if !fits(*negative, *magnitude, min, max) => {
            Some(format!("does not fit `{ty}`: write a number from {min} to {max}"))
        }
        (Kind::Int { .. }, Value::Float(_)) => Some(format!("does not fit `{ty}`: write a whole number")),
        (_, Value::Int { negative, magnitude }) if !fits(*negative, *magnitude, i64::MIN.into(), u64::MAX.into()) => {
            Some("is too large for a JSON integer: write it as a float".to_owned())
        }
        (_, Value::Int { .. } | Value::Float(_)) => None,
        _ => Some("is no number: write one".to_owned()),
    }
}

/// A bound as tokens: a literal gets a type of its own, so that `5_000_000_000` is no overflowing `i32`.
pub(crate) fn bound_tokens(expr: &Expr) -> TokenStream {
    let span = expr.span();
    let mut literal = match value(expr) {
        Some(Value::Int { negative: false, magnitude }) => match (i64::try_from(magnitude), u64::try_from(magnitude)) {
            (Ok(value), _) => Literal::i64_suffixed(value),
            (_, Ok(value)) => Literal::u64_suffixed(value),
            _ => return expr.to_token_stream(),
        },
        Some(Value::Int { negative: true, magnitude }) => match i64::try_from(magnitude) {
            Ok(value) => {
                let value = Literal::i64_suffixed(value);
                return quote_spanned!(span=> -#value);
            }
            Err(_) => return expr.to_token_stream(),
        },
        _ => return expr.to_token_stream(),
    };
    literal.set_span(span);
    literal.to_token_stream()
}

/// A bound of a length as tokens of type `u64`.
pub(crate) fn length_tokens(expr: &Expr) -> TokenStream {
    match value(expr) {
        Some(Value::Int { negative: false, magnitude }) => u64::try_from(magnitude).map_or_else(
            |_| expr.to_token_stream(),
            |value| {
                let mut literal = Literal::u64_suffixed(value);
                literal.set_span(expr.span());
                literal.to_token_stream()
            },
        ),
        _ => expr.to_token_stream(),
    }
}

/// A default or example as an expression of the parameter's type: a string literal becomes a `String` (or what else
/// the type is), a whole number a float, and a bare literal is wrapped in `Some` for an `Option`.
pub(crate) fn value_tokens(expr: &Expr, shape: Shape, p: &TokenStream) -> TokenStream {
    let Given::Literal { value, suffix, in_some } = read(expr) else { return expr.to_token_stream() };
    let inner = match expr {
        Expr::Call(call) if in_some => call.args.first().unwrap_or(expr),
        other => other,
    };
    let span = inner.span();
    let converted = match (&value, shape.kind) {
        (Value::Str(_), Kind::Str | Kind::Unknown) => quote_spanned!(span=> #p::core::convert::Into::into(#inner)),
        (Value::Int { negative, magnitude }, Kind::Float) if suffix.is_empty() => {
            let mut literal =
                syn::parse_str::<Literal>(&format!("{magnitude}.0")).unwrap_or_else(|_| Literal::f64_unsuffixed(0.0));
            literal.set_span(span);
            if *negative { quote_spanned!(span=> -#literal) } else { literal.to_token_stream() }
        }
        _ => inner.to_token_stream(),
    };
    if shape.optional || in_some {
        quote_spanned!(span=> #p::core::option::Option::Some(#converted))
    } else {
        converted
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;
    use crate::types::shape;

    fn faults(expr: Expr, ty: syn::Type, range: Limits) -> Vec<String> {
        let mut errors = Errors::default();
        let text = crate::types::type_text(&ty);
        check(
            &expr,
            "default",
            &Rules { shape: shape(&ty), ty: &text, range, length: Limits::default(), pattern: None },
            &mut errors,
        );
        errors.messages()
    }

    #[test]
    fn a_literal_is_judged_by_the_type() {
        let none = Limits::default;
        assert_eq!(
            faults(parse_quote!(300), parse_quote!(u8), none()),
            ["default `300` does not fit `u8`: write a number from 0 to 255"]
        );
        assert_eq!(faults(parse_quote!(-129), parse_quote!(i8), none()).len(), 1);
        assert_eq!(faults(parse_quote!(-1), parse_quote!(Option<u32>), none()).len(), 1);
        assert_eq!(
            faults(parse_quote!("x"), parse_quote!(u32), none()),
            ["default `\"x\"` does not fit `u32`: write a whole number"]
        );
        assert_eq!(faults(parse_quote!(1), parse_quote!(String), none()).len(), 1);
        assert_eq!(faults(parse_quote!(1u8), parse_quote!(u32), none()).len(), 1);
        assert_eq!(faults(parse_quote!(None), parse_quote!(u32), none()).len(), 1);
        for (expr, ty) in [
            ("-128", "i8"),
            ("None", "Option<u8>"),
            ("Some(3)", "Option<u8>"),
            ("1", "f64"),
            ("f()", "u8"),
            ("\"x\"", "Unit"),
        ] {
            assert!(
                faults(syn::parse_str(expr).unwrap(), syn::parse_str(ty).unwrap(), none()).is_empty(),
                "{expr}: {ty}"
            );
        }
    }

    #[test]
    fn a_literal_is_judged_by_the_range() {
        let range = || Limits { min: Some(Value::Int { negative: true, magnitude: 1 }), max: Some(Value::Float(2.5)) };
        assert_eq!(faults(parse_quote!(-2), parse_quote!(i32), range()).len(), 1);
        assert_eq!(faults(parse_quote!(3), parse_quote!(i32), range()).len(), 1);
        assert!(faults(parse_quote!(-1), parse_quote!(i32), range()).is_empty());
        assert!(faults(parse_quote!(2), parse_quote!(i32), range()).is_empty());
    }

    #[test]
    fn literals_are_written_so_that_they_have_the_parameters_type() {
        let p: TokenStream = parse_quote!(p);
        let written = |expr: &str, ty: &str| {
            value_tokens(&syn::parse_str(expr).unwrap(), shape(&syn::parse_str(ty).unwrap()), &p)
                .to_string()
                .replace(' ', "")
        };
        assert_eq!(written("\"x\"", "String"), "p::core::convert::Into::into(\"x\")");
        assert_eq!(written("3", "Option<u8>"), "p::core::option::Option::Some(3)");
        assert_eq!(written("Some(3)", "Option<u8>"), "p::core::option::Option::Some(3)");
        assert_eq!(written("-3", "f64"), "-3.0");
        assert_eq!(written("None", "Option<u8>"), "None");
        assert_eq!(written("Unit::A", "Unit"), "Unit::A");
    }
}
