//! Integration tests of `agentscope-tool`, and what they share.

pub mod conformance;

/// The README and the guide, whose snippets are compiled and run by the documentation tests.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../README.md")]
    mod readme {}
    #[doc = include_str!("../../docs/src/introduction.md")]
    mod introduction {}
    #[doc = include_str!("../../docs/src/getting-started.md")]
    mod getting_started {}
    #[doc = include_str!("../../docs/src/functions.md")]
    mod functions {}
    #[doc = include_str!("../../docs/src/structs.md")]
    mod structs {}
    #[doc = include_str!("../../docs/src/arguments.md")]
    mod arguments {}
    #[doc = include_str!("../../docs/src/state.md")]
    mod state {}
    #[doc = include_str!("../../docs/src/results.md")]
    mod results {}
    #[doc = include_str!("../../docs/src/toolkit.md")]
    mod toolkit {}
    #[doc = include_str!("../../docs/src/providers.md")]
    mod providers {}
    #[doc = include_str!("../../docs/src/permissions.md")]
    mod permissions {}
    #[doc = include_str!("../../docs/src/middleware.md")]
    mod middleware {}
    #[doc = include_str!("../../docs/src/groups.md")]
    mod groups {}
    #[doc = include_str!("../../docs/src/backends.md")]
    mod backends {}
    #[doc = include_str!("../../docs/src/files.md")]
    mod files {}
    #[doc = include_str!("../../docs/src/bash.md")]
    mod bash {}
    #[doc = include_str!("../../docs/src/tasks.md")]
    mod tasks {}
    #[doc = include_str!("../../docs/src/agent-loop.md")]
    mod agent_loop {}
    #[doc = include_str!("../../docs/src/run-time.md")]
    mod run_time {}
    #[doc = include_str!("../../docs/src/testing.md")]
    mod testing {}
    #[doc = include_str!("../../docs/src/decisions.md")]
    mod decisions {}
}
