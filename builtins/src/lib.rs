//! Ready-made tools for agents, written with the macros of `agentscope-tool` and its public API alone.

pub mod bash;
