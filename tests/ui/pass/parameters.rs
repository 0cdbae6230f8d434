//! Parameters may have any name.

use agentscope_tool::prelude::*;

/// Take everything.
#[tool(undocumented)]
#[allow(clippy::too_many_arguments)]
async fn take(
    input: String,
    cx: u8,
    args: u8,
    self_: u8,
    out: u8,
    object: u8,
    builder: u8,
    r#type: String,
    mut changed: Vec<u8>,
    #[allow(unused_variables)] unused: u8,
    _ignored: Option<u8>,
) -> String {
    changed.push(cx + args + self_ + out + object + builder);
    format!("{input}{}{changed:?}", r#type)
}

/// A raw name.
#[tool]
fn r#move() {}

/// One letter.
#[tool]
fn w() {}

/// A name in camel case.
#[tool]
#[allow(non_snake_case)]
fn Bash() {}

/// A common name.
#[tool]
fn string() -> String {
    String::new()
}

/// A chosen name.
#[tool(struct = Chosen, name = "other-name")]
fn taken() {}

fn main() {
    let built = Toolkit::builder().tool(Take).tool(Move).tool(W).tool(BashTool).tool(StringTool).tool(Chosen).build();
    assert!(built.is_ok(), "{:?}", built.err());
    r#move();
    w();
    Bash();
    taken();
    assert_eq!(string(), "");
    assert_eq!(Move.spec().name(), "move");
    assert_eq!(Chosen.spec().name(), "other-name");
}
