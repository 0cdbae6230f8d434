//! Why a call did not give a result.

use std::borrow::Cow;
use std::error::Error as StdError;

use crate::args::{ArgumentError, Excerpt};
use crate::permission::PermissionDecision;

type Source = Box<dyn StdError + Send + Sync>;

/// Why a tool call failed.
///
/// Two readers are kept apart. What the **model** reads is [`agent_message`](Self::agent_message): for errors that it
/// can do something about, the whole story. What the **developer** reads is `Display` and `source`: for faults of the
/// program around the model ([`Developer`](Self::Developer), [`Panicked`](Self::Panicked)) the model only learns
/// that the tool is broken, never the program's internals.
///
/// ```
/// use agentscope_tool::ToolError;
///
/// let error = ToolError::failed("no customer has that address").retryable();
/// assert!(error.is_retryable());
/// assert_eq!(error.agent_message(), "no customer has that address");
///
/// let error = ToolError::developer(std::io::Error::other("pool exhausted"));
/// assert!(!error.agent_message().contains("pool"));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// The arguments were not valid; nothing ran.
    #[error(transparent)]
    Arguments(#[from] ArgumentError),
    /// The tool ran and failed; the message is for the model.
    #[error("{message}")]
    Failed {
        /// What went wrong, in words that the model can act on.
        message: String,
        /// Whether the same call may succeed when it is made again.
        retryable: bool,
    },
    /// The call was cancelled.
    #[error("the tool call was interrupted before it was complete")]
    Interrupted,
    /// A middleware gave the call other arguments, with which it may not run.
    #[error("{}", decision.message)]
    #[non_exhaustive]
    Denied {
        /// Why.
        decision: Box<PermissionDecision>,
    },
    /// The program around the model is at fault.
    #[error("{0}")]
    Developer(#[source] Source),
    /// The tool panicked.
    #[error("the tool panicked: {message}")]
    Panicked {
        /// The panic's message.
        message: String,
    },
}

impl ToolError {
    /// A failure that the model should read.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self::Failed { message: message.into(), retryable: false }
    }

    /// A fault of the program, kept from the model.
    #[must_use]
    pub fn developer(source: impl Into<Source>) -> Self {
        Self::Developer(source.into())
    }

    /// The error of calling a tool that is executed outside of this process.
    #[must_use]
    pub fn external(tool: &str) -> Self {
        Self::developer(format!("tool `{tool}` is executed outside of this process and cannot be called here"))
    }

    /// Marks a [`Failed`](Self::Failed) error as worth another try; other errors stay as they are.
    #[must_use]
    pub fn retryable(self) -> Self {
        match self {
            Self::Failed { message, .. } => Self::Failed { message, retryable: true },
            other => other,
        }
    }

    /// Whether the same call may succeed when it is made again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Failed { retryable: true, .. })
    }

    /// What the model is told.
    #[must_use]
    pub fn agent_message(&self) -> Cow<'_, str> {
        match self {
            Self::Failed { message, .. } if message.trim().is_empty() => "the tool failed without saying why".into(),
            Self::Failed { message, .. } => message.into(),
            // What a model wrote is shown to it again, but not all of it: the message stays in its context.
            Self::Arguments(error) => Excerpt::of_length(&error.to_string(), 4_000).to_string().into(),
            Self::Denied { decision } => decision.denied_text().into(),
            Self::Interrupted => "The tool call was interrupted before it was complete.".into(),
            Self::Developer(_) | Self::Panicked { .. } => {
                "The tool failed because of a fault in the program that runs it, not because of the arguments. \
                 Calling it again will most likely not help."
                    .into()
            }
        }
    }
}

impl ToolError {
    /// The error of a call that may not run with the arguments that a middleware gave it.
    pub(crate) fn denied(decision: PermissionDecision) -> Self {
        Self::Denied { decision: Box::new(decision) }
    }

    /// The error of a panic that was caught.
    pub(crate) fn panicked(payload: &(dyn std::any::Any + Send)) -> Self {
        let message = payload
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a value that is not text".into());
        Self::Panicked { message }
    }
}
