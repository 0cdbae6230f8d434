//! The tree of a type: what it says of every way to write a type, and what it does not.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::Arc;

use agentscope_tool::schema::natural;
use agentscope_tool::schema::tree::{
    Kind, Node, NodeRef, Opaque as _, Probe, Profiles, Shape, Tagging, ToolType, Variant, check::judge, render,
};
use agentscope_tool::{ToolArgs, ToolType};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A plain one.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct Plain {
    a: u8,
    b: Option<String>,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields)]
#[args(undocumented)]
struct Closed {
    a: i16,
}

#[derive(Serialize, Deserialize, JsonSchema, ToolType)]
struct Meters(f64);

/// Of two.
#[derive(Serialize, Deserialize, JsonSchema, ToolType)]
struct Pair(#[schemars(range(min = 1))] u8, String);

#[derive(Deserialize, JsonSchema, ToolType)]
struct Unit;

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(transparent)]
struct Transparent {
    inner: Option<Plain>,
}

/// With a note of its own.
#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(transparent)]
struct Noted(Option<u8>);

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(from = "Plain")]
/// Made of another.
struct From1 {
    x: u8,
}

impl From<Plain> for From1 {
    fn from(plain: Plain) -> Self {
        Self { x: plain.a }
    }
}

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(try_from = "String")]
struct Tried(u8);

impl TryFrom<String> for Tried {
    type Error = std::num::ParseIntError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE", rename_all_fields = "camelCase")]
enum External {
    FirstOne,
    /// The second.
    SecondOne {
        long_name: u8,
        #[serde(rename = "X", default)]
        other_name: Vec<u8>,
    },
    #[serde(rename(deserialize = "third"))]
    Third(Plain),
    Fourth(u8, #[schemars(length(max = 3))] String),
    #[serde(skip)]
    Fifth(fn()),
    #[serde(untagged)]
    Sixth(bool),
}

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(tag = "kind", deny_unknown_fields)]
enum Internal {
    /// A plain one.
    Plain(Plain),
    Closed(Closed),
    Nothing,
    Boxed(Box<Plain>),
    Fields {
        a: Option<i8>,
    },
    Unit(Unit),
}

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
enum Adjacent {
    Number(f64),
    Both(u8, u8),
    Nothing,
    Fields { a: Option<i8> },
}

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    /// A text.
    Text(String),
    Both {
        a: String,
        c: Option<u32>,
    },
    Nothing,
}

#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, JsonSchema, ToolType)]
enum Key {
    A,
    B,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct Flat {
    #[serde(flatten)]
    plain: Plain,
    #[serde(flatten)]
    maybe: Option<Closed>,
    own: Key,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct FlatChoice {
    own: u8,
    #[serde(flatten)]
    internal: Internal,
    #[serde(flatten)]
    external: External,
    #[serde(flatten)]
    key: Option<Key>,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct FlatMap {
    own: u8,
    #[serde(flatten)]
    others: HashMap<String, u8>,
}

/// A tree.
#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct Tree {
    /// What is below.
    children: Vec<Tree>,
    value: Option<Box<Tree>>,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct Ping {
    pong: Option<Box<Pong>>,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct Pong {
    ping: Option<Box<Ping>>,
    tree: Tree,
}

mod other {
    use super::*;

    #[derive(Deserialize, JsonSchema, ToolArgs)]
    #[args(undocumented)]
    pub struct Tree {
        left: Option<Box<Tree>>,
        other: super::Tree,
    }
}

/// A page.
#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented)]
struct Page<T> {
    items: Vec<T>,
    /// The next.
    next: Option<T>,
}

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[serde(bound = "T: serde::de::DeserializeOwned")]
#[args(undocumented)]
struct GenericTree<T> {
    value: T,
    children: Vec<GenericTree<T>>,
}

fn seven() -> u8 {
    7
}

fn is_seven(number: &u8) -> bool {
    *number == 7
}

mod as_text {
    pub fn serialize<S: serde::Serializer>(number: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(Clone, Deserialize)]
struct NotWritten;

impl JsonSchema for NotWritten {
    fn schema_name() -> Cow<'static, str> {
        "NotWritten".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "null" })
    }
}

#[derive(Default, Serialize, Deserialize, JsonSchema, ToolArgs)]
#[serde(default, rename_all = "camelCase")]
#[args(undocumented)]
struct Defaults {
    long_name: u32,
    #[serde(default = "seven")]
    seven: u8,
    #[serde(default = "seven", skip_serializing_if = "is_seven")]
    left_out: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    none: Option<String>,
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    as_text: u8,
    #[serde(skip_serializing)]
    secret: String,
    list: Vec<u8>,
    plain: Plain,
}

const LIMIT: usize = 4;

#[derive(Deserialize, JsonSchema, ToolArgs)]
#[args(undocumented, profiles(openai))]
struct Rules {
    #[schemars(range(min = 1, max = LIMIT))]
    number: u32,
    #[schemars(range(min = -1.5, max = "2.5"))]
    float: f64,
    #[schemars(length(equal = 3), regex(pattern = "^[a-z]+$"))]
    text: String,
    #[schemars(length(min = 1), inner(length(max = 2), inner(range(max = 9))))]
    lists: Vec<Vec<u8>>,
    #[schemars(contains("a.b"))]
    dotted: Option<String>,
    #[schemars(email)]
    mail: String,
    #[schemars(url)]
    link: Option<String>,
    #[schemars(range(max = 5))]
    not_applied: Meters,
    /** Of more
    lines. */
    #[schemars(title = "T", example = 3, example = 4, extend("x-a" = [1, {"b": null}]))]
    remarks: u8,
    #[schemars(description = "Another.")]
    /// Not this.
    described: Plain,
    #[schemars(description = concat!("a", "b"))]
    computed: u8,
    /// # A title
    /// and a text.
    titled: u8,
    #[schemars(required)]
    required: Option<u8>,
    #[schemars(transform = schemars::transform::RemoveRefSiblings::default())]
    transformed: u8,
    #[deprecated]
    old: u8,
    any: serde_json::Value,
    #[schemars(extend("x" = 1))]
    any_with_note: Option<serde_json::Value>,
    map: BTreeMap<String, Plain>,
    numbered: BTreeMap<u32, u8>,
    signed: BTreeMap<i8, u8>,
    keyed: BTreeMap<Key, Meters>,
    set: BTreeSet<String>,
    array: [u8; 3],
    empty: [u8; 0],
    bound: Bound<u8>,
    path: PathBuf,
    shared: Arc<[Option<Pair>]>,
    cow: Cow<'static, str>,
    unit: (),
    unit_struct: Unit,
    optional_unit: Option<Unit>,
    choice: Option<External>,
    untagged: Option<Untagged>,
    adjacent: Vec<Adjacent>,
    r#type: Option<Key>,
}

macro_rules! same {
    ($($ty:ty),* $(,)?) => {$(
        let rendered = render(<$ty as ToolType>::NODE).expect(stringify!($ty));
        let natural = natural::natural::<$ty>();
        assert_eq!(rendered, natural, "{}:\n{rendered}\n{natural}", stringify!($ty));
    )*};
}

#[test]
fn the_tree_says_what_schemars_says() {
    same!(Plain, Closed, Meters, Pair, Unit, Transparent, Noted, From1, Tried);
    same!(External, Internal, Adjacent, Untagged, Key, Flat, FlatChoice, FlatMap);
    same!(Defaults, Rules);
    same!(Option<Transparent>, Vec<Noted>, (Pair, Option<Meters>), Result<Plain, Vec<External>>);
}

#[test]
fn recursive_and_generic_types_have_trees_too() {
    same!(Tree, Ping, Pong, other::Tree, Vec<Tree>, Option<Ping>);
    same!(Page<u8>, Page<Page<Plain>>, Page<Tree>, Page<Page<Page<Option<Key>>>>);
}

#[test]
fn what_cannot_be_looked_into_has_no_schema() {
    assert!(render(<Probe<NotWritten>>::NODE).is_none());
    assert!(render(<Probe<Vec<NotWritten>>>::NODE).is_none());
    assert!(render(<Probe<GenericTree<u8>>>::NODE).is_none());
    assert!(render(<Probe<Page<NotWritten>>>::NODE).is_none());
    assert!(render(<Probe<Plain>>::NODE).is_some());
}

#[track_caller]
fn refused<T: ToolType>() -> String {
    judge("args", T::NODE, Profiles::PORTABLE).to_string()
}

#[test]
fn a_generic_type_inside_of_itself_is_no_recursion() {
    #[derive(Deserialize, JsonSchema, ToolArgs)]
    #[args(undocumented)]
    struct Pages {
        pages: Page<Page<Page<u8>>>,
    }
    assert_eq!(refused::<Pages>(), "");
}

#[test]
fn what_is_inside_of_a_generic_type_is_found() {
    #[derive(Deserialize, JsonSchema, ToolArgs)]
    #[args(undocumented)]
    struct Pages {
        pages: Page<Page<HashMap<String, u8>>>,
    }
    let message = refused::<Pages>();
    assert!(message.starts_with("`args.pages.items[].items[]` is a map with free keys"), "{message}");
    assert_eq!(message.lines().count(), 4, "{message}");
}

#[test]
fn recursion_is_told_with_its_path() {
    #[derive(Deserialize, JsonSchema, ToolArgs)]
    #[args(undocumented)]
    struct Game {
        start: Ping,
    }
    let message = refused::<Game>();
    let lines: Vec<&str> = message.lines().map(|line| line.split_once(", which").unwrap().0).collect();
    let told = [
        "`args.start.pong.ping` contains itself",
        "`args.start.pong.tree.children[]` contains itself",
        "`args.start.pong.tree.value` contains itself",
    ];
    assert_eq!(lines, told);
}

#[test]
fn every_fault_has_its_words() {
    let message = refused::<Rules>() + "\n" + &refused::<FlatMap>() + "\n" + &refused::<FlatChoice>();
    let all = " which `openai_strict`, `anthropic_strict`, `gemini_parameters` and `deepseek_strict` do not take:";
    insta::assert_snapshot!(message.replace(all, " …"));
}

#[test]
fn too_many_values_are_counted() {
    const MANY: &[Variant] =
        &[Variant::new("a_value_of_some_length_or_other_to_fill_the_room_that_there_is", Shape::Unit); 1001];
    static TOO_MANY: Node =
        Node::named("TooMany", Kind::Enum { tagging: Tagging::External, variants: MANY, is_closed: false });
    static TOO_LONG: Node = Node::named(
        "TooLong",
        Kind::Enum { tagging: Tagging::External, variants: MANY.split_at(300).0, is_closed: false },
    );
    static FEW: Node =
        Node::named("Few", Kind::Enum { tagging: Tagging::External, variants: MANY.split_at(200).0, is_closed: false });
    let judged = |node: &'static Node| {
        let list: &'static Node =
            Box::leak(Box::new(Node::new("", Kind::List { items: Some(NodeRef::of(node)), is_set: false })));
        let fields: &'static [_] =
            Box::leak(Box::new([agentscope_tool::schema::tree::Field::new("x", NodeRef::of(list))]));
        let root: &'static Node = Box::leak(Box::new(Node::named("Args", Kind::Struct { fields, is_closed: false })));
        judge("args", NodeRef::of(root), Profiles::PORTABLE).to_string()
    };
    assert!(
        judged(&TOO_MANY).starts_with("`args.x[]` has too many values (1001, at most 1000), which `openai_strict`")
    );
    assert!(
        judged(&TOO_LONG).starts_with("`args.x[]` has values of too many characters together (18600, at most 15000)")
    );
    assert_eq!(judged(&FEW), "");
}
