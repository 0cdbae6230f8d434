use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
enum Shape {
    Circle { r: f64 },
    Square { a: f64 },
}

#[tool_args(undocumented, profiles(openai_strict))]
#[serde(tag = "kind")]
enum Item {
    Shape(Shape),
    Text { text: String },
}

fn main() {}
