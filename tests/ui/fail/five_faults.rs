use agentscope_tool::prelude::*;

#[tool(readonly, name = "get weather")]
async fn get_weather(
    /// The city.
    city: &str,
    /// How many days ahead.
    #[arg(default = 300)]
    days: u8,
) -> String {
    format!("{city}, {days}")
}

fn main() {
    // What the macro would have made is there all the same.
    let _ = Toolkit::builder().tool(GetWeather);
    let _ = get_weather("Oslo", 1);
}
