//! What a settings file says of a list of calls: the program behind
//! `cargo run -p agentscope-tool-examples --bin permissions`.

use std::io::{self, Write};

use agentscope_tool::prelude::*;
use agentscope_tool::{PermissionSettings, SettingsError};
use serde_json::json;

/// Show a file.
#[derive(Debug, Tool)]
#[spec(read_only)]
pub struct Look;

/// Save a file.
#[derive(Debug, Tool)]
pub struct Save;

/// Deploy the newest build.
#[derive(Debug, Tool)]
#[spec(destructive)]
pub struct Deploy;

/// A file.
#[tool_args]
pub struct OneFile {
    /// The file.
    #[schemars(length(min = 1))]
    pub path: String,
}

/// Where to deploy to.
#[tool_args]
pub struct DeployArgs {
    /// The environment, for example `staging` or `prod-eu`.
    #[schemars(length(min = 1))]
    pub target: String,
}

/// Says what it touches, so that rules about paths hold for it.
impl ToolBody for Look {
    type Args = OneFile;
    type Output = Result<String, io::Error>;

    async fn footprint(&self, args: &OneFile) -> Footprint {
        Footprint::new().reads(&args.path)
    }

    async fn call(&self, args: OneFile, _: ToolContext) -> Self::Output {
        tokio::fs::read_to_string(args.path).await
    }
}

/// Says that edits inside of the working directories are fine in the modes that are for that.
impl ToolBody for Save {
    type Args = OneFile;
    type Output = Result<(), io::Error>;

    async fn footprint(&self, args: &OneFile) -> Footprint {
        Footprint::new().writes(&args.path)
    }

    async fn check_permissions(&self, _: &OneFile, cx: &PermissionContext) -> PermissionDecision {
        let edits = matches!(cx.mode(), PermissionMode::AcceptEdits | PermissionMode::DontAsk);
        if edits && cx.footprint().is_inside_working_directories() {
            return PermissionDecision::allow("the file is inside of a working directory");
        }
        PermissionDecision::passthrough()
    }

    fn generate_suggestions(&self, _: &OneFile, footprint: &Footprint) -> Vec<PermissionRule> {
        footprint.suggest_directories("Save")
    }

    async fn call(&self, args: OneFile, _: ToolContext) -> Self::Output {
        tokio::fs::write(args.path, "").await
    }
}

/// Has a safety check of its own, and its own idea of what the content of a rule means.
impl ToolBody for Deploy {
    type Args = DeployArgs;
    type Output = String;

    async fn check_permissions(&self, args: &DeployArgs, _: &PermissionContext) -> PermissionDecision {
        if args.target.starts_with("prod") {
            return PermissionDecision::ask(format!("deploys to production: {}", args.target)).bypass_immune();
        }
        PermissionDecision::passthrough()
    }

    fn match_rule(&self, rule: &PermissionRule, args: &DeployArgs, _: &Footprint) -> bool {
        let content = rule.content().unwrap_or_default();
        match content.strip_suffix('*') {
            Some(start) => args.target.starts_with(start),
            None => args.target == content,
        }
    }

    async fn call(&self, args: DeployArgs, _: ToolContext) -> String {
        format!("deployed to {}", args.target)
    }
}

/// The tools whose calls are looked at.
///
/// # Errors
/// When the tools do not fit together.
pub fn toolkit() -> Result<Toolkit, ToolkitError> {
    Toolkit::builder().tool(Look).tool(Save).tool(Deploy).build()
}

/// The settings that the repository comes with.
///
/// # Errors
/// When they have a fault.
pub fn settings() -> Result<PermissionSettings, SettingsError> {
    PermissionSettings::load(concat!(env!("CARGO_MANIFEST_DIR"), "/agent.toml"))
}

/// The calls that are looked at. Files are those of the repository at `root`.
#[must_use]
pub fn calls(root: &str) -> Vec<ToolCall> {
    let file = |path: &str| json!({ "path": path.replace("ROOT", root) });
    let calls = [
        ("Look", file("ROOT/README.md")),
        ("Look", file("ROOT/certificates/server.key")),
        ("Save", file("ROOT/docs/new.md")),
        ("Save", file("ROOT/Cargo.lock")),
        ("Save", file("ROOT/.git/hooks/pre-commit")),
        ("Save", file("ROOT/rust-toolchain.toml")),
        ("Save", file("/srv/notes/new.md")),
        ("Save", file("/srv/../etc/hosts")),
        ("Deploy", json!({ "target": "staging-eu" })),
        ("Deploy", json!({ "target": "test" })),
        ("Deploy", json!({ "target": "prod-eu" })),
        ("Deploy", json!({ "goal": "prod-eu" })),
    ];
    calls
        .into_iter()
        .enumerate()
        .map(|(index, (tool, arguments))| ToolCall::from_value(format!("call_{}", index + 1), tool, &arguments))
        .collect()
}

/// Prints what the settings say of each call, and why. None of them is run.
///
/// # Errors
/// When `out` cannot be written to.
pub async fn explain(
    toolkit: &Toolkit,
    settings: PermissionSettings,
    calls: &[ToolCall],
    out: &mut dyn Write,
) -> io::Result<()> {
    for warning in settings.warnings() {
        writeln!(out, "warning: {warning}")?;
    }
    for example in toolkit.check_examples(&settings).await {
        writeln!(out, "warning: {example}")?;
    }
    let context = settings.into_context();
    for unknown in toolkit.unknown_tools(&context) {
        writeln!(out, "warning: {unknown}")?;
    }
    let state = AgentState::new().with_permissions(context);
    for call in calls {
        let decision = toolkit.check(call, &state).await;
        writeln!(out, "\n{} {}\n{}", call.name, call.input, decision.explain())?;
    }
    Ok(())
}
