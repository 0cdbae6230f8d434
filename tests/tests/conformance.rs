//! The conformance cases that stand in the repository.

use std::path::Path;
use std::time::{Duration, Instant};

use agentscope_tool_tests::conformance::{FILES, Verdict, run_case, run_file, set_program};
use serde_json::{Value, json};

async fn verdict(case: &Value) -> Verdict {
    set_program(env!("CARGO_BIN_EXE_conformance"));
    run_case(case).await
}

fn read(setup: &Value, expect: &Value) -> Value {
    json!({ "id": "x", "tool": "Read", "setup": setup, "call": { "file_path": "{root}/a.txt" }, "expect": expect })
}

#[tokio::test]
async fn every_case_in_the_repository_passes() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    set_program(env!("CARGO_BIN_EXE_conformance"));
    let mut passed = 0;
    for file in FILES.iter().map(|file| directory.join(file)).filter(|file| file.exists()) {
        let report = run_file(&file).await.unwrap();
        for (id, verdict) in report.verdicts() {
            assert_eq!(verdict, &Verdict::Passed, "{id}");
            passed += 1;
        }
    }
    assert!(passed >= 2050, "only {passed} cases");
}

#[tokio::test]
async fn a_wrong_expectation_fails_and_an_unknown_one_is_skipped() {
    let case = |expect| json!({ "id": "x", "tool": "json_repair", "call": { "raw": "{\"a\": 1}" }, "expect": expect });
    let verdict = run_case(&case(json!({ "status": "success", "value": { "a": 2 } }))).await;
    assert!(matches!(verdict, Verdict::Failed(why) if why.contains("success")));
    let verdict = run_case(&case(json!({ "weather": "fine" }))).await;
    assert!(matches!(verdict, Verdict::Skipped(why) if why.contains("weather")));
}

#[tokio::test]
async fn a_file_that_is_no_json_lines_is_an_error_with_the_line() {
    let file = std::env::temp_dir().join(format!("conformance-{}.jsonl", std::process::id()));
    std::fs::write(&file, "{\"id\": \"a\"}\nnot json\n").unwrap();
    let error = run_file(&file).await.unwrap_err();
    std::fs::remove_file(&file).unwrap();
    assert!(error.starts_with("line 2:"), "{error}");
}

/// Something else than what is right, whatever that is.
fn wrong(key: &str) -> Value {
    match key {
        "unchanged" | "no_exception" | "no_data" => json!(false),
        "max_output_chars" | "max_elapsed" => json!(0),
        "output_not_contains" => json!([""]),
        "files" => json!([{ "path": "never.txt", "text": "never" }]),
        "blocks" | "data" => json!([{ "media_type": "never/never" }]),
        "tasks" => json!([{ "id": "never" }]),
        "metadata" | "value" => json!({ "never": "never" }),
        "any_of" => json!([{ "status": "never" }, { "output_contains": ["never ever"] }]),
        "status" | "output_equals" | "probe" => json!("never"),
        _ => json!(["never ever"]),
    }
}

#[tokio::test]
async fn every_expectation_of_every_case_can_fail() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/files.jsonl")).unwrap();
    let mut tried = 0;
    for case in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        for key in case["expect"].as_object().unwrap().keys() {
            let mut case = case.clone();
            case["expect"][key] = wrong(key);
            let verdict = verdict(&case).await;
            assert!(matches!(verdict, Verdict::Failed(_)), "{} with another `{key}`: {verdict:?}", case["id"]);
            tried += 1;
        }
    }
    assert!(tried > 400, "only {tried} expectations");
}

#[tokio::test]
async fn an_alternative_that_holds_does_not_stand_for_what_is_beside_it() {
    let files = json!({ "files": [{ "path": "a.txt", "text": "a\n" }] });
    let expect = json!({ "any_of": [{ "status": "error" }, { "status": "success" }], "output_contains": ["a"] });
    assert_eq!(verdict(&read(&files, &expect)).await, Verdict::Passed);
    let expect = json!({ "any_of": [{ "status": "success" }], "output_contains": ["b"] });
    assert!(matches!(verdict(&read(&files, &expect)).await, Verdict::Failed(_)));
    let expect = json!({ "any_of": [{ "status": "error" }, { "weather": "fine" }] });
    assert!(matches!(verdict(&read(&files, &expect)).await, Verdict::Skipped(_)));
}

#[tokio::test]
async fn what_a_case_needs_and_nobody_knows_is_a_reason_to_skip_it() {
    let expect = json!({ "no_exception": true });
    for setup in [json!({ "weather": "fine" }), json!({ "files": [{ "path": "a.txt", "text": "a", "owner": "bob" }] })]
    {
        let verdict = verdict(&read(&setup, &expect)).await;
        assert!(matches!(&verdict, Verdict::Skipped(why) if why.contains("is not known")), "{verdict:?}");
    }
    let mut case = read(&json!({}), &expect);
    case["state"] = json!({ "written": ["a.txt"] });
    assert!(matches!(verdict(&case).await, Verdict::Skipped(why) if why.contains("written")));
    let unknown = json!({ "files": [{ "path": "a.txt", "colour": "red" }] });
    let verdict = verdict(&read(&json!({ "files": [{ "path": "a.txt", "text": "a" }] }), &unknown)).await;
    assert!(matches!(verdict, Verdict::Skipped(_)), "{verdict:?}");
}

#[tokio::test]
async fn a_call_that_takes_too_long_fails_whatever_is_expected() {
    let sleeper = json!({ "name": "nap", "schema": { "type": "object" }, "behavior": "sleep", "seconds": 60 });
    let case = json!({
        "id": "x", "tool": "Toolkit", "call": { "name": "nap", "input": "{}" }, "expect": { "no_exception": true },
        "setup": { "timeout": 0.2, "groups": [{ "name": "basic", "description": "", "tools": [sleeper] }] },
    });
    let started = Instant::now();
    assert_eq!(verdict(&case).await, Verdict::Failed("the call does not end in time".into()));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn variables_and_limits_hold_for_the_process_of_one_case_alone() {
    let setup = json!({
        "env": { "PLACE": "{root}/here" }, "rlimit_fsize": 4096,
        "files": [{ "path": "a.txt", "text": "a\n" }, { "path": "big.txt", "repeat": { "text": "x", "count": 9000 } }],
        "probe": { "sh": "echo $PLACE; wc -c < big.txt" },
    });
    let expect = json!({ "status": "success", "probe": "{root}/here\n9000" });
    assert_eq!(verdict(&read(&setup, &expect)).await, Verdict::Passed);
    assert!(std::env::var_os("PLACE").is_none());
}

#[tokio::test]
async fn a_temporary_file_that_stays_is_a_change() {
    let setup =
        json!({ "files": [{ "path": "a.txt", "text": "a\n" }, { "path": "d/.a.txt.1f.agentscope-tmp", "text": "" }] });
    let verdict = verdict(&read(&setup, &json!({ "unchanged": true }))).await;
    assert!(matches!(&verdict, Verdict::Failed(why) if why.contains("agentscope-tmp")), "{verdict:?}");
}

#[tokio::test]
async fn a_link_that_became_a_file_is_a_change() {
    let case = json!({
        "id": "x", "tool": "Write", "state": null,
        "setup": { "files": [{ "path": "a.txt", "text": "a\n" }], "symlinks": [{ "path": "l", "target": "a.txt" }],
                   "fifos": ["p"], "hardlinks": [{ "path": "deep/h", "target": "a.txt" }] },
        "call": { "file_path": "{root}/b.txt", "content": "b\n" },
        "expect": { "status": "success", "unchanged": true, "files": [
            { "path": "l", "symlink": "a.txt" }, { "path": "deep/h", "text": "a\n", "symlink": false },
            { "path": "b.txt", "text": "b\n" }, { "path": "c.txt", "missing": true },
        ] },
    });
    assert_eq!(verdict(&case).await, Verdict::Passed);
    let mut other = case.clone();
    other["expect"]["files"][0]["symlink"] = json!("b.txt");
    assert!(matches!(verdict(&other).await, Verdict::Failed(_)));
}
