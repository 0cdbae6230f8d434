//! Read on files of this machine: those that are large, that change, that are not what they seem.

#![cfg(all(feature = "local", target_os = "linux"))]
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agentscope_tool::backend::{
    Backend, BackendError, ByteRange, Bytes, Command, Execution, FileStream, Stat, WriteOptions, Written,
};
use agentscope_tool::prelude::*;
use agentscope_tool::testing::MemoryBackend;
use agentscope_tool_backends::LocalBackend;
use agentscope_tool_builtins::{Edit, Read, Write};
use async_trait::async_trait;
use futures_util::stream;
use serde_json::{Value, json};

struct Place {
    directory: tempfile::TempDir,
    toolkit: Toolkit,
    state: AgentState,
}

impl Place {
    fn new() -> Self {
        Self::with(Read::local())
    }

    fn with(read: Read) -> Self {
        let toolkit = Toolkit::builder().tool(read).tool(Edit::local()).tool(Write::local()).build().unwrap();
        Self { directory: tempfile::tempdir().unwrap(), toolkit, state: AgentState::new() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    async fn call(&self, tool: &str, input: Value) -> ToolResponse {
        self.toolkit.call_unchecked(ToolCall::from_value("c", tool, &input), &self.state).await
    }

    async fn read(&self, path: impl AsRef<Path>) -> ToolResponse {
        self.call("Read", json!({ "file_path": path.as_ref() })).await
    }

    async fn page(&self, path: &Path, offset: u64, limit: u64) -> String {
        self.call("Read", json!({ "file_path": path, "offset": offset, "limit": limit })).await.text()
    }
}

/// Lines of 64 bytes, each with its number at the start.
fn lines(count: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(count * 64);
    for number in 1..=count {
        writeln!(text, "{number:<63}").unwrap();
    }
    text
}

const MIB: usize = 1024 * 1024;

#[tokio::test]
async fn any_part_of_a_large_file_is_read() {
    let place = Place::new();
    let count = 20 * MIB / 64;
    let path = place.file("large", lines(count));
    let first = place.page(&path, 1, 2).await;
    let after = format!("{:<63}", 2);
    // Not all of it was looked at.
    assert!(first.contains(&format!("     2\t{after}\n\n[At least ")), "{first}");
    assert!(first.ends_with(" more lines follow; read on with offset 3.]"), "{first}");
    let middle = place.page(&path, 200_001, 1).await;
    assert!(middle.starts_with("200001\t200001 "), "{middle}");
    let left = count - 200_001;
    assert!(middle.ends_with(&format!("[{left} more lines follow; read on with offset 200002.]")), "{middle}");
    let last = place.page(&path, count as u64, 5).await;
    assert_eq!(last, format!("{count}\t{count:<63}"));
    let past = place.page(&path, u64::from(u32::MAX), 5).await;
    assert_eq!(past, format!("[The file has only {count} lines; line {} is past its end.]", u32::MAX));
    assert_eq!(place.state.read(|record| record.tool_context.read_file_cache.len()), 1);
}

#[tokio::test]
async fn a_large_file_in_utf_16_is_decoded_piece_by_piece() {
    let place = Place::new();
    for (mark, bytes) in [(b"\xff\xfe", u16::to_le_bytes as fn(u16) -> [u8; 2]), (b"\xfe\xff", u16::to_be_bytes)] {
        let count = 9_500_u64;
        let mut content = mark.to_vec();
        for number in 1..=count {
            let line = format!("{number} {} \u{20ac}\u{1f600}\r\n", "-".repeat(500));
            content.extend(line.encode_utf16().flat_map(bytes));
        }
        assert!(content.len() > 9 * MIB);
        let path = place.file("utf16", content);
        for number in [1, 3_777, count] {
            let shown = place.page(&path, number, 1).await;
            assert!(shown.starts_with(&format!("{number:>6}\t{number} ---")), "{shown}");
            assert!(
                shown.contains("- \u{20ac}\u{1f600}\n\n[") && shown.contains("The file is not UTF-8, but UTF-16"),
                "{shown}"
            );
            assert!(!shown.contains("not valid"), "{shown}");
        }
    }
}

#[tokio::test]
async fn files_of_the_system_that_do_not_say_their_size_are_read() {
    let place = Place::new();
    assert!(place.read("/proc/self/status").await.text().contains("\tName:\t"));
    assert!(place.read("/proc/self/maps").await.text().starts_with("     1\t"));
    // Of terabytes that are all the same to it, it takes no more than it needs.
    let response = tokio::time::timeout(Duration::from_secs(20), place.read("/proc/self/pagemap")).await.unwrap();
    assert_eq!(response.state, ToolResultState::Error, "{}", response.text());
    let environment = place.read("/proc/self/environ").await;
    assert!(environment.text().contains("is a binary file"), "{}", environment.text());
}

#[tokio::test]
async fn what_is_not_a_regular_file_is_refused_at_once() {
    let place = Place::new();
    let fifo = place.path("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let socket = place.path("socket");
    let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::os::unix::fs::symlink(&fifo, place.path("link")).unwrap();
    for (path, kind) in [
        (fifo.as_path(), "a named pipe"),
        (&place.path("link"), "a named pipe"),
        (&socket, "a socket"),
        (Path::new("/dev/zero"), "a character device"),
        (Path::new("/dev/stdin"), "not a regular file"),
        (place.directory.path(), "a directory"),
    ] {
        if path.ends_with("stdin") && fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            continue;
        }
        let response = tokio::time::timeout(Duration::from_secs(5), place.read(path)).await.unwrap();
        assert_eq!(response.state, ToolResultState::Error, "{}", response.text());
        assert!(response.text().contains(kind) || path.ends_with("stdin"), "{}", response.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_grows_while_it_is_read_is_read_up_to_where_it_was() {
    let place = Place::new();
    let path = place.file("log", lines(9 * MIB / 64));
    let stop = Arc::new(AtomicBool::new(false));
    let writer = std::thread::spawn({
        let (path, stop) = (path.clone(), Arc::clone(&stop));
        move || {
            let mut file = OpenOptions::new().append(true).open(path).unwrap();
            let lines = b"grown\n".repeat(40);
            // As fast as it can, but not until the disk is full.
            for _ in 0..500_000 {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                file.write_all(&lines).unwrap();
            }
        }
    });
    for offset in [1, 100_000, 140_000] {
        let shown = tokio::time::timeout(Duration::from_secs(60), place.page(&path, offset, 1)).await.unwrap();
        assert!(shown.starts_with(&format!("{offset:>6}\t{offset} ")), "{shown}");
        assert!(shown.contains("more lines follow"), "{shown}");
    }
    stop.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    // What the agent has seen is not what is there.
    let edit = json!({ "file_path": path, "old_string": "140000", "new_string": "x" });
    let stale = place.call("Edit", edit.clone()).await;
    assert_eq!(stale.state, ToolResultState::Error, "{}", stale.text());
}

/// An environment whose file comes in single bytes at first, then faster, and goes on and on behind the size it has.
#[derive(Debug)]
struct Endless {
    inner: MemoryBackend,
    start: &'static [u8],
}

#[async_trait]
impl Backend for Endless {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        self.inner.exec(command).await
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        self.inner.write(path, content, options).await
    }

    async fn stat(&self, path: &str) -> Result<Stat, BackendError> {
        let stat = self.inner.stat(path).await?;
        Ok(Stat { size: 9 * MIB as u64, ..stat })
    }

    async fn canonicalize(&self, path: &str) -> Result<String, BackendError> {
        self.inner.canonicalize(path).await
    }

    async fn read_stream(&self, path: &str, _: ByteRange) -> Result<FileStream, BackendError> {
        let stat = self.stat(path).await?;
        let start = self.start.chunks(1).map(Bytes::from_static);
        let rest = std::iter::repeat(Bytes::from("and so on\n".repeat(100_000)));
        Ok(FileStream::new(path, stat, stream::iter(start.chain(rest).map(Ok))))
    }
}

#[tokio::test]
async fn a_file_without_end_is_read_up_to_the_size_that_it_had() {
    for (start, offset, expected) in [
        (&b"first\n"[..], 1, "     1\tfirst\n     2\tand so on"),
        (b"\xef\xbb\xbffirst\n", 1, "     1\tfirst\n"),
        (
            b"first\n",
            943_718,
            "943718\tand so on\n943719\tand so o\n\n[More was written to the file while it was read.]",
        ),
        (b"first\n", 9_000_000, "[The file has only 943719 lines; line 9000000 is past its end. More was written"),
        (b"\0\0", 1, "`/f` is a binary file"),
        (b"\xff\xd8\xff\xe0", 1, "The image `/f` has 9437184 bytes"),
        (b"\xff\xfef\0i\0r\0s\0t\0\n\0", 1, "     1\tfirst\n"),
    ] {
        let backend = Endless { inner: MemoryBackend::new().file("/f", ""), start };
        let input = json!({ "file_path": "/f", "offset": offset });
        let call = testing::call(Read::on(Arc::new(backend)), input);
        let shown = tokio::time::timeout(Duration::from_secs(60), call).await.unwrap().text();
        assert!(shown.starts_with(expected), "{}", &shown[..shown.len().min(200)]);
    }
}

#[tokio::test]
async fn a_file_that_shrinks_or_goes_is_an_answer() {
    let place = Place::new();
    let path = place.file("a", lines(10 * MIB / 64));
    let reading = place.page(&path, 150_000, 1);
    let changing = async {
        tokio::task::yield_now().await;
        File::create(&path).unwrap();
    };
    let (shown, ()) = tokio::join!(reading, changing);
    assert!(!shown.is_empty());
    fs::remove_file(&path).unwrap();
    assert!(place.read(&path).await.text().contains("does not exist"));
}

#[tokio::test]
async fn a_name_that_is_not_utf_8_is_an_error_that_says_so() {
    let place = Place::new();
    let name = place.directory.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt"));
    fs::write(&name, "x\n").unwrap();
    let link = place.path("link");
    std::os::unix::fs::symlink(&name, &link).unwrap();
    let response = place.read(&link).await;
    assert_eq!(response.state, ToolResultState::Error, "{}", response.text());
    assert!(response.text().contains("UTF-8"), "{}", response.text());
    assert!(!response.text().contains('\n'), "{}", response.text());
    // As a model would spell it after a list that replaced the byte.
    let response = place.read(name.to_string_lossy().as_ref()).await;
    assert!(response.text().contains("does not exist"), "{}", response.text());
    assert_eq!(fs::read(&name).unwrap(), b"x\n");
}

#[tokio::test]
async fn odd_paths_are_one_sentence() {
    let place = Place::new();
    let file = place.file("f", "x");
    for path in [
        format!("{}/x", file.display()),
        format!("{}/", file.display()),
        format!("/{}", "n".repeat(300)),
        format!("/{}", "n/".repeat(5000)),
        "/w\0x".to_owned(),
        "\u{feff}/etc/hosts".to_owned(),
    ] {
        let response = place.read(&path).await;
        assert_eq!(response.state, ToolResultState::Error, "{path}");
        assert!(!response.text().contains('\n') && response.text().ends_with('.'), "{}", response.text());
    }
}

#[tokio::test]
async fn large_images_are_as_large_as_the_limit_says() {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x10\0\0\0\x10\0\x08\x02\0\0\0\0\0\0\0".to_vec();
    for _ in 0..9 {
        png.extend((MIB as u32).to_be_bytes());
        png.extend(b"IDAT");
        png.extend(vec![7; MIB + 4]);
    }
    png.extend(b"\0\0\0\0IEND\xaeB`\x82");
    let place = Place::new();
    let path = place.file("i.png", &png);
    let refused = place.read(&path).await.text();
    assert!(refused.contains("more than the 5242880"), "{refused}");
    // It was looked at all the same, and may be replaced.
    let write = place.call("Write", json!({ "file_path": path, "content": "x" })).await;
    assert_eq!(write.state, ToolResultState::Success, "{}", write.text());

    let place = Place::with(Read::local().max_data_bytes(20 * MIB as u64));
    let path = place.file("i.png", &png);
    let response = place.read(&path).await;
    assert!(matches!(&response.content[0], ContentBlock::Data(data) if data.name.as_deref() == Some("i.png")));
    let cut = place.file("cut.png", &png[..png.len() - 9]);
    assert!(place.read(&cut).await.text().contains("truncated"));
}

#[tokio::test]
async fn a_link_and_its_target_are_one_file() {
    let place = Place::new();
    let path = place.file("a.txt", "one\n");
    let link = place.path("link.txt");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(place.read(&link).await.text(), "     1\tone");
    let edit = json!({ "file_path": path, "old_string": "one", "new_string": "two" });
    assert_eq!(place.call("Edit", edit).await.state, ToolResultState::Success);
    assert_eq!(place.read(&link).await.text(), "     1\ttwo");
}

/// How often something else could run on this thread while the future did.
async fn turns_of_others<T>(future: impl Future<Output = T>) -> (T, u32) {
    let done = Arc::new(AtomicBool::new(false));
    let others = tokio::spawn({
        let done = Arc::clone(&done);
        async move {
            let mut turns = 0;
            while !done.load(Ordering::Relaxed) {
                tokio::task::yield_now().await;
                turns += 1;
            }
            turns
        }
    });
    tokio::task::yield_now().await;
    let result = future.await;
    done.store(true, Ordering::Relaxed);
    (result, others.await.unwrap())
}

#[tokio::test]
async fn other_tasks_go_on_while_a_large_file_is_read() {
    let place = Place::new();
    // The same megabyte a hundred times: its lines begin with their numbers in it.
    let large = place.file("large", lines(MIB / 64).repeat(100));
    let mut text = lines(2 * MIB / 64);
    text.extend_from_slice(b"\xe9\xe8 not utf-8\n");
    let guessed = place.file("guessed", &text);
    for (path, offset, expected) in [(&large, 1_600_000, "1600000\t10752 "), (&guessed, 30_000, " 30000\t30000 ")] {
        let (shown, turns) = turns_of_others(place.page(path, offset, 3)).await;
        assert!(shown.starts_with(expected), "{shown}");
        // Work on this thread would leave them a turn for each time that the tool waits, a few in all.
        assert!(turns > 100, "{turns} turns");
    }
}

#[tokio::test]
async fn local_and_given_backends_read_alike() {
    let place = Place::new();
    let path = place.file("a", "x\n");
    let read = Read::on(Arc::new(LocalBackend::new()));
    let response = testing::call(read, json!({ "file_path": path })).await;
    assert_eq!(response.text(), place.read(&path).await.text());
}
