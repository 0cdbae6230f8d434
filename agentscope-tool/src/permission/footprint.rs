//! What a call touches.

/// What a call touches, in terms that rules are matched against, whichever tool makes the call.
///
/// ```
/// use agentscope_tool::Footprint;
///
/// let footprint = Footprint::new().reads("/etc/hosts").runs(["cat", "/etc/hosts"]);
/// assert_eq!(footprint.paths_read, ["/etc/hosts"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Footprint {
    /// Absolute paths that are read.
    pub paths_read: Vec<String>,
    /// Absolute paths that are written, made or removed.
    pub paths_written: Vec<String>,
    /// Commands that are run, each as its argument vector.
    pub commands: Vec<Vec<String>>,
    /// Network hosts that are contacted.
    pub hosts: Vec<String>,
}

impl Footprint {
    /// A call that touches nothing that rules could name.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, reading this path too.
    #[must_use]
    pub fn reads(mut self, path: impl Into<String>) -> Self {
        self.paths_read.push(path.into());
        self
    }

    /// The same, writing this path too.
    #[must_use]
    pub fn writes(mut self, path: impl Into<String>) -> Self {
        self.paths_written.push(path.into());
        self
    }

    /// The same, running this command too.
    #[must_use]
    pub fn runs(mut self, argv: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.commands.push(argv.into_iter().map(Into::into).collect());
        self
    }

    /// The same, contacting this host too.
    #[must_use]
    pub fn contacts(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }
}
