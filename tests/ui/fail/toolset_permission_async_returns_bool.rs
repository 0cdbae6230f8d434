use agentscope_tool::prelude::*;

struct Orders;

#[toolset]
impl Orders {
    /// Cancel an order.
    #[tool(permission = Self::may_cancel)]
    async fn cancel(&self) {}

    async fn may_cancel(&self, _: &ToolInput, _: &PermissionContext) -> bool {
        true
    }
}

fn main() {}
