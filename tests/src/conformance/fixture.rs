//! The directory that a case is run in.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;
use tempfile::TempDir;

/// How `{root}` stands in a case for the directory.
const ROOT: &str = "{root}";

/// A fresh directory with what a case wants in it.
#[derive(Debug)]
pub(super) struct Fixture {
    directory: TempDir,
    root: PathBuf,
}

impl Fixture {
    /// The directory as `setup` describes it.
    pub(super) fn new(setup: &Value) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let root = directory.path().canonicalize()?;
        let fixture = Self { directory, root };
        for dir in texts(&setup["dirs"]) {
            fs::create_dir_all(fixture.path(dir))?;
        }
        for git in texts(&setup["git_dirs"]) {
            let git = fixture.path(git).join(".git");
            fs::create_dir_all(git.join("objects"))?;
            fs::create_dir_all(git.join("refs"))?;
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n")?;
        }
        for file in items(&setup["files"]) {
            fixture.write(file)?;
        }
        for link in items(&setup["hardlinks"]) {
            let (path, target) = fixture.link(link);
            fs::hard_link(fixture.path(&target), path)?;
        }
        for link in items(&setup["symlinks"]) {
            let (path, target) = fixture.link(link);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            symlink(target, path)?;
        }
        for fifo in texts(&setup["fifos"]) {
            let done = std::process::Command::new("mkfifo").arg(fixture.path(fifo)).status()?;
            if !done.success() {
                return Err(io::Error::other("no named pipe could be made"));
            }
        }
        // Last, since a mode may keep even its owner from going on.
        for file in items(&setup["files"]) {
            if let Some(mode) = file["mode"].as_str().and_then(|mode| u32::from_str_radix(mode, 8).ok()) {
                fs::set_permissions(fixture.file_path(file)?, fs::Permissions::from_mode(mode))?;
            }
            if let Some(seconds) = file["mtime"].as_u64() {
                set_mtime(&fixture.file_path(file)?, SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))?;
            }
        }
        Ok(fixture)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The case's value with the directory in place of `{root}`.
    pub(super) fn filled(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => text.replace(ROOT, &self.root.to_string_lossy()).into(),
            Value::Array(items) => items.iter().map(|item| self.filled(item)).collect(),
            Value::Object(members) => members
                .iter()
                .map(|(key, value)| (key.clone(), self.filled(value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
            other => other.clone(),
        }
    }

    /// The text with `{root}` in place of the directory.
    pub(super) fn emptied(&self, text: &str) -> String {
        let given = self.directory.path().to_string_lossy();
        text.replace(&*self.root.to_string_lossy(), ROOT).replace(&*given, ROOT)
    }

    /// The content of all files, by path.
    pub(super) fn content(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.root, &mut files);
        files
    }

    fn write(&self, file: &Value) -> io::Result<()> {
        let path = self.file_path(file)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, content(file))
    }

    fn file_path(&self, file: &Value) -> io::Result<PathBuf> {
        if let Some(path) = file["path"].as_str() {
            return Ok(self.path(path));
        }
        let bytes = BASE64.decode(file["path_base64"].as_str().unwrap_or_default()).map_err(io::Error::other)?;
        Ok(self.root.join(OsStr::from_bytes(&bytes)))
    }

    fn link(&self, link: &Value) -> (PathBuf, String) {
        let text = |key: &str| link[key].as_str().unwrap_or_default();
        (self.path(text("path")), self.filled(&link["target"]).as_str().unwrap_or_default().to_owned())
    }

    /// A change by somebody else after the files were read.
    pub(super) fn interfere(&self, change: &Value) -> io::Result<()> {
        let path = self.path(change["path"].as_str().unwrap_or_default());
        let before = fs::metadata(&path).and_then(|metadata| metadata.modified());
        match change["op"].as_str() {
            Some("delete") => return fs::remove_file(path),
            Some("touch") => {}
            _ => fs::write(&path, content(change))?,
        }
        let moved = before.unwrap_or_else(|_| SystemTime::now()) + Duration::from_secs(2);
        set_mtime(&path, if change["mtime"] == "same" { moved - Duration::from_secs(2) } else { moved })
    }

    /// Whether a file is as a case expects it.
    pub(super) fn is_as_expected(&self, file: &Value) -> bool {
        let Ok(path) = self.file_path(file) else { return false };
        let link = fs::symlink_metadata(&path);
        if file["missing"] == true {
            return link.is_err();
        }
        let Ok(link) = link else { return false };
        if file["symlink"].as_bool().is_some_and(|expected| expected != link.is_symlink()) {
            return false;
        }
        if let Some(mode) = file["mode"].as_str().and_then(|mode| u32::from_str_radix(mode, 8).ok())
            && fs::metadata(&path).map_or(true, |metadata| metadata.permissions().mode() & 0o7777 != mode)
        {
            return false;
        }
        let says_content = ["text", "base64", "repeat"].iter().any(|key| file.get(key).is_some());
        !says_content || fs::read(&path).is_ok_and(|bytes| bytes == content(file))
    }
}

fn set_mtime(path: &Path, time: SystemTime) -> io::Result<()> {
    fs::File::open(path)?.set_modified(time)
}

fn content(file: &Value) -> Vec<u8> {
    if let Some(base64) = file["base64"].as_str() {
        return BASE64.decode(base64).unwrap_or_default();
    }
    let repeat = &file["repeat"];
    let count = usize::try_from(repeat["count"].as_u64().unwrap_or_default()).unwrap_or_default();
    let repeated = repeat["text"].as_str().unwrap_or_default().repeat(count);
    let text = |key: &str| file[key].as_str().unwrap_or_default();
    [repeated.as_str(), text("text"), text("append")].concat().into_bytes()
}

fn collect(directory: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&entry.path(), files),
            Ok(kind) if kind.is_file() => drop(files.insert(entry.path(), fs::read(entry.path()).unwrap_or_default())),
            _ => {}
        }
    }
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    items(value).filter_map(Value::as_str)
}
