use agentscope_tool::prelude::*;

/// Deploy.
#[derive(Tool)]
#[spec(permission = may_deploy)]
struct Deploy;

#[tool_args]
struct Args {}

impl ToolBody for Deploy {
    type Args = Args;
    type Output = String;

    async fn call(&self, _: Args, _: ToolContext) -> String {
        String::new()
    }
}

async fn may_deploy(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    PermissionDecision::passthrough()
}

fn main() {}
