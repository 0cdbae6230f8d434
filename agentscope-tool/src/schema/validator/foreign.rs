//! Schemas with keywords that only the `jsonschema` crate knows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::fault::Problem;
use super::{Fault, SchemaError};
use crate::schema::pointer;

/// A schema that the `jsonschema` crate judges.
///
/// The crate may panic over rare schemas with references that lead in circles. A schema may come from a server that
/// nobody has checked, so that a panic here is an answer like any other, and what cannot be judged is not valid.
#[derive(Debug)]
pub(super) struct Foreign(Box<jsonschema::Validator>);

impl Foreign {
    pub(super) fn new(schema: &Value) -> Result<Self, SchemaError> {
        let options = jsonschema::draft202012::options().should_validate_formats(true);
        match guarded(|| options.build(schema)) {
            Some(Ok(validator)) => Ok(Self(Box::new(validator))),
            Some(Err(error)) => Err(SchemaError::Invalid { message: error.to_string() }),
            None => Err(SchemaError::Invalid { message: "it cannot be compiled".into() }),
        }
    }

    pub(super) fn is_valid(&self, value: &Value) -> bool {
        guarded(|| self.0.is_valid(value)).unwrap_or(false)
    }

    /// What is wrong with a value that is not valid.
    pub(super) fn faults(&self, value: &Value) -> Vec<Fault> {
        let faults = guarded(|| self.0.iter_errors(value).map(|error| fault(&error)).collect::<Vec<_>>());
        match faults {
            Some(faults) if !faults.is_empty() => faults,
            _ => vec![Fault::new(String::new(), Problem::Other("cannot be checked against the schema".into()))],
        }
    }
}

fn guarded<T>(judge: impl FnOnce() -> T) -> Option<T> {
    // Each judgement starts anew, so that one that was broken off leaves nothing behind.
    catch_unwind(AssertUnwindSafe(judge)).ok()
}

/// A fault that the crate found, its place in our way of writing.
fn fault(error: &jsonschema::ValidationError<'_>) -> Fault {
    use std::fmt::Write as _;

    let mut path = String::new();
    for step in error.instance_path().as_str().split('/').skip(1) {
        let step = pointer::unescaped(step);
        let _ = match step.parse::<usize>() {
            Ok(index) => write!(path, "[{index}]"),
            Err(_) if path.is_empty() => write!(path, "{step}"),
            Err(_) => write!(path, ".{step}"),
        };
    }
    Fault::new(path, Problem::Other(error.to_string()))
}
