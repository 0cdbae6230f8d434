//! A call to a two-argument tool, beside the least that such a call can cost: a boxed closure in a map.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::collections::HashMap;
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;

use agentscope_tool::prelude::*;
use agentscope_tool_benches::{ARGUMENTS, Add, add};
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use serde::Deserialize;

/// Takes a call as the toolkit does, with texts of its own.
type Boxed = Box<dyn Fn(ToolCall) -> Pin<Box<dyn Future<Output = Result<String, String>> + Send>> + Send + Sync>;

#[derive(Deserialize)]
struct Args {
    a: i64,
    b: i64,
}

fn floor() -> HashMap<&'static str, Boxed> {
    let call: Boxed = Box::new(|call| {
        let args = serde_json::from_str::<Args>(&call.input);
        Box::pin(async move {
            let args = args.map_err(|error| error.to_string())?;
            Ok(add(args.a, args.b).await)
        })
    });
    HashMap::from([("add", call)])
}

/// The same as [`floor`], parsing to a JSON value first, which a checked call cannot do without.
fn floor_by_value() -> HashMap<&'static str, Boxed> {
    let call: Boxed = Box::new(|call| {
        let value = serde_json::from_str::<serde_json::Value>(&call.input);
        Box::pin(async move {
            let args = value.and_then(|value| Args::deserialize(&value)).map_err(|error| error.to_string())?;
            Ok(add(args.a, args.b).await)
        })
    });
    HashMap::from([("add", call)])
}

fn dispatch(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut group = criterion.benchmark_group("dispatch");

    // A call as it comes from a provider.
    let call = || ToolCall::new("1", "add", ARGUMENTS);

    for (name, tools) in [("boxed closure", floor()), ("boxed closure, by value", floor_by_value())] {
        assert_eq!(runtime.block_on(tools["add"](call())).as_deref(), Ok("42"));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                call,
                |call| runtime.block_on(async { black_box(tools[call.name.as_str()](black_box(call)).await) }),
                BatchSize::SmallInput,
            );
        });
    }

    let toolkit = Toolkit::builder().tool(Add).build().expect("a toolkit");
    let state = AgentState::new();
    assert_eq!(runtime.block_on(toolkit.call_unchecked(call(), &state).response()).text(), "42");
    group.bench_function("toolkit", |bencher| {
        bencher.iter_batched(
            call,
            |call| {
                runtime.block_on(async { black_box(toolkit.call_unchecked(black_box(call), &state).response().await) })
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

fn definition(criterion: &mut Criterion) {
    let toolkit = Toolkit::builder().tool(Add).build().expect("a toolkit");
    let state = AgentState::new();
    let mut group = criterion.benchmark_group("definition");
    group.bench_function("spec", |bencher| bencher.iter(|| black_box(Add.spec().input_schema())));
    group.bench_function("schemas of a toolkit", |bencher| bencher.iter(|| black_box(toolkit.schemas(&state))));
    group.finish();
}

criterion_group!(benches, dispatch, definition);
criterion_main!(benches);
