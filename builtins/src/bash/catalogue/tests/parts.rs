//! The small languages, and what is sure about a word.

use super::*;
use crate::bash::catalogue::{sed::Script, words::Start};

#[test]
fn sed_scripts_that_only_print() {
    for script in [
        "",
        "p",
        "5p",
        "1,5p",
        "$p",
        "$=",
        "/a/,/b/p",
        "/a/,+3p",
        "0~2d",
        "1!G;h;$!d",
        "s/a/b/",
        "s/a/b/gI;s|x|y|2p",
        "s#/usr#/opt#g",
        "y/abc/xyz/",
        "/x/{n;p;}",
        ":a;N;$!ba;s/\\n/ /g",
        "s/[^/]*$//",
        "s/[[:space:]]*$//",
        "s/[]/]//",
        "\\,x,Id",
        "#n\np",
        "a text; w x",
        "i\\\ntext\\\nmore\np",
        "5q",
        "$!N;P;D",
        "s/e/w/",
        "/w x/d",
        "/[/]w x/p",
    ] {
        assert_eq!(sed::read(script), Script::Prints, "{script}");
    }
}

#[test]
fn sed_scripts_that_write_or_run() {
    for script in [
        "w x",
        "1w x",
        "$!w x",
        "/x/I w x",
        "0~2w x",
        "W x",
        "e",
        "e id",
        "1e id",
        "1!w x",
        "/a/,/b/w x",
        "s/a/b/w x",
        "s/a/b/e",
        "s/a/b/gpw x",
        "s,a,b,w x",
        "s|b|x|we",
        "{w x\n}",
        "$!{$!w x\n}",
        "p;w x",
        "p\nw x",
        "#n\nw x",
        "a\\\ntext\nw x",
        "a text\nw x",
        "s/[/]/x/w y",
        "/[/]/w x",
        "b;w x",
        ":a;w x",
        "}w x",
        "s/a\\/b/c/w x",
        "y/a/b/;e",
    ] {
        assert_eq!(sed::read(script), Script::Escapes, "{script}");
    }
}

#[test]
fn sed_scripts_that_are_unclear() {
    for script in [
        "r x",
        "R x",
        "s/a/b",
        "s/a",
        "/a",
        "s/[/b/",
        "k",
        "1,p",
        "s\na\nb\n",
        "s/a/b/ w x",
        "s/a\nb/c/",
        "p x",
        ":a;s/x/\\\n/",
        "s/[\\]/]/w/",
    ] {
        assert_eq!(sed::read(script), Script::Unclear, "{script}");
    }
}

#[test]
fn awk_programs_that_only_print() {
    for program in [
        "{print $1}",
        "NR==5",
        "$3 > 10",
        "/a|b/{print $2}",
        "{print ($1 > 2)}",
        "{if ($1 > 2) print; else next}",
        "END{print NR}",
        "BEGIN{FS=\"|\"} {print $1, $3}",
        "$1 >= 2 || /x/ {n++} END {print n / 2}",
        "{print $1; if (x > 1) y = 2}",
        "{ a[$1]++ } END { for (k in a) if (a[k] > 1) print k }",
        "{ printf \"%s > %s\\n\", $1, $2 }",
        "# a > b | c\n{print}",
    ] {
        assert!(awk::only_prints(program), "{program}");
    }
}

#[test]
fn awk_programs_that_do_more() {
    for program in [
        "{system($1)}",
        "{print > \"x\"}",
        "{print>>\"x\"}",
        "{print $1 | \"sh\"}",
        "BEGIN{\"id\" | getline}",
        "{print ($1) > \"x\"}",
        "{getline < \"x\"}",
        "@load \"x\"",
        "{@f()}",
        "{print ENVIRON[\"A\"]}",
        "{print |& \"x\"}",
        "{printf \"a\" > \"x\"}",
        "{print a,\n b > \"x\"}",
        "{x = (1) / 2; print > \"y/\" }",
        "{print \"a\" \"b\" > \"/dev/tcp/x\"}",
        "{sys\\\ntem(1)}",
        "{print \"unclosed > }",
        "{ print(1)(2) > \"x\" }",
    ] {
        assert!(!awk::only_prints(program), "{program}");
    }
}

#[test]
fn starts_of_words_that_are_not_known() {
    let start = |text: &str| words::start(&argv(&format!("echo {text}"))[1]);
    for text in [
        "a",
        "''",
        "./*",
        "src/*.rs",
        "a*",
        "[ab]*",
        "~",
        "~/x",
        "\"$HOME\"",
        "$HOME/x",
        "\"$PWD\"/*",
        "$?",
        "<(ls)",
        "a\"$X\"",
    ] {
        assert_eq!(start(text), Start::Plain, "{text}");
    }
    for text in ["-a", "'-a'", "\\-a", "-a\"$X\"", "--x=$Y"] {
        assert_eq!(start(text), Start::Dash, "{text}");
    }
    for text in [
        "*",
        "?x",
        "[!a]*",
        "[^a]*",
        "[a-z]*",
        "[*-]*",
        "$X",
        "\"$X\"",
        "a$X",
        "$PWD/*",
        "$(ls)",
        "\"$(ls)\"",
        "$((1-2))",
        "\"$@\"",
    ] {
        assert_eq!(start(text), Start::Any, "{text}");
    }
}

#[test]
fn names_of_variables_that_mean_nothing_to_programs() {
    for name in ["x", "line", "file_name", "fooBar", "_a"] {
        assert!(is_harmless_name(name), "{name}");
    }
    for name in ["PATH", "IFS", "LD_PRELOAD", "http_proxy", "", "1a", "a-b", "_", "A", "path"] {
        assert!(!is_harmless_name(name), "{name}");
    }
    assert!(
        is_harmless_for_programs("LC_ALL") && !is_harmless_for_programs("PAGER") && !is_harmless_for_programs("CI")
    );
    assert!(is_harmless_for_rules("CI") && !is_harmless_for_rules("NODE_OPTIONS") && !is_harmless_for_rules("PATH"));
}
