use agentscope_tool::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema, ToolArgs)]
struct Args;

fn main() {}
