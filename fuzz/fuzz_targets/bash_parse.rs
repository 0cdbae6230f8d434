//! No text makes the parser of shell commands panic, loop or point outside of the text; and where it understands two texts on
//! their own, it sees the commands of both when one follows the other.
//!
//! `cargo +nightly fuzz run bash_parse`

#![no_main]

use agentscope_tool_builtins::bash::{Node, Shell, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for shell in [Shell::Bash, Shell::Posix] {
        let script = parse(text, shell);
        let inside = |start: usize, end: usize| assert!(text.get(start..end).is_some(), "a place outside of the text");
        if let Some(fault) = &script.fault {
            inside(fault.span.start, fault.span.end);
            continue;
        }
        script.list.walk(&mut |node| {
            if let Node::Word(word) = node {
                inside(word.span().start, word.span().end);
            }
        });
        let twice = parse(&format!("{text}\n{text}"), shell);
        if twice.fault.is_none() {
            assert_eq!(twice.simple_commands().len(), 2 * script.simple_commands().len(), "commands were lost");
        }
    }
});
