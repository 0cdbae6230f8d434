//! What the benchmarks share: the tools that they call.

use agentscope_tool::prelude::*;

/// Add two numbers.
#[tool]
pub async fn add(
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> String {
    (a + b).to_string()
}

/// The arguments of a call to [`add`], as a model writes them.
pub const ARGUMENTS: &str = r#"{"a": 20, "b": 22}"#;
