//! The items our attributes stand on, as far as they matter here. A function's body is never looked into: it goes
//! back to the compiler as it came.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::{
    Attribute, FnModifiers, Signature, Token, Visibility,
    parse::{Parse, ParseStream},
};

/// A function with or without a body.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) modifiers: FnModifiers,
    pub(crate) sig: Signature,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Block(Group),
    Semicolon(Token![;]),
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let mut modifiers = FnModifiers::default();
        if input.peek(Token![default]) {
            modifiers.defaultness = Some(input.parse()?);
        }
        let sig = input.parse()?;
        let body = if input.peek(Token![;]) { Body::Semicolon(input.parse()?) } else { Body::Block(block(input)?) };
        Ok(Self { attrs, vis, modifiers, sig, body })
    }
}

fn block(input: ParseStream<'_>) -> syn::Result<Group> {
    input.step(|cursor| match cursor.token_tree() {
        Some((TokenTree::Group(group), rest)) if group.delimiter() == Delimiter::Brace => Ok((group, rest)),
        _ => Err(cursor.error("expected the function's body or `;`")),
    })
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(tokens);
        self.modifiers.defaultness.to_tokens(tokens);
        self.sig.to_tokens(tokens);
        match &self.body {
            Body::Block(block) => block.to_tokens(tokens),
            Body::Semicolon(semicolon) => semicolon.to_tokens(tokens),
        }
    }
}

/// Whether an attribute's path is `name`, or ends in it below our crate (`agentscope_tool::tool`).
pub(crate) fn is_ours(attr: &Attribute, name: &str) -> bool {
    let path = attr.path();
    path.is_ident(name)
        || (path.segments.len() == 2 && path.segments.last().is_some_and(|segment| segment.ident == name))
}

/// Takes the attributes of the given names out of a list.
pub(crate) fn take(attrs: &mut Vec<Attribute>, name: &str) -> Vec<Attribute> {
    attrs.extract_if(.., |attr| attr.path().is_ident(name)).collect()
}
