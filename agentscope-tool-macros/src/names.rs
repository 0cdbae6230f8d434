//! The rules for names: of tools, of arguments, of the types made for functions; and "did you mean".

use proc_macro2::Ident;
use syn::ext::IdentExt;

/// The longest name a tool or an argument may have; what the strictest provider takes.
const MAX_LENGTH: usize = 64;

/// Names the toolkit keeps for its own tools.
const RESERVED_TOOLS: [&str; 2] = ["Skill", "reset_tools"];

/// Names that a type made for a function must not take, since it would shadow them in the user's module: those of
/// Rust's prelude, and those that a tool's own signature is likely to use.
const SHADOWING: &[&str] = &[
    "Arc", "Box", "Clone", "Copy", "Debug", "Default", "Drop", "Eq", "Err", "Extend", "Fn", "From", "Future", "Hash",
    "Image", "Into", "Iterator", "Json", "None", "Ok", "Option", "Ord", "Result", "Self", "Send", "Sized", "Some",
    "State", "Stream", "String", "Sync", "ToString", "Tool", "Toolkit", "Toolset", "Unpin", "Vec",
];

/// What is wrong with a tool's name, if anything, as the end of a sentence.
pub(crate) fn tool_name_fault(name: &str) -> Option<String> {
    if RESERVED_TOOLS.contains(&name) {
        return Some("is reserved for the toolkit's own tool: choose another name".to_owned());
    }
    shape_fault(name)
}

/// What is wrong with an argument's name, if anything, as the end of a sentence.
pub(crate) fn argument_name_fault(name: &str) -> Option<String> {
    if name == "_agent_state" || name.starts_with("__") {
        return Some("is reserved for injected values: choose another name".to_owned());
    }
    shape_fault(name)
}

fn shape_fault(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("is empty: write at least one letter".to_owned());
    }
    if name.chars().count() > MAX_LENGTH {
        return Some(format!("is longer than {MAX_LENGTH} characters: shorten it"));
    }
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on_well = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    (!starts_well || !goes_on_well).then(|| {
        "is not accepted by model providers: start with a letter or `_` and use letters, digits, `_` and `-` only"
            .to_owned()
    })
}

/// An identifier's text without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// The name of the type made for a function: its name in `UpperCamelCase`. `Tool` is appended where the bare
/// name would clash with the function itself or shadow a name that the module is likely to use. `None` when no identifier comes out.
pub(crate) fn type_name(function: &str) -> Option<String> {
    let camel: String = function
        .split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters).collect::<Vec<_>>()
        })
        .collect();
    if !camel.starts_with(|c: char| c.is_alphabetic()) {
        return None;
    }
    if camel == function || SHADOWING.contains(&camel.as_str()) {
        return Some(camel + "Tool");
    }
    Some(camel)
}

/// The candidate that was most likely meant by `name`, if one is near enough.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A list in code style: `` `a`, `b` or `c` ``.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, front)) => format!("{} {last} {end}", front.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_functions_name_becomes_a_type_name() {
        for (function, expected) in [
            ("get_weather", "GetWeather"),
            ("w", "W"),
            ("_private", "Private"),
            ("get_2d", "Get2d"),
            ("__a__b", "AB"),
            ("Bash", "BashTool"),
            ("GetWeather", "GetWeatherTool"),
            ("getWeather", "GetWeather"),
            ("string", "StringTool"),
            ("self_", "SelfTool"),
            ("type", "Type"),
        ] {
            assert_eq!(type_name(function).as_deref(), Some(expected), "{function}");
        }
        assert_eq!(type_name("_2d"), None);
        assert_eq!(type_name("__"), None);
    }

    #[test]
    fn names_that_providers_refuse_are_refused() {
        for name in ["", "1st", "get weather", "wetter.de", "größe", "-x", &"x".repeat(65)] {
            assert!(shape_fault(name).is_some(), "{name}");
        }
        for name in ["a", "_a", "A-b_9", &"x".repeat(64)] {
            assert!(shape_fault(name).is_none(), "{name}");
        }
        assert!(tool_name_fault("Skill").is_some());
        assert!(argument_name_fault("_agent_state").is_some());
        assert!(argument_name_fault("__x").is_some());
        assert!(argument_name_fault("_x").is_none());
    }

    #[test]
    fn a_near_name_is_suggested_and_a_far_one_is_not() {
        assert_eq!(nearest("nmae", ["name", "title"]), Some("name"));
        assert_eq!(nearest("readonly", ["read_only", "title"]), Some("read_only"));
        assert_eq!(nearest("colour", ["name", "title"]), None);
    }
}
