//! What the default profiles take, and what strict ones do.

use std::collections::{BTreeMap, HashMap};

use agentscope_tool::ToolType;
use agentscope_tool::prelude::*;
use agentscope_tool::schemars::JsonSchema;
use agentscope_tool::serde::{Deserialize, Serialize};
use agentscope_tool::serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "agentscope_tool::serde")]
#[schemars(crate = "agentscope_tool::schemars")]
struct Opaque {
    x: f64,
}

// Also where a user's own types have the names of ours.
struct Probe;
struct Node;

#[tool_args(undocumented)]
struct GenericTree<T> {
    value: T,
    children: Vec<GenericTree<T>>,
}

#[tool_args(undocumented)]
struct Tree {
    children: Vec<Tree>,
    parent: Option<Box<Tree>>,
}

#[tool_args(undocumented)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(Serialize, Deserialize, JsonSchema, ToolType)]
#[serde(crate = "agentscope_tool::serde")]
#[schemars(crate = "agentscope_tool::schemars")]
struct Point(f64, f64);

/// Take nearly everything.
#[tool(undocumented)]
async fn lenient(
    map: HashMap<String, Value>,
    tree: Tree,
    opaque: Opaque,
    generic: GenericTree<u8>,
    #[arg(rename = "a-b")] dashed: String,
) -> String {
    let (_, _) = (Probe, Node);
    format!("{dashed} {} {} {} {}", map.len(), tree.children.len(), opaque.x, generic.value)
        + &generic.children.len().to_string()
        + &tree.parent.is_some().to_string()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
#[tool_args]
enum Side {
    Left,
    Right,
}

#[tool_args(undocumented, profiles(portable))]
struct Strict {
    pages: Page<Page<Point>>,
    by_side: BTreeMap<Side, u8>,
    tuple: (u8, Option<String>),
    list: Vec<[Point; 2]>,
    result: Result<u8, String>,
    nothing: (),
}

/// Take what all take.
#[derive(Tool)]
#[spec(profiles(portable))]
struct All;

impl ToolBody for All {
    type Args = Strict;
    type Output = String;
    async fn call(&self, args: Strict, _: ToolContext) -> String {
        let Strict { pages, by_side, tuple, list, result, nothing } = args;
        let points = pages.items.iter().flat_map(|page| &page.items).map(|point| point.0 + point.1);
        format!("{} {} {tuple:?} {} {result:?} {nothing:?}", points.sum::<f64>(), by_side.len(), list.len())
    }
}

struct Generic<T>(T);

#[toolset]
impl<T: Clone + Send + Sync + 'static> Generic<T> {
    /// Say something.
    #[tool(undocumented, profiles(openai))]
    async fn say(&self, map: HashMap<String, String>) -> String {
        let _ = self.0.clone();
        format!("{map:?}")
    }
}

fn main() {
    let _ = (Lenient, All, Generic(1));
}
