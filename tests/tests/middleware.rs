//! Middleware around calls: order, streams, changed inputs, answers of its own, failures, and the end of a call.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agentscope_tool::middleware::{self, Next};
use agentscope_tool::prelude::*;
use serde_json::json;

/// What happened, in order.
#[derive(Clone, Default)]
struct Journal(Arc<Mutex<Vec<String>>>);

impl Journal {
    fn write(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Writes down when it begins and ends.
#[derive(Clone)]
struct Noted(&'static str, Journal);

impl ToolMiddleware for Noted {
    fn on_tool_call(self: Arc<Self>, _: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        self.1.write(format!("{} begins", self.0));
        next.run(input).inspect_end(move |state| self.1.write(format!("{} ends: {state}", self.0)))
    }
}

/// Say a word.
#[tool]
async fn say(
    /** The word. */
    word: String,
) -> Result<String, ToolError> {
    match word.as_str() {
        "fail" => Err(ToolError::failed("it failed").retryable()),
        "panic" => panic!("it panicked"),
        _ => Ok(word),
    }
}

/// Count down.
#[tool]
fn count_down(
    /** From where. */
    from: u8,
) -> impl Stream<Item = String> + Send {
    futures_util::stream::iter((1..=from).rev()).map(|n| format!("{n} "))
}

/// Allow everything but what is forbidden.
#[derive(Tool)]
struct Careful;

#[tool_args(undocumented)]
struct Word {
    word: String,
}

impl ToolBody for Careful {
    type Args = Word;
    type Output = String;

    async fn call(&self, args: Word, _: ToolContext) -> String {
        format!("ran {}", args.word)
    }

    async fn check_permissions(&self, args: &Word, _: &PermissionContext) -> PermissionDecision {
        match args.word.as_str() {
            "forbidden" => PermissionDecision::deny("that word is forbidden"),
            _ => PermissionDecision::allow("any other word is fine"),
        }
    }
}

/// Gives the tool another word.
struct Instead(&'static str);

impl ToolMiddleware for Instead {
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, _: ToolInput, next: Next) -> ToolStream {
        match ToolInput::from_value(json!({ "word": self.0 }), tool.spec()) {
            Ok(input) => next.run(input),
            Err(error) => ToolStream::error(error),
        }
    }
}

async fn call(tool: Arc<dyn Tool>, word: &str) -> ToolResponse {
    tool.invoke(json!({ "word": word }), ToolContext::default()).await
}

#[tokio::test]
async fn the_first_that_is_added_is_the_outermost() {
    let journal = Journal::default();
    let noted = |name| Noted(name, journal.clone());
    let tool = Say.with_middleware(noted("a")).with_middleware(noted("b"));
    let toolkit = Toolkit::builder().middleware(noted("1")).tool(tool).middleware(noted("2")).build().unwrap();

    let response = toolkit.call_unchecked(ToolCall::new("c", "say", r#"{"word":"hi"}"#), &AgentState::new()).await;
    assert_eq!(response.text(), "hi");
    let order = ["1 begins", "2 begins", "a begins", "b begins", "b ends", "a ends", "2 ends", "1 ends"];
    let lines: Vec<_> = journal.lines().iter().map(|line| line.trim_end_matches(": success").to_owned()).collect();
    assert_eq!(lines, order);
}

#[tokio::test]
async fn a_tool_that_is_added_later_gets_the_toolkits_middleware_and_comes_back_without() {
    let journal = Journal::default();
    let toolkit = Toolkit::builder().middleware(Noted("kit", journal.clone())).build().unwrap();
    toolkit.add(Say).unwrap();
    toolkit.call_unchecked(ToolCall::new("c", "say", r#"{"word":"hi"}"#), &AgentState::new()).await;
    assert_eq!(journal.lines().len(), 2);

    let tool = toolkit.remove("say").unwrap();
    assert_eq!(call(tool, "hi").await.text(), "hi");
    assert_eq!(journal.lines().len(), 2);
}

#[tokio::test]
async fn a_stream_passes_through_piece_by_piece_and_can_be_changed() {
    let louder = middleware::from_fn(async |_, input, next: Next| {
        ToolStream::new(next.run(input).map(|item| item.map(|chunk| ToolChunk::text(chunk.joined_text() + "!"))))
    });
    let mut stream = CountDown.with_middleware(louder).invoke(json!({ "from": 3 }), ToolContext::default());
    assert_eq!(stream.next().await.unwrap().joined_text(), "3 !");
    assert_eq!(stream.response().await.text(), "3 !2 !1 !");
}

#[tokio::test]
async fn a_changed_input_is_decided_again() {
    let allowed = ToolCall::new("c", "Careful", r#"{"word":"fine"}"#);
    let run = async |tool: Arc<dyn Tool>| {
        Toolkit::builder().tool(tool).build().unwrap().call(allowed.clone(), &AgentState::new()).await
    };
    assert_eq!(run(Careful.with_middleware(Instead("other"))).await.text(), "ran other");

    let response = run(Careful.with_middleware(Instead("forbidden"))).await;
    assert_eq!(response.state, ToolResultState::Denied);
    assert_eq!(response.text(), "Permission denied, so the call was not run: that word is forbidden");
    assert_eq!(PermissionDecision::of(&response).unwrap().behavior, PermissionBehavior::Deny);

    // Whichever layer changes it.
    let within = Careful.with_middleware(Noted("a", Journal::default())).with_middleware(Instead("forbidden"));
    let toolkit = Toolkit::builder().middleware(Instead("other")).tool(within).build().unwrap();
    assert_eq!(toolkit.call(allowed, &AgentState::new()).await.state, ToolResultState::Denied);
}

#[tokio::test]
async fn an_input_that_was_made_for_another_tool_is_checked_for_this_one() {
    let foreign = ToolInput::from_value(json!({ "from": 3 }), CountDown.spec()).unwrap();
    let swap = middleware::from_fn(move |_, _, next: Next| {
        let foreign = foreign.clone();
        async move { next.run(foreign) }
    });
    let response = call(Careful.with_middleware(swap), "x").await;
    assert_eq!(response.state, ToolResultState::Error);
    assert!(response.text().contains("word"), "{}", response.text());
}

#[tokio::test]
async fn a_call_without_a_permission_check_needs_none_for_a_changed_input() {
    assert_eq!(call(Careful.with_middleware(Instead("forbidden")), "x").await.text(), "ran forbidden");
}

#[tokio::test]
async fn middleware_can_answer_itself() {
    let journal = Journal::default();
    let closed = middleware::from_fn(async |_, _, _| "closed");
    let tool = Say.with_middleware(closed).with_middleware(Noted("inner", journal.clone()));
    assert_eq!(call(tool, "hi").await.text(), "closed");
    assert!(journal.lines().is_empty());
}

#[tokio::test]
async fn what_follows_can_run_again() {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let retry = middleware::from_fn(async |_, input: ToolInput, next: Next| {
        for _ in 0..2 {
            if let Some(Ok(chunk)) = next.clone().run(input.clone()).next().await {
                return Ok(chunk);
            }
        }
        Err(ToolError::failed("tried twice"))
    });
    let count = middleware::before(move |_, _, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(())
    });
    let response = call(Say.with_middleware(retry).with_middleware(count), "fail").await;
    assert_eq!((response.text(), runs.load(Ordering::SeqCst)), ("tried twice".into(), 2));
}

#[tokio::test]
async fn errors_are_seen_as_errors_and_panics_end_the_call() {
    let journal = Journal::default();
    let response = call(Say.with_middleware(Noted("a", journal.clone())), "fail").await;
    assert_eq!((response.text(), response.state), ("it failed".into(), ToolResultState::Error));
    assert_eq!(journal.lines(), ["a begins", "a ends: error"]);

    for word in ["panic", "fine"] {
        let panics = middleware::before(|_, input, _| match input.str("word")? {
            "fine" => panic!("in a middleware"),
            _ => Ok(()),
        });
        let response = call(Say.with_middleware(panics), word).await;
        assert_eq!(response.state, ToolResultState::Error);
        assert!(response.text().contains("fault in the program"), "{}", response.text());
    }
}

#[tokio::test]
async fn dropping_a_call_drops_what_runs_behind_all_layers() {
    struct OnDrop(Arc<AtomicBool>);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicBool::new(false));
    let witness = Arc::clone(&dropped);
    let slow = middleware::from_fn(move |_, _, _| {
        let witness = OnDrop(Arc::clone(&witness));
        async move {
            let _witness = witness;
            tokio::time::sleep(Duration::from_secs(3600)).await;
        }
    });
    let journal = Journal::default();
    let pass = || Noted("pass", journal.clone());
    let tool = Say.with_middleware(pass()).with_middleware(pass()).with_middleware(slow);
    let toolkit = Toolkit::builder().middleware(pass()).tool(tool).build().unwrap();
    let state = AgentState::new();
    let mut stream = toolkit.call_unchecked(ToolCall::new("c", "say", r#"{"word":"hi"}"#), &state);
    assert!(tokio::time::timeout(Duration::from_millis(50), stream.next()).await.is_err());
    assert!(!dropped.load(Ordering::SeqCst));
    drop(stream);
    assert!(dropped.load(Ordering::SeqCst));
    assert_eq!(journal.lines().last().unwrap(), "pass ends: interrupted");
}

#[tokio::test]
async fn permissions_are_asked_of_the_tool_itself() {
    let tool = Careful.with_middleware(Noted("a", Journal::default()));
    let toolkit = Toolkit::builder().tool(tool).build().unwrap();
    let decision = toolkit.check(&ToolCall::new("c", "Careful", r#"{"word":"forbidden"}"#), &AgentState::new()).await;
    assert_eq!(decision.behavior, PermissionBehavior::Deny);
    assert_eq!(decision.message, "that word is forbidden");
}
