use agentscope_tool::prelude::*;

/// Deploy.
#[tool(permission = |_, _| PermissionDecision::passthrough())]
async fn deploy() {}

fn main() {}
