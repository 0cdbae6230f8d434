//! What a tool's body may return.

use std::any::Any;
use std::borrow::Cow;
use std::error::Error;
use std::fmt::Display;

use futures_util::stream::BoxStream;
use serde::Serialize;
use serde_json::Value;

use super::stream::{Streamed, ToolStream};
use crate::content::{ContentBlock, DataBlock, TextBlock, ToolChunk};
use crate::error::ToolError;

/// The result of a tool's body: one chunk, an error, or a stream of chunks.
#[derive(Debug)]
pub enum ToolOutput {
    /// The whole result.
    Chunk(ToolChunk),
    /// No result.
    Error(ToolError),
    /// A result that comes in pieces.
    Stream(ToolStream),
}

/// What a tool's body may return.
///
/// | return type | the model reads |
/// | --- | --- |
/// | `String`, `&'static str`, `Cow<'static, str>`, `char` | the text |
/// | numbers, `bool` | the value as text |
/// | `()` | `ok`, since some providers refuse an empty result |
/// | [`Json<T>`], [`serde_json::Value`] | the JSON text |
/// | [`Image`](crate::Image), [`DataBlock`], [`TextBlock`], [`ContentBlock`], `Vec<ContentBlock>` | these blocks |
/// | [`ToolChunk`] | its blocks; state and metadata are kept |
/// | `Option<T>` | `T`, or `null` |
/// | `Result<T, E>`, `E: Display` | `T`, or the error's text with the state `error`; a [`ToolError`] is kept as it is |
/// | [`ToolStream`], [`Streamed<S>`](crate::Streamed), `BoxStream<'static, T>` | each item as it comes |
///
/// ```
/// use agentscope_tool::{IntoToolOutput, Json, ToolOutput};
///
/// let ToolOutput::Chunk(chunk) = Json([1, 2]).into_tool_output() else { unreachable!() };
/// assert_eq!(chunk.joined_text(), "[1,2]");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned by a tool",
    label = "no tool output",
    note = "wrap a type that implements `serde::Serialize` in `Json(…)`, or return a `String`, a `ToolChunk`, an `Image`, a `Result` of these, or a stream of them as `impl Stream` or in `Streamed(…)`"
)]
pub trait IntoToolOutput {
    /// The output for the model.
    fn into_tool_output(self) -> ToolOutput;
}

/// A value that the model reads as JSON text.
///
/// A failure to serialise becomes an error of the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Serialize> IntoToolOutput for Json<T> {
    fn into_tool_output(self) -> ToolOutput {
        match serde_json::to_string(&self.0) {
            Ok(text) => text.into_tool_output(),
            Err(error) => ToolOutput::Error(ToolError::developer(error)),
        }
    }
}

impl IntoToolOutput for Value {
    fn into_tool_output(self) -> ToolOutput {
        self.to_string().into_tool_output()
    }
}

impl IntoToolOutput for ToolOutput {
    fn into_tool_output(self) -> ToolOutput {
        self
    }
}

impl IntoToolOutput for ToolChunk {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Chunk(self)
    }
}

impl IntoToolOutput for ToolStream {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Stream(self)
    }
}

impl<T: IntoToolOutput + 'static> IntoToolOutput for BoxStream<'static, T> {
    fn into_tool_output(self) -> ToolOutput {
        Streamed(self).into_tool_output()
    }
}

impl IntoToolOutput for ToolError {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Error(self)
    }
}

impl IntoToolOutput for Vec<ContentBlock> {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Chunk(ToolChunk::new(self))
    }
}

impl IntoToolOutput for ContentBlock {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Chunk(ToolChunk::new(vec![self]))
    }
}

impl IntoToolOutput for TextBlock {
    fn into_tool_output(self) -> ToolOutput {
        ContentBlock::Text(self).into_tool_output()
    }
}

impl IntoToolOutput for DataBlock {
    fn into_tool_output(self) -> ToolOutput {
        ContentBlock::Data(self).into_tool_output()
    }
}

impl IntoToolOutput for String {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Chunk(ToolChunk::text(self))
    }
}

impl IntoToolOutput for &'static str {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Chunk(ToolChunk::text(self))
    }
}

impl IntoToolOutput for Cow<'static, str> {
    fn into_tool_output(self) -> ToolOutput {
        ToolOutput::Chunk(ToolChunk::text(self))
    }
}

impl IntoToolOutput for () {
    fn into_tool_output(self) -> ToolOutput {
        "ok".into_tool_output()
    }
}

macro_rules! displayed {
    ($($type:ty)*) => {$(
        impl IntoToolOutput for $type {
            fn into_tool_output(self) -> ToolOutput {
                self.to_string().into_tool_output()
            }
        }
    )*};
}
displayed!(bool char i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

impl<T: IntoToolOutput> IntoToolOutput for Option<T> {
    fn into_tool_output(self) -> ToolOutput {
        match self {
            Some(value) => value.into_tool_output(),
            None => "null".into_tool_output(),
        }
    }
}

impl<T: IntoToolOutput, E: Display + 'static> IntoToolOutput for Result<T, E> {
    fn into_tool_output(self) -> ToolOutput {
        match self {
            Ok(value) => value.into_tool_output(),
            Err(error) => ToolOutput::Error(tool_error(error)),
        }
    }
}

/// Keeps a [`ToolError`] as it is, and makes any other error one for the model, with the alternate form of its text,
/// which for `anyhow`-like errors is the whole chain of causes.
fn tool_error<E: Display + 'static>(error: E) -> ToolError {
    let mut error = Some(error);
    let same: &mut dyn Any = &mut error;
    if let Some(error) = same.downcast_mut::<Option<ToolError>>().and_then(Option::take) {
        return error;
    }
    if let Some(error) = same.downcast_mut::<Option<Box<ToolError>>>().and_then(Option::take) {
        return *error;
    }
    if let Some(error) = same.downcast_mut::<Option<Box<dyn Error + Send + Sync>>>().and_then(Option::take) {
        return match error.downcast::<ToolError>() {
            Ok(error) => *error,
            Err(error) => ToolError::failed(format!("{error:#}")),
        };
    }
    ToolError::failed(error.map(|error| format!("{error:#}")).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: impl IntoToolOutput) -> String {
        match value.into_tool_output() {
            ToolOutput::Chunk(chunk) => chunk.joined_text(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn plain_values_become_their_text() {
        assert_eq!(text("a"), "a");
        assert_eq!(text(()), "ok");
        assert_eq!(text(1.5), "1.5");
        assert_eq!(text(Some(true)), "true");
        assert_eq!(text(None::<String>), "null");
        assert_eq!(text(Json(vec!["ä"])), "[\"ä\"]");
        assert_eq!(text(Ok::<_, String>(3_u8)), "3");
    }

    #[test]
    fn any_displayable_error_is_for_the_model() {
        let ToolOutput::Error(error) = Err::<(), _>("no such city").into_tool_output() else { panic!("no error") };
        assert_eq!(error.agent_message(), "no such city");
    }

    #[test]
    fn a_tool_error_keeps_its_kind() {
        let error = ToolError::failed("busy").retryable();
        let ToolOutput::Error(error) = Err::<(), _>(error).into_tool_output() else { panic!("no error") };
        assert!(error.is_retryable());
    }

    #[test]
    fn a_tool_error_in_a_box_is_no_news_for_the_model() {
        let boxed = || -> Result<(), Box<dyn Error + Send + Sync>> { Err(ToolError::developer("secret dsn"))? };
        let ToolOutput::Error(error) = boxed().into_tool_output() else { panic!("no error") };
        assert!(!error.agent_message().contains("secret"));
        let ToolOutput::Error(error) = Err::<(), _>(Box::new(ToolError::Interrupted)).into_tool_output() else {
            panic!("no error")
        };
        assert!(matches!(error, ToolError::Interrupted));
    }

    #[test]
    fn a_value_that_cannot_be_serialised_is_an_error() {
        let map = std::collections::BTreeMap::from([(vec![1], 2)]);
        assert!(matches!(Json(map).into_tool_output(), ToolOutput::Error(ToolError::Developer(_))));
    }
}
