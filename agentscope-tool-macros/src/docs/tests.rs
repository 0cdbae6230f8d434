use proc_macro2::Span;
use quote::quote;
use syn::parse_quote;

use super::{Docs, read};

fn docs(function: syn::ItemFn) -> Docs {
    read(&function.attrs)
}

fn text(docs: &Docs) -> String {
    let tokens = docs.description.to_expr(Span::call_site(), &quote!(core));
    match syn::parse2::<syn::LitStr>(tokens.clone()) {
        Ok(literal) => literal.value(),
        Err(_) => tokens.to_string(),
    }
}

fn arguments(docs: &Docs) -> Vec<(&str, &str)> {
    docs.arguments.iter().map(|entry| (entry.name.as_str(), entry.text.as_str())).collect()
}

#[test]
fn paragraphs_and_lines_are_kept_and_the_margin_goes() {
    let docs = docs(parse_quote! {
        /// Get the weather.
        ///
        /// Second paragraph,
        /// second line.
        ///
        /// - a list
        ///   goes on
        fn f() {}
    });
    assert_eq!(text(&docs), "Get the weather.\n\nSecond paragraph,\nsecond line.\n\n- a list\n  goes on");
}

#[test]
fn sections_for_human_callers_are_left_out_and_others_stay() {
    let docs = docs(parse_quote! {
        /// Do it.
        ///
        /// # Errors
        ///
        /// When it fails.
        /// ## Detail
        /// More of it.
        ///
        /// # Notes
        ///
        /// Keep this.
        /// # Examples
        /// ```
        /// # hidden
        /// f();
        /// ```
        fn f() {}
    });
    assert_eq!(text(&docs), "Do it.\n\n# Notes\n\nKeep this.");
}

#[test]
fn a_heading_inside_of_code_is_code() {
    let docs = docs(parse_quote! {
        /// Run a script.
        ///
        /// ```sh
        /// # Examples
        ///
        ///
        /// ls
        /// ```
        fn f() {}
    });
    assert_eq!(text(&docs), "Run a script.\n\n```sh\n# Examples\n\n\nls\n```");
}

#[test]
fn a_block_comment_loses_its_stars() {
    let docs = docs(parse_quote! {
        /** Do it.
         *
         *  Well.
         */
        fn f() {}
    });
    assert_eq!(text(&docs), "Do it.\n\nWell.");
    let docs = self::docs(parse_quote! { /** One line. */ fn f() {} });
    assert_eq!(text(&docs), "One line.");
}

#[test]
fn a_blank_comment_is_empty() {
    let docs = docs(parse_quote! {
        ///
        ///
        fn f() {}
    });
    assert!(docs.description.is_empty());
    let docs = self::docs(parse_quote! { fn f() {} });
    assert!(docs.description.is_empty());
    let docs = self::docs(parse_quote! {
        /// # Errors
        /// Always.
        fn f() {}
    });
    assert!(docs.description.is_empty());
}

#[test]
fn other_expressions_stay_expressions() {
    let docs = docs(parse_quote! {
        /// Before.
        #[doc = include_str!("weather.md")]
        /// After.
        fn f() {}
    });
    assert!(!docs.description.is_empty());
    assert_eq!(
        text(&docs),
        r#"core :: primitive :: str :: trim (core :: concat ! ("Before.\n" , include_str ! ("weather.md") , "\nAfter."))"#
    );
}

#[test]
fn the_argument_list_is_read_in_its_usual_forms() {
    let docs = docs(parse_quote! {
        /// Do it.
        ///
        /// # Arguments
        ///
        /// * `city` - The city,
        ///   in full.
        /// * `unit`: Celsius or
        /// Fahrenheit.
        ///   - nested
        /// - days - How many.
        /// - hours: Or these.
        /// - `raw` (a flag) – Raw.
        /// - `r#type` — Kind.
        /// - `plain` Text.
        /// - an odd remark
        ///
        /// Prose.
        fn f() {}
    });
    assert_eq!(text(&docs), "Do it.");
    assert_eq!(
        arguments(&docs),
        [
            ("city", "The city, in full."),
            ("unit", "Celsius or Fahrenheit.\n- nested"),
            ("days", "How many."),
            ("hours", "Or these."),
            ("raw", "Raw."),
            ("type", "Kind."),
            ("plain", "Text."),
        ]
    );
}
