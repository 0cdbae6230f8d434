use agentscope_tool::prelude::*;
use agentscope_tool::schemars::JsonSchema;
use agentscope_tool::serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(crate = "agentscope_tool::serde")]
#[schemars(crate = "agentscope_tool::schemars")]
struct Place {
    x: f64,
}

/// Go somewhere.
#[tool(undocumented, profiles(openai_strict))]
async fn go(to: Option<Place>) -> String {
    to.map(|place| place.x.to_string()).unwrap_or_default()
}

fn main() {}
