//! Words, commands and texts to try.

use agentscope_tool_builtins::bash::Shell;
use proptest::collection::vec;
use proptest::prelude::*;

fn join(pieces: impl Strategy<Value = Vec<String>>) -> impl Strategy<Value = String> {
    pieces.prop_map(|pieces| pieces.concat())
}

/// A word of all kinds of pieces.
pub fn word() -> impl Strategy<Value = String> {
    let start =
        prop_oneof![3 => Just(String::new()), 1 => "~", 1 => "~/", 1 => "~[a-z+-]?[0-9]?[:/]?", 1 => "[a-z]{1,2}\\+?="];
    let piece = prop_oneof![
        6 => "[a-zA-Z0-9_./:@%^+-]{1,4}",
        2 => "[{},.~=]{1,3}",
        2 => "\\{[a-c1-3]?,[a-c~]?\\}",
        1 => "\\{-?[0-9]{1,2}\\.\\.-?[0-9]{1,2}(\\.\\.-?[0-9])?\\}",
        1 => "\\{[a-z]\\.\\.[a-z]\\}",
        1 => "[*?\\[\\]!#]{1,2}",
        2 => "\\\\[ -~é]",
        2 => "'[ -&(-~\n]{0,5}'",
        2 => double_quoted(),
        1 => "\\$'([a-z ]|\\\\[nt\\\\\"?aeqz]|\\\\x[2-6][0-9]|\\\\[1-7][0-7]?){0,4}'",
        1 => Just("\\\n".to_owned()),
        1 => "\\$[vw]", 1 => "\\$\\{[vw]\\}",
        1 => Just("é日".to_owned()),
        1 => Just("$(oo a b)".to_owned()),
        1 => Just("`oo \\\\\\$v`".to_owned()),
        1 => "\\$[/.%]",
    ];
    (start, join(vec(piece, 0..6))).prop_map(|(start, rest)| start + &rest).prop_filter("a word", |text| {
        // bash does not split a word any more in which a lone `$` stands.
        let lone = ["$/", "$.", "$%"].iter().any(|lone| text.contains(lone));
        let values = ["$v", "$w", "${", "$(", "`"].iter().any(|value| text.contains(value));
        let bare = text.replace("\\\n", "");
        let odd = bare.is_empty() || bare.starts_with('#') || text.ends_with('\\') || bare.ends_with('$');
        let unsplit = lone && values;
        !odd && !unsplit
    })
}

fn double_quoted() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ !#%-\\[\\]^_a-~é\n]{1,4}",
        2 => "\\\\[ -~\n]",
        1 => "\\$[vw]",
        1 => "\\$\\{[vw]\\}",
        1 => Just("$(oo \"a  b\")".to_owned()),
        1 => Just("`oo x`".to_owned()),
        1 => "\\$[/' ]",
    ];
    join(vec(piece, 0..4)).prop_map(|text| format!("\"{text}\""))
}

/// A word with patterns.
pub fn pattern() -> impl Strategy<Value = String> {
    join(vec(prop_oneof!["[*?\\[\\]!^.abde-]{1,3}", "\\\\[*\\[ ]", "'[*\\] a]'", Just("\" \"".to_owned())], 1..5))
}

/// A word without newlines or unknown values, for commands.
fn plain_word() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-zA-Z0-9_./:@%^+-]{1,4}",
        1 => "'[ -&(-~]{0,4}'",
        1 => "\"[ !#%-\\[\\]^_a-~]{0,4}\"",
        1 => "[a-z]\\\\[ -~]",
        1 => "\\{[a-c],[a-c]\\}",
        1 => Just("if".to_owned()), 1 => Just("}".to_owned()), 1 => Just("a#b".to_owned()),
        1 => "\\$\\{[vw]\\}x",
        1 => Just("\"$i\"".to_owned()),
    ]
}

fn blank() -> impl Strategy<Value = String> {
    prop_oneof![8 => Just(" ".to_owned()), 1 => Just("\t ".to_owned()), 1 => Just(" \\\n".to_owned()), 1 => Just(" \\\n ".to_owned())]
}

fn redirection() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just("2>&1".to_owned()), 3 => Just(">/dev/null".to_owned()), 1 => Just("> out".to_owned()), 1 => Just("2>> 'e r'".to_owned()),
        1 => Just("</dev/null".to_owned()), 1 => Just("&>all".to_owned()), 1 => Just("&>>all".to_owned()), 1 => Just(">|o".to_owned()),
        1 => Just("1>&2".to_owned()), 1 => Just(">&2".to_owned()), 1 => Just(">&both".to_owned()),
    ]
}

/// A here-document: the text between the marks is moved behind the next newline.
fn here_document() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[ -#%-\\[\\]^_a-~]{0,6}",
        Just("\\$x \\` \\\\ \\a $w ${w}".to_owned()),
        Just("$(oo 'x y')`oo z`".to_owned()),
        Just("\tEOF x".to_owned())
    ];
    (
        prop_oneof![Just("EOF"), Just("'EOF'"), Just("E\\OF"), Just("\"EOF\"")],
        any::<bool>(),
        vec(line, 0..3),
        plain_word(),
    )
        .prop_map(|(delimiter, strip, lines, word)| {
            let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let (operator, tab) = if strip { ("<<-", "\t") } else { ("<<", "") };
            format!("hh {operator}{delimiter}\u{1}{body}{tab}EOF\n\u{2} {word}")
        })
}

fn simple(shell: Shell) -> impl Strategy<Value = String> {
    let part = prop_oneof![4 => plain_word(), 1 => redirection()];
    let assignment = prop_oneof![5 => Just(String::new()), 1 => (plain_word()).prop_map(|word| format!("k={word} ")), 1 => Just(">/dev/null ".to_owned())];
    let normal = (
        assignment,
        prop_oneof![Just("tt"), Just("ff"), Just("oo"), Just("'o'o"), Just("t\\t")],
        vec((blank(), part), 0..4),
    )
        .prop_map(|(assignment, program, rest)| {
            let rest: String = rest.into_iter().map(|(blank, part)| blank + &part).collect();
            format!("{assignment}{program}{rest}")
        });
    prop_oneof![
        12 => normal,
        2 => here_document(),
        1 => plain_word().prop_map(move |word| format!("{}{word}", if shell == Shell::Bash { "hh <<< " } else { "oo " })),
        1 => plain_word().prop_map(|word| format!("i={word}")),
        1 => Just("oo $(hh <<'E'\na ) b\nE\n)".to_owned()),
    ]
}

/// A command of all kinds of commands.
pub fn command(shell: Shell) -> impl Strategy<Value = String> {
    let end = || prop_oneof![4 => Just(";"), 2 => Just("\n"), 1 => Just(" # it's a `comment\n"), 1 => Just(" ;\n\n")];
    let tree = simple(shell).prop_recursive(4, 24, 4, move |inner| {
        let list = (vec((inner.clone(), end()), 1..3)).prop_map(|items| items.into_iter().map(|(command, end)| command + end + " ").collect::<String>());
        let list = list.boxed();
        prop_oneof![
            2 => (inner.clone(), prop_oneof![Just(" && "), Just("||"), Just(" &&\n"), Just("&\\\n&"), Just(" || # x\n ")], inner.clone()).prop_map(|(a, joint, b)| format!("{a}{joint}{b}")),
            2 => (inner.clone(), prop_oneof![Just(" | "), Just("|"), Just(" |\n"), Just(if shell == Shell::Bash { "|&" } else { "|" })], inner.clone()).prop_map(|(a, pipe, b)| format!("{a}{pipe}{b}")),
            1 => list.clone().prop_map(|list| format!("{{ {list}}}")),
            1 => (list.clone(), redirection()).prop_map(|(list, redirection)| format!("( {list}) {redirection}")),
            1 => inner.clone().prop_map(|command| format!("( {command}\n)")),
            1 => inner.clone().prop_map(|command| format!("! {command}")),
            1 => inner.clone().prop_map(|command| format!("time {command}")),
            1 => (list.clone(), list.clone(), list.clone()).prop_map(|(a, b, c)| format!("if {a}then {b}else {c}fi")),
            1 => (list.clone(), list.clone(), list.clone()).prop_map(|(a, b, c)| format!("if\n{a}then {b}elif {c} then tt 1\nfi")),
            1 => list.clone().prop_map(|body| format!("while ff; do {body}done")),
            1 => list.clone().prop_map(|body| format!("until tt\ndo {body}done")),
            2 => (vec(plain_word(), 0..3), list.clone()).prop_map(|(words, body)| format!("for i in {}; do {body}done", words.join(" "))),
            1 => (plain_word(), plain_word(), list.clone(), list.clone())
                .prop_map(|(word, pattern, a, b)| format!("case {word} in {pattern}|(x) {a};; *) {b};; esac").replace("|(x)", "|x)")),
            1 => (plain_word(), list.clone()).prop_map(|(word, a)| format!("case {word} in\n(a) ;; (*) {a}esac")),
            1 => list.clone().prop_map(|list| format!("oo \"$({list})\"")),
            1 => list.clone().prop_map(|list| format!("oo x$({list})")),
            1 => inner.clone().prop_map(|command| format!("oo `{}`", command.replace('\\', "\\\\").replace('`', "\\`"))),
        ]
    });
    vec(
        (
            tree,
            prop_oneof![3 => end().prop_map(str::to_owned), 1 => Just(" & ".to_owned()), 1 => Just("\n#\n".to_owned())],
        ),
        1..3,
    )
    .prop_map(|items| {
        here_documents(&(items.into_iter().map(|(command, end)| command + &end).collect::<String>() + "\nwait"))
    })
}

/// Moves what stands between the marks behind the next newline.
fn here_documents(text: &str) -> String {
    let (mut done, mut waiting, mut inside) = (String::new(), String::new(), false);
    for c in text.chars() {
        match c {
            '\u{1}' => inside = true,
            '\u{2}' => inside = false,
            _ if inside => waiting.push(c),
            '\n' if !done.ends_with('\\') => {
                done.push(c);
                done.push_str(&std::mem::take(&mut waiting));
            }
            _ => done.push(c),
        }
    }
    done
}

/// Texts of what shells stumble over, mostly wrong ones.
pub fn anything() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        8 => prop::sample::select(vec!["tt", "ff", "oo", "tt a", "oo b", "ff c"]).prop_map(str::to_owned),
        6 => Just(" ".to_owned()), 3 => Just("\n".to_owned()),
        6 => "[;&|()<>{}]", 2 => "['\"`\\\\$#!~=*?\\[\\]]",
        3 => prop::sample::select(vec![
            "$(", "`", "\"", "'", "${", "$((", "))", "<<E\n", "\nE\n", "<<'E'", "<<-E", "\\\n", "$'", "&>", ">&", "|&", ";;", "case x in", "x)", "esac",
            "if ", "then ", "fi", "do ", "done", "for i in a b", "while ff", "{ ", " }", "time ", "! ", "in", "[[ ", " ]]", "((", "{tt,a}", "{oo,x} ", "v=",
            "w+=", "$v", "$x", "${x:-", "$w", "<(", ">(", "2>&1", ">f", "2>g", "a[", "<&", "function f ", "f()", "#", " # ", "$\\\n(tt z)", "oo `tt`", "$\"",
            "\\'", "\\\"", "\\`", "<<<", "\t", "else ", "elif ", "coproc ", "select ", "$[1]", "${#v}", "=(", "~", "'E'",
        ]).prop_map(str::to_owned),
    ];
    join(vec(token, 1..12))
}
