//! Everything that a tree holds, the commands inside substitutions included.

use super::{Assignment, Command, Compound, List, Pipeline, Redirection, Script, SimpleCommand, Unknown, Word};

/// A part of a tree, as [`List::walk`] shows them.
#[derive(Debug, Clone, Copy)]
pub enum Node<'a> {
    /// A simple command; its words and redirections follow as nodes of their own.
    Simple(&'a SimpleCommand),
    /// A compound command; its parts follow.
    Compound(&'a Compound),
    /// An assignment before a command.
    Assignment(&'a Assignment),
    /// A redirection of a simple or compound command; its target follows as a word.
    Redirection(&'a Redirection),
    /// Any word: an argument, a value, a target, a pattern.
    Word(&'a Word),
}

impl Script {
    /// All simple commands, in the order in which they are written, those inside compound commands and substitutions included.
    #[must_use]
    pub fn simple_commands(&self) -> Vec<&SimpleCommand> {
        let mut commands = Vec::new();
        self.list.walk(&mut |node| {
            if let Node::Simple(command) = node {
                commands.push(command);
            }
        });
        commands
    }
}

impl List {
    /// Shows every part of the list to `see`, outer parts before what is in them.
    pub fn walk<'a>(&'a self, see: &mut dyn FnMut(Node<'a>)) {
        for item in &self.items {
            item.pipelines().for_each(|pipeline| pipeline.walk(see));
        }
    }
}

impl Pipeline {
    fn walk<'a>(&'a self, see: &mut dyn FnMut(Node<'a>)) {
        for command in &self.commands {
            match command {
                Command::Simple(simple) => {
                    see(Node::Simple(simple));
                    for assignment in &simple.assignments {
                        see(Node::Assignment(assignment));
                        assignment.value.walk(see);
                    }
                    simple.words.iter().for_each(|word| word.walk(see));
                    redirections(&simple.redirections, see);
                }
                Command::Compound { kind, redirections: behind, .. } => {
                    see(Node::Compound(kind));
                    kind.walk(see);
                    redirections(behind, see);
                }
            }
        }
    }
}

impl Compound {
    fn walk<'a>(&'a self, see: &mut dyn FnMut(Node<'a>)) {
        match self {
            Self::Group(list) | Self::Subshell(list) => list.walk(see),
            Self::If { branches, otherwise } => {
                for (condition, body) in branches {
                    condition.walk(see);
                    body.walk(see);
                }
                otherwise.iter().for_each(|list| list.walk(see));
            }
            Self::While { condition, body, .. } => {
                condition.walk(see);
                body.walk(see);
            }
            Self::For { words, body, .. } => {
                words.iter().flatten().for_each(|word| word.walk(see));
                body.walk(see);
            }
            Self::Case { word, arms } => {
                word.walk(see);
                for arm in arms {
                    arm.patterns.iter().for_each(|pattern| pattern.walk(see));
                    arm.body.walk(see);
                }
            }
        }
    }
}

impl Word {
    fn walk<'a>(&'a self, see: &mut dyn FnMut(Node<'a>)) {
        see(Node::Word(self));
        for what in self.unknowns() {
            if let Unknown::Substitution(list) | Unknown::ProcessInput(list) | Unknown::ProcessOutput(list) = what {
                list.walk(see);
            }
        }
    }
}

fn redirections<'a>(redirections: &'a [Redirection], see: &mut dyn FnMut(Node<'a>)) {
    for redirection in redirections {
        see(Node::Redirection(redirection));
        redirection.target.walk(see);
    }
}
