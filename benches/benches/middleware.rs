//! What middleware that only passes calls on adds to a call.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::hint::black_box;
use std::sync::Arc;

use agentscope_tool::middleware::Next;
use agentscope_tool::prelude::*;
use agentscope_tool_benches::{ARGUMENTS, Add};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

struct Pass;

impl ToolMiddleware for Pass {
    fn on_tool_call(self: Arc<Self>, _: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        next.run(input)
    }
}

fn middleware(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut group = criterion.benchmark_group("middleware");
    let call = || ToolCall::new("1", "add", ARGUMENTS);
    let state = AgentState::new();
    for layers in [0, 1, 5] {
        let builder = (0..layers).fold(Toolkit::builder().tool(Add), |builder, _| builder.middleware(Pass));
        let toolkit = builder.build().expect("a toolkit");
        group.bench_function(format!("{layers} that pass calls on"), |bencher| {
            bencher.iter_batched(
                call,
                |call| {
                    runtime
                        .block_on(async { black_box(toolkit.call_unchecked(black_box(call), &state).response().await) })
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, middleware);
criterion_main!(benches);
