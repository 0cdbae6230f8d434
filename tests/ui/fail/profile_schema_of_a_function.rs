use agentscope_tool::prelude::*;
use agentscope_tool::schemars::{Schema, SchemaGenerator};

fn any(_: &mut SchemaGenerator) -> Schema {
    Schema::default()
}

#[tool_args(undocumented, profiles(openai_strict))]
struct PutArgs {
    #[schemars(schema_with = "any")]
    value: String,
}

fn main() {}
