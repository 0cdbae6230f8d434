//! Shell commands: what a command text would run, as far as that can be known without running it.

mod analysis;
mod ast;
mod catalogue;
mod explain;
mod fault;
mod limits;
mod parser;
mod rule;
mod run;
mod shell;
mod tool;

pub use analysis::{Analysis, analyse};
pub use ast::{
    Arm, Assignment, Command, Compound, Item, Joint, List, Node, Part, Pipeline, Redirection, RedirectionKind, Script,
    SimpleCommand, Span, Tilde, Unknown, Word,
};
pub use catalogue::EntryError;
pub use explain::explain;
pub use fault::{Fault, FaultKind};
pub use limits::{MAX_BYTES, MAX_COMMANDS, MAX_DEPTH};
pub use parser::parse;
pub use run::BashArgs;
pub use shell::Shell;
pub use tool::Bash;
