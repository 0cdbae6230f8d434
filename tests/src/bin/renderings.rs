//! Writes a tool for each case of `tests/cases/schema.jsonl`, and each ready-made tool, in every form in which a provider takes it:
//! lines of `{"id", "profile", "tool"}`, for `tests/python/check_sdks.py`.

use std::io::{self, Write};
use std::process::ExitCode;

use agentscope_tool::schema::{Api, Profile, natural};
use agentscope_tool::{ToolSpec, testing};
use agentscope_tool_builtins as _;
use serde_json::{Value, json};

fn main() -> ExitCode {
    match write(&mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(output: &mut impl Write) -> Result<(), Box<dyn std::error::Error>> {
    for spec in testing::specs_of("agentscope-tool-builtins") {
        forms(spec.name(), &spec, output)?;
    }
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/schema.jsonl"))?;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line)?;
        if case["raw_schema"].is_object() {
            let schema = natural::normalise(case["raw_schema"].clone());
            let spec = ToolSpec::builder("tool", "Does something.").input_schema(schema).build();
            forms(case["id"].as_str().unwrap_or_default(), &spec, output)?;
        }
    }
    Ok(())
}

fn forms(id: &str, spec: &ToolSpec, output: &mut impl Write) -> io::Result<()> {
    for profile in Profile::ALL {
        if let Ok(tool) = spec.render(*profile) {
            writeln!(output, "{}", json!({ "id": id, "profile": profile.name(), "tool": tool }))?;
        }
        if let (true, Ok(tool)) = (*profile == Profile::OpenAiStrict, spec.render_for(*profile, Api::Responses)) {
            writeln!(output, "{}", json!({ "id": id, "profile": "openai_responses", "tool": tool }))?;
        }
    }
    Ok(())
}
