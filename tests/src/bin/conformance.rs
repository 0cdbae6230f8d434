//! Runs the conformance cases of a directory: `conformance DIR [--min-passed N]`.
//!
//! Prints per file how many cases passed, failed and were skipped, each failing case with what was expected and what
//! came, and each skipped one with why. Exit status 1 if a case failed or fewer than N passed, 2 if the arguments or
//! the files cannot be used.

use std::path::PathBuf;
use std::process::ExitCode;

use agentscope_tool_tests::conformance::{self, Tally, Verdict};

#[tokio::main]
async fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(conformance::ONE_CASE) {
        return one_case().await;
    }
    let (directory, min_passed) = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\nusage: conformance DIR [--min-passed N]");
            return ExitCode::from(2);
        }
    };
    let mut total = Tally::default();
    for file in conformance::FILES {
        let path = directory.join(file);
        if !path.exists() {
            continue;
        }
        match conformance::run_file(&path).await {
            Ok(report) => {
                print!("{report}");
                total += report.tally();
            }
            Err(problem) => {
                eprintln!("{}: {problem}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    println!("total: {total}");
    if total.passed < min_passed {
        println!("at least {min_passed} cases have to pass");
        return ExitCode::FAILURE;
    }
    if total.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Runs the case on the standard input and prints the verdict as JSON.
async fn one_case() -> ExitCode {
    let case = serde_json::from_reader(std::io::stdin());
    let verdict = match case {
        Ok(case) => conformance::run_case(&case).await,
        Err(error) => Verdict::Skipped(format!("the case is no JSON: {error}")),
    };
    match serde_json::to_string(&verdict) {
        Ok(verdict) => println!("{verdict}"),
        Err(error) => eprintln!("{error}"),
    }
    ExitCode::SUCCESS
}

fn arguments(mut arguments: impl Iterator<Item = String>) -> Result<(PathBuf, usize), String> {
    let mut directory = None;
    let mut min_passed = 0;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--min-passed" => {
                let number = arguments.next().ok_or("`--min-passed` needs a number")?;
                min_passed = number.parse().map_err(|_| format!("`{number}` is no number of cases"))?;
            }
            option if option.starts_with('-') => return Err(format!("there is no option `{option}`")),
            path if directory.is_none() => directory = Some(PathBuf::from(path)),
            path => return Err(format!("one directory at a time, not `{path}` too")),
        }
    }
    let directory = directory.ok_or("name the directory that has the case files")?;
    if !directory.is_dir() {
        return Err(format!("`{}` is no directory", directory.display()));
    }
    Ok((directory, min_passed))
}
