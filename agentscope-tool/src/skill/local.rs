//! Skills in directories of this machine.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use serde::Deserialize;

use super::{Skill, SkillLoader};

/// The file that makes a directory a skill.
const FILE: &str = "SKILL.md";
/// The most bytes of such a file.
const MOST: u64 = 1024 * 1024;
/// How many directories below each other are looked through.
const DEPTH: usize = 16;

/// Loads skills from a directory: its file `SKILL.md`, and with [`scan_subdir`](Self::scan_subdir) those of all
/// directories below it.
///
/// The file begins with YAML between lines of `---`, in which `name` and `description` have to be; the rest is the
/// Markdown that the model reads. A file that is not like that is left out, with a warning that names it. A file is only
/// parsed again when its content has changed.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use agentscope_tool::LocalSkillLoader;
///
/// let toolkit = Toolkit::builder().skills(LocalSkillLoader::new("./skills").scan_subdir(true)).build()?;
/// # Ok::<(), ToolkitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LocalSkillLoader {
    directory: PathBuf,
    scan_subdir: bool,
    parsed: Arc<Mutex<HashMap<PathBuf, Parsed>>>,
}

/// A file's content, and what it says.
#[derive(Clone, Debug)]
struct Parsed {
    content: Vec<u8>,
    skill: Option<Skill>,
}

impl LocalSkillLoader {
    /// A loader for a directory. A `~` at its start is the home directory.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), scan_subdir: false, parsed: Arc::default() }
    }

    /// Whether the directories below it are looked through too. Links to directories are not followed. Default: no.
    #[must_use]
    pub fn scan_subdir(mut self, yes: bool) -> Self {
        self.scan_subdir = yes;
        self
    }

    fn load_now(&self) -> Vec<Skill> {
        let found = absolute(&self.directory).and_then(|directory| {
            let mut files = Vec::new();
            find(&directory, if self.scan_subdir { DEPTH } else { 0 }, &mut files)?;
            Ok(files)
        });
        let files = found.unwrap_or_else(|error| {
            tracing::warn!(directory = %self.directory.display(), %error, "a directory of skills cannot be read");
            Vec::new()
        });
        let mut known = self.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut parsed = HashMap::new();
        let mut skills = Vec::new();
        for file in files {
            let Some(entry) = parse_file(&file, known.remove(&file)) else { continue };
            skills.extend(entry.skill.clone());
            parsed.insert(file, entry);
        }
        *known = parsed;
        skills
    }
}

#[async_trait]
impl SkillLoader for LocalSkillLoader {
    async fn load(&self) -> Vec<Skill> {
        let loader = self.clone();
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => runtime.spawn_blocking(move || loader.load_now()).await.unwrap_or_default(),
            Err(_) => loader.load_now(),
        }
    }
}

fn absolute(directory: &Path) -> io::Result<PathBuf> {
    let below_home = directory.strip_prefix("~").ok();
    match (below_home, std::env::home_dir()) {
        (Some(rest), Some(home)) => Ok(home.join(rest)),
        (Some(_), None) => Err(io::Error::new(io::ErrorKind::NotFound, "there is no home directory")),
        (None, _) => std::path::absolute(directory),
    }
}

/// The files of skills: of the directory itself first, then of those below it in the order of their names.
fn find(directory: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let file = directory.join(FILE);
    if file.is_file() {
        files.push(file);
    }
    // Asked for even if nothing below is wanted: a directory that cannot be read is worth a warning.
    let mut below = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if depth > 0 && entry.file_type()?.is_dir() {
            below.push(entry.path());
        }
    }
    below.sort();
    for directory in below {
        if let Err(error) = find(&directory, depth - 1, files) {
            tracing::warn!(directory = %directory.display(), %error, "a directory of skills cannot be read");
        }
    }
    Ok(())
}

/// What a file says. Nothing when it cannot be read; that is tried again next time.
fn parse_file(file: &Path, known: Option<Parsed>) -> Option<Parsed> {
    let warn = |error: &dyn std::fmt::Display| tracing::warn!(file = %file.display(), %error, "a skill is left out");
    let content = match read(file) {
        Ok(content) => content,
        Err(error) => {
            warn(&error);
            return None;
        }
    };
    if let Some(known) = known
        && known.content == content
    {
        return Some(known);
    }
    let skill = parse(&content, file).inspect_err(|error| warn(error)).ok();
    Some(Parsed { content, skill })
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let size = fs::metadata(file)?.len();
    if size > MOST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has {size} bytes, more than {MOST}")));
    }
    fs::read(file)
}

/// What stands between the lines of `---`.
#[derive(Deserialize)]
struct FrontMatter {
    #[serde(default)]
    name: Option<Text>,
    #[serde(default)]
    description: Option<Text>,
}

/// A value that is taken as text, whatever YAML takes it for.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    String(String),
    Bool(bool),
    Integer(i64),
    Float(f64),
}

impl Text {
    fn into_string(self) -> String {
        match self {
            Self::String(text) => text.trim().to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
        }
    }
}

fn parse(content: &[u8], file: &Path) -> Result<Skill, String> {
    let text = std::str::from_utf8(content).map_err(|_| "it is not UTF-8")?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let (yaml, markdown) = split(&text).ok_or("it does not begin with YAML between lines of `---`")?;
    let front: FrontMatter = serde_saphyr::from_str(yaml).map_err(|error| error.to_string())?;
    let required = |value: Option<Text>, key: &str| {
        let text = value.map(Text::into_string).filter(|text| !text.is_empty());
        text.ok_or_else(|| format!("`{key}` is missing or empty"))
    };
    let directory = file.parent().unwrap_or(file);
    let dir = directory.to_str().ok_or("the path of its directory is not UTF-8")?;
    let (name, description) = (required(front.name, "name")?, required(front.description, "description")?);
    Ok(Skill::new(name, description, markdown.trim()).in_dir(dir))
}

/// The YAML and what follows it.
fn split(text: &str) -> Option<(&str, &str)> {
    let body = text.trim_start_matches('\n').strip_prefix("---")?;
    let (blank, body) = body.split_once('\n')?;
    if !blank.trim().is_empty() {
        return None;
    }
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&body[..start], &body[start + line.len()..]));
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests;
