//! Cases about shell commands: which run by themselves, which are asked about, and which a rule lets through.

use std::path::Path;
use std::sync::Arc;

use agentscope_tool::{
    AgentState, PermissionBehavior, PermissionContext, PermissionDecision, PermissionMode, PermissionRule,
    ReadOnlyPolicy, ToolCall, Toolkit,
};
use agentscope_tool_backends::LocalBackend;
use agentscope_tool_builtins::Bash;
use serde_json::{Value, json};

use super::Verdict;

/// How the working directory stands in a command.
const PLACE: &str = "/w";
/// How a directory outside of the working directory stands in what a case sets up.
const OUTSIDE: &str = "/tmp/outside";

/// Decides about the command of a case, in the directory `place`, which is a repository.
pub(super) async fn run(case: &Value, place: &Path) -> Verdict {
    if case["shell"].as_str().is_some_and(|shell| shell != "bash") {
        return Verdict::Skipped("it is about another shell".into());
    }
    let outside = match tempfile::tempdir() {
        Ok(outside) => outside,
        Err(error) => return Verdict::Skipped(error.to_string()),
    };
    if let Some(setup) = case["setup"].as_str()
        && let Err(error) = set_up(&placed(setup, place, outside.path()), place, outside.path())
    {
        return Verdict::Skipped(format!("what the case needs cannot be set up: {error}"));
    }
    match check(case, place, outside.path()).await {
        Ok(None) => Verdict::Passed,
        Ok(Some(fault)) if case["policy"] == true => Verdict::Skipped(format!("a choice between two answers: {fault}")),
        Ok(Some(fault)) => Verdict::Failed(fault),
        Err(error) => Verdict::Skipped(error),
    }
}

/// Runs the commands that lay out what a case needs.
fn set_up(commands: &str, place: &Path, outside: &Path) -> Result<(), String> {
    std::fs::write(outside.join("f"), "f\n").map_err(|error| error.to_string())?;
    let output = std::process::Command::new("sh").arg("-ec").arg(commands).current_dir(place).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// What is not as expected, if anything.
async fn check(case: &Value, place: &Path, outside: &Path) -> Result<Option<String>, String> {
    let command = placed(case["command"].as_str().unwrap_or_default(), place, outside);
    let decide = async |permissions: PermissionContext| decide(&command, permissions, place).await;
    let base = |mode| PermissionContext::new().with_mode(mode).with_read_only_policy(ReadOnlyPolicy::Always);
    let plain = decide(base(PermissionMode::Default)).await?;
    let directory = place.to_string_lossy();
    let edits = decide(base(PermissionMode::AcceptEdits).with_working_directory(&*directory)).await?;
    let (runs, edit_runs) = (plain.is_allowed(), edits.is_allowed());
    let fault =
        |what: &str, decision: &PermissionDecision| Some(format!("{what}: {command:?}: {}", decision.explain()));
    match case["class"].as_str() {
        Some("must_ask") if runs => return Ok(fault("runs by itself", &plain)),
        Some("read_only") if !runs => return Ok(fault("does not run by itself", &plain)),
        Some("edit_in_workdir") if !edit_runs => return Ok(fault("is no edit inside", &edits)),
        Some("edit_outside") if edit_runs => return Ok(fault("passes for an edit inside", &edits)),
        _ => {}
    }
    if case["safety"] == true && !(plain.behavior == PermissionBehavior::Ask && plain.bypass_immune) {
        return Ok(fault("is no safety ask", &plain));
    }
    for (key, expected, behavior) in
        [("rule", "rule_expect", PermissionBehavior::Allow), ("deny_rule", "deny_expect", PermissionBehavior::Deny)]
    {
        let Some(content) = case[key].as_str() else { continue };
        let rule = PermissionRule::whole_tool("Bash", behavior).with_content(content);
        let with = base(PermissionMode::Default).with_rule(rule).map_err(|error| error.to_string())?;
        let decision = decide(with).await?;
        let matches = match behavior {
            PermissionBehavior::Allow => decision.is_allowed(),
            _ => decision.behavior == PermissionBehavior::Deny,
        };
        if matches != (case[expected] == "match") {
            return Ok(fault(&format!("the {key} `{content}`, {}", case[expected]), &decision));
        }
    }
    Ok(None)
}

async fn decide(command: &str, permissions: PermissionContext, place: &Path) -> Result<PermissionDecision, String> {
    let backend = LocalBackend::in_directory(place).map_err(|error| error.to_string())?;
    let toolkit = Toolkit::builder().tool(Bash::on(Arc::new(backend))).build().map_err(|error| error.to_string())?;
    let state = AgentState::new().with_permissions(permissions);
    let call = ToolCall::from_value("call", "Bash", &json!({ "command": command }));
    Ok(toolkit.check(&call, &state).await)
}

/// The command with the working directory in place of `/w`, and another one in place of [`OUTSIDE`].
fn placed(command: &str, place: &Path, outside: &Path) -> String {
    let command = command.replace(OUTSIDE, &outside.to_string_lossy());
    let place = place.to_string_lossy();
    let mut placed = String::new();
    let mut rest = command.as_str();
    while let Some(at) = rest.find(PLACE) {
        let before = rest[..at].chars().next_back().or(placed.chars().next_back());
        let after = rest[at + PLACE.len()..].chars().next();
        let is_path = |c: char| c.is_alphanumeric() || "/._-*".contains(c);
        placed.push_str(&rest[..at]);
        let stands_alone = before.is_none_or(|c| !is_path(c)) && after.is_none_or(|c| c == '/' || !is_path(c));
        placed.push_str(if stands_alone { &place } else { PLACE });
        rest = &rest[at + PLACE.len()..];
    }
    placed.push_str(rest);
    placed
}
