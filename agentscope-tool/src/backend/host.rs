//! The file system of the machine that this runs on: where its paths lead.
//!
//! Looking at files may block, so it happens on the runtime's blocking threads, in one go for all paths of a call.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use tokio::runtime::Handle;

/// How many symbolic links one path may lead through, as on Linux.
const MAX_LINKS: usize = 40;

/// Where `path` leads, as the kernel would follow it: see
/// [`Backend::canonicalize`](super::Backend::canonicalize).
///
/// A `~` is a name like any other here.
///
/// # Errors
/// As [`canonicalize_all`].
pub async fn canonicalize(path: &str) -> io::Result<String> {
    let path = path.to_owned();
    blocking(move || resolve(&path)).await?
}

/// Where each of `paths` leads, as the kernel would follow it.
///
/// Links are followed one by one, so that `..` behind a link is the parent of what the link leads to. What does not
/// exist, also the target of a link, is kept as it is written, with `.` and `..` folded; so is what stands behind a
/// file that is no directory.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// use agentscope_tool::backend::host;
///
/// assert_eq!(host::canonicalize("/no-such-folder//a/../b/.").await?, "/no-such-folder/b");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Each path has a result of its own. It is an error if the path is empty or holds a NUL (`InvalidInput`), if a part of
/// it may not be looked at, if it leads through more than 40 links, if it is relative and there is no current directory
/// any more, or if the result is not UTF-8 (`InvalidData`).
pub async fn canonicalize_all(paths: &[String]) -> Vec<io::Result<String>> {
    if paths.is_empty() {
        return Vec::new();
    }
    let owned = paths.to_vec();
    match blocking(move || owned.iter().map(|path| resolve(path)).collect::<Vec<_>>()).await {
        Ok(results) => results,
        Err(error) => paths.iter().map(|_| Err(io::Error::new(error.kind(), error.to_string()))).collect(),
    }
}

/// The home directory of the user that this process runs as.
///
/// # Errors
/// `NotFound` if there is none or `HOME` is no absolute path, `InvalidData` if it is not UTF-8.
pub async fn home() -> io::Result<String> {
    let home = blocking(std::env::home_dir).await?;
    match home {
        Some(home) if home.is_absolute() => text(home),
        Some(home) => Err(io::Error::new(
            io::ErrorKind::NotFound,
            format!("the home directory `{}` is not absolute; set HOME to an absolute path", home.display()),
        )),
        None => {
            Err(io::Error::new(io::ErrorKind::NotFound, "there is no home directory; set HOME to an absolute path"))
        }
    }
}

/// The current directory of this process.
///
/// # Errors
/// If it is there no more or may not be looked at, and `InvalidData` if it is not UTF-8.
pub async fn cwd() -> io::Result<String> {
    blocking(current_dir).await?.and_then(text)
}

/// Runs `work` where it may block: on a blocking thread of the runtime, or here if there is no runtime.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    match Handle::try_current() {
        Ok(runtime) => runtime.spawn_blocking(work).await.map_err(io::Error::other),
        Err(_) => Ok(work()),
    }
}

fn current_dir() -> io::Result<PathBuf> {
    let cwd = std::env::current_dir().map_err(|error| {
        io::Error::new(error.kind(), format!("the current directory is unknown ({error}); write an absolute path"))
    })?;
    // A directory outside of the process's root has a name that leads nowhere.
    if cwd.is_absolute() { Ok(cwd) } else { Err(io::Error::other("the current directory is out of reach")) }
}

fn resolve(path: &str) -> io::Result<String> {
    if path.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path is empty; name a file or a directory"));
    }
    if path.contains('\0') {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the path {path:?} holds a NUL character; no file has such a name"),
        ));
    }
    let given = Path::new(path);
    let absolute = if given.is_absolute() { given.to_owned() } else { current_dir()?.join(given) };
    text(follow(&absolute)?)
}

/// Walks an absolute path from the root, one component after the other.
fn follow(absolute: &Path) -> io::Result<PathBuf> {
    let mut resolved = PathBuf::new();
    // How many components at the end of `resolved` are not there to be looked at. Going up out of them leads back to
    // what exists, and to links that count again.
    let mut missing = 0_usize;
    let mut links = 0;
    let mut pending = Vec::new();
    push_components(&mut pending, absolute);
    while let Some(part) = pending.pop() {
        match Path::new(&part).components().next() {
            None | Some(Component::CurDir) => {}
            Some(Component::Prefix(_) | Component::RootDir) => {
                resolved.push(&part);
                missing = 0;
            }
            Some(Component::ParentDir) => {
                resolved.pop();
                missing = missing.saturating_sub(1);
            }
            Some(Component::Normal(name)) => {
                if missing > 0 {
                    // In place: of what does not exist, a path can be as long as a model makes it.
                    missing += 1;
                    resolved.push(name);
                } else {
                    let candidate = resolved.join(name);
                    match look(&candidate)? {
                        Found::Link(target) => {
                            links += 1;
                            if links > MAX_LINKS {
                                return Err(io::Error::other(format!(
                                    "`{}` leads through more than {MAX_LINKS} symbolic links, probably in circles",
                                    absolute.display()
                                )));
                            }
                            push_components(&mut pending, &target);
                        }
                        Found::Nothing => {
                            missing = 1;
                            resolved = candidate;
                        }
                        Found::Other => resolved = candidate,
                    }
                }
            }
        }
    }
    Ok(as_spelt(resolved, missing))
}

/// The path with the names that exist spelt as they are on the disk, where upper and lower case are the same. `missing`
/// components at the end do not exist.
fn as_spelt(resolved: PathBuf, missing: usize) -> PathBuf {
    if !cfg!(any(target_os = "macos", windows)) {
        return resolved;
    }
    let existing = resolved.ancestors().nth(missing).and_then(|existing| {
        let rest = resolved.strip_prefix(existing).ok()?;
        Some(fs::canonicalize(existing).ok()?.join(rest))
    });
    existing.unwrap_or(resolved)
}

/// What is found under a name.
enum Found {
    Link(PathBuf),
    Other,
    Nothing,
}

fn look(path: &Path) -> io::Result<Found> {
    let found = fs::symlink_metadata(path).and_then(|metadata| {
        if metadata.is_symlink() { fs::read_link(path).map(Found::Link) } else { Ok(Found::Other) }
    });
    match found {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Found::Nothing)
        }
        Err(error) => {
            Err(io::Error::new(error.kind(), format!("where `{}` leads is unknown: {error}", path.display())))
        }
        found => found,
    }
}

/// Puts the components of `path` on the stack, the first one on top.
fn push_components(pending: &mut Vec<OsString>, path: &Path) {
    let from = pending.len();
    pending.extend(path.components().map(|component| component.as_os_str().to_owned()));
    pending[from..].reverse();
}

fn text(path: PathBuf) -> io::Result<String> {
    let text = path.into_os_string().into_string().map_err(|path| {
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("the path `{}` is not UTF-8; rename what it leads to", path.display()),
        )
    })?;
    Ok(if cfg!(windows) { text.replace('\\', "/") } else { text })
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
