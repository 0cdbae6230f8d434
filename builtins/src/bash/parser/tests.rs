//! Tests of the parser that need no shell; those against real shells are in `tests/bash_differential`.

use super::*;
use crate::bash::{
    Command, Compound, MAX_BYTES, MAX_COMMANDS, MAX_DEPTH, Node, Part, RedirectionKind, Tilde, Unknown, Word,
};
use proptest::prelude::*;
use std::fmt::Write;

/// A script as text: words in brackets, what is unknown as its kind.
fn show(text: &str) -> String {
    show_in(text, Shell::Bash)
}

fn show_in(text: &str, shell: Shell) -> String {
    let script = parse(text, shell);
    match script.fault {
        Some(fault) => format!("{} @ {:?}", fault, fault.span.of(text)),
        None => list(&script.list),
    }
}

fn list(list: &List) -> String {
    let items = list.items.iter().map(|item| {
        let mut text = pipeline(&item.first);
        for (joint, next) in &item.rest {
            write!(text, " {joint:?} {}", pipeline(next)).unwrap();
        }
        text + if item.background { " &" } else { "" }
    });
    items.collect::<Vec<_>>().join("; ")
}

fn pipeline(pipeline: &Pipeline) -> String {
    let commands: Vec<_> = pipeline.commands.iter().map(command).collect();
    format!(
        "{}{}{}",
        if pipeline.timed { "time " } else { "" },
        if pipeline.negated { "! " } else { "" },
        commands.join(" | ")
    )
}

fn command(command: &Command) -> String {
    let (mut text, redirections) = match command {
        Command::Simple(simple) => {
            let assignments = simple.assignments.iter().map(|one| format!("{}={}", one.name, word(&one.value)));
            (assignments.chain(simple.words.iter().map(word)).collect::<Vec<_>>().join(" "), &simple.redirections)
        }
        Command::Compound { kind, redirections, .. } => (compound(kind), redirections),
    };
    for redirection in redirections {
        write!(
            text,
            " {:?}{} {}",
            redirection.kind,
            redirection.descriptor.map_or(String::new(), |n| n.to_string()),
            word(&redirection.target)
        )
        .unwrap();
    }
    text
}

fn compound(kind: &Compound) -> String {
    match kind {
        Compound::Group(body) => format!("{{ {} }}", list(body)),
        Compound::Subshell(body) => format!("( {} )", list(body)),
        Compound::If { branches, otherwise } => {
            let branches: Vec<_> = branches.iter().map(|(a, b)| format!("if {} then {}", list(a), list(b))).collect();
            format!(
                "{}{}",
                branches.join(" el"),
                otherwise.as_ref().map_or(String::new(), |body| format!(" else {}", list(body)))
            )
        }
        Compound::While { until, condition, body } => {
            format!("{} {} do {}", if *until { "until" } else { "while" }, list(condition), list(body))
        }
        Compound::For { name, words, body } => {
            let words = words.as_ref().map(|words| words.iter().map(word).collect::<Vec<_>>().join(" "));
            format!("for {name} in {words:?} do {}", list(body))
        }
        Compound::Case { word: subject, arms } => {
            let arms = arms.iter().map(|arm| {
                format!(" {} -> {};", arm.patterns.iter().map(word).collect::<Vec<_>>().join("|"), list(&arm.body))
            });
            format!("case {}{}", word(subject), arms.collect::<String>())
        }
    }
}

fn word(word: &Word) -> String {
    let parts = word.parts().iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Glob(text) => format!("<glob {text}>"),
        Part::Unknown { what, quoted } => {
            let what = match what {
                Unknown::Substitution(inner) => format!("$( {} )", list(inner)),
                Unknown::ProcessInput(inner) => format!("<( {} )", list(inner)),
                Unknown::ProcessOutput(inner) => format!(">( {} )", list(inner)),
                other => format!("{other:?}"),
            };
            format!("<{what}{}>", if *quoted { "" } else { ", may split" })
        }
    });
    format!("[{}]", parts.collect::<String>())
}

#[test]
fn a_tree_says_what_is_run() {
    let texts = [
        "git commit -m \"mention rm -rf /\" && ls 2>/dev/null | head -5 &",
        "ls -la\n# a comment\npwd;",
        "if [ -f f ]; then cat f; elif tt; then ls; else pwd; fi",
        "while read -r l; do echo \"$l\"; done < f",
        "for i in 1 {a,b} *.rs; do echo $i; done",
        "for i do ls; done",
        "case $x in a|'b c') ls ;; (*) pwd; esac",
        "{ ls; ( pwd ); } > out 2>&1",
        "! time ls |& cat",
        "LC_ALL=C A= B=~/x:~ sort f",
        "cat ~/notes ~root/x \"~\" $HOME \"$PWD/x\"",
        "cat $(git rev-parse --show-toplevel)/f `pwd` \"$(ls | head)\"",
        "diff <(sort a) >(cat)",
        "echo \"$@\" ${x:-y} \"${#x}\" $((1 + 2))",
        "cat <<'A' <<-B\n$x `y`\nA\n\ta $x\n\tB\nls",
        "cat <<< \"a b\" &>> all >| c 2>& 1 <> d",
        "find . \\( -name 'a*' -o -name \"b\" \\) -exec grep x {} +",
        "'r'm -r\\f \"/\" $'-\\x61'",
        "[ -d [a] ] && ls [ab]* [x",
        "",
    ];
    let shown: Vec<_> = texts.iter().map(|text| format!("{text}\n=> {}", show(text))).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_fault_says_what_and_where() {
    let texts = [
        "ls; fi",
        "ls )",
        "( ls",
        "ls 'a",
        "echo \"$(ls\"",
        "cat <<E\nx",
        "ls ;;",
        "&& ls",
        "ls |",
        "f() { ls; }",
        "function f { ls; }",
        "[[ -f x ]]",
        "((x))",
        "echo ${x@P}",
        "echo ${!x}",
        "echo ${x:=y}",
        "echo ${a[0]}",
        "a=(1)",
        "a[1]=2",
        "echo $[1]",
        "echo $\"x\"",
        "coproc ls",
        "ls {fd}>x",
        "ls >&$x",
        "ls >& '$(x)'",
        "echo {1..9999}",
        "shopt -s extglob",
        "set -o posix",
        "x=a; echo $((x))",
        "echo a@(b)",
        "for ((;;)) do ls; done",
        "case x in a) ls ;& b) ls; esac",
        "ls\\",
        "echo {a,$(ls)}",
        "echo $'\\u00e9'",
        "time -f x ls",
    ];
    let shown: Vec<_> = texts.iter().map(|text| format!("{text}\n=> {}", show(text))).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn what_only_bash_knows_is_something_else_to_sh() {
    let texts = [
        "ls {a,b}",
        "ls &>x",
        "ls |& cat",
        "cat <(ls)",
        "echo $'a'",
        "x+=y ls",
        "cat <<< x",
        "time ls",
        "ls 10>x",
        "ls >&x",
        "a=b x=~",
    ];
    let shown: Vec<_> = texts.iter().map(|text| format!("{text}\n=> {}", show_in(text, Shell::Posix))).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn commands_before_a_fault_are_kept() {
    let script = parse("rm a; ls && pwd\nf() { ls; }", Shell::Bash);
    assert!(script.fault.is_some());
    assert_eq!(list(&script.list), "[rm] [a]; [ls] And [pwd]");
}

#[test]
fn places_are_those_of_the_text() {
    let text = "ls  'a b' | cat\\\n -n >x";
    let script = parse(text, Shell::Bash);
    let commands = script.simple_commands();
    assert_eq!(commands[0].span.of(text).trim_end(), "ls  'a b'");
    assert_eq!(commands[0].words[1].span().of(text), "'a b'");
    assert_eq!(commands[1].redirections[0].span.of(text), ">x");
    assert_eq!(commands[1].redirections[0].kind, RedirectionKind::Write);
}

#[test]
fn home_is_seen_in_all_its_forms() {
    let homes = |text: &str| {
        let script = parse(text, Shell::Bash);
        script.simple_commands()[0].words[1..]
            .iter()
            .map(|word| word.home_relative().map(str::to_owned))
            .collect::<Vec<_>>()
    };
    let (home, below) = (Some(String::new()), Some("a b".to_owned()));
    assert_eq!(homes("x ~ $HOME \"${HOME}\""), [home.clone(), home.clone(), home]);
    assert_eq!(homes("x ~/'a b' \"$HOME/a b\" ~/a\\ b"), [below.clone(), below.clone(), below]);
    assert_eq!(homes("x ~root '~' \"~/x\" ~/$x /~ $HOMES"), [None, None, None, None, None, None]);
    let script = parse("x ~+ ~root", Shell::Bash);
    let unknown = |at: usize| script.simple_commands()[0].words[at].unknowns().next().cloned();
    assert_eq!(unknown(1), Some(Unknown::Tilde(Tilde::Remembered("+".into()))));
    assert_eq!(unknown(2), Some(Unknown::Tilde(Tilde::User("root".into()))));
}

#[test]
fn arithmetic_over_numbers_is_understood() {
    for text in [
        "echo $((1 + 2))",
        "for i in 1 2; do echo $((i * 2)); done",
        "n=1; n=$((n + 1)); printf '%s\\n' $((n))",
        "echo $((RANDOM % 6))",
    ] {
        assert_eq!(parse(text, Shell::Bash).fault, None, "{text}");
    }
    for text in [
        "echo $((x))",
        "read i; i=1; echo $((i))",
        "for f in *; do echo $((f)); done",
        "i=1; printf -v i x; echo $((i))",
        "i=1; eval i=x; echo $((i))",
        "i=1; i=$(ls); echo $((i))",
    ] {
        assert!(parse(text, Shell::Bash).fault.is_some(), "{text}");
    }
}

#[test]
fn limits_hold() {
    let kind = |text: &str| parse(text, Shell::Bash).fault.map(|fault| fault.kind);
    assert_eq!(kind(&"ls;".repeat(MAX_COMMANDS)), None);
    assert_eq!(kind(&"ls;".repeat(MAX_COMMANDS + 1)), Some(FaultKind::TooManyCommands));
    assert_eq!(kind(&format!("echo {}", "$(ls;".repeat(MAX_COMMANDS))), Some(FaultKind::TooDeep));
    let nested = |depth: usize| format!("{}ls{}", "( ".repeat(depth), ")".repeat(depth));
    assert_eq!(kind(&nested(MAX_DEPTH)), None);
    assert_eq!(kind(&nested(MAX_DEPTH + 1)), Some(FaultKind::TooDeep));
    assert_eq!(kind(&"x".repeat(MAX_BYTES + 1)), Some(FaultKind::TooLong));
    let backquotes = (0..20).fold("ls".to_owned(), |inner, _| {
        format!("echo `{}`", inner.replace('\\', "\\\\").replace('`', "\\`")).chars().take(MAX_BYTES).collect()
    });
    assert!(kind(&backquotes).is_some());
    assert_eq!(kind(&format!("echo {}", "{a,b}".repeat(12))), Some(FaultKind::TooManyBraces));
    assert_eq!(kind(&format!("echo {}", "{a,".repeat(100))), None);
}

/// Each of these once took, or could take, more than linear time in some parser.
#[test]
fn nothing_takes_long() {
    let pieces = [
        "a",
        " ",
        "{",
        "{a,",
        "{a,b}",
        "{1..2}",
        "}",
        "\\\n",
        "$(",
        "`",
        "``",
        "\\`",
        "$((",
        "(",
        "((1)",
        "\"",
        "\"$",
        "'",
        "<<E ",
        "<<E\n",
        "<<-'E' a;",
        "case x in ",
        "x) ;;",
        "if ",
        "! ",
        "time ",
        "[",
        "[]",
        "~",
        "=~",
        ":~",
        "a=",
        "$x",
        "${x:-",
        "${x}",
        "$'\\",
        "\n",
        "#\n",
        ";",
        "&",
        "| ",
        "<(",
        "2>&1 ",
        ">&",
        "\\",
        "é",
        "{..",
        "{a,{b,",
        "a{b}",
        "${",
        "$\\\n",
        "a\\\n",
        "\"\\\n\"",
    ];
    for first in pieces {
        for second in ["", "a", "{", "\"", " x", "\n"] {
            let piece = format!("{first}{second}");
            let text: String = piece.chars().cycle().take(MAX_BYTES / 2).collect();
            let took = || {
                let started = std::time::Instant::now();
                let _ = parse(&text, Shell::Bash);
                started.elapsed()
            };
            // Without optimisation, on a machine that may be busy: the bench holds the real figure.
            assert!((0..3).any(|_| took().as_millis() < 500), "{piece:?} takes {:?}", took());
        }
    }
}

/// Texts out of what matters to a shell.
fn shell_text() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        3 => "[a-z ]{1,4}",
        3 => "[;&|()<>{}\n \"'`\\\\$#!~=*?\\[\\]]",
        2 => prop::sample::select(vec!["$(", "${", "$((", "<<E\n", "\nE\n", "\\\n", "$'", "case x in", "esac", "if ", "then ", "fi", "do ", "done", "for i in", "while ", "<(", "é", "\u{1F389}"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(token, 0..30).prop_map(|tokens| tokens.concat())
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in prop_oneof![shell_text(), any::<String>()]) {
        for shell in [Shell::Bash, Shell::Posix] {
            let script = parse(&text, shell);
            if let Some(fault) = script.fault {
                prop_assert!(fault.span.start <= text.len() && fault.span.end <= text.len());
                prop_assert!(text.get(fault.span.start..fault.span.end).is_some());
            }
            script.list.walk(&mut |node| if let Node::Word(word) = node {
                assert!(text.get(word.span().start..word.span().end).is_some());
            });
        }
    }

    /// Quotes around a part of a word, or a backslash before a character, do not change a word that is known.
    #[test]
    fn quoting_changes_nothing(before in "[a-z/.=,-]{0,4}", part in "[a-zA-Z0-9/.,=:@%^+-]{1,5}", after in "[a-z/.-]{0,4}") {
        let (first, rest) = part.split_at(1);
        let plain = parse(&format!("x {before}{part}{after}"), Shell::Bash);
        let values = |script: &Script| script.simple_commands().iter().map(|command| command.words.iter().map(|word| word.literal().map(str::to_owned)).collect::<Vec<_>>()).collect::<Vec<_>>();
        for quoted in [format!("'{part}'"), format!("\"{part}\""), format!("\\{first}{rest}"), format!("{first}\"\"{rest}"), format!("$'{part}'"), format!("{first}\\\n{rest}")] {
            let script = parse(&format!("x {before}{quoted}{after}"), Shell::Bash);
            prop_assert_eq!(values(&script), values(&plain), "{}", quoted);
        }
    }

    /// What is appended is in the tree, or the whole is not understood.
    #[test]
    fn what_is_appended_is_seen(text in shell_text(), joint in prop::sample::select(vec!["; ", "\n", " & ", " && ", " | ", " || ", "\r\n", ";\\\n"])) {
        let script = parse(&text, Shell::Bash);
        let longer = parse(&format!("{text}{joint}touch x"), Shell::Bash);
        if script.fault.is_none() && longer.fault.is_none() {
            let appended = longer.simple_commands();
            let last = appended.last().map(|command| command.words.iter().filter_map(Word::literal).collect::<Vec<_>>());
            // A comment at the end takes all but the newline.
            let comment = text.lines().last().is_some_and(|line| line.contains('#')) && joint != "\n";
            prop_assert!(comment || last.is_some_and(|words| words.ends_with(&["touch", "x"])), "{:?}", text);
            prop_assert!(comment || appended.len() == script.simple_commands().len() + 1 || joint == " | ");
        }
    }
}
