//! Finding files in another environment: with its `find`, or by listing its directories.

use agentscope_tool::ToolError;
use agentscope_tool::backend::Backend;

use super::Hits;
use crate::search::find::{Wanted, files};
use crate::search::page::Page;
use crate::search::pattern::Pattern;
use crate::search::watch::Watch;

/// Finds the files below `root` that match.
pub(super) async fn search(
    backend: &dyn Backend,
    root: &str,
    pattern: &Pattern,
    page: Page,
    watch: &Watch,
) -> Result<Hits, ToolError> {
    let mut hits = Hits::new(page);
    let wanted = Wanted { root, depth: pattern.depth(), links: true, vcs: true };
    let found = files(backend, wanted, watch, |file| {
        if pattern.matches(&file.path) {
            hits.newest.push(file);
        }
        true
    });
    hits.unreadable = found.await?;
    Ok(hits)
}
