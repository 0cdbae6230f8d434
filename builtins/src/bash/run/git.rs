//! What the configuration of a repository makes git run while it only looks.
//!
//! `core.fsmonitor` and the pager are overridden for every command. What git takes for a file by its attributes, a
//! converter for `git diff` or a filter for `git status`, has a name that the repository chooses, and no variable
//! switches all of them off. So whoever wants to know whether a git command only reads has to ask here first.

use std::time::Duration;

use agentscope_tool::backend::{Backend, BackendErrorKind, ExecStatus};

use super::environment;
use super::found::Found;

/// Prints the settings of all scopes that name programs, or make git fetch what is missing. A repository that has others
/// in it brings their settings along, which is told by the exit code.
const LOOK: &str = "\
git config -z --show-scope --get-regexp '^(\
diff\\.external|diff\\..*\\.(textconv|command)|filter\\..*\\.(clean|smudge|process)|\
extensions\\.partialclone|remote\\..*\\.promisor|trailer\\..*\\.(command|cmd)|\
man\\.viewer|man\\..*\\.(cmd|path)|help\\.(browser|format)|web\\.browser|browser\\..*\\.(cmd|path)\
)$'; s=$?; if [ $s -gt 1 ]; then exit $s; fi; \
git ls-files -s 2>/dev/null | grep -q '^160000 '; s=$?; if [ $s -gt 1 ]; then exit 41; fi; exit $((40 - 40 * s))";
const HAS_SUBMODULES: i32 = 40;
const PATIENCE: Duration = Duration::from_secs(30);
/// More settings than that are not shown.
const MOST: usize = 5;

/// What Git LFS sets up, word for word.
const LFS: &[&str] = &[
    "git-lfs clean -- %f",
    "git-lfs smudge -- %f",
    "git-lfs smudge --skip -- %f",
    "git-lfs filter-process",
    "git-lfs filter-process --skip",
];

/// Why a git command in that directory may do more than look, each a sentence; none where it surely does not.
pub(super) async fn hazards(
    backend: &dyn Backend,
    found: &Found,
    env: &[(String, Option<String>)],
    directory: &str,
) -> Vec<String> {
    let command = environment::apply(found.command(LOOK.into()), &found.unwanted, env).cwd(directory).timeout(PATIENCE);
    let output = match backend.exec(command).await {
        Ok(execution) => execution.output().await,
        Err(error) => Err(error),
    };
    let output = match output {
        Ok(output) => output,
        // Where there is no directory, git does nothing but say so.
        Err(error) if error.kind() == BackendErrorKind::NotFound => return Vec::new(),
        Err(error) => return vec![unknown(&error.to_string())],
    };
    let mut hazards = settings(&output.stdout.to_vec());
    if output.stdout.cut() > 0 {
        hazards.push(unknown("its configuration is too long"));
    }
    match output.status {
        ExecStatus::Exited(0) => {}
        ExecStatus::Exited(HAS_SUBMODULES) => {
            hazards
                .push("the repository has submodules, whose own configurations may name programs that git runs".into());
        }
        // Without git, no command of git does anything.
        ExecStatus::Exited(127) => {}
        status => {
            let complaint = output.stderr.to_text();
            hazards.push(unknown(&format!("git {status}: {}", complaint.lines().next().unwrap_or_default())));
        }
    }
    hazards
}

fn unknown(reason: &str) -> String {
    format!("what the repository's configuration makes git run is not known: {reason}")
}

/// The settings that the repository itself has made: scope, NUL, key, end of line, value, NUL.
fn settings(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut fields = text.split('\0');
    let mut found = Vec::new();
    while let (Some(scope), Some(setting)) = (fields.next(), fields.next()) {
        let (key, value) = setting.split_once('\n').unwrap_or((setting, ""));
        // What the user has set for all of his repositories is his own choice, and so is what the command was given.
        if matches!(scope, "system" | "global" | "command") || LFS.contains(&value) {
            continue;
        }
        let shown: String = value.chars().take(80).collect();
        found.push(format!(
            "the repository's setting `{key}` makes git run or fetch something: `{}`",
            shown.escape_debug()
        ));
    }
    if found.len() > MOST {
        let more = found.len() - MOST;
        found.truncate(MOST);
        found.push(format!("{more} more settings of the repository do so"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_settings_of_the_repository_count() {
        let text = "global\0diff.external\ndifft\0local\0diff.x y.textconv\ntouch a\nb\0worktree\0remote.o.promisor\0\
                    local\0filter.lfs.clean\ngit-lfs clean -- %f\0command\0diff.external\nx\0odd\0filter.f.clean\nrm\0";
        insta::assert_snapshot!(settings(text.as_bytes()).join("\n"));
        assert_eq!(settings(b""), Vec::<String>::new());
        assert_eq!(settings("local\0filter.f.clean\nx\0".repeat(9).as_bytes()).len(), MOST + 1);
    }
}
