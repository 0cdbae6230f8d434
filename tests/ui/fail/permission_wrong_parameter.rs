use agentscope_tool::prelude::*;

async fn may_deploy(_: &ToolInput, _: &ToolContext) -> PermissionDecision {
    PermissionDecision::passthrough()
}

/// Deploy.
#[tool(permission = may_deploy)]
async fn deploy() {}

fn main() {}
