//! What a settings file says of a list of calls, step by step. Nothing is run.
//!
//! ```text
//! cargo run -p agentscope-tool-examples --bin permissions
//! cargo run -p agentscope-tool-examples --bin permissions -- my_settings.toml
//! ```

use std::io;
use std::process::ExitCode;

use agentscope_tool::PermissionSettings;
use agentscope_tool_examples::permissions;

type Error = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Error> {
    let settings = match std::env::args_os().nth(1) {
        Some(path) => PermissionSettings::load(std::path::PathBuf::from(path))?,
        None => permissions::settings()?,
    };
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    permissions::explain(&permissions::toolkit()?, settings, &permissions::calls(root), &mut io::stdout()).await?;
    Ok(())
}
