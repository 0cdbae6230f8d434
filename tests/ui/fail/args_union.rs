use agentscope_tool::prelude::*;

#[derive(ToolArgs)]
union Args {
    left: u8,
}

fn main() {}
