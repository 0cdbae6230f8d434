//! The tool Grep: search the contents of files.

mod content;
mod local;
mod query;
mod rg;
mod scan;
mod survey;
mod syntax;
mod without;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use agentscope_tool::prelude::*;
use agentscope_tool::{Backend, Footprint};

use self::query::Query;
pub use self::query::{GrepArgs, GrepOutput};
use self::survey::Results;
use crate::search::page::with_notes;
use crate::search::watch::{Watch, blocking};
use crate::search::{Limits, name, place, virtual_fs};

/// Search files for a regular expression, as ripgrep does (Rust syntax; no look-around, no backreferences).
///
/// By default the result is the absolute paths of the files in which something matches, in the order of their names.
/// `output_mode: "content"` gives the lines as `path:number:line`, context lines as `path-number-line`; numbers are those
/// of Read. `glob` and `type` say which files are searched. Hidden files are searched too; the directories of version
/// control systems, binary files and what links lead to are not.
///
/// # Examples
///
/// ```
/// # #[cfg(all(unix, feature = "local"))] {
/// use agentscope_tool::prelude::*;
/// use agentscope_tool_builtins::Grep;
/// use serde_json::json;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let folder = tempfile::tempdir().unwrap();
/// let notes = folder.path().join("notes.md");
/// std::fs::write(&notes, "Milk\nBread\n").unwrap();
///
/// let call = json!({ "pattern": "^b", "i": true, "path": folder.path(), "output_mode": "content" });
/// let response = testing::call(Grep::local(), call).await;
/// assert_eq!(response.text(), format!("{}:2:Bread", notes.display()));
/// # }) }
/// ```
#[derive(Tool, Clone, Debug)]
#[spec(read_only)]
pub struct Grep {
    backend: Arc<dyn Backend>,
    limits: Limits,
}

impl Grep {
    /// The tool for this machine.
    #[cfg(feature = "local")]
    #[must_use]
    pub fn local() -> Self {
        Self::on(Arc::new(agentscope_tool_backends::LocalBackend::new()))
    }

    /// The tool for an environment. Where files are not simply this machine's, they are searched there with `rg`, else
    /// with `grep`, and read one after the other where there is neither.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        Self { backend, limits: Limits::default() }
    }

    /// How long a search may take: 30 seconds by default. When the time is over, what was found is shown.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limits.time = limit;
        self
    }

    /// How many bytes of results are shown at once: 256 KiB by default.
    #[must_use]
    pub fn output_limit(mut self, bytes: usize) -> Self {
        self.limits.output = bytes;
        self
    }

    /// Leaves files out that git ignores. By default they are searched, as Glob lists them.
    #[must_use]
    pub fn respect_gitignore(mut self) -> Self {
        self.limits.gitignore = true;
        self
    }

    async fn search(&self, query: &Arc<Query>, watch: &Arc<Watch>) -> Result<Results, ToolError> {
        let stat = place::look(&*self.backend, &query.base).await?;
        if !stat.is_dir() && !stat.is_file() {
            let base = name::shown(query.base.as_bytes());
            return Err(ToolError::failed(format!(
                "`{base}` is {}; only files and directories are searched",
                stat.kind
            )));
        }
        let limits = self.limits;
        let single = stat.is_file();
        match self.backend.local_root() {
            Some(here) => {
                let base = here.join(&query.base);
                let query = Arc::clone(query);
                blocking(watch, move |watch| local::search(&query, &base, single, limits, watch)).await
            }
            None => match rg::search(&*self.backend, query, single, limits, watch).await? {
                Some(results) => Ok(results),
                None => without::search(&*self.backend, query, single, limits, watch).await,
            },
        }
    }
}

impl ToolBody for Grep {
    type Args = GrepArgs;
    type Output = Result<String, ToolError>;

    async fn call(&self, args: GrepArgs, _: ToolContext) -> Self::Output {
        let base = place::absolute(&*self.backend, place::given(args.path.as_deref())).await?;
        let watch = Arc::new(Watch::new(self.limits.time));
        // Compiling some patterns takes seconds.
        let query = crate::blocking(move || Query::new(args, base)).await?;
        let query = Arc::new(query.map_err(ToolError::failed)?);
        let results = self.search(&query, &watch).await?;
        let (text, notes) = results.show(&query, &watch);
        Ok(with_notes(text, virtual_fs::note(&query.base).into_iter().chain(notes)))
    }

    async fn footprint(&self, args: &GrepArgs) -> Footprint {
        let footprint = Footprint::on(Arc::clone(&self.backend));
        let path = place::given(args.path.as_deref());
        match self.backend.stat(path).await {
            Ok(stat) if stat.is_file() => footprint.reads(path),
            _ => footprint.reads_below(path),
        }
    }

    async fn check_permissions(&self, _: &GrepArgs, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::passthrough()
    }

    fn generate_suggestions(&self, _: &GrepArgs, footprint: &Footprint) -> Vec<PermissionRule> {
        footprint.suggest_directories("Grep")
    }

    fn describe(&self) -> Option<Cow<'static, str>> {
        let ignored = " Files that git ignores are not searched.";
        self.limits.gitignore.then(|| format!("{}{ignored}", self.spec().description()).into())
    }
}
