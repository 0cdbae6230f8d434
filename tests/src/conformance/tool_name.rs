//! Cases about the names of tools.

use agentscope_tool::{SpecError, ToolSpec};
use serde_json::Value;

use super::Verdict;

pub(super) fn run(case: &Value) -> Verdict {
    let Some(name) = case["tool_name"].as_str() else {
        return Verdict::Skipped("the case has no `tool_name` text".into());
    };
    let spec = ToolSpec::builder(name, "A tool.").no_params().build();
    let refused = spec.faults().iter().any(|fault| matches!(fault, SpecError::IllegalName { .. }));
    let expected = !case["compile_error"].is_null();
    if refused == expected {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("expected refused = {expected}, got {:?}", spec.faults()))
    }
}
