//! What the analysis says a command runs, against what the shell really runs.
//!
//! The programs of the generated commands are recorders on a `PATH` of their own. `BASH_DIFFERENTIAL_CASES` sets the number of
//! cases of each test; the default is small. `BASH_DIFFERENTIAL_SHELL` (`Bash` or `Posix`) takes one shell only. Shells that are not installed are passed over.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod generate;
mod predict;
mod shell;

use agentscope_tool_builtins::bash::{Command, Node, Part, Shell, Unknown, Word, parse};
use predict::World;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use shell::Recorder;

/// How many words share one shell; starting it is what takes the time.
const WORDS_AT_ONCE: usize = 20;

fn cases(default: u32) -> u32 {
    std::env::var("BASH_DIFFERENTIAL_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(default)
}

fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config { cases, failure_persistence: None, max_global_rejects: u32::MAX, ..Config::default() })
}

fn shells() -> impl Iterator<Item = Recorder> {
    let only = std::env::var("BASH_DIFFERENTIAL_SHELL").ok();
    let shells = [Shell::Bash, Shell::Posix]
        .into_iter()
        .filter(move |shell| only.as_ref().is_none_or(|only| *only == format!("{shell:?}")));
    shells.filter_map(Recorder::new)
}

/// Runs a script that is understood and compares everything that was run.
fn compare(recorder: &Recorder, text: &str) -> Result<bool, TestCaseError> {
    let script = parse(text, recorder.shell);
    if let Some(fault) = script.fault {
        if std::env::var_os("BASH_DIFFERENTIAL_FAULTS").is_some() {
            println!("{fault} {text:?}");
        }
        return Ok(false);
    }
    let mut world = World::new(recorder);
    if world.list(&script.list).is_none() {
        return Ok(false);
    }
    let mut real = recorder.run(text, true);
    if world.concurrent {
        real.calls.sort();
        world.calls.sort();
    }
    prop_assert_eq!(&real.calls, &world.calls, "{:?} ran {:?}", recorder.shell, text);
    prop_assert_eq!(&real.files, &world.files, "{:?} wrote {:?}", recorder.shell, text);
    Ok(true)
}

#[test]
fn words_are_what_the_shell_passes() {
    for recorder in shells() {
        let mut runner = runner(1);
        let words = generate::word();
        let (mut done, mut left_out) = (0, 0);
        let wanted = cases(2000);
        while done < wanted {
            let mut batch = Vec::new();
            while batch.len() < WORDS_AT_ONCE {
                let word = words.new_tree(&mut runner).unwrap().current();
                let script = parse(&format!("oo {word}"), recorder.shell);
                if script.fault.is_none() { batch.push(word) } else { left_out += 1 }
            }
            let text = format!("oo {}", batch.join(" "));
            if compare(&recorder, &text).is_err() {
                // Find the word that is to blame.
                for word in &batch {
                    compare(&recorder, &format!("oo {word}")).unwrap();
                }
                compare(&recorder, &text).unwrap();
            }
            done += u32::try_from(batch.len()).unwrap();
        }
        println!("{:?}: {done} words the same, {left_out} not understood", recorder.shell);
        assert!(left_out < 2 * done, "too many words are not understood");
    }
}

#[test]
fn commands_run_what_the_tree_says() {
    for recorder in shells() {
        let left_out = std::cell::Cell::new(0_u32);
        let wanted = cases(300);
        runner(wanted)
            .run(&generate::command(recorder.shell), |text| {
                if compare(&recorder, &text)? {
                    return Ok(());
                }
                left_out.set(left_out.get() + 1);
                Err(TestCaseError::reject("not understood, or not to be told beforehand"))
            })
            .unwrap();
        println!("{:?}: {wanted} commands the same, {} left out", recorder.shell, left_out.get());
        assert!(left_out.get() <= 2 * wanted, "too many commands are not understood");
    }
}

#[test]
fn nothing_runs_that_is_not_in_the_tree() {
    for recorder in shells() {
        let understood = std::cell::Cell::new(0_u32);
        runner(cases(600))
            .run(&generate::anything(), |text| {
                let script = parse(&text, recorder.shell);
                if script.fault.is_some() {
                    return Ok(());
                }
                understood.set(understood.get() + 1);
                let real = recorder.run(&text, true);
                let known = script.simple_commands();
                for call in &real.calls {
                    let (program, arguments) = call.split_first().unwrap();
                    let found = known.iter().any(|command| {
                        predict::may_be(&command.words, std::iter::once(program).chain(arguments.iter().skip(1)))
                    });
                    prop_assert!(found, "{:?} ran {:?} in {:?}", recorder.shell, call, text);
                }
                let mut targets = Vec::new();
                script.list.walk(&mut |node| {
                    if let Node::Redirection(redirection) = node {
                        targets.push(&redirection.target);
                    }
                });
                for file in &real.files {
                    let found = targets
                        .iter()
                        .any(|target| predict::may_be(std::slice::from_ref(*target), std::iter::once(file)));
                    prop_assert!(found, "{:?} wrote {:?} in {:?}", recorder.shell, file, text);
                }
                Ok(())
            })
            .unwrap();
        println!("{:?}: {} texts understood", recorder.shell, understood.get());
    }
}

#[test]
fn what_is_said_of_a_word_with_a_pattern_holds() {
    for recorder in shells() {
        for name in ["a", "-x", ".env", "b]", "[c", "d e"] {
            std::fs::write(recorder.work.join(name), "").unwrap();
        }
        runner(cases(100))
            .run(&generate::pattern(), |text| {
                let script = parse(&format!("tt {text}"), recorder.shell);
                let words = match (&script.fault, script.list.items.first().map(|item| &item.first.commands[..])) {
                    (None, Some([Command::Simple(simple)])) if simple.words.len() == 2 => &simple.words,
                    _ => return Ok(()),
                };
                let real = recorder.run(&format!("tt {text}"), false);
                let arguments = &real.calls[0][2..];
                let word = &words[1];
                if let Some(literal) = word.literal() {
                    prop_assert_eq!(arguments, [literal.to_owned()], "{:?}", text);
                }
                prop_assert!(!word.is_one() || arguments.len() == 1, "{:?} {:?}", text, arguments);
                for argument in arguments {
                    prop_assert!(argument.starts_with(word.literal_prefix()), "{:?} {:?}", text, arguments);
                }
                Ok(())
            })
            .unwrap();
    }
}

/// Cases that were wrong somewhere once: in this parser, in other agents, or in the shells' manuals.
#[test]
fn known_corners_are_the_same() {
    let corners = include_str!("corners.txt");
    for recorder in shells() {
        let mut understood = 0;
        for text in corners.split("\n----\n") {
            understood += u32::from(compare(&recorder, text).unwrap());
        }
        println!("{:?}: {understood} corners understood", recorder.shell);
        assert!(understood > 20);
    }
}

#[test]
fn a_wrong_tree_would_be_noticed() {
    for recorder in shells() {
        let real = recorder.run("oo a 'b c' && ff; tt > file", true);
        let calls: Vec<Vec<&str>> = real.calls.iter().map(|call| call.iter().map(String::as_str).collect()).collect();
        assert_eq!(calls, [vec!["oo", "2", "a", "b c"], vec!["ff", "0"], vec!["tt", "0"]]);
        assert_eq!(real.files, ["file"]);
        let words = [
            Word::text("oo"),
            Word::new([Part::Unknown { what: Unknown::Parameters, quoted: true }], Default::default()),
        ];
        assert!(predict::may_be(&words, ["oo".to_owned(), "x".to_owned()].iter()));
        assert!(!predict::may_be(&words[..1], ["oo".to_owned(), "x".to_owned()].iter()));
    }
}
