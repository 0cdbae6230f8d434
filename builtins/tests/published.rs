//! What models are shown of the ready-made tools.

use agentscope_tool_builtins as _;

#[test]
fn every_tool_is_shown_as_it_was_before() {
    agentscope_tool::assert_tool_snapshots!("agentscope-tool-builtins");
}
