//! Picks the tree of a type, or the opaque node if it has none.
//!
//! Rust has no specialisation. Of two constants of one name, an inherent one is picked before one of a trait, and one whose
//! bounds do not hold is not there: `<Probe<T>>::NODE` is the inherent one where `T: ToolType`, else that of the trait.

use std::marker::PhantomData;

use super::{Kind, Node, NodeRef, ToolType};

/// Stands for the type `T`.
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<fn() -> Box<T>>);

impl<T: ToolType + ?Sized> Probe<T> {
    /// The tree of `T`.
    pub const NODE: NodeRef = T::NODE;
}

/// Gives every type a node of which nothing is known.
pub trait Opaque {
    /// An opaque node.
    const NODE: NodeRef = NodeRef::of(&OPAQUE);
}

impl<T: ?Sized> Opaque for Probe<T> {}

static OPAQUE: Node = Node::new("", Kind::Opaque);
