//! What has changed between two files with the definitions of tools, for a check that stops changes which break callers.
//!
//! ```text
//! cargo run -p agentscope-tool-examples --bin schema-diff -- OLD NEW
//! ```
//!
//! It exits with 1 when a change is breaking, and with 2 when a file cannot be read.

use std::path::Path;
use std::process::ExitCode;

use agentscope_tool::testing::schema_diff;
use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [old, new] = &arguments[..] else {
        eprintln!("usage: schema-diff OLD NEW");
        return ExitCode::from(2);
    };
    match (read(Path::new(old)), read(Path::new(new))) {
        (Ok(old), Ok(new)) => {
            let changes = schema_diff(&old, &new);
            for change in &changes {
                println!("{change}");
            }
            if changes.iter().any(|change| change.is_breaking()) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        (old, new) => {
            for error in [old.err(), new.err()].into_iter().flatten() {
                eprintln!("{error}");
            }
            ExitCode::from(2)
        }
    }
}

fn read(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}
