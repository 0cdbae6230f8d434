//! Writes a test module with the types of `cases/schema.jsonl`, so that a case is added by a line there.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde_json::Value;

/// The crates whose types the cases may name.
const CRATES: &[&str] = &[
    "std",
    "core",
    "chrono",
    "indexmap",
    "rust_decimal",
    "schemars",
    "serde",
    "serde_json",
    "serde_repr",
    "url",
    "uuid",
];

fn main() -> Result<(), Box<dyn Error>> {
    let cases = Path::new("cases/schema.jsonl");
    println!("cargo::rerun-if-changed={}", cases.display());
    let mut code = String::new();
    let mut list = String::new();
    for line in fs::read_to_string(cases)?.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line)?;
        let (Some(id), Some(item)) = (case["id"].as_str(), case["rust_type"].as_str()) else { continue };
        if let Some(unknown) = unknown_crate(item) {
            println!("cargo::warning=the case {id} needs the crate {unknown}, which the tests do not have");
            continue;
        }
        let module: String = id.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
        let item = with_tree(item);
        writeln!(code, "mod {module} {{\n    use super::prelude::*;\n{item}\n}}")?;
        writeln!(list, "    case::<{module}::Args>({id:?}, <tree::Probe<{module}::Args>>::NODE),")?;
    }
    writeln!(code, "fn cases() -> Vec<Case> {{\n    vec![\n{list}    ]\n}}")?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("schema_cases.rs"), code)?;
    Ok(())
}

/// The items of a case, with our derive beside that of schemars.
fn with_tree(item: &str) -> String {
    // No profile that refuses anything: what the profiles say is asked when the test runs.
    const OURS: &str = "#[derive(::agentscope_tool::ToolType)] #[args(profiles(mistral))]";
    let Some(root) = root(item) else { return format!("pub type Args = {item};") };
    if !item.contains("derive(") {
        return format!("#[derive(Deserialize, JsonSchema)] {OURS} pub {item}");
    }
    let mut text = String::new();
    for (index, part) in item.split("#[derive(").enumerate() {
        if index > 0 {
            // A derive that our derive cannot look into.
            let (derives, _) = part.split_once(')').unwrap_or((part, ""));
            if derives.contains("JsonSchema") && !derives.contains("JsonSchema_repr") {
                text.push_str(OURS);
                text.push(' ');
            }
            text.push_str("#[derive(");
        }
        text.push_str(part);
    }
    if root != "Args" {
        text.push_str(&format!("\npub type Args = {root};"));
    }
    text
}

/// The type that the case is about: `Args`, else the last one; nothing for a mere type.
fn root(item: &str) -> Option<&str> {
    let words = words(item);
    let names: Vec<&str> =
        words.windows(2).filter(|pair| matches!(pair[0], "struct" | "enum")).map(|pair| pair[1]).collect();
    names.iter().find(|name| **name == "Args").or(names.last()).copied()
}

fn words(item: &str) -> Vec<&str> {
    item.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect()
}

/// A crate that a path begins with and that is not among those that are there.
fn unknown_crate(item: &str) -> Option<String> {
    let words = words(item);
    let modules: Vec<&str> = words.windows(2).filter(|pair| pair[0] == "mod").map(|pair| pair[1]).collect();
    let parts: Vec<&str> = item.split("::").collect();
    for pair in parts.windows(2) {
        let before = pair[0];
        let name: String = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name: String = name.chars().rev().collect();
        // Inside of a path, or a type.
        let is_inner = before.len() == name.len() && before != parts[0];
        let is_crate = name.starts_with(|c: char| c.is_lowercase());
        if is_crate && !is_inner && !CRATES.contains(&name.as_str()) && !modules.contains(&name.as_str()) {
            return Some(name);
        }
    }
    None
}
