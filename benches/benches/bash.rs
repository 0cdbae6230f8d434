//! What reading a shell command costs: typical ones, and the worst texts of 16 KiB.

#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to measure")]

use std::hint::black_box;

use agentscope_tool_builtins::bash::{MAX_BYTES, Shell, parse};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

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
        group.bench_function(format!("{piece:?}"), |bencher| bencher.iter(|| parse(black_box(&text), Shell::Bash)));
    }
    group.finish();
}

criterion_group!(benches, typical, worst);
criterion_main!(benches);
