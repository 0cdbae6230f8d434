//! The program that compares two files of definitions, as a check would run it.

use std::fs;
use std::process::Command;

use serde_json::json;

#[test]
fn it_ends_with_1_for_a_breaking_change_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let tool = |schema| json!([{ "name": "greet", "description": "Greet.", "parameters": schema }]);
    let old = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    let mut looser = old.clone();
    looser["required"] = json!([]);
    for (name, schema) in [("old", &old), ("looser", &looser)] {
        fs::write(scratch.path().join(name), tool(schema.clone()).to_string()).unwrap();
    }
    let run = |old: &str, new: &str| {
        let program = env!("CARGO_BIN_EXE_schema-diff");
        let output = Command::new(program).args([old, new]).current_dir(scratch.path()).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    assert_eq!(run("old", "old"), (Some(0), String::new()));
    assert_eq!(run("old", "looser"), (Some(0), "compatible: greet: `name`: may be left out now\n".into()));
    assert_eq!(run("looser", "old"), (Some(1), "breaking: greet: `name`: has to be given now\n".into()));
    let (code, text) = run("old", "missing");
    assert!(code == Some(2) && text.starts_with("missing: "), "{text}");
}
