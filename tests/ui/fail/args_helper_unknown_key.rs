use agentscope_tool::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema, ToolArgs)]
#[args(strict)]
struct Args {}

fn main() {}
