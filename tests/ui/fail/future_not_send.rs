use agentscope_tool::prelude::*;

use std::rc::Rc;

/// Wave.
#[tool]
async fn wave() -> String {
    let hand = Rc::new(String::new());
    std::future::ready(()).await;
    hand.to_string()
}

fn main() {}
