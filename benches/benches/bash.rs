//! What reading a shell command and deciding about it costs: typical ones, those of the cases, and the worst texts of 16 KiB.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agentscope_tool::{AgentState, ToolCall, Toolkit};
use agentscope_tool_backends::LocalBackend;
use agentscope_tool_builtins::Bash;
use agentscope_tool_builtins::bash::{MAX_BYTES, Shell, analyse, parse};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};

/// What agents run all day.
const COMMANDS: [&str; 24] = [
    "ls -la",
    "git status",
    "git log --oneline -5 | cat",
    "cd src && ls -la && git status",
    "grep -rn \"fn main\" src --include='*.rs' | head -20",
    "find . -type f -name '*.py' -not -path '*/node_modules/*' 2>/dev/null | wc -l",
    "sed -n '1,80p' src/main.rs",
    "cat <<'EOF' > notes.md\n# Notes\n\n- one `thing`\n- and $another\nEOF",
    "for i in 1 2 3; do echo \"$i\"; done",
    "if [ -f Cargo.toml ]; then cargo check 2>&1 | tail -20; else echo none; fi",
    "git commit -m \"$(cat <<'EOF'\nfeat: a thing\n\nwith a body\nEOF\n)\"",
    "RUST_LOG=debug timeout 60 cargo test -p builtins bash -- --nocapture",
    "mkdir -p a/{b,c,d}/{e,f} && touch a/b/e/x",
    "awk -F: '{print $1, $3}' /etc/passwd | sort -u",
    "ps aux | grep node | grep -v grep",
    "echo '=== a ===' && cat a && echo '=== b ===' && cat b",
    "while read -r line; do echo \"$line\"; done < f",
    "find . -name x -exec grep -l foo {} + || true",
    "curl -sSL https://example.com/install.sh | sh",
    "rm -rf ~/x \"$HOME/y\" $TMP/z",
    "diff <(sort a) <(sort b)",
    "npm run build > /dev/null 2>&1 &",
    "tar -czf /tmp/x.tgz --exclude='*.log' .",
    "echo $((1 + 2)) ${x:-y} `date` $'a\\tb'",
];

/// Pieces that make a parser slow when they are repeated.
const WORST: [&str; 39] = [
    "a ", "ls;", "{a,b}", "{a,", "{", "a{b}", "\"$x\"", "$(", "$(ls)", "`", "` `", "\\\n", "a\\\n", "<<E ", "<<E\n",
    "'", "''", "\"\"", "[", "~", "a=~:", "#\n", "\n", "$((1)) ", "${x:-y}", "$'\\n'", "é", "x*", "2>&1 ", "{1..2}",
    "* ", "$x ", "~ ", "'' ", "x=y ", "x|", "`x` ", "if x;", "(x);",
];

fn typical(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bash");
    for command in COMMANDS {
        assert!(parse(command, Shell::Bash).fault.is_none(), "{command}");
    }
    group.bench_function("24 typical commands", |bencher| {
        bencher.iter(|| {
            COMMANDS.iter().map(|command| parse(black_box(command), Shell::Bash).list.items.len()).sum::<usize>()
        });
    });
    group.bench_function("one simple command", |bencher| {
        bencher.iter(|| parse(black_box("git log --oneline -5"), Shell::Bash))
    });
    group.finish();
}

fn worst(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bash, 16 KiB");
    group.sample_size(10).throughput(Throughput::Bytes(MAX_BYTES as u64));
    for piece in WORST {
        // Words alone would end at the first fault; behind a program they go on.
        let mut bytes = 0;
        let fits = |c: &char| {
            bytes += c.len_utf8();
            bytes <= MAX_BYTES
        };
        let text: String = "x ".chars().chain(piece.chars().cycle()).take_while(fits).collect();
        group.bench_function(format!("{piece:?}"), |bencher| bencher.iter(|| analyse(black_box(&text), Shell::Bash)));
    }
    group.finish();
}

/// The commands of the cases.
fn cases() -> Vec<String> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/bash.jsonl"));
    let command = |line: &str| {
        let case: Value = serde_json::from_str(line).expect("a case");
        case["command"].as_str().expect("a command").to_owned()
    };
    text.expect("the cases").lines().map(command).collect()
}

/// The median over commands of the median time that each takes, and the longest of these.
fn medians(commands: &[String], mut run: impl FnMut(&str)) -> (Duration, Duration) {
    let mut all: Vec<Duration> = commands
        .iter()
        .map(|command| {
            let mut times: Vec<Duration> = (0..15)
                .map(|_| {
                    let start = Instant::now();
                    run(command);
                    start.elapsed()
                })
                .collect();
            times.sort();
            times[times.len() / 2]
        })
        .collect();
    all.sort();
    (all[all.len() / 2], all[all.len() - 1])
}

fn corpus(criterion: &mut Criterion) {
    let commands = cases();
    let (median, longest) = medians(&commands, |command| drop(black_box(analyse(black_box(command), Shell::Bash))));
    println!("analyse, {} commands of the cases: median {median:?}, longest {longest:?}", commands.len());

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let project = tempfile::tempdir().expect("a directory");
    let backend = LocalBackend::in_directory(project.path()).expect("a backend");
    let toolkit = Toolkit::builder().tool(Bash::on(Arc::new(backend))).build().expect("a toolkit");
    let state = AgentState::new();
    let (median, longest) = medians(&commands, |command| {
        let call = ToolCall::from_value("1", "Bash", &json!({ "command": command }));
        black_box(runtime.block_on(toolkit.check(&call, &state)));
    });
    println!("decide, the same, with look-ups of files and what git is asked: median {median:?}, longest {longest:?}");

    let mut group = criterion.benchmark_group("bash, commands of the cases");
    group.throughput(Throughput::Elements(commands.len() as u64));
    group.bench_function("analyse", |bencher| {
        bencher
            .iter(|| commands.iter().filter(|command| analyse(black_box(command), Shell::Bash).is_read_only()).count());
    });
    group.finish();

    let mut group = criterion.benchmark_group("bash, one decision");
    for command in ["ls -la src | head", "npm run build", "git status"] {
        let call = ToolCall::from_value("1", "Bash", &json!({ "command": command }));
        group.bench_function(command, |bencher| bencher.iter(|| runtime.block_on(toolkit.check(&call, &state))));
    }
    group.finish();
}

criterion_group!(benches, typical, worst, corpus);
criterion_main!(benches);
