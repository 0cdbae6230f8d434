use agentscope_tool::prelude::*;

fn may_deploy(_: &ToolInput, _: &PermissionContext) -> bool {
    true
}

/// Deploy.
#[tool(permission = may_deploy)]
async fn deploy() {}

fn main() {}
