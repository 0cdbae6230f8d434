use agentscope_tool::prelude::*;

/// Take many.
#[tool(undocumented, profiles(anthropic_strict))]
async fn many(
    _f0: Option<u8>,
    _f1: Option<u8>,
    _f2: Option<u8>,
    _f3: Option<u8>,
    _f4: Option<u8>,
    _f5: Option<u8>,
    _f6: Option<u8>,
    _f7: Option<u8>,
    _f8: Option<u8>,
    _f9: Option<u8>,
    _f10: Option<u8>,
    _f11: Option<u8>,
    _f12: Option<u8>,
    _f13: Option<u8>,
    _f14: Option<u8>,
    _f15: Option<u8>,
    _f16: Option<u8>,
) {}

fn main() {}
