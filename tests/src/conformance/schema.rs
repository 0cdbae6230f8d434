//! Cases about the forms of schemas.

use agentscope_tool::schema::{Validator, gemini_parameters, portable};
use serde_json::Value;

use super::Verdict;
use super::expect::json::equal;

/// Brings the schema that a type leads to into its other forms, and checks the example against it.
pub(super) fn run(case: &Value) -> Verdict {
    let raw = &case["raw_schema"];
    let rendered = portable(raw);
    let wanted = &case["expect_schema"];
    match (&rendered, wanted.is_null()) {
        (Err(_), true) => return Verdict::Passed,
        (Ok(schema), true) => return failed("no portable form", schema),
        (Err(error), false) => return Verdict::Failed(format!("expected {wanted}, got the error `{error}`")),
        (Ok(schema), false) if !equal(wanted, schema) => return failed(&wanted.to_string(), schema),
        _ => {}
    }
    let gemini = gemini_parameters(raw).ok().flatten().unwrap_or_default();
    if !equal(&case["expect_gemini_openapi"], &gemini) {
        return failed(&format!("for Gemini {}", case["expect_gemini_openapi"]), &gemini);
    }
    // The portable form is what models answer to, so that its example has to fit it.
    let example = &case["args_example"];
    let fits = |schema: &Value| Validator::new(schema).is_ok_and(|validator| validator.is_valid(example));
    match example.is_null() || rendered.is_ok_and(|schema| fits(&schema)) {
        true => Verdict::Passed,
        false => Verdict::Failed(format!("the example {example} does not fit")),
    }
}

fn failed(wanted: &str, got: &Value) -> Verdict {
    Verdict::Failed(format!("expected {wanted}, got {got}"))
}
