//! Looking up, once per call, where its paths lead and where path rules begin.

use std::collections::HashMap;
use std::fmt;
use std::io;

use super::{Footprint, PathAccess};
use crate::backend::{Backend, host};
use crate::permission::context::PermissionContext;
use crate::permission::pattern::{PathPattern, fold};
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
            Some(anchor) => pattern.bases(&[anchor], home),
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
        match self.look_up(context, tool).await {
            Ok(()) => self,
            Err(error) => self.and_unknown(format!("its paths cannot be resolved: {error}")),
        }
    }

    async fn look_up(&mut self, context: &PermissionContext, tool: &str) -> Result<(), Unresolved> {
        let place = Place(self.backend.as_deref());
        let cwd = fold(&place.cwd().await.map_err(|error| Unresolved::new("the current directory", &error))?);
        let rules = self.path_rules(context, tool);
        let home = if starts_at_home(&rules, context) {
            // Without a home, what is written with `~` leads nowhere.
            place.home().await.ok().map(|home| fold(&home))
        } else {
            None
        };

        for path in &mut self.paths {
            path.folded = absolute(&path.given, &cwd);
        }
        let written_directories =
            context.working_directories().filter_map(|directory| expand(&directory.path, &cwd, home.as_deref()));
        let anchors: Vec<String> = std::iter::once(cwd.clone()).chain(written_directories).collect();
        let mut resolution = Resolution { home, anchors, ..Resolution::default() };
        let mut bases: Vec<Vec<String>> = Vec::with_capacity(rules.len());
        for (rule, pattern) in &rules {
            bases.push(resolution.written_bases(rule, pattern));
        }

        // The paths are asked about as they were given: what `..` means depends on the links before it.
        let mut question: Vec<String> = self.paths.iter().map(|path| join(&path.given, &cwd)).collect();
        question.extend(resolution.anchors.iter().cloned());
        let first_base = question.len();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for base in bases.iter().flatten() {
            let next = first_base + known.len();
            known.entry(base).or_insert(next);
        }
        let mut distinct: Vec<(&str, usize)> = known.iter().map(|(base, index)| (*base, *index)).collect();
        distinct.sort_unstable_by_key(|(_, index)| *index);
        question.extend(distinct.into_iter().map(|(base, _)| base.to_owned()));

        let answers = place.canonicalize_all(&question).await;
        if answers.len() != question.len() {
            return Err(Unresolved { what: "some paths".into(), cause: "the backend did not answer for each".into() });
        }
        for (index, path) in self.paths.iter_mut().enumerate() {
            match &answers[index] {
                Ok(resolved) => path.resolved = fold(resolved),
                Err(error) => return Err(Unresolved::new(&path.given, error)),
            }
        }
        // A working directory or a rule's directory that leads nowhere can only be compared as it is written.
        let directories = &answers[self.paths.len()..first_base];
        resolution.working_directories = directories.iter().flatten().map(|directory| fold(directory)).collect();
        let followed: Vec<Vec<String>> = bases
            .iter()
            .map(|written| {
                let followed = written
                    .iter()
                    .filter_map(|base| answers[known[base.as_str()]].as_ref().ok().map(|base| fold(base)));
                let mut all: Vec<String> = written.clone();
                for base in followed {
                    if !all.contains(&base) {
                        all.push(base);
                    }
                }
                all
            })
            .collect();
        for ((rule, _), bases) in rules.iter().zip(followed) {
            resolution.bases.insert(rule.address(), ((*rule).clone(), bases));
        }
        self.resolution = Some(std::sync::Arc::new(resolution));
        Ok(())
    }

    /// The rules of the context whose path patterns may be compared with this footprint.
    fn path_rules<'c>(&self, context: &'c PermissionContext, tool: &str) -> Vec<(&'c PermissionRule, &'c PathPattern)> {
        let mut rules: Vec<&PermissionRule> = Vec::new();
        for behavior in [PermissionBehavior::Deny, PermissionBehavior::Ask] {
            rules.extend(self.path_tools(tool).flat_map(|tool| context.rules_of(behavior, tool)));
        }
        rules.extend(
            [PermissionBehavior::Deny, PermissionBehavior::Ask, PermissionBehavior::Allow]
                .into_iter()
                .flat_map(|behavior| context.rules_of(behavior, tool)),
        );
        rules.into_iter().filter_map(|rule| Some((rule, rule.pattern()?.ok()?))).collect()
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
        || context.working_directories().any(|directory| directory.path.starts_with('~'))
}

/// Where paths are looked up.
struct Place<'b>(Option<&'b dyn Backend>);

impl Place<'_> {
    async fn cwd(&self) -> io::Result<String> {
        match self.0 {
            Some(backend) => backend.cwd().await,
            None => host::cwd().await,
        }
    }

    async fn home(&self) -> io::Result<String> {
        match self.0 {
            Some(backend) => backend.home().await,
            None => host::home().await,
        }
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<io::Result<String>> {
        match self.0 {
            Some(backend) => backend.canonicalize_all(paths).await,
            None => host::canonicalize_all(paths).await,
        }
    }
}

/// A path that leads nowhere that could be named.
struct Unresolved {
    what: String,
    cause: String,
}

impl Unresolved {
    fn new(what: &str, error: &io::Error) -> Self {
        Self { what: what.escape_debug().to_string(), cause: error.to_string() }
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
    match directory.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => home.map(|home| fold(&format!("{home}{rest}"))),
        _ => Some(absolute(directory, cwd)),
    }
}
