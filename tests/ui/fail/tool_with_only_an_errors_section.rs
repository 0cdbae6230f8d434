use agentscope_tool::prelude::*;

/// # Errors
///
/// Always.
#[tool]
async fn wave() -> Result<(), String> {
    Err("no hands".to_owned())
}

fn main() {}
