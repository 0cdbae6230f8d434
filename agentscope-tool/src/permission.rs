//! The vocabulary of permissions: what may run, by which rule, and why.
//!
//! These are the types that a tool's permission hooks speak, and the permission part of the saved state. The JSON of
//! each has the shape that Python AgentScope saves.

mod context;
mod decision;
mod footprint;

pub use context::{PermissionContext, PermissionMode, ReadOnlyPolicy, WorkingDirectory};
pub use decision::{PermissionBehavior, PermissionDecision, PermissionRule};
pub use footprint::Footprint;
