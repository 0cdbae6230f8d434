//! Edits of a small and of a large file, beside reading and writing the same file: what an edit cannot do without.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use agentscope_tool::backend::{Backend, WriteOptions};
use agentscope_tool::prelude::*;
use agentscope_tool_backends::LocalBackend;
use agentscope_tool_builtins::{Edit, Read};
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

async fn call(tool: impl Tool + 'static, state: &AgentState, input: Value) -> ToolResponse {
    let tool: Arc<dyn Tool> = Arc::new(tool);
    let cx = ToolContext::builder().agent_state(state).build();
    let response = tool.invoke(input, cx).response().await;
    assert_eq!(response.state, ToolResultState::Success, "{}", response.text());
    response
}

/// Lines of some length, with one word that is there once, near the end, and one that is in every hundredth line.
fn text(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 200);
    let mut number = 0;
    while text.len() < bytes {
        let word = if number % 100 == 0 { "MARK" } else { "with" };
        text.push_str(&format!("line {number:07} {word} about as many letters as code has\n"));
        number += 1;
    }
    text.push_str("needle one\nlast line\n");
    text
}

fn edit(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let scratch = tempfile::tempdir().expect("a directory");
    for (name, bytes) in [("1 MB", 1_000_000), ("100 MB", 100_000_000)] {
        let mut group = criterion.benchmark_group(format!("edit of {name}"));
        group.sample_size(10).measurement_time(Duration::from_secs(8));
        let path = scratch.path().join("file.txt").to_str().expect("UTF-8").to_owned();
        let backend = LocalBackend::new();
        let write = async |text: String| {
            backend.write(&path, text.into(), WriteOptions::new()).await.expect("written");
        };
        runtime.block_on(write(text(bytes)));

        group.bench_function("read and write", |bencher| {
            bencher.iter(|| {
                runtime.block_on(async {
                    let content = backend.read(&path, u64::MAX).await.expect("read");
                    backend.write(&path, black_box(content.bytes), WriteOptions::new()).await.expect("written");
                });
            });
        });

        let state = AgentState::new();
        runtime.block_on(call(Read::local(), &state, json!({ "file_path": path, "limit": 1 })));
        let mut words = ["needle one", "needle two"];
        group.bench_function("edit", |bencher| {
            bencher.iter(|| {
                let input = json!({ "file_path": path, "old_string": words[0], "new_string": words[1] });
                runtime.block_on(call(Edit::local(), &state, input));
                words.swap(0, 1);
            });
        });

        let mut words = ["MARK", "mark"];
        group.bench_function("edit of every hundredth line", |bencher| {
            bencher.iter(|| {
                let input =
                    json!({ "file_path": path, "old_string": words[0], "new_string": words[1], "replace_all": true });
                runtime.block_on(call(Edit::local(), &state, input));
                words.swap(0, 1);
            });
        });
    }
}

criterion_group!(benches, edit);
criterion_main!(benches);
