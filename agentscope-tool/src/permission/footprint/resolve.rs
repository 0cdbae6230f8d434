//! Looking up, once per call, where its paths lead and where path rules begin.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use indexmap::IndexSet;

use super::{Footprint, PathAccess};
use crate::backend::{Backend, BackendError, Operation, host};
use crate::permission::context::PermissionContext;
use crate::permission::pattern::{PathPattern, below_home, fold};
use crate::permission::rule::{PermissionBehavior, PermissionRule, READ_TOOLS, WRITE_TOOLS};

/// What was looked up for a call.
#[derive(Debug, Default)]
pub(super) struct Resolution {
    home: Option<String>,
    /// The current directory and the working directories, each folded as text.
    anchors: Vec<String>,
    /// The same with links followed.
    pub(super) working_directories: Vec<String>,
    /// The directories at which the path rules begin, by the rule's address. The rule is kept so that no other gets its
    /// address.
    bases: HashMap<usize, (PermissionRule, Vec<String>)>,
}

impl Resolution {
    /// The directories at which a rule's pattern begins: as they are written, and with links followed.
    pub(super) fn with_bases<R>(
        &self,
        rule: &PermissionRule,
        pattern: &PathPattern,
        look: impl FnOnce(&[String]) -> R,
    ) -> R {
        match self.bases.get(&rule.address()) {
            Some((_, bases)) => look(bases),
            // A rule that is none of the context's, such as a suggestion.
            None => look(&self.written_bases(rule, pattern)),
        }
    }

    fn written_bases(&self, rule: &PermissionRule, pattern: &PathPattern) -> Vec<String> {
        let home = self.home.as_deref();
        match rule.anchor() {
            Some(anchor) => {
                // The first anchor is the current directory.
                let anchor = self.anchors.first().map_or_else(|| fold(anchor), |cwd| absolute(anchor, cwd));
                pattern.bases(&[&anchor], home)
            }
            None => pattern.bases(&self.anchors.iter().map(String::as_str).collect::<Vec<_>>(), home),
        }
    }
}

impl Footprint {
    /// The same with its paths resolved. A call without paths needs no look at the file system.
    pub(in crate::permission) async fn resolved(mut self, context: &PermissionContext, tool: &str) -> Self {
        if self.paths.is_empty() {
            return self;
        }
        // Boxed: its future would make that of every check too large for an allocator's fast lists.
        match Box::pin(self.look_up(context, tool)).await {
            Ok(()) => self,
            Err(error) => self.and_unknown(format!("its paths cannot be resolved: {error}")),
        }
    }

    async fn look_up(&mut self, context: &PermissionContext, tool: &str) -> Result<(), Unresolved> {
        let place = Place(self.backend.as_deref());
        let cwd = place.cwd().await.and_then(absolute_answer);
        let cwd = cwd.map_err(|error| Unresolved::new("the current directory", &error))?;
        let rules = self.path_rules(context, tool);
        let home = match starts_at_home(&rules, context) {
            // Without a home, what is written with `~` leads nowhere.
            true => place.home().await.and_then(absolute_answer).ok(),
            false => None,
        };
        let directories = context.working_directories().map(|directory| directory.path.as_str());
        let directories = directories.filter_map(|directory| expand(directory, &cwd, home.as_deref()));
        let anchors = std::iter::once(cwd.clone()).chain(directories).collect();
        let mut resolution = Resolution { home, anchors, ..Resolution::default() };
        let written: Vec<Vec<String>> =
            rules.iter().map(|(rule, pattern)| resolution.written_bases(rule, pattern)).collect();

        // The paths are asked about as they were given: what `..` means depends on the links before it.
        let given = self.paths.iter().map(|path| join(&path.given, &cwd));
        let question: IndexSet<String> =
            given.chain(resolution.anchors.iter().cloned()).chain(written.iter().flatten().cloned()).collect();
        let question: Vec<String> = question.into_iter().collect();
        let answers = place.canonicalize_all(&question).await;
        if answers.len() != question.len() {
            return Err(Unresolved { what: "some paths".into(), cause: "the backend did not answer for each".into() });
        }
        let answers: HashMap<&str, Result<String, BackendError>> = question
            .iter()
            .map(String::as_str)
            .zip(answers)
            .map(|(path, answer)| (path, answer.and_then(absolute_answer)))
            .collect();

        // What one path hides must not keep the others from being compared.
        let mut unresolved = None;
        for path in &mut self.paths {
            path.folded = absolute(&path.given, &cwd);
            match &answers[join(&path.given, &cwd).as_str()] {
                Ok(resolved) => {
                    path.resolved.clone_from(resolved);
                    path.is_resolved = true;
                }
                Err(error) => {
                    path.resolved.clone_from(&path.folded);
                    unresolved.get_or_insert_with(|| Unresolved::new(&path.given, error));
                }
            }
        }
        // A working directory or a rule's directory that leads nowhere can only be compared as it is written.
        let followed = |path: &String| answers[path.as_str()].as_ref().ok().cloned();
        resolution.working_directories = resolution.anchors.iter().filter_map(followed).collect();
        for ((rule, _), written) in rules.iter().zip(&written) {
            let bases: IndexSet<String> = written.iter().cloned().chain(written.iter().filter_map(followed)).collect();
            resolution.bases.insert(rule.address(), ((*rule).clone(), bases.into_iter().collect()));
        }
        self.resolution = Some(Arc::new(resolution));
        unresolved.map_or(Ok(()), Err)
    }

    /// The rules of the context whose path patterns may be compared with this footprint.
    fn path_rules<'c>(&self, context: &'c PermissionContext, tool: &str) -> Vec<(&'c PermissionRule, &'c PathPattern)> {
        use PermissionBehavior::{Allow, Ask, Deny};
        let own = [Deny, Ask, Allow].into_iter().flat_map(|behavior| context.rules_of(behavior, tool));
        let others = self
            .path_tools(tool)
            .flat_map(|tool| context.rules_of(Deny, tool).iter().chain(context.rules_of(Ask, tool)));
        own.chain(others).filter_map(|rule| Some((rule, rule.pattern()?.ok()?))).collect()
    }

    /// The other tools whose rules speak about the paths of this call.
    pub(in crate::permission) fn path_tools<'t>(&self, tool: &'t str) -> impl Iterator<Item = &'static str> + use<'t> {
        let touches = |access| self.paths.iter().any(|path| path.access == access);
        let reads = touches(PathAccess::Read).then_some(READ_TOOLS);
        let writes = touches(PathAccess::Write).then_some(WRITE_TOOLS);
        reads.into_iter().flatten().chain(writes.into_iter().flatten()).filter(move |name| *name != tool)
    }
}

/// Whether the home directory has to be known.
fn starts_at_home(rules: &[(&PermissionRule, &PathPattern)], context: &PermissionContext) -> bool {
    rules.iter().any(|(_, pattern)| pattern.starts_at_home())
        || context.working_directories().any(|directory| below_home(&directory.path).is_some())
}

/// What a backend answers has to be a place in its own file system.
fn absolute_answer(path: String) -> Result<String, BackendError> {
    if path.starts_with('/') {
        return Ok(fold(&path));
    }
    Err(BackendError::other(Operation::Canonicalize, path, "the backend's answer is not an absolute path"))
}

/// Where paths are looked up.
struct Place<'b>(Option<&'b dyn Backend>);

impl Place<'_> {
    async fn cwd(&self) -> Result<String, BackendError> {
        match self.0 {
            Some(backend) => backend.cwd().await,
            None => host::cwd().await.map_err(|error| BackendError::io(Operation::CurrentDirectory, "", error)),
        }
    }

    async fn home(&self) -> Result<String, BackendError> {
        match self.0 {
            Some(backend) => backend.home().await,
            None => host::home().await.map_err(|error| BackendError::io(Operation::Home, "", error)),
        }
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<Result<String, BackendError>> {
        if let Some(backend) = self.0 {
            return backend.canonicalize_all(paths).await;
        }
        let answers = host::canonicalize_all(paths).await.into_iter().zip(paths);
        answers
            .map(|(answer, path)| answer.map_err(|error| BackendError::io(Operation::Canonicalize, path, error)))
            .collect()
    }
}

/// A path that leads nowhere that could be named.
struct Unresolved {
    what: String,
    cause: String,
}

impl Unresolved {
    fn new(what: &str, error: &BackendError) -> Self {
        Self { what: what.escape_debug().to_string(), cause: error.reason().into_owned() }
    }
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.cause)
    }
}

fn join(path: &str, cwd: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{cwd}/{path}") }
}

fn absolute(path: &str, cwd: &str) -> String {
    fold(&join(path, cwd))
}

/// A working directory as an absolute path, or nothing if it is in a home that is not known.
fn expand(directory: &str, cwd: &str, home: Option<&str>) -> Option<String> {
    match below_home(directory) {
        Some(rest) => home.map(|home| fold(&format!("{home}{rest}"))),
        None => Some(absolute(directory, cwd)),
    }
}
