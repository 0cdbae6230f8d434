//! The pages of documents.
//!
//! A document may be made to break its readers: what it unpacks to is bounded, and so is what is given of it.

use std::ops::RangeInclusive;

use agentscope_tool::ToolError;
use agentscope_tool::backend::Bytes;
use lopdf::{Document, LoadOptions};

use super::{Read, ReadArgs};
use crate::target::{Target, fault};

/// How many pages are given without being asked for one by one.
const WHOLE: u32 = 10;
/// How many pages are given at once.
const MOST: u32 = 20;
/// How many bytes a part of a document may unpack to.
const MOST_UNPACKED: usize = 16 * 1024 * 1024;

/// What is given of a document.
#[derive(Debug)]
pub(super) enum Extract {
    Document(Bytes),
    Text(String),
}

#[derive(Debug)]
enum Refusal {
    Pages(String),
    /// The end of a sentence that says that the document cannot be read.
    Broken(String),
}

impl From<lopdf::Error> for Refusal {
    fn from(error: lopdf::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

pub(super) async fn extract(tool: &Read, args: &ReadArgs, bytes: Bytes, target: &Target) -> Result<Extract, ToolError> {
    let (pages, as_it_is, room) = (args.pages.clone(), tool.accepts_pdf(), tool.max_output_bytes);
    let given = &target.given;
    let broken = |error: &str| fault(format!("The PDF document `{given}` cannot be read: {error}."));
    // A thread of its own takes the time that it takes, and a panic of the reader for what it is: a damaged document.
    let work = tokio::task::spawn_blocking(move || {
        if as_it_is { documents(&bytes, pages.as_deref()) } else { texts(&bytes, pages.as_deref(), room) }
    });
    match work.await {
        Ok(Ok(extract)) => Ok(extract),
        Ok(Err(Refusal::Pages(message))) => Err(fault(message)),
        Ok(Err(Refusal::Broken(error))) => Err(broken(&error)),
        Err(_) => Err(broken("it is damaged")),
    }
}

/// A document, the numbers of its pages, and those that are wanted.
fn open(bytes: &[u8], pages: Option<&str>) -> Result<(Document, Vec<u32>, RangeInclusive<u32>), Refusal> {
    let options = LoadOptions::with_max_decompressed_size(MOST_UNPACKED);
    let document = Document::load_mem_with_options(bytes, options)?;
    if document.is_encrypted() {
        return Err(Refusal::Broken("it needs a password".to_owned()));
    }
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    let total = numbers.len() as u32;
    if total == 0 {
        return Err(Refusal::Broken("it has no pages, or is damaged".to_owned()));
    }
    let wanted = match pages {
        Some(pages) => wanted(pages, total).map_err(Refusal::Pages)?,
        None if total > WHOLE => {
            return Err(Refusal::Pages(format!(
                "The PDF document has {total} pages, more than the {WHOLE} that are given at once without asking. Say with \
                 `pages` which ones you want, at most {MOST}."
            )));
        }
        None => 1..=total,
    };
    Ok((document, numbers, wanted))
}

/// The document, or one of the wanted pages alone.
fn documents(bytes: &Bytes, pages: Option<&str>) -> Result<Extract, Refusal> {
    let (mut document, numbers, wanted) = open(bytes, pages)?;
    let others: Vec<u32> = numbers.into_iter().filter(|number| !wanted.contains(number)).collect();
    if others.is_empty() {
        return Ok(Extract::Document(bytes.clone()));
    }
    document.delete_pages(&others);
    document.prune_objects();
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).map_err(lopdf::Error::from)?;
    Ok(Extract::Document(bytes.into()))
}

/// The text of the wanted pages, in at most `room` bytes, and a note of what is missing.
fn texts(bytes: &[u8], pages: Option<&str>, room: usize) -> Result<Extract, Refusal> {
    let (document, numbers, wanted) = open(bytes, pages)?;
    let (total, last) = (numbers.len(), *wanted.end());
    let mut given = String::new();
    let mut notes = Vec::new();
    let mut without = Vec::new();
    for page in wanted.clone() {
        let (mut text, is_whole) = page_text(&document, page);
        if text.is_empty() {
            without.push(page.to_string());
        } else if !is_whole {
            notes.push(format!("Some of the text of page {page} cannot be read."));
        }
        if page > *wanted.start() && given.len() + text.len() > room {
            let rest = if page == last { page.to_string() } else { format!("{page}-{last}") };
            notes.push(format!("There is no more room; read on with pages \"{rest}\"."));
            break;
        }
        if text.len() > room {
            text.truncate((0..=room).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default());
            notes.push(format!("The text of page {page} was cut after {} bytes.", text.len()));
        }
        let separator = if given.is_empty() { "" } else { "\n\n" };
        given.push_str(&format!("{separator}--- Page {page}/{total} ---\n{text}"));
    }
    if !without.is_empty() {
        let pages = if without.len() == 1 { "Page" } else { "Pages" };
        notes.push(format!("{pages} without text that can be read, perhaps pictures: {}.", without.join(", ")));
    }
    if !notes.is_empty() {
        given.push_str(&format!("\n\n[{}]", notes.join(" ")));
    }
    Ok(Extract::Text(given))
}

/// The text of a page, and whether that is all of it.
fn page_text(document: &Document, page: u32) -> (String, bool) {
    let mut text = String::new();
    let mut is_whole = true;
    for part in document.extract_text_chunks_with_limit(&[page], MOST_UNPACKED) {
        match part {
            Ok(part) => text.push_str(&part),
            Err(_) => is_whole = false,
        }
    }
    text.truncate(text.trim_end().len());
    (text, is_whole)
}

/// The pages that a model asks for, cut at the end of the document.
fn wanted(pages: &str, total: u32) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let range = match pages.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(pages).map(|page| (page, page)),
    };
    let shown = pages.escape_debug();
    let Some((first, last)) = range else {
        return Err(format!("`pages` has to be a number or a range, such as \"3\" or \"1-5\", but is \"{shown}\"."));
    };
    if first < 1 || first > last || first > total {
        return Err(format!("`pages` is \"{shown}\", but the PDF document has the pages 1 to {total}."));
    }
    let last = last.min(total);
    if last - first >= MOST {
        return Err(format!("`pages` asks for {} pages; at most {MOST} are given at once.", last - first + 1));
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests;
