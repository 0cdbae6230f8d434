//! What is saved: the shapes that Python AgentScope has, and what is refused when it is loaded.

use agentscope_tool::prelude::*;
use agentscope_tool::{PermissionEngine, ProtectedPaths, ReadOnlyPolicy, WorkingDirectory};
use serde_json::{Value, json};

/// Delete a customer.
#[tool]
async fn delete_customer(#[doc = "The customer's number."] id: u64) -> String {
    format!("deleted {id}")
}

#[test]
fn a_context_has_the_shape_of_the_originals() {
    assert_eq!(
        serde_json::to_string(&PermissionContext::new()).unwrap(),
        r#"{"mode":"default","working_directories":{},"allow_rules":{},"deny_rules":{},"ask_rules":{}}"#
    );
    let mut context = PermissionContext::from(PermissionMode::AcceptEdits)
        .allow("Bash(git log:*)")
        .unwrap()
        .deny("Read(/etc/**)")
        .unwrap()
        .deny("Read")
        .unwrap();
    context.add_rule(PermissionRule::ask("Bash").unwrap().with_source("userSettings")).unwrap();
    context.add_working_directory(WorkingDirectory::new("/w").with_source("session"));
    assert_eq!(
        serde_json::to_value(&context).unwrap(),
        json!({
            "mode": "accept_edits",
            "working_directories": { "/w": { "path": "/w", "source": "session" } },
            "allow_rules": { "Bash": [
                { "tool_name": "Bash", "rule_content": "git log:*", "behavior": "allow", "source": "" }
            ] },
            "deny_rules": { "Read": [
                { "tool_name": "Read", "rule_content": "/etc/**", "behavior": "deny", "source": "" },
                { "tool_name": "Read", "rule_content": null, "behavior": "deny", "source": "" }
            ] },
            "ask_rules": { "Bash": [
                { "tool_name": "Bash", "rule_content": null, "behavior": "ask", "source": "userSettings" }
            ] }
        })
    );
}

#[test]
fn modes_and_behaviours_are_written_as_the_original_writes_them() {
    let modes = [
        (PermissionMode::Default, "default"),
        (PermissionMode::AcceptEdits, "accept_edits"),
        (PermissionMode::Explore, "explore"),
        (PermissionMode::Bypass, "bypass"),
        (PermissionMode::DontAsk, "dont_ask"),
    ];
    for (mode, text) in modes {
        assert_eq!(serde_json::to_value(mode).unwrap(), text);
        assert_eq!(mode.to_string(), text);
        assert_eq!(serde_json::from_value::<PermissionMode>(text.into()).unwrap(), mode);
    }
    let behaviors = [
        (PermissionBehavior::Allow, "allow"),
        (PermissionBehavior::Deny, "deny"),
        (PermissionBehavior::Ask, "ask"),
        (PermissionBehavior::Passthrough, "passthrough"),
    ];
    for (behavior, text) in behaviors {
        assert_eq!(serde_json::to_value(behavior).unwrap(), text);
        assert_eq!(behavior.to_string(), text);
        assert_eq!(serde_json::from_value::<PermissionBehavior>(text.into()).unwrap(), behavior);
    }
}

#[test]
fn what_only_this_library_knows_is_saved_beside_it_and_comes_back() {
    let rule = PermissionRule::deny("Edit(src/**)").unwrap().with_reason("generated").with_anchor("/w");
    let context = PermissionContext::new()
        .with_read_only_policy(ReadOnlyPolicy::Always)
        .with_protected_paths(ProtectedPaths::default().additional_files(["*.pem"]))
        .with_rule(rule.clone())
        .unwrap();
    let saved = serde_json::to_value(&context).unwrap();
    assert_eq!(saved["read_only"], "always");
    assert_eq!(
        saved["deny_rules"]["Edit"][0],
        json!({
            "tool_name": "Edit", "rule_content": "src/**", "behavior": "deny", "source": "",
            "reason": "generated", "anchor": "/w"
        })
    );
    let loaded: PermissionContext = serde_json::from_value(saved).unwrap();
    assert_eq!(loaded, context);
    assert_eq!(loaded.rules().collect::<Vec<_>>(), [&rule]);
    assert_eq!(loaded.read_only_policy(), ReadOnlyPolicy::Always);
    assert_eq!(loaded.protected_paths().find("/w/key.pem"), Some("*.pem"));
}

#[tokio::test]
async fn a_decision_has_exactly_the_fields_of_the_originals() {
    let input = ToolInput::from_value(json!({ "id": 7 }), DeleteCustomer.spec()).unwrap();
    let decision = PermissionEngine::new(PermissionContext::new()).check(&DeleteCustomer, &input).await;
    assert!(!decision.trace.steps().is_empty());
    let saved = serde_json::to_value(&decision).unwrap();
    assert_eq!(
        saved,
        json!({
            "behavior": "ask",
            "message": "tool `delete_customer` has to be allowed explicitly",
            "decision_reason": "mode: default",
            "updated_input": null,
            "suggested_rules": [
                { "tool_name": "delete_customer", "rule_content": null, "behavior": "allow", "source": "suggested" }
            ],
            "bypass_immune": false
        })
    );
    let loaded: PermissionDecision = serde_json::from_value(saved).unwrap();
    assert_eq!(PermissionDecision { trace: decision.trace.clone(), ..loaded }, decision);
    let short: PermissionDecision = serde_json::from_value(json!({ "behavior": "deny", "message": "no" })).unwrap();
    assert_eq!(short, PermissionDecision::deny("no"));
}

fn rule(content: Value, behavior: &str) -> Value {
    json!({ "tool_name": "Bash", "rule_content": content, "behavior": behavior, "source": "" })
}

#[test]
fn what_is_not_understood_is_not_loaded() {
    let cases = [
        json!({ "mode": "yolo" }),
        json!({ "mode": "Bypass" }),
        json!({ "mode": null }),
        json!({ "read_only": "sometimes" }),
        json!({ "allow_rules": { "Bash": [rule("".into(), "allow")] } }),
        json!({ "allow_rules": { "Bash": [rule("  ".into(), "allow")] } }),
        json!({ "deny_rules": { "Bash": [rule("".into(), "deny")] } }),
        json!({ "allow_rules": { "Bash": [rule("ls".into(), "permit")] } }),
        json!({ "allow_rules": { "Bash": [rule("ls".into(), "passthrough")] } }),
        json!({ "allow_rules": { "Bash": [rule("ls".into(), "deny")] } }),
        json!({ "deny_rules": { "Bash": [rule("ls".into(), "allow")] } }),
        json!({ "ask_rules": { "Bash": [rule("ls".into(), "allow")] } }),
        json!({ "allow_rules": { "Read": [rule("ls".into(), "allow")] } }),
        json!({ "deny_rules": { "bash": [rule(Value::Null, "deny")] } }),
        json!({ "allow_rules": { "Bash": [{ "rule_content": "ls", "behavior": "allow" }] } }),
        json!({ "allow_rules": { "Bash": [{ "tool_name": "Bash", "rule_content": "ls" }] } }),
        json!({ "allow_rules": { "Bash": ["ls"] } }),
        json!({ "working_directories": { "/w": "/w" } }),
        json!({ "protected_paths": { "files": ["/"] } }),
        json!({ "closed": true }),
    ];
    let mut told = Vec::new();
    for case in cases {
        let error = serde_json::from_value::<PermissionContext>(case.clone()).expect_err(&case.to_string());
        told.push(format!("{case}\n  {error}"));
        let state = serde_json::from_value::<AgentState>(json!({ "permission_context": case.clone() }));
        assert!(state.is_err(), "{case}");
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn a_saved_pattern_that_is_none_allows_nothing_and_denies_all() {
    use agentscope_tool::Footprint;

    let list = |behavior: &str| {
        let rule = json!({ "tool_name": "Read", "rule_content": "/w/[a", "behavior": behavior });
        serde_json::from_value::<PermissionContext>(json!({ format!("{behavior}_rules"): { "Read": [rule] } })).unwrap()
    };
    let footprint = Footprint::new().reads("/w/b");
    for (behavior, matches) in [("allow", false), ("deny", true), ("ask", true)] {
        let context = list(behavior);
        let rule = context.rules().next().unwrap();
        assert_eq!(footprint.matches(rule), matches, "{behavior}");
        assert!(PermissionContext::new().add_rule(rule.clone()).is_err());
    }
}
