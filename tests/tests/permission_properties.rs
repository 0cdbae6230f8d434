//! What holds for all decisions, whatever the rules, the mode and the call.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

mod permission;

use std::sync::Arc;

use agentscope_tool::prelude::*;
use agentscope_tool::{PermissionEngine, PermissionStep, ReadOnlyPolicy};
use futures_util::FutureExt as _;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use permission::memory::Memory;
use permission::naive;
use permission::tools::{Edit, Place, Probe, Read, Says, Touch, Write, decided_by};

/// Few paths, so that rules and calls meet often: in and out of directories, through links, with `..`, relative.
const PATHS: &[&str] = &[
    "/w/app/a.rs",
    "/w/app/src/a.rs",
    "/w/app/src/deep/b.rs",
    "/w/app/.env",
    "/w/apple/a.rs",
    "/w/app/../x",
    "/w/app/out/x",
    "/w/link/x",
    "/w/link/../x",
    "/w//app/./src",
    "/",
    "/w",
    "a.rs",
    "src/b.rs",
    "../x",
    "/home/u/.ssh/id",
    "/etc/hosts",
    "/w/circle/x",
    "/w/[id]/page{1,2}.tsx",
    "/w/star*/q?",
    "/w/日本/\\x",
];

const CONTENTS: &[&str] = &[
    "/w/app/**",
    "/w/app/*",
    "/w/app/a.rs",
    "/w/app",
    "/w/app/src/",
    "/w/**/*.rs",
    "/w/**",
    "/w/*",
    "/w/link/**",
    "/w/{app,apple}/a.rs",
    "/w/ap?",
    "/etc/**",
    "/**",
    "src/**",
    "*.rs",
    "../x",
    "**/.env",
    "~/.ssh/**",
    "~",
    "/w/[[]id]/*",
];

const TOOLS: &[&str] = &["Read", "Write", "Edit", "Probe", "Other"];

const BEHAVIORS: &[PermissionBehavior] =
    &[PermissionBehavior::Allow, PermissionBehavior::Deny, PermissionBehavior::Ask];

const MODES: &[PermissionMode] = &[
    PermissionMode::Default,
    PermissionMode::AcceptEdits,
    PermissionMode::Explore,
    PermissionMode::Bypass,
    PermissionMode::DontAsk,
];

fn memory() -> Memory {
    Memory::default().link("/w/link", "/etc").link("/w/circle", "/w/circle").link("/w/app/out", "/w/x")
}

#[derive(Clone, Debug)]
struct Call {
    tool: &'static str,
    touch: Touch,
}

impl Call {
    fn tool(&self) -> Box<dyn Tool> {
        let place = Place::on(Arc::new(memory()));
        match self.tool {
            "Read" => Box::new(Read(place)),
            "Write" => Box::new(Write(place)),
            "Edit" => Box::new(Edit(place)),
            _ => Box::new(Probe(place)),
        }
    }

    fn decide(&self, context: &PermissionContext) -> PermissionDecision {
        let tool = self.tool();
        let input = ToolInput::from_value(serde_json::to_value(&self.touch).unwrap(), tool.spec()).unwrap();
        let decision = PermissionEngine::new(context.clone()).check(&*tool, &input).now_or_never().unwrap();
        // A panic would look like a denial.
        assert!(
            !decision.message.contains("a permission hook of the tool failed"),
            "{self:?}\n{context:?}\n{}",
            decision.explain()
        );
        decision
    }
}

fn some(paths: impl Strategy<Value = String> + Clone, most: usize) -> impl Strategy<Value = Vec<String>> {
    vec(paths, 0..=most)
}

fn path() -> impl Strategy<Value = String> + Clone {
    select(PATHS).prop_map(str::to_owned)
}

fn says() -> impl Strategy<Value = Says> {
    select(&[Says::Allow, Says::Deny, Says::Ask, Says::SafetyAsk, Says::Passthrough, Says::Passthrough][..])
}

fn touch(path: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = Touch> {
    let trees = || some(path.clone(), 1);
    let unknown = prop::bool::weighted(0.1);
    (some(path.clone(), 2), trees(), some(path.clone(), 2), trees(), unknown, any::<bool>(), says()).prop_map(
        |(reads, reads_below, writes, writes_below, unknown, read_only, says)| Touch {
            reads,
            reads_below,
            writes,
            writes_below,
            unknown,
            read_only,
            says,
        },
    )
}

fn call() -> impl Strategy<Value = Call> {
    (select(&TOOLS[..4]), touch(path())).prop_map(|(tool, touch)| Call { tool, touch })
}

fn rule_that(behavior: impl Strategy<Value = PermissionBehavior>) -> impl Strategy<Value = PermissionRule> {
    let content = option::weighted(0.85, select(CONTENTS));
    (select(TOOLS), content, behavior).prop_map(|(tool, content, behavior)| {
        let rule = PermissionRule::whole_tool(tool, behavior);
        content.into_iter().fold(rule, PermissionRule::with_content)
    })
}

fn rule() -> impl Strategy<Value = PermissionRule> {
    rule_that(select(BEHAVIORS))
}

/// A rule with what only its JSON says.
fn anchored_rule() -> impl Strategy<Value = PermissionRule> {
    (rule(), option::of(select(&["/w", "/w/link", "~"][..]))).prop_map(|(rule, anchor)| {
        let rule = rule.with_source("project").with_reason("it is so");
        anchor.into_iter().fold(rule, PermissionRule::with_anchor)
    })
}

fn context_with(rules: impl Strategy<Value = PermissionRule>) -> impl Strategy<Value = PermissionContext> {
    let policy = select(&[ReadOnlyPolicy::ByMode, ReadOnlyPolicy::Always][..]);
    let directories = vec(select(&["/w", "/w/link", "~"][..]), 0..2);
    (select(MODES), policy, directories, vec(rules, 0..5)).prop_map(|(mode, policy, directories, rules)| {
        let context = PermissionContext::new().with_mode(mode).with_read_only_policy(policy);
        let context = directories.into_iter().fold(context, PermissionContext::with_working_directory);
        rules.into_iter().fold(context, |context, rule| context.with_rule(rule).unwrap())
    })
}

fn context() -> impl Strategy<Value = PermissionContext> {
    context_with(rule())
}

/// How much a decision lets happen.
fn freedom(decision: &PermissionDecision) -> u8 {
    match decision.behavior {
        PermissionBehavior::Deny => 0,
        PermissionBehavior::Ask => 1,
        PermissionBehavior::Allow => 2,
        PermissionBehavior::Passthrough => panic!("an engine has an opinion"),
    }
}

fn told(before: &PermissionDecision, after: &PermissionDecision) -> String {
    format!("before: {}\nafter: {}", before.explain(), after.explain())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_that_denies_or_asks_never_loosens(
        context in context(),
        call in call(),
        rule in rule_that(select(&[PermissionBehavior::Deny, PermissionBehavior::Ask][..])),
    ) {
        let before = call.decide(&context);
        let after = call.decide(&context.with_rule(rule.clone()).unwrap());
        let denied_before = freedom(&before) == 0;
        // An ask rule stands before what a mode or a tool denies; it never lets anything run.
        let asked_instead = denied_before && rule.behavior() == PermissionBehavior::Ask && freedom(&after) == 1;
        // So does a deny rule that might concern what is not known of the call.
        let may_ask = denied_before && after.explain().contains("might deny what is not known of the call");
        prop_assert!(freedom(&after) <= freedom(&before) || asked_instead || may_ask, "{}", told(&before, &after));
        prop_assert!(before.is_allowed() || !after.is_allowed());
    }

    #[test]
    fn taking_an_ask_rule_away_never_stops_what_ran(context in context(), call in call()) {
        let ask_rules: Vec<_> =
            context.rules().filter(|rule| rule.behavior() == PermissionBehavior::Ask).cloned().collect();
        let before = call.decide(&context);
        for rule in ask_rules {
            let mut without = context.clone();
            prop_assert!(without.remove_rule(&rule));
            let after = call.decide(&without);
            prop_assert!(!before.is_allowed() || after.is_allowed(), "{}", told(&before, &after));
            // What was asked may be denied then by what comes later: the tool, or a mode that denies the rest.
            let by_rule = decided_by(&after) == PermissionStep::DenyRules;
            prop_assert!(freedom(&after) >= freedom(&before) || !by_rule, "{}", told(&before, &after));
        }
    }

    #[test]
    fn dont_ask_never_asks(context in context(), call in call()) {
        let decision = call.decide(&context.with_mode(PermissionMode::DontAsk));
        prop_assert_ne!(decision.behavior, PermissionBehavior::Ask, "{}", decision.explain());
    }

    #[test]
    fn dont_ask_denies_just_what_default_does_not_allow(context in context(), call in call()) {
        let default = call.decide(&context.clone().with_mode(PermissionMode::Default));
        let dont_ask = call.decide(&context.with_mode(PermissionMode::DontAsk));
        prop_assert_eq!(default.is_allowed(), dont_ask.is_allowed(), "{}", told(&default, &dont_ask));
    }

    #[test]
    fn explore_never_allows_what_does_more_than_read(context in context(), call in call()) {
        let decision = call.decide(&context.with_mode(PermissionMode::Explore));
        // What a tool says of itself is not enough.
        let touch = &call.touch;
        let writes = touch.unknown || !touch.writes.is_empty() || !touch.writes_below.is_empty();
        prop_assert!(!decision.is_allowed() || (touch.read_only && !writes), "{}", decision.explain());
    }

    #[test]
    fn no_allow_rule_silences_a_safety_ask(context in context(), mut call in call(), writes in any::<bool>()) {
        call.touch.read_only = false;
        if writes {
            // Of a protected path, whatever the tool says.
            call.touch.writes.push("/w/app/.git/hooks/pre-commit".into());
        } else {
            call.touch.says = Says::SafetyAsk;
        }
        let open = context.allow(call.tool().name()).unwrap().allow(&format!("{}(/**)", call.tool().name())).unwrap();
        let decision = call.decide(&open);
        let bypass = open.mode() == PermissionMode::Bypass;
        prop_assert!(!decision.is_allowed() || bypass, "{}", decision.explain());
    }

    #[test]
    fn rules_that_are_printed_and_parsed_decide_as_before(context in context(), call in call()) {
        let mut read = PermissionContext::new().with_mode(context.mode()).with_read_only_policy(context.read_only_policy());
        for directory in context.working_directories() {
            read.add_working_directory(directory.clone());
        }
        for rule in context.rules() {
            read.add_rule(PermissionRule::parse(&rule.to_string(), rule.behavior()).unwrap()).unwrap();
        }
        prop_assert_eq!(call.decide(&read), call.decide(&context));
    }

    #[test]
    fn a_context_that_is_saved_and_loaded_decides_as_before(context in context_with(anchored_rule()), call in call()) {
        let text = serde_json::to_string(&context).unwrap();
        let loaded: PermissionContext = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&loaded, &context);
        prop_assert_eq!(call.decide(&loaded), call.decide(&context));
    }

    #[test]
    fn a_suggestion_that_is_adopted_settles_the_call(context in context(), call in call()) {
        let before = call.decide(&context);
        let for_want_of_a_rule = before.behavior == PermissionBehavior::Ask && decided_by(&before) == PermissionStep::Mode;
        if !for_want_of_a_rule {
            return Ok(());
        }
        let suggestions = before.suggested_rules.clone().unwrap_or_default();
        for rule in &suggestions {
            let saved: PermissionRule = serde_json::from_value(serde_json::to_value(rule).unwrap()).unwrap();
            let after = call.decide(&context.clone().with_rule(saved).unwrap());
            prop_assert!(after.is_allowed(), "{}", told(&before, &after));
            let printed = context.clone().allow(&rule.to_string()).unwrap();
            prop_assert!(call.decide(&printed).is_allowed(), "{rule}");
        }
    }

    #[test]
    fn a_call_of_one_path_always_gets_a_suggestion(path in path(), tree in any::<bool>(), writes in any::<bool>()) {
        // The root lies in no directory, and what goes in circles is nowhere.
        prop_assume!(!path.contains("circle") && path != "/");
        let touch = Touch::default();
        let touch = match (tree, writes) {
            (false, false) => touch.reads(path),
            (true, false) => touch.reads_below(path),
            (false, true) => touch.writes(path),
            (true, true) => touch.writes_below(path),
        };
        let decision = Call { tool: "Probe", touch }.decide(&PermissionContext::new());
        prop_assert!(decision.behavior == PermissionBehavior::Ask);
        prop_assert!(decision.suggested_rules.is_some_and(|rules| !rules.is_empty()));
    }

    #[test]
    fn no_text_makes_the_engine_panic(
        contents in vec((select(TOOLS), "\\PC{0,12}|[/*?\\[\\]{}!^,\\\\.~a\\-]{0,20}|.{0,8}", select(BEHAVIORS)), 0..4),
        touch in touch(prop_oneof!["\\PC{0,12}", "[/.~*a\\[]{0,12}", any::<String>()].boxed()),
        mode in select(MODES),
        anchor in option::of("[/.~a]{0,5}"),
        directory in "[/.~a]{0,5}",
    ) {
        let mut context = PermissionContext::new().with_mode(mode).with_working_directory(directory);
        for (tool, content, behavior) in contents {
            // Saved rules may have patterns that are none.
            let saved = json!({ "tool_name": tool, "rule_content": content, "behavior": behavior, "anchor": anchor });
            let list = format!("{behavior}_rules");
            let saved = json!({ list: { tool: [saved] } });
            let Ok(loaded) = serde_json::from_value::<PermissionContext>(saved) else {
                prop_assert!(content.trim().is_empty(), "{content:?}");
                continue;
            };
            for rule in loaded.rules() {
                let _ = context.add_rule(rule.clone());
            }
            Call { tool: "Read", touch: touch.clone() }.decide(&loaded.with_mode(mode));
        }
        for tool in &TOOLS[..4] {
            let decision = Call { tool, touch: touch.clone() }.decide(&context);
            freedom(&decision);
            let _ = decision.explain();
        }
    }
}

proptest! {
    // Few of the rules meet a call that waits for one.
    #![proptest_config(ProptestConfig { cases: 8000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_allow_rule_changes_only_calls_that_it_covers(
        context in context(),
        mut call in call(),
        (tool, content) in (prop::bool::weighted(0.8), option::weighted(0.9, select(CONTENTS))),
        waits_for_a_rule in prop::bool::weighted(0.8),
    ) {
        if waits_for_a_rule {
            (call.touch.read_only, call.touch.says) = (false, Says::Passthrough);
        }
        let rule = PermissionRule::whole_tool(if tool { call.tool } else { "Other" }, PermissionBehavior::Allow);
        let rule = content.into_iter().fold(rule, PermissionRule::with_content);
        let before = call.decide(&context);
        let after = call.decide(&context.with_rule(rule.clone()).unwrap());
        if before.behavior == after.behavior {
            return Ok(());
        }
        prop_assert!(after.is_allowed(), "{}", told(&before, &after));
        prop_assert_eq!(rule.tool_name(), call.tool);
        if rule.content().is_some() {
            prop_assert!(!call.touch.unknown);
        }
        for (content, path) in rule.content().into_iter().flat_map(|content| {
            naive::touched(&call.touch, &memory()).into_iter().map(move |path| (content, path))
        }) {
            let bases = ["/w/app", "/w", "/etc", "/home/u"];
            prop_assert!(naive::covers(content, &path, &bases), "{rule} does not cover {path}\n{}", after.explain());
        }
    }
}
