//! References between nodes, which the compiler does not follow by itself.
//!
//! The node of a recursive type leads back to itself. With plain references the compiler would evaluate the node in order
//! to evaluate the node, which it refuses (E0391) in words that no user of a derive can make sense of. It checks what a
//! constant refers to, but does not look behind a raw pointer; so the nodes refer to each other by raw pointers, and
//! recursion is found by the walk, which can name the field.

#![allow(unsafe_code)]

use super::node::Node;

/// A reference to a [`Node`].
#[derive(Clone, Copy)]
pub struct NodeRef(*const Node);

// SAFETY: the pointer is only ever made from a `&'static Node` (the field is private and `of` is the one constructor), and
// `&'static Node` is `Send` and `Sync`, since a node is plain constant data.
unsafe impl Send for NodeRef {}
unsafe impl Sync for NodeRef {}

impl NodeRef {
    /// A reference to a node that lives as long as the program.
    #[must_use]
    pub const fn of(node: &'static Node) -> Self {
        Self(node)
    }

    /// The node.
    #[must_use]
    pub const fn get(self) -> &'static Node {
        // SAFETY: made from a `&'static Node` by `of`, so it is aligned, points to an initialised node, and nothing ever
        // writes to it.
        unsafe { &*self.0 }
    }

    /// What tells this node from others at run time.
    pub(super) fn address(self) -> usize {
        self.0.addr()
    }
}

impl std::fmt::Debug for NodeRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Only the name: the node of a recursive type leads back to itself.
        f.debug_tuple("NodeRef").field(&self.get().name).finish()
    }
}
