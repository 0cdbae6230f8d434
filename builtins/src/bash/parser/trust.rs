//! What a command may do to the reading of the commands behind it, and to expressions.

use super::super::{Compound, Fault, FaultKind, List, Node, Shell, SimpleCommand, Unknown, Word};

/// Builtins that can give a variable any value.
const BINDERS: [&str; 13] = [
    "builtin",
    "command",
    "declare",
    "exec",
    "export",
    "getopts",
    "let",
    "local",
    "mapfile",
    "read",
    "readarray",
    "readonly",
    "typeset",
];
/// Variables whose values are numbers by themselves.
const NUMBERS: [&str; 10] =
    ["BASHPID", "COLUMNS", "EUID", "LINENO", "LINES", "PPID", "RANDOM", "SECONDS", "SHLVL", "UID"];

/// A reason not to trust the tree: a command in it changes how the shell reads on, or an expression may run what a variable holds.
pub(super) fn distrust(list: &List, shell: Shell) -> Option<Fault> {
    let mut fault = None;
    let mut expressions: Vec<(&Word, &str)> = Vec::new();
    list.walk(&mut |node| match node {
        Node::Simple(command) if changes_grammar(command, shell) => {
            fault.get_or_insert(Fault {
                kind: FaultKind::Unsupported("a command that changes how the shell reads"),
                span: command.span,
            });
        }
        Node::Word(word) => {
            let names = word
                .unknowns()
                .filter_map(|what| if let Unknown::Arithmetic(names) = what { Some(names) } else { None });
            expressions.extend(names.flatten().map(|name| (word, name.as_str())));
        }
        _ => {}
    });
    for (word, name) in expressions {
        if !is_number(list, name) {
            fault.get_or_insert(Fault {
                kind: FaultKind::Unsupported("arithmetic with a variable that may hold anything"),
                span: word.span(),
            });
            break;
        }
    }
    fault
}

/// Aliases, options of the grammar, and the variable that turns on the POSIX mode.
fn changes_grammar(command: &SimpleCommand, shell: Shell) -> bool {
    if command.assignments.iter().any(|assignment| assignment.name == "POSIXLY_CORRECT") {
        return true;
    }
    let mut words = command
        .words
        .iter()
        .map(|word| word.literal().unwrap_or("?"))
        .skip_while(|word| matches!(*word, "builtin" | "command"));
    match words.next() {
        Some("alias" | "unalias") => shell == Shell::Posix,
        Some("shopt") => true,
        // Options that only change how the shell runs commands, not how it reads them.
        Some("set") => !words.all(|word| {
            let harmless = |flags: &str| flags.bytes().all(|flag| b"eufxvCmo".contains(&flag));
            word.strip_prefix(['-', '+']).is_some_and(harmless)
                || matches!(word, "errexit" | "nounset" | "pipefail" | "xtrace" | "noglob" | "noclobber")
        }),
        _ => false,
    }
}

/// Whether all that the script does with `name` is to give it numbers.
fn is_number(list: &List, name: &str) -> bool {
    let number = |word: &Word| {
        word.literal().is_some_and(|text| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let (mut bound, mut safe) = (NUMBERS.contains(&name), true);
    list.walk(&mut |node| match node {
        Node::Assignment(assignment) if assignment.name == name => {
            bound = true;
            // An expression over numbers is a number.
            let computed =
                matches!(assignment.value.parts(), [super::super::Part::Unknown { what: Unknown::Arithmetic(_), .. }]);
            safe &= number(&assignment.value) || computed;
        }
        Node::Compound(Compound::For { name: variable, words, .. }) if variable == name => {
            bound = true;
            safe &= words.as_ref().is_some_and(|words| words.iter().all(number));
        }
        Node::Simple(command) => {
            let literal = |at: usize| command.words.get(at).map(|word| word.literal().unwrap_or("-v"));
            let named = match literal(0) {
                None => false,
                Some("-v") => true,
                Some("printf") => literal(1).is_some_and(|option| option.starts_with("-v")),
                // These may do anything to any variable.
                Some("." | "eval" | "source") => return safe = false,
                Some(program) => BINDERS.contains(&program),
            };
            safe &= !named
                || command.words.iter().skip(1).all(|word| word.literal().is_some_and(|text| !text.contains(name)));
        }
        _ => {}
    });
    bound && safe
}
