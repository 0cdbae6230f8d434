//! Rules and paths: what a path is called and where it leads, in memory and on the disk.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod permission;

use std::sync::Arc;

use agentscope_tool::ProtectedPaths;
use agentscope_tool::prelude::*;

use permission::memory::Memory;
use permission::tools::{Edit, Grep, Place, Probe, Read, Touch, Write, decide};
use permission::world::{World, worlds};

const ALLOW: PermissionBehavior = PermissionBehavior::Allow;
const DENY: PermissionBehavior = PermissionBehavior::Deny;
const ASK: PermissionBehavior = PermissionBehavior::Ask;

/// A tree with an `etc` to keep out of, an `out` to stay in, and links between them.
fn tree() -> [World; 2] {
    worlds(
        &["@/etc/ssl", "@/tmp/deep", "@/out/sub", "@/home"],
        &[
            ("@/tmp/hosts", "@/etc/hosts"),
            ("@/tmp/into", "../etc"),
            ("@/tmp/ssl", "@/etc/ssl"),
            ("@/tmp/again", "into"),
            ("@/tmp/dangling", "@/etc/not-there-yet"),
            ("@/out/leads-out", "@/etc"),
            ("@/out/stays", "sub"),
            ("@/etc/leads-away", "@/tmp/deep"),
        ],
    )
}

fn read(path: impl Into<String>) -> Touch {
    Touch::default().reads(path)
}

fn write(path: impl Into<String>) -> Touch {
    Touch::default().writes(path)
}

/// Checks a rule against paths that it is to hit or cover, and others. `@` is the tree's directory.
async fn check_all(rule: &str, behavior: PermissionBehavior, hits: &[&str], misses: &[&str]) {
    for world in tree() {
        let rule = PermissionRule::parse(&world.at(rule), behavior).unwrap();
        let context = PermissionContext::new().with_rule(rule).unwrap();
        let tool = Read(world.place.clone());
        for (paths, expected) in [(hits, behavior), (misses, ASK)] {
            for path in paths {
                let decision = decide(&context, &tool, &read(world.at(path))).await;
                assert_eq!(decision.behavior, expected, "{path}: {}", decision.explain());
            }
        }
    }
}

#[tokio::test]
async fn no_other_name_of_a_path_escapes_a_denial() {
    check_all(
        "Read(@/etc/**)",
        DENY,
        &[
            "@/etc/hosts",
            "@/etc/ssl/certs/ca.pem",
            "@/tmp/../etc/hosts",
            "@/etc//hosts",
            "@/etc/./hosts",
            "@//etc/hosts/",
            "@/tmp/hosts",
            "@/tmp/into/hosts",
            "@/tmp/again/hosts",
            "@/tmp/ssl/../hosts",
            "@/tmp/ssl/../ssl/key",
            "@/tmp/dangling",
            "@/out/leads-out/hosts",
            "@/tmp/not-there/../../etc/hosts",
        ],
        &["@/etcetera/x", "@/tmp/deep/x", "@/etc/../tmp/x", "@/out/stays/x"],
    )
    .await;
}

#[tokio::test]
async fn a_denial_of_a_links_own_name_hits_too() {
    check_all("Read(@/tmp/hosts)", DENY, &["@/tmp/hosts", "@/etc/hosts"], &["@/etc/passwd"]).await;
    check_all("Read(@/tmp/*)", DENY, &["@/tmp/hosts", "@/tmp/x"], &["@/etc/hosts", "@/tmp/deep/x"]).await;
    // The link is in the denied directory, what it leads to is not.
    check_all("Read(@/etc/**)", DENY, &["@/etc/leads-away/x"], &["@/tmp/deep/x"]).await;
}

#[tokio::test]
async fn a_denial_that_names_a_directory_means_what_is_in_it() {
    check_all("Read(@/etc)", DENY, &["@/etc", "@/etc/ssl/key", "@/tmp/into/hosts"], &["@/etcetera"]).await;
    check_all("Read(@/etc/)", DENY, &["@/etc/ssl/key"], &["@/etcetera"]).await;
}

#[tokio::test]
async fn a_rule_whose_own_directory_is_a_link_means_what_the_link_leads_to() {
    check_all("Read(@/tmp/into/**)", DENY, &["@/etc/hosts", "@/tmp/into/hosts", "@/tmp/again/x"], &["@/tmp/x"]).await;
    check_all("Read(@/tmp/into/*)", ALLOW, &["@/etc/hosts", "@/tmp/into/hosts"], &["@/etc/ssl/key", "@/tmp/x"]).await;
}

#[tokio::test]
async fn what_is_allowed_is_not_left_by_dots_or_links() {
    check_all(
        "Read(@/out/**)",
        ALLOW,
        &["@/out/x", "@/out/sub/deep/x", "@/out/stays/x", "@/tmp/../out/x", "@/out//./x", "@/out/leads-out/../out/x"],
        &["@/out/../x", "@/out/leads-out/hosts", "@/out/leads-out", "@/outer/x", "@/out", "@/out/stays/../../etc/x"],
    )
    .await;
}

#[tokio::test]
async fn one_star_stops_at_a_slash_and_two_cross_it() {
    check_all("Read(@/out/*)", ALLOW, &["@/out/x", "@/out/.x"], &["@/out/sub/x", "@/out"]).await;
    check_all("Read(@/out/*.txt)", ALLOW, &["@/out/a.txt"], &["@/out/deep/a.txt", "@/out/a.md"]).await;
    check_all("Read(@/out/**/*.txt)", ALLOW, &["@/out/a.txt", "@/out/b/c/a.txt"], &["@/out/b/a.md"]).await;
    check_all("Read(@/*/x)", DENY, &["@/out/x"], &["@/out/sub/x"]).await;
}

#[tokio::test]
async fn a_denial_for_one_file_tool_holds_for_every_tool_that_touches_the_path_so() {
    for world in tree() {
        let place = || world.place.clone();
        let tools: [Box<dyn Tool>; 5] = [
            Box::new(Read(place())),
            Box::new(Write(place())),
            Box::new(Edit(place())),
            Box::new(Grep(place())),
            Box::new(Probe(place())),
        ];
        let path = world.at("@/etc/hosts");
        let touches = [
            ("read", read(&*path)),
            ("read", Touch::default().reads_below(world.at("@/etc"))),
            ("write", write(&*path)),
            ("write", Touch::default().writes_below(world.at("@/etc"))),
        ];
        for (rule_of, access) in [("Read", "read"), ("Write", "write"), ("Edit", "write")] {
            for behavior in [DENY, ASK] {
                let rule = PermissionRule::parse(&world.at(&format!("{rule_of}(@/etc/**)")), behavior).unwrap();
                let whole = PermissionRule::whole_tool(rule_of, behavior);
                for rule in [rule, whole] {
                    // In this mode only a rule stops what a tool does.
                    let context =
                        PermissionContext::new().with_mode(PermissionMode::Bypass).with_rule(rule.clone()).unwrap();
                    for tool in &tools {
                        for (how, touch) in &touches {
                            let decision = decide(&context, &**tool, touch).await;
                            // A tool's own rules are its own: it matches them as it likes, here against every path.
                            // Without a content, a rule is about its own tool alone.
                            let speaks_about_paths = rule.content().is_some() && how == &access;
                            let hits = speaks_about_paths || tool.name() == rule_of;
                            let expected = if hits { behavior } else { ALLOW };
                            let told = format!("{rule:?} {} {how}: {}", tool.name(), decision.explain());
                            assert_eq!(decision.behavior, expected, "{told}");
                        }
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn a_rule_of_another_tool_is_only_about_that_tool() {
    for world in tree() {
        let touch = read(world.at("@/etc/hosts"));
        for rule in ["Grep(@/etc/**)", "Probe(@/etc/**)", "Grep"] {
            let context = PermissionContext::from(PermissionMode::Bypass).deny(&world.at(rule)).unwrap();
            assert!(decide(&context, &Read(world.place.clone()), &touch).await.is_allowed(), "{rule}");
        }
        // What is allowed to one tool is not allowed to another.
        let context = PermissionContext::new().allow(&world.at("Read(@/**)")).unwrap();
        assert_eq!(decide(&context, &Probe(world.place.clone()), &touch).await.behavior, ASK);
    }
}

#[tokio::test]
async fn a_tree_is_denied_where_any_of_it_is_and_allowed_where_all_of_it_is() {
    let below = |path: String| [Touch::default().reads_below(&*path), Touch::default().writes_below(path)];
    for world in tree() {
        // What is protected asks about every tree, so this tool is one that leaves such names alone.
        let tool = Probe(Place { protected: Some(ProtectedPaths::none()), ..world.place.clone() });
        let deny = PermissionContext::from(PermissionMode::Bypass).deny(&world.at("Probe(@/etc/ssl/**)")).unwrap();
        for (tree, expected) in [
            ("@", DENY),
            ("@/etc", DENY),
            ("@/etc/ssl/sub", DENY),
            ("@/tmp/into", DENY),
            ("@/tmp/ssl", DENY),
            ("@/out", ALLOW),
        ] {
            for touch in below(world.at(tree)) {
                let decision = decide(&deny, &tool, &touch).await;
                assert_eq!(decision.behavior, expected, "{tree}: {}", decision.explain());
            }
        }
        let allow = PermissionContext::new().allow(&world.at("Probe(@/out/**)")).unwrap();
        for (tree, reading, writing) in [
            ("@/out/sub", ALLOW, ALLOW),
            ("@/out/stays", ALLOW, ALLOW),
            // Whoever writes a tree may remove its root, which is not in it.
            ("@/out", ALLOW, ASK),
            ("@", ASK, ASK),
            ("@/out/leads-out", ASK, ASK),
            ("@/out/..", ASK, ASK),
        ] {
            for (touch, expected) in below(world.at(tree)).into_iter().zip([reading, writing]) {
                let decision = decide(&allow, &tool, &touch).await;
                assert_eq!(decision.behavior, expected, "{tree} {touch:?}: {}", decision.explain());
            }
        }
        let shallow = PermissionContext::new().allow(&world.at("Probe(@/out/*)")).unwrap();
        assert_eq!(decide(&shallow, &tool, &Touch::default().reads_below(world.at("@/out"))).await.behavior, ASK);
    }
}

#[tokio::test]
async fn a_deny_of_a_name_anywhere_hits_every_tree_that_could_hold_it() {
    for world in tree() {
        let context = PermissionContext::from(PermissionMode::Bypass).deny(&world.at("Read(@/**/*.pem)")).unwrap();
        let tool = Grep(world.place.clone());
        for (tree, expected) in [("@/out", DENY), ("@/tmp/deep", DENY), ("@", DENY)] {
            let decision = decide(&context, &tool, &Touch::default().reads_below(world.at(tree))).await;
            assert_eq!(decision.behavior, expected, "{tree}: {}", decision.explain());
        }
    }
}

#[tokio::test]
async fn a_call_of_two_paths_needs_both_to_be_covered_and_one_to_be_hit() {
    for world in tree() {
        let tool = Probe(world.place.clone());
        let both = read(world.at("@/out/a")).writes(world.at("@/etc/b"));
        let allow = PermissionContext::new().allow(&world.at("Probe(@/out/**)")).unwrap();
        assert_eq!(decide(&allow, &tool, &both).await.behavior, ASK);
        // Two rules that each cover a half are no rule that covers the whole.
        let halves = allow.clone().allow(&world.at("Probe(@/etc/**)")).unwrap();
        assert_eq!(decide(&halves, &tool, &both).await.behavior, ASK);
        let whole = allow.allow(&world.at("Probe(@/**)")).unwrap();
        assert_eq!(decide(&whole, &tool, &both).await.behavior, ALLOW);
        let deny = whole.deny(&world.at("Probe(@/etc/**)")).unwrap();
        let decision = decide(&deny, &tool, &both).await;
        assert_eq!(decision.behavior, DENY);
        assert_eq!(decision.trace.steps()[0].part, Some(world.at("@/etc/b")), "{}", decision.explain());
    }
}

#[tokio::test]
async fn relative_paths_start_at_the_current_directory_of_the_place() {
    let memory = || Place::on(Arc::new(Memory::default()));
    let deny = |rule: &str| PermissionContext::from(PermissionMode::Bypass).deny(rule).unwrap();
    for (rule, path, expected) in [
        ("Read(/w/app/**)", "src/a.rs", DENY),
        ("Read(/w/**)", "../x", DENY),
        ("Read(/w/app/**)", "../x", ALLOW),
        ("Read(src/**)", "/w/app/src/a.rs", DENY),
        ("Read(./src/**)", "src/../src/a.rs", DENY),
        ("Read(../x)", "/w/x", DENY),
        ("Read(src/**)", "/w/src/a.rs", ALLOW),
        ("Read(**/a.rs)", "deep/er/a.rs", DENY),
        ("Read(**/a.rs)", "/else/a.rs", ALLOW),
    ] {
        let decision = decide(&deny(rule), &Read(memory()), &read(path)).await;
        assert_eq!(decision.behavior, expected, "{rule} {path}: {}", decision.explain());
    }
    // This machine's current directory, with a path that is there.
    let cwd = std::env::current_dir().unwrap();
    let rule = format!("Read({}/src/**)", cwd.display());
    assert_eq!(decide(&deny(&rule), &Read(Place::default()), &read("src/lib.rs")).await.behavior, DENY);
    assert_eq!(decide(&deny("Read(src/*)"), &Read(Place::default()), &read("src/lib.rs")).await.behavior, DENY);
}

#[tokio::test]
async fn relative_rules_start_at_each_working_directory_too_unless_they_have_an_anchor() {
    for world in tree() {
        let tool = Read(world.place.clone());
        let rule = PermissionRule::deny("Read(ssl/**)").unwrap();
        let path = read(world.at("@/etc/ssl/key"));
        let bypass = || PermissionContext::from(PermissionMode::Bypass);
        let with = |directory: &str, rule: &PermissionRule| {
            bypass().with_working_directory(world.at(directory)).with_rule(rule.clone()).unwrap()
        };
        for (directory, expected) in [("@/etc", DENY), ("@/tmp/into", DENY), ("@/tmp/..//etc/", DENY), ("@/out", ALLOW)]
        {
            let decision = decide(&with(directory, &rule), &tool, &path).await;
            assert_eq!(decision.behavior, expected, "{directory}: {}", decision.explain());
        }
        for (anchor, expected) in [("@/etc", DENY), ("@/tmp/into", DENY), ("@/out", ALLOW)] {
            let anchored = rule.clone().with_anchor(world.at(anchor));
            let decision = decide(&bypass().with_rule(anchored).unwrap(), &tool, &path).await;
            assert_eq!(decision.behavior, expected, "{anchor}: {}", decision.explain());
        }
        // An anchor stands for the working directories, and does not add to them.
        let elsewhere = rule.with_anchor(world.at("@/out"));
        assert!(decide(&with("@/etc", &elsewhere), &tool, &path).await.is_allowed());
    }
}

#[tokio::test]
async fn a_tilde_is_the_home_of_the_place() {
    let deny = PermissionContext::from(PermissionMode::Bypass).deny("Read(~/.keys/**)").unwrap();
    let memory = || Memory::default().link("/tmp/keys", "/home/u/.keys");
    let place = |memory: Memory| Read(Place::on(Arc::new(memory)));
    for (path, expected) in [("/home/u/.keys/a", DENY), ("/tmp/keys/a", DENY), ("/home/v/.keys/a", ALLOW)] {
        assert_eq!(decide(&deny, &place(memory()), &read(path)).await.behavior, expected, "{path}");
    }
    // In a path it is a name like any other, as it is when a file is opened.
    assert_eq!(decide(&deny, &place(memory()), &read("~/.keys/a")).await.behavior, ALLOW);
    let home = std::env::home_dir().unwrap();
    let path = format!("{}/.keys/agentscope", home.display());
    assert_eq!(decide(&deny, &Read(Place::default()), &read(path)).await.behavior, DENY);
}
