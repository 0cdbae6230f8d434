//! Schemas: what a tool publishes, and the check of a call against it.
//!
//! - [`natural`](mod@natural) turns what `schemars` writes into the form that a tool publishes.
//! - [`Validator`] is a schema compiled once, which then judges the arguments of every call and says, for each fault,
//!   which argument it is about, what was expected and what came.
//!
//! ```ignore
//! let validator = Validator::new(&json!({ "type": "object", "properties": { "limit": { "type": "integer", "minimum": 1 } } }))?;
//! assert!(validator.is_valid(&json!({ "limit": 3 })));
//! ```

mod member;
pub mod natural;
mod path;
mod pointer;
mod validator;

pub(crate) use member::member;
pub use natural::{described, emitted, natural, normalise};
pub(crate) use path::Path;
pub use validator::{Fault, SchemaError, Validator};
pub(crate) use validator::{NodeId, Types, did_you_mean, number};
