use agentscope_tool::prelude::*;

struct Orders;

#[toolset]
impl Orders {
    /// Cancel an order.
    #[tool(permission = Self::may_cancel)]
    async fn cancel(&self) {}
}

fn main() {}
