//! What the user of the tool decides about how commands run.

/// Where commands run, with which variables, and how much of their output is shown.
#[derive(Clone, Debug)]
pub(crate) struct RunOptions {
    pub(super) cwd: Option<String>,
    pub(super) env: Vec<(String, Option<String>)>,
    pub(super) output_limit: usize,
    pub(super) keep_cwd: bool,
    pub(super) keep_background: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { cwd: None, env: Vec::new(), output_limit: 30_000, keep_cwd: false, keep_background: false }
    }
}

impl RunOptions {
    /// The directory that commands run in; by default the environment's current directory.
    pub(crate) fn cwd(mut self, path: impl Into<String>) -> Self {
        self.cwd = Some(path.into());
        self
    }

    /// Sets a variable for all commands, also one that is taken away or set by default.
    pub(crate) fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Takes a variable away from all commands.
    pub(crate) fn env_remove(mut self, name: impl Into<String>) -> Self {
        self.env.push((name.into(), None));
        self
    }

    /// How many characters of a command's output are shown at most, half of them from its end: 30,000 by default.
    pub(crate) fn output_limit(mut self, characters: usize) -> Self {
        self.output_limit = characters;
        self
    }

    /// A command that changes the directory changes it for the next ones of the conversation, too.
    pub(crate) fn keep_cwd(mut self) -> Self {
        self.keep_cwd = true;
        self
    }

    /// What a command leaves in the background goes on when the command ends; by default it is ended.
    pub(crate) fn keep_background(mut self) -> Self {
        self.keep_background = true;
        self
    }
}
