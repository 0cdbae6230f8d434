//! Every form of the function that `permission` names.
#![deny(unused)]

use agentscope_tool::prelude::*;

// A name that generated code must not pick up.
#[allow(dead_code)]
struct Box;

mod policy {
    use agentscope_tool::prelude::*;

    pub(crate) fn generic<const N: usize>(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::ask(N.to_string())
    }

    pub(crate) trait Policy {
        async fn decide(_: &ToolInput, _: &PermissionContext) -> PermissionDecision;
    }
}

async fn decide(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    PermissionDecision::passthrough()
}

fn boxed<'a>(_: &'a ToolInput, _: &'a PermissionContext) -> BoxedDecision<'a> {
    std::boxed::Box::pin(async { PermissionDecision::passthrough() })
}

type BoxedDecision<'a> = std::pin::Pin<std::boxed::Box<dyn Future<Output = PermissionDecision> + Send + 'a>>;

struct Strict;

impl policy::Policy for Strict {
    async fn decide(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::deny("strict")
    }
}

fn opaque(_: &ToolInput, _: &PermissionContext) -> impl Future<Output = PermissionDecision> + Send + use<> {
    std::future::ready(PermissionDecision::passthrough())
}

fn of_any<T>(_: &T, _: &PermissionContext) -> PermissionDecision {
    PermissionDecision::passthrough()
}

// What generated code calls its own.
fn input(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    PermissionDecision::passthrough()
}

mod cx {
    pub(crate) use super::input as __p;
}

/// Seven.
#[tool(permission = opaque)]
async fn seven() {}

/// Eight.
#[tool(permission = of_any::<ToolInput>)]
async fn eight() {}

/// Nine.
#[tool(permission = input)]
async fn nine() {}

/// Ten.
#[tool(permission = cx::__p)]
async fn ten() {}

/// One.
#[tool(permission = decide)]
async fn one() {}

/// Two.
#[tool(permission = self::policy::generic::<3>)]
fn two() {}

/// Three.
#[tool(permission = <Strict as policy::Policy>::decide, external)]
async fn three(/** Why. */ reason: String) -> bool;

/// Four.
#[tool(permission = boxed, blocking)]
fn four() {}

/// Five.
#[cfg(any())]
#[tool(permission = not_there)]
async fn five() {}

macro_rules! tool_with {
    ($name:ident, $permission:path) => {
        /// Made by a macro.
        #[tool(permission = $permission)]
        async fn $name() {}
    };
}

tool_with!(six, decide);

struct Shelf<T>(T);

#[toolset]
impl<T: Send + Sync + 'static> Shelf<T> {
    /// Take.
    #[tool(permission = Self::may_take)]
    async fn take(&self) {}

    /// Put.
    #[tool(permission = Self::may_put)]
    fn put(self: std::sync::Arc<Self>) -> impl Stream<Item = String> + Send {
        futures_util::stream::iter([String::new()])
    }

    async fn may_take(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        let _ = &self.0;
        PermissionDecision::passthrough()
    }

    fn may_put(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::passthrough()
    }
}

fn main() {
    fn inner(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::passthrough()
    }

    /// Local.
    #[tool(permission = inner)]
    async fn local() {}

    let toolkit = Toolkit::builder().tool(One).tool(Two).tool(Three).tool(Four).tool(Six).tool(Local);
    let toolkit = toolkit.tool(Seven).tool(Eight).tool(Nine).tool(Ten);
    assert!(toolkit.toolset(Shelf(1)).toolset(Outsourced).build().is_ok());
}

struct Outsourced;

#[toolset]
impl Outsourced {
    /// Ask a function of the module.
    #[tool(permission = outside)]
    async fn ask(&self) {}

    /// Ask a function that is called as generated code calls a variable.
    #[tool(permission = object)]
    async fn ask_again(&self) {}
}

fn object<T>(_: &T, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    PermissionDecision::passthrough()
}

fn outside(_: &Outsourced, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    PermissionDecision::passthrough()
}
