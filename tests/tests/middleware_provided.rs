//! The middleware that comes with the library.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agentscope_tool::backend::Backend;
use agentscope_tool::middleware::{Cache, ConcurrencyLimit, RateLimit, Retry, Timeout, TruncateOutput};
use agentscope_tool::prelude::*;
use agentscope_tool::testing::MemoryBackend;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A tool that is a function of how often it was called before.
struct Scripted {
    spec: ToolSpec,
    calls: Arc<AtomicUsize>,
    script: Box<dyn Fn(usize) -> ToolStream + Send + Sync>,
}

impl Scripted {
    fn new(script: impl Fn(usize) -> ToolStream + Send + Sync + 'static) -> (Self, Arc<AtomicUsize>) {
        let calls = Arc::new(AtomicUsize::new(0));
        let schema = json!({ "type": "object", "properties": { "a": {}, "b": {} } });
        let spec = ToolSpec::builder("scripted", "Follow a script.").input_schema(schema).read_only(true).build();
        (Self { spec, calls: Arc::clone(&calls), script: Box::new(script) }, calls)
    }
}

impl Tool for Scripted {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(self: Arc<Self>, _: ToolInput, _: ToolContext) -> ToolStream {
        (self.script)(self.calls.fetch_add(1, Ordering::SeqCst))
    }
}

fn says(text: &str) -> ToolStream {
    let text = text.to_owned();
    ToolStream::once(async move { text })
}

fn fails(error: ToolError) -> ToolStream {
    ToolStream::error(error)
}

fn pieces(texts: &[&str]) -> ToolStream {
    let chunks: Vec<_> = texts.iter().map(|text| Ok(ToolChunk::text(*text))).collect();
    ToolStream::new(futures_util::stream::iter(chunks))
}

async fn call(tool: Arc<dyn Tool>, input: Value) -> ToolResponse {
    tool.invoke(input, ToolContext::default()).await
}

fn quick(attempts: u32) -> Retry {
    Retry::times(attempts).backoff(Duration::from_millis(1), Duration::from_millis(4))
}

#[tokio::test]
async fn a_retry_goes_on_until_it_works_or_there_is_no_point() {
    let busy = || ToolError::failed("busy").retryable();
    let (tool, calls) = Scripted::new(move |n| if n < 2 { fails(busy()) } else { says("done") });
    assert_eq!(call(tool.with_middleware(quick(3)), json!({})).await.text(), "done");
    assert_eq!(calls.load(Ordering::SeqCst), 3);

    let (tool, calls) = Scripted::new(move |_| fails(busy()));
    assert_eq!(call(tool.with_middleware(quick(2)), json!({})).await.text(), "busy");
    assert_eq!(calls.load(Ordering::SeqCst), 2);

    let (tool, calls) = Scripted::new(|_| fails(ToolError::failed("no such city")));
    let tool = tool.with_middleware(quick(3));
    call(Arc::clone(&tool), json!({})).await;
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    let tool = tool.with_middleware(quick(3).when(|error| error.to_string().contains("city")));
    call(tool, json!({})).await;
    assert_eq!(calls.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn a_call_that_has_given_something_is_not_made_again_unless_told() {
    let script = |n: usize| {
        let end = if n == 0 { Err(ToolError::failed("broken").retryable()) } else { Ok(ToolChunk::text(" end")) };
        ToolStream::new(futures_util::stream::iter([Ok(ToolChunk::text("start")), end]))
    };
    let (tool, calls) = Scripted::new(script);
    assert_eq!(call(tool.with_middleware(quick(3)), json!({})).await.text(), "start\nbroken");
    assert_eq!(calls.load(Ordering::SeqCst), 1);

    let (tool, _) = Scripted::new(script);
    let response = call(tool.with_middleware(quick(3).after_output()), json!({})).await;
    assert_eq!(response.text(), "startstart end");
}

#[tokio::test]
async fn a_timeout_stops_the_call_and_keeps_what_came() {
    struct OnDrop(Arc<AtomicUsize>);
    impl Drop for OnDrop {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let witness = Arc::clone(&dropped);
    let (tool, _) = Scripted::new(move |_| {
        let witness = OnDrop(Arc::clone(&witness));
        let rest = futures_util::stream::once(async move {
            let _witness = witness;
            std::future::pending::<Result<ToolChunk, ToolError>>().await
        });
        ToolStream::new(futures_util::stream::iter([Ok(ToolChunk::text("so far"))]).chain(rest))
    });
    let response = call(tool.with_middleware(Timeout::after(Duration::from_millis(20))), json!({})).await;
    assert_eq!(response.text(), "so far\nThe tool was stopped after 20ms, since it took too long.");
    assert_eq!((response.state, dropped.load(Ordering::SeqCst)), (ToolResultState::Error, 1));

    // From the outside a retry sees that another try may help.
    let (tool, calls) = Scripted::new(|n| match n {
        0 => ToolStream::once(std::future::pending::<()>()),
        _ => says("quick"),
    });
    let tool = tool.with_middleware(quick(2)).with_middleware(Timeout::after(Duration::from_millis(20)));
    assert_eq!((call(tool, json!({})).await.text(), calls.load(Ordering::SeqCst)), ("quick".into(), 2));
}

#[tokio::test]
async fn only_so_many_calls_run_at_a_time() {
    let running = Arc::new(Mutex::new((0, 0)));
    let watched = Arc::clone(&running);
    let (tool, _) = Scripted::new(move |_| {
        let running = Arc::clone(&watched);
        ToolStream::once(async move {
            let now = |by: i32| {
                let mut running = running.lock().unwrap();
                running.0 += by;
                running.1 = running.1.max(running.0);
            };
            now(1);
            tokio::time::sleep(Duration::from_millis(5)).await;
            now(-1);
        })
    });
    let tool = tool.with_middleware(ConcurrencyLimit::new(2));
    futures_util::future::join_all((0..8).map(|_| call(Arc::clone(&tool), json!({})))).await;
    assert_eq!(*running.lock().unwrap(), (0, 2));
}

#[tokio::test]
async fn a_place_is_free_again_when_a_call_is_dropped_and_keys_have_their_own() {
    let (tool, _) =
        Scripted::new(|n| if n == 0 { ToolStream::once(std::future::pending::<()>()) } else { says("ran") });
    let limit = ConcurrencyLimit::new(1).per_key(|_, input, _| input.get("a").unwrap_or(&Value::Null).to_string());
    let tool = tool.with_middleware(limit);
    let mut stuck = Arc::clone(&tool).invoke(json!({ "a": 1 }), ToolContext::default());
    let short = Duration::from_millis(20);
    assert!(tokio::time::timeout(short, stuck.next()).await.is_err());
    assert!(tokio::time::timeout(short, call(Arc::clone(&tool), json!({ "a": 1 }))).await.is_err());
    assert_eq!(call(Arc::clone(&tool), json!({ "a": 2 })).await.text(), "ran");
    drop(stuck);
    assert_eq!(call(tool, json!({ "a": 1 })).await.text(), "ran");
}

#[tokio::test]
async fn calls_that_come_too_often_wait_or_are_refused() {
    let (tool, _) = Scripted::new(|_| says("ran"));
    let tool: Arc<dyn Tool> = Arc::new(tool);
    let refusing = Arc::clone(&tool).with_middleware(RateLimit::per_minute(1).refusing());
    assert_eq!(call(Arc::clone(&refusing), json!({})).await.text(), "ran");
    let refused = call(refusing, json!({})).await.text();
    assert!(refused.starts_with("The tool was called too often. Try again in "), "{refused}");

    let waiting = tool.with_middleware(RateLimit::per_second(20).burst(1));
    let begun = Instant::now();
    for _ in 0..3 {
        call(Arc::clone(&waiting), json!({})).await;
    }
    assert!(begun.elapsed() >= Duration::from_millis(90), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_result_is_given_again_for_the_same_arguments_only() {
    let (tool, calls) = Scripted::new(|n| pieces(&[&format!("{n}"), "!"]));
    let tool = tool.with_middleware(Cache::for_at_most(Duration::from_secs(60)));
    assert_eq!(call(Arc::clone(&tool), json!({ "a": { "x": 1, "y": [2] }, "b": 3 })).await.text(), "0!");
    assert_eq!(call(Arc::clone(&tool), json!({ "b": 3, "a": { "y": [2], "x": 1 } })).await.text(), "0!");
    assert_eq!(call(Arc::clone(&tool), json!({ "b": 4 })).await.text(), "1!");
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn what_fails_is_broken_off_or_is_too_large_is_not_kept() {
    let results: [fn() -> ToolStream; 3] = [
        || ToolStream::error(ToolError::failed("no")),
        || ToolStream::once(async { ToolChunk::error("no") }),
        || says(&"x".repeat(3000)),
    ];
    for result in results {
        let (tool, calls) = Scripted::new(move |_| result());
        let tool = tool.with_middleware(Cache::for_at_most(Duration::from_secs(60)).max_bytes(10_000));
        call(Arc::clone(&tool), json!({})).await;
        call(tool, json!({})).await;
        assert_eq!(calls.load(Ordering::SeqCst), 2);
    }
    let (tool, calls) = Scripted::new(|_| pieces(&["a", "b"]));
    let tool = tool.with_middleware(Cache::for_at_most(Duration::from_secs(60)));
    Arc::clone(&tool).invoke(json!({}), ToolContext::default()).next().await;
    assert_eq!(call(tool, json!({})).await.text(), "ab");
    assert_eq!(calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn tools_that_write_are_always_run_and_conversations_are_kept_apart() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = |name: &str, read_only: bool, stateful: bool| {
        let calls = Arc::clone(&calls);
        let schema = json!({ "type": "object", "properties": {} });
        let tool = FunctionTool::with_schema(name, "Count.", schema, move |_, _| {
            let n = calls.fetch_add(1, Ordering::SeqCst);
            async move { n.to_string() }
        });
        let tool = tool.read_only(read_only).state_injected(stateful).build().unwrap();
        tool.with_middleware(Cache::for_at_most(Duration::from_secs(60)))
    };
    let writes = count("write", false, false);
    assert_ne!(call(Arc::clone(&writes), json!({})).await.text(), call(writes, json!({})).await.text());

    let reads = count("read", true, true);
    let in_session = |state: &AgentState| {
        let cx = ToolContext::builder().agent_state(state).build();
        Arc::clone(&reads).invoke(json!({}), cx)
    };
    let (one, other) = (AgentState::new(), AgentState::new());
    let first = in_session(&one).await.text();
    assert_eq!(in_session(&one).await.text(), first);
    assert_ne!(in_session(&other).await.text(), first);
}

#[tokio::test]
async fn the_first_part_of_a_long_text_is_passed_on_as_it_comes() {
    let (tool, _) = Scripted::new(|_| pieces(&["0123", "4567", "89ab", "cdef"]));
    let mut stream = tool.with_middleware(TruncateOutput::to(8)).invoke(json!({}), ToolContext::default());
    assert_eq!(stream.next().await.unwrap().joined_text(), "0123");
    assert_eq!(stream.response().await.text(), "0123\n[8 characters are left out here]\ncdef");

    let (tool, _) = Scripted::new(|_| pieces(&["0123", "4567"]));
    assert_eq!(call(tool.with_middleware(TruncateOutput::to(8)), json!({})).await.text(), "01234567");
}

#[tokio::test]
async fn the_whole_of_a_cut_text_can_be_kept_in_a_file() {
    let backend = MemoryBackend::new();
    let (tool, _) = Scripted::new(|_| says("0123456789"));
    let cut = TruncateOutput::to(4).tail(0.25).offload_to(Arc::new(backend.clone()), "/tmp/results");
    let cx = ToolContext::builder().call_id("call/1").build();
    let response = tool.with_middleware(cut).invoke(json!({}), cx).await;
    let expected = "012\n[6 characters are left out here; the whole is in `/tmp/results/scripted-call_1.txt`]\n9";
    assert_eq!(response.text(), expected);
    let kept = backend.read("/tmp/results/scripted-call_1.txt", 100).await.unwrap();
    assert_eq!(kept.bytes, "0123456789");
}

#[tokio::test]
async fn texts_can_be_measured_in_other_ways_and_failures_keep_their_text() {
    let (tool, _) = Scripted::new(|_| says("one two three four five six"));
    let words = TruncateOutput::to(4).measured_by(|text| text.split_whitespace().count());
    assert_eq!(
        call(tool.with_middleware(words), json!({})).await.text(),
        "one two \n[10 characters are left out here]\n five six"
    );

    let (tool, _) = Scripted::new(|_| {
        ToolStream::new(futures_util::stream::iter([
            Ok(ToolChunk::text("0123456789")),
            Err(ToolError::failed("broken")),
        ]))
    });
    let response = call(tool.with_middleware(TruncateOutput::to(4)), json!({})).await;
    assert_eq!(response.text(), "01\n[6 characters are left out here]\n89\nbroken");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_is_whole_or_cut_to_its_limit(texts in proptest::collection::vec("[a-zé]{0,6}", 0..8), limit in 0_usize..20) {
        let whole = texts.concat();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (tool, _) = Scripted::new(move |_| pieces(&texts.iter().map(String::as_str).collect::<Vec<_>>()));
        let text = runtime.block_on(call(tool.with_middleware(TruncateOutput::to(limit)), json!({}))).text();
        let length = whole.chars().count();
        if length <= limit {
            prop_assert_eq!(text, whole);
        } else {
            let (head, rest) = text.split_once("\n[").unwrap();
            let (note, tail) = rest.split_once("]\n").unwrap();
            prop_assert!(whole.starts_with(head) && whole.ends_with(tail));
            prop_assert_eq!(head.chars().count() + tail.chars().count(), limit);
            prop_assert!(note.starts_with(&(length - limit).to_string()));
        }
    }
}
