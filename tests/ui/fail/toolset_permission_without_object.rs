use agentscope_tool::prelude::*;

struct Orders;

#[toolset]
impl Orders {
    /// Cancel an order.
    #[tool(permission = Self::may_cancel)]
    async fn cancel(&self) {}

    async fn may_cancel(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::passthrough()
    }
}

fn main() {}
