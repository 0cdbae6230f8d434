//! Conformance cases: one JSON object a line, each with an input and what is right for it.
//!
//! Each kind of case has a runner of its own, which turns the case into an [`Outcome`]; that is compared with what the
//! case expects. A runner that lacks what a case needs says so, and the case is skipped.

mod builtin;
mod expect;
mod fixture;
mod json_repair;
mod ordinary;
mod outcome;
mod permission;
mod report;
mod response;
mod tool_name;
mod toolkit;

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use ordinary::{ONE_CASE, set_program};
pub use outcome::Outcome;
pub use report::{Report, Tally};

/// The names of the case files.
pub const FILES: [&str; 3] = ["files.jsonl", "schema.jsonl", "bash.jsonl"];

/// What came of one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// As expected.
    Passed,
    /// Not as expected: what was expected, and what came.
    Failed(String),
    /// Not run: why.
    Skipped(String),
}

/// Runs all cases of a file.
///
/// # Errors
/// When the file cannot be read, or a line is no JSON object with an `id`.
pub async fn run_file(path: &Path) -> Result<Report, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let mut report = Report::new(path);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).map_err(|error| format!("line {}: {error}", index + 1))?;
        let id = case["id"].as_str().ok_or_else(|| format!("line {}: the case has no `id`", index + 1))?;
        report.add(id, run_case(&case).await);
    }
    Ok(report)
}

/// Runs one case.
pub async fn run_case(case: &Value) -> Verdict {
    if ordinary::is_needed(case) {
        return ordinary::run(case);
    }
    let outcome = match case["tool"].as_str() {
        Some("json_repair") => json_repair::run(case),
        Some("ToolResponse") => response::run(case),
        Some("Toolkit") => toolkit::run(case).await,
        Some("Permission") => permission::run(case).await,
        Some(tool) if builtin::is_known(tool) => builtin::run(tool, case).await,
        Some(tool) => return Verdict::Skipped(format!("`{tool}` is not part of the library yet")),
        None if case.get("tool_name").is_some() => return tool_name::run(case),
        None if case.get("class").is_some() => return Verdict::Skipped("there is no shell tool yet".into()),
        None => return Verdict::Skipped("there are no provider renderings yet".into()),
    };
    match outcome {
        Ok(outcome) => expect::compare(&case["expect"], &outcome),
        Err(reason) => Verdict::Skipped(reason),
    }
}
