use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
struct Wave<'a> {
    hand: &'a str,
}

fn _use() -> Wave<'static> {
    let wave = Wave { hand: "" };
    let _ = wave.hand;
    wave
}

fn main() {}
