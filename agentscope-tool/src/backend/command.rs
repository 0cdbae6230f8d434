//! A program to run: what it is called with, where, for how long, and how much of its output is kept.

use std::time::Duration;

/// A program to run in an environment: a list of arguments, no shell, no quoting.
///
/// Its standard input is empty and it has no terminal. It starts with the environment's own variables, changed as said
/// here, in the environment's current directory unless another is given.
///
/// ```
/// use std::time::Duration;
/// use agentscope_tool::backend::Command;
///
/// let command = Command::new("git")
///     .args(["log", "--oneline", "-3"])
///     .cwd("/srv/checkout")
///     .env("GIT_OPTIONAL_LOCKS", "0")
///     .timeout(Duration::from_secs(20));
/// assert_eq!(command.argv().collect::<Vec<_>>(), ["git", "log", "--oneline", "-3"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a command only runs when a backend executes it"]
pub struct Command {
    program: String,
    args: Vec<String>,
    cwd: Option<String>,
    clear_env: bool,
    env: Vec<(String, Option<String>)>,
    timeout: Option<Duration>,
    limits: OutputLimits,
    keep_background: bool,
}

impl Command {
    /// A program without arguments: a path, or a name that is looked up on the environment's `PATH`.
    pub fn new(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            cwd: None,
            clear_env: false,
            env: Vec::new(),
            timeout: None,
            limits: OutputLimits::default(),
            keep_background: false,
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// The directory to run in.
    pub fn cwd(mut self, path: impl Into<String>) -> Self {
        self.cwd = Some(path.into());
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Takes a variable away.
    pub fn env_remove(mut self, name: impl Into<String>) -> Self {
        self.env.push((name.into(), None));
        self
    }

    /// Starts with no variables at all; those set before are forgotten. Without a `PATH` the system's default is used.
    pub fn env_clear(mut self) -> Self {
        self.clear_env = true;
        self.env.clear();
        self
    }

    /// How long the program may run, start and end included. Without it, it may run for ever.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// How much of each output stream is kept for the result.
    pub fn limits(mut self, limits: OutputLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Leaves what the program started in the background running when it ends by itself.
    ///
    /// By default nothing outlives the program: what it left behind is ended as on a timeout. A process that is kept
    /// can no longer print to the program's output, which is closed; it should write to a file. A timeout or dropping
    /// the execution ends all of them either way.
    pub fn keep_background(mut self) -> Self {
        self.keep_background = true;
        self
    }
}

/// What a backend reads off a command.
impl Command {
    /// The program.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The arguments, without the program.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.args
    }

    /// The program and its arguments.
    pub fn argv(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.program.as_str()).chain(self.args.iter().map(String::as_str))
    }

    /// The directory to run in, if one was given.
    #[must_use]
    pub fn current_dir(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    /// Whether the program starts without the environment's variables.
    #[must_use]
    pub fn clears_env(&self) -> bool {
        self.clear_env
    }

    /// The changes to the variables, in the order in which they are made: a value to set, or `None` to take it away.
    pub fn env_changes(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.env.iter().map(|(name, value)| (name.as_str(), value.as_deref()))
    }

    /// How long the program may run.
    #[must_use]
    pub fn time_limit(&self) -> Option<Duration> {
        self.timeout
    }

    /// How much of each output stream is kept.
    #[must_use]
    pub fn output_limits(&self) -> OutputLimits {
        self.limits
    }

    /// Whether what the program started in the background goes on when it ends.
    #[must_use]
    pub fn keeps_background(&self) -> bool {
        self.keep_background
    }
}

/// How many bytes of an output stream are kept: its start and its end. What lies between is counted and let go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputLimits {
    /// Bytes kept of the start.
    pub head: usize,
    /// Bytes kept of the end.
    pub tail: usize,
}

impl OutputLimits {
    /// Everything is kept, however much it is.
    pub const UNLIMITED: Self = Self { head: usize::MAX, tail: 0 };
}

/// 256 KiB of the start and 256 KiB of the end.
impl Default for OutputLimits {
    fn default() -> Self {
        Self { head: 256 * 1024, tail: 256 * 1024 }
    }
}
