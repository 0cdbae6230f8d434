//! Comparing rules with what a call touches.

use super::resolve::Resolution;
use super::{Footprint, PathAccess, TouchedPath};
use crate::permission::pattern::{PathPattern, below, escape};
use crate::permission::rule::{PermissionBehavior, PermissionRule, WRITE_TOOLS};

impl Footprint {
    /// Whether a rule whose content is a path pattern matches this call: one that allows has to cover every path, and
    /// covers neither commands nor hosts; one that denies or asks has to hit any path. It is what `match_rule` does for a tool whose rules are path patterns.
    ///
    /// A pattern that is not valid allows nothing, and denies and asks about everything.
    #[must_use]
    pub fn matches(&self, rule: &PermissionRule) -> bool {
        match rule.pattern() {
            None => true,
            Some(Err(_)) => rule.behavior() != PermissionBehavior::Allow,
            Some(Ok(pattern)) if rule.behavior() == PermissionBehavior::Allow => {
                let only_paths = self.is_known() && self.commands.is_empty() && self.hosts.is_empty();
                only_paths
                    && !self.paths.is_empty()
                    && self.paths.iter().all(|path| self.compare(rule, pattern, |base| covers(pattern, base, path)))
            }
            Some(Ok(pattern)) => {
                self.paths.iter().any(|path| self.compare(rule, pattern, |base| hits(pattern, base, path)))
            }
        }
    }

    /// The path that a deny or ask rule of a file tool hits, if any: such rules speak about paths, whichever tool
    /// touches them. One with a pattern that is not valid hits all of them.
    pub(in crate::permission) fn hit_by(&self, rule: &PermissionRule) -> Option<&TouchedPath> {
        let access = if WRITE_TOOLS.contains(&rule.tool_name()) { PathAccess::Write } else { PathAccess::Read };
        // Without a content, the rule is about the tool of that name.
        let pattern = rule.pattern()?.ok();
        self.paths
            .iter()
            .filter(|path| path.access == access)
            .find(|path| pattern.is_none_or(|pattern| self.compare(rule, pattern, |base| hits(pattern, base, path))))
    }

    /// Whether the call touches paths, and all of them lie in the current directory or in a working directory, links
    /// followed. It is false before the engine has resolved the paths.
    #[must_use]
    pub fn is_inside_working_directories(&self) -> bool {
        let Some(resolution) = &self.resolution else { return false };
        let inside = |path: &TouchedPath| {
            resolution.working_directories.iter().any(|directory| below(directory, &path.resolved).is_some())
        };
        self.is_known() && !self.paths.is_empty() && self.paths.iter().all(inside)
    }

    fn is_known(&self) -> bool {
        self.unknown.is_none() && self.unknown_reads.is_none()
    }

    /// Rules that would allow this tool the directories of the paths that it touches, at most five, with links followed
    /// and the characters that mean something in patterns escaped. Directories that differ in one name are suggested
    /// together too, as in `/w/{src,tests}/**`: a rule for one of them would not cover the call.
    #[must_use]
    pub fn suggest_directories(&self, tool: &str) -> Vec<PermissionRule> {
        const MOST: usize = 5;
        let mut contents: Vec<String> = Vec::new();
        for path in &self.paths {
            // `dir/**` is not `dir` itself, which a call that writes a tree may remove.
            let is_root = path.tree && path.access == PathAccess::Read;
            let directory = if is_root { path.resolved.as_str() } else { parent(&path.resolved) };
            let content = match directory {
                // Nobody means the whole machine by a file that lies at its root.
                "" | "/" if !path.tree => escape(&path.resolved),
                "" | "/" => "/**".into(),
                directory => format!("{}/**", escape(directory)),
            };
            if !contents.contains(&content) {
                contents.push(content);
            }
        }
        // A rule for one of several directories would not cover the call.
        if let Some(all) = in_one_pattern(&contents) {
            contents.insert(0, all);
        }
        let rule = |content| {
            PermissionRule::whole_tool(tool, PermissionBehavior::Allow).with_content(content).with_source("suggested")
        };
        contents.into_iter().take(MOST).map(rule).collect()
    }

    /// The call's parts, one at a time, each with words for it.
    pub(in crate::permission) fn parts(&self) -> Vec<(String, Self)> {
        let empty = Self { paths: Vec::new(), commands: Vec::new(), hosts: Vec::new(), ..self.clone() };
        let mut parts = Vec::new();
        for path in &self.paths {
            parts.push((path.resolved.clone(), Self { paths: vec![path.clone()], ..empty.clone() }));
        }
        for command in &self.commands {
            parts.push((command.join(" "), Self { commands: vec![command.clone()], ..empty.clone() }));
        }
        for host in &self.hosts {
            parts.push((host.clone(), Self { hosts: vec![host.clone()], ..empty.clone() }));
        }
        parts
    }

    fn compare(&self, rule: &PermissionRule, pattern: &PathPattern, compare: impl Fn(&str) -> bool) -> bool {
        let any = |bases: &[String]| bases.iter().any(|base| compare(base));
        match &self.resolution {
            Some(resolution) => resolution.with_bases(rule, pattern, any),
            // The engine has not looked yet: only what is absolute can be compared.
            None => Resolution::default().with_bases(rule, pattern, any),
        }
    }
}

/// Only where the path really leads counts for what is allowed.
fn covers(pattern: &PathPattern, base: &str, path: &TouchedPath) -> bool {
    if path.tree {
        pattern.covers_tree(base, &path.resolved, path.access == PathAccess::Write)
    } else {
        pattern.matches(base, &path.resolved)
    }
}

/// Where the path seems to lead counts for what is denied, too.
fn hits(pattern: &PathPattern, base: &str, path: &TouchedPath) -> bool {
    [&path.resolved, &path.folded]
        .into_iter()
        .any(|text| pattern.hits(base, text) || (path.tree || path.removed) && pattern.may_touch_tree(base, text))
}

/// One pattern for exactly what several patterns of literal names stand for, if they differ in one name.
fn in_one_pattern(patterns: &[String]) -> Option<String> {
    const MOST: usize = 16;
    let (first, rest) = patterns.split_first().filter(|(_, rest)| (1..MOST).contains(&rest.len()))?;
    let mut names: Vec<&str> = first.split('/').collect();
    let mut place = None;
    let mut alternatives = vec![];
    for other in rest {
        let other: Vec<&str> = other.split('/').collect();
        let differing: Vec<usize> =
            names.iter().zip(&other).enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
        let &[at] = &*differing else { return None };
        if other.len() != names.len() || *place.get_or_insert(at) != at || [names[at], other[at]].contains(&"**") {
            return None;
        }
        alternatives.push(other[at].to_owned());
    }
    let place = place?;
    alternatives.insert(0, names[place].to_owned());
    let escaped = alternatives.iter().map(|name| name.replace(',', r"\,").replace('}', r"\}"));
    let choice = format!("{{{}}}", escaped.collect::<Vec<_>>().join(","));
    names[place] = &choice;
    Some(names.join("/"))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}
