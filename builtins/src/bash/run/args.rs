//! The arguments of a call.

use std::sync::OnceLock;

use agentscope_tool::prelude::*;

use crate::bash::catalogue::Catalogue;
use crate::bash::{Analysis, Shell};

/// The time that a command has when the call says nothing, in milliseconds.
pub(super) const DEFAULT_TIMEOUT: u64 = 120_000;

/// The arguments of a call that runs a shell command. What was read of the command is kept with it, so it cannot be changed.
#[tool_args]
#[derive(Clone, Debug)]
pub struct BashArgs {
    /// The command to run. It gets no input and no terminal.
    pub(in crate::bash) command: String,
    /// What the command does, in a few words, for the person who may be asked to permit it.
    description: Option<String>,
    /// How long the command may take, in milliseconds. When the time is over, the command is ended and its output until then is returned.
    #[serde(default = "default_timeout")]
    #[schemars(range(min = 0, max = 600_000))]
    pub(super) timeout: u64,
    #[serde(skip)]
    readings: Readings,
}

/// What the two shells make of the command, each read when it is first asked for.
#[derive(Clone, Debug, Default)]
struct Readings {
    bash: OnceLock<Analysis>,
    posix: OnceLock<Analysis>,
}

impl BashArgs {
    /// The arguments of a call with that command, and the defaults for the rest.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), description: None, timeout: default_timeout(), readings: Readings::default() }
    }

    /// With another time limit, in milliseconds.
    #[must_use]
    pub fn with_timeout(self, timeout: u64) -> Self {
        Self { timeout, ..self }
    }

    /// What the command does as that shell reads it, by what the tool knows of commands. The hooks of a call share it:
    /// what one has checked is what all speak of.
    pub(in crate::bash) fn read_by(&self, shell: Shell, known: &Catalogue) -> &Analysis {
        let reading = match shell {
            Shell::Bash => &self.readings.bash,
            Shell::Posix => &self.readings.posix,
        };
        reading.get_or_init(|| Analysis::of(&self.command, shell, known))
    }
}

/// The longest time that a call may ask for, in milliseconds.
pub(super) const MAX_TIMEOUT: u64 = 600_000;

fn default_timeout() -> u64 {
    DEFAULT_TIMEOUT
}
