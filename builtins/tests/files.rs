//! Read, Write and Edit, called as a model calls them, on files in memory.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::sync::Arc;

use agentscope_tool::backend::{Backend, BackendErrorKind, FileTime, WriteOptions};
use agentscope_tool::prelude::*;
use agentscope_tool::testing::MemoryBackend;
use agentscope_tool_builtins::{Edit, Read, Write};
use proptest::prelude::*;
use serde_json::{Value, json};

struct Agent {
    backend: MemoryBackend,
    toolkit: Toolkit,
    state: AgentState,
}

impl Agent {
    fn new(backend: MemoryBackend) -> Self {
        let shared: Arc<dyn Backend> = Arc::new(backend.clone());
        let builder = Toolkit::builder().tool(Read::on(Arc::clone(&shared)));
        let toolkit = builder.tool(Write::on(Arc::clone(&shared))).tool(Edit::on(shared)).build().unwrap();
        Self { backend, toolkit, state: AgentState::new() }
    }

    fn with_file(content: impl Into<agentscope_tool::backend::Bytes>) -> Self {
        Self::new(MemoryBackend::new().file("/w/a.txt", content))
    }

    async fn call(&self, tool: &str, input: Value) -> ToolResponse {
        self.toolkit.call_unchecked(ToolCall::from_value("c", tool, &input), &self.state).await
    }

    async fn read(&self) -> String {
        self.call("Read", json!({ "file_path": "/w/a.txt" })).await.text()
    }

    async fn write(&self, content: &str) -> ToolResponse {
        self.call("Write", json!({ "file_path": "/w/a.txt", "content": content })).await
    }

    async fn edit(&self, old: &str, new: &str) -> ToolResponse {
        self.call("Edit", json!({ "file_path": "/w/a.txt", "old_string": old, "new_string": new })).await
    }

    async fn replace_all(&self, old: &str, new: &str) -> ToolResponse {
        let input = json!({ "file_path": "/w/a.txt", "old_string": old, "new_string": new, "replace_all": true });
        self.call("Edit", input).await
    }

    async fn content(&self) -> Vec<u8> {
        self.backend.read("/w/a.txt", 1 << 30).await.unwrap().bytes.to_vec()
    }

    /// Somebody else writes the file.
    async fn interfere(&self, content: &str) {
        self.backend.write("/w/a.txt", content.to_owned().into(), WriteOptions::new()).await.unwrap();
    }
}

#[test]
fn what_a_model_is_shown() {
    let agent = Agent::new(MemoryBackend::new());
    for spec in agent.toolkit.specs(&AgentState::new()) {
        assert!(spec.is_state_injected());
        assert_eq!(spec.is_read_only(), spec.name() == "Read");
        assert_eq!(spec.is_concurrency_safe(), spec.name() == "Read");
        let shown = json!({ "description": spec.description(), "parameters": spec.input_schema() });
        // What is said of documents depends on whether their pages can be read.
        let name = if spec.name() == "Read" && cfg!(feature = "pdf") { "Read_with_pdf" } else { spec.name() };
        insta::assert_json_snapshot!(name, shown);
    }
}

#[tokio::test]
async fn the_messages_of_reading() {
    let many: String = (1..=2100).map(|n| format!("l{n}\n")).collect();
    let backend = MemoryBackend::new()
        .file("/w/empty", "")
        .file("/w/three", "1\n2\n3\n")
        .file("/w/many", many)
        .file("/w/latin", &b"nom: Ren\xe9\n"[..])
        .file("/w/utf16", &b"\xff\xfeh\0i\0\r\0\n\0"[..])
        .file("/w/wrong", "stra\u{df}e \u{e9}\u{e8} ".as_bytes().iter().copied().chain([0xff]).collect::<Vec<_>>())
        .file("/w/binary", &b"\x7fELF\0\0"[..])
        .file("/w/broken.png", &b"\x89PNG\r\n\x1a\n"[..])
        .file("/w/document.pdf", "%PDF-1.7")
        .file("/w/picture.bmp", [b"BM".as_slice(), &[9, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]].concat())
        .dir("/w/d")
        .fifo("/w/fifo");
    let agent = Agent::new(backend);
    let mut texts = Vec::new();
    for input in [
        json!({ "file_path": "/w/empty" }),
        json!({ "file_path": "/w/three", "offset": 9 }),
        json!({ "file_path": "/w/three", "offset": 2, "limit": 1 }),
        json!({ "file_path": "/w/latin" }),
        json!({ "file_path": "/w/utf16" }),
        json!({ "file_path": "/w/wrong" }),
        json!({ "file_path": "/w/binary" }),
        json!({ "file_path": "/w/broken.png" }),
        json!({ "file_path": "/w/picture.bmp" }),
        json!({ "file_path": "/w/d" }),
        json!({ "file_path": "/w/fifo" }),
        json!({ "file_path": "/w/three/" }),
        json!({ "file_path": "/w/missing" }),
        json!({ "file_path": "a.txt" }),
        json!({ "file_path": "~/a.txt" }),
        json!({ "file_path": "" }),
        json!({ "file_path": "/w/three", "offset": 0 }),
    ] {
        texts.push(format!("> {input}\n{}", agent.call("Read", input.clone()).await.text()));
    }
    insta::assert_snapshot!("reading", texts.join("\n\n"));

    let many = agent.call("Read", json!({ "file_path": "/w/many" })).await.text();
    assert!(many.ends_with("  2000\tl2000\n\n[100 more lines follow; read on with offset 2001.]"));
}

#[tokio::test]
async fn the_messages_of_writing() {
    let agent = Agent::new(MemoryBackend::new().file("/w/a.txt", "one\ntwo\n").dir("/w/d").file("/w/f", "x"));
    let mut texts = Vec::new();
    for (tool, input) in [
        ("Write", json!({ "file_path": "/w/a.txt", "content": "x" })),
        ("Edit", json!({ "file_path": "/w/a.txt", "old_string": "x", "new_string": "y" })),
        ("Read", json!({ "file_path": "/w/a.txt" })),
        ("Edit", json!({ "file_path": "/w/a.txt", "old_string": "x", "new_string": "x" })),
        ("Edit", json!({ "file_path": "/w/a.txt", "old_string": "o", "new_string": "0" })),
        ("Edit", json!({ "file_path": "/w/a.txt", "old_string": "one", "new_string": "1" })),
        ("Edit", json!({ "file_path": "/w/a.txt", "old_string": "\n", "new_string": "\n\n", "replace_all": true })),
        ("Write", json!({ "file_path": "/w/a.txt", "content": "all\nnew" })),
        ("Write", json!({ "file_path": "/w/new/b.txt", "content": "" })),
        ("Write", json!({ "file_path": "/w/d", "content": "x" })),
        ("Write", json!({ "file_path": "/w/f/b.txt", "content": "x" })),
        ("Write", json!({ "file_path": "b.txt", "content": "x" })),
        ("Write", json!({ "file_path": "/w/b/", "content": "x" })),
        ("Edit", json!({ "file_path": "/w/d", "old_string": "x", "new_string": "y" })),
        ("Edit", json!({ "file_path": "/w/missing", "old_string": "x", "new_string": "y" })),
    ] {
        texts.push(format!("> {tool} {input}\n{}", agent.call(tool, input.clone()).await.text()));
    }
    agent.interfere("changed").await;
    texts.push(agent.write("x").await.text());
    texts.push(agent.edit("changed", "x").await.text());
    assert_eq!(agent.content().await, b"changed");
    insta::assert_snapshot!("writing", texts.join("\n\n"));
}

#[tokio::test]
async fn a_change_of_the_time_alone_is_no_change_and_one_that_keeps_it_is() {
    let agent = Agent::with_file("a\n");
    agent.read().await;
    let backend = agent.backend.clone().mtime("/w/a.txt", FileTime::new(1, 0));
    assert_eq!(agent.edit("a", "b").await.state, ToolResultState::Success);

    let time = backend.stat("/w/a.txt").await.unwrap().mtime;
    agent.interfere("c\n").await;
    let _same = backend.mtime("/w/a.txt", time);
    assert_eq!(agent.edit("c", "d").await.state, ToolResultState::Error);
}

#[tokio::test]
async fn without_the_read_check_everything_may_be_written() {
    let agent = Agent::with_file("a\n");
    let shared: Arc<dyn Backend> = Arc::new(agent.backend.clone());
    let edit = Edit::on(Arc::clone(&shared)).without_read_check();
    let input = json!({ "file_path": "/w/a.txt", "old_string": "a", "new_string": "b" });
    assert_eq!(testing::call(edit, input).await.state, ToolResultState::Success);
    let write = Write::on(shared).without_read_check();
    let input = json!({ "file_path": "/w/a.txt", "content": "c\n" });
    assert_eq!(testing::call(write, input).await.state, ToolResultState::Success);
    assert_eq!(agent.content().await, b"c\n");
}

#[tokio::test]
async fn what_is_not_replaced_stays_byte_by_byte() {
    for (before, old, new, after) in [
        (&b"one\r\ntwo\nthree\r\n"[..], "two", "TWO", &b"one\r\nTWO\nthree\r\n"[..]),
        (b"a\r\nb\r\nc", "a\nb", "x\ny\nz", b"x\r\ny\r\nz\r\nc"),
        (b"a\nb\n", "b\n", "c\r\nd\r\n", b"a\nc\nd\n"),
        (b"10%\r50%\r100%\ndone: no\n", "no", "yes", b"10%\r50%\r100%\ndone: yes\n"),
        (b"k=1\n", "k=1", "k='\r'", b"k='\r'\n"),
        (b"\xef\xbb\xbfusing A;\n", "using A;", "using B;", b"\xef\xbb\xbfusing B;\n"),
        (b"price: 10\nnom: Ren\xe9\n", "price: 10", "price: 11 \u{e9}", b"price: 11 \xe9\nnom: Ren\xe9\n"),
        (b"\xff\xfea\0\r\0\n\0b\0", "a\nb", "a\nc", b"\xff\xfea\0\r\0\n\0c\0"),
        (b"\x96\xbc\x91\x4f=\x92\x6c\nx=1\n", "x=1", "x=\u{65e5}", b"\x96\xbc\x91\x4f=\x92\x6c\nx=\x93\xfa\n"),
        (b"only", "only", "", b""),
        (b"pid=OLD", "OLD", "$$ $& $1 \\1 {0}", b"pid=$$ $& $1 \\1 {0}"),
    ] {
        let agent = Agent::with_file(before);
        agent.read().await;
        let response = agent.edit(old, new).await;
        assert_eq!(response.state, ToolResultState::Success, "{before:?}: {}", response.text());
        assert_eq!(agent.content().await, after, "{before:?}");
    }
}

#[tokio::test]
async fn text_that_the_encoding_does_not_have_is_refused() {
    let agent = Agent::with_file(&b"nom: Ren\xe9\n"[..]);
    agent.read().await;
    for response in [agent.edit("nom", "\u{2192}").await, agent.write("\u{2192}").await] {
        assert_eq!(response.state, ToolResultState::Error);
        assert!(response.text().contains("windows-1252") && response.text().contains("U+2192"), "{}", response.text());
    }
    assert_eq!(agent.content().await, b"nom: Ren\xe9\n");
}

#[tokio::test]
async fn a_file_that_is_written_anew_keeps_its_mark_encoding_and_line_ends() {
    for (before, content, after) in [
        (&b"\xff\xfea\0\n\0"[..], "b\n", &b"\xff\xfeb\0\n\0"[..]),
        (b"\xef\xbb\xbfa", "b", b"\xef\xbb\xbfb"),
        (b"a\r\nb\r\n", "a\nc\n", b"a\r\nc\r\n"),
        (b"a\r\nb\r\n", "a\r\nc\n", b"a\r\nc\n"),
        (b"a\nb\n", "a\r\nc\r\n", b"a\r\nc\r\n"),
    ] {
        let agent = Agent::with_file(before);
        agent.read().await;
        let response = agent.write(content).await;
        assert_eq!(response.state, ToolResultState::Success, "{}", response.text());
        assert_eq!(agent.content().await, after);
    }
}

#[tokio::test]
async fn text_of_any_encoding_that_is_written_as_it_was_read_is_the_same() {
    let wide = |text: &str, mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
        [mark.to_vec(), text.encode_utf16().flat_map(bytes).collect()].concat()
    };
    for content in [
        wide("one\r\nzw\u{f6}lf \u{1f600}\r\n", b"\xff\xfe", u16::to_le_bytes),
        wide("one\nzw\u{f6}lf\n", b"\xfe\xff", u16::to_be_bytes),
        b"price: 10\nnom: Ren\xe9\n".to_vec(),
        b"\x96\xbc\x91\x4f=\x92\x6c\nx=1\n".to_vec(),
    ] {
        let agent = Agent::with_file(content.clone());
        let shown = agent.read().await;
        let lines = shown.lines().filter_map(|line| line.split_once('\t')).map(|(_, line)| format!("{line}\n"));
        let response = agent.write(&lines.collect::<String>()).await;
        assert_eq!(response.state, ToolResultState::Success, "{}", response.text());
        assert_eq!(agent.content().await, content, "{}", response.text());
        assert_eq!(response.metadata["diff"], "");
    }
}

#[tokio::test]
async fn a_tool_may_have_protected_paths_of_its_own() {
    let backend: Arc<dyn Backend> = Arc::new(MemoryBackend::new().dir("/w"));
    let own = agentscope_tool::ProtectedPaths::none().files(["secret"]);
    let builder = Toolkit::builder().tool(Write::on(Arc::clone(&backend)).protected_paths(own.clone()));
    let toolkit = builder.tool(Edit::on(backend).protected_paths(own)).build().unwrap();
    let permissions = PermissionContext::new().with_mode(PermissionMode::AcceptEdits).with_working_directory("/w");
    let state = AgentState::new().with_permissions(permissions);
    let decide = async |tool: &str, input: Value| toolkit.check(&ToolCall::from_value("c", tool, &input), &state).await;
    for (path, expected) in [("/w/secret", PermissionBehavior::Ask), ("/w/.env", PermissionBehavior::Allow)] {
        let write = decide("Write", json!({ "file_path": path, "content": "x" })).await;
        assert_eq!(write.behavior, expected, "{}", write.explain());
        let edit = decide("Edit", json!({ "file_path": path, "old_string": "x", "new_string": "y" })).await;
        assert_eq!(edit.behavior, expected, "{}", edit.explain());
    }
}

#[tokio::test]
async fn a_change_says_in_its_metadata_what_it_was() {
    let agent = Agent::with_file("a\nb\na\n");
    agent.read().await;
    let response = agent.replace_all("a", "A").await;
    assert_eq!(response.metadata["occurrences"], 2);
    assert_eq!(response.metadata["file_path"], "/w/a.txt");
    insta::assert_snapshot!(response.metadata["diff"].as_str().unwrap(), @r"
    --- a/w/a.txt
    +++ b/w/a.txt
    @@ -1,3 +1,3 @@
    -a
    +A
     b
    -a
    +A
    ");
}

#[tokio::test]
async fn images_come_as_they_are_and_count_as_read() {
    let png =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9ccHLJ\x06\0\
        \x02N\x01'\xc0a\x9e\x19\0\0\0\0IEND\xaeB`\x82";
    let agent = Agent::with_file(&png[..]);
    let response = agent.call("Read", json!({ "file_path": "/w/a.txt" })).await;
    let ContentBlock::Data(data) = &response.content[0] else { panic!("no data") };
    assert_eq!(data.name.as_deref(), Some("a.txt"));
    assert_eq!(serde_json::to_value(&data.source).unwrap()["media_type"], "image/png");
    assert_eq!(agent.write("text now").await.state, ToolResultState::Success);
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_changes_of_one_file_are_made_one_after_the_other() {
    let words: Vec<_> = (10..40).map(|n| format!("w{n}")).collect();
    let agent = Arc::new(Agent::with_file(words.join(" ")));
    agent.read().await;
    let calls: Vec<_> = words
        .iter()
        .cloned()
        .map(|word| {
            let agent = Arc::clone(&agent);
            tokio::spawn(async move { agent.edit(&word, &word.to_uppercase()).await.state })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), ToolResultState::Success);
    }
    assert_eq!(String::from_utf8(agent.content().await).unwrap(), words.join(" ").to_uppercase());
}

#[tokio::test]
async fn permission_is_asked_for_by_where_the_file_is() {
    let agent = Agent::new(MemoryBackend::new().dir("/w/src"));
    let decide = async |mode: PermissionMode, tool: &str, path: &str| {
        let permissions = PermissionContext::new().with_mode(mode).with_working_directory("/w");
        let state = AgentState::new().with_permissions(permissions);
        let input = json!({ "file_path": path, "content": "", "old_string": "a", "new_string": "b" });
        let keys: &[&str] = match tool {
            "Read" => &["file_path"],
            "Write" => &["file_path", "content"],
            _ => &["file_path", "old_string", "new_string"],
        };
        let input: serde_json::Map<_, _> = keys.iter().map(|key| ((*key).to_owned(), input[*key].clone())).collect();
        agent.toolkit.check(&ToolCall::from_value("c", tool, &input.into()), &state).await
    };
    use PermissionBehavior::{Allow, Ask, Deny};
    for (mode, tool, path, expected) in [
        (PermissionMode::Default, "Read", "/w/src/a", Ask),
        (PermissionMode::Explore, "Read", "/etc/passwd", Allow),
        (PermissionMode::Explore, "Write", "/w/src/a", Deny),
        (PermissionMode::AcceptEdits, "Write", "/w/src/a", Allow),
        (PermissionMode::AcceptEdits, "Edit", "/w/src/../../etc/a", Ask),
        (PermissionMode::DontAsk, "Edit", "/w/src/a", Allow),
        (PermissionMode::DontAsk, "Edit", "/etc/a", Deny),
        (PermissionMode::AcceptEdits, "Write", "/w/.git/config", Ask),
        (PermissionMode::Default, "Write", "/w/src/a", Ask),
    ] {
        let decision = decide(mode, tool, path).await;
        assert_eq!(decision.behavior, expected, "{mode:?} {tool} {path}: {}", decision.explain());
    }
    assert!(decide(PermissionMode::AcceptEdits, "Write", "/w/.git/config").await.bypass_immune);
    let rules = decide(PermissionMode::Default, "Write", "/w/[a]/b").await.suggested_rules.unwrap();
    assert_eq!(rules[0].to_string(), "Write(/w/[[]a]/**)");
}

/// Text of a few characters, with all kinds of line ends.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => Just(b"a".to_vec()), 4 => Just(b"b".to_vec()), 2 => Just(b"\n".to_vec()), 2 => Just(b"\r\n".to_vec()),
        1 => Just(b"\r".to_vec()), 1 => Just("\u{e9}".as_bytes().to_vec()), 1 => Just(vec![0xe9]), 1 => Just(vec![0xff, 0x80]),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_change_changes_only_what_it_names(before in text(), after in text(), new in "[abxy\n]{0,6}") {
        let content = [before.as_slice(), b"<HERE>", &after].concat();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let result = runtime.block_on(async {
            let agent = Agent::with_file(content.clone());
            agent.read().await;
            let response = agent.edit("<HERE>", &new).await;
            (response.state, agent.content().await, response.text())
        });
        // What is taken for an encoding of two bytes may have no boundary here; then nothing may happen.
        if result.0 == ToolResultState::Success {
            prop_assert!(result.1.starts_with(&before) && result.1.ends_with(&after));
            let middle = &result.1[before.len()..result.1.len() - after.len()];
            prop_assert_eq!(String::from_utf8_lossy(middle).replace("\r\n", "\n"), new);
        } else {
            prop_assert_eq!(result.1, content, "{}", result.2);
        }
    }

    #[test]
    fn what_was_read_and_is_written_again_is_the_same(lines in proptest::collection::vec("[a-c\u{e9}]{0,5}", 1..12), crlf in any::<bool>(), bom in any::<bool>()) {
        let end = if crlf { "\r\n" } else { "\n" };
        let content = format!("{}{}{end}", if bom { "\u{feff}" } else { "" }, lines.join(end));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let agent = Agent::with_file(content.clone());
            let shown = agent.read().await;
            let text: String = shown.split('\n').map(|line| format!("{}\n", line.get(7..).unwrap_or_default())).collect();
            assert_eq!(agent.write(&text).await.state, ToolResultState::Success);
            assert_eq!(agent.content().await, content.as_bytes());
        });
    }
}

#[tokio::test]
async fn a_write_that_fails_changes_nothing() {
    let agent = Agent::new(MemoryBackend::new().file("/w/a.txt", "x\n"));
    agent.read().await;
    let _read_only = agent.backend.clone().mode("/w/a.txt", 0o444);
    let response = agent.edit("x", "y").await;
    assert_eq!(response.state, ToolResultState::Error);
    assert!(response.text().contains("ermission"), "{}", response.text());
    assert_eq!(agent.content().await, b"x\n");
    let error = agent.backend.write("/w/a.txt", "y".into(), WriteOptions::new()).await.unwrap_err();
    assert_eq!(error.kind(), BackendErrorKind::PermissionDenied);
}
