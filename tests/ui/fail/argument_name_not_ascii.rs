use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The size.
    größe: u8,
) {
    let _ = größe;
}

fn main() {}
