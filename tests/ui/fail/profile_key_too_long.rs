use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
struct ListArgs {
    a_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and: u32,
}

fn main() {}
