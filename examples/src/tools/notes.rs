//! Several tools over one object. They change it, so calls that were cut off are refused.

use std::sync::{Mutex, PoisonError};

use agentscope_tool::prelude::*;
use serde::Serialize;

/// How many notes a book holds.
const CAPACITY: usize = 100;

/// Notes that are kept while the program runs.
#[derive(Debug, Default)]
pub struct NoteBook {
    notes: Mutex<Vec<Note>>,
}

/// A note.
#[tool_args]
#[derive(Clone, Debug, Serialize)]
pub struct Note {
    /// What was noted.
    pub text: String,
    /// How much it matters.
    pub importance: Importance,
}

/// How much a note matters.
#[tool_args]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Importance {
    /// Good to know.
    Low,
    /// Needed for the task.
    High,
}

/// The note book is full.
#[derive(Debug, thiserror::Error)]
#[error("the note book holds {CAPACITY} notes and is full")]
pub struct BookIsFull;

#[toolset]
impl NoteBook {
    /// Write a note into the note book.
    #[tool]
    async fn take_note(
        &self,
        /// The note.
        #[arg(length(min = 1, max = 500))]
        text: String,
        /// How much it matters.
        #[arg(default = Importance::Low)]
        importance: Importance,
    ) -> Result<String, BookIsFull> {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() >= CAPACITY {
            return Err(BookIsFull);
        }
        notes.push(Note { text, importance });
        Ok(format!("noted; {} in the book", notes.len()))
    }

    /// List the notes, the first one first.
    #[tool(read_only)]
    async fn list_notes(
        &self,
        /// Only notes that matter this much.
        importance: Option<Importance>,
    ) -> Json<Vec<Note>> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        Json(notes.iter().filter(|note| importance.is_none_or(|wanted| note.importance == wanted)).cloned().collect())
    }
}
