//! Snapshots of what tools say of themselves.

use serde_json::{Map, Value};

use crate::schema::Profile;
use crate::tool::ToolSpec;

/// All that a tool says of itself, as [`assert_tool_snapshot!`](crate::assert_tool_snapshot) keeps it: the name and
/// the description, the flags that are set, the schemas, and what each provider is shown, or why it cannot be.
#[must_use]
pub fn tool_snapshot(spec: &ToolSpec) -> Value {
    let mut snapshot = Map::new();
    snapshot.insert("name".into(), spec.name().into());
    let annotations = spec.annotations();
    if let Some(title) = &annotations.title {
        snapshot.insert("title".into(), title.as_str().into());
    }
    snapshot.insert("description".into(), spec.description().into());
    let flags = [
        ("read_only", spec.is_read_only()),
        ("concurrency_safe", spec.is_concurrency_safe()),
        ("external", spec.is_external_tool()),
        ("state_injected", spec.is_state_injected()),
    ];
    let hints = [
        ("destructive", annotations.destructive),
        ("idempotent", annotations.idempotent),
        ("open_world", annotations.open_world),
    ];
    let set = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| (name, true));
    let hinted = hints.into_iter().filter_map(|(name, hint)| Some((name, hint?)));
    for (name, value) in set.chain(hinted) {
        snapshot.insert(name.into(), value.into());
    }
    snapshot.insert("input_schema".into(), spec.input_schema().clone());
    if let Some(schema) = spec.output_schema() {
        snapshot.insert("output_schema".into(), schema.clone());
    }
    let mut renderings: Map<String, Value> = Map::new();
    for profile in Profile::ALL {
        let rendered = match spec.render(*profile) {
            Ok(rendered) => rendered,
            Err(error) => error.to_string().into(),
        };
        // What several are shown alike stands there once.
        let same = renderings.iter().find(|(_, other)| **other == rendered).map(|(name, _)| name.clone());
        renderings.insert(profile.name().into(), same.map_or(rendered, |name| format!("as {name}").into()));
    }
    snapshot.insert("renderings".into(), renderings.into());
    Value::Object(snapshot)
}

/// Fails where a tool has faults, or says something else than the snapshot that was accepted before.
///
/// Snapshots are [insta](https://insta.rs)'s: they lie in `snapshots/` beside the test, `INSTA_UPDATE` and `cargo insta review` work
/// as usual. The name is the tool's.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// /// Add two numbers.
/// #[tool(read_only, undocumented)]
/// async fn add(a: i64, b: i64) -> i64 { a + b }
///
/// # // Where there is no accepted snapshot, insta writes one, which a documentation test must not.
/// # if false {
/// agentscope_tool::assert_tool_snapshot!(Add);
/// # }
/// ```
#[macro_export]
macro_rules! assert_tool_snapshot {
    ($tool:expr) => {{
        let tool = $crate::IntoTool::into_tool($tool);
        $crate::__assert_spec_snapshot!($crate::Tool::spec(&*tool));
    }};
}

/// Does [`assert_tool_snapshot!`](crate::assert_tool_snapshot) for every tool of a crate, as [`specs_of`](super::specs_of) lists
/// them: of this one, or of the one that is named. It fails where there is none.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// /// Add two numbers.
/// #[tool(read_only, undocumented)]
/// async fn add(a: i64, b: i64) -> i64 { a + b }
///
/// # if false {
/// agentscope_tool::assert_tool_snapshots!();            // in a module of the crate
/// agentscope_tool::assert_tool_snapshots!("my-crate");  // in `tests/`, with `use my_crate as _;`
/// # }
/// ```
#[macro_export]
macro_rules! assert_tool_snapshots {
    () => {
        $crate::assert_tool_snapshots!(module_path!())
    };
    ($name:expr) => {{
        let specs = $crate::testing::specs_of($name);
        assert!(!specs.is_empty(), "the crate `{}` has no tools here; write `use <crate> as _;` in the test", $name);
        for spec in &specs {
            $crate::__assert_spec_snapshot!(spec);
        }
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __assert_spec_snapshot {
    ($spec:expr) => {{
        let spec: &$crate::ToolSpec = $spec;
        assert!(spec.faults().is_empty(), "the tool `{}` has faults: {:?}", spec.name(), spec.faults());
        $crate::__private::insta::assert_json_snapshot!(spec.name(), $crate::testing::tool_snapshot(spec));
    }};
}
