//! The directory that a case is run in.

mod file;
mod setup;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use file::{content, named, only, set_mtime, wanted_mode};

/// How `{root}` stands in a case for the directory.
const ROOT: &str = "{root}";
/// How the temporary files of atomic writes end.
const TEMPORARY: &str = ".agentscope-tmp";

/// A directory with what a case wants in it.
#[derive(Debug)]
pub(super) struct Fixture {
    /// Removed with this, unless somebody else has made it.
    _directory: Option<TempDir>,
    root: PathBuf,
    /// The same directory under the name that it was made with.
    given: PathBuf,
}

impl Fixture {
    /// The directory as `setup` describes it: the empty one at `place`, or a fresh one.
    pub(super) fn new(setup: &Value, place: Option<&Path>) -> io::Result<Self> {
        let directory = if place.is_none() { Some(tempfile::tempdir()?) } else { None };
        let given = place.or_else(|| directory.as_ref().map(TempDir::path)).unwrap_or(Path::new("")).to_owned();
        let fixture = Self { root: given.canonicalize()?, given, _directory: directory };
        fixture.lay(setup)?;
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
        filled(value, &self.root)
    }

    /// The text with `{root}` in place of the directory.
    pub(super) fn emptied(&self, text: &str) -> String {
        text.replace(&*self.root.to_string_lossy(), ROOT).replace(&*self.given.to_string_lossy(), ROOT)
    }

    /// The value with `{root}` in place of the directory.
    pub(super) fn emptied_value(&self, value: &Value) -> Value {
        each_text(value, &|text| self.emptied(text))
    }

    /// The content of all files and the targets of all symbolic links, by path.
    pub(super) fn content(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.root, &mut files);
        files
    }

    /// The temporary files that are left.
    pub(super) fn leftovers(&self) -> Vec<String> {
        let names = self.content().into_keys().map(|path| path.display().to_string());
        names.filter(|name| name.ends_with(TEMPORARY)).collect()
    }

    /// A change by somebody else after the files were read.
    pub(super) fn interfere(&self, change: &Value) -> io::Result<()> {
        only(change, &["op", "path", "path_base64", "text", "base64", "repeat", "append", "mtime"])?;
        let path = named(&self.root, change)?;
        let before = fs::metadata(&path).and_then(|metadata| metadata.modified());
        match change["op"].as_str() {
            Some("delete") => return fs::remove_file(path),
            Some("touch") => {}
            Some("write") => fs::write(&path, content(change)?)?,
            _ => return Err(io::Error::other(format!("there is no change {change}"))),
        }
        let before = before.unwrap_or_else(|_| SystemTime::now());
        match change["mtime"].as_str() {
            Some("same") => set_mtime(&path, before),
            Some(other) => Err(io::Error::other(format!("there is no time `{other}`"))),
            None => set_mtime(&path, before + Duration::from_secs(2)),
        }
    }

    /// Whether a file is as a case expects it; an error if that cannot be told.
    pub(super) fn is_as_expected(&self, file: &Value) -> io::Result<bool> {
        let content_keys = ["text", "base64", "repeat", "append"];
        only(file, &[&["path", "path_base64", "mode", "symlink", "missing"][..], &content_keys].concat())?;
        let path = named(&self.root, file)?;
        let link = fs::symlink_metadata(&path);
        if file["missing"] == true {
            return Ok(link.is_err());
        }
        let Ok(link) = link else { return Ok(false) };
        let right_link = match &file["symlink"] {
            Value::Bool(expected) => *expected == link.is_symlink(),
            Value::String(_) => fs::read_link(&path)
                .is_ok_and(|target| Some(target.to_string_lossy().as_ref()) == self.filled(&file["symlink"]).as_str()),
            _ => true,
        };
        let mode = fs::metadata(&path).ok().map(|metadata| metadata.permissions().mode() & 0o7777);
        let right_mode = wanted_mode(file)?.is_none_or(|wanted| mode == Some(wanted));
        let says_content = content_keys.iter().any(|key| file.get(key).is_some());
        let expected = content(file)?;
        Ok(right_link && right_mode && (!says_content || fs::read(&path).is_ok_and(|bytes| bytes == expected)))
    }
}

/// The value with the directory in place of `{root}`.
pub(super) fn filled(value: &Value, root: &Path) -> Value {
    let root = root.to_string_lossy();
    each_text(value, &|text| text.replace(ROOT, &root))
}

fn each_text(value: &Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => change(text).into(),
        Value::Array(items) => items.iter().map(|item| each_text(item, change)).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| (key.clone(), each_text(value, change)));
            members.collect::<serde_json::Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

fn collect(directory: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, files),
            Ok(kind) if kind.is_file() => {
                let content = fs::read(&path).unwrap_or_default();
                files.insert(path, content);
            }
            Ok(kind) if kind.is_symlink() => {
                let target = fs::read_link(&path).unwrap_or_default().into_os_string().into_vec();
                files.insert(path, target);
            }
            _ => {}
        }
    }
}
