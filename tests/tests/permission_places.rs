//! Where tools act: working directories, protected paths, what cannot be known, and how often it is looked.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod permission;

use std::sync::Arc;

use agentscope_tool::prelude::*;
use agentscope_tool::{PermissionStep, ProtectedPaths, WorkingDirectory};

use permission::memory::Memory;
use permission::tools::{Place, Probe, Read, Says, Touch, Write, decide, decided_by};
use permission::world::worlds;

const ALLOW: PermissionBehavior = PermissionBehavior::Allow;
const DENY: PermissionBehavior = PermissionBehavior::Deny;
const ASK: PermissionBehavior = PermissionBehavior::Ask;

fn read(path: impl Into<String>) -> Touch {
    Touch::default().reads(path)
}

fn write(path: impl Into<String>) -> Touch {
    Touch::default().writes(path)
}

/// Edit files, those inside of the working directories unasked.
#[derive(Clone, Tool)]
struct Editor(Place);

impl ToolBody for Editor {
    type Args = Touch;
    type Output = ();

    async fn call(&self, _: Touch, _: ToolContext) {}

    async fn footprint(&self, touch: &Touch) -> Footprint {
        self.0.footprint(touch)
    }

    async fn check_permissions(&self, _: &Touch, cx: &PermissionContext) -> PermissionDecision {
        if cx.footprint().is_inside_working_directories() {
            PermissionDecision::allow("inside")
        } else {
            PermissionDecision::passthrough()
        }
    }
}

#[tokio::test]
async fn a_path_is_inside_of_a_working_directory_only_where_it_really_leads_there() {
    let links = [
        ("@/tmp/into", "../etc"),
        ("@/tmp/dangling", "@/etc/not-there-yet"),
        ("@/out/leads-out", "@/etc"),
        ("@/out/stays", "sub"),
    ];
    for world in worlds(&["@/etc", "@/tmp", "@/out/sub"], &links) {
        let editor = Editor(world.place.clone());
        let decided = async |directory: &str, touch: Touch| {
            let context =
                PermissionContext::from(PermissionMode::AcceptEdits).with_working_directory(world.at(directory));
            decide(&context, &editor, &touch).await.behavior
        };
        for (directory, path, expected) in [
            ("@/out", "@/out/x", ALLOW),
            ("@/out", "@/out", ALLOW),
            ("@/out/", "@/out/sub/x", ALLOW),
            ("@/ou", "@/out/x", ASK),
            ("@/out", "@/ou/x", ASK),
            ("@/out", "@/out/../x", ASK),
            ("@/out", "@/out/leads-out/x", ASK),
            ("@/out", "@/out/stays/x", ALLOW),
            ("@/tmp/into", "@/etc/x", ALLOW),
            ("@/tmp/into", "@/tmp/into/x", ALLOW),
            ("@/tmp", "@/tmp/dangling", ASK),
            ("/", "@/anything", ALLOW),
        ] {
            assert_eq!(decided(directory, write(world.at(path))).await, expected, "{directory} {path}");
        }
        let two = write(world.at("@/out/x")).writes(world.at("@/etc/x"));
        assert_eq!(decided("@/out", two).await, ASK);
        assert_eq!(decided("@/out", Touch::default()).await, ASK);
        assert_eq!(decided("@/out", write(world.at("@/out/x")).and_unknown()).await, ASK);
    }
}

#[tokio::test]
async fn the_current_directory_is_a_working_directory() {
    let editor = Editor(Place::on(Arc::new(Memory::default().link("/w/app/out", "/else"))));
    let context = PermissionContext::from(PermissionMode::AcceptEdits);
    for (path, expected) in [("a", ALLOW), ("/w/app/a", ALLOW), ("/w/apple/a", ASK), ("../a", ASK), ("out/a", ASK)] {
        assert_eq!(decide(&context, &editor, &write(path)).await.behavior, expected, "{path}");
    }
    let home = context.with_working_directory("~/notes");
    assert_eq!(decide(&home, &editor, &write("/home/u/notes/a")).await.behavior, ALLOW);
    let here = Editor(Place::default());
    let context = PermissionContext::new();
    assert_eq!(decide(&context, &here, &write("src/new.rs")).await.behavior, ALLOW);
    assert_eq!(decide(&context, &here, &write("../new.rs")).await.behavior, ASK);
}

#[tokio::test]
async fn what_is_not_known_is_never_covered_and_may_always_be_what_is_denied() {
    let tool = Probe(Place::on(Arc::new(Memory::default())));
    let touch = read("/w/app/a").and_unknown();
    let context = PermissionContext::new().allow("Probe(/**)").unwrap();
    assert_eq!(decide(&context, &tool, &touch).await.behavior, ASK);
    // Whoever allows the whole tool has said so knowing nothing of the call.
    let whole = PermissionContext::new().allow("Probe").unwrap();
    assert_eq!(decide(&whole, &tool, &touch).await.behavior, ALLOW);
    for rule in ["Probe(/else/**)", "Read(/else/**)", "Write(/else/**)", "Edit(/else/**)"] {
        for (mode, expected) in
            [(PermissionMode::Default, ASK), (PermissionMode::Bypass, ASK), (PermissionMode::DontAsk, DENY)]
        {
            let context = whole.clone().with_mode(mode).deny(rule).unwrap();
            let decision = decide(&context, &tool, &touch).await;
            assert_eq!(decision.behavior, expected, "{rule}, {mode}: {}", decision.explain());
            assert_eq!(decision.trace.steps()[1].step, PermissionStep::AskRules);
            // It is what is not known that asks: the same call without it runs.
            let known = read("/w/app/a");
            assert!(decide(&context, &tool, &known).await.is_allowed());
        }
    }
    let other = whole.deny("Grep(/else/**)").unwrap();
    assert!(decide(&other, &tool, &touch).await.is_allowed());
}

#[tokio::test]
async fn a_place_that_cannot_answer_makes_the_call_unknown() {
    type Broken = (&'static str, fn() -> Memory);
    let broken: [Broken; 5] = [
        ("locked", || Memory { locked: Some("/w/app/locked".into()), ..Memory::default() }),
        ("circle", || Memory::default().link("/w/app/locked", "/w/app/locked")),
        ("forgetful", || Memory { forgetful: true, ..Memory::default() }),
        ("no current directory", || Memory { cwd: None, ..Memory::default() }),
        ("locked directory", || Memory { locked: Some("/w".into()), ..Memory::default() }),
    ];
    let touch = write("/w/app/locked/x");
    for (what, memory) in broken {
        let tool = Write(Place::on(Arc::new(memory())));
        let decide = async |context: PermissionContext| decide(&context, &tool, &touch).await.behavior;
        let allow = PermissionContext::new().allow("Write(/**)").unwrap();
        assert_eq!(decide(allow.clone()).await, ASK, "{what}");
        assert_eq!(decide(allow.deny("Read(/x)").unwrap()).await, ASK, "{what}");
        let bypass = PermissionContext::from(PermissionMode::Bypass).deny("Edit(/x)").unwrap();
        assert_eq!(decide(bypass).await, ASK, "{what}");
        let dont_ask = PermissionContext::from(PermissionMode::DontAsk).allow("Write(/**)").unwrap();
        assert_eq!(decide(dont_ask).await, DENY, "{what}");
        let editor = Editor(Place::on(Arc::new(memory())));
        let accept = PermissionContext::from(PermissionMode::AcceptEdits).with_working_directory("/w/app");
        assert_eq!(permission::tools::decide(&accept, &editor, &touch).await.behavior, ASK, "{what}");
    }
}

#[tokio::test]
async fn the_name_of_a_path_is_denied_even_where_nobody_knows_where_it_leads() {
    let tool = Read(Place::on(Arc::new(Memory { locked: Some("/etc".into()), ..Memory::default() })));
    let context = PermissionContext::from(PermissionMode::Bypass).deny("Read(/etc/**)").unwrap();
    for path in ["/etc/hosts", "/w/../etc/hosts", "../../etc/hosts"] {
        let decision = decide(&context, &tool, &read(path)).await;
        assert_eq!(decision.behavior, DENY, "{path}: {}", decision.explain());
    }
}

#[tokio::test]
async fn a_home_that_is_missing_matters_to_rules_about_it_only() {
    let tool = Read(Place::on(Arc::new(Memory { home: None, ..Memory::default() })));
    let context = PermissionContext::new().allow("Read(/w/**)").unwrap().allow("Read(~/**)").unwrap();
    assert!(decide(&context, &tool, &read("/w/a")).await.is_allowed());
    assert_eq!(decide(&context, &tool, &read("/home/u/a")).await.behavior, ASK);
}

#[tokio::test]
async fn a_working_directory_that_is_nowhere_spoils_nothing() {
    let place = Place::on(Arc::new(Memory { locked: Some("/locked".into()), ..Memory::default() }));
    let mut context = PermissionContext::from(PermissionMode::AcceptEdits).with_working_directory("/locked");
    context.add_working_directory(WorkingDirectory::new("/w").with_source("user"));
    assert!(decide(&context, &Editor(place.clone()), &write("/w/a")).await.is_allowed());
    let rules = context.allow("Read(/w/**)").unwrap().deny("Read(/locked/**)").unwrap();
    assert!(decide(&rules, &Read(place.clone()), &read("/w/a")).await.is_allowed());
    assert_ne!(decide(&rules, &Editor(place), &write("/locked/a")).await.behavior, ALLOW);
}

#[tokio::test]
async fn writing_to_a_protected_path_asks_whatever_is_allowed() {
    for world in worlds(&["@/w/.git/hooks", "@/w/lib"], &[("@/w/lib/inner", "../.git"), ("@/w/.env", "@/w/plain")]) {
        for (path, part) in [
            ("@/w/.git/hooks/pre-commit", "@/w/.git/hooks/pre-commit"),
            ("@/w/.GIT/config", "@/w/.GIT/config"),
            ("@/w/lib/inner/config", "@/w/.git/config"),
            ("@/w/lib/../.git/config", "@/w/.git/config"),
            ("@/w/.env", "@/w/plain"),
            ("@/w/.Env.Local", "@/w/.Env.Local"),
        ] {
            for says in [Says::Allow, Says::Ask, Says::Passthrough, Says::SafetyAsk] {
                let tool = Write(world.place.clone());
                let touch = write(world.at(path)).says(says);
                let decide = async |mode| {
                    let open = PermissionContext::new().with_mode(mode).allow("Write").unwrap();
                    let open = open.with_working_directory(world.at("@")).allow("Write(/**)").unwrap();
                    decide(&open, &tool, &touch).await
                };
                for mode in [PermissionMode::Default, PermissionMode::AcceptEdits] {
                    let decision = decide(mode).await;
                    assert_eq!(decision.behavior, ASK, "{path} {says:?}: {}", decision.explain());
                    assert!(decision.bypass_immune);
                    assert_eq!(decided_by(&decision), PermissionStep::ProtectedPaths);
                    assert_eq!(decision.trace.steps().last().unwrap().part, Some(world.at(part)));
                }
                assert_eq!(decide(PermissionMode::DontAsk).await.behavior, DENY, "{path} {says:?}");
                assert_eq!(decide(PermissionMode::Explore).await.behavior, DENY, "{path} {says:?}");
                assert_eq!(decide(PermissionMode::Bypass).await.behavior, ALLOW, "{path} {says:?}");
            }
            // What the tool denies is not asked about.
            let tool = Write(world.place.clone());
            let denied = decide(&PermissionContext::new(), &tool, &write(world.at(path)).says(Says::Deny)).await;
            assert_eq!(denied.behavior, DENY);
            let reading = PermissionContext::new().allow("Read").unwrap();
            assert!(decide(&reading, &Read(world.place.clone()), &read(world.at(path))).await.is_allowed());
        }
    }
}

#[tokio::test]
async fn writing_a_tree_is_asked_about_whether_it_is_protected_or_may_hold_what_is() {
    let place = Place::on(Arc::new(Memory::default()));
    let context = PermissionContext::new().allow("Write").unwrap();
    let reasons = [("/w/.git/hooks", "`/w/.git/hooks`, which is protected"), ("/w/src", "anything below `/w/src`")];
    for (tree, reason) in reasons {
        let decision = decide(&context, &Write(place.clone()), &Touch::default().writes_below(tree)).await;
        assert_eq!(decision.behavior, ASK, "{tree}");
        assert!(decision.bypass_immune && decision.message.contains(reason), "{}", decision.message);
    }
    assert!(decide(&context, &Write(place.clone()), &Touch::default().reads_below("/w")).await.is_allowed());
    // A tool that leaves such names alone says so with a list of its own; what settings add holds still.
    let careful = Write(Place { protected: Some(ProtectedPaths::none()), ..place });
    let tree = Touch::default().writes_below("/w/src");
    assert!(decide(&context, &careful, &tree).await.is_allowed());
    let more = ProtectedPaths::default().additional_files(["*.pem"]);
    assert_eq!(decide(&context.with_protected_paths(more), &careful, &tree).await.behavior, ASK);
}

#[tokio::test]
async fn a_path_that_cannot_be_resolved_hides_neither_itself_nor_the_others() {
    let memory = Memory::default().link("/w/circle", "circle").link("/w/link", "/w/.git").link("/w/to-etc", "/etc");
    let tool = Probe(Place::on(Arc::new(memory)));
    let allowed = PermissionContext::new().allow("Probe").unwrap();
    let lost = || write("/w/circle/x");

    // A link to a protected path behind it, and the path itself, which may lead anywhere.
    let decision = decide(&allowed, &tool, &lost().writes("/w/link/hooks/a")).await;
    assert!(decision.bypass_immune && decision.message.contains("/w/.git/hooks/a"), "{}", decision.message);
    let decision = decide(&allowed, &tool, &lost()).await;
    assert!(decision.bypass_immune && decision.message.contains("not known"), "{}", decision.message);

    // Rules hit the others, and those that ask are not lost either where nobody knows.
    let denied = allowed.clone().deny("Read(/etc/**)").unwrap();
    assert_eq!(decide(&denied, &tool, &read("/w/circle/x").reads("/w/to-etc/hosts")).await.behavior, DENY);
    let asked = allowed.clone().with_mode(PermissionMode::Bypass).ask("Read(/etc/**)").unwrap();
    for touch in [read("/w/circle/x"), read("/w/a").and_unknown()] {
        assert_eq!(decide(&allowed, &tool, &touch).await.behavior, ALLOW);
        assert_eq!(decide(&asked, &tool, &touch).await.behavior, ASK);
    }
}

#[tokio::test]
async fn directories_that_differ_in_one_name_are_suggested_together() {
    let tool = Probe(Place::on(Arc::new(Memory::default())));
    let suggested = async |touch: Touch| {
        let decision = decide(&PermissionContext::new(), &tool, &touch).await;
        decision.suggested_rules.unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(suggested(read("/q/src/a").writes("/q/tests/b")).await, ["Probe(/q/{src,tests}/**)"]);
    let odd = suggested(read("/q/a,b/x").writes("/q/c}[/y").reads("/q/*/z")).await;
    assert_eq!(odd, [r"Probe(/q/{a\,b,[*],c\}[[]}/**)"]);
    let rule = PermissionRule::allow(&odd[0]).unwrap();
    let context = PermissionContext::new().with_rule(rule).unwrap();
    for (path, expected) in
        [("/q/a,b/x", ALLOW), ("/q/a/x", ASK), ("/q/b/x", ASK), ("/q/c}[/y", ALLOW), ("/q/d/z", ASK)]
    {
        assert_eq!(decide(&context, &tool, &read(path)).await.behavior, expected, "{path}");
    }
    assert!(suggested(read("/q/src/a").reads("/p/tests/a")).await.is_empty());
    assert_eq!(suggested(read("/q/a/x").reads("/q/a/b/x")).await, ["Probe(/q/a/**)"]);
}

#[tokio::test]
async fn a_path_of_any_length_is_decided_about_at_once() {
    let context = PermissionContext::new().deny("Read(/**/.env)").unwrap().ask("Read(/*/x)").unwrap();
    let path = format!("/no-such-directory{}", "/a".repeat(600_000));
    let start = std::time::Instant::now();
    decide(&context, &Probe(Place::default()), &read(&*path)).await;
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_tools_own_list_stands_for_the_default_one_and_not_for_what_settings_add() {
    let place = |protected| Place { backend: Some(Arc::new(Memory::default())), protected };
    let settings = ProtectedPaths::default().additional_files(["*.pem"]);
    let context = PermissionContext::new().with_protected_paths(settings).allow("Write").unwrap();
    let own = Write(place(Some(ProtectedPaths::none().files(["own.txt"]))));
    let without = Write(place(None));
    for (path, with_own, by_default) in [
        ("/w/own.txt", ASK, ALLOW),
        ("/w/.env", ALLOW, ASK),
        ("/w/.git/x", ALLOW, ASK),
        ("/w/key.pem", ASK, ASK),
        ("/w/plain", ALLOW, ALLOW),
    ] {
        assert_eq!(decide(&context, &own, &write(path)).await.behavior, with_own, "{path}");
        assert_eq!(decide(&context, &without, &write(path)).await.behavior, by_default, "{path}");
    }
    let replaced = PermissionContext::new().with_protected_paths(ProtectedPaths::none()).allow("Write").unwrap();
    assert!(decide(&replaced, &without, &write("/w/.env")).await.is_allowed());
}

#[tokio::test]
async fn a_check_asks_the_place_once_and_only_where_there_are_paths() {
    let memory = Arc::new(Memory::default().link("/w/link", "/etc"));
    let tool = Probe(Place::on(Arc::clone(&memory) as Arc<dyn agentscope_tool::Backend>));
    let mut context = PermissionContext::new().with_working_directory("/w/link").with_working_directory("~");
    for rule in ["Read(/w/link/**)", "Read(a/**)", "Write(~/x)", "Probe(b)"] {
        context = context.deny(rule).unwrap().ask(rule).unwrap().allow(rule).unwrap();
    }
    for (asked, mode) in [
        PermissionMode::Default,
        PermissionMode::AcceptEdits,
        PermissionMode::Explore,
        PermissionMode::Bypass,
        PermissionMode::DontAsk,
    ]
    .into_iter()
    .enumerate()
    {
        let touch = read("/q/a").reads("/q/b").writes("/q/c").reads_below("/q/d");
        decide(&context.clone().with_mode(mode), &tool, &touch).await;
        assert_eq!(memory.questions(), asked + 1, "{mode}");
    }
    decide(&context, &tool, &Touch::default()).await;
    assert_eq!(memory.questions(), 5);
}

#[tokio::test]
async fn decisions_about_paths_explain_themselves() {
    let memory = Memory::default().link("/w/app/link", "/etc").link("/w/app/circle", "circle");
    let place = Place::on(Arc::new(memory));
    let told = async |context: &PermissionContext, touch: Touch| {
        decide(context, &Probe(place.clone()), &touch).await.explain()
    };
    let deny = PermissionContext::new()
        .with_rule(
            PermissionRule::deny("Read(/etc/**)")
                .unwrap()
                .with_source("settings.toml")
                .with_reason("it is the system's"),
        )
        .unwrap();
    let allow = PermissionContext::new().allow("Probe(src/**)").unwrap();
    let explained = [
        told(&deny, read("link/hosts")).await,
        told(&deny, read("src/a.rs").and_unknown()).await,
        told(&deny, read("circle/x")).await,
        told(&allow, write("src/a.rs")).await,
        told(&allow, write("src/a.rs").writes("b.rs")).await,
        told(&allow, write("src/.env").says(Says::Allow)).await,
        told(&allow.clone().with_mode(PermissionMode::Bypass), write("src/.env")).await,
        told(&allow, read("/w/[id]/page.tsx")).await,
        told(&allow, read("new\nline\u{202e}")).await,
    ];
    insta::assert_snapshot!(explained.join("\n\n"));
}
