//! What the permission check makes of shell commands, one on each line of standard input. Nothing is run.
//!
//! ```text
//! echo 'git log | tee log.txt' | cargo run -p agentscope-tool-examples --bin explain
//! cargo run -p agentscope-tool-examples --bin explain -- --sh < commands.txt
//! ```

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use agentscope_tool_builtins::bash::{self, Shell};

fn main() -> ExitCode {
    let shell = match std::env::args().nth(1).as_deref() {
        None => Shell::Bash,
        Some("--sh") => Shell::Posix,
        Some(other) => {
            eprintln!("`{other}` is not known; give `--sh` for commands that `sh` runs, or nothing for bash");
            return ExitCode::FAILURE;
        }
    };
    match explain(shell, io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn explain(shell: Shell, input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    for line in input.lines() {
        let command = line?;
        if !command.trim().is_empty() {
            writeln!(output, "{command}\n  {}\n", bash::explain(&command, shell))?;
        }
    }
    Ok(())
}
