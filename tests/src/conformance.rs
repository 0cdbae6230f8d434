//! Conformance cases: one JSON object a line, each with an input and what is right for it.
//!
//! Each kind of case has a runner of its own, which turns the case into an [`Outcome`]; that is compared with what the
//! case expects. A runner that lacks what a case needs says so, and the case is skipped.

mod builtin;
mod expect;
mod fixture;
mod json_repair;
mod outcome;
mod own_process;
mod permission;
mod report;
mod response;
mod schema;
mod tool_name;
mod toolkit;

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use fixture::Fixture;

pub use outcome::Outcome;
pub use own_process::{ONE_CASE, set_program};
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

/// Runs one case, in another process if it changes what holds for a whole process.
pub async fn run_case(case: &Value) -> Verdict {
    if own_process::is_needed(case) { own_process::run(case).await } else { run_here(case, None).await }
}

/// Runs one case in this process: in the empty directory that is given, or in a fresh one.
pub async fn run_here(case: &Value, place: Option<&Path>) -> Verdict {
    match outcome(case, place).await {
        Ok(outcome) => expect::compare(&case["expect"], &outcome),
        Err(verdict) => verdict,
    }
}

async fn outcome(case: &Value, place: Option<&Path>) -> Result<Outcome, Verdict> {
    let fixture = || {
        let fixture = Fixture::new(&case["setup"], place);
        fixture.map_err(|error| Verdict::Skipped(format!("what the case needs cannot be set up: {error}")))
    };
    match case["tool"].as_str() {
        Some("json_repair") => json_repair::run(case).map_err(Verdict::Skipped),
        Some("ToolResponse") => response::run(case).map_err(Verdict::Skipped),
        Some("Toolkit") => toolkit::run(case, &fixture()?).await,
        Some("Permission") => permission::run(case, &fixture()?).await,
        Some(tool) if builtin::is_known(tool) => builtin::run(tool, case, fixture()?).await,
        Some(tool) => Err(Verdict::Skipped(format!("`{tool}` is not part of the library yet"))),
        None if case.get("tool_name").is_some() => Err(tool_name::run(case)),
        None if case.get("class").is_some() => Err(Verdict::Skipped("there is no shell tool yet".into())),
        None if case.get("raw_schema").is_some() => Err(schema::run(case)),
        None => Err(Verdict::Skipped("there are no provider renderings yet".into())),
    }
}

/// How long a case's calls may take.
fn time_limit(case: &Value) -> Duration {
    let seconds = case["setup"]["timeout"].as_f64().or_else(|| case["timeout"].as_f64());
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(Duration::from_secs(60))
}
