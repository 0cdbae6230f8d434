//! Runs the conformance cases of a directory: `conformance DIR [--min-passed N]`.
//!
//! Prints per file how many cases passed, failed and were skipped, each failing case with what was expected and what
//! came, and each skipped one with why. Exit status 1 if a case failed or fewer than N passed, 2 if the arguments or
//! the files cannot be used.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agentscope_tool_tests::conformance::{self, Tally, Verdict};

fn main() -> ExitCode {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut arguments = std::env::args_os().skip(1);
    let code = match (arguments.next(), arguments.next()) {
        (Some(option), Some(place)) if option == conformance::ONE_CASE => runtime.block_on(one_case(place.as_ref())),
        _ => runtime.block_on(all()),
    };
    // A call that hangs has failed already; its thread must not keep the program.
    runtime.shutdown_background();
    code
}

async fn all() -> ExitCode {
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

/// Runs the case on the standard input in an empty directory and prints the verdict as JSON.
async fn one_case(place: &Path) -> ExitCode {
    let case = serde_json::from_reader(std::io::stdin());
    let verdict = match case {
        Ok(case) => conformance::run_here(&case, Some(place)).await,
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
