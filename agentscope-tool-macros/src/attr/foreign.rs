//! Attributes of serde, schemars and the like, which belong on fields: what to write on a parameter instead.

use quote::ToTokens;
use syn::{
    Attribute, Expr, LitStr, Token,
    parse::{ParseStream, Parser},
};

use super::entries::{self, Entry, Value, string_literal};
use crate::errors::Errors;

/// The attributes that are known to describe fields.
const NAMES: &[&str] = &["serde", "schemars", "validate", "garde"];

/// Takes such attributes off a parameter and reports each.
pub(crate) fn refuse(attrs: &mut Vec<Attribute>, errors: &mut Errors) {
    for attr in attrs.extract_if(.., |attr| NAMES.iter().any(|name| attr.path().is_ident(name))) {
        let name = attr.path().to_token_stream();
        let keys: Option<Vec<String>> = entries(&attr).iter().map(instead).collect();
        let way_out = match keys {
            Some(keys) if !keys.is_empty() => format!(": write `#[arg({})]`", keys.join(", ")),
            _ => ", which has no such key: remove it, or put it on the type of the argument".to_owned(),
        };
        errors.at(attr.path(), format!("`#[{name}]` is for fields, and a parameter takes `#[arg(…)]`{way_out}"));
    }
}

/// What stands in the attribute, as far as it can be read: its faults are not what is wrong here.
fn entries(attr: &Attribute) -> Vec<Entry> {
    entries::of_attribute(attr, &mut Errors::default())
}

/// The key of `#[arg]` that says the same.
fn instead(entry: &Entry) -> Option<String> {
    let key = entry.key.to_string();
    Some(match (key.as_str(), &entry.value) {
        ("default" | "skip", Value::Flag) => key,
        ("skip_deserializing", Value::Flag) => "skip".to_owned(),
        ("default", Value::Expr(expr)) => match string_literal(expr) {
            Some(path) => format!("default = {}()", path.value()),
            None => format!("default = {}", text(expr)),
        },
        ("rename" | "description" | "example", Value::Expr(expr)) => format!("{key} = {}", text(expr)),
        ("regex" | "pattern", Value::Expr(expr)) => format!("pattern = {}", text(expr)),
        ("regex", Value::List(tokens)) => {
            let inner = entries::parse(tokens.clone(), &mut Errors::default());
            return inner.iter().find_map(instead);
        }
        ("extend", Value::List(tokens)) => {
            let pair = |input: ParseStream<'_>| {
                let key: LitStr = input.parse()?;
                input.parse::<Token![=]>()?;
                Ok((key.value(), input.parse::<Expr>()?))
            };
            let (key, value) = pair.parse2(tokens.clone()).ok().filter(|(key, _)| key == "format")?;
            format!("{key} = {}", text(&value))
        }
        ("range" | "length", Value::List(tokens)) => format!("{key}({})", tokens.to_string().replace(" ,", ",")),
        ("email", Value::Flag) => "format = \"email\"".to_owned(),
        ("url", Value::Flag) => "format = \"uri\"".to_owned(),
        _ => return None,
    })
}

fn text(expr: &Expr) -> String {
    expr.to_token_stream().to_string()
}

#[cfg(test)]
mod tests {
    use syn::{Attribute, parse_quote};

    use super::*;

    fn message(attr: Attribute) -> String {
        let mut errors = Errors::default();
        let mut attrs = vec![attr];
        refuse(&mut attrs, &mut errors);
        assert!(attrs.is_empty());
        errors.messages().remove(0)
    }

    #[test]
    fn what_a_parameter_has_a_key_for_is_translated() {
        for (attr, expected) in [
            (parse_quote!(#[serde(default)]), "`#[arg(default)]`"),
            (parse_quote!(#[serde(default = "ten", rename = "n")]), "`#[arg(default = ten(), rename = \"n\")]`"),
            (parse_quote!(#[schemars(range(min = 1, max = 9))]), "`#[arg(range(min = 1, max = 9))]`"),
            (parse_quote!(#[schemars(regex(pattern = "^a"))]), "`#[arg(pattern = \"^a\")]`"),
            (parse_quote!(#[validate(email, length(min = 1))]), "`#[arg(format = \"email\", length(min = 1))]`"),
            (parse_quote!(#[schemars(extend("format" = "date"))]), "`#[arg(format = \"date\")]`"),
            (parse_quote!(#[serde(skip)]), "`#[arg(skip)]`"),
        ] {
            let message = message(attr);
            assert!(message.ends_with(&format!("write {expected}")), "{message}");
        }
    }

    #[test]
    fn what_a_parameter_has_no_key_for_is_refused_all_the_same() {
        for attr in [
            parse_quote!(#[serde(with = "hex")]),
            parse_quote!(#[schemars(extend("x-unit" = "m"))]),
            parse_quote!(#[validate]),
        ] {
            assert!(message(attr).contains("has no such key"));
        }
    }
}
