//! What a decision costs.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::hint::black_box;

use agentscope_tool::prelude::*;
use agentscope_tool::{PermissionEngine, ReadOnlyPolicy};
use agentscope_tool_benches::{ARGUMENTS, Add};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use serde_json::json;

/// Look at a file.
#[derive(Tool)]
#[spec(read_only)]
struct Look;

#[tool_args]
struct LookArgs {
    /// The file.
    path: String,
}

impl ToolBody for Look {
    type Args = LookArgs;
    type Output = String;

    async fn footprint(&self, args: &LookArgs) -> Footprint {
        Footprint::new().reads(&args.path)
    }

    async fn call(&self, args: LookArgs, _: ToolContext) -> String {
        args.path
    }
}

/// A hundred rules of which none matches, in equal parts of each behaviour.
fn rules(rule: impl Fn(usize) -> String) -> PermissionContext {
    (0..100).fold(PermissionContext::new(), |context, index| {
        let text = rule(index);
        match index % 3 {
            0 => context.deny(&text),
            1 => context.ask(&text),
            _ => context.allow(&text),
        }
        .expect("a rule")
    })
}

fn decision(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
    let mut group = criterion.benchmark_group("decision");
    let sum = ToolInput::from_value(json!({ "a": 40, "b": 2 }), Add.spec()).expect("arguments");
    let file = ToolInput::from_value(json!({ "path": "/etc/hosts" }), Look.spec()).expect("arguments");

    let cases: [(&str, PermissionContext, &dyn Tool, &ToolInput); 5] = [
        ("function, no rules", PermissionContext::new(), &Add, &sum),
        ("function, 100 rules of other tools", rules(|index| format!("tool_{index}(x/**)")), &Add, &sum),
        ("function, 100 rules of its own", rules(|index| format!("add(x{index}/**)")), &Add, &sum),
        ("file, no rules", PermissionContext::new(), &Look, &file),
        ("file, 100 rules of its own", rules(|index| format!("Look(/srv/x{index}/**)")), &Look, &file),
    ];
    for (name, context, tool, input) in cases {
        let engine = PermissionEngine::new(context);
        let decided = runtime.block_on(engine.check(tool, input));
        assert_eq!(decided.behavior, PermissionBehavior::Ask);
        group.bench_function(name, |bencher| {
            bencher.iter(|| runtime.block_on(async { black_box(engine.check(tool, black_box(input)).await) }));
        });
    }
    group.finish();
}

fn guarded(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let toolkit = Toolkit::builder().tool(Add).build().expect("a toolkit");
    let context = PermissionContext::new().with_read_only_policy(ReadOnlyPolicy::Always).allow("add").expect("a rule");
    let state = AgentState::new().with_permissions(context);
    let mut group = criterion.benchmark_group("call");
    group.bench_function("guarded", |bencher| {
        bencher.iter_batched(
            || ToolCall::new("1", "add", ARGUMENTS),
            |call| runtime.block_on(async { black_box(toolkit.call(call, &state).response().await) }),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("unchecked", |bencher| {
        bencher.iter_batched(
            || ToolCall::new("1", "add", ARGUMENTS),
            |call| runtime.block_on(async { black_box(toolkit.call_unchecked(call, &state).response().await) }),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, decision, guarded);
criterion_main!(benches);
