//! Toolkits and calls.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a tool that panics is tried, and a helper that fails is a test that fails"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agentscope_tool::prelude::*;
use agentscope_tool::{CancellationToken, ToolkitFault};
use serde_json::json;

/// Echo a text.
#[tool(read_only)]
async fn echo(
    /// The text.
    text: String,
) -> String {
    text
}

/// Wait for ever.
#[tool]
async fn wait(#[state] dropped: &Arc<AtomicBool>) -> String {
    struct OnDrop(Arc<AtomicBool>);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }
    let _guard = OnDrop(Arc::clone(dropped));
    std::future::pending::<()>().await;
    String::new()
}

/// Panic.
#[tool]
async fn explode() -> String {
    panic!("the fuse was short")
}

/// Fail as a program.
#[tool]
async fn misconfigured() -> Result<String, ToolError> {
    Err(ToolError::developer("secret connection string"))
}

/// Look up a customer.
#[tool]
async fn find_customer(#[state] database: &Database) -> String {
    database.0.to_owned()
}

#[derive(Debug)]
struct Database(&'static str);

fn toolkit() -> Toolkit {
    Toolkit::builder().tool(Echo).tool(Explode).tool(Misconfigured).build().unwrap()
}

async fn call(toolkit: &Toolkit, name: &str, input: &str) -> ToolResponse {
    toolkit.call_unchecked(ToolCall::new("call_1", name, input), &AgentState::new()).response().await
}

#[test]
fn a_missing_state_fails_the_build_with_the_tool_and_the_type() {
    let error = Toolkit::builder().tool(FindCustomer).build().unwrap_err();
    insta::assert_snapshot!(error, @"tool `find_customer` needs state `toolkit::Database`, which the toolkit does not have; give it with `.state(…)`");
    Toolkit::builder().state(Database("x")).tool(FindCustomer).build().unwrap();
    Toolkit::builder().state(Arc::new(Database("x"))).tool(FindCustomer).build().unwrap();
}

#[test]
fn all_faults_of_a_toolkit_are_reported_at_once() {
    let broken = FunctionTool::with_schema("ok", "d", json!({ "type": "object" }), |_, _| async { "x" });
    let reserved = FunctionTool::with_schema("Skill", "d", json!({ "type": "object" }), |_, _| async { "x" }).build();
    insta::assert_snapshot!(reserved.unwrap_err(), @"tool `Skill`: the name `Skill` is reserved for a tool that toolkits provide; choose another one");
    let error =
        Toolkit::builder().tool(Echo).tool(Echo).tool(FindCustomer).tool(broken.build().unwrap()).build().unwrap_err();
    assert_eq!(error.faults.len(), 2);
    assert!(matches!(&error.faults[0], ToolkitFault::DuplicateName { tool } if tool == "echo"));
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_result_with_a_suggestion() {
    let response = call(&toolkit(), "ecko", "{}").await;
    assert_eq!(response.state, ToolResultState::Error);
    insta::assert_snapshot!(response.text(), @"There is no tool named `ecko`. Did you mean `echo`?");
    assert_eq!(response.id.as_str(), "call_1");
}

#[tokio::test]
async fn a_panicking_tool_is_an_error_result() {
    let response = call(&toolkit(), "explode", "{}").await;
    assert_eq!(response.state, ToolResultState::Error);
    assert!(!response.text().contains("fuse"), "{}", response.text());
}

#[tokio::test]
async fn a_fault_of_the_program_is_not_told_to_the_model() {
    let response = call(&toolkit(), "misconfigured", "{}").await;
    assert_eq!(response.state, ToolResultState::Error);
    assert!(!response.text().contains("secret"), "{}", response.text());
}

#[tokio::test]
async fn invalid_arguments_are_an_error_result_that_names_them() {
    let response = call(&toolkit(), "echo", r#"{"txt": 1}"#).await;
    assert_eq!(response.state, ToolResultState::Error);
    assert!(response.text().contains("`txt`") && response.text().contains("`text`"), "{}", response.text());
}

#[tokio::test]
async fn cancelling_drops_the_work_and_ends_as_interrupted() {
    let dropped = Arc::new(AtomicBool::new(false));
    let toolkit = Toolkit::builder().state(Arc::clone(&dropped)).tool(Wait).build().unwrap();
    let token = CancellationToken::new();
    let stream =
        toolkit.call_unchecked(ToolCall::new("1", "wait", "{}"), &AgentState::new()).cancel_with(token.clone());
    let running = tokio::spawn(stream.response());
    tokio::time::sleep(Duration::from_millis(20)).await;
    token.cancel();
    let response = running.await.unwrap();
    assert_eq!(response.state, ToolResultState::Interrupted);
    assert!(response.text().contains("interrupted"));
    assert!(dropped.load(Ordering::SeqCst));
}

#[tokio::test]
async fn dropping_the_stream_drops_the_work() {
    let dropped = Arc::new(AtomicBool::new(false));
    let toolkit = Toolkit::builder().state(Arc::clone(&dropped)).tool(Wait).build().unwrap();
    let mut stream = toolkit.call_unchecked(ToolCall::new("1", "wait", "{}"), &AgentState::new());
    let polled = tokio::time::timeout(Duration::from_millis(10), stream.next()).await;
    assert!(polled.is_err() && !dropped.load(Ordering::SeqCst));
    drop(stream);
    assert!(dropped.load(Ordering::SeqCst));
}

/// Work on a thread until the call is cancelled.
#[tool(blocking)]
fn busy(#[context] cx: &ToolContext, #[state] seen: &AtomicBool) -> &'static str {
    while !cx.is_cancelled() {
        std::thread::sleep(Duration::from_millis(1));
    }
    seen.store(true, Ordering::SeqCst);
    "stopped"
}

#[tokio::test]
async fn a_blocking_tool_sees_that_its_call_was_dropped() {
    let seen = Arc::new(AtomicBool::new(false));
    let toolkit = Toolkit::builder().state(Arc::clone(&seen)).tool(Busy).build().unwrap();
    let mut stream = toolkit.call_unchecked(ToolCall::new("1", "busy", "{}"), &AgentState::new());
    assert!(tokio::time::timeout(Duration::from_millis(10), stream.next()).await.is_err());
    drop(stream);
    for _ in 0..500 {
        if seen.load(Ordering::SeqCst) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("the thread was not told");
}

#[tokio::test]
async fn a_running_call_is_not_disturbed_when_its_tool_is_removed() {
    let toolkit = toolkit();
    let call = toolkit.call_unchecked(ToolCall::new("1", "echo", r#"{"text": "a"}"#), &AgentState::new());
    assert!(toolkit.remove("echo").is_some());
    assert!(toolkit.remove("echo").is_none());
    assert!(toolkit.get("echo").is_none());
    assert_eq!(call.response().await.text(), "a");
    toolkit.add(Echo).unwrap();
    assert!(toolkit.add(Echo).is_err());
}

#[tokio::test]
async fn the_response_has_the_chunks_that_were_taken_before() {
    let toolkit = toolkit();
    let mut stream = toolkit.call_unchecked(ToolCall::new("1", "echo", r#"{"text": "a"}"#), &AgentState::new());
    let chunk = stream.next().await.unwrap();
    assert_eq!(chunk.joined_text(), "a");
    assert!(stream.next().await.is_none() && stream.next().await.is_none());
    assert_eq!(stream.response().await.text(), "a");
}

#[tokio::test]
async fn a_tool_is_called_directly_with_a_value_or_a_text() {
    let cx = ToolContext::default;
    assert_eq!(Echo.invoke(json!({ "text": "a" }), cx()).response().await.text(), "a");
    assert_eq!(Echo.invoke(r#"{"text": "a",}"#, cx()).response().await.text(), "a");
    let shared: Arc<dyn Tool> = Arc::new(Echo);
    assert_eq!(shared.clone().invoke(json!({ "text": "b" }), cx()).response().await.text(), "b");
    let response = testing::call(&shared, json!({ "text": { "a": 1.5 } })).await;
    assert!(!response.is_success());
}

/// Fail after a first piece.
#[tool]
fn half() -> impl Stream<Item = Result<&'static str, String>> + Send {
    futures_util::stream::iter([Ok("half of it"), Err("no more".to_owned()), Ok("never seen")])
}

#[tokio::test]
async fn what_came_before_a_failure_is_kept() {
    let response = testing::call(Half, json!({})).await;
    assert_eq!(response.state, ToolResultState::Error);
    assert_eq!(response.text(), "half of it\nno more");
}

#[tokio::test]
async fn a_call_may_be_spawned_and_progress_is_reported() {
    /// Report progress.
    #[tool]
    async fn report(#[context] cx: &ToolContext) -> String {
        cx.report_progress(agentscope_tool::Progress { done: 1.0, total: Some(2.0), message: None });
        cx.call_id().to_owned()
    }
    let toolkit = Toolkit::builder().tool(Report).build().unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let stream = toolkit.call_unchecked(ToolCall::new("call_9", "report", ""), &AgentState::new());
    let stream = stream.on_progress(Arc::new(move |progress| sender.send(progress.done).unwrap()));
    let response = tokio::spawn(stream.response()).await.unwrap();
    assert_eq!(response.text(), "call_9");
    assert_eq!(receiver.try_recv(), Ok(1.0));
}

#[test]
fn two_states_of_one_type_are_refused() {
    let error = Toolkit::builder().state(1_u8).state(2_u8).build().unwrap_err();
    insta::assert_snapshot!(error, @"two states are of type `u8`; wrap one in a type of its own, since tools find a state by its type");
}

#[tokio::test]
async fn a_namespace_before_the_name_is_seen_through_and_few_tools_are_listed() {
    let toolkit = toolkit();
    assert!(call(&toolkit, "functions.echo", "{}").await.text().contains("Did you mean `echo`?"));
    insta::assert_snapshot!(call(&toolkit, "zzz", "{}").await.text(), @"There is no tool named `zzz`. The tools are: `echo`, `explode`, `misconfigured`.");
}

#[tokio::test]
async fn a_call_is_awaited_with_arguments_that_are_json_already() {
    let call = ToolCall::from_value("1", "echo", &json!({ "text": "a\"b" }));
    assert_eq!(toolkit().call_unchecked(call, &AgentState::new()).await.text(), "a\"b");
}

/// Count.
#[tool]
async fn boxed() -> futures_util::stream::BoxStream<'static, u8> {
    futures_util::stream::iter([1, 2]).boxed()
}

#[tokio::test]
async fn a_boxed_stream_is_an_output() {
    assert_eq!(testing::call(Boxed, json!({})).await.text(), "12");
}

#[test]
fn a_choice_of_types_at_the_root_is_refused() {
    #[tool_args(undocumented)]
    #[serde(tag = "kind")]
    enum Choice {
        A { x: u8 },
        B { y: u8 },
    }
    let tool = FunctionTool::new("choose", "Choose.", |choice: Choice, _| async move {
        match choice {
            Choice::A { x } => x,
            Choice::B { y } => y,
        }
    });
    insta::assert_snapshot!(tool.build().unwrap_err(), @"tool `choose`: the input schema is a choice of types at its root, which model providers refuse; make the enum a field of the arguments instead of flattening it into them or using it for them");
}

mod decoding {
    //! How often a typed tool decodes its arguments.

    use std::sync::atomic::AtomicUsize;

    use agentscope_tool::{Footprint, PermissionContext, serde};

    use super::*;

    static DECODED: AtomicUsize = AtomicUsize::new(0);

    fn counted<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        DECODED.fetch_add(1, Ordering::SeqCst);
        serde::Deserialize::deserialize(deserializer)
    }

    /// Take a name.
    #[derive(Tool)]
    struct Take;

    #[tool_args]
    struct TakeArgs {
        /// The name.
        #[serde(deserialize_with = "counted")]
        name: String,
    }

    impl ToolBody for Take {
        type Args = TakeArgs;
        type Output = String;

        async fn footprint(&self, args: &TakeArgs) -> Footprint {
            Footprint::new().reads(&args.name)
        }

        async fn check_permissions(&self, args: &TakeArgs, _: &PermissionContext) -> PermissionDecision {
            PermissionDecision::allow(&args.name)
        }

        fn generate_suggestions(&self, args: &TakeArgs, footprint: &Footprint) -> Vec<PermissionRule> {
            assert_eq!(footprint.paths().next().map(|path| path.as_given()), Some(args.name.as_str()));
            vec![PermissionRule::whole_tool("Take", PermissionBehavior::Allow).with_content(&args.name)]
        }

        async fn call(&self, args: TakeArgs, _: ToolContext) -> String {
            args.name
        }
    }

    #[tokio::test]
    async fn hooks_and_body_share_one_decoding() {
        let tool: Arc<dyn Tool> = Arc::new(Take);
        let input = ToolInput::from_value(json!({ "name": "/a" }), tool.spec()).unwrap();
        let footprint = tool.footprint(&input).await;
        let decision = tool.check_permissions(&input, &PermissionContext::default()).await;
        assert_eq!(decision.message, "/a");
        assert!(!tool.check_read_only(&input).await);
        assert_eq!(tool.generate_suggestions(&input, &footprint)[0].content(), Some("/a"));
        let mut stream = tool.call(input, ToolContext::default());
        assert_eq!(stream.next().await.unwrap().unwrap().joined_text(), "/a");
        assert_eq!(DECODED.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn the_default_decision_is_to_ask() {
        let input = ToolInput::from_value(json!({ "text": "a" }), Echo.spec()).unwrap();
        let decision = Echo.check_permissions(&input, &PermissionContext::default()).await;
        assert_eq!(decision.behavior, PermissionBehavior::Ask);
        let rule = PermissionRule::whole_tool("echo", PermissionBehavior::Allow);
        assert!(Echo.match_rule(&rule, &input, &Footprint::new()));
        assert!(!Echo.match_rule(&rule.with_content("a"), &input, &Footprint::new()));
        assert_eq!(Echo.generate_suggestions(&input, &Footprint::new()).len(), 1);
    }
}

/// Answer as configured.
#[derive(Tool)]
struct Configured {
    place: &'static str,
}

#[tool_args]
struct Nothing {}

impl ToolBody for Configured {
    type Args = Nothing;
    type Output = &'static str;

    fn describe(&self) -> Option<std::borrow::Cow<'static, str>> {
        Some(format!("Answer from {}.", self.place).into())
    }

    async fn call(&self, _: Nothing, _: ToolContext) -> &'static str {
        self.place
    }
}

#[test]
fn a_description_may_depend_on_the_configuration() {
    let toolkit = Toolkit::builder().tool(Configured { place: "Oslo" }).build().unwrap();
    let schemas = toolkit.schemas(&AgentState::new());
    assert_eq!(schemas[0]["function"]["description"], "Answer from Oslo.");
    assert_eq!(toolkit.spec("Configured").unwrap().description(), "Answer from Oslo.");
    let error =
        Toolkit::builder().tool(Configured { place: "" }).tool(Configured { place: "Bergen" }).build().unwrap_err();
    assert_eq!(error.faults.len(), 1);
}
