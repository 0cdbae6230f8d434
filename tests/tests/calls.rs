//! What ends a call, and what it leaves behind.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use agentscope_tool::prelude::*;
use agentscope_tool::{CancellationToken, ToolkitFault};
use serde_json::json;

/// Fail.
#[tool]
async fn fail() -> Result<String, String> {
    Err("no".into())
}

/// Wait for ever.
#[tool]
async fn wait() {
    std::future::pending().await
}

fn with_token(token: &CancellationToken) -> ToolContext {
    ToolContext::builder().cancellation(token.clone()).build()
}

#[tokio::test]
async fn a_call_within_a_call_never_cancels_its_caller() {
    let token = CancellationToken::new();
    assert!(!Fail.invoke(json!({}), with_token(&token)).await.is_success());
    let dropped = tokio::time::timeout(Duration::from_millis(10), Wait.invoke(json!({}), with_token(&token))).await;
    assert!(dropped.is_err());
    assert!(!token.is_cancelled());
}

#[tokio::test]
async fn a_direct_call_is_cancelled_by_the_token_of_its_context() {
    let token = CancellationToken::new();
    let running = tokio::spawn(Wait.invoke(json!({}), with_token(&token)).response());
    tokio::time::sleep(Duration::from_millis(10)).await;
    token.cancel();
    assert_eq!(running.await.unwrap().state, ToolResultState::Interrupted);
}

#[tokio::test]
async fn any_of_several_tokens_cancels_and_one_may_come_late() {
    let toolkit = Toolkit::builder().tool(Wait).build().unwrap();
    let tokens = [CancellationToken::new(), CancellationToken::new()];
    for cancelled in 0..2 {
        let tokens = tokens.clone().map(|token| token.child_token());
        let mut call =
            toolkit.call_unchecked(ToolCall::new("1", "wait", ""), &AgentState::new()).cancel_with(tokens[0].clone());
        assert!(tokio::time::timeout(Duration::from_millis(5), call.next()).await.is_err());
        let call = call.cancel_with(tokens[1].clone());
        tokens[cancelled].cancel();
        assert_eq!(call.await.state, ToolResultState::Interrupted);
    }
}

#[tokio::test]
async fn a_call_that_was_cancelled_before_it_began_does_not_begin() {
    let token = CancellationToken::new();
    token.cancel();
    let response = Explosive(When::Call).invoke(json!({}), with_token(&token)).await;
    assert_eq!(response.state, ToolResultState::Interrupted);
}

/// Run on the pool.
#[tool(blocking)]
fn run(#[state] ran: &AtomicBool) {
    ran.store(true, Ordering::SeqCst);
}

#[test]
fn a_cancelled_blocking_tool_that_waits_for_a_thread_never_runs() {
    let runtime = tokio::runtime::Builder::new_multi_thread().max_blocking_threads(1).enable_all().build().unwrap();
    let ran = Arc::new(AtomicBool::new(false));
    runtime.block_on(async {
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let busy = tokio::task::spawn_blocking(move || wait.recv());
        let toolkit = Toolkit::builder().state(Arc::clone(&ran)).tool(Run).build().unwrap();
        let mut call = toolkit.call_unchecked(ToolCall::new("1", "run", "{}"), &AgentState::new());
        assert!(tokio::time::timeout(Duration::from_millis(10), call.next()).await.is_err());
        drop(call);
        release.send(()).unwrap();
        busy.await.unwrap().unwrap();
        tokio::task::spawn_blocking(|| ()).await.unwrap();
    });
    assert!(!ran.load(Ordering::SeqCst));
}

#[tokio::test]
async fn the_state_of_the_conversation_is_no_state_of_the_application() {
    let error = Toolkit::builder().state(AgentState::new()).build().unwrap_err();
    assert_eq!(error.faults, [ToolkitFault::AgentStateGiven]);
}

/// When a tool panics.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Spec,
    Call,
    Poll,
    DropOfStream,
}

/// A tool that panics.
#[derive(Clone)]
struct Explosive(When);

#[async_trait]
impl Tool for Explosive {
    fn spec(&self) -> &ToolSpec {
        static SPEC: std::sync::LazyLock<ToolSpec> =
            std::sync::LazyLock::new(|| ToolSpec::builder("explosive", "Panic.").no_params().build());
        assert!(self.0 != When::Spec, "spec");
        &SPEC
    }

    fn call(self: Arc<Self>, _: ToolInput, _: ToolContext) -> ToolStream {
        assert!(self.0 != When::Call, "call");
        ToolStream::new(Fuse(self.0, false))
    }
}

struct Fuse(When, bool);

impl Stream for Fuse {
    type Item = Result<ToolChunk, ToolError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        assert!(self.0 != When::Poll, "poll");
        if std::mem::replace(&mut self.1, true) {
            Poll::Ready(None)
        } else {
            Poll::Ready(Some(Ok(ToolChunk::text("x"))))
        }
    }
}

impl Drop for Fuse {
    fn drop(&mut self) {
        assert!(self.0 != When::DropOfStream, "drop");
    }
}

#[tokio::test]
async fn a_panic_anywhere_in_a_tool_stays_in_its_result() {
    for when in [When::Spec, When::Call, When::Poll] {
        let response = Explosive(when).invoke(json!({}), ToolContext::default()).await;
        assert_eq!(response.state, ToolResultState::Error);
    }
    let response = Explosive(When::DropOfStream).invoke(json!({}), ToolContext::default()).await;
    assert_eq!(response.text(), "x");
    let mut call = Explosive(When::DropOfStream).invoke(json!({}), ToolContext::default());
    call.next().await;
    drop(call);
}

/// Looks at the toolkit when it is asked for its description.
struct Curious(Toolkit);

#[async_trait]
impl Tool for Curious {
    fn spec(&self) -> &ToolSpec {
        static SPEC: std::sync::LazyLock<ToolSpec> =
            std::sync::LazyLock::new(|| ToolSpec::builder("curious", "Look.").no_params().build());
        &SPEC
    }

    fn describe(&self) -> Option<std::borrow::Cow<'static, str>> {
        Some(format!("There are {} tools.", self.0.specs(&AgentState::new()).len()).into())
    }

    fn call(self: Arc<Self>, _: ToolInput, _: ToolContext) -> ToolStream {
        ToolStream::once(async { "x" })
    }
}

impl Drop for Curious {
    fn drop(&mut self) {
        assert!(self.0.get("nothing").is_none());
    }
}

#[test]
fn a_tool_may_look_at_the_toolkit_that_it_is_added_to() {
    let toolkit = Toolkit::builder().build().unwrap();
    toolkit.add(Curious(toolkit.clone())).unwrap();
    assert!(toolkit.add(Curious(toolkit.clone())).is_err());
    assert_eq!(toolkit.spec("curious").unwrap().description(), "There are 0 tools.");
    assert!(toolkit.remove("curious").is_some());
}

#[tokio::test]
async fn a_long_stream_that_is_taken_piece_by_piece_is_gathered_in_order() {
    /// Count.
    #[tool(read_only)]
    fn count() -> impl Stream<Item = String> + Send {
        futures_util::stream::iter(0..20_000).map(|n| format!("{n},"))
    }
    let mut call = testing::call(Count, json!({})).stream();
    let mut last = String::new();
    while let Some(chunk) = call.next().await {
        // Reading an id makes it known.
        last = chunk.content[0].id().as_str().to_owned();
    }
    assert!(!last.is_empty());
    let response = call.await;
    assert_eq!(response.content.len(), 1);
    assert!(response.text().starts_with("0,1,2,") && response.text().ends_with(",19999,"));
}

/// Wait for some time, or for ever.
#[derive(Tool)]
struct Limit;

#[tool_args]
struct LimitArgs {
    /// Seconds; null for ever.
    #[serde(default = "ten")]
    seconds: Option<u32>,
}

#[expect(clippy::unnecessary_wraps, reason = "serde asks for the field's type")]
fn ten() -> Option<u32> {
    Some(10)
}

impl ToolBody for Limit {
    type Args = LimitArgs;
    type Output = Option<u32>;

    async fn call(&self, args: LimitArgs, _: ToolContext) -> Option<u32> {
        args.seconds
    }
}

#[tokio::test]
async fn null_is_a_value_where_something_else_is_the_default() {
    assert_eq!(testing::call(Limit, json!({})).await.text(), "10");
    assert_eq!(testing::call(Limit, json!({ "seconds": null })).await.text(), "null");
}

#[tokio::test]
async fn what_a_model_made_up_is_not_shown_to_it_in_full() {
    let toolkit = Toolkit::builder().tool(Limit).build().unwrap();
    let state = AgentState::new();
    let long = "x".repeat(200_000);
    for call in [
        ToolCall::new("1", &long, "{}"),
        ToolCall::from_value("1", "Limit", &json!({ &long: 1 })),
        ToolCall::new("1", "Limit", format!("{{\"{long}\": 1, \"{long}\": 2}}")),
        ToolCall::from_value("1", "Limit", &json!({ "seconds": long })),
    ] {
        let text = toolkit.call_unchecked(call, &state).await.text();
        assert!(text.len() < 6_000, "{}", text.len());
    }
}
