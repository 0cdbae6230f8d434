//! The rest of a call.

use std::fmt;
use std::sync::Arc;

use super::ToolMiddleware;
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{InputIdentity, Tool, ToolContext, ToolInput};

/// A tool and the middleware around it.
pub(super) struct Chain {
    pub(super) layers: Box<[Arc<dyn ToolMiddleware>]>,
    pub(super) tool: Arc<dyn Tool>,
}

/// The rest of a call: the middleware further inside, and then the tool. Cheap to clone, so that it may run again.
#[derive(Clone)]
pub struct Next {
    chain: Arc<Chain>,
    /// How many layers have begun.
    begun: usize,
    /// The input that the chain was entered with, which is known to be good.
    checked: InputIdentity,
    cx: ToolContext,
}

impl Next {
    pub(super) fn new(chain: Arc<Chain>, input: &ToolInput, cx: ToolContext) -> Self {
        Self { chain, begun: 0, checked: input.identity(), cx }
    }

    /// Runs the rest of the call with this input.
    ///
    /// Another input than the one that came is checked against the tool's input schema, and, where the call needed a
    /// permission, the decision is made again: what runs is what was allowed.
    ///
    /// ```
    /// use agentscope_tool::middleware;
    /// use agentscope_tool::prelude::*;
    /// use serde_json::json;
    ///
    /// /// Greet somebody.
    /// #[tool]
    /// async fn greet(/** The name. */ name: String) -> String { format!("hello {name}") }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let loud = middleware::from_fn(async |tool, input, next| {
    ///     let name = input.str("name")?.to_uppercase();
    ///     let input = ToolInput::from_value(json!({ "name": name }), tool.spec())?;
    ///     Ok::<_, ToolError>(next.run(input))
    /// });
    /// let greet = Greet.with_middleware(loud);
    /// assert_eq!(testing::call(greet, json!({ "name": "ada" })).await.text(), "hello ADA");
    /// # }
    /// ```
    #[must_use = "nothing happens before the stream is polled"]
    pub fn run(mut self, input: ToolInput) -> ToolStream {
        match self.chain.layers.get(self.begun) {
            Some(layer) => {
                let (layer, tool) = (Arc::clone(layer), Arc::clone(&self.chain.tool));
                self.begun += 1;
                layer.on_tool_call(tool, input, self)
            }
            None => self.run_tool(input),
        }
    }

    /// What the call may use: its id, the agent's state, the application's states, whether it was cancelled.
    #[must_use]
    pub fn context(&self) -> &ToolContext {
        &self.cx
    }

    fn run_tool(self, input: ToolInput) -> ToolStream {
        let tool = Arc::clone(&self.chain.tool);
        if self.checked.is(&input) {
            return tool.call(input, self.cx);
        }
        let input = match input.checked_for(tool.spec()) {
            Ok(input) => input,
            Err(error) => return ToolStream::error(error),
        };
        let Some(engine) = self.cx.guard().cloned() else { return tool.call(input, self.cx) };
        ToolStream::once(async move {
            let (decision, input) = engine.settle(&*tool, &input).await;
            if decision.is_allowed() { Ok(tool.call(input, self.cx)) } else { Err(ToolError::denied(decision)) }
        })
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next")
            .field("tool", &self.chain.tool.name())
            .field("left", &(self.chain.layers.len() - self.begun))
            .finish_non_exhaustive()
    }
}
