//! Parsing of what stands inside of our attributes: `#[tool(…)]`, `#[spec(…)]`, `#[arg(…)]`, `#[args(…)]`.
//!
//! [`entries`] reads the common grammar and goes on after a fault; the other modules give the entries their meaning.

pub(crate) mod arg;
pub(crate) mod entries;
pub(crate) mod flags;
pub(crate) mod foreign;
pub(crate) mod profiles;
