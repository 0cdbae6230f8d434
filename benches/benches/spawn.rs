//! Running `true` on this machine, beside a bare Tokio process: what streaming, limits and the end of the whole group
//! cost.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::process::Stdio;

use agentscope_tool::backend::{Command, ExecStatus};
use agentscope_tool::{AgentState, Backend, ToolCall, ToolResultState, Toolkit};
use agentscope_tool_backends::LocalBackend;
use agentscope_tool_builtins::Bash;
use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::json;

fn spawn(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let backend = LocalBackend::new();
    let mut group = criterion.benchmark_group("spawn");
    let shell = ["bash", "--noprofile", "--norc", "-c", "true"];

    for argv in [&shell[4..], &shell] {
        let name = argv[0];
        group.bench_function(format!("{name}, bare"), |bencher| {
            bencher.iter(|| {
                let output = runtime.block_on(async {
                    tokio::process::Command::new(name).args(&argv[1..]).stdin(Stdio::null()).output().await
                });
                assert!(output.expect("it runs").status.success());
            });
        });
        group.bench_function(format!("{name}, local backend"), |bencher| {
            bencher.iter(|| {
                let output = runtime.block_on(async {
                    backend.exec(Command::new(name).args(argv[1..].iter().copied())).await?.output().await
                });
                assert_eq!(output.expect("it runs").status, ExecStatus::Exited(0));
            });
        });
    }
    let toolkit = Toolkit::builder().tool(Bash::local()).build().expect("a toolkit");
    let state = AgentState::new();
    let call = ToolCall::from_value("1", "Bash", &json!({ "command": "true" }));
    group.bench_function("bash, the tool", |bencher| {
        bencher.iter(|| {
            let response = runtime.block_on(async { toolkit.call_unchecked(call.clone(), &state).await });
            assert_eq!(response.state, ToolResultState::Success);
        });
    });
    group.finish();
}

criterion_group!(benches, spawn);
criterion_main!(benches);
