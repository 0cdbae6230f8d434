//! The conformance cases that stand in the repository.

use std::path::Path;

use agentscope_tool_tests::conformance::{FILES, Verdict, run_case, run_file, set_program};
use serde_json::json;

#[tokio::test]
async fn every_case_in_the_repository_passes() {
    set_program(env!("CARGO_BIN_EXE_conformance"));
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut passed = 0;
    for file in FILES.iter().map(|file| directory.join(file)).filter(|file| file.exists()) {
        let report = run_file(&file).await.unwrap();
        for (id, verdict) in report.verdicts() {
            assert_eq!(verdict, &Verdict::Passed, "{id}");
            passed += 1;
        }
    }
    assert!(passed >= 206, "only {passed} cases");
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
