use agentscope_tool::prelude::*;

struct Orders;

#[toolset]
impl Orders {
    /// Cancel an order.
    #[tool(permission = |_, _, _| PermissionDecision::passthrough())]
    async fn cancel(&self) {}
}

fn main() {}
