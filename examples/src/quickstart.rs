//! The quickstart program: prints what a model is shown of the tools, then runs calls as a model makes them.

mod calls;
mod options;
mod report;

pub use calls::{BadLine, Calls};
pub use options::{Options, Source, USAGE, UsageError};
pub use report::shorten;

use std::io::{self, Write};

use agentscope_tool::{AgentState, ToolCall, ToolInput, ToolResultState, Toolkit};
use futures_util::StreamExt as _;
use tokio::io::AsyncBufRead;

/// How the calls went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Calls that gave a result.
    pub successes: usize,
    /// Calls that failed, or were refused because of their arguments.
    pub failures: usize,
    /// Calls that have to be executed elsewhere.
    pub external: usize,
    /// Lines that are no call.
    pub bad_lines: usize,
}

/// Prints what the model is shown of each tool.
///
/// # Errors
/// When `out` cannot be written to.
pub fn print_schemas(toolkit: &Toolkit, state: &AgentState, out: &mut dyn Write) -> io::Result<()> {
    let schemas = toolkit.schemas(state);
    writeln!(out, "# {} tools, as the model is shown them\n", schemas.len())?;
    writeln!(out, "{}\n", serde_json::to_string_pretty(&schemas)?)
}

/// Runs each call of `lines` (JSON Lines, see [`Calls`]) and prints its result to `out`. A line that is no call is
/// reported to `errors` with its number, and the next one is taken.
///
/// # Errors
/// When the lines cannot be read or `out` cannot be written to.
pub async fn run_calls(
    toolkit: &Toolkit,
    state: &AgentState,
    lines: impl AsyncBufRead + Unpin,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> io::Result<Summary> {
    let mut calls = Calls::new(lines);
    let mut summary = Summary::default();
    writeln!(out, "# The calls, and what the model reads in return")?;
    while let Some(line) = calls.next().await.map_err(unreadable)? {
        match line {
            Ok(call) => run_call(toolkit, state, call, &mut summary, out).await?,
            Err(bad) => {
                summary.bad_lines += 1;
                out.flush()?;
                writeln!(errors, "{bad}")?;
            }
        }
    }
    writeln!(
        out,
        "\n{} succeeded, {} failed, {} to be executed elsewhere",
        summary.successes, summary.failures, summary.external
    )?;
    match summary.bad_lines {
        0 => {}
        1 => writeln!(errors, "1 of the lines is no call")?,
        more => writeln!(errors, "{more} of the lines are no calls")?,
    }
    Ok(summary)
}

fn unreadable(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("the calls cannot be read: {error}"))
}

async fn run_call(
    toolkit: &Toolkit,
    state: &AgentState,
    call: ToolCall,
    summary: &mut Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = format!("{} {} {}", call.id, call.name, report::one_line(&call.input));
    writeln!(out, "\n{}", shown.trim_end())?;
    if let Some(spec) = toolkit.spec(&call.name).filter(|spec| spec.is_external_tool()) {
        // Nothing in this process can run it; what is passed on has been checked all the same.
        return match ToolInput::parse(&call.input, &spec) {
            Ok(input) => {
                summary.external += 1;
                writeln!(out, "  to be executed elsewhere, with {input}")
            }
            Err(error) => {
                summary.failures += 1;
                writeln!(out, "  {}", ToolResultState::Error)?;
                report::indented(&error.agent_message(), out)
            }
        };
    }
    let mut chunks = toolkit.call(call, state);
    let mut count = 0_usize;
    while chunks.next().await.is_some() {
        count += 1;
    }
    let response = chunks.response().await;
    match response.is_success() {
        true => summary.successes += 1,
        false => summary.failures += 1,
    }
    let chunks = if count > 1 { format!(", in {count} pieces") } else { String::new() };
    writeln!(out, "  {}{chunks}", response.state)?;
    report::indented(&shorten(&response.text()), out)
}
