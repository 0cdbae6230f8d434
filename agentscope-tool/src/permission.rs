//! What may run, by which rule, and why.
//!
//! A [`PermissionContext`] holds the mode and the rules of a conversation, a [`PermissionEngine`] decides about a call by
//! them and by what the tool says, and a [`PermissionDecision`] carries the outcome and how it came about. The JSON of
//! each has the shape that Python AgentScope saves.

mod context;
mod decision;
mod engine;
mod footprint;
mod pattern;
mod protected;
mod rule;
mod settings;
mod text;
mod trace;

pub use context::{PermissionContext, PermissionMode, ReadOnlyPolicy, WorkingDirectory};
pub use decision::PermissionDecision;
pub use engine::PermissionEngine;
pub(crate) use engine::refused;
pub use footprint::{Footprint, PathAccess, TouchedPath};
pub use pattern::PatternError;
pub use protected::ProtectedPaths;
pub use rule::{PermissionBehavior, PermissionRule};
pub use settings::{PermissionSettings, RuleExample, SettingsError, SettingsFault, SettingsWarning};
pub use text::{RuleError, RuleFault};
pub use trace::{PermissionStep, PermissionTrace, TraceStep};
