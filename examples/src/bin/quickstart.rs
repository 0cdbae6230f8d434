//! Annotated functions at work: prints their schemas, then runs a model's calls against this repository's own files.
//!
//! ```text
//! cargo run -p agentscope-tool-examples --bin quickstart
//! cargo run -p agentscope-tool-examples --bin quickstart -- --calls my_calls.jsonl
//! cargo run -p agentscope-tool-examples --bin quickstart -- --calls - < my_calls.jsonl
//! ```

use std::io::{self, Write as _};
use std::process::ExitCode;

use agentscope_tool::AgentState;
use agentscope_tool_examples::project::Project;
use agentscope_tool_examples::quickstart::{self, Options, Source, Summary, USAGE};
use agentscope_tool_examples::tools;
use tokio::fs::File;
use tokio::io::{AsyncBufRead, BufReader};

type Error = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> ExitCode {
    let source = match Options::parse(std::env::args_os().skip(1)) {
        Ok(Options::Run(source)) => source,
        Ok(Options::Help) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(source).await {
        Ok(summary) if summary.bad_lines == 0 => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(source: Source) -> Result<Summary, Error> {
    // Opened first, so that a file that is not there is not found out below a page of schemas.
    let lines: Box<dyn AsyncBufRead + Unpin> = match source {
        Source::Stdin => Box::new(BufReader::new(tokio::io::stdin())),
        Source::File(path) => match File::open(&path).await {
            Ok(file) => Box::new(BufReader::new(file)),
            Err(error) => return Err(format!("the calls cannot be read: {}: {error}", path.display()).into()),
        },
    };
    let toolkit = tools::toolkit(Project::this_repository()?)?;
    let state = AgentState::new().with_permissions(tools::permissions()?);
    let mut out = io::stdout();
    quickstart::print_schemas(&toolkit, &state, &mut out)?;
    let summary = quickstart::run_calls(&toolkit, &state, lines, &mut out, &mut io::stderr()).await?;
    out.flush()?;
    Ok(summary)
}

/// Whether whoever read the output has had enough of it, as `head` has.
fn is_closed_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
