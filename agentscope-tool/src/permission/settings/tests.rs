use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::permission::rule::PermissionBehavior;

fn toml(text: &str) -> PermissionSettings {
    PermissionSettings::from_toml(text, "/project").unwrap()
}

fn faults(text: &str) -> String {
    PermissionSettings::from_toml(text, "/project").unwrap_err().to_string()
}

fn json_faults(text: &str) -> String {
    PermissionSettings::from_json(text, "/project").unwrap_err().to_string()
}

const WHOLE: &str = r#"
# What this project's agent may do.
mode = "accept_edits"
read_only = "allow"
working_directories = [".", "../other", "~/notes", "/srv"]
allow = ["Bash(npm run:*)", { rule = "Edit(src/**)", match = ["src/main.rs"], no_match = ["/etc/hosts"] }]
ask = ["Write(/project/Cargo.lock)"]
protected_files = ["*.pem"]
protected_directories = { replace = [".git", "secrets"] }

[[deny]]
rule = "Bash(git push:*)"
reason = "releases are made by hand"
match = ["git push --tags", { command = "git push", timeout = 3 }]
"#;

#[test]
fn a_whole_file_becomes_a_context() {
    let settings = toml(WHOLE);
    assert_eq!(settings.examples().count(), 2);
    assert_eq!(settings.warnings(), []);
    insta::assert_json_snapshot!(settings.into_context());
}

#[test]
fn json_says_the_same_as_toml() {
    let json = json!({
        "$schema": "agent.schema.json",
        "mode": "accept_edits",
        "read_only": "allow",
        "working_directories": [".", "../other", "~/notes", "/srv"],
        "allow": ["Bash(npm run:*)", { "rule": "Edit(src/**)", "match": ["src/main.rs"], "no_match": ["/etc/hosts"] }],
        "ask": ["Write(/project/Cargo.lock)"],
        "protected_files": ["*.pem"],
        "protected_directories": { "replace": [".git", "secrets"] },
        "deny": [{
            "rule": "Bash(git push:*)",
            "reason": "releases are made by hand",
            "match": ["git push --tags", { "command": "git push", "timeout": 3 }]
        }]
    });
    let settings = PermissionSettings::from_json(&json.to_string(), "/project").unwrap();
    let saved = |settings: PermissionSettings| {
        let text = serde_json::to_string(&settings.into_context()).unwrap();
        text.replace("settings.json", "FILE").replace("settings.toml", "FILE")
    };
    assert_eq!(saved(settings), saved(toml(WHOLE)));
}

#[test]
fn the_schema_is_that_of_the_file() {
    insta::assert_json_snapshot!(PermissionSettings::json_schema());
}

#[test]
fn every_fault_is_told_with_its_line() {
    insta::assert_snapshot!(faults(
        r#"
mode = "accept_edit"
read_only = true
alow = ["Bash"]
deny = ["Bash(", "Edit(src/**)", { rule = "Edit(a/[b)", reson = "x" }]
protected_files = { replaced = [] }
loosen = "yes"
"#
    ));
    insta::assert_snapshot!(faults(
        r#"
working_directories = ["", "~other/x"]
protected_files = ["a", "/"]
protected_directories = { replace = [""] }
allow = [
    "Bash(",
    { rule = "Read()" },
    { rule = "Edit(src/**)", match = ["lib.rs"], no_match = ["src/main.rs"] },
    "Edit(a/[b)",
]
"#
    ));
}

#[test]
fn a_text_that_cannot_be_parsed_is_told_with_its_line() {
    insta::assert_snapshot!(
        [
            faults("mode = \"default\"\ndeny = [\"Bash\"\nallow = []"),
            faults("deny = []\ndeny = [\"Bash\"]"),
            faults("allow = [{ rule = \"x\", match = [{ n = inf }, { n = 99999999999999999999 }] }]"),
            json_faults("{\n  \"mode\": \"default\",\n  \"deny\": [\"Bash\",]\n}"),
            json_faults("{\"deny\": [\"Bash\"],\n \"deny\": []}"),
            json_faults("{\n \"deny\": [\n  \"Bash\", \"Bash(\"\n ]\n}"),
            json_faults("{\n \"a\\\"\": 1, \"d\\\\\" : [],\n \"deny\": [ \"x\\\\\\\"\" ], \"mode\": 7}"),
            json_faults("[]"),
            json_faults(""),
            json_faults(&"[".repeat(100_000)),
            json_faults(&format!("{{\"deny\": {}{}}}", "[".repeat(60), "]".repeat(60))),
        ]
        .join("\n")
    );
}

#[test]
fn a_flood_of_faults_is_told_in_short() {
    let text = format!("{{\"deny\": [{}1]}}", "1,\n".repeat(100_000));
    let error = PermissionSettings::from_json(&text, "/project").unwrap_err();
    assert_eq!(error.faults.len(), 101);
    assert_eq!(error.faults[100].message, "99901 more faults");
}

#[test]
#[cfg(unix)]
fn a_folder_is_where_its_path_really_leads() {
    let folder = std::env::temp_dir().join(format!("agentscope-folder-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("real/sub")).unwrap();
    std::os::unix::fs::symlink("real/sub", folder.join("link")).unwrap();
    std::fs::write(folder.join("real/a.toml"), "deny = [\"Read(secret/**)\"]").unwrap();
    let context = PermissionSettings::load(folder.join("link/../a.toml")).unwrap().into_context();
    let anchor = context.rules().next().unwrap().anchor().unwrap().to_owned();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(anchor.ends_with("/real"), "{anchor}");
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let folder = std::env::temp_dir().join(format!("agentscope-settings-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let load = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        PermissionSettings::load(&path).map_err(|error| error.to_string().replace(folder.to_str().unwrap(), ""))
    };
    assert!(load("a.toml", b"mode = \"explore\"").is_ok());
    assert!(load("bom.json", b"\xef\xbb\xbf{}").is_ok());
    let relative = load("b.toml", b"allow = [\"Read(x)\"]").unwrap().into_context();
    assert_eq!(relative.rules().next().unwrap().anchor(), folder.to_str());
    insta::assert_snapshot!([
        load("a.yaml", b"").unwrap_err(),
        load("c.toml", b"mode = \"\xff\"").unwrap_err(),
        load("d.toml", &vec![b' '; (1 << 20) + 1]).unwrap_err(),
        load("e.toml", b"\n x = 1").unwrap_err(),
    ].join("\n"), @r"
        /a.yaml: has to be called `….toml` or `….json`
        /c.toml: is not UTF-8: invalid utf-8 sequence of 1 bytes from index 8; save it as UTF-8
        /d.toml: is larger than 1 MiB, which no settings are
        /e.toml:2:2: unknown key `x`; known here: `$schema`, `mode`, `read_only`, `working_directories`, `allow`, `deny`, `ask`, `read_only_commands`, `protected_files`, `protected_directories`, `loosen`
        ");
    assert!(
        PermissionSettings::load(folder.join("none.toml"))
            .unwrap_err()
            .to_string()
            .contains("none.toml: cannot be read")
    );
    assert!(PermissionSettings::load(&folder).is_err());
    assert_eq!(PermissionSettings::load_if_exists(folder.join("none.toml")), Ok(None));
    assert!(PermissionSettings::load_if_exists(folder.join("e.toml")).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_narrower_file_only_tightens() {
    let user = || toml("mode = \"default\"\nallow = [\"Bash(ls:*)\"]\nprotected_files = [\"a\"]");
    let project = "mode = \"bypass\"\nread_only = \"allow\"\nworking_directories = [\"/\"]\n\
                   allow = [\"Bash\", \"Bash(ls:*)\"]\ndeny = [\"Bash(rm:*)\"]\nprotected_files = { replace = [\"b\"] }\n";
    let trusted = format!("loosen = true\n{project}");

    let merged = user().narrowed_by(toml(project));
    insta::assert_snapshot!(merged.warnings().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
    let context = merged.into_context();
    assert_eq!(context.mode(), PermissionMode::Default);
    assert_eq!(context.read_only_policy(), ReadOnlyPolicy::ByMode);
    assert_eq!(context.rules().map(ToString::to_string).collect::<Vec<_>>(), ["Bash(rm:*)", "Bash(ls:*)"]);
    for name in ["a", "b", ".env"] {
        assert!(context.protected_paths().find(name).is_some(), "{name}");
    }

    let merged = user().narrowed_by(toml(&trusted));
    assert_eq!(merged.warnings(), []);
    let context = merged.into_context();
    assert_eq!(context.mode(), PermissionMode::Bypass);
    assert_eq!(context.working_directories().count(), 1);
    assert!(context.protected_paths().find(".env").is_none());

    let merged = user().tightened_by(toml(&trusted));
    assert_eq!(merged.warnings().len(), 5);
    assert!(merged.warnings()[0].to_string().contains("not trusted"), "{}", merged.warnings()[0]);
    assert_eq!(merged.into_context().mode(), PermissionMode::Default);

    let untrusted = toml(r#"allow = [{ rule = "Bash(x)", match = ["y"] }, "Bash(ls:*)"]"#);
    let merged = user().tightened_by(untrusted);
    assert_eq!((merged.examples().count(), merged.warnings().len()), (0, 1), "the other rule is the user's too");
}

#[test]
fn a_mode_is_tighter_if_it_allows_less() {
    let mode = |user: &str, project: &str| {
        let merged = toml(user).tightened_by(toml(&format!("mode = \"{project}\"")));
        merged.into_context().mode().to_string()
    };
    for (from, to) in [
        ("bypass", "accept_edits"),
        ("bypass", "explore"),
        ("accept_edits", "default"),
        ("accept_edits", "explore"),
        ("accept_edits", "dont_ask"),
    ] {
        assert_eq!(mode(&format!("mode = \"{from}\""), to), to);
        assert_eq!(mode(&format!("mode = \"{to}\""), from), to);
    }
    assert_eq!(mode("mode = \"default\"", "dont_ask"), "default");
    assert_eq!(mode("mode = \"dont_ask\"", "default"), "dont_ask");
    assert_eq!(mode("mode = \"default\"", "explore"), "default");
    assert_eq!(mode("mode = \"default\"\nread_only = \"allow\"", "explore"), "explore");
}

fn any_settings() -> impl Strategy<Value = PermissionSettings> {
    let word = |words: &'static [&'static str]| proptest::sample::select(words);
    let mode = proptest::option::of(word(&["default", "accept_edits", "explore", "bypass", "dont_ask"]));
    let rules = || proptest::collection::vec(word(&["Bash", "Edit(a/**)", "Read(/b)", "other(x)"]), 0..3);
    let policy = proptest::option::of(word(&["allow", "by_mode"]));
    let directories = proptest::collection::vec(word(&["a", "/b"]), 0..2);
    (mode, policy, directories, rules(), rules(), rules(), any::<bool>()).prop_map(
        |(mode, policy, directories, allow, deny, ask, loosen)| {
            let mut file = json!({
                "working_directories": directories, "allow": allow, "deny": deny, "ask": ask, "loosen": loosen
            });
            if let Some(mode) = mode {
                file["mode"] = mode.into();
            }
            if let Some(policy) = policy {
                file["read_only"] = policy.into();
            }
            PermissionSettings::from_json(&file.to_string(), "/project").unwrap()
        },
    )
}

proptest! {
    #[test]
    fn a_file_that_is_not_trusted_never_loosens(user in any_settings(), project in any_settings()) {
        let before = user.clone().into_context();
        let after = user.tightened_by(project).into_context();
        let rules = |context: &PermissionContext, behavior| -> Vec<String> {
            context.rules().filter(|rule| rule.behavior() == behavior).map(ToString::to_string).collect()
        };
        for rule in rules(&after, PermissionBehavior::Allow) {
            prop_assert!(rules(&before, PermissionBehavior::Allow).contains(&rule));
        }
        for behavior in [PermissionBehavior::Deny, PermissionBehavior::Ask] {
            for rule in rules(&before, behavior) {
                prop_assert!(rules(&after, behavior).contains(&rule));
            }
        }
        prop_assert_eq!(before.working_directories().count(), after.working_directories().count());
        let (before, after) = (&before, &after);
        prop_assert!(!(before.read_only_policy() == ReadOnlyPolicy::ByMode && after.read_only_policy() == ReadOnlyPolicy::Always));
        // What a mode allows by itself, written down once more: reading, edits in working directories, everything.
        let allows = |context: &PermissionContext| match context.mode() {
            PermissionMode::Default => (context.read_only_policy() == ReadOnlyPolicy::Always, false, false, true),
            PermissionMode::DontAsk => (context.read_only_policy() == ReadOnlyPolicy::Always, true, false, true),
            PermissionMode::AcceptEdits => (true, true, false, true),
            PermissionMode::Explore => (true, false, false, false),
            PermissionMode::Bypass => (true, true, true, true),
        };
        let (was, is) = (allows(before), allows(after));
        prop_assert!(is.0 <= was.0 && is.1 <= was.1 && is.2 <= was.2 && is.3 <= was.3, "{:?} {:?}", before, after);
    }

    #[test]
    fn any_text_is_settings_or_an_error(text in any::<String>(), written in "[\\[\\]{}=\"a-z,.\n #()*:]{0,60}") {
        for text in [text, written] {
            let _ = PermissionSettings::from_toml(&text, "/project");
            let _ = PermissionSettings::from_json(&text, "/project");
        }
    }
}
