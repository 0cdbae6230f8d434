//! Reading calls from JSON Lines.

use std::io;

use agentscope_tool::ToolCall;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

/// The calls of a file: one JSON object a line, `{"id": …, "name": …, "input": …}`.
///
/// `input` is what the model wrote as arguments: a string that holds JSON text (nearly, models being what they are),
/// as most interfaces give it, or the JSON object itself. Other keys, such as `type`, and empty lines are passed over.
#[derive(Debug)]
pub struct Calls<R> {
    lines: R,
    number: usize,
}

/// A line that is no call.
#[derive(Debug, thiserror::Error)]
#[error("line {number} is no call: {fault}")]
pub struct BadLine {
    /// The number of the line, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be decoded.
    #[error("{0}; write {{\"id\": \"…\", \"name\": \"…\", \"input\": \"…\"}}")]
    Json(#[from] serde_json::Error),
    /// It is not text.
    #[error("it is not UTF-8")]
    NotText,
    /// The arguments are neither text nor an object.
    #[error("`input` has to be a string with JSON text in it, or an object")]
    Input,
}

#[derive(Deserialize)]
struct Record<'a> {
    id: String,
    name: String,
    /// Kept as text, so that a number keeps its digits and a doubled key is seen.
    #[serde(borrow)]
    input: &'a RawValue,
}

impl<R: AsyncBufRead + Unpin> Calls<R> {
    /// The calls in `lines`.
    pub fn new(lines: R) -> Self {
        Self { lines, number: 0 }
    }

    /// The next call, as soon as its line is there.
    ///
    /// # Errors
    /// When the lines cannot be read. A line that is no call is no such error: the next one can be asked for.
    pub async fn next(&mut self) -> io::Result<Option<Result<ToolCall, BadLine>>> {
        loop {
            let mut line = Vec::new();
            if self.lines.read_until(b'\n', &mut line).await? == 0 {
                return Ok(None);
            }
            self.number += 1;
            let line = line.trim_ascii();
            if !line.is_empty() {
                let number = self.number;
                return Ok(Some(call(line).map_err(|fault| BadLine { number, fault })));
            }
        }
    }
}

fn call(line: &[u8]) -> Result<ToolCall, Fault> {
    let line = std::str::from_utf8(line).map_err(|_| Fault::NotText)?;
    let Record { id, name, input } = serde_json::from_str(line)?;
    let input = match input.get().as_bytes().first() {
        Some(b'"') => serde_json::from_str(input.get())?,
        Some(b'{') => input.get().to_owned(),
        _ => return Err(Fault::Input),
    };
    Ok(ToolCall { id, name, input })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(text: &[u8]) -> Vec<Result<String, String>> {
        let mut calls = Calls::new(text);
        let mut read = Vec::new();
        while let Some(line) = calls.next().await.unwrap() {
            read.push(line.map(|call| call.input).map_err(|bad| bad.to_string()));
        }
        read
    }

    #[tokio::test]
    async fn input_may_be_text_or_an_object() {
        let lines = b"{\"id\": \"1\", \"name\": \"a\", \"input\": \"{'x': 1,}\"}\n\n\
            {\"type\": \"tool_use\", \"id\": \"2\", \"name\": \"a\", \"input\": {\"x\": 1.10, \"x\": 2}}";
        assert_eq!(read(lines).await, [Ok("{'x': 1,}".to_owned()), Ok("{\"x\": 1.10, \"x\": 2}".to_owned())]);
    }

    #[tokio::test]
    async fn a_bad_line_is_named_by_its_number_and_the_next_one_is_read() {
        let lines = b"{\"id\": \"1\"\n\n{\"id\": \"1\", \"name\": \"a\"}\n{\"id\": \"1\", \"name\": \"a\", \"input\": 7}\n\xff\n\
            {\"id\": \"1\", \"name\": \"a\", \"input\": \"\"}\n";
        let read = read(lines).await;
        let errors: Vec<_> = read.iter().filter_map(|line| line.as_ref().err()).collect();
        assert_eq!(errors.len(), 4, "{errors:?}");
        assert!(errors[0].starts_with("line 1 is no call: EOF"), "{}", errors[0]);
        assert!(errors[1].starts_with("line 3 is no call: missing field `input`"), "{}", errors[1]);
        assert!(errors[2].starts_with("line 4 is no call: `input` has to be"), "{}", errors[2]);
        assert!(errors[3].starts_with("line 5 is no call: it is not UTF-8"), "{}", errors[3]);
        assert_eq!(read.last(), Some(&Ok(String::new())));
    }
}
