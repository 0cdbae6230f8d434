//! Every form of derived tool and of arguments.
#![deny(unused)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::marker::PhantomData;

use agentscope_tool::prelude::*;
use serde::{Deserialize, Serialize};

/// Arguments.
#[tool_args]
pub struct Args {
    /// A name.
    #[schemars(length(min = 1))]
    pub name: String,
    #[serde(skip)]
    pub hidden: Option<u8>,
    #[serde(flatten)]
    pub rest: HashMap<String, String>,
    #[schemars(description = "Described otherwise.")]
    pub other: Option<u8>,
}

/// An enum of arguments, with derives of its own below.
#[tool_args(undocumented)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Shape {
    Point,
    Circle { radius: f64 },
}

/// A newtype.
#[tool_args]
#[derive(Clone, Copy)]
pub struct Meters(pub f64);

/// Generic arguments.
#[tool_args(crate = agentscope_tool)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
}

/// Plain derives.
#[derive(serde::Deserialize, schemars::JsonSchema, ToolArgs)]
#[args(undocumented, crate = ::agentscope_tool)]
pub struct Plain {
    /// A shape.
    pub shape: Shape,
    pub meters: Meters,
}

/// A tool of a unit struct.
#[derive(Tool, Debug, Clone)]
#[spec(name = "unit-tool", title = "Unit", read_only, concurrency_safe = false, destructive = false, idempotent, open_world, state_injected)]
pub struct Unit;

impl ToolBody for Unit {
    type Args = Page<u8>;
    type Output = Result<Json<usize>, std::io::Error>;

    async fn call(&self, args: Page<u8>, _: ToolContext) -> Self::Output {
        Ok(Json(args.items.len()))
    }

    fn describe(&self) -> Option<Cow<'static, str>> {
        Some("Unit.".into())
    }
}

/// A generic tool.
#[derive(Tool)]
#[spec(crate = agentscope_tool, description = "Generic.")]
pub struct Generic<T: Clone, const N: usize>
where
    T: Send,
{
    /// The marker.
    pub marker: PhantomData<T>,
}

impl<T: Clone + Send + Sync + 'static, const N: usize> ToolBody for Generic<T, N> {
    type Args = Plain;
    type Output = String;

    async fn call(&self, args: Plain, _: ToolContext) -> String {
        format!("{:?}{}", args.shape, args.meters.0)
    }
}

/// An external tool of a tuple struct.
#[derive(Tool)]
#[spec(external)]
#[spec(idempotent)]
pub struct External(pub u8);

impl ExternalBody for External {
    type Args = Args;
    type Output = Page<String>;
}

fn main() {
    let toolkit = Toolkit::builder().tool(Unit).tool(Generic::<u8, 1> { marker: PhantomData }).tool(External(1)).build();
    assert!(toolkit.is_ok(), "{:?}", toolkit.err());
    assert_eq!(Unit.spec().output_schema(), Some(&serde_json::json!({ "type": "integer", "minimum": 0 })));
    assert!(External(1).spec().is_external_tool());
}
