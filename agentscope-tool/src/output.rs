//! From what a tool's body returns to the stream of chunks that the rest of the library works with.

mod convert;
mod data;
mod probe;
mod stream;

pub use convert::{IntoToolOutput, Json, ToolOutput};
pub use data::Image;
pub use probe::{DescribeOutput, NoOutput, OutputProbe};
pub use stream::{Streamed, ToolStream};
