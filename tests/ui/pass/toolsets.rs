//! Every form of toolset.
#![deny(missing_docs, unused)]

use std::fmt::Display;
use std::sync::Arc;

use agentscope_tool::prelude::*;

/// A service.
pub struct Service<T, const N: usize>(T);

/// Its own type.
#[tool_args(undocumented)]
pub struct Item {
    name: String,
}

#[toolset(crate = ::agentscope_tool)]
impl<T, const N: usize> Service<T, N>
where
    T: Display + Clone + Send + Sync + 'static,
{
    /// How many.
    pub const MANY: usize = N;

    /// A new one.
    pub const fn new(inner: T) -> Self {
        Self(inner)
    }

    /// Show it.
    #[tool(read_only, title = "Show")]
    pub async fn show(&self, /** The item. */ #[arg(default = Item { name: Self::MANY.to_string() })] item: Item) -> String {
        format!("{}{}", self.0, item.name)
    }

    /// Show it, blocking.
    #[tool(blocking, name = "show_blocking")]
    fn block(&self, #[state] state: &String, #[context] cx: &ToolContext) -> String {
        let _ = (state, cx);
        self.0.to_string()
    }

    /// Stream it.
    #[agentscope_tool::tool]
    fn stream(self: Arc<Self>) -> impl Stream<Item = String> + Send {
        futures_util::stream::iter([self.0.to_string()])
    }

    /// Stream it, borrowing nothing.
    #[tool]
    fn stream_owned(&self) -> impl Stream<Item = String> + Send + use<T, N> {
        futures_util::stream::iter([self.0.to_string()])
    }

    /// A reference to itself.
    #[tool]
    fn borrow(&self) -> Option<u8> {
        None
    }

    /// Not here.
    #[tool]
    #[cfg(any())]
    fn absent(&self, /** Missing. */ missing: Missing) {}

    fn not_a_tool(&mut self) -> &mut Self {
        self
    }
}

struct Plain;

#[toolset]
impl Plain {
    /// Only one.
    #[tool]
    async fn only(&self) {}
}

fn main() {
    let mut service = Service::<_, 3>::new(1);
    service.not_a_tool();
    let toolkit = Toolkit::builder().state(String::new()).toolset(service).toolset(Plain).build();
    assert!(toolkit.is_ok(), "{:?}", toolkit.err());
    let names: Vec<String> = Arc::new(Service::<_, 1>::new("x")).tools().iter().map(|tool| tool.spec().name().to_owned()).collect();
    assert_eq!(names, ["show", "show_blocking", "stream", "stream_owned", "borrow"]);
}
