use agentscope_tool::prelude::*;

struct Orders;

#[toolset]
impl Orders {
    /// Cancel an order.
    #[tool(permission = Self::may_cancel)]
    async fn cancel(&self) {}

    async fn may_cancel(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        let reason = std::rc::Rc::new("because");
        std::future::ready(()).await;
        PermissionDecision::ask(*reason)
    }
}

fn main() {}
