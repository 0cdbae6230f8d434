//! What an allow rule covers, said a second time and as simply as can be.

use futures_util::FutureExt as _;

use agentscope_tool::Backend;

use super::memory::Memory;
use super::tools::Touch;

/// Where the paths of a call really lead; of trees, some paths below them too.
pub fn touched(touch: &Touch, memory: &Memory) -> Vec<String> {
    let resolve = |path: &String| memory.canonicalize(path).now_or_never().unwrap().unwrap();
    let mut all: Vec<String> = touch.reads.iter().chain(&touch.writes).map(resolve).collect();
    all.extend(touch.writes_below.iter().map(resolve));
    for tree in touch.reads_below.iter().chain(&touch.writes_below).map(resolve) {
        for below in ["a.rs", ".env", "src/b.rs", "x/y/z"] {
            all.push(format!("{}/{below}", tree.trim_end_matches('/')));
        }
    }
    all
}

/// Whether `content` is a pattern for `path`, starting at the root, at `~` or at one of `bases`.
pub fn covers(content: &str, path: &str, bases: &[&str]) -> bool {
    let mut content = content.to_owned();
    if content.ends_with('/') {
        content.push_str("**");
    }
    if let Some(rest) = content.strip_prefix('~') {
        content = format!("/home/u{rest}");
    }
    let starts: Vec<String> = if content.starts_with('/') {
        vec![content]
    } else {
        bases.iter().map(|base| format!("{base}/{content}")).collect()
    };
    starts.iter().any(|pattern| fits(&names(&folded(pattern)), &names(path)))
}

fn folded(pattern: &str) -> String {
    // Links at the start of a pattern are followed; these are all there are.
    let pattern = pattern.replace("/w/link/", "/etc/").replace("/w/app/out/", "/w/x/");
    let mut done: Vec<&str> = Vec::new();
    for name in pattern.split('/') {
        match name {
            ".." => drop(done.pop()),
            "." | "" => {}
            name => done.push(name),
        }
    }
    done.join("/")
}

fn names(path: &str) -> Vec<&str> {
    path.split('/').filter(|name| !name.is_empty()).collect()
}

fn fits(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", [])), _) => !path.is_empty(),
        (Some((&"**", rest)), _) => (0..=path.len()).any(|skipped| fits(rest, &path[skipped..])),
        (Some((name, pattern)), Some((found, path))) => alike(name, found) && fits(pattern, path),
        _ => false,
    }
}

/// Only what the patterns of these tests hold.
fn alike(pattern: &str, name: &str) -> bool {
    match pattern {
        "*" => true,
        "*.rs" => name.ends_with(".rs"),
        "ap?" => name.len() == 3 && name.starts_with("ap"),
        "{app,apple}" => name == "app" || name == "apple",
        "[[]id]" => name == "[id]",
        literal => literal == name,
    }
}
