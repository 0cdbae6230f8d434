//! The hooks of a tool during a call: how often its arguments are decoded, and what a broken hook does.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod permission;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agentscope_tool::CancellationToken;
use agentscope_tool::prelude::*;
use serde::{Deserialize, Deserializer};

use permission::tools::Count;

fn toolkit(tool: impl Tool) -> Toolkit {
    Toolkit::builder().tool(tool).build().unwrap()
}

fn state(permissions: impl Into<PermissionContext>) -> AgentState {
    AgentState::new().with_permissions(permissions)
}

static DECODED: AtomicUsize = AtomicUsize::new(0);

fn counted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    DECODED.fetch_add(1, Ordering::SeqCst);
    String::deserialize(deserializer)
}

#[tool_args(undocumented)]
struct Counted {
    #[serde(deserialize_with = "counted")]
    text: String,
}

/// Use every hook.
#[derive(Clone, Debug, Tool)]
struct Hooked;

impl ToolBody for Hooked {
    type Args = Counted;
    type Output = String;

    async fn call(&self, args: Counted, _: ToolContext) -> String {
        args.text
    }

    async fn footprint(&self, args: &Counted) -> Footprint {
        Footprint::new().contacts(&*args.text)
    }

    async fn check_read_only(&self, args: &Counted) -> bool {
        args.text.is_empty()
    }

    async fn check_permissions(&self, args: &Counted, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::ask(&*args.text)
    }

    fn match_rule(&self, rule: &PermissionRule, args: &Counted, _: &Footprint) -> bool {
        rule.content() == Some(&*args.text)
    }
}

#[tokio::test]
async fn arguments_are_decoded_once_for_all_hooks_and_the_body() {
    let permissions = PermissionContext::new().deny("Hooked(a)").unwrap().ask("Hooked(b)").unwrap();
    let permissions = permissions.allow("Hooked(c)").unwrap().allow("Hooked(x)").unwrap();
    let before = DECODED.load(Ordering::SeqCst);
    let response = toolkit(Hooked).call(ToolCall::new("1", "Hooked", r#"{"text": "x"}"#), &state(permissions)).await;
    assert_eq!(response.text(), "x");
    assert_eq!(DECODED.load(Ordering::SeqCst), before + 1);
}

/// Which hook goes wrong, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hook {
    Footprint,
    ReadOnly,
    Permissions,
    MatchRule,
    Suggestions,
}

/// Break in one hook.
#[derive(Clone, Debug, Tool)]
#[spec(read_only)]
struct Broken {
    hook: Hook,
    hangs: bool,
    ran: Count,
    dropped: Count,
}

struct Guard(Count);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.up();
    }
}

impl Broken {
    fn new(hook: Hook, hangs: bool) -> Self {
        Self { hook, hangs, ran: Count::default(), dropped: Count::default() }
    }

    async fn reach(&self, hook: Hook) {
        if self.hook == hook {
            if self.hangs {
                let _guard = Guard(self.dropped.clone());
                std::future::pending::<()>().await;
            }
            panic!("secret of the program");
        }
    }

    fn reach_now(&self, hook: Hook) {
        assert!(self.hook != hook, "secret of the program");
    }
}

#[tool_args(undocumented)]
struct Nothing {}

impl ToolBody for Broken {
    type Args = Nothing;
    type Output = ();

    async fn call(&self, _: Nothing, _: ToolContext) {
        self.ran.up();
    }

    async fn footprint(&self, _: &Nothing) -> Footprint {
        self.reach(Hook::Footprint).await;
        Footprint::new()
    }

    async fn check_read_only(&self, _: &Nothing) -> bool {
        self.reach(Hook::ReadOnly).await;
        false
    }

    async fn check_permissions(&self, _: &Nothing, _: &PermissionContext) -> PermissionDecision {
        self.reach(Hook::Permissions).await;
        PermissionDecision::passthrough()
    }

    fn match_rule(&self, _: &PermissionRule, _: &Nothing, _: &Footprint) -> bool {
        self.reach_now(Hook::MatchRule);
        false
    }

    fn generate_suggestions(&self, _: &Nothing, _: &Footprint) -> Vec<PermissionRule> {
        self.reach_now(Hook::Suggestions);
        Vec::new()
    }
}

fn broken_call() -> ToolCall {
    ToolCall::new("1", "Broken", "{}")
}

#[tokio::test]
async fn a_hook_that_panics_denies_the_call_and_tells_the_model_nothing() {
    let context = PermissionContext::new().allow("Broken(x)").unwrap();
    for hook in [Hook::Footprint, Hook::ReadOnly, Hook::Permissions, Hook::MatchRule, Hook::Suggestions] {
        let tool = Broken::new(hook, false);
        let decision = toolkit(tool.clone()).check(&broken_call(), &state(context.clone())).await;
        assert_eq!(decision.behavior, PermissionBehavior::Deny, "{hook:?}");
        let response = toolkit(tool.clone()).call(broken_call(), &state(context.clone())).await;
        assert_eq!(response.state, ToolResultState::Denied, "{hook:?}");
        assert!(!serde_json::to_string(&response).unwrap().contains("secret"), "{hook:?}");
        assert_eq!(tool.ran.get(), 0);
    }
}

#[tokio::test]
async fn dropping_a_call_drops_the_hook_that_it_waits_for() {
    for hook in [Hook::Footprint, Hook::ReadOnly, Hook::Permissions] {
        let tool = Broken::new(hook, true);
        let mut call = toolkit(tool.clone()).call(broken_call(), &AgentState::new());
        assert!(tokio::time::timeout(Duration::from_millis(5), call.next()).await.is_err());
        assert_eq!(tool.dropped.get(), 0);
        drop(call);
        assert_eq!((tool.dropped.get(), tool.ran.get()), (1, 0), "{hook:?}");
    }
}

#[tokio::test]
async fn a_call_that_is_cancelled_during_its_check_is_interrupted() {
    for hook in [Hook::Footprint, Hook::ReadOnly, Hook::Permissions] {
        let tool = Broken::new(hook, true);
        let token = CancellationToken::new();
        let call = toolkit(tool.clone()).call(broken_call(), &AgentState::new()).cancel_with(token.clone());
        let running = tokio::spawn(call.response());
        tokio::time::sleep(Duration::from_millis(5)).await;
        token.cancel();
        let response = running.await.unwrap();
        assert_eq!(response.state, ToolResultState::Interrupted, "{hook:?}");
        assert!(PermissionDecision::of(&response).is_none());
        assert_eq!((tool.dropped.get(), tool.ran.get()), (1, 0), "{hook:?}");
    }
}

/// Touch a file, and more.
#[derive(Clone, Tool)]
struct AndMore;

#[tool_args(undocumented)]
struct More {
    runs: bool,
    contacts: bool,
}

impl ToolBody for AndMore {
    type Args = More;
    type Output = ();

    async fn call(&self, _: More, _: ToolContext) {}

    async fn footprint(&self, args: &More) -> Footprint {
        let mut footprint = Footprint::new().reads("/w/a");
        if args.runs {
            footprint = footprint.runs(["sh", "a"]);
        }
        if args.contacts {
            footprint = footprint.contacts("example.com");
        }
        footprint
    }
}

#[tokio::test]
async fn a_rule_about_paths_allows_neither_commands_nor_hosts() {
    let toolkit = toolkit(AndMore);
    let state = state(PermissionContext::new().allow("AndMore(/w/**)").unwrap());
    for (runs, contacts) in [(false, false), (true, false), (false, true)] {
        let input = serde_json::json!({ "runs": runs, "contacts": contacts });
        let decision = toolkit.check(&ToolCall::from_value("1", "AndMore", &input), &state).await;
        assert_eq!(decision.is_allowed(), !runs && !contacts, "{input}: {}", decision.explain());
    }
}
