//! The variables that a command starts with: those of the environment, without the ones that make a shell, a loader, git
//! or a pager run programs of their own, or that change what a command text means.

use agentscope_tool::backend::Command;

/// Taken away wherever they are: what the shell reads at its start, what changes its grammar or where `cd` leads, and
/// helpers of programs that only read.
const REMOVED: &[&str] = &[
    "BASHOPTS",
    "BASH_COMPAT",
    "BASH_ENV",
    "BASH_XTRACEFD",
    "CDPATH",
    "ENV",
    "EXECIGNORE",
    "GLOBIGNORE",
    "GREP_OPTIONS",
    "IFS",
    "LESSCLOSE",
    "LESSOPEN",
    "POSIXLY_CORRECT",
    "PROMPT_COMMAND",
    "PS4",
    "RIPGREP_CONFIG_PATH",
    "SHELLOPTS",
    "SSH_ASKPASS",
    "TMOUT",
    // Those below are found by their beginning or end as well, where the names of an environment's variables are known.
    "DYLD_FRAMEWORK_PATH",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "BAT_PAGER",
    "DELTA_PAGER",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ASKPASS",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_EDITOR",
    "GIT_EXEC_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_TEMPLATE_DIR",
    "GIT_TRACE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
    "GIT_WORK_TREE",
];

/// Git's variables that say who the user is and where his settings are, and start nothing.
const GIT_KEPT: &[&str] = &[
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
];

/// Set in every environment.
const SET: &[(&str, &str)] = &[
    ("AWS_PAGER", ""),
    ("GH_PAGER", "cat"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("MANPAGER", "cat"),
    ("PAGER", "cat"),
    ("SYSTEMD_PAGER", "cat"),
    // There is none: an editor is refused at once instead of waiting for input.
    ("TERM", "dumb"),
];

/// What a repository may not set, because git would run it while it only looks.
const GIT_CONFIG: &[(&str, &str)] =
    &[("core.fsmonitor", "false"), ("core.pager", "cat"), ("log.showSignature", "false")];

/// Whether a variable of the environment is taken away from commands.
pub(super) fn is_removed(name: &str) -> bool {
    let git = name.starts_with("GIT_")
        && !GIT_KEPT.contains(&name)
        && !name.starts_with("GIT_AUTHOR_")
        && !name.starts_with("GIT_COMMITTER_");
    REMOVED.contains(&name)
        || git
        || name.starts_with("LD_")
        || name.starts_with("DYLD_")
        || name.ends_with("PAGER")
        // Functions that bash would take over under the names of programs.
        || name.starts_with("BASH_FUNC_")
}

/// Takes away what is not wanted, sets what makes programs harmless, and then what the user of the tool has chosen.
///
/// `present` are names of variables that the environment has and that [are removed](is_removed). Settings of git are
/// added to those that the user has chosen in the same way.
pub(super) fn apply(mut command: Command, present: &[String], chosen: &[(String, Option<String>)]) -> Command {
    for name in REMOVED.iter().copied().chain(present.iter().map(String::as_str)) {
        command = command.env_remove(name);
    }
    for (name, value) in SET {
        command = command.env(*name, *value);
    }
    for (name, value) in chosen {
        command = match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let count = chosen.iter().rev().find(|(name, _)| name == "GIT_CONFIG_COUNT");
    let first = count.and_then(|(_, value)| value.as_deref()?.trim().parse::<usize>().ok()).unwrap_or(0);
    for (number, (key, value)) in (first..).zip(GIT_CONFIG) {
        command =
            command.env(format!("GIT_CONFIG_KEY_{number}"), *key).env(format!("GIT_CONFIG_VALUE_{number}"), *value);
    }
    command.env("GIT_CONFIG_COUNT", first.saturating_add(GIT_CONFIG.len()).to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn applied(present: &[&str], chosen: &[(&str, Option<&str>)]) -> BTreeMap<String, Option<String>> {
        let present: Vec<_> = present.iter().map(ToString::to_string).collect();
        let chosen: Vec<_> = chosen.iter().map(|(name, value)| (name.to_string(), value.map(str::to_owned))).collect();
        let command = apply(Command::new("bash"), &present, &chosen);
        command.env_changes().map(|(name, value)| (name.into(), value.map(Into::into))).collect()
    }

    #[test]
    fn what_starts_programs_is_removed_and_who_the_user_is_stays() {
        let removed = [
            "BASH_ENV",
            "ENV",
            "SHELLOPTS",
            "LD_PRELOAD",
            "LD_BIND_NOW",
            "DYLD_INSERT_LIBRARIES",
            "GIT_SSH_COMMAND",
            "GIT_EXTERNAL_DIFF",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_KEY_7",
            "GIT_DIR",
            "BASH_FUNC_ls%%",
            "DELTA_PAGER",
            "PAGER",
            "LESSOPEN",
        ];
        for name in removed {
            assert!(is_removed(name), "{name}");
        }
        let kept = [
            "PATH",
            "HOME",
            "GIT_AUTHOR_NAME",
            "GIT_COMMITTER_EMAIL",
            "GIT_CONFIG_GLOBAL",
            "LANG",
            "TZ",
            "LDFLAGS",
            "ENVIRONMENT",
            "GITHUB_TOKEN",
            "NODE_ENV",
        ];
        for name in kept {
            assert!(!is_removed(name), "{name}");
        }
    }

    #[test]
    fn every_name_that_is_listed_or_set_is_removed_first() {
        for name in REMOVED {
            assert!(is_removed(name), "{name}");
            assert!(!GIT_KEPT.contains(name), "{name}");
        }
        let variables = applied(&["BASH_FUNC_ls%%"], &[]);
        assert_eq!(variables["BASH_FUNC_ls%%"], None);
        assert_eq!(variables["BASH_ENV"], None);
        assert_eq!(variables["GIT_PAGER"].as_deref(), Some("cat"));
        assert_eq!(variables["GIT_OPTIONAL_LOCKS"].as_deref(), Some("0"));
    }

    #[test]
    fn the_user_of_the_tool_has_the_last_word() {
        let variables = applied(&["GIT_SSH_COMMAND"], &[("GIT_SSH_COMMAND", Some("ssh -i key")), ("TERM", None)]);
        assert_eq!(variables["GIT_SSH_COMMAND"].as_deref(), Some("ssh -i key"));
        assert_eq!(variables["TERM"], None);
    }

    #[test]
    fn settings_of_git_are_added_to_those_of_the_user() {
        let own =
            [("GIT_CONFIG_COUNT", Some("1")), ("GIT_CONFIG_KEY_0", Some("a.b")), ("GIT_CONFIG_VALUE_0", Some("c"))];
        let variables = applied(&[], &own);
        assert_eq!(variables["GIT_CONFIG_COUNT"].as_deref(), Some("4"));
        assert_eq!(variables["GIT_CONFIG_KEY_0"].as_deref(), Some("a.b"));
        assert_eq!(variables["GIT_CONFIG_KEY_1"].as_deref(), Some("core.fsmonitor"));
        assert_eq!(variables["GIT_CONFIG_VALUE_3"].as_deref(), Some("false"));
    }
}
