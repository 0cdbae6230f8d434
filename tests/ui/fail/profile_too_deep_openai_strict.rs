use agentscope_tool::prelude::*;

macro_rules! nest {
    ($($outer:ident $inner:ty;)*) => {$(
        #[tool_args(undocumented)]
        struct $outer {
            n: $inner,
        }
    )*};
}

nest! { A B; B C; C D; D E; E F; F G; G H; H I; I J; J u8; }

#[tool_args(undocumented, profiles(openai_strict))]
struct DeepArgs {
    a: A,
}

fn main() {}
