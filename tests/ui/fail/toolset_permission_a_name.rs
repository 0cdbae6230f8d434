use agentscope_tool::prelude::*;

struct Orders;

#[toolset]
impl Orders {
    /// Cancel an order.
    #[tool(permission = may_cancel)]
    async fn cancel(&self) {}

    fn may_cancel(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::passthrough()
    }
}

fn main() {}
