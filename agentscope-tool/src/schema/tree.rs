//! The type of a tool's arguments as constant data, which the compiler can walk.
//!
//! `#[derive(ToolArgs)]` and `#[derive(ToolType)]` write a [`Node`] beside the schema that schemars derives: the fields of
//! the type with their keys, docs, constraints and defaults, and how serde represents it. The nodes of the fields' types
//! hang below it, so that a type is a tree, or a graph where it is recursive.
//!
//! Two things are done with it:
//!
//! - [`check`](mod@check) judges it by the rules of provider [`Profile`](super::Profile)s while the user's crate is compiled. What a
//!   provider would refuse is an error at the field, with its path.
//! - [`render`](fn@render) writes the schema from it at run time. schemars stays the source of what is published; that the two
//!   agree is the proof that the compiler judged the right thing.
//!
//! A type that has schemars' `JsonSchema` only is [opaque](Kind::Opaque): nothing is known of what is inside of it.

pub mod check;
mod collections;
mod foreign;
mod node;
mod probe;
mod profiles;
mod reference;
mod render;
mod scalars;

pub use node::{Constraint, Field, Kind, Literal, Node, Notes, Scalar, Shape, Tagging, Variant};
#[doc(hidden)]
pub use probe::{Opaque, Probe};
pub use profiles::Profiles;
pub use reference::NodeRef;
pub use render::render;

/// A type whose values can be (a part of) a tool's arguments, with its tree.
///
/// It is implemented for the types of the standard library that schemars knows, for those of well-known crates behind
/// features named after them, and by `#[derive(ToolArgs)]`, `#[derive(ToolType)]` and `#[tool_args]`.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use agentscope_tool::schema::tree::{ToolType, render};
/// use serde_json::json;
///
/// #[tool_args]
/// struct Search {
///     /// What to search for.
///     text: String,
///     /// How many results to give.
///     limit: Option<u8>,
/// }
///
/// let schema = render(Search::NODE).unwrap();
/// assert_eq!(schema["properties"]["limit"]["type"], "integer");
/// assert_eq!(schema["required"], json!(["text"]));
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing is known of the type `{Self}` when the crate is compiled",
    label = "has no tree",
    note = "put `#[tool_args]` on the type, or `#[derive(ToolType)]` beside `Deserialize` and `JsonSchema`"
)]
pub trait ToolType {
    /// The tree of the type.
    const NODE: NodeRef;
}

#[cfg(test)]
mod tests;
