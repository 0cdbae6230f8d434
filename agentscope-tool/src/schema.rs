//! Schemas: what a tool publishes, and the check of a call against it.
//!
//! - [`natural`](mod@natural) turns what `schemars` writes into the form that a tool publishes.
//! - [`portable()`] makes of that the form that every provider takes, [`gemini_parameters`] Gemini's spelling of it.
//! - [`Validator`] is a schema compiled once, which then judges the arguments of every call and says, for each fault,
//!   which argument it is about, what was expected and what came.
//!
//! ```
//! use agentscope_tool::schema::Validator;
//! use serde_json::json;
//!
//! let schema = json!({ "type": "object", "properties": { "limit": { "type": "integer", "minimum": 1 } } });
//! let validator = Validator::new(&schema)?;
//! assert!(validator.is_valid(&json!({ "limit": 3 })));
//!
//! let faults = validator.validate(&json!({ "limit": 0 })).unwrap_err();
//! assert_eq!(faults[0].to_string(), "`limit`: expected an integer of at least 1, got 0");
//! # Ok::<(), agentscope_tool::schema::SchemaError>(())
//! ```

mod member;
pub mod natural;
mod path;
mod pointer;
mod portable;
mod profile;
mod render;
pub mod tree;
mod validator;

pub(crate) use member::member;
pub use natural::{described, emitted, natural, normalise};
pub(crate) use path::Path;
pub use portable::{NotPortable, gemini_parameters, portable};
pub use profile::{Profile, UnknownProfile};
pub use render::{Api, ProfileError, ProfileFault};
pub(crate) use render::{Counts, schema as rendered};
pub use tree::Profiles;
pub use validator::{Fault, SchemaError, Validator};
pub(crate) use validator::{Format, NodeId, Types, did_you_mean, number, shown};
