//! A tool with middleware around it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use super::ToolMiddleware;
use super::next::{Chain, Next};
use crate::output::ToolStream;
use crate::permission::{Footprint, PermissionContext, PermissionDecision, PermissionRule};
use crate::tool::{Tool, ToolContext, ToolInput, ToolSpec};

/// A tool with middleware around it. All else is as the tool says.
#[derive(Clone)]
pub struct LayeredTool(Arc<Chain>);

impl LayeredTool {
    /// The tool without its middleware.
    #[must_use]
    pub fn inner(&self) -> &Arc<dyn Tool> {
        &self.0.tool
    }
}

/// The tool with one more middleware, inside of those that it has already.
pub(crate) fn layered(tool: Arc<dyn Tool>, layer: Arc<dyn ToolMiddleware>) -> Arc<dyn Tool> {
    let (outer, tool) = match tool.layered() {
        Some(LayeredTool(chain)) => (&chain.layers[..], Arc::clone(&chain.tool)),
        None => (&[][..], Arc::clone(&tool)),
    };
    let layers = outer.iter().cloned().chain([layer]).collect();
    Arc::new(LayeredTool(Arc::new(Chain { layers, tool })))
}

impl LayeredTool {
    /// The tool with these around all that it has already.
    pub(crate) fn around(tool: Arc<dyn Tool>, layers: &[Arc<dyn ToolMiddleware>]) -> Arc<dyn Tool> {
        if layers.is_empty() {
            return tool;
        }
        Arc::new(Self(Arc::new(Chain { layers: layers.into(), tool })))
    }
}

/// The tool behind all its middleware, whose hooks are asked directly.
pub(crate) fn unlayered(mut tool: &Arc<dyn Tool>) -> &Arc<dyn Tool> {
    while let Some(layered) = tool.layered() {
        tool = layered.inner();
    }
    tool
}

#[async_trait]
impl Tool for LayeredTool {
    fn spec(&self) -> &ToolSpec {
        self.0.tool.spec()
    }

    fn call(self: Arc<Self>, input: ToolInput, cx: ToolContext) -> ToolStream {
        Next::new(Arc::clone(&self.0), &input, cx).run(input)
    }

    fn describe(&self) -> Option<Cow<'static, str>> {
        self.0.tool.describe()
    }

    async fn check_permissions(&self, input: &ToolInput, cx: &PermissionContext) -> PermissionDecision {
        self.0.tool.check_permissions(input, cx).await
    }

    async fn check_read_only(&self, input: &ToolInput) -> bool {
        self.0.tool.check_read_only(input).await
    }

    async fn footprint(&self, input: &ToolInput) -> Footprint {
        self.0.tool.footprint(input).await
    }

    fn match_rule(&self, rule: &PermissionRule, input: &ToolInput, footprint: &Footprint) -> bool {
        self.0.tool.match_rule(rule, input, footprint)
    }

    fn rules_that_cover(
        &self,
        rules: &[PermissionRule],
        input: &ToolInput,
        footprint: &Footprint,
    ) -> Vec<PermissionRule> {
        self.0.tool.rules_that_cover(rules, input, footprint)
    }

    fn generate_suggestions(&self, input: &ToolInput, footprint: &Footprint) -> Vec<PermissionRule> {
        self.0.tool.generate_suggestions(input, footprint)
    }

    fn layered(&self) -> Option<&LayeredTool> {
        Some(self)
    }
}

impl fmt::Debug for LayeredTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LayeredTool").field("tool", &self.0.tool.name()).field("layers", &self.0.layers.len()).finish()
    }
}
