//! Which files an agent has read, and as what they were then.

use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::record::{CachedFile, ToolRecord};
use crate::backend::{FileId, FileTime, Stat};

/// How many files are remembered at all.
const MOST_FILES: usize = 10_000;
/// What a file counts at most towards the size of the cache, in KiB; the content of larger ones is not hashed.
const MOST_KIB: f64 = 8.0 * 1024.0;

/// What is known of a file as it was when it was read: whether it was changed since can be told from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileVersion {
    /// Its size in bytes.
    pub size: u64,
    /// When its content changed.
    pub mtime: FileTime,
    /// When anything of it changed.
    pub ctime: FileTime,
    /// Which file it was.
    pub id: FileId,
    /// A hash of its content, for files that are not too large. How it is made is up to whoever makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

impl FileVersion {
    /// The version that a backend describes, without a hash of its content.
    #[must_use]
    pub fn of(stat: &Stat) -> Self {
        Self { size: stat.size, mtime: stat.mtime, ctime: stat.ctime, id: stat.id, hash: None }
    }

    /// The same with a hash of its content.
    #[must_use]
    pub fn with_hash(mut self, hash: impl Into<String>) -> Self {
        self.hash = Some(hash.into());
        self
    }

    /// Whether the file is still that version, as far as can be told without looking at its content.
    #[must_use]
    pub fn is_current(&self, stat: &Stat) -> bool {
        let now = Self::of(stat);
        (self.size, self.mtime, self.ctime, self.id) == (now.size, now.mtime, now.ctime, now.id)
    }
}

impl ToolRecord {
    /// Remembers that a file was read, by its canonical path, as the most recently read one.
    ///
    /// The hashes of the [`max_cache_files`](Self::max_cache_files) files that were read last are kept, as long as the files
    /// together are not larger than [`max_cache_bytes`](Self::max_cache_bytes). Files that were read before are still known,
    /// but one of those counts as changed as soon as its time stamps do.
    ///
    /// ```
    /// use agentscope_tool::{AgentState, FileVersion};
    /// # use agentscope_tool::backend::Backend;
    /// # use agentscope_tool::testing::MemoryBackend;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let backend = MemoryBackend::new().file("/srv/a.txt", "first");
    /// let state = AgentState::new();
    /// let stat = backend.stat("/srv/a.txt").await?;
    /// state.update(|record| record.tool_context.remember_file("/srv/a.txt", FileVersion::of(&stat)));
    ///
    /// let version = state.read(|record| record.tool_context.read_file("/srv/a.txt"));
    /// assert!(version.is_some_and(|version| version.is_current(&stat)));
    /// # Ok(()) }
    /// ```
    pub fn remember_file(&mut self, path: impl Into<String>, version: FileVersion) {
        let path = path.into();
        self.forget_file(&path);
        let bytes = if version.hash.is_some() { (version.size as f64 / 1024.0).min(MOST_KIB) } else { 0.0 };
        self.read_file_cache.push(CachedFile {
            file_path: path,
            // No content and no time: the original, when it loads this, reads the file again.
            lines: Vec::new(),
            updated_at: None,
            bytes,
            version: Some(version),
            other: Map::new(),
        });
        if self.read_file_cache.len() > MOST_FILES {
            self.read_file_cache.remove(0);
        }
        self.keep_limits();
    }

    /// The file of that canonical path as it was when it was last read or written.
    ///
    /// What the original has saved of a file is not enough to tell whether it has changed: such a file was not read.
    #[must_use]
    pub fn read_file(&self, path: &str) -> Option<FileVersion> {
        self.read_file_cache.iter().rfind(|file| file.file_path == path)?.version.clone()
    }

    /// Forgets that a file was read.
    pub fn forget_file(&mut self, path: &str) {
        self.read_file_cache.retain(|file| file.file_path != path);
    }

    fn keep_limits(&mut self) {
        let (mut files, mut kib) = (0, 0.0);
        for file in self.read_file_cache.iter_mut().rev() {
            let Some(version) = file.version.as_mut().filter(|version| version.hash.is_some()) else { continue };
            files += 1;
            kib += file.bytes;
            if files > self.max_cache_files.max(1) || kib > self.max_cache_bytes as f64 {
                version.hash = None;
                file.bytes = 0.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::state::StateRecord;

    fn version(size: u64) -> FileVersion {
        FileVersion {
            size,
            mtime: FileTime::new(1, 2),
            ctime: FileTime::new(3, 4),
            id: FileId { device: 5, inode: 6 },
            hash: Some("h".into()),
        }
    }

    fn hashed(record: &ToolRecord) -> Vec<&str> {
        let files = record.read_file_cache.iter();
        let hashed = |file: &&CachedFile| file.version.as_ref().is_some_and(|version| version.hash.is_some());
        files.filter(hashed).map(|file| file.file_path.as_str()).collect()
    }

    #[test]
    fn the_hashes_of_the_last_files_are_kept_and_all_files_are_known() {
        let mut record = ToolRecord { max_cache_files: 2, ..ToolRecord::default() };
        for path in ["/a", "/b", "/a", "/c"] {
            record.remember_file(path, version(10));
        }
        assert_eq!(hashed(&record), ["/a", "/c"]);
        assert!(record.read_file("/b").is_some());
        record.forget_file("/b");
        assert!(record.read_file("/b").is_none());
    }

    #[test]
    fn the_size_of_the_cache_is_in_kib_and_no_file_is_too_large() {
        let mut record = ToolRecord { max_cache_bytes: 10_000, ..ToolRecord::default() };
        record.remember_file("/small", version(1024 * 1024));
        record.remember_file("/large", version(7 * 1024 * 1024));
        assert_eq!(hashed(&record), ["/small", "/large"]);
        record.remember_file("/huge", version(u64::MAX));
        assert_eq!(hashed(&record), ["/huge"]);
    }

    #[test]
    fn what_was_read_is_saved_and_what_the_original_saved_was_not_read() {
        let mut record = StateRecord::default();
        record.tool_context.remember_file("/a", version(10));
        let saved = serde_json::to_value(&record).unwrap();
        let loaded: StateRecord = serde_json::from_value(saved.clone()).unwrap();
        assert_eq!(loaded.tool_context.read_file("/a"), Some(version(10)));
        assert_eq!(saved["tool_context"]["read_file_cache"][0]["updated_at"], json!(null));

        let original =
            json!({ "read_file_cache": [{ "file_path": "/a", "lines": ["x\n"], "updated_at": 1.5, "bytes": 0.1 }] });
        let record: ToolRecord = serde_json::from_value(original).unwrap();
        assert_eq!(record.read_file("/a"), None);
    }

    #[test]
    fn each_part_of_a_version_tells_a_change() {
        let stat = |size, mtime, ctime, inode| Stat {
            kind: crate::backend::FileKind::File,
            size,
            mtime: FileTime::new(mtime, 2),
            ctime: FileTime::new(ctime, 4),
            mode: 0,
            id: FileId { device: 5, inode },
            links: 1,
        };
        assert!(version(10).is_current(&stat(10, 1, 3, 6)));
        for other in [stat(11, 1, 3, 6), stat(10, 2, 3, 6), stat(10, 1, 4, 6), stat(10, 1, 3, 7)] {
            assert!(!version(10).is_current(&other));
        }
    }
}
