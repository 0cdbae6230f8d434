//! The file that a tool is asked about: where it is, what it is, and whether the agent knows it as it is now.

use agentscope_tool::backend::{Backend, BackendError, BackendErrorKind, FileContent, FileKind, Stat};
use agentscope_tool::{AgentState, FileVersion, ToolError};
use xxhash_rust::xxh3::xxh3_128;

/// The content of files up to this size, in bytes, is hashed, so that a change of the time alone is no change.
pub(crate) const HASHED: u64 = 8 * 1024 * 1024;

/// A file that there is, or may be.
#[derive(Debug)]
pub(crate) struct Target {
    /// Its path as it was given.
    pub(crate) given: String,
    /// Where that leads.
    pub(crate) path: String,
    /// What is there, if anything is.
    pub(crate) stat: Option<Stat>,
}

impl Target {
    /// Finds a regular file, or a place for one.
    ///
    /// # Errors
    /// When the path is not absolute, leads to something else than a file, or cannot be looked at.
    pub(crate) async fn find(backend: &dyn Backend, given: &str) -> Result<Self, ToolError> {
        if !backend.is_absolute(given) {
            return Err(fault(format!("`file_path` has to be an absolute path, but is `{}`.", given.escape_debug())));
        }
        if given.contains('\0') {
            return Err(fault("`file_path` contains a NUL character, which no path has.".to_owned()));
        }
        let stat = match backend.stat(given).await {
            Ok(stat) => Some(stat),
            Err(error) if error.kind() == BackendErrorKind::NotFound => None,
            Err(error) => return Err(failed(&error)),
        };
        match stat.map(|stat| stat.kind) {
            None | Some(FileKind::File) if given.ends_with('/') => {
                return Err(fault(format!("`{given}` ends with a slash, as only the path of a directory does.")));
            }
            None | Some(FileKind::File) => {}
            Some(FileKind::Directory) => return Err(fault(format!("`{given}` is a directory, not a file."))),
            Some(kind) => return Err(fault(format!("`{given}` is {kind}, not a regular file."))),
        }
        let path = backend.canonicalize(given).await.map_err(|error| failed(&error))?;
        Ok(Self { given: given.to_owned(), path, stat })
    }

    /// What is there.
    ///
    /// # Errors
    /// When there is nothing.
    pub(crate) fn existing(&self) -> Result<Stat, ToolError> {
        self.stat.ok_or_else(|| fault(format!("There is no file `{}`: it does not exist.", self.given)))
    }

    /// Whether the agent has read the file, and it is still as it was then.
    ///
    /// # Errors
    /// When it has not, or the file has changed since.
    pub(crate) fn check_known(&self, content: &FileContent, state: &AgentState) -> Result<(), ToolError> {
        let given = &self.given;
        let known = state.read(|record| record.tool_context.read_file(&self.path));
        let Some(known) = known else {
            return Err(fault(format!("`{given}` exists, but you have not read it yet. Read it first.")));
        };
        if known.is_current(&content.stat) || known.hash.is_some_and(|hash| content_hash(&content.bytes) == Some(hash))
        {
            return Ok(());
        }
        Err(fault(format!(
            "`{given}` was changed since you last read it, by somebody else or by another program. Read it again, and \
             take the change into account."
        )))
    }

    /// Notes that the agent knows the file with this content.
    pub(crate) fn remember(&self, stat: &Stat, content: Option<&[u8]>, state: &AgentState) {
        let version = FileVersion::of(stat);
        let version = match content.and_then(content_hash) {
            Some(hash) => version.with_hash(hash),
            None => version,
        };
        state.update(|record| record.tool_context.remember_file(&self.path, version));
    }
}

fn content_hash(content: &[u8]) -> Option<String> {
    (content.len() as u64 <= HASHED).then(|| format!("xxh3:{:032x}", xxh3_128(content)))
}

/// A failure of the model's making, or of its file's.
pub(crate) fn fault(message: String) -> ToolError {
    ToolError::failed(message)
}

/// What a backend could not do.
pub(crate) fn failed(error: &BackendError) -> ToolError {
    let mut message = error.to_string();
    if let Some(first) = message.get(..1).map(str::to_uppercase) {
        message.replace_range(..1, &first);
    }
    ToolError::failed(message + ".")
}
