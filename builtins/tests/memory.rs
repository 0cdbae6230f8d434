//! How much memory Read takes for a large file. Alone in its program, since it measures all of it.

#![cfg(all(feature = "local", target_os = "linux"))]
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::fs;
use std::io::Write as _;

use agentscope_tool::testing;
use agentscope_tool_builtins::Read;
use serde_json::json;

/// The most memory that this process has had, in KiB.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test]
async fn memory_does_not_grow_with_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let (many, one) = (directory.path().join("many"), directory.path().join("one"));
    let line = [b"x".repeat(99), b"\n".to_vec()].concat();
    let mut file = std::io::BufWriter::new(fs::File::create(&many).unwrap());
    for _ in 0..1024 * 1024 {
        file.write_all(&line).unwrap();
    }
    file.flush().unwrap();
    // A line of 100 MB.
    fs::write(&one, b"y".repeat(4096)).unwrap();
    let mut file = fs::OpenOptions::new().append(true).open(&one).unwrap();
    for _ in 0..25_000 {
        file.write_all(&b"y".repeat(4096)).unwrap();
    }

    let before = most_memory();
    for (path, offset) in [(&many, 1), (&many, 1_048_000), (&one, 1), (&one, 2)] {
        let call = testing::call(Read::local(), json!({ "file_path": path, "offset": offset })).await;
        assert!(!call.text().is_empty());
    }
    let grown = most_memory() - before;
    assert!(grown < 20 * 1024, "{grown} KiB more than before");
}
