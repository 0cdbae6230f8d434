//! All tools of a program that the macros have made.

use crate::tool::ToolSpec;

/// A tool that a macro has made, with where it was written.
pub struct Registered {
    module: &'static str,
    make: fn() -> ToolSpec,
}

inventory::collect!(Registered);

impl Registered {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(module: &'static str, make: fn() -> ToolSpec) -> Self {
        Self { module, make }
    }
}

/// What all tools of a crate say of themselves, in order of their names: those of functions, of structs and of the methods of
/// objects, except for generic ones, which have no type of their own, and those that are made at run time. Only crates
/// that the program really uses are in it; `use my_crate as _;` is enough.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// /// Add two numbers.
/// #[tool(read_only, undocumented)]
/// async fn add(a: i64, b: i64) -> i64 { a + b }
///
/// let specs = testing::specs_of(module_path!());
/// assert!(specs.iter().any(|spec| spec.name() == "add"));
/// ```
#[must_use]
pub fn specs_of(name: &str) -> Vec<ToolSpec> {
    // As Cargo does for the names of packages.
    let name = name.split("::").next().unwrap_or_default().replace('-', "_");
    let of_crate = |tool: &&Registered| tool.module.split("::").next() == Some(&name);
    let mut specs: Vec<_> = inventory::iter::<Registered>().filter(of_crate).map(|tool| (tool.make)()).collect();
    specs.sort_by(|a, b| a.name().cmp(b.name()));
    specs
}
