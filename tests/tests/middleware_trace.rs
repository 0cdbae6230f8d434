//! The spans of calls, as a subscriber sees them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use agentscope_tool::middleware::Trace;
use agentscope_tool::prelude::*;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Keeps what is recorded, span by span.
#[derive(Clone, Default)]
struct Recorder(Arc<Inner>);

#[derive(Default)]
struct Inner {
    next: AtomicU64,
    spans: Mutex<BTreeMap<u64, BTreeMap<String, String>>>,
    entered: Mutex<Vec<u64>>,
    /// The span in which each event was.
    events: Mutex<Vec<Option<u64>>>,
}

struct Fields<'f>(&'f mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let mut text = String::new();
        write!(text, "{value:?}").unwrap();
        self.0.insert(field.name().to_owned(), text);
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = self.0.next.fetch_add(1, Ordering::SeqCst) + 1;
        let mut fields = BTreeMap::from([("span".to_owned(), span.metadata().name().to_owned())]);
        span.record(&mut Fields(&mut fields));
        self.0.spans.lock().unwrap().insert(id, fields);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut spans = self.0.spans.lock().unwrap();
        values.record(&mut Fields(spans.get_mut(&span.into_u64()).unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        let span = self.0.entered.lock().unwrap().last().copied();
        self.0.events.lock().unwrap().push(span);
    }

    fn enter(&self, span: &Id) {
        self.0.entered.lock().unwrap().push(span.into_u64());
    }

    fn exit(&self, _: &Id) {
        self.0.entered.lock().unwrap().pop();
    }
}

/// Log in.
#[tool]
async fn log_in(
    /// The user.
    user: String,
    /// The password.
    password: String,
) -> Result<String, ToolError> {
    tracing::info!("working");
    match password.as_str() {
        "wrong" => Err(ToolError::failed("wrong password")),
        "slow" => std::future::pending().await,
        _ => Ok(format!("hello {user}")),
    }
}

/// What is recorded of one call.
fn recorded(trace: Trace, password: &str) -> (BTreeMap<String, String>, Vec<Option<u64>>) {
    let recorder = Recorder::default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    tracing::subscriber::with_default(recorder.clone(), || {
        runtime.block_on(async {
            let cx = ToolContext::builder().call_id("call_1").build();
            let input = json!({ "user": "ada", "password": password });
            let call = LogIn.with_middleware(trace).invoke(input, cx);
            let _ = tokio::time::timeout(std::time::Duration::from_millis(20), call.response()).await;
        });
    });
    let spans = recorder.0.spans.lock().unwrap();
    assert_eq!(spans.len(), 1);
    (spans[&1].clone(), recorder.0.events.lock().unwrap().clone())
}

#[test]
fn a_call_has_a_span_with_the_names_of_opentelemetry_and_no_content() {
    let (span, events) = recorded(Trace::new(), "right");
    insta::assert_debug_snapshot!(span, @r#"
    {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.call.id": "call_1",
        "gen_ai.tool.name": "log_in",
        "gen_ai.tool.type": "function",
        "otel.name": "execute_tool log_in",
        "span": "execute_tool",
    }
    "#);
    assert_eq!(events, [Some(1)], "what the tool records is inside of the span");
}

#[test]
fn content_is_recorded_on_request_without_what_is_redacted() {
    let (span, _) = recorded(Trace::new().with_arguments().with_result().redacting(["password"]), "right");
    assert_eq!(span["gen_ai.tool.call.arguments"], r#"{"user":"ada","password":"[redacted]"}"#);
    assert_eq!(span["gen_ai.tool.call.result"], "hello ada");
}

#[test]
fn failures_and_calls_that_are_broken_off_have_an_error_type() {
    assert_eq!(recorded(Trace::new(), "wrong").0["error.type"], "tool_error");
    assert_eq!(recorded(Trace::new(), "slow").0["error.type"], "cancelled");
}
