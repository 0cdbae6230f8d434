//! A result as it comes.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::stream::{self, Stream, StreamExt as _};
use pin_project_lite::pin_project;
use tokio::task::JoinHandle;

use super::convert::{IntoToolOutput, ToolOutput};
use crate::content::{ToolChunk, ToolResultState};
use crate::error::ToolError;

type Item = Result<ToolChunk, ToolError>;

/// A tool's result as it comes: a stream of chunks in which failures are visible as errors. It is what tools and
/// middleware speak; dropping it stops the work behind it.
///
/// ```
/// use agentscope_tool::{ToolChunk, ToolStream};
/// use futures_util::StreamExt as _;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let mut stream = ToolStream::once(async { "done" });
/// assert_eq!(stream.next().await.unwrap().unwrap().joined_text(), "done");
/// assert!(stream.next().await.is_none());
/// # }
/// ```
pub struct ToolStream(Source);

enum Source {
    /// Most results come in one piece: they need no more than a future.
    Once(Pin<Box<dyn Future<Output = ToolOutput> + Send>>),
    Stream(Pin<Box<dyn Stream<Item = Item> + Send>>),
    Over,
}

impl ToolStream {
    /// A stream of chunks and errors.
    #[must_use]
    pub fn new(stream: impl Stream<Item = Item> + Send + 'static) -> Self {
        Self(Source::Stream(Box::pin(stream)))
    }

    /// The output of a future. If the output is itself a stream, its chunks follow.
    #[must_use]
    pub fn once<F>(future: F) -> Self
    where
        F: Future + Send + 'static,
        F::Output: IntoToolOutput,
    {
        Self(Source::Once(Box::pin(Output { future })))
    }

    /// Whether it is known that nothing follows and nothing is left.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.0, Source::Over)
    }

    /// A stream that only fails.
    #[must_use]
    pub fn error(error: ToolError) -> Self {
        Self::new(stream::once(std::future::ready(Err(error))))
    }

    /// The output of a function that blocks, run on the runtime's pool for such work.
    ///
    /// A blocking function cannot be stopped from outside: when the stream is dropped, a function that has not started
    /// yet never does, but one that has runs to its end, unless it asks [`ToolContext::is_cancelled`](crate::ToolContext::is_cancelled) now and then.
    #[must_use]
    pub fn blocking<F, T>(function: F) -> Self
    where
        F: FnOnce() -> T + Send + 'static,
        T: IntoToolOutput + Send + 'static,
    {
        Self::once(async move {
            let runtime = tokio::runtime::Handle::try_current().map_err(ToolError::developer)?;
            let mut running = AbortOnDrop(runtime.spawn_blocking(function));
            match (&mut running.0).await {
                Ok(output) => Ok(output.into_tool_output()),
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => Err(ToolError::panicked(&*panic)),
                    Err(error) => Err(ToolError::developer(error)),
                },
            }
        })
    }

    /// Calls `inspect` once when the stream is over, with how it ended: [`Success`](ToolResultState::Success),
    /// [`Interrupted`](ToolResultState::Interrupted), [`Denied`](ToolResultState::Denied) or
    /// [`Error`](ToolResultState::Error). A stream is over with its first error. One that is dropped before its end was
    /// interrupted.
    #[must_use]
    pub fn inspect_end(self, inspect: impl FnOnce(ToolResultState) + Send + 'static) -> Self {
        Self::new(InspectEnd { stream: self, state: ToolResultState::Success, inspect: Some(inspect) })
    }
}

/// A stream whose end somebody wants to know of.
struct InspectEnd<F: FnOnce(ToolResultState)> {
    stream: ToolStream,
    state: ToolResultState,
    inspect: Option<F>,
}

impl<F: FnOnce(ToolResultState)> InspectEnd<F> {
    fn end(&mut self, state: ToolResultState) {
        if let Some(inspect) = self.inspect.take() {
            inspect(state);
        }
    }
}

// Nothing in it is ever pinned.
impl<F: FnOnce(ToolResultState)> Unpin for InspectEnd<F> {}

impl<F: FnOnce(ToolResultState)> Stream for InspectEnd<F> {
    type Item = Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        let item = ready!(self.stream.poll_next_unpin(cx));
        if let Some(item) = &item {
            self.state = worse(self.state, item);
        }
        if !matches!(item, Some(Ok(_))) {
            let state = self.state;
            self.end(state);
        }
        Poll::Ready(item)
    }
}

impl<F: FnOnce(ToolResultState)> Drop for InspectEnd<F> {
    fn drop(&mut self) {
        self.end(ToolResultState::Interrupted);
    }
}

/// Takes a blocking function out of the queue when nobody waits for it any more.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn worse(state: ToolResultState, item: &Item) -> ToolResultState {
    let next = match item {
        Ok(chunk) => chunk.state,
        Err(ToolError::Interrupted) => ToolResultState::Interrupted,
        Err(_) => ToolResultState::Error,
    };
    match (state, next) {
        (ToolResultState::Error, _) => state,
        (_, ToolResultState::Success | ToolResultState::Running) => state,
        (_, next) => next,
    }
}

impl Stream for ToolStream {
    type Item = Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        let output = match &mut self.0 {
            Source::Once(future) => ready!(future.as_mut().poll(cx)),
            Source::Stream(stream) => return stream.as_mut().poll_next(cx),
            Source::Over => return Poll::Ready(None),
        };
        // The future is dropped before its output goes on: what it held is free by then.
        self.0 = Source::Over;
        match output {
            ToolOutput::Chunk(chunk) => Poll::Ready(Some(Ok(chunk))),
            ToolOutput::Error(error) => Poll::Ready(Some(Err(error))),
            ToolOutput::Stream(stream) => {
                *self = stream;
                self.poll_next(cx)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Source::Once(_) => (0, None),
            Source::Stream(stream) => stream.size_hint(),
            Source::Over => (0, Some(0)),
        }
    }
}

impl fmt::Debug for ToolStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ToolStream")
    }
}

pin_project! {
    /// The output of a future, for the model.
    struct Output<F> {
        #[pin]
        future: F,
    }
}

impl<F> Future for Output<F>
where
    F: Future,
    F::Output: IntoToolOutput,
{
    type Output = ToolOutput;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<ToolOutput> {
        self.project().future.poll(cx).map(IntoToolOutput::into_tool_output)
    }
}

/// One output as a stream, without a box of its own.
enum Flattened {
    One(Option<Item>),
    Many(ToolStream),
}

impl From<ToolOutput> for Flattened {
    fn from(output: ToolOutput) -> Self {
        match output {
            ToolOutput::Chunk(chunk) => Self::One(Some(Ok(chunk))),
            ToolOutput::Error(error) => Self::One(Some(Err(error))),
            ToolOutput::Stream(stream) => Self::Many(stream),
        }
    }
}

impl Stream for Flattened {
    type Item = Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        match &mut *self {
            Self::One(item) => Poll::Ready(item.take()),
            Self::Many(stream) => stream.poll_next_unpin(cx),
        }
    }
}

/// A stream as a tool's output: each item becomes a chunk (or an error) as it comes.
///
/// `#[tool]` wraps a return type written `impl Stream<…>` in it; a tool that names its stream's type does so itself.
#[derive(Clone, Debug)]
pub struct Streamed<S>(pub S);

impl<S> IntoToolOutput for Streamed<S>
where
    S: Stream + Send + 'static,
    S::Item: IntoToolOutput,
{
    fn into_tool_output(self) -> ToolOutput {
        let chunks = self.0.flat_map(|item| Flattened::from(item.into_tool_output()));
        ToolOutput::Stream(ToolStream::new(chunks.map(|item| item.map(ToolChunk::more_follows))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    async fn texts(stream: ToolStream) -> Vec<Result<String, String>> {
        stream.map(|item| item.map(|chunk| chunk.joined_text()).map_err(|error| error.to_string())).collect().await
    }

    #[tokio::test]
    async fn a_stream_of_results_yields_chunks_and_errors() {
        let items = stream::iter([Ok("a"), Err("b"), Ok("c")]);
        let stream = ToolStream::once(async { Streamed(items) });
        assert_eq!(texts(stream).await, [Ok("a".into()), Err("b".into()), Ok("c".into())]);
    }

    #[tokio::test]
    async fn a_blocking_function_that_panics_is_an_error() {
        let stream = ToolStream::blocking(|| -> String { panic!("no disk") });
        assert_eq!(texts(stream).await, [Err("the tool panicked: no disk".into())]);
    }

    #[test]
    fn a_blocking_function_outside_of_a_runtime_is_an_error() {
        let stream = ToolStream::blocking(|| "x");
        let items = futures_executor(texts(stream));
        assert!(items[0].as_ref().is_err_and(|error| error.contains("no reactor") || error.contains("runtime")));
    }

    fn futures_executor<F: Future>(future: F) -> F::Output {
        let mut future = Box::pin(future);
        let mut cx = Context::from_waker(std::task::Waker::noop());
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(output) => output,
            Poll::Pending => panic!("the future waits"),
        }
    }

    #[tokio::test]
    async fn the_end_is_inspected_once_with_the_worst_state() {
        let (sender, receiver) = mpsc::channel();
        let items = stream::iter([Ok("a"), Err("b")]);
        let stream = ToolStream::once(async { Streamed(items) })
            .inspect_end(move |state| sender.send(state).unwrap_or_default());
        texts(stream).await;
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [ToolResultState::Error]);
    }
}
