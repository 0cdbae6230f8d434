//! What a case expects, compared with what came.

use serde_json::Value;

use super::{Outcome, Verdict};

/// Whether the outcome is as expected; a case with an expectation that is not known here is skipped.
pub(super) fn compare(expect: &Value, outcome: &Outcome) -> Verdict {
    if let Some(alternatives) = expect["any_of"].as_array() {
        let verdicts: Vec<_> = alternatives.iter().map(|expect| compare(expect, outcome)).collect();
        if verdicts.contains(&Verdict::Passed) {
            return Verdict::Passed;
        }
        if let Some(skipped) = verdicts.into_iter().find(|verdict| matches!(verdict, Verdict::Skipped(_))) {
            return skipped;
        }
        return failed(expect, outcome);
    }
    let Some(expectations) = expect.as_object() else {
        return Verdict::Skipped("the case expects nothing".into());
    };
    for (key, expected) in expectations {
        match holds(key, expected, outcome) {
            Some(true) => {}
            Some(false) => return failed(expect, outcome),
            None => return Verdict::Skipped(format!("the expectation `{key}` is not known")),
        }
    }
    Verdict::Passed
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
        "no_exception" => outcome.status != "exception",
        "unchanged" => outcome.changed.as_ref().is_none_or(Vec::is_empty),
        "files" => items(expected).all(|file| outcome.fixture.as_ref().is_some_and(|root| root.is_as_expected(file))),
        "metadata_diff_contains" => {
            let diff = outcome.metadata.as_ref().and_then(|metadata| metadata["diff"].as_str()).unwrap_or_default();
            texts(expected).all(|text| diff.contains(text))
        }
        "data" => blocks_match(expected, &data_blocks(outcome)),
        "no_data" => data_blocks(outcome).as_array().is_some_and(Vec::is_empty),
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

/// JSON equality, in which `3` and `3.0` are one number.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| equal(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| equal(x, y)))
        }
        _ => a == b,
    }
}

/// Every expected entry is there; `null` stands for an entry that is not there.
fn contains(expected: &Value, value: &Value) -> bool {
    expected.as_object().is_some_and(|entries| {
        entries.iter().all(|(key, expected)| equal(expected, value.get(key).unwrap_or(&Value::Null)))
    })
}

fn blocks_match(expected: &Value, blocks: &Value) -> bool {
    match (expected.as_array(), blocks.as_array()) {
        (Some(expected), Some(blocks)) => {
            expected.len() == blocks.len()
                && expected.iter().zip(blocks).all(|(expected, block)| contains(expected, block))
        }
        _ => false,
    }
}
