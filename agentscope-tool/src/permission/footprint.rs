//! What a call touches.

mod matching;
mod resolve;

use std::sync::{Arc, LazyLock};

use super::protected::ProtectedPaths;
use crate::backend::Backend;
use resolve::Resolution;

/// What a call touches, in terms that rules are matched against, whichever tool makes the call.
///
/// A tool says what it touches in its `footprint` hook, with paths as it will open them. Before rules are compared, the
/// engine makes the paths absolute and resolves `..` and links: on this machine, or where [`on`](Self::on) says.
///
/// ```
/// use agentscope_tool::Footprint;
///
/// let footprint = Footprint::new().reads("/etc/hosts").runs(["cat", "/etc/hosts"]);
/// assert_eq!(footprint.paths().next().map(|path| path.as_given()), Some("/etc/hosts"));
/// assert_eq!(footprint.commands(), [["cat", "/etc/hosts"]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    backend: Option<Arc<dyn Backend>>,
    paths: Vec<TouchedPath>,
    commands: Vec<Vec<String>>,
    hosts: Vec<String>,
    unknown: Option<String>,
    unknown_reads: Option<String>,
    protected: Option<ProtectedPaths>,
    resolution: Option<Arc<Resolution>>,
}

/// How a path is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathAccess {
    /// It is read.
    Read,
    /// It is written, made, moved or removed.
    Write,
}

/// A path that a call touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedPath {
    given: String,
    access: PathAccess,
    tree: bool,
    /// Whether it is removed, with all that lies below it.
    removed: bool,
    /// Absolute, `.` and `..` folded as text.
    folded: String,
    /// Absolute, links followed.
    resolved: String,
    /// Whether that is known.
    is_resolved: bool,
}

impl TouchedPath {
    fn new(path: String, access: PathAccess, tree: bool) -> Self {
        Self {
            folded: path.clone(),
            resolved: path.clone(),
            given: path,
            access,
            tree,
            removed: false,
            is_resolved: false,
        }
    }

    /// The path as the tool gave it.
    #[must_use]
    pub fn as_given(&self) -> &str {
        &self.given
    }

    /// The absolute path without `..` and links. Before the engine has resolved it, it is the path as the tool gave it.
    #[must_use]
    pub fn resolved(&self) -> &str {
        &self.resolved
    }

    /// How it is touched.
    #[must_use]
    pub fn access(&self) -> PathAccess {
        self.access
    }

    /// Whether everything below the path is touched too.
    #[must_use]
    pub fn is_tree(&self) -> bool {
        self.tree
    }
}

impl Footprint {
    /// A call that touches nothing that rules could name. Paths are added as those of this machine.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            backend: None,
            paths: Vec::new(),
            commands: Vec::new(),
            hosts: Vec::new(),
            unknown: None,
            unknown_reads: None,
            protected: None,
            resolution: None,
        }
    }

    /// A call that touches nothing yet, whose paths are those of another environment.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        Self { backend: Some(backend), ..Self::new() }
    }

    /// The same, reading this path too.
    #[must_use]
    pub fn reads(self, path: impl Into<String>) -> Self {
        self.with_path(path, PathAccess::Read, false)
    }

    /// The same, reading anything at or below this path too, as a search does.
    #[must_use]
    pub fn reads_below(self, path: impl Into<String>) -> Self {
        self.with_path(path, PathAccess::Read, true)
    }

    /// The same, writing, making or removing this path too.
    #[must_use]
    pub fn writes(self, path: impl Into<String>) -> Self {
        self.with_path(path, PathAccess::Write, false)
    }

    /// The same, writing, making or removing anything at or below this path too.
    #[must_use]
    pub fn writes_below(self, path: impl Into<String>) -> Self {
        self.with_path(path, PathAccess::Write, true)
    }

    /// The same, removing this path too, and what lies below it.
    #[must_use]
    pub fn removes(self, path: impl Into<String>) -> Self {
        let mut footprint = self.with_path(path, PathAccess::Write, false);
        if let Some(path) = footprint.paths.last_mut() {
            path.removed = true;
        }
        footprint
    }

    fn with_path(mut self, path: impl Into<String>, access: PathAccess, tree: bool) -> Self {
        self.paths.push(TouchedPath::new(path.into(), access, tree));
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

    /// The same, and more that the tool cannot name. No rule with a content allows such a call, and a deny rule that
    /// might concern it asks.
    #[must_use]
    pub fn and_unknown(mut self, what: impl Into<String>) -> Self {
        self.unknown.get_or_insert(what.into());
        self
    }

    /// The same, and reading paths that the tool cannot name. A deny rule about reading, which might concern one of them,
    /// asks.
    #[must_use]
    pub fn and_unknown_reads(mut self, what: impl Into<String>) -> Self {
        self.unknown_reads.get_or_insert_with(|| what.into());
        self
    }

    /// The same, judged by these protected paths instead of the conversation's, for a tool with a list of its own. What
    /// settings add is protected still.
    #[must_use]
    pub fn with_protected_paths(mut self, protected: ProtectedPaths) -> Self {
        self.protected = Some(protected);
        self
    }

    /// The paths that are touched.
    pub fn paths(&self) -> impl Iterator<Item = &TouchedPath> {
        self.paths.iter()
    }

    /// The commands that are run, each as its argument vector.
    #[must_use]
    pub fn commands(&self) -> &[Vec<String>] {
        &self.commands
    }

    /// The network hosts that are contacted.
    #[must_use]
    pub fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// What of the call could not be named, if anything.
    #[must_use]
    pub fn unknown(&self) -> Option<&str> {
        self.unknown.as_deref()
    }

    /// Which paths are read that could not be named, if any.
    #[must_use]
    pub fn unknown_reads(&self) -> Option<&str> {
        self.unknown_reads.as_deref()
    }

    /// Whether any path is written.
    pub(super) fn writes_any(&self) -> bool {
        self.paths.iter().any(|path| path.access == PathAccess::Write)
    }

    /// A written path that is protected, or might be, with the entry of the protected paths.
    pub(super) fn protected_by<'a>(&'a self, settings: &'a ProtectedPaths) -> Option<Protected<'a>> {
        static DEFAULT: LazyLock<ProtectedPaths> = LazyLock::new(ProtectedPaths::default);
        // A tool's own list stands for the default one, not for what settings have added to that.
        let counts = |entry: &str| self.protected.is_none() || !DEFAULT.has_entry(entry);
        let own = self.protected.as_ref();
        let find = |text: &str| own.and_then(|own| own.find(text)).or_else(|| settings.find_where(text, counts));
        let written = || self.paths.iter().filter(|path| path.access == PathAccess::Write);
        let hit = written().find_map(|path| {
            let entry = find(&path.folded).or_else(|| find(&path.resolved))?;
            Some(Protected { entry, path, how: How::Is })
        });
        // The rest asks only if there is anything to protect.
        let any = || own.and_then(ProtectedPaths::first).or_else(|| settings.first_where(counts));
        hit.or_else(|| {
            let entry = any()?;
            let lost = written().find(|path| !path.is_resolved).map(|path| (path, How::LeadsAnywhere));
            let (path, how) = lost.or_else(|| written().find(|path| path.tree).map(|path| (path, How::MayHold)))?;
            Some(Protected { entry, path, how })
        })
    }
}

/// A written path that asks for a confirmation.
pub(super) struct Protected<'a> {
    pub(super) entry: &'a str,
    pub(super) path: &'a TouchedPath,
    pub(super) how: How,
}

/// What a written path has to do with a protected one.
pub(super) enum How {
    /// It is one.
    Is,
    /// Where it leads is not known.
    LeadsAnywhere,
    /// Anything below it is written.
    MayHold,
}
