//! The walk over a tree.
//!
//! Const evaluation knows no `for`, no `?`, no closures and no comparison of texts, hence the plain loops.

use super::super::profiles::is_same;
use super::super::{Field, Kind, Node, NodeRef, Profiles, Shape, Tagging, Variant};
use super::message::{Message, Segment};
use super::rules::{self, Fault};

/// How long a path may become. Nothing that any profile takes is nested as deeply.
const MAX_PATH: usize = 64;

pub(super) struct Walk {
    name: &'static str,
    /// The profiles that are asked about.
    asked: Profiles,
    path: [Segment; MAX_PATH],
    len: usize,
    /// The identities of the types that this place is inside of.
    open: [&'static str; MAX_PATH],
    opened: usize,
    /// How many objects and lists this place is inside of.
    depth: usize,
    pub(super) counts: Counts,
    pub(super) message: Message,
}

/// What is counted over a whole type.
pub(super) struct Counts {
    pub(super) properties: usize,
    pub(super) unions: usize,
    /// The characters of the names of properties and of the values of enums.
    pub(super) characters: usize,
}

impl Walk {
    pub(super) const fn new(name: &'static str, asked: Profiles) -> Self {
        Self {
            name,
            asked,
            path: [Segment::Items; MAX_PATH],
            len: 0,
            open: [""; MAX_PATH],
            opened: 0,
            // The arguments are an object.
            depth: 1,
            counts: Counts { properties: 0, unions: 0, characters: 0 },
            message: Message::new(),
        }
    }

    /// Says that `refusing` do not take what is at this place.
    const fn fault(&mut self, fault: Fault, refusing: Profiles) {
        if refusing.is_empty() {
            return;
        }
        if !self.message.is_empty() {
            self.message.push("\n");
        }
        self.message.push("`");
        self.message.push(self.name);
        let mut index = 0;
        while index < self.len {
            self.message.push_segment(self.path[index]);
            index += 1;
        }
        self.message.push("` ");
        self.message.push(fault.what());
        if let Some((number, most)) = fault.numbers() {
            self.message.push(" (");
            self.message.push_number(number);
            self.message.push(", at most ");
            self.message.push_number(most);
            self.message.push(")");
        }
        self.message.push(", which ");
        self.message.push_profiles(refusing);
        self.message.push(if refusing.is_one() { " does not take: " } else { " do not take: " });
        self.message.push(fault.instead());
    }

    pub(super) const fn push(&mut self, segment: Segment) {
        if self.len < MAX_PATH {
            self.path[self.len] = segment;
        }
        self.len += 1;
    }

    const fn pop(&mut self) {
        self.len -= 1;
    }

    /// Notes that the walk is inside of a type.
    pub(super) const fn open(&mut self, identity: &'static str) {
        if self.opened < MAX_PATH {
            self.open[self.opened] = identity;
        }
        self.opened += 1;
    }

    /// Where a type was opened that the walk is inside of.
    const fn opened_at(&self, identity: &'static str) -> Option<usize> {
        let mut index = 0;
        while index < self.opened && index < MAX_PATH {
            if is_same(self.open[index], identity) {
                return Some(index);
            }
            index += 1;
        }
        None
    }

    /// The arguments of a tool.
    pub(super) const fn root(&mut self, node: &'static Node, judged: Profiles) {
        match &node.kind {
            Kind::Struct { .. } | Kind::Map { .. } => {}
            Kind::Newtype(field) => return self.root(field.node.get(), judged),
            Kind::Enum { .. } => return self.fault(Fault::RootChoice, judged),
            // What it is can only be seen when it is run.
            Kind::Opaque => {}
            Kind::Any | Kind::Scalar(_) | Kind::Optional(_) | Kind::List { .. } | Kind::Tuple(_) => {
                return self.fault(Fault::RootNoObject, judged);
            }
        }
        self.node(node, judged, true);
        self.count(judged);
    }

    /// How much there is in the arguments of a tool. What is wrong with a single one is not said again.
    pub(super) const fn totals(&mut self, arguments: &[Field], judged: Profiles) {
        let mut index = 0;
        while index < arguments.len() {
            self.field(&arguments[index], index, Profiles::NONE);
            index += 1;
        }
        self.message = Message::new();
        self.count(judged);
    }

    const fn count(&mut self, judged: Profiles) {
        if self.counts.properties > rules::MOST_PROPERTIES {
            self.fault(Fault::Properties(self.counts.properties), judged.intersection(rules::BOUNDED));
        }
        if self.counts.unions > rules::MOST_UNIONS {
            self.fault(Fault::Unions(self.counts.unions), judged.intersection(rules::OF_FEW_UNIONS));
        }
        if self.counts.characters > rules::MOST_CHARACTERS {
            self.fault(Fault::Characters(self.counts.characters), judged.intersection(rules::BOUNDED));
        }
    }

    /// A field of a struct or a place of a tuple.
    pub(super) const fn field(&mut self, field: &Field, place: usize, judged: Profiles) {
        if field.is_flattened {
            return self.flattened(field.key, field.node.get(), judged);
        }
        if field.key.is_empty() {
            self.push(Segment::Place(place));
        } else {
            self.push(Segment::Key(field.key));
            self.key(field.key, judged);
        }
        if field.is_optional() {
            self.counts.unions += 1;
        }
        self.node(field.node.get(), judged, false);
        self.pop();
    }

    /// The name of a property.
    const fn key(&mut self, key: &'static str, judged: Profiles) {
        self.counts.properties += 1;
        self.counts.characters += key.len();
        self.fault(Fault::Key, judged.intersection(rules::refusing_key(key)));
    }

    const fn fields(&mut self, fields: &'static [Field], judged: Profiles) {
        let mut index = 0;
        while index < fields.len() {
            self.field(&fields[index], index, judged);
            index += 1;
        }
    }

    /// A type whose fields stand among those of another; `name` is that of the field that it is the type of.
    const fn flattened(&mut self, name: &'static str, node: &'static Node, judged: Profiles) {
        let fault = match &node.kind {
            Kind::Struct { fields, .. } => {
                if let Some(judged) = self.enter(node, judged) {
                    self.fields(fields, judged);
                    self.opened -= 1;
                }
                return;
            }
            Kind::Optional(inner) => return self.flattened(name, inner.get(), judged),
            Kind::Newtype(field) => return self.flattened(name, field.node.get(), judged),
            Kind::Map { .. } | Kind::Any => Fault::FlattenedMap,
            Kind::Opaque => Fault::Opaque,
            _ => Fault::FlattenedChoice,
        };
        if !name.is_empty() {
            self.push(Segment::Key(name));
        }
        self.fault(fault, judged.intersection(rules::OF_PORTABLE_FORM));
        if !name.is_empty() {
            self.pop();
        }
    }

    /// Notes that the walk is inside of a type, if it is not already. What its fields still have to be judged for is returned:
    /// where the type was defined, they were judged for some profiles.
    const fn enter(&mut self, node: &'static Node, judged: Profiles) -> Option<Profiles> {
        if node.identity.is_empty() {
            self.open("");
            return Some(judged);
        }
        if let Some(index) = self.opened_at(node.identity) {
            // The type itself reports it, and others do not repeat it.
            let judged = if index == 0 { self.asked } else { judged };
            self.fault(Fault::Recursive, judged.intersection(rules::FINITE));
            return None;
        }
        self.open(node.identity);
        Some(judged.without(node.checked))
    }

    /// A type at a place that has a name.
    const fn node(&mut self, node: &'static Node, judged: Profiles, is_root: bool) {
        if self.len > MAX_PATH / 2 {
            return self.fault(Fault::Depth(self.depth), judged.intersection(rules::OF_PORTABLE_FORM));
        }
        let strict = judged.intersection(rules::OF_PORTABLE_FORM);
        match &node.kind {
            Kind::Any => return self.fault(Fault::Any, judged.intersection(rules::TYPED)),
            Kind::Opaque => return self.fault(Fault::Opaque, strict),
            Kind::Scalar(_) => return,
            Kind::Optional(inner) => return self.node(inner.get(), judged, is_root),
            _ => {}
        }
        let Some(inner) = self.enter(node, judged) else { return };
        // Nothing that is inside can be refused where it was not refused before.
        if !inner.is_empty() || !self.asked.intersection(rules::LOOK_INTO_ALL).is_empty() {
            self.inside(node, judged, inner, is_root);
        }
        self.opened -= 1;
    }

    const fn inside(&mut self, node: &'static Node, judged: Profiles, inner: Profiles, is_root: bool) {
        let strict = judged.intersection(rules::OF_PORTABLE_FORM);
        match &node.kind {
            Kind::List { items: Some(items), .. } => {
                self.push(Segment::Items);
                self.node(items.get(), inner, false);
                self.pop();
            }
            Kind::Tuple(fields) => self.fields(fields, inner),
            Kind::Map { key, value } if is_name(*key) => {
                self.push(Segment::Values);
                self.node(value.get(), inner, false);
                self.pop();
            }
            Kind::Map { value, .. } => {
                self.fault(Fault::Map, strict);
                // An object with any keys and values is said by a type of its own.
                if !matches!(value.get().kind, Kind::Any) {
                    self.push(Segment::Values);
                    self.node(value.get(), inner.without(rules::OF_PORTABLE_FORM), false);
                    self.pop();
                }
            }
            Kind::Struct { fields, .. } => {
                if !is_root && is_without_fields(fields) {
                    self.fault(Fault::Empty, strict);
                }
                self.deeper(judged, is_root);
                self.fields(fields, inner);
                self.depth -= 1;
            }
            Kind::Enum { variants, .. } => self.variants(node, variants, judged, inner),
            // Its field was judged with the type, but not that it stands at this place.
            Kind::Newtype(field) => self.node(field.node.get(), inner, is_root),
            _ => {}
        }
    }

    /// One object further in.
    const fn deeper(&mut self, judged: Profiles, is_root: bool) {
        if is_root {
            self.depth = 0;
        }
        self.depth += 1;
        if self.depth == rules::MOST_DEPTH + 1 {
            self.fault(Fault::Depth(self.depth), judged.intersection(rules::BOUNDED));
        }
    }

    const fn variants(&mut self, node: &'static Node, variants: &'static [Variant], judged: Profiles, inner: Profiles) {
        if variants.is_empty() {
            return self.fault(Fault::NoVariant, judged.intersection(rules::OF_PORTABLE_FORM));
        }
        let mut index = 0;
        let mut names = 0;
        let mut characters = 0;
        while index < variants.len() {
            let variant = &variants[index];
            if matches!(variant.shape, Shape::Unit) {
                names += 1;
                characters += variant.name.len();
            } else {
                self.push(Segment::Variant(variant.name));
                match &variant.shape {
                    Shape::Unit => {}
                    Shape::Newtype(field) => self.content(node, index, field.node.get(), inner),
                    Shape::Tuple(fields) => self.fields(fields, inner),
                    Shape::Struct(fields) => {
                        let has_tag = matches!(node.kind, Kind::Enum { tagging: Tagging::Internal(_), .. });
                        if is_without_fields(fields) && (!has_tag || variant.is_untagged) {
                            self.fault(Fault::Empty, inner.intersection(rules::OF_PORTABLE_FORM));
                        }
                        self.deeper(judged, false);
                        self.fields(fields, inner);
                        self.depth -= 1;
                    }
                }
                self.pop();
            }
            index += 1;
        }
        self.counts.characters += characters;
        if names < variants.len() {
            self.counts.unions += 1;
            self.tags(node, variants, inner);
        }
        if names > rules::MOST_VALUES {
            self.fault(Fault::Values(names), judged.intersection(rules::BOUNDED));
        } else if names > rules::MANY_VALUES && characters > rules::MOST_VALUE_CHARACTERS {
            self.fault(Fault::ValueCharacters(characters), judged.intersection(rules::BOUNDED));
        }
    }

    /// The names of properties that say which variant it is.
    const fn tags(&mut self, node: &'static Node, variants: &'static [Variant], judged: Profiles) {
        let Kind::Enum { tagging, .. } = &node.kind else { return };
        match tagging {
            Tagging::Internal(tag) => self.tag(tag, judged),
            Tagging::Adjacent(tag, content) => {
                self.tag(tag, judged);
                self.tag(content, judged);
            }
            Tagging::External | Tagging::OpenExternal => {
                let mut index = 0;
                while index < variants.len() {
                    if !matches!(variants[index].shape, Shape::Unit) && !variants[index].is_untagged {
                        self.tag(variants[index].name, judged);
                    }
                    index += 1;
                }
            }
            Tagging::Untagged => {}
        }
    }

    const fn tag(&mut self, tag: &'static str, judged: Profiles) {
        self.push(Segment::Key(tag));
        self.key(tag, judged);
        self.pop();
    }

    /// The one value of a variant. Beside an internal tag it has to be an object.
    pub(super) const fn content(
        &mut self,
        node: &'static Node,
        variant: usize,
        content: &'static Node,
        judged: Profiles,
    ) {
        let Kind::Enum { tagging, variants, .. } = &node.kind else { return };
        if matches!(tagging, Tagging::Internal(_)) && !variants[variant].is_untagged {
            if !matches!(content.kind, Kind::Scalar(_)) {
                self.flattened("", content, judged);
            }
        } else {
            self.node(content, judged, false);
        }
    }
}

/// Whether no property follows from the fields.
const fn is_without_fields(fields: &'static [Field]) -> bool {
    let mut index = 0;
    while index < fields.len() {
        if !fields[index].is_flattened || !is_empty_struct(fields[index].node) {
            return false;
        }
        index += 1;
    }
    true
}

/// Whether the values of a type are some names, so that a map by them has keys that are known.
const fn is_name(key: NodeRef) -> bool {
    let Kind::Enum { tagging: Tagging::External, variants, .. } = &key.get().kind else { return false };
    let mut index = 0;
    while index < variants.len() {
        // As schemars has it: a documented variant is one of several schemas, of which it makes no keys.
        if !matches!(variants[index].shape, Shape::Unit) || !variants[index].notes.is_empty() {
            return false;
        }
        index += 1;
    }
    true
}

const fn is_empty_struct(node: NodeRef) -> bool {
    match &node.get().kind {
        Kind::Struct { fields, .. } => is_without_fields(fields),
        Kind::Optional(inner) => is_empty_struct(*inner),
        _ => false,
    }
}
