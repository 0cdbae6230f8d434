//! Glob and Grep beside the `rg` binary, on a tree of 20,000 files with 200 MB and on one of 200 files.
//!
//! `rg` is looked up on the `PATH`, or is the program that the variable `RG` names; without it, only the tools run.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use agentscope_tool::{ToolResponse, testing};
use agentscope_tool_builtins::{Glob, Grep};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Makes that many files, 50 in a directory, some ten kilobytes each.
fn plant(root: &Path, files: u64) {
    let mut numbers = Numbers(42);
    for file in 0..files {
        let directory = root.join(format!("package_{}/module_{}", file / 1000, file % 1000 / 50));
        fs::create_dir_all(&directory).expect("a directory");
        let extension = ["rs", "py", "ts", "md", "json"][numbers.below(5) as usize];
        let mut text = String::new();
        for line in 0..60 + numbers.below(280) {
            let (name, value) = (numbers.below(10_000), numbers.below(1_000_000));
            let _ = writeln!(text, "    let value_{name} = compute(line_{line}, {value}); // an ordinary line");
        }
        // One file in twelve has something to be found.
        if numbers.below(12) == 0 {
            let _ = writeln!(text, "fn handler_{}() {{ needle() }}", numbers.below(1000));
        }
        fs::write(directory.join(format!("file_{file}.{extension}")), text).expect("a file");
    }
}

fn rg(arguments: &[&str], root: &Path) -> Option<usize> {
    let program = std::env::var_os("RG").unwrap_or_else(|| "rg".into());
    let mut command = Command::new(program);
    command.args(["--no-config", "--no-ignore", "--hidden"]).args(arguments).arg(root).stdin(Stdio::null());
    Some(command.output().ok()?.stdout.iter().filter(|byte| **byte == b'\n').count())
}

struct Bench<'b> {
    group: BenchmarkGroup<'b, WallTime>,
    runtime: Runtime,
    root: &'b Path,
}

impl Bench<'_> {
    /// Both find the same number of lines before they are measured.
    fn compare(&mut self, name: &str, tool: impl Fn(Value) -> testing::TestCall, mut call: Value, arguments: &[&str]) {
        call["path"] = json!(self.root);
        let run = || -> ToolResponse { self.runtime.block_on(async { tool(call.clone()).await }) };
        let found = run().text().lines().count();
        self.group.bench_function(format!("{name}, tool"), |bencher| bencher.iter(|| black_box(run())));
        if let Some(lines) = rg(arguments, self.root) {
            assert_eq!(found, lines, "{name}");
            self.group.bench_function(format!("{name}, rg"), |bencher| bencher.iter(|| rg(arguments, self.root)));
        }
    }
}

fn search(criterion: &mut Criterion) {
    for (name, files, seconds) in [("200 files", 200, 3), ("20000 files", 20_000, 8)] {
        let folder = tempfile::tempdir().expect("a folder");
        plant(folder.path(), files);
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20).measurement_time(Duration::from_secs(seconds));
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let mut bench = Bench { group, runtime, root: folder.path() };
        let grep = |call| testing::call(Grep::local().output_limit(usize::MAX), call);
        let glob = |call| testing::call(Glob::local().output_limit(usize::MAX), call);
        let all = |call: &str| serde_json::from_str::<Value>(call).expect("a call");

        bench.compare("grep -l", grep, all(r#"{"pattern": "needle", "head_limit": 0}"#), &["-l", "needle"]);
        let call = r#"{"pattern": "fn handler_\\d+5\\(", "output_mode": "content", "head_limit": 0}"#;
        bench.compare("grep -n, a regular expression", grep, all(call), &["-n", r"fn handler_\d+5\("]);
        // Newest first, as the tool.
        bench.compare(
            "glob",
            glob,
            all(r#"{"pattern": "**/*.py", "head_limit": 0}"#),
            &["--files", "--sortr=modified", "-g", "*.py"],
        );
        bench.group.finish();
    }
}

criterion_group!(benches, search);
criterion_main!(benches);
