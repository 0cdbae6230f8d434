use agentscope_tool::prelude::*;

async fn may_deploy(target: String) -> PermissionDecision {
    PermissionDecision::ask(target)
}

/// Deploy.
#[tool(permission = may_deploy)]
async fn deploy(/** Where. */ target: String) -> String {
    target
}

fn main() {}
