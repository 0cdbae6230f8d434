//! The tree of a type says what its schema says: over all types of `cases/schema.jsonl`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers of tests are tests too.

use agentscope_tool::args;
use agentscope_tool::schema::tree::{self, NodeRef, Profiles, check::judge};
use agentscope_tool::schema::{Validator, natural, portable};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

struct Case {
    id: &'static str,
    node: NodeRef,
    natural: Value,
    decode: fn(Value) -> Result<(), String>,
}

fn case<T: JsonSchema + DeserializeOwned>(id: &'static str, node: NodeRef) -> Case {
    let decode = |value| serde_json::from_value::<T>(value).map(drop).map_err(|error| error.to_string());
    Case { id, node, natural: natural::natural::<T>(), decode }
}

#[allow(dead_code, missing_docs, unused_imports)]
mod generated {
    use super::{Case, case, tree};
    use agentscope_tool::schema::tree::Opaque as _;

    mod prelude {
        pub use schemars::{JsonSchema, Schema, SchemaGenerator};
        pub use serde::{Deserialize, Serialize};
        pub use std::borrow::Cow;
        pub use std::collections::*;
        pub use std::num::*;
        pub use std::path::*;
        pub use std::rc::Rc;
        pub use std::sync::Arc;
        pub use std::time::*;
    }

    include!(concat!(env!("OUT_DIR"), "/schema_cases.rs"));

    pub(super) fn all() -> Vec<Case> {
        cases()
    }
}

/// What the file says of a case.
fn expected(id: &str) -> Value {
    let lines = include_str!("../cases/schema.jsonl").lines();
    lines
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|case| case["id"] == id)
        .expect("the case was generated from the file")
}

#[test]
fn the_tree_of_a_type_gives_the_schema_that_schemars_gives() {
    let mut compared = 0;
    let mut faults = Vec::new();
    for case in generated::all() {
        let Some(rendered) = tree::render(case.node) else { continue };
        compared += 1;
        if rendered != case.natural {
            faults.push(format!("{}:\n  tree     {rendered}\n  schemars {}", case.id, case.natural));
        }
    }
    assert!(faults.is_empty(), "{} of {compared} differ\n{}", faults.len(), faults.join("\n"));
    assert!(compared >= 75, "{compared} compared");
}

#[test]
fn the_compiler_refuses_what_has_no_portable_form_and_nothing_else() {
    let mut faults = Vec::new();
    for case in generated::all() {
        let wanted = expected(case.id)["compile_error"].clone();
        let message = judge("args", case.node, Profiles::PORTABLE);
        let is_opaque = tree::render(case.node).is_none();
        if !is_opaque && wanted.is_null() != message.is_empty() {
            faults.push(format!("{}: wanted {wanted}, got `{message}`", case.id));
        }
        // The two ways of judging agree.
        if !is_opaque && portable(&case.natural).is_err() && message.is_empty() {
            faults.push(format!("{}: no portable form, but not refused", case.id));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_example_of_each_type_is_decoded() {
    for case in generated::all() {
        let mut example = expected(case.id)["args_example"].clone();
        if case.natural["type"] == "object" {
            let validator = Validator::new(&case.natural).unwrap();
            let checked = args::check(example, &validator);
            example = Value::Object(checked.unwrap_or_else(|error| panic!("{}: {error}", case.id)));
        }
        (case.decode)(example).unwrap_or_else(|error| panic!("{}: {error}", case.id));
    }
}
