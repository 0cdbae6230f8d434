//! The tool Glob: find files by their names.

mod local;
mod remote;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use agentscope_tool::backend::BackendErrorKind;
use agentscope_tool::prelude::*;
use agentscope_tool::{Backend, Footprint};

use crate::search::newest::Newest;
use crate::search::page::{Page, Shown, with_notes};
use crate::search::pattern::Pattern;
use crate::search::unreadable::Unreadable;
use crate::search::watch::{Watch, blocking};
use crate::search::{Limits, name, place, virtual_fs};

/// Find files by name. The result is one absolute path per line, the most recently changed first.
///
/// A pattern is seen from `path`: `*.rs` finds files directly in it, `**/*.rs` at any depth, `src/**` all below `src`.
/// `*` and `?` stay within one name, `[a-z]` is one of the characters, `{ts,tsx}` one of the alternatives, and `\` takes a
/// character's meaning away. Hidden files are found too. Only files are listed, no directories; links to directories
/// are not followed unless the pattern names them. To look into files, use Grep.
///
/// # Examples
///
/// ```
/// # #[cfg(all(unix, feature = "local"))] {
/// use agentscope_tool::prelude::*;
/// use agentscope_tool_builtins::Glob;
/// use serde_json::json;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let folder = tempfile::tempdir().unwrap();
/// let notes = folder.path().join("notes.md");
/// std::fs::write(&notes, "").unwrap();
///
/// let response = testing::call(Glob::local(), json!({ "pattern": "*.{md,txt}", "path": folder.path() })).await;
/// assert_eq!(response.text(), notes.to_str().unwrap());
/// # }) }
/// ```
#[derive(Tool, Clone, Debug)]
#[spec(read_only)]
pub struct Glob {
    backend: Arc<dyn Backend>,
    limits: Limits,
}

/// The arguments of [`Glob`].
#[tool_args]
#[derive(Clone, Debug)]
pub struct GlobArgs {
    /// The pattern, for example `src/**/*.{ts,tsx}`. One that starts with `/` does not depend on `path`.
    pub pattern: String,
    /// The directory to search, absolute or as seen from the current directory, which is the default.
    pub path: Option<String>,
    /// How many files to list at most: 250 by default, 0 for all.
    pub head_limit: Option<u64>,
    /// How many files to skip, to go on where an earlier list ended.
    #[serde(default)]
    pub offset: u64,
}

/// What a search found.
#[derive(Debug)]
struct Hits {
    newest: Newest,
    unreadable: Unreadable,
    /// How many entries were looked at, in process.
    looked: u64,
}

impl Glob {
    /// The tool for this machine.
    #[cfg(feature = "local")]
    #[must_use]
    pub fn local() -> Self {
        Self::on(Arc::new(agentscope_tool_backends::LocalBackend::new()))
    }

    /// The tool for an environment. Where files are not simply this machine's, `find` is used, and directory after
    /// directory is listed where there is no `find`.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        Self { backend, limits: Limits::default() }
    }

    /// How long a search may take: 30 seconds by default. When the time is over, what was found is listed.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.limits.time = limit;
        self
    }

    /// How many bytes of paths are listed at once: 256 KiB by default.
    #[must_use]
    pub fn output_limit(mut self, bytes: usize) -> Self {
        self.limits.output = bytes;
        self
    }

    /// Leaves files out that git ignores, in a repository on this machine. By default they are listed, as Grep searches
    /// them.
    #[must_use]
    pub fn respect_gitignore(mut self) -> Self {
        self.limits.gitignore = true;
        self
    }

    /// The directory in which all matches lie.
    async fn root(&self, args: &GlobArgs, pattern: &Pattern) -> Result<String, ToolError> {
        let base = match pattern.is_absolute() {
            true => "/".into(),
            false => place::absolute(&*self.backend, place::given(args.path.as_deref())).await?,
        };
        let stat = place::look(&*self.backend, &base).await?;
        if !stat.is_dir() {
            let base = name::shown(base.as_bytes());
            return Err(ToolError::failed(format!("`{base}` is {}, not a directory; give a directory", stat.kind)));
        }
        Ok(pattern.root(&base))
    }

    async fn search(&self, root: &str, pattern: Pattern, page: Page, watch: &Arc<Watch>) -> Result<Hits, ToolError> {
        match self.backend.stat(root).await {
            Ok(stat) if stat.is_dir() => {}
            // The pattern's own directories need not exist.
            Ok(_) => return Ok(Hits::new(page)),
            Err(error) if matches!(error.kind(), BackendErrorKind::NotFound | BackendErrorKind::NotADirectory) => {
                return Ok(Hits::new(page));
            }
            Err(error) => return Err(ToolError::failed(error.to_string())),
        }
        let gitignore = self.limits.gitignore;
        match self.backend.local_root() {
            Some(here) => {
                let root = here.join(root);
                blocking(watch, move |watch| local::search(&root, &pattern, page, gitignore, watch)).await
            }
            None => remote::search(&*self.backend, root, &pattern, page, watch).await,
        }
    }
}

impl Hits {
    fn new(page: Page) -> Self {
        Self { newest: Newest::new(page.end()), unreadable: Unreadable::default(), looked: 0 }
    }

    /// The page as it is shown, and the notes below it.
    fn show(self, args: &GlobArgs, root: &str, page: Page, limit: usize, watch: &Watch) -> (String, Vec<String>) {
        let total = self.newest.total();
        let late = watch.note();
        let mut text = String::new();
        let mut count = 0;
        let skip = usize::try_from(page.offset).unwrap_or(usize::MAX);
        for file in self.newest.into_sorted().into_iter().skip(skip) {
            let path = place::below(root.as_bytes(), &file.path);
            let path = name::shown(&path);
            if count > 0 {
                if text.len() + path.len() >= limit {
                    break;
                }
                text.push('\n');
            }
            text.push_str(&path);
            count += 1;
        }
        if total == 0 {
            let pattern = args.pattern.escape_debug();
            text = format!("No files found that match `{pattern}` in `{}`.", name::shown(root.as_bytes()));
        }
        let more = total > page.offset && page.offset + count < total;
        let too_long = more && page.limit.is_none_or(|limit| count < limit);
        let shown = Shown { count, total: late.is_none().then_some(total), more, too_long };
        let page_note = (total > 0).then(|| page.note(shown, "file", "files")).flatten();
        let unreadable = self.unreadable.note("directory", "directories");
        (text, [page_note, unreadable, late].into_iter().flatten().collect())
    }
}

impl ToolBody for Glob {
    type Args = GlobArgs;
    type Output = Result<String, ToolError>;

    async fn call(&self, args: GlobArgs, _: ToolContext) -> Self::Output {
        let pattern = Pattern::new(&args.pattern).map_err(|error| ToolError::failed(error.to_string()))?;
        let watch = Arc::new(Watch::new(self.limits.time));
        let page = Page::new(args.head_limit, args.offset);
        let root = self.root(&args, &pattern).await?;
        let deep = pattern.depth() != Some(1);
        let hits = self.search(&root, pattern, page, &watch).await?;
        let left_out = virtual_fs::note(&root).filter(|_| deep);
        let (text, notes) = hits.show(&args, &root, page, self.limits.output, &watch);
        Ok(with_notes(text, left_out.into_iter().chain(notes)))
    }

    async fn footprint(&self, args: &GlobArgs) -> Footprint {
        let footprint = Footprint::on(Arc::clone(&self.backend));
        let base = place::given(args.path.as_deref());
        match Pattern::new(&args.pattern) {
            Ok(pattern) => footprint.reads_below(pattern.root(base)),
            // The call will fail before it looks at anything.
            Err(_) => footprint.reads_below(base),
        }
    }

    async fn check_permissions(&self, _: &GlobArgs, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::passthrough()
    }

    fn generate_suggestions(&self, _: &GlobArgs, footprint: &Footprint) -> Vec<PermissionRule> {
        footprint.suggest_directories("Glob")
    }

    fn describe(&self) -> Option<Cow<'static, str>> {
        let ignored = " Files that git ignores are left out.";
        self.limits.gitignore.then(|| format!("{}{ignored}", self.spec().description()).into())
    }
}
