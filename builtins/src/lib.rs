//! Ready-made tools for agents, written with the macros of `agentscope-tool` and its public API alone.

mod tasks;

pub use tasks::{
    TaskCreate, TaskCreateArgs, TaskGet, TaskGetArgs, TaskList, TaskListArgs, TaskStatus, TaskUpdate, TaskUpdateArgs,
};
