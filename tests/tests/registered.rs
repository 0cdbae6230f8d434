//! The list of all tools of a crate, in a crate that forbids unsafe code.

#![forbid(unsafe_code)]
#![allow(dead_code, reason = "the tools are only looked at")]

use std::marker::PhantomData;
use std::sync::Arc;

use agentscope_tool::prelude::*;

/// Add two numbers.
#[tool(read_only, undocumented)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Ask a person.
#[tool(external, undocumented)]
async fn ask(question: String) -> String;

mod inner {
    use super::*;

    /// Shout.
    #[derive(Tool)]
    pub struct Shout {
        pub mark: char,
    }

    impl ToolBody for Shout {
        type Args = ShoutArgs;
        type Output = String;

        async fn call(&self, args: ShoutArgs, _: ToolContext) -> String {
            format!("{}{}", args.text, self.mark)
        }
    }

    /// What to shout.
    #[tool_args]
    pub struct ShoutArgs {
        /// The text.
        text: String,
    }
}

/// Of each type another one.
#[derive(Tool)]
struct Generic<T: Send + Sync + 'static>(PhantomData<T>);

impl<T: Send + Sync + 'static> ToolBody for Generic<T> {
    type Args = inner::ShoutArgs;
    type Output = String;

    async fn call(&self, _: inner::ShoutArgs, _: ToolContext) -> String {
        String::new()
    }
}

struct Counter;

#[toolset]
impl Counter {
    /// Count one more.
    #[tool]
    async fn count(&self) -> u32 {
        1
    }

    /// Count back.
    #[tool(undocumented)]
    async fn count_back(&self, #[arg(default = 3)] by: u32) -> u32 {
        by
    }
}

#[test]
fn every_tool_of_the_crate_is_on_the_list_but_generic_ones() {
    let names = |name: &str| testing::specs_of(name).iter().map(|spec| spec.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(module_path!()), ["Shout", "add", "ask", "count", "count_back"]);
    assert_eq!(names("registered"), names(module_path!()));
    assert!(names("agentscope-tool-builtins").is_empty(), "it is not used here");
    assert!(names("no-such-crate").is_empty());
}

#[test]
fn a_tool_on_the_list_says_what_it_says_in_a_toolkit() {
    let specs = testing::specs_of(module_path!());
    let toolkit = Toolkit::builder()
        .tool(Add)
        .tool(Ask)
        .tool(inner::Shout { mark: '!' })
        .tools(Arc::new(Counter).tools())
        .build();
    let toolkit = toolkit.unwrap();
    for spec in &specs {
        let own = toolkit.spec(spec.name()).unwrap();
        assert_eq!(testing::tool_snapshot(spec), testing::tool_snapshot(&own));
    }
}
