//! What is said about a command's end, behind its output.

use std::time::Duration;

use agentscope_tool::backend::ExecStatus;

use super::args::MAX_TIMEOUT;

/// The last line for a command that did not end well.
pub(super) fn failure(status: ExecStatus, limit: Duration) -> Option<String> {
    Some(match status {
        ExecStatus::Exited(0) => return None,
        ExecStatus::Exited(code) => match code.checked_sub(128).and_then(signal_name) {
            // A shell says so of the programs that it has run; a program may use such a code for something else.
            Some(name) => format!("[exit code {code}, which usually stands for {name}]"),
            None => format!("[exit code {code}]"),
        },
        ExecStatus::Signaled(signal) => match signal_name(signal) {
            Some(name) => format!("[ended by signal {signal}, {name}]"),
            None => format!("[ended by signal {signal}]"),
        },
        ExecStatus::TimedOut => timed_out(limit),
        // Kinds of end that are not known yet say themselves what they are.
        other => format!("[{other}]"),
    })
}

/// Why a command was given up whose environment did not end it in time.
pub(super) fn given_up(limit: Duration) -> String {
    format!(
        "[timed out after {} ms, and the environment did not say whether the command was ended; it may still run]",
        limit.as_millis()
    )
}

fn timed_out(limit: Duration) -> String {
    let limit = limit.as_millis();
    let advice = if limit < u128::from(MAX_TIMEOUT) {
        format!("give it a longer `timeout` (up to {MAX_TIMEOUT}), or run less at once")
    } else {
        "run less at once".into()
    };
    format!("[timed out after {limit} ms: the command and what it started were ended; {advice}]")
}

/// The signals that have the same number on all systems.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_but_a_good_one_is_told() {
        let minute = Duration::from_secs(60);
        assert_eq!(failure(ExecStatus::Exited(0), minute), None);
        let ends = [
            failure(ExecStatus::Exited(1), minute),
            failure(ExecStatus::Exited(137), minute),
            failure(ExecStatus::Exited(255), minute),
            failure(ExecStatus::Exited(i32::MIN), minute),
            failure(ExecStatus::Signaled(11), minute),
            failure(ExecStatus::Signaled(63), minute),
            failure(ExecStatus::TimedOut, minute),
            failure(ExecStatus::TimedOut, Duration::from_millis(MAX_TIMEOUT)),
            Some(given_up(minute)),
        ];
        insta::assert_snapshot!(ends.map(Option::unwrap_or_default).join("\n"));
    }
}
