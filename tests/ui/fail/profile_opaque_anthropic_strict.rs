use agentscope_tool::prelude::*;
use agentscope_tool::schemars::JsonSchema;
use agentscope_tool::serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(crate = "agentscope_tool::serde")]
#[schemars(crate = "agentscope_tool::schemars")]
struct Place {
    x: f64,
}

#[tool_args(undocumented, profiles(anthropic_strict))]
struct DrawArgs {
    from: Place,
    color: String,
}

fn main() {}
