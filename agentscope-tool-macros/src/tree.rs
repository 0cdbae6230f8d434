//! The tree of a type, `impl ToolType`, and its judgement at the fields.
//!
//! It reads the attributes of serde and schemars as schemars does. What it cannot read it leaves open: the type is then
//! opaque to the compiler's check, and works all the same.

mod attrs;
mod judgement;
mod notes;
mod rename;

pub(crate) use judgement::{arguments, typed};

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Data, DeriveInput, Fields, LitStr, Type, punctuated::Punctuated};

use crate::{attr::entries::Value, names::plain, parts::site};

use attrs::Attrs;
use notes::notes;
use rename::Rename;

/// `impl ToolType for …`, and, with `is_judged`, a constant for each field that fails where `profiles` refuse it.
pub(crate) fn implementation(
    input: &DeriveInput,
    profiles: &TokenStream,
    krate: &TokenStream,
    is_judged: bool,
) -> TokenStream {
    let span = site(input.ident.span());
    let mut tree = Tree { input, span, checks: Vec::new() };
    let is_generic = !input.generics.params.is_empty();
    // Of a generic type that is named in its own fields the compiler could not evaluate the tree.
    if is_generic && tree.contains_itself() {
        return TokenStream::new();
    }
    let ty = tree.ty();
    let mut generics = input.generics.clone();
    let bounds = input.generics.type_params().filter_map(|param| {
        let param = &param.ident;
        syn::parse2::<syn::WherePredicate>(quote_spanned!(span=> #param: __p::tree::ToolType)).ok()
    });
    generics.make_where_clause().predicates.extend(bounds);
    let (parameters, _, bounds) = generics.split_for_impl();
    let (statics, node) = match (tree.alias(), tree.node()) {
        (Some(alias), _) => (None, quote_spanned!(span=> <__p::Probe<#alias>>::NODE)),
        (None, None) => return TokenStream::new(),
        (None, Some((node, _))) if is_generic => {
            (None, quote_spanned!(span=> __p::tree::NodeRef::of(const { &#node })))
        }
        (None, Some((node, name))) => {
            let place = format!(":{}", name.value());
            let checks = tree.checks.iter().filter(|_| is_judged);
            let statics = quote_spanned! {span=>
                static __NODE: __p::tree::Node = #node
                    .identity(__p::core::concat!(__p::core::module_path!(), ":", __p::core::line!(), ":", __p::core::column!(), #place))
                    .checked(#profiles);
                #(#checks)*
            };
            (Some(statics), quote_spanned!(span=> __p::tree::NodeRef::of(&__NODE)))
        }
    };
    quote_spanned! {span=>
        const _: () = {
            use #krate::__private::{self as __p, probes::*};
            #statics
            #[automatically_derived]
            impl #parameters __p::tree::ToolType for #ty #bounds {
                const NODE: __p::tree::NodeRef = #node;
            }
        };
    }
}

struct Tree<'i> {
    input: &'i DeriveInput,
    span: Span,
    /// The constants that fail where a profile refuses a field.
    checks: Vec<TokenStream>,
}

/// What is true of all fields of a struct or a variant.
#[derive(Clone, Copy)]
struct Around<'a> {
    rename: Rename,
    /// The expression of the struct's default, of which a field is a part.
    default: Option<&'a TokenStream>,
    /// The index of the variant.
    variant: Option<usize>,
}

impl Tree<'_> {
    /// The expression of the node and the name of the type; nothing if the type is left open.
    fn node(&mut self) -> Option<(TokenStream, LitStr)> {
        let span = self.span;
        let attrs = Attrs::read(&self.input.attrs);
        let name = attrs.text("rename").map_or_else(|| plain(&self.input.ident), |name| name.value());
        let name = LitStr::new(&name, span);
        if attrs.is_broken || ["schema_with", "remote", "_unstable_ref_variants"].iter().any(|key| attrs.has(key)) {
            return None;
        }
        let input = self.input;
        let notes = notes(&input.attrs, &attrs, false, span);
        if let Some(value) = replaced(&attrs) {
            let ty = Attrs::ty(value)?;
            let field = quote_spanned!(span=> __p::tree::Field::new("", <__p::Probe<#ty>>::NODE));
            let kind = quote_spanned!(span=> __p::tree::Kind::Newtype(const { &#field }));
            return Some((quote_spanned!(span=> __p::tree::Node::named(#name, #kind) #notes), name));
        }
        let default = match attrs.get("default") {
            None => None,
            Some(Value::Flag) => {
                let ty = self.ty();
                Some(quote_spanned!(span=> <#ty as __p::core::default::Default>::default()))
            }
            Some(value) => {
                let path = Attrs::path(value)?;
                Some(quote_spanned!(span=> #path()))
            }
        };
        let rename = attrs.rename_all("rename_all");
        let is_closed = attrs.has("deny_unknown_fields");
        let kind = match &input.data {
            Data::Struct(data) => {
                let around = Around { rename, default: default.as_ref(), variant: None };
                match &data.fields {
                    Fields::Named(fields) => {
                        let fields = self.fields(&fields.named, around)?;
                        quote_spanned!(span=> __p::tree::Kind::Struct { fields: const { &[#(#fields),*] }, is_closed: #is_closed })
                    }
                    Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                        let field = self.fields(&fields.unnamed, around)?.pop()?;
                        quote_spanned!(span=> __p::tree::Kind::Newtype(const { &#field }))
                    }
                    Fields::Unnamed(fields) => {
                        let fields = self.fields(&fields.unnamed, around)?;
                        quote_spanned!(span=> __p::tree::Kind::Tuple(const { &[#(#fields),*] }))
                    }
                    Fields::Unit => quote_spanned!(span=> __p::tree::Kind::Scalar(&[__p::tree::Scalar::Null])),
                }
            }
            Data::Enum(data) => {
                let fields_rename = attrs.rename_all("rename_all_fields");
                let mut variants = Vec::new();
                for variant in &data.variants {
                    let read = Attrs::read(&variant.attrs);
                    if read.is_broken || read.own("with").is_some() || read.has("schema_with") {
                        return None;
                    }
                    if !read.is_skipped() {
                        let index = variants.len();
                        variants.push(self.variant(variant, &read, rename, fields_rename, index)?);
                    }
                }
                let tagging = tagging(&attrs, span);
                quote_spanned! {span=> __p::tree::Kind::Enum {
                    tagging: #tagging, variants: const { &[#(#variants),*] }, is_closed: #is_closed
                } }
            }
            Data::Union(_) => return None,
        };
        let inline = attrs.own("inline").map(|_| quote_spanned!(span=> .inline()));
        Some((quote_spanned!(span=> __p::tree::Node::named(#name, #kind) #inline #notes), name))
    }

    fn ty(&self) -> TokenStream {
        let ident = &self.input.ident;
        let (_, arguments, _) = self.input.generics.split_for_impl();
        quote!(#ident #arguments)
    }

    /// The type that this one is the same as: where an attribute says so or where it is transparent, and nothing else is
    /// said of it.
    fn alias(&self) -> Option<Type> {
        let attrs = Attrs::read(&self.input.attrs);
        if attrs.is_broken || !notes(&self.input.attrs, &attrs, false, self.span).is_empty() {
            return None;
        }
        if let Some(value) = attrs.own("with") {
            return Attrs::ty(value);
        }
        let Data::Struct(data) = &self.input.data else { return None };
        if !attrs.has("transparent") || replaced(&attrs).is_some() {
            return None;
        }
        let mut fields = data.fields.iter().filter(|field| {
            let attrs = Attrs::read(&field.attrs);
            !attrs.is_skipped() && !attrs.has("default") && !crate::types::is_named(&field.ty, "PhantomData")
        });
        let field = fields.next()?;
        let read = Attrs::read(&field.attrs);
        let is_plain = read.own("with").is_none()
            && !read.has("schema_with")
            && notes(&field.attrs, &read, true, self.span).is_empty();
        is_plain.then(|| field.ty.clone())
    }

    /// Whether the type is named in its own fields. Of a generic type the compiler could not evaluate such a tree.
    fn contains_itself(&self) -> bool {
        fn names(tokens: TokenStream, ident: &proc_macro2::Ident) -> bool {
            tokens.into_iter().any(|tree| match tree {
                TokenTree::Ident(found) => found == *ident || found == "Self",
                TokenTree::Group(group) => names(group.stream(), ident),
                _ => false,
            })
        }
        let mut types: Vec<&Type> = Vec::new();
        match &self.input.data {
            Data::Struct(data) => types.extend(data.fields.iter().map(|field| &field.ty)),
            Data::Enum(data) => {
                types.extend(data.variants.iter().flat_map(|variant| &variant.fields).map(|field| &field.ty))
            }
            Data::Union(_) => {}
        }
        types.into_iter().any(|ty| names(ty.to_token_stream(), &self.input.ident))
    }

    fn variant(
        &mut self,
        variant: &syn::Variant,
        attrs: &Attrs,
        rename: Rename,
        fields_rename: Rename,
        index: usize,
    ) -> Option<TokenStream> {
        let span = self.span;
        let name = attrs.text("rename").map_or_else(|| rename.variant(&plain(&variant.ident)), |name| name.value());
        let name = LitStr::new(&name, span);
        let rename = match attrs.rename_all("rename_all") {
            Rename::None => fields_rename,
            own => own,
        };
        let around = Around { rename, default: None, variant: Some(index) };
        let shape = match &variant.fields {
            Fields::Unit => quote_spanned!(span=> __p::tree::Shape::Unit),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let field = self.fields(&fields.unnamed, around)?.pop()?;
                quote_spanned!(span=> __p::tree::Shape::Newtype(const { &#field }))
            }
            Fields::Unnamed(fields) => {
                let fields = self.fields(&fields.unnamed, around)?;
                quote_spanned!(span=> __p::tree::Shape::Tuple(const { &[#(#fields),*] }))
            }
            Fields::Named(fields) => {
                let fields = self.fields(&fields.named, around)?;
                quote_spanned!(span=> __p::tree::Shape::Struct(const { &[#(#fields),*] }))
            }
        };
        let notes = notes(&variant.attrs, attrs, false, span);
        let untagged = attrs.has("untagged").then(|| quote_spanned!(span=> .untagged()));
        Some(quote_spanned!(span=> __p::tree::Variant::new(#name, #shape) #notes #untagged))
    }

    /// The fields that are decoded, in their order.
    fn fields(
        &mut self,
        fields: &Punctuated<syn::Field, syn::Token![,]>,
        around: Around<'_>,
    ) -> Option<Vec<TokenStream>> {
        let mut written = Vec::new();
        for (place, field) in fields.iter().enumerate() {
            let attrs = Attrs::read(&field.attrs);
            if attrs.is_broken {
                return None;
            }
            if attrs.is_skipped() {
                continue;
            }
            let index = written.len();
            written.push(self.field(field, &attrs, place, index, around)?);
        }
        Some(written)
    }

    fn field(
        &mut self,
        field: &syn::Field,
        attrs: &Attrs,
        place: usize,
        index: usize,
        around: Around<'_>,
    ) -> Option<TokenStream> {
        let span = self.span;
        let key = match &field.ident {
            Some(ident) => attrs.text("rename").map_or_else(|| around.rename.field(&plain(ident)), |name| name.value()),
            None => String::new(),
        };
        let with = attrs.own("with").or_else(|| attrs.of_serde("with"));
        let ty = match with {
            Some(value) => Attrs::ty(value)?,
            None => field.ty.clone(),
        };
        let is_known = with.is_none() && attrs.own("schema_with").is_none() && judgement::is_taken(&ty, &key);
        let node = match attrs.own("schema_with") {
            Some(_) => quote_spanned!(span=> <__p::Probe<()> as __p::tree::Opaque>::NODE),
            None => quote_spanned!(span=> <__p::Probe<#ty>>::NODE),
        };
        let mut calls = notes(&field.attrs, attrs, true, span);
        if attrs.has("flatten") {
            calls.extend(quote_spanned!(span=> .flatten()));
        }
        if attrs.own("required").is_some() || attrs.others.iter().any(|entry| entry.key == "required") {
            calls.extend(quote_spanned!(span=> .required()));
        }
        calls.extend(self.default(field, attrs, place, around)?);
        if !is_known {
            self.check(&field.ty, index, around.variant);
        }
        let key = LitStr::new(&key, span);
        Some(quote_spanned!(span=> __p::tree::Field::new(#key, #node) #calls))
    }

    /// `.or(|| …)`, what the field is when it is left out.
    fn default(
        &self,
        field: &syn::Field,
        attrs: &Attrs,
        place: usize,
        around: Around<'_>,
    ) -> Option<Option<TokenStream>> {
        let span = self.span;
        let ty = &field.ty;
        let value = match (attrs.get("default"), around.default) {
            (None, None) => return Some(None),
            (None, Some(whole)) => {
                let member = match &field.ident {
                    Some(ident) => ident.to_token_stream(),
                    None => syn::Index::from(place).to_token_stream(),
                };
                quote_spanned!(span=> (#whole).#member)
            }
            (Some(Value::Flag), _) => quote_spanned!(span=> <#ty as __p::core::default::Default>::default()),
            (Some(value), _) => {
                let path = Attrs::path(value)?;
                quote_spanned!(span=> #path())
            }
        };
        if attrs.has("skip_serializing") {
            return Some(Some(quote_spanned!(span=> .or(|| __p::core::option::Option::None))));
        }
        let serialize = match (attrs.of_serde("serialize_with"), attrs.of_serde("with")) {
            (Some(value), _) => Some(Attrs::path(value)?.into_token_stream()),
            (None, Some(value)) => {
                let module = Attrs::path(value)?;
                Some(quote_spanned!(span=> #module::serialize))
            }
            (None, None) => None,
        };
        let written = match serialize {
            Some(serialize) => quote_spanned!(span=> #serialize(&__default, __p::serde_json::value::Serializer).ok()),
            None => quote_spanned!(span=> __p::Written(__default).value()),
        };
        let written = match attrs.get("skip_serializing_if") {
            Some(value) => {
                let skip = Attrs::path(value)?;
                quote_spanned!(span=> if #skip(&__default) { __p::core::option::Option::None } else { #written })
            }
            None => written,
        };
        Some(Some(quote_spanned!(span=> .or(|| { let __default = #value; #written }))))
    }

    /// The constant that fails where a profile refuses the field, placed at the field's type.
    fn check(&mut self, ty: &Type, index: usize, variant: Option<usize>) {
        let check = match variant {
            Some(variant) => judgement::at(ty, "variant", &quote!(&__NODE, #variant, #index)),
            None => judgement::at(ty, "field", &quote!(&__NODE, #index)),
        };
        self.checks.push(check);
    }
}

/// The type that stands in the place of this one.
fn replaced(attrs: &Attrs) -> Option<&Value> {
    attrs.own("with").or_else(|| attrs.get("from")).or_else(|| attrs.get("try_from"))
}

fn tagging(attrs: &Attrs, span: Span) -> TokenStream {
    let text = |key: &str| attrs.text(key).map(|text| LitStr::new(&text.value(), span));
    match (text("tag"), text("content")) {
        _ if attrs.has("untagged") => quote_spanned!(span=> __p::tree::Tagging::Untagged),
        (Some(tag), Some(content)) => quote_spanned!(span=> __p::tree::Tagging::Adjacent(#tag, #content)),
        (Some(tag), None) => quote_spanned!(span=> __p::tree::Tagging::Internal(#tag)),
        _ => quote_spanned!(span=> __p::tree::Tagging::External),
    }
}
