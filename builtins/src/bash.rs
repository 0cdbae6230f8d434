//! Shell commands: what a command text would run, as far as that can be known without running it.

mod ast;
#[allow(dead_code, unused_imports, reason = "the shell tool will ask it")]
mod catalogue;
mod fault;
mod limits;
mod parser;
#[cfg_attr(not(test), expect(dead_code, reason = "the tool that is to run commands calls it"))]
mod run;
mod shell;

pub use ast::{
    Arm, Assignment, Command, Compound, Item, Joint, List, Node, Part, Pipeline, Redirection, RedirectionKind, Script,
    SimpleCommand, Span, Tilde, Unknown, Word,
};
pub use fault::{Fault, FaultKind};
pub use limits::{MAX_BYTES, MAX_COMMANDS, MAX_DEPTH};
pub use parser::parse;
pub use run::BashArgs;
pub use shell::Shell;
