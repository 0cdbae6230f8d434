//! The judgement over a tree, which the compiler runs.
//!
//! A derive puts [`field`] into a constant for each field, a tool [`argument`], [`argument_for`] and [`totals`], or [`root`]: what a provider would refuse is
//! then an error at the user's field. [`judge`] says the same at run time.
//!
//! A non-strict provider gets the natural form of a schema, a strict one, and Gemini's `parameters`, the portable form (see
//! [`crate::schema::portable`](fn@crate::schema::portable)). So a fault is what a profile refuses in the form that it gets: for most of
//! them that is little more than the names of the keys, for those of the portable form everything that has none.
//!
//! A type with a derive is judged where it is defined. Where it is used, only those of the profiles are judged that it was not
//! judged for, so that one mistake is reported once.

mod message;
mod rules;
mod walk;

pub use message::Message;

use super::{Field, Kind, Node, NodeRef, Profiles, Shape};
use message::Segment;
use walk::Walk;

/// What the profiles refuse in the type as the arguments of a tool named `name`, with the path of each fault; an empty text
/// if they take it.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use agentscope_tool::schema::tree::{Profiles, ToolType, check::judge};
/// use std::collections::HashMap;
///
/// #[tool_args]
/// struct Search {
///     /// What the results have to have.
///     labels: HashMap<String, String>,
/// }
///
/// assert_eq!(judge("Search", Search::NODE, Profiles::DEFAULT).as_str(), "");
/// let message = judge("Search", Search::NODE, Profiles::PORTABLE);
/// assert!(message.as_str().starts_with("`Search.labels` is a map with free keys"));
/// ```
#[must_use]
pub const fn judge(name: &'static str, node: NodeRef, profiles: Profiles) -> Message {
    let mut walk = Walk::new(name, profiles);
    walk.root(node.get(), profiles);
    walk.message
}

/// Fails where the profiles refuse the type as the arguments of a tool.
///
/// # Panics
/// If they do: in a constant, which is an error of the compiler.
#[track_caller]
pub const fn root(name: &'static str, node: NodeRef, profiles: Profiles) {
    let message = judge(name, node, profiles);
    fail(&message);
}

/// Fails where the profiles that the type is checked against refuse one of its fields.
///
/// # Panics
/// If they do: in a constant, which is an error of the compiler.
#[track_caller]
pub const fn field(node: &'static Node, index: usize) {
    let fields = match &node.kind {
        Kind::Struct { fields, .. } | Kind::Tuple(fields) => *fields,
        Kind::Newtype(field) => std::slice::from_ref(*field),
        _ => return,
    };
    let mut walk = Walk::new(node.name, node.checked);
    walk.open(node.identity);
    if index < fields.len() {
        walk.field(&fields[index], index, node.checked);
    }
    fail(&walk.message);
}

/// Fails where the profiles that an enum is checked against refuse a field of one of its variants.
///
/// # Panics
/// If they do: in a constant, which is an error of the compiler.
#[track_caller]
pub const fn variant(node: &'static Node, variant: usize, index: usize) {
    let Kind::Enum { variants, .. } = &node.kind else { return };
    if variant >= variants.len() {
        return;
    }
    let mut walk = Walk::new(node.name, node.checked);
    walk.open(node.identity);
    walk.push(Segment::Variant(variants[variant].name));
    match &variants[variant].shape {
        Shape::Unit => {}
        Shape::Newtype(field) => walk.content(node, variant, field.node.get(), node.checked),
        Shape::Tuple(fields) | Shape::Struct(fields) => {
            if index < fields.len() {
                walk.field(&fields[index], index, node.checked);
            }
        }
    }
    fail(&walk.message);
}

/// Fails where the profiles of [`Profiles::DEFAULT`] refuse an argument of the tool that is called `tool`.
///
/// # Panics
/// If they do: in a constant, which is an error of the compiler.
#[track_caller]
pub const fn argument(tool: &'static str, key: &'static str, node: NodeRef) {
    argument_for(tool, key, node, Profiles::DEFAULT);
}

/// Fails where the profiles refuse an argument of the tool that is called `tool`.
///
/// # Panics
/// If they do: in a constant, which is an error of the compiler.
#[track_caller]
pub const fn argument_for(tool: &'static str, key: &'static str, node: NodeRef, profiles: Profiles) {
    let mut walk = Walk::new(tool, profiles);
    walk.field(&Field::new(key, node), 0, profiles);
    fail(&walk.message);
}

/// Fails where the profiles refuse how much there is in the arguments of the tool that is called `tool`, all together.
///
/// # Panics
/// If they do: in a constant, which is an error of the compiler.
#[track_caller]
pub const fn totals(tool: &'static str, arguments: &[Field], profiles: Profiles) {
    let mut walk = Walk::new(tool, profiles);
    walk.totals(arguments, profiles);
    fail(&walk.message);
}

#[track_caller]
const fn fail(message: &Message) {
    if !message.is_empty() {
        #[allow(clippy::panic)] // The only way to fail in a constant.
        {
            panic!("{}", message.as_str());
        }
    }
}
