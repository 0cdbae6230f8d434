use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(portable))]
struct SearchArgs {
    labels: Option<HashMap<String, u8>>,
}

fn main() {}
