//! The settings of the repository and what they say.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

use agentscope_tool_examples::permissions;

#[tokio::test]
async fn the_settings_decide_as_they_did_before() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_str().unwrap();
    let mut out = Vec::new();
    let toolkit = permissions::toolkit().unwrap();
    permissions::explain(&toolkit, permissions::settings().unwrap(), &permissions::calls(root), &mut out)
        .await
        .unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap().replace(root, "ROOT"));
}

#[test]
fn a_settings_file_with_a_fault_is_refused_with_its_line() {
    let path = std::env::temp_dir().join(format!("agentscope-permissions-{}.toml", std::process::id()));
    std::fs::write(&path, "mode = \"default\"\nalow = []\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_permissions")).arg(&path).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains(".toml:2:1: unknown key `alow`; did you mean `allow`?"), "{errors}");
}
