use agentscope_tool::ToolType;
use agentscope_tool::schemars::JsonSchema;
use agentscope_tool::serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize, JsonSchema, ToolType)]
#[serde(crate = "agentscope_tool::serde")]
#[schemars(crate = "agentscope_tool::schemars")]
#[args(profiles(openai_strict))]
struct Pair(u8, HashMap<String, String>);

fn main() {}
