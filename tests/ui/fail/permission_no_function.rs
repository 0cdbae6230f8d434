use agentscope_tool::prelude::*;

const MAY_DEPLOY: bool = true;

/// Deploy.
#[tool(permission = MAY_DEPLOY)]
async fn deploy() {}

fn main() {}
