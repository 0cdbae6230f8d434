//! What a case expects, compared with what came.

pub(super) mod json;

use serde_json::Value;

use super::{Outcome, Verdict};

pub(super) use json::equal;
use json::{blocks_match, contains};

/// Whether the outcome is as expected; a case with an expectation that is not known here is skipped.
pub(super) fn compare(expect: &Value, outcome: &Outcome) -> Verdict {
    let Some(expectations) = expect.as_object().filter(|expectations| !expectations.is_empty()) else {
        return Verdict::Skipped("the case expects nothing".into());
    };
    // What is expected of one key says nothing about the others, not even `any_of`.
    for (key, expected) in expectations {
        let held = match (key.as_str(), expected) {
            ("any_of", Value::Array(alternatives)) => match any_of(alternatives, outcome) {
                Verdict::Skipped(reason) => return Verdict::Skipped(reason),
                verdict => Some(verdict == Verdict::Passed),
            },
            _ => holds(key, expected, outcome),
        };
        match held {
            Some(true) => {}
            Some(false) => return failed(expect, outcome),
            None => return Verdict::Skipped(format!("the expectation `{key}` is not known")),
        }
    }
    Verdict::Passed
}

fn any_of(alternatives: &[Value], outcome: &Outcome) -> Verdict {
    let mut unknown = None;
    for expect in alternatives {
        match compare(expect, outcome) {
            Verdict::Passed => return Verdict::Passed,
            Verdict::Failed(_) => {}
            skipped @ Verdict::Skipped(_) => unknown = Some(skipped),
        }
    }
    unknown.unwrap_or_else(|| Verdict::Failed("none of the alternatives holds".into()))
}

fn failed(expect: &Value, outcome: &Outcome) -> Verdict {
    Verdict::Failed(format!("expected {expect}, got {outcome:?}"))
}

fn holds(key: &str, expected: &Value, outcome: &Outcome) -> Option<bool> {
    let output = &outcome.output;
    Some(match key {
        "status" => expected == outcome.status.as_str(),
        "output_contains" => texts(expected).all(|text| output.contains(text)),
        "output_not_contains" => texts(expected).all(|text| !output.contains(text)),
        "output_contains_any" => {
            let output = output.to_lowercase();
            texts(expected).any(|text| output.contains(&text.to_lowercase()))
        }
        "output_equals" => expected == output.as_str(),
        "output_set" => {
            let mut lines: Vec<_> = output.lines().collect();
            let mut wanted: Vec<_> = texts(expected).collect();
            lines.sort_unstable();
            wanted.sort_unstable();
            lines == wanted
        }
        "max_output_chars" => expected.as_u64().is_some_and(|max| output.chars().count() as u64 <= max),
        "max_elapsed" => expected.as_f64().is_some_and(|max| outcome.elapsed <= max),
        "value" => outcome.value.as_ref().is_some_and(|value| equal(expected, value)),
        "blocks" => outcome.blocks.as_ref().is_some_and(|blocks| blocks_match(expected, blocks)),
        "metadata" => outcome.metadata.as_ref().is_some_and(|metadata| contains(expected, metadata)),
        "activated_groups" => outcome.activated_groups.as_ref() == Some(expected),
        "no_exception" => expected == (outcome.status != "exception"),
        "unchanged" => outcome.changed.as_ref().is_some_and(|changed| expected == changed.is_empty()),
        "files" => return files(expected, outcome),
        "metadata_diff_contains" => {
            let diff = outcome.metadata.as_ref().and_then(|metadata| metadata["diff"].as_str()).unwrap_or_default();
            texts(expected).all(|text| diff.contains(text))
        }
        "data" => blocks_match(expected, &data_blocks(outcome)),
        "no_data" => data_blocks(outcome).as_array().is_some_and(|blocks| expected == blocks.is_empty()),
        "suggested" => outcome.suggested.as_ref() == Some(expected),
        "probe" => outcome.probe.as_deref() == expected.as_str(),
        "tasks" => items(expected).all(|task| {
            let known = outcome.tasks.as_ref().map(items).into_iter().flatten();
            known.filter(|known| known["id"] == task["id"]).any(|known| contains(task, known))
        }),
        "task_ids" => {
            let known = outcome.tasks.as_ref().map(items).into_iter().flatten();
            items(expected).eq(known.map(|task| &task["id"]))
        }
        _ => return None,
    })
}

/// Whether the files are as expected, if that can be told.
fn files(expected: &Value, outcome: &Outcome) -> Option<bool> {
    let root = outcome.fixture.as_ref()?;
    let mut all = true;
    for file in items(expected) {
        all &= root.is_as_expected(file).ok()?;
    }
    Some(all)
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The blocks that are not text.
fn data_blocks(outcome: &Outcome) -> Value {
    outcome.blocks.as_ref().map(items).into_iter().flatten().filter(|block| block["type"] == "data").cloned().collect()
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}
