//! Ready-made tools for agents, written with the macros of `agentscope-tool` and its public API alone.

mod diff;
mod edit;
mod lock;
mod unit;
