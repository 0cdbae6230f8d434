//! Every mode against every combination of what a decision depends on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a helper that fails fails its test")]

mod permission;

use std::sync::{Arc, Mutex};

use agentscope_tool::prelude::*;
use agentscope_tool::{PermissionEngine, PermissionStep, ReadOnlyPolicy};
use serde_json::json;

use permission::tools::Says;

/// What is decided, and at which step of the documentation's table: 1 deny rules, 2 ask rules, 3 read-only, 4 the tool,
/// 5 allow rules, 6 the mode. `+` is the read-only policy `Always`; the modes without a column of it make no difference.
const TABLE: &str = "
deny ask  read  says        allow | Default Default+ AcceptEdits Explore Bypass DontAsk DontAsk+
-    -    -     allow       -     | allow4  allow4   allow4      deny6   allow4 allow4  allow4
-    -    -     allow       yes   | allow4  allow4   allow4      deny6   allow4 allow4  allow4
-    -    -     deny        -     | deny4   deny4    deny4       deny6   deny4  deny4   deny4
-    -    -     deny        yes   | deny4   deny4    deny4       deny6   deny4  deny4   deny4
-    -    -     ask         -     | ask6    ask6     ask6        deny6   allow6 deny6   deny6
-    -    -     ask         yes   | allow5  allow5   allow5      deny6   allow5 allow5  allow5
-    -    -     safety      -     | ask4    ask4     ask4        deny6   allow6 deny4   deny4
-    -    -     safety      yes   | ask4    ask4     ask4        deny6   allow5 deny4   deny4
-    -    -     passthrough -     | ask6    ask6     ask6        deny6   allow6 deny6   deny6
-    -    -     passthrough yes   | allow5  allow5   allow5      deny6   allow5 allow5  allow5
-    -    yes   allow       -     | allow4  allow3   allow3      allow3  allow3 allow4  allow3
-    -    yes   allow       yes   | allow4  allow3   allow3      allow3  allow3 allow4  allow3
-    -    yes   deny        -     | deny4   allow3   allow3      allow3  allow3 deny4   allow3
-    -    yes   deny        yes   | deny4   allow3   allow3      allow3  allow3 deny4   allow3
-    -    yes   ask         -     | ask6    allow3   allow3      allow3  allow3 deny6   allow3
-    -    yes   ask         yes   | allow5  allow3   allow3      allow3  allow3 allow5  allow3
-    -    yes   safety      -     | ask4    allow3   allow3      allow3  allow3 deny4   allow3
-    -    yes   safety      yes   | ask4    allow3   allow3      allow3  allow3 deny4   allow3
-    -    yes   passthrough -     | ask6    allow3   allow3      allow3  allow3 deny6   allow3
-    -    yes   passthrough yes   | allow5  allow3   allow3      allow3  allow3 allow5  allow3
-    yes  -     allow       -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     allow       yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     deny        -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     deny        yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     ask         -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     ask         yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     safety      -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     safety      yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     passthrough -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  -     passthrough yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   allow       -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   allow       yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   deny        -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   deny        yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   ask         -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   ask         yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   safety      -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   safety      yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   passthrough -     | ask2    ask2     ask2        ask2    ask2   deny2   deny2
-    yes  yes   passthrough yes   | ask2    ask2     ask2        ask2    ask2   deny2   deny2
yes  -    -     allow       -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     allow       yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     deny        -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     deny        yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     ask         -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     ask         yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     safety      -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     safety      yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     passthrough -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    -     passthrough yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   allow       -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   allow       yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   deny        -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   deny        yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   ask         -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   ask         yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   safety      -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   safety      yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   passthrough -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  -    yes   passthrough yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     allow       -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     allow       yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     deny        -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     deny        yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     ask         -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     ask         yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     safety      -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     safety      yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     passthrough -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  -     passthrough yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   allow       -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   allow       yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   deny        -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   deny        yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   ask         -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   ask         yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   safety      -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   safety      yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   passthrough -     | deny1   deny1    deny1       deny1   deny1  deny1   deny1
yes  yes  yes   passthrough yes   | deny1   deny1    deny1       deny1   deny1  deny1   deny1
";

/// A tool that says what it is told to say, and keeps a record of what it is asked.
struct Witness {
    spec: ToolSpec,
    read_only: bool,
    says: Says,
    asked: Mutex<Vec<&'static str>>,
}

impl Witness {
    fn new(read_only: bool, says: Says) -> Self {
        let schema = json!({ "type": "object", "properties": {} });
        let spec = ToolSpec::builder("witness", "Tell what was asked.").input_schema(schema).build();
        Self { spec, read_only, says, asked: Mutex::default() }
    }

    fn note(&self, hook: &'static str) {
        self.asked.lock().unwrap().push(hook);
    }
}

#[async_trait]
impl Tool for Witness {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(self: Arc<Self>, _: ToolInput, _: ToolContext) -> ToolStream {
        ToolStream::error(ToolError::failed("a check runs nothing"))
    }

    async fn footprint(&self, _: &ToolInput) -> Footprint {
        self.note("footprint");
        Footprint::new()
    }

    async fn check_read_only(&self, _: &ToolInput) -> bool {
        self.note("check_read_only");
        self.read_only
    }

    async fn check_permissions(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        self.note("check_permissions");
        self.says.decision()
    }

    fn match_rule(&self, rule: &PermissionRule, _: &ToolInput, _: &Footprint) -> bool {
        rule.content() == Some("this call")
    }
}

struct Row<'t> {
    deny: bool,
    ask: bool,
    read_only: bool,
    says: Says,
    allow: bool,
    expected: Vec<&'t str>,
    line: &'t str,
}

fn rows() -> Vec<Row<'static>> {
    TABLE.lines().skip(2).map(row).collect()
}

fn row(line: &'static str) -> Row<'static> {
    let (inputs, expected) = line.split_once('|').expect(line);
    let [deny, ask, read_only, says, allow] = inputs.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("{line}")
    };
    let yes = |word| match word {
        "yes" => true,
        "-" => false,
        _ => panic!("{line}"),
    };
    let says = match says {
        "allow" => Says::Allow,
        "deny" => Says::Deny,
        "ask" => Says::Ask,
        "safety" => Says::SafetyAsk,
        "passthrough" => Says::Passthrough,
        _ => panic!("{line}"),
    };
    let expected: Vec<_> = expected.split_whitespace().collect();
    assert_eq!(expected.len(), 7, "{line}");
    Row { deny: yes(deny), ask: yes(ask), read_only: yes(read_only), says, allow: yes(allow), expected, line }
}

/// How a rule that is to hit is written, and one that is there and hits nothing.
const FORMS: [(&str, Option<&str>); 3] = [
    ("witness", None),
    ("witness(this call)", Some("witness(another call)")),
    ("witness(this call)", Some("another_witness")),
];

fn context(row: &Row<'_>, (hits, misses): (&str, Option<&str>)) -> PermissionContext {
    let mut context = PermissionContext::new();
    for (is_there, behavior) in [
        (row.deny, PermissionBehavior::Deny),
        (row.ask, PermissionBehavior::Ask),
        (row.allow, PermissionBehavior::Allow),
    ] {
        let texts = misses.into_iter().chain(is_there.then_some(hits));
        for text in texts {
            context.add_rule(PermissionRule::parse(text, behavior).unwrap()).unwrap();
        }
    }
    context
}

/// The steps that the table asks before and at one of its rows, and the hooks that they need.
fn asked(mode: PermissionMode, cell: &str) -> (Vec<PermissionStep>, Vec<&'static str>) {
    use PermissionStep::{AllowRules, AskRules, DenyRules, Mode, ReadOnly, Tool};
    const READ_ONLY: &[&str] = &["footprint", "check_read_only"];
    const TOOL: &[&str] = &["footprint", "check_read_only", "check_permissions"];
    let dont_ask = mode == PermissionMode::DontAsk;
    let (steps, hooks): (&[PermissionStep], &[&'static str]) = match cell {
        "deny1" => (&[DenyRules], &["footprint"]),
        "ask2" => (&[DenyRules, AskRules], &["footprint"]),
        "deny2" if dont_ask => (&[DenyRules, AskRules, Mode], &["footprint"]),
        "allow3" => (&[DenyRules, AskRules, ReadOnly], READ_ONLY),
        "allow4" | "deny4" | "ask4" => (&[DenyRules, AskRules, ReadOnly, Tool], TOOL),
        "allow5" => (&[DenyRules, AskRules, ReadOnly, Tool, AllowRules], TOOL),
        "deny6" if mode == PermissionMode::Explore => (&[DenyRules, AskRules, ReadOnly, Mode], READ_ONLY),
        "ask6" | "allow6" | "deny6" => (&[DenyRules, AskRules, ReadOnly, Tool, AllowRules, Mode], TOOL),
        _ => panic!("{cell}"),
    };
    (steps.to_vec(), hooks.to_vec())
}

async fn check_column(mode: PermissionMode, policy: ReadOnlyPolicy, column: usize) {
    let rows = rows();
    assert_eq!(rows.len(), 80);
    for row in &rows {
        for form in FORMS {
            let cell = row.expected[column];
            let witness = Witness::new(row.read_only, row.says);
            let input = ToolInput::from_value(json!({}), witness.spec()).unwrap();
            let context = context(row, form).with_mode(mode).with_read_only_policy(policy);
            let decision = PermissionEngine::new(context).check(&witness, &input).await;
            let told = format!("{mode}, {policy:?}, {form:?}\n{}\n{}", row.line, decision.explain());

            assert_eq!(decision.behavior.to_string(), cell.trim_end_matches(char::is_numeric), "{told}");
            check_trace(mode, row, cell, &decision, &told);
            check_words(cell, &decision, &told);
            let (_, hooks) = asked(mode, cell);
            assert_eq!(*witness.asked.lock().unwrap(), hooks, "{told}");
        }
    }
}

fn check_trace(mode: PermissionMode, row: &Row<'_>, cell: &str, decision: &PermissionDecision, told: &str) {
    let steps = decision.trace.steps();
    let (mut expected, _) = asked(mode, cell);
    // A safety ask that nobody can answer is denied by the mode, after the tool has asked.
    let unanswered = (mode, cell, row.says) == (PermissionMode::DontAsk, "deny4", Says::SafetyAsk);
    if unanswered {
        expected.push(PermissionStep::Mode);
    }
    assert_eq!(steps.iter().map(|step| step.step).collect::<Vec<_>>(), expected, "{told}");

    let (last, before) = steps.split_last().unwrap();
    assert_eq!(last.decided, Some(decision.behavior), "{told}");
    for step in before {
        // Only an ask that becomes a denial decides and is not the last.
        let decided = step.decided.is_some();
        let asks = mode == PermissionMode::DontAsk && step.decided == Some(PermissionBehavior::Ask);
        assert!(!decided || asks, "{told}");
    }
    let rule = steps.iter().find_map(|step| step.rule.as_ref()).map(ToString::to_string);
    let by_rule = cell.ends_with(['1', '2', '5']);
    assert_eq!(rule.is_some(), by_rule, "{told}");
}

fn check_words(cell: &str, decision: &PermissionDecision, told: &str) {
    assert!(!decision.message.is_empty(), "{told}");
    assert!(decision.decision_reason.as_ref().is_some_and(|reason| !reason.is_empty()), "{told}");
    assert!(decision.updated_input.is_none(), "{told}");
    // Who is asked, or would be, is told which rule would settle it; where nothing can be settled, there is none.
    let suggested = decision.suggested_rules.iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
    if cell.starts_with("ask") || cell == "deny2" {
        assert_eq!(suggested, ["witness"], "{told}");
    } else if cell.starts_with("allow") || cell == "deny1" {
        assert!(suggested.is_empty(), "{told}");
    }
    assert_eq!(decision.bypass_immune, cell == "ask4", "{told}");
}

#[tokio::test]
async fn default_decides_as_documented() {
    check_column(PermissionMode::Default, ReadOnlyPolicy::ByMode, 0).await;
}

#[tokio::test]
async fn default_with_the_policy_always_decides_as_documented() {
    check_column(PermissionMode::Default, ReadOnlyPolicy::Always, 1).await;
}

#[tokio::test]
async fn accept_edits_decides_as_documented() {
    check_column(PermissionMode::AcceptEdits, ReadOnlyPolicy::ByMode, 2).await;
    check_column(PermissionMode::AcceptEdits, ReadOnlyPolicy::Always, 2).await;
}

#[tokio::test]
async fn explore_decides_as_documented() {
    check_column(PermissionMode::Explore, ReadOnlyPolicy::ByMode, 3).await;
    check_column(PermissionMode::Explore, ReadOnlyPolicy::Always, 3).await;
}

#[tokio::test]
async fn bypass_decides_as_documented() {
    check_column(PermissionMode::Bypass, ReadOnlyPolicy::ByMode, 4).await;
    check_column(PermissionMode::Bypass, ReadOnlyPolicy::Always, 4).await;
}

#[tokio::test]
async fn dont_ask_decides_as_documented() {
    check_column(PermissionMode::DontAsk, ReadOnlyPolicy::ByMode, 5).await;
}

#[tokio::test]
async fn dont_ask_with_the_policy_always_decides_as_documented() {
    check_column(PermissionMode::DontAsk, ReadOnlyPolicy::Always, 6).await;
}

#[test]
fn every_combination_has_one_row() {
    let mut seen = std::collections::HashSet::new();
    for row in rows() {
        assert!(seen.insert((row.deny, row.ask, row.read_only, format!("{:?}", row.says), row.allow)), "{}", row.line);
    }
    assert_eq!(seen.len(), 2 * 2 * 2 * 5 * 2);
}

#[tokio::test]
async fn a_decision_explains_itself() {
    let tells = |context: PermissionContext, read_only, says| async move {
        let witness = Witness::new(read_only, says);
        let input = ToolInput::from_value(json!({}), witness.spec()).unwrap();
        PermissionEngine::new(context).check(&witness, &input).await.explain()
    };
    let rule = |text, behavior| PermissionRule::parse(text, behavior).unwrap();
    let denied = PermissionContext::new()
        .with_rule(
            rule("witness(this call)", PermissionBehavior::Deny).with_source("project").with_reason("it costs money"),
        )
        .unwrap();
    let asks = PermissionContext::new().ask("witness(another call)").unwrap().ask("witness").unwrap();
    let allows = PermissionContext::new().allow("witness(this call)").unwrap();
    let mode = |mode| PermissionContext::new().with_mode(mode);

    let mut told = Vec::new();
    told.push(tells(denied, false, Says::Allow).await);
    told.push(tells(asks.clone(), false, Says::Allow).await);
    told.push(tells(asks.with_mode(PermissionMode::DontAsk), false, Says::Allow).await);
    told.push(tells(PermissionContext::new(), true, Says::Passthrough).await);
    told.push(
        tells(PermissionContext::new().with_read_only_policy(ReadOnlyPolicy::Always), true, Says::Passthrough).await,
    );
    told.push(tells(allows.clone(), false, Says::Ask).await);
    told.push(tells(allows.clone(), false, Says::SafetyAsk).await);
    told.push(tells(allows.with_mode(PermissionMode::DontAsk), false, Says::SafetyAsk).await);
    told.push(tells(mode(PermissionMode::Bypass), false, Says::SafetyAsk).await);
    told.push(tells(mode(PermissionMode::Explore), false, Says::Allow).await);
    told.push(tells(mode(PermissionMode::AcceptEdits), false, Says::Deny).await);
    told.push(tells(PermissionContext::closed("settings.json, line 3: a comma is missing"), true, Says::Allow).await);
    insta::assert_snapshot!(told.join("\n\n"));
}
