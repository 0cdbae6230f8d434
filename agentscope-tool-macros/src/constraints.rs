//! The checks of `#[arg(…)]`: do the constraints fit the type, and the literals both?

use syn::Expr;

use crate::{
    attr::arg::{Bounds, DefaultValue, FORMATS},
    errors::Errors,
    literal::{self, Limits, Rules, Value},
    names::{listed, nearest},
    param::{Argument, Param},
    pattern,
    types::{Kind, shape, type_text},
};

/// Reports every fault in one parameter's `#[arg(…)]`.
pub(crate) fn check(param: &Param, argument: &Argument, errors: &mut Errors) {
    let attr = &argument.attr;
    let shape = shape(&param.ty);
    let ty = type_text(&param.ty);
    let name = argument.name(&param.ident);
    let range =
        attr.range.as_ref().map_or_else(Limits::default, |bounds| range(bounds, shape.kind, &name, &ty, errors));
    let length =
        attr.length.as_ref().map_or_else(Limits::default, |bounds| length(bounds, shape.kind, &name, &ty, errors));
    let is_text = matches!(shape.kind, Kind::Str | Kind::Char | Kind::Unknown);
    for key in [&attr.pattern_key, &attr.format_key].into_iter().flatten().filter(|_| !is_text) {
        errors.at(key, format!("`{key}` is for strings, and `{name}` is a `{ty}`: remove it or change the type"));
    }
    let pattern = attr.pattern.as_ref().and_then(|literal| match pattern::parse(&literal.value()) {
        Ok(hir) => Some(hir),
        Err(fault) => {
            errors.at(literal, format!("the pattern {fault}"));
            None
        }
    });
    if let Some(format) = &attr.format {
        check_format(format, errors);
    }
    let rules = Rules { shape, ty: &ty, range, length, pattern: pattern.as_ref() };
    check_values(argument, &rules, errors);
}

fn check_values(argument: &Argument, rules: &Rules<'_>, errors: &mut Errors) {
    if let Some(DefaultValue::Expr(expr)) = &argument.attr.default {
        literal::check(expr, "the default", rules, errors);
    }
    for example in &argument.attr.examples {
        literal::check(example, "the example", rules, errors);
    }
}

fn check_format(format: &syn::LitStr, errors: &mut Errors) {
    let name = format.value();
    if FORMATS.contains(&name.as_str()) {
        return;
    }
    let message = match nearest(&name, FORMATS.iter().copied()) {
        Some(meant) => format!("unknown format `{name}`: did you mean `{meant}`?"),
        None => format!("unknown format `{name}`: write {}, or use `pattern`", listed(FORMATS.iter().copied(), "or")),
    };
    errors.at(format, message);
}

fn range(bounds: &Bounds, kind: Kind, name: &str, ty: &str, errors: &mut Errors) -> Limits {
    let instead = match kind {
        Kind::Str | Kind::List | Kind::Map => "write `length(…)` instead",
        Kind::Bool | Kind::Char => "remove it",
        Kind::Int { .. } | Kind::Float | Kind::Unknown => {
            return limits(bounds, errors, |value| literal::bound_fault(value, kind, ty));
        }
    };
    errors.at(&bounds.key, format!("`range` is for numbers, and `{name}` is a `{ty}`: {instead}"));
    Limits::default()
}

fn length(bounds: &Bounds, kind: Kind, name: &str, ty: &str, errors: &mut Errors) -> Limits {
    let instead = match kind {
        Kind::Int { .. } | Kind::Float => "write `range(…)` instead",
        Kind::Bool | Kind::Char => "remove it",
        Kind::Str | Kind::List | Kind::Map | Kind::Unknown => {
            return limits(bounds, errors, |value| match value {
                Value::Int { negative: false, magnitude } if u64::try_from(*magnitude).is_ok() => None,
                _ => Some("is no length: write a whole number from 0 up".to_owned()),
            });
        }
    };
    errors.at(&bounds.key, format!("`length` is for strings, lists and maps, and `{name}` is a `{ty}`: {instead}"));
    Limits::default()
}

/// The literal bounds; reports each that `fault` names, and bounds that leave nothing in between.
fn limits(bounds: &Bounds, errors: &mut Errors, fault: impl Fn(&Value) -> Option<String>) -> Limits {
    let mut read = |expr: &Option<Expr>| {
        let expr = expr.as_ref()?;
        let value = literal::value(expr)?;
        match fault(&value) {
            Some(fault) => {
                let text = quote::ToTokens::to_token_stream(expr).to_string().replace("- ", "-");
                errors.at(expr, format!("the bound `{text}` {fault}"));
                None
            }
            None => Some(value),
        }
    };
    let (min, max) = (read(&bounds.min), read(&bounds.max));
    if let (Some(low), Some(high)) = (&min, &max)
        && literal::compare(low, high) == Some(std::cmp::Ordering::Greater)
    {
        let (low, high) = (literal::number(low), literal::number(high));
        errors
            .at(&bounds.max, format!("`max` is {high} and `min` is {low}, which leaves no value: swap or change them"));
        return Limits::default();
    }
    Limits { min, max }
}
