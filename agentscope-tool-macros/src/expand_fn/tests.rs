use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::expand;

fn three_arguments() -> TokenStream {
    quote! {
        /// Get the current weather for a city.
        pub async fn get_weather(
            /// The city name to look up.
            #[arg(length(min = 1))]
            city: String,
            /// Temperature unit.
            #[arg(default = Unit::Celsius)]
            unit: Unit,
            /// How many days ahead.
            days: Option<u8>,
        ) -> Result<String, WeatherError> {
            forecast(city, unit, days).await
        }
    }
}

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

#[test]
fn a_tool_of_three_arguments_expands_to_less_than_sixty_lines() {
    let text = pretty(expand(quote!(read_only), three_arguments()));
    let lines = text.lines().count();
    assert!(lines < 60, "{lines} lines:\n{text}");
}

#[test]
fn only_a_tool_with_a_permission_checks_it() {
    let text = pretty(expand(quote!(read_only), three_arguments()));
    assert!(!text.contains("permission") && !text.contains("fill_defaults"), "{text}");
    let text = pretty(expand(quote!(permission = self::may_get), three_arguments()));
    assert!(text.contains("__p::ask(self::may_get, input, cx)") && text.contains(".fill_defaults(true)"), "{text}");
}

#[test]
fn what_is_written_instead_of_a_path_is_shown_as_one() {
    for (written, expected) in [
        (quote!("may::get"), "write `permission = may::get` without quotes"),
        (quote!("may get"), "write `permission = may_run` without quotes"),
        (quote!(<T as May<u8>>::get(x)), "write `permission = <T as May<u8>>::get` without calling it"),
        (quote!(may()()), "write `permission = may_run` without calling it"),
        (quote!(true), "must be the path of a function"),
    ] {
        let text = expand(quote!(permission = #written), three_arguments()).to_string();
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn the_function_stays_as_it_was_without_our_attributes() {
    let text = pretty(expand(quote!(read_only), three_arguments()));
    let expected = "/// Get the current weather for a city.
pub async fn get_weather(
    city: String,
    unit: Unit,
    days: Option<u8>,
) -> Result<String, WeatherError> {
    forecast(city, unit, days).await
}
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn the_function_is_emitted_beside_an_error_too() {
    let text = pretty(expand(quote!(readonly), three_arguments()));
    assert!(text.contains("pub async fn get_weather(\n    city: String,"), "{text}");
    assert!(text.contains("pub struct GetWeather;"), "{text}");
    assert!(text.contains("did you mean `read_only`?"), "{text}");
}

/// Every identifier that stands alone, not as the segment of a longer path, a field or a method.
fn bare(tokens: TokenStream, found: &mut Vec<String>) {
    let mut before = None;
    for tree in tokens {
        match &tree {
            TokenTree::Group(group) => bare(group.stream(), found),
            TokenTree::Ident(ident) if !matches!(before, Some(':' | '.')) => found.push(ident.to_string()),
            _ => {}
        }
        before = match tree {
            TokenTree::Punct(punct) => Some(punct.as_char()),
            _ => None,
        };
    }
}

#[test]
fn generated_code_uses_no_name_that_a_user_could_shadow() {
    let item = quote! {
        /// Works.
        fn work(/** A. */ #[arg(default = 1)] a: Option<f64>, /** B. */ b: u8, #[state] s: State<Db>, #[context] cx: ToolContext) {}
    };
    let mut found = Vec::new();
    bare(expand(quote!(blocking, permission = may::work, struct = Worker), item), &mut found);
    for name in [
        "Result", "Ok", "Err", "Some", "None", "Vec", "String", "Box", "Send", "Sync", "Clone", "Default", "Into",
        "bool", "str", "std", "core",
    ] {
        assert!(!found.iter().any(|ident| ident == name), "{name} in {found:?}");
    }
}

#[test]
fn a_shared_type_is_an_argument_only_where_it_is_marked_as_one() {
    let refusal = "is not something a model can send";
    for (parameter, refused) in [
        (quote!(a: Arc<Item>), true),
        (quote!(#[arg] a: Arc<Item>), false),
        (quote!(#[arg] a: &Item), true),
        (quote!(#[state] a: Arc<Item>), false),
        (quote!(a: Arc<str>), false),
        // A user's own type of that name.
        (quote!(a: State), false),
    ] {
        let item = quote! {
            /// Works.
            fn work(/** A. */ #parameter) {}
        };
        let text = expand(quote!(), item).to_string();
        assert_eq!(text.contains(refusal), refused, "{parameter}");
    }
}
