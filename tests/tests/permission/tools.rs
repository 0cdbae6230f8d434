//! Tools that touch what a call says, and think of it what the call says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentscope_tool::prelude::*;
use agentscope_tool::{Backend, PermissionEngine, PermissionStep, ProtectedPaths};
use serde::Serialize;

/// How often something happened.
#[derive(Clone, Debug, Default)]
pub struct Count(Arc<AtomicUsize>);

impl Count {
    pub fn up(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    pub fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// What a call is to touch, and what its tool is to think of it.
#[tool_args(undocumented)]
#[derive(Clone, Debug, Default, Serialize)]
#[serde(default)]
pub struct Touch {
    pub reads: Vec<String>,
    pub reads_below: Vec<String>,
    pub writes: Vec<String>,
    pub writes_below: Vec<String>,
    pub unknown: bool,
    pub read_only: bool,
    pub says: Says,
}

/// What a tool thinks of a call.
#[tool_args(undocumented)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Says {
    Allow,
    Deny,
    Ask,
    SafetyAsk,
    #[default]
    Passthrough,
}

impl Says {
    pub fn decision(self) -> PermissionDecision {
        match self {
            Self::Allow => PermissionDecision::allow("harmless"),
            Self::Deny => PermissionDecision::deny("out of the question"),
            Self::Ask => PermissionDecision::ask("rather not unasked"),
            Self::SafetyAsk => PermissionDecision::ask("dangerous").bypass_immune(),
            Self::Passthrough => PermissionDecision::passthrough(),
        }
    }
}

impl Touch {
    pub fn reads(mut self, path: impl Into<String>) -> Self {
        self.reads.push(path.into());
        self
    }

    pub fn reads_below(mut self, path: impl Into<String>) -> Self {
        self.reads_below.push(path.into());
        self
    }

    pub fn writes(mut self, path: impl Into<String>) -> Self {
        self.writes.push(path.into());
        self
    }

    pub fn writes_below(mut self, path: impl Into<String>) -> Self {
        self.writes_below.push(path.into());
        self
    }

    pub fn and_unknown(mut self) -> Self {
        self.unknown = true;
        self
    }

    pub fn says(mut self, says: Says) -> Self {
        self.says = says;
        self
    }
}

/// Where a tool acts, and its own protected paths.
#[derive(Clone, Debug, Default)]
pub struct Place {
    pub backend: Option<Arc<dyn Backend>>,
    pub protected: Option<ProtectedPaths>,
}

impl Place {
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        Self { backend: Some(backend), protected: None }
    }

    pub fn footprint(&self, touch: &Touch) -> Footprint {
        let mut footprint = self.backend.as_ref().map_or_else(Footprint::new, |place| Footprint::on(Arc::clone(place)));
        footprint = touch.reads.iter().fold(footprint, Footprint::reads);
        footprint = touch.reads_below.iter().fold(footprint, Footprint::reads_below);
        footprint = touch.writes.iter().fold(footprint, Footprint::writes);
        footprint = touch.writes_below.iter().fold(footprint, Footprint::writes_below);
        if touch.unknown {
            footprint = footprint.and_unknown("what a script does");
        }
        match &self.protected {
            Some(protected) => footprint.with_protected_paths(protected.clone()),
            None => footprint,
        }
    }
}

macro_rules! tools {
    ($($name:ident)*) => { $(
        /// Touch what the call says.
        #[derive(Clone, Debug, Tool)]
        pub struct $name(pub Place);

        impl ToolBody for $name {
            type Args = Touch;
            type Output = ();

            async fn call(&self, _: Touch, _: ToolContext) {}

            async fn footprint(&self, touch: &Touch) -> Footprint {
                self.0.footprint(touch)
            }

            async fn check_read_only(&self, touch: &Touch) -> bool {
                touch.read_only
            }

            async fn check_permissions(&self, touch: &Touch, _: &PermissionContext) -> PermissionDecision {
                touch.says.decision()
            }

            fn generate_suggestions(&self, _: &Touch, footprint: &Footprint) -> Vec<PermissionRule> {
                footprint.suggest_directories(self.name())
            }
        }
    )* };
}

tools!(Read Write Edit Grep Probe);

/// What is decided about a call of `tool`.
pub async fn decide(context: &PermissionContext, tool: &dyn Tool, touch: &Touch) -> PermissionDecision {
    let input = ToolInput::from_value(serde_json::to_value(touch).unwrap(), tool.spec()).unwrap();
    PermissionEngine::new(context.clone()).check(tool, &input).await
}

/// The step that decided.
pub fn decided_by(decision: &PermissionDecision) -> PermissionStep {
    decision.trace.steps().last().unwrap().step
}
