//! What a call costs in allocations. These counts do not depend on the machine.

use agentscope_tool::args::{self, CutOff};
use agentscope_tool::prelude::*;
use allocation_counter::measure;
use futures_util::FutureExt as _;

/// Add two numbers.
#[tool]
async fn add(
    /// The first.
    a: i64,
    /// The second.
    b: i64,
) -> i64 {
    a + b
}

const TEXT: &str = r#"{"a": 1, "b": 2}"#;

#[test]
fn reading_a_definition_allocates_nothing() {
    let tool = Add;
    tool.spec();
    let read = measure(|| {
        let spec = tool.spec();
        std::hint::black_box((spec.name(), spec.description(), spec.input_schema(), spec.is_read_only()));
    });
    assert_eq!(read.count_total, 0);
}

#[test]
fn getting_a_tool_out_of_a_toolkit_allocates_nothing() {
    let toolkit = Toolkit::builder().tool(Add).build().unwrap();
    let read = measure(|| {
        std::hint::black_box(toolkit.get("add"));
    });
    assert_eq!(read.count_total, 0);
}

#[test]
fn a_call_costs_at_most_six_allocations_beyond_its_arguments_and_its_result() {
    let toolkit = Toolkit::builder().tool(Add).build().unwrap();
    let state = AgentState::new();
    let run = |call: ToolCall| {
        let response =
            toolkit.call_unchecked(call, &state).response().now_or_never().expect("the tool waits for nothing");
        assert_eq!(response.content.len(), 1);
        response
    };
    run(ToolCall::new("1", "add", TEXT));

    let parsing = measure(|| {
        let parsed = args::parse(TEXT, Add.spec().validator(), CutOff::Refuse).unwrap();
        std::hint::black_box(parsed);
    });
    let result = measure(|| {
        std::hint::black_box(3_i64.to_string());
    });
    let mut call = Some(ToolCall::new("1", "add", TEXT));
    let dispatch = measure(|| {
        std::hint::black_box(call.take().map(run));
    });
    let own = dispatch.count_total - parsing.count_total - result.count_total;
    println!("dispatch {}, parsing {}, result {}", dispatch.count_total, parsing.count_total, result.count_total);
    assert!(own <= 6, "{own} allocations");
}

#[test]
fn a_middleware_that_passes_calls_through_costs_at_most_two_allocations() {
    struct Pass;
    impl ToolMiddleware for Pass {
        fn on_tool_call(
            self: std::sync::Arc<Self>,
            _: std::sync::Arc<dyn Tool>,
            input: ToolInput,
            next: agentscope_tool::middleware::Next,
        ) -> ToolStream {
            next.run(input)
        }
    }
    let cost = |layers: usize| {
        let mut builder = Toolkit::builder().tool(Add);
        for _ in 0..layers {
            builder = builder.middleware(Pass);
        }
        let (toolkit, state) = (builder.build().unwrap(), AgentState::new());
        let run = || toolkit.call_unchecked(ToolCall::new("1", "add", TEXT), &state).response().now_or_never();
        run();
        measure(|| drop(std::hint::black_box(run()))).count_total
    };
    let (none, five) = (cost(0), cost(5));
    assert!(five <= none + 10, "{none} without, {five} with five");
}
