use agentscope_tool::prelude::*;

async fn may_deploy(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    let reason = std::rc::Rc::new("because");
    std::future::ready(()).await;
    PermissionDecision::ask(*reason)
}

/// Deploy.
#[tool(permission = may_deploy)]
async fn deploy() {}

fn main() {}
