//! What a tree says will be run, for trees whose values can be told beforehand.

use super::shell::{HOME, Recorder, VARIABLES};
use agentscope_tool_builtins::bash::{
    Command, Compound, Joint, List, Part, Pipeline, Redirection, RedirectionKind, Shell, SimpleCommand, Tilde, Unknown,
    Word,
};
use std::collections::HashMap;

/// A shell that runs trees. `None` means that a tree has something that cannot be told beforehand.
#[derive(Clone)]
pub struct World<'r> {
    recorder: &'r Recorder,
    variables: HashMap<String, String>,
    pub calls: Vec<Vec<String>>,
    pub files: Vec<String>,
    /// What the substitutions around the command have printed so far, outermost first.
    outputs: Vec<String>,
    /// Which of these the standard output and the errors go to, if any.
    out: Option<usize>,
    err: Option<usize>,
    /// How many compound commands and substitutions are around the command.
    depth: usize,
    /// The order of the calls is open.
    pub concurrent: bool,
}

impl<'r> World<'r> {
    pub fn new(recorder: &'r Recorder) -> Self {
        let variables = VARIABLES.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self {
            recorder,
            variables,
            calls: vec![],
            files: vec![],
            outputs: vec![],
            out: None,
            err: None,
            depth: 0,
            concurrent: false,
        }
    }

    /// Runs in an environment whose changes are lost.
    fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let variables = self.variables.clone();
        let result = run(self);
        self.variables = variables;
        result
    }

    /// The status: whether the last command succeeded.
    pub fn list(&mut self, list: &List) -> Option<bool> {
        let mut status = true;
        for item in &list.items {
            self.concurrent |= item.background;
            // The shell waits for those of the outermost list only.
            if item.background && self.depth > 0 {
                return None;
            }
            let run = |world: &mut Self| {
                let mut status = world.pipeline(&item.first)?;
                for (joint, pipeline) in &item.rest {
                    if (*joint == Joint::And) == status {
                        status = world.pipeline(pipeline)?;
                    }
                }
                Some(status)
            };
            status = if item.background { self.apart(run).map(|_| true)? } else { run(self)? };
        }
        self.files.sort();
        self.files.dedup();
        Some(status)
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Option<bool> {
        let mut status = true;
        let (last, before) = pipeline.commands.split_last()?;
        self.concurrent |= !before.is_empty();
        for command in before {
            // The tree does not say whether the errors go into the pipe as well.
            if self.err.is_some() {
                return None;
            }
            let out = self.out.take();
            self.apart(|world| world.command(command))?;
            self.out = out;
        }
        if before.is_empty() {
            status &= self.command(last)?
        } else {
            status &= self.apart(|world| world.command(last))?
        }
        Some(status != pipeline.negated)
    }

    fn command(&mut self, command: &Command) -> Option<bool> {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound { kind, redirections, .. } => {
                let (out, err) = (self.out, self.err);
                self.redirect(redirections)?;
                self.depth += 1;
                let status = self.compound(kind)?;
                self.depth -= 1;
                (self.out, self.err) = (out, err);
                Some(status)
            }
        }
    }

    /// Changes where output goes, and notes the files that are made.
    fn redirect(&mut self, redirections: &[Redirection]) -> Option<()> {
        for redirection in redirections {
            if matches!(redirection.kind, RedirectionKind::HereDocument | RedirectionKind::HereString) {
                continue;
            }
            let [target] = &self.fields(&redirection.target, false)?[..] else { return None };
            let number = redirection.descriptor.unwrap_or(1);
            match redirection.kind {
                RedirectionKind::Read if target == "/dev/null" => continue,
                RedirectionKind::Duplicate => {
                    let source = match target.as_str() {
                        "1" => self.out,
                        "2" => self.err,
                        _ => return None,
                    };
                    match number {
                        1 => self.out = source,
                        2 => self.err = source,
                        _ => {}
                    }
                    continue;
                }
                RedirectionKind::Read | RedirectionKind::ReadWrite => return None,
                _ => {}
            }
            if target != "/dev/null" {
                if target.contains('/') || target.is_empty() {
                    return None;
                }
                self.files.push(target.clone());
            }
            let both = matches!(redirection.kind, RedirectionKind::WriteBoth | RedirectionKind::AppendBoth);
            if both || number == 1 {
                self.out = None;
            }
            if both || number == 2 {
                self.err = None;
            }
        }
        Some(())
    }

    fn simple(&mut self, simple: &SimpleCommand) -> Option<bool> {
        let mut words = Vec::new();
        for word in &simple.words {
            words.extend(self.fields(word, true)?);
        }
        let mut input = None;
        for redirection in &simple.redirections {
            match redirection.kind {
                RedirectionKind::HereDocument => input = Some(self.value(&redirection.target)?),
                RedirectionKind::HereString => input = Some(self.value(&redirection.target)? + "\n"),
                RedirectionKind::Read => input = None,
                _ => {}
            }
        }
        let (before_out, before_err) = (self.out, self.err);
        self.redirect(&simple.redirections)?;
        let out = self.out;
        (self.out, self.err) = (before_out, before_err);
        let Some(program) = words.first().cloned() else {
            for assignment in &simple.assignments {
                let value = self.value(&assignment.value)?;
                let before = self.variables.entry(assignment.name.clone()).or_default();
                *before = if assignment.append { format!("{before}{value}") } else { value };
            }
            let substitutes = |word: &Word| word.unknowns().any(|what| matches!(what, Unknown::Substitution(_)));
            // The status would be that of the last substitution.
            let plain = !simple.assignments.iter().any(|assignment| substitutes(&assignment.value))
                && !simple.words.iter().any(substitutes);
            return plain.then_some(true);
        };
        for assignment in &simple.assignments {
            self.value(&assignment.value)?;
        }
        let mut arguments = words.split_off(1);
        match program.as_str() {
            "tt" | "ff" | "oo" => {}
            "hh" => arguments.push(input.unwrap_or_default()),
            ":" | "true" | "wait" => return Some(true),
            "false" => return Some(false),
            // Nothing else is there.
            name if name.chars().all(|c| c.is_ascii_uppercase()) => return Some(false),
            _ => return None,
        }
        if program == "oo"
            && let Some(output) = out.and_then(|level| self.outputs.get_mut(level))
        {
            output.push_str(&(arguments.join(" ") + "\n"));
        }
        let status = program != "ff";
        self.calls.push([program, arguments.len().to_string()].into_iter().chain(arguments).collect());
        Some(status)
    }

    fn compound(&mut self, kind: &Compound) -> Option<bool> {
        match kind {
            Compound::Group(list) => self.list(list),
            Compound::Subshell(list) => self.apart(|world| world.list(list)),
            Compound::If { branches, otherwise } => {
                for (condition, body) in branches {
                    if self.list(condition)? {
                        return self.list(body);
                    }
                }
                otherwise.as_ref().map_or(Some(true), |list| self.list(list))
            }
            Compound::While { until, condition, body } => {
                let mut status = true;
                for _ in 0..3 {
                    if self.list(condition)? == *until {
                        return Some(status);
                    }
                    status = self.list(body)?;
                }
                None
            }
            Compound::For { name, words, body } => {
                let mut values = Vec::new();
                for word in words.iter().flatten() {
                    values.extend(self.fields(word, true)?);
                }
                let mut status = true;
                for value in values {
                    self.variables.insert(name.clone(), value);
                    status = self.list(body)?;
                }
                Some(status)
            }
            Compound::Case { word, arms } => {
                let value = self.value(word)?;
                for arm in arms {
                    for pattern in &arm.patterns {
                        let all = matches!(pattern.parts(), [Part::Glob(star)] if star == "*");
                        if all || (!pattern.has_glob() && self.value(pattern)? == value) {
                            return self.list(&arm.body);
                        }
                        if pattern.has_glob() {
                            return None;
                        }
                    }
                }
                Some(true)
            }
        }
    }

    fn value(&mut self, word: &Word) -> Option<String> {
        let fields = self.fields(word, false)?;
        Some(fields.into_iter().next().unwrap_or_default())
    }

    /// What the word becomes, patterns left as they are.
    fn fields(&mut self, word: &Word, split: bool) -> Option<Vec<String>> {
        if word.parts().is_empty() {
            return Some(vec![String::new()]);
        }
        let mut fields = Vec::new();
        let mut field: Option<String> = None;
        for part in word.parts() {
            let (value, whole) = match part {
                Part::Text(text) | Part::Glob(text) => (text.clone(), true),
                Part::Unknown { what: Unknown::Parameters, .. } => return None,
                Part::Unknown { what, quoted } => (self.unknown(what)?, *quoted || !split),
            };
            if whole {
                field.get_or_insert_default().push_str(&value);
                continue;
            }
            let blank = |c: char| matches!(c, ' ' | '\t' | '\n');
            // An empty value beside empty quotes would be a word; the tree does not keep them.
            if value.is_empty() {
                return None;
            }
            for (index, piece) in value.split(blank).enumerate() {
                if index > 0 {
                    fields.extend(field.take());
                }
                if !piece.is_empty() {
                    field.get_or_insert_default().push_str(piece);
                }
            }
        }
        fields.extend(field);
        Some(fields)
    }

    fn unknown(&mut self, what: &Unknown) -> Option<String> {
        Some(match what {
            Unknown::Variable(name) if name == "HOME" => HOME.to_owned(),
            Unknown::Variable(name)
                if name.chars().all(char::is_alphanumeric) && !name.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.variables.get(name).cloned().unwrap_or_default()
            }
            Unknown::Substitution(list) => {
                let out = self.out.replace(self.outputs.len());
                self.outputs.push(String::new());
                self.depth += 1;
                self.apart(|world| world.list(list))?;
                self.depth -= 1;
                self.out = out;
                self.outputs.pop()?.trim_end_matches('\n').to_owned()
            }
            Unknown::Tilde(Tilde::Home) => HOME.to_owned(),
            Unknown::Tilde(Tilde::User(name)) => format!("~{name}"),
            Unknown::Tilde(Tilde::Remembered(name)) => match name.as_str() {
                "+" | "0" | "+0" | "-0" if self.recorder.shell == Shell::Bash => {
                    self.recorder.work.to_str()?.to_owned()
                }
                _ => format!("~{name}"),
            },
            _ => return None,
        })
    }
}

/// Whether the words may become these arguments; what is unknown may be anything.
pub fn may_be<'a>(words: &[Word], arguments: impl Iterator<Item = &'a String>) -> bool {
    let mut pattern = String::from("(?s)^");
    for word in words {
        let mut one = String::new();
        for part in word.parts() {
            match part {
                Part::Text(text) => one.push_str(&regex::escape(text)),
                _ => one.push_str(".*"),
            }
        }
        // Each argument ends in a character that none has inside.
        if word.is_one() {
            pattern.push_str(&format!("{one}\u{1}"))
        } else {
            pattern.push_str(&format!("(?:{one}\u{1})?"))
        }
    }
    pattern.push('$');
    let text: String = arguments.map(|argument| format!("{argument}\u{1}")).collect();
    regex::Regex::new(&pattern).unwrap().is_match(&text)
}
