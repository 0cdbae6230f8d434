//! Cases about the text of arguments.

use agentscope_tool::args::{self, CutOff};
use agentscope_tool::schema::Validator;
use serde_json::Value;

use super::Outcome;

pub(super) fn run(case: &Value) -> Result<Outcome, String> {
    let call = &case["call"];
    let text = call["raw"].as_str().ok_or("the case has no `raw` text")?;
    let validator = match call.get("schema").filter(|schema| !schema.is_null()) {
        Some(schema) => Validator::new(schema).map_err(|error| format!("the schema cannot be used: {error}"))?,
        None => Validator::any(),
    };
    // A tool counts as one that writes unless the case says otherwise.
    let read_only = [call, &case["setup"], case].iter().any(|place| place["read_only"] == true);
    let cut_off = if read_only { CutOff::Complete } else { CutOff::Refuse };
    Ok(match args::parse(text, &validator, cut_off) {
        Ok(parsed) => Outcome::value(Value::Object(parsed.arguments)),
        Err(error) => Outcome::error(error.to_string()),
    })
}
