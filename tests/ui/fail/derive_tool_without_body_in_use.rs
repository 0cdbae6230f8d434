use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
struct Wave;

fn main() {
    let _ = Toolkit::builder().tool(Wave).build();
    let _ = Wave.spec();
}
