//! The arguments of a call.

use agentscope_tool::prelude::*;

/// The time that a command has when the call says nothing, in milliseconds.
pub(super) const DEFAULT_TIMEOUT: u64 = 120_000;

/// The arguments of a call that runs a shell command.
#[tool_args]
#[derive(Clone, Debug)]
pub struct BashArgs {
    /// The command to run. It gets no input and no terminal.
    pub command: String,
    /// What the command does, in a few words, for the person who may be asked to permit it.
    pub description: Option<String>,
    /// How long the command may take, in milliseconds. When the time is over, the command is ended and its output until then is returned.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = 0, max = 600_000))]
    pub timeout: u64,
}

/// The longest time that a call may ask for, in milliseconds.
pub(super) const MAX_TIMEOUT: u64 = 600_000;

fn default_timeout() -> u64 {
    DEFAULT_TIMEOUT
}
