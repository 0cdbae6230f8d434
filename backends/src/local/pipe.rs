//! The reading end of a program's output.

use std::mem;
use std::os::fd::AsFd;

use agentscope_tool::backend::{BackendError, Bytes, ExecEvent};
use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::sync::mpsc::Sender;

pub(super) type Item = Result<ExecEvent, BackendError>;

/// How much is read at once; what a pipe usually holds.
const CHUNK: usize = 64 * 1024;
/// How much is read at most after the program's end: more than a pipe holds, unless somebody goes on writing.
const REST: usize = 1024 * 1024;

/// One output stream of a program, on its way into a channel.
pub(super) struct Pipe<R> {
    reader: Option<R>,
    /// What was read and not yet sent, so that nothing is lost when [`pump`](Self::pump) is dropped half-way.
    buffer: BytesMut,
    event: fn(Bytes) -> ExecEvent,
}

impl<R: AsyncRead + AsFd + Unpin> Pipe<R> {
    pub(super) fn new(reader: Option<R>, event: fn(Bytes) -> ExecEvent) -> Self {
        Self { reader, buffer: BytesMut::new(), event }
    }

    /// Moves the output into the channel until all that could write are gone, or nobody listens any more.
    pub(super) async fn pump(&mut self, channel: &Sender<Item>) {
        loop {
            if !self.send(channel).await {
                return;
            }
            let Some(reader) = &mut self.reader else { return };
            self.buffer.reserve(CHUNK);
            if !matches!(reader.read_buf(&mut self.buffer).await, Ok(1..)) {
                self.reader = None;
            }
        }
    }

    /// Moves what is in the pipe right now into the channel, and waits for no more.
    pub(super) async fn drain(&mut self, channel: &Sender<Item>) {
        let mut room = REST;
        while self.send(channel).await && room > 0 {
            let Some(reader) = &self.reader else { return };
            self.buffer.resize(CHUNK, 0);
            // Asked directly: the runtime may not have heard yet that there is something to read.
            let read = rustix::io::retry_on_intr(|| rustix::io::read(reader, &mut self.buffer[..])).unwrap_or(0);
            self.buffer.truncate(read);
            room = room.saturating_sub(read);
            if read == 0 {
                self.reader = None;
            }
        }
    }

    /// Sends what was read; whether somebody still listens.
    async fn send(&mut self, channel: &Sender<Item>) -> bool {
        if self.buffer.is_empty() {
            return !channel.is_closed();
        }
        let Ok(permit) = channel.reserve().await else { return false };
        // A short line should not hold the memory of a long one.
        let bytes = if self.buffer.len() < CHUNK / 4 {
            let bytes = Bytes::copy_from_slice(&self.buffer);
            self.buffer.clear();
            bytes
        } else {
            mem::take(&mut self.buffer).freeze()
        };
        permit.send(Ok((self.event)(bytes)));
        true
    }
}
