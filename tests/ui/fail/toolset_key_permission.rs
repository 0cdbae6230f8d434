use agentscope_tool::prelude::*;

struct Orders;

#[toolset(permission = may_cancel)]
impl Orders {
    /// Cancel an order.
    #[tool]
    async fn cancel(&self) {}
}

fn main() {}
