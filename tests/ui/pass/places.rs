//! Tools may be made anywhere a function may stand.

mod outer {
    pub mod inner {
        use agentscope_tool::{tool, tool_args};

        #[tool_args]
        pub struct Hand {
            /// The side.
            pub side: String,
        }

        /// Wave.
        #[tool]
        pub async fn wave(/** The hand. */ hand: Hand) -> String {
            hand.side
        }

        /// Hail.
        #[agentscope_tool::tool]
        pub(in crate::outer) fn hail() {}
    }

    pub fn hail() -> &'static str {
        use agentscope_tool::Tool as _;
        inner::Hail.spec();
        inner::hail();
        "hail"
    }
}

macro_rules! wavers {
    ($($name:ident: $ty:ty = $doc:literal),*) => {
        $(
            #[doc = $doc]
            #[agentscope_tool::tool]
            async fn $name(/** The hand. */ #[arg(rename = "hand")] x: $ty) -> $ty { x }
        )*
    };
}

wavers!(left: String = "Wave left.", right: u32 = "Wave right.");

#[cfg(any())]
/// Not there.
#[agentscope_tool::tool]
fn absent(missing: Missing) {}

/// Not there either.
#[agentscope_tool::tool]
#[cfg(any())]
fn absent_too(missing: Missing) {}

fn main() {
    use agentscope_tool::prelude::*;

    const TIMES: u8 = 3;

    fn hands() -> u8 {
        2
    }

    /// Clap.
    #[tool]
    async fn clap(
        /// How often.
        #[arg(default = TIMES * hands())]
        times: u8,
    ) -> u8 {
        times
    }

    mod inside {
        /// Nod.
        #[agentscope_tool::tool]
        pub fn nod() {}
    }

    outer::hail();
    let toolkit = Toolkit::builder().tool(outer::inner::Wave).tool(Left).tool(Right).tool(Clap).tool(inside::Nod).build();
    assert!(toolkit.is_ok(), "{:?}", toolkit.err());
    assert_eq!(Clap.spec().input_schema()["properties"]["times"]["default"], 6);
}
