//! `#[derive(ToolArgs)]` and `#[tool_args]`: types that arguments are decoded into.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, Data, DeriveInput, Field, Fields, Meta, Path, Token, parse::Parser, punctuated::Punctuated};

use crate::{
    ast::take,
    attr::{
        arg,
        entries::{self, Value},
        flags::{Flags, Place},
    },
    docs,
    errors::Errors,
    fallback, krate,
    parts::site,
    tree,
};

/// Expands `#[derive(ToolArgs)] item`.
pub(crate) fn expand_derive(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let marks = take(&mut input.attrs, "args");
    let entries = marks.iter().flat_map(|mark| entries::of_attribute(mark, &mut errors)).collect();
    let flags = Flags::read(entries, Place::Args, &mut errors);
    let krate = krate::path(flags.krate.as_ref(), site(input.ident.span()));
    check(&input, flags.is_undocumented(), &mut errors);

    let ident = &input.ident;
    let span = site(ident.span());
    let (generics, arguments, _) = input.generics.split_for_impl();
    let ty = quote!(#ident #arguments);
    let mut bounded = input.generics.clone();
    let p = quote_spanned!(span=> #krate::__private);
    let bound = quote_spanned! {span=>
        #ty: #p::Argument + #p::core::marker::Send + #p::core::marker::Sync + 'static
    };
    bounded.make_where_clause().predicates.extend(syn::parse2::<syn::WherePredicate>(bound).ok());
    let bounds = &bounded.where_clause;
    // A type that borrows, or a union, can be no `ToolArgs`, which is reported already.
    let possible = input.generics.lifetimes().next().is_none() && !matches!(input.data, Data::Union(_));
    let implementation = possible.then(|| {
        quote_spanned! {span=>
            #[automatically_derived]
            impl #generics #krate::__private::ToolArgs for #ty #bounds {}
        }
    });
    let tree = possible.then(|| tree::implementation(&input, &flags.profiles(span), &krate, errors.is_empty()));
    let errors = errors.into_tokens();
    quote!(#implementation #tree #errors)
}

/// Expands `#[derive(ToolType)] item`: the tree alone, for a type that is a part of arguments.
pub(crate) fn expand_type(item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let mut input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let marks = take(&mut input.attrs, "args");
    let entries = marks.iter().flat_map(|mark| entries::of_attribute(mark, &mut errors)).collect();
    let flags = Flags::read(entries, Place::Args, &mut errors);
    let span = site(input.ident.span());
    let krate = krate::path(flags.krate.as_ref(), span);
    if let Data::Union(data) = &input.data {
        errors.at(data.union_token, "a union cannot be decoded: write a struct or an enum");
    }
    let tree = tree::implementation(&input, &flags.profiles(span), &krate, errors.is_empty());
    let errors = errors.into_tokens();
    quote!(#tree #errors)
}

fn check(input: &DeriveInput, undocumented: bool, errors: &mut Errors) {
    for param in input.generics.lifetimes() {
        errors.at(
            &param.lifetime,
            "arguments are decoded from the model's JSON and must own their data: use owned types or `'static`",
        );
    }
    let ident = &input.ident;
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => check_fields(fields.named.iter(), undocumented, errors),
            Fields::Unnamed(_) => errors.at(
                ident,
                "arguments are an object, which a tuple struct is not: name the fields, or derive only `Deserialize` and `JsonSchema` for a type inside of other arguments",
            ),
            Fields::Unit => errors.at(ident, "arguments are an object, which a unit struct is not: write `{}` instead of `;`"),
        },
        Data::Enum(data) => {
            for variant in &data.variants {
                refuse_parameter_attributes(&variant.attrs, errors);
                match &variant.fields {
                    Fields::Named(fields) => check_fields(fields.named.iter(), undocumented, errors),
                    Fields::Unnamed(fields) => fields.unnamed.iter().for_each(|field| refuse_parameter_attributes(&field.attrs, errors)),
                    Fields::Unit => {}
                }
            }
        }
        Data::Union(data) => errors.at(data.union_token, "a union cannot be decoded: write a struct or an enum"),
    }
}

fn check_fields<'f>(fields: impl Iterator<Item = &'f Field>, undocumented: bool, errors: &mut Errors) {
    for field in fields {
        refuse_parameter_attributes(&field.attrs, errors);
        if let Some(name) = &field.ident
            && !undocumented
            && docs::read(&field.attrs).description.is_empty()
            && !is_described_otherwise(&field.attrs)
        {
            let text = name.to_string();
            errors.at(name, format!("the field `{text}` has no description, and a model cannot fill it in without: write a doc comment, or `undocumented` for the type"));
        }
    }
}

/// Whether a field is invisible to the model, spread into others, or described by schemars' attributes.
fn is_described_otherwise(attrs: &[Attribute]) -> bool {
    let mut found = false;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde") || attr.path().is_ident("schemars")) {
        // Faults in these attributes are for the derives that own them to report.
        let _ = attr.parse_nested_meta(|meta| {
            let is = |names: &[&str]| names.iter().any(|name| meta.path.is_ident(name));
            found |= is(&["skip", "skip_deserializing", "flatten", "description", "doc", "schema_with"]);
            if meta.input.peek(Token![=]) {
                meta.value()?.parse::<syn::Expr>()?;
            } else if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        });
    }
    found
}

/// Reports attributes that belong on a function's parameters.
fn refuse_parameter_attributes(attrs: &[Attribute], errors: &mut Errors) {
    for attr in attrs {
        if attr.path().is_ident("state") || attr.path().is_ident("context") {
            let name = attr.path().to_token_stream();
            errors.at(
                attr.path(),
                format!("`#[{name}]` marks a function's parameter: a field cannot be injected, so remove it"),
            );
        } else if attr.path().is_ident("arg") {
            // Another derive, such as clap's, may have an attribute of this name.
            let entries = entries::of_attribute(attr, &mut Errors::default());
            if let Some(entry) =
                entries.iter().find(|entry| entry.key != "skip" && arg::KEYS.contains(&entry.key.to_string().as_str()))
            {
                let instead = instead(&entry.key.to_string(), &entry.value);
                errors
                    .at(attr.path(), format!("`#[arg]` describes a function's parameter: on a field write {instead}"));
            }
        }
    }
}

/// The attribute that says on a field what `key` says on a parameter.
fn instead(key: &str, value: &Value) -> String {
    let text = match value {
        Value::Expr(expr) => expr.to_token_stream().to_string(),
        _ => "…".to_owned(),
    };
    match key {
        "default" => "`#[serde(default = \"path::to_function\")]`".to_owned(),
        "rename" => format!("`#[serde(rename = {text})]`"),
        "pattern" => format!("`#[schemars(regex(pattern = {text}))]`"),
        "format" => format!("`#[schemars(extend(\"format\" = {text}))]`"),
        "example" => format!("`#[schemars(example = {text})]`"),
        "description" => "a doc comment".to_owned(),
        key => format!("`#[schemars({key}(min = …, max = …))]`"),
    }
}

/// Expands `#[tool_args(attr)] item`.
pub(crate) fn expand_attribute(attr: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let flags = Flags::read(entries::parse(attr.clone(), &mut errors), Place::ToolArgs, &mut errors);
    let input: DeriveInput = match syn::parse2(item.clone()) {
        Ok(input) => input,
        Err(error) => {
            let function = syn::parse2::<crate::ast::Function>(item.clone())
                .ok()
                .map(|function| function.sig.fn_token.into_token_stream());
            match function.or_else(|| fallback::keyword(&item).map(|(keyword, _)| keyword.into_token_stream())) {
                Some(keyword) => {
                    errors.at(keyword, "`#[tool_args]` is for structs and enums: move it to the type of the arguments")
                }
                None => errors.push(error),
            }
            let errors = errors.into_tokens();
            return quote!(#item #errors);
        }
    };
    let span = site(input.ident.span());
    let krate = krate::path(flags.krate.as_ref(), span);
    let present = derived(&input.attrs);
    if refuse_attributes_above(&input, &present, &mut errors) {
        let mut item = input;
        item.attrs.retain(|attr| !is_helper(attr));
        strip_helpers(&mut item.data);
        let stand_in = fallback::arguments(&item, &krate);
        let errors = errors.into_tokens();
        return quote!(#item #stand_in #errors);
    }
    let is_newtype = matches!(&input.data, Data::Struct(data) if matches!(&data.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1));
    let derives: Vec<TokenStream> = [
        ("Serialize", quote_spanned!(span=> #krate::__private::serde::Serialize)),
        ("Deserialize", quote_spanned!(span=> #krate::__private::serde::Deserialize)),
        ("JsonSchema", quote_spanned!(span=> #krate::__private::schemars::JsonSchema)),
        // A newtype stands for the value inside of it: a part of other arguments, not arguments itself.
        match is_newtype {
            true => ("ToolType", quote_spanned!(span=> #krate::ToolType)),
            false => ("ToolArgs", quote_spanned!(span=> #krate::ToolArgs)),
        },
    ]
    .into_iter()
    .filter(|(name, _)| !present.iter().any(|present| present == name))
    .map(|(_, path)| path)
    .collect();
    let ours = attributes(&input, &flags, &krate, span);
    let errors = errors.into_tokens();
    quote_spanned!(span=> #[derive(#(#derives),*)] #ours #item #errors)
}

/// Reports attributes of the derives that stand above `#[tool_args]`. The compiler refuses them as well, since it looks
/// for them before it sees the derives, and does not say what to do.
fn refuse_attributes_above(input: &DeriveInput, present: &[String], errors: &mut Errors) -> bool {
    let is_derived = |attr: &Attribute| {
        let owners: &[&str] =
            if attr.path().is_ident("serde") { &["Serialize", "Deserialize"] } else { &["JsonSchema"] };
        present.iter().any(|present| owners.contains(&present.as_str()))
    };
    let mut found = false;
    for attr in input.attrs.iter().filter(|attr| is_helper(attr) && !is_derived(attr) && is_above(attr)) {
        let name = attr.path().to_token_stream();
        errors.at(attr.path(), format!("`#[{name}]` is known only below `#[tool_args]`: move it there"));
        found = true;
    }
    found
}

fn is_helper(attr: &Attribute) -> bool {
    attr.path().is_ident("serde") || attr.path().is_ident("schemars")
}

/// Whether an attribute stands above the one that is being expanded, in the same file.
fn is_above(attr: &Attribute) -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let (mark, attr) = (proc_macro::Span::call_site(), attr.pound_token.span.unwrap());
    attr.file() == mark.file() && (attr.line(), attr.column()) < (mark.line(), mark.column())
}

/// Takes the attributes of the derives off the fields and variants.
fn strip_helpers(data: &mut Data) {
    let strip = |attrs: &mut Vec<Attribute>| attrs.retain(|attr| !is_helper(attr));
    let fields = |fields: &mut Fields| fields.iter_mut().for_each(|field| strip(&mut field.attrs));
    match data {
        Data::Struct(data) => fields(&mut data.fields),
        Data::Enum(data) => data.variants.iter_mut().for_each(|variant| {
            strip(&mut variant.attrs);
            fields(&mut variant.fields);
        }),
        Data::Union(_) => {}
    }
}

/// The attributes that tell the derives where our re-exported crates are.
fn attributes(input: &DeriveInput, flags: &Flags, krate: &TokenStream, span: proc_macro2::Span) -> TokenStream {
    let mut tokens = TokenStream::new();
    for name in ["serde", "schemars"] {
        let chosen = input.attrs.iter().any(|attr| attr.path().is_ident(name) && names_crate(attr));
        if !chosen {
            let ident = Ident::new(name, span);
            let path = path_text(&quote!(#krate::__private::#ident));
            tokens.extend(quote_spanned!(span=> #[#ident(crate = #path)]));
        }
    }
    let undocumented = flags.is_undocumented().then(|| quote_spanned!(span=> undocumented,));
    let profiles = flags.named_profiles().map(|names| quote_spanned!(span=> profiles(#(#names),*),));
    tokens.extend(quote_spanned!(span=> #[args(#undocumented #profiles crate = #krate)]));
    tokens
}

fn path_text(path: &TokenStream) -> String {
    path.to_string().replace(' ', "")
}

/// Whether a serde or schemars attribute says `crate = "…"`.
fn names_crate(attr: &Attribute) -> bool {
    entries::of_attribute(attr, &mut Errors::default()).iter().any(|entry| entry.key == "crate")
}

/// The last names of the derives that stand on the item.
fn derived(attrs: &[Attribute]) -> Vec<String> {
    attrs
        .iter()
        .filter(|attr| attr.path().is_ident("derive"))
        .filter_map(|attr| match &attr.meta {
            Meta::List(list) => Punctuated::<Path, Token![,]>::parse_terminated.parse2(list.tokens.clone()).ok(),
            _ => None,
        })
        .flatten()
        .filter_map(|path| path.segments.last().map(|segment| segment.ident.to_string()))
        .collect()
}
