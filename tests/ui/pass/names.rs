//! Generated code uses no name that the user's own could shadow.
#![allow(dead_code, unused_macros)]

use ::agentscope_tool::prelude::{State, Stream, ToolContext, tool, tool_args, toolset};

struct Result;
struct Option;
struct Vec;
struct Some;
struct Ok;
struct Err;
struct None;
struct Box;
struct Arc;
struct Pin;
struct Json;
struct ToolError;
struct ToolInput;
trait Default {}
trait Clone {}
trait Into {}
trait Send {}
trait Sync {}
trait Future {}
trait IntoToolOutput {}
mod std {}
mod core {}
mod serde {}
mod schemars {}
mod agentscope_tool {}

macro_rules! concat {
    () => {};
}
macro_rules! vec {
    () => {};
}

fn input() {}
fn cx() {}
fn out() {}
fn describe() -> &'static ::core::primitive::str {
    "Wave."
}

#[tool_args]
struct Hand {
    /// Which hand.
    left: ::std::string::String,
}

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: Hand,
    /// How often.
    #[arg(default = 1, range(min = 1))]
    times: ::core::option::Option<u8>,
    /// The words.
    #[arg(default = "hello")]
    words: ::std::string::String,
    #[state] place: &u64,
    #[context] context: &ToolContext,
) -> ::core::result::Result<::std::string::String, ::std::string::String> {
    input();
    cx();
    out();
    let _ = (hand.left, times, place, context);
    ::core::result::Result::Ok(words)
}

/// Stream.
#[tool]
fn stream(#[state] place: State<u64>) -> impl Stream<Item = ::std::string::String> {
    futures_util::stream::iter([place.to_string()])
}

/// Block.
#[tool(blocking, description = describe())]
fn block() {}

struct String;

#[toolset]
impl String {
    /// Wave.
    #[tool]
    async fn wave(&self, /** The hand. */ hand: Hand) -> &'static ::core::primitive::str {
        let _ = (self, hand);
        "waved"
    }
}

/// Nod.
#[derive(::agentscope_tool::Tool)]
struct Nod;

impl ::agentscope_tool::ToolBody for Nod {
    type Args = Hand;
    type Output = &'static ::core::primitive::str;

    async fn call(&self, _: Hand, _: ToolContext) -> &'static ::core::primitive::str {
        "nodded"
    }

    async fn check_read_only(&self, _: &Hand) -> bool {
        true
    }
}

/// Bow.
#[derive(::agentscope_tool::Tool)]
#[spec(external)]
struct Bow<T> {
    to: T,
}

impl<T> ::agentscope_tool::ExternalBody for Bow<T>
where
    T: ::core::marker::Send + ::core::marker::Sync + 'static,
{
    type Args = Hand;
    type Output = Hand;
}

fn main() {}
