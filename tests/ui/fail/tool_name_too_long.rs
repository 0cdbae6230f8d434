use agentscope_tool::prelude::*;

/// Wave.
#[tool(name = "wave_wave_wave_wave_wave_wave_wave_wave_wave_wave_wave_wave_wave_")]
async fn wave() {}

fn main() {}
