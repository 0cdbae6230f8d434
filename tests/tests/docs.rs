//! The README and the guide: every page is listed and tested, every link leads somewhere, and what they say of the
//! project is so. (Their snippets run as documentation tests of this crate.)

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use agentscope_tool::{FunctionTool, ToolError, ToolResultState, testing};
use serde_json::json;

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
        .map(|title| {
            title
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .collect::<String>()
                .replace(' ', "-")
        })
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
            assert!(
                tested.contains(&format!("docs/src/{name}\"")),
                "{name} is not among the documentation tests of this crate"
            );
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
                assert!(
                    anchors(&read(&target)).contains(anchor),
                    "{}: there is no heading for {link}",
                    document.display()
                );
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
        "name",
        "description",
        "title",
        "read_only",
        "concurrency_safe",
        "destructive",
        "idempotent",
        "open_world",
        "external",
        "blocking",
        "permission",
        "undocumented",
        "struct",
        "crate",
        "default",
        "rename",
        "range",
        "length",
        "pattern",
        "format",
        "example",
        "skip",
    ];
    for key in keys {
        let is_row = |line: &&str| line.starts_with(&format!("| `{key}"));
        assert!(functions.lines().any(|line| is_row(&line)), "the guide does not list `{key}`");
    }
    assert!(read("docs/src/structs.md").contains("`state_injected`"));
}

/// What a tool that only reads, or one that does not, gets of this text; nothing if it is refused.
async fn arguments_of(text: &str, read_only: bool) -> Option<String> {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string" },
            "n": { "type": "number" },
            "i": { "type": "integer" },
            "b": { "type": "boolean" },
            "l": { "type": "array", "items": { "type": "integer" } },
            "names": { "type": "array", "items": { "type": "string" } },
            "o": { "type": "object", "properties": { "a": { "type": "integer" } } },
        },
        "additionalProperties": false
    });
    let echo = FunctionTool::with_schema("echo", "Answer with the arguments.", schema, async |input, _| {
        Ok::<_, ToolError>(input.to_string())
    });
    let response = testing::call(echo.read_only(read_only).build().unwrap(), text).await;
    (response.state == ToolResultState::Success).then(|| response.text())
}

#[tokio::test]
async fn what_the_guide_says_is_repaired_is_repaired() {
    let oslo = r#"{"city":"Oslo"}"#;
    for (text, expected) in [
        ("", "{}"),
        (" \n", "{}"),
        ("null", "{}"),
        ("```json\n{\"city\": \"Oslo\"}\n```", oslo),
        ("\u{feff}{\"city\": \"Oslo\"}", oslo),
        (r#""{\"city\": \"Oslo\"}""#, oslo),
        ("{'city': 'Oslo'}", oslo),
        (r#"{city: "Oslo"}"#, oslo),
        (r#"{"city": "Oslo",}"#, oslo),
        (r#"{"city": "Oslo" "b": true}"#, r#"{"city":"Oslo","b":true}"#),
        (r#"{"b": True}"#, r#"{"b":true}"#),
        (r#"{"b": False, "city": None}"#, r#"{"b":false}"#),
        ("{\"city\": \"Oslo\" // in Norway\n}", oslo),
        ("# now\n{/* a */\"city\": \"Oslo\"}", oslo),
        ("{\"city\": \"a\n\tb\"}", r#"{"city":"a\n\tb"}"#),
        (r#"{"city": "C:\dir\w+"}"#, r#"{"city":"C:\\dir\\w+"}"#),
        (r#"{"city": "say "hi" now"}"#, r#"{"city":"say \"hi\" now"}"#),
        (r#"{"n": "3", "i": " 3 "}"#, r#"{"n":3,"i":3}"#),
        (r#"{"i": 3.0}"#, r#"{"i":3}"#),
        (r#"{"b": "true"}"#, r#"{"b":true}"#),
        (r#"{"b": "False"}"#, r#"{"b":false}"#),
        (r#"{"city": 1.10}"#, r#"{"city":"1.10"}"#),
        (r#"{"l": "[1, 2]", "o": "{\"a\": 1}"}"#, r#"{"l":[1,2],"o":{"a":1}}"#),
        (r#"{"names": "a"}"#, r#"{"names":["a"]}"#),
        (r#"{"city": null}"#, "{}"),
        (r#"{"city": "007"}"#, r#"{"city":"007"}"#),
        (r#"{"city": "{}"}"#, r#"{"city":"{}"}"#),
    ] {
        assert_eq!(arguments_of(text, false).await.as_deref(), Some(expected), "{text}");
    }
}

#[tokio::test]
async fn what_the_guide_says_is_refused_is_refused() {
    let deep = format!("{{\"o\": {}1{}}}", "[".repeat(200), "]".repeat(200));
    for text in [
        "hello",
        r#"Here you are: {"city": "Oslo"}"#,
        r#"{"city": "Oslo"} as you wished"#,
        r#"{"city": "Oslo"}{"city": "Bergen"}"#,
        "[1]",
        "7",
        r#"{"city": "Oslo", "city": "Bergen"}"#,
        r#"{"n": NaN}"#,
        r#"{"n": Infinity}"#,
        r#"{"n": 1e999}"#,
        r#"{"i": 3.7}"#,
        r#"{"n": "three"}"#,
        r#"{"n": 0.12345678901234567890123}"#,
        r#"{"town": "Oslo"}"#,
        &deep,
    ] {
        assert_eq!(arguments_of(text, true).await, None, "{text}");
    }
    for text in [r#"{"city": "Oslo"#, r#"{"city": "Oslo""#, r#"{"l": [1, 2"#] {
        assert_eq!(arguments_of(text, false).await, None, "{text}");
        assert!(arguments_of(text, true).await.is_some(), "{text}");
    }
}
