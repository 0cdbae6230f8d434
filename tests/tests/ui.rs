//! What the compiler says: every mistake has its own file, and every way to write a tool is in a file that compiles.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // Helpers of tests are tests too.

use std::fs;
use std::path::{Path, PathBuf};

/// One set of cases, since each set is a build of its own.
#[test]
fn mistakes_are_reported_and_good_code_compiles() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*.rs");
}

#[test]
fn every_error_points_at_what_the_user_wrote_and_stands_alone() {
    let files = expectations();
    assert!(files.len() >= 60, "{} files", files.len());
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let found = primary_tokens(&file);
        let expected = match name {
            "five_faults" => 5,
            "profile_three_faults_of_three_fields" => 3,
            // The compiler itself repeats it at the user's `impl ToolBody`, and where the arguments of that are asked for.
            "derive_tool_not_send" => 3,
            // The compiler finds the attribute unknown before the macro can say why.
            "args_serde_above" => 2,
            _ => 1,
        };
        assert_eq!(found.len(), expected, "{name}: {found:?}");
        for token in found {
            let is_attribute =
                ["tool", "toolset", "tool_args", "Tool", "ToolArgs", "spec", "args", ""].contains(&token.trim());
            assert!(!is_attribute && !token.starts_with("#["), "{name} points at `{token}`");
        }
    }
}

#[test]
fn no_message_comes_with_a_warning() {
    for file in expectations() {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.lines().any(|line| line.starts_with("warning")), "{}", file.display());
    }
}

fn expectations() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/fail");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "stderr")).collect()
}

/// The source text that each error of a file underlines with `^`.
fn primary_tokens(stderr: &Path) -> Vec<String> {
    let source = fs::read_to_string(stderr.with_extension("rs")).unwrap();
    let source: Vec<&str> = source.lines().collect();
    let text = fs::read_to_string(stderr).unwrap();
    let mut tokens = Vec::new();
    let mut in_error = false;
    for (index, line) in text.lines().enumerate() {
        in_error |= line.starts_with("error");
        let Some(place) = line.trim_start().strip_prefix("--> ") else { continue };
        if !std::mem::take(&mut in_error) {
            continue;
        }
        let mut place = place.rsplitn(3, ':');
        let column: usize = place.next().unwrap().parse().unwrap();
        let row: usize = place.next().unwrap().parse().unwrap();
        let file = place.next().unwrap();
        assert_eq!(Path::new(file).file_stem(), stderr.file_stem(), "an error outside of the user's file");
        let underlined = text.lines().skip(index).find(|line| line.contains('^')).unwrap();
        let length = underlined.chars().skip_while(|c| *c != '^').take_while(|c| *c == '^').count();
        tokens.push(source[row - 1].chars().skip(column - 1).take(length).collect());
    }
    tokens
}
