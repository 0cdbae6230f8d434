use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(deepseek_strict))]
enum Expr {
    Number(f64),
    Sum(Vec<Expr>),
}

fn main() {}
