//! The README and the guide: every page is listed and tested, every link leads somewhere, and what they say of the
//! project is so. (Their snippets run as documentation tests of this crate.)

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages of the guide, and the documents at the top.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join("docs/src")).unwrap().map(|entry| entry.unwrap().file_name());
    let pages = pages.map(|name| Path::new("docs/src").join(name));
    ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].into_iter().map(PathBuf::from).chain(pages).collect()
}

/// The text without code, in which brackets and `#` mean nothing.
fn prose(markdown: &str) -> String {
    let mut inside = false;
    let mut prose = String::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            let spans = line.split('`').step_by(2);
            prose.push_str(&spans.collect::<Vec<_>>().join("`"));
            prose.push('\n');
        }
    }
    prose
}

/// What the links of a document lead to.
fn links(markdown: &str) -> Vec<String> {
    let prose = prose(markdown);
    prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()).map(str::to_owned).collect()
}

/// The anchors that a document's headings have.
fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut inside = false;
    let lines = markdown.lines().filter(|line| {
        inside ^= line.trim_start().starts_with("```");
        !inside && line.starts_with('#')
    });
    lines
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .map(|title| title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect::<String>().replace(' ', "-"))
        .collect()
}

#[test]
fn every_page_is_in_the_summary_and_in_the_documentation_tests() {
    let summary: BTreeSet<String> = links(&read("docs/src/SUMMARY.md")).into_iter().collect();
    let tested = read("tests/src/lib.rs");
    let mut pages = 0;
    for page in documents() {
        let Ok(name) = page.strip_prefix("docs/src") else { continue };
        let name = name.to_string_lossy().into_owned();
        if name != "SUMMARY.md" {
            assert!(summary.contains(&name), "{name} is not in SUMMARY.md");
            assert!(tested.contains(&format!("docs/src/{name}\"")), "{name} is not among the documentation tests of this crate");
            pages += 1;
        }
    }
    assert_eq!(summary.len(), pages);
}

#[test]
fn every_link_within_the_repository_leads_somewhere() {
    let mut checked = 0;
    for document in documents() {
        let text = read(&document);
        let folder = document.parent().unwrap_or(Path::new(""));
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { document.clone() } else { folder.join(file) };
            assert!(root().join(&target).exists(), "{}: {link} leads nowhere", document.display());
            if !anchor.is_empty() {
                assert!(anchors(&read(&target)).contains(anchor), "{}: there is no heading for {link}", document.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked}");
}

#[test]
fn the_documents_name_the_oldest_compiler_that_is_supported() {
    let oldest = format!("Rust {}", env!("CARGO_PKG_RUST_VERSION"));
    for document in ["README.md", "docs/src/getting-started.md", "docs/src/decisions.md"] {
        assert!(read(document).contains(&oldest), "{document} does not name {oldest}");
    }
}

#[test]
fn the_guide_lists_every_key_that_the_macros_take() {
    let functions = read("docs/src/functions.md");
    let keys = [
        "name", "description", "title", "read_only", "concurrency_safe", "destructive", "idempotent", "open_world", "external", "blocking",
        "undocumented", "struct", "crate", "default", "rename", "range", "length", "pattern", "format", "example", "skip",
    ];
    for key in keys {
        let is_row = |line: &&str| line.starts_with(&format!("| `{key}"));
        assert!(functions.lines().any(|line| is_row(&line)), "the guide does not list `{key}`");
    }
    assert!(read("docs/src/structs.md").contains("`state_injected`"));
}
