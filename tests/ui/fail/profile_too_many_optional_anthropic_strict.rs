use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
struct ManyArgs {
    f0: Option<u8>,
    f1: Option<u8>,
    f2: Option<u8>,
    f3: Option<u8>,
    f4: Option<u8>,
    f5: Option<u8>,
    f6: Option<u8>,
    f7: Option<u8>,
    f8: Option<u8>,
    f9: Option<u8>,
    f10: Option<u8>,
    f11: Option<u8>,
    f12: Option<u8>,
    f13: Option<u8>,
    f14: Option<u8>,
    f15: Option<u8>,
    f16: Option<u8>,
}

/// Take many.
#[derive(Tool)]
#[spec(profiles(anthropic_strict))]
struct Many;

impl ToolBody for Many {
    type Args = ManyArgs;
    type Output = String;
    async fn call(&self, _: ManyArgs, _: ToolContext) -> String {
        String::new()
    }
}

fn main() {}
