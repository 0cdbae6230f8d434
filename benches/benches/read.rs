//! Reading pages of files: the first one, and one near the end.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use agentscope_tool::prelude::*;
use agentscope_tool_builtins::Read;
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::json;

/// A file of that many lines of 60 to 63 bytes, and its size.
fn plant(directory: &Path, name: &str, lines: u64) -> (PathBuf, u64) {
    let path = directory.join(name);
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    for line in 1..=lines {
        writeln!(file, "{line} the quick brown fox jumps over the lazy dog, again and again").expect("a line");
    }
    file.flush().expect("a file");
    let size = path.metadata().expect("a file").len();
    (path, size)
}

fn read(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let directory = tempfile::tempdir().expect("a directory");
    let toolkit = Toolkit::builder().tool(Read::local()).build().expect("a toolkit");
    let mut group = criterion.benchmark_group("read");
    for (name, lines) in [("10 lines", 10), ("1 MB", 16_000), ("8 MB", 120_000), ("100 MB", 1_500_000)] {
        let (path, size) = plant(directory.path(), name, lines);
        for (place, offset) in [("first page", 1), ("last page", lines.saturating_sub(1999).max(1))] {
            if lines <= 2000 && place == "last page" {
                continue;
            }
            let state = AgentState::new();
            let input = json!({ "file_path": path, "offset": offset });
            let call = || ToolCall::from_value("1", "Read", &input);
            let response = runtime.block_on(toolkit.call_unchecked(call(), &state).response());
            assert!(response.text().starts_with(&format!("{offset:>6}\t{offset} the quick")), "{}", response.text());
            if place == "last page" {
                group.throughput(Throughput::Bytes(size));
            }
            group.bench_function(format!("{name}, {place}"), |bencher| {
                bencher.iter_batched(
                    call,
                    |call| runtime.block_on(async { black_box(toolkit.call_unchecked(call, &state).response().await) }),
                    BatchSize::SmallInput,
                );
            });
        }
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = read
}
criterion_main!(benches);
