//! Text with line numbers.

use agentscope_tool::ToolError;
use encoding_rs::{CoderResult, Decoder};
use futures_util::StreamExt as _;

use super::Pieces;
use crate::target::{failed, fault};
use crate::text::{Page, Pager, PagerLimits, TextFormat};

/// How many bytes behind the page are looked at to say how many lines follow.
const LOOKED_AHEAD: u64 = 8 * 1024 * 1024;

/// Lines of a file that is in memory.
pub(super) fn from_bytes(bytes: &[u8], limits: PagerLimits, path: &str) -> Result<String, ToolError> {
    let format = TextFormat::of(bytes, true).ok_or_else(|| binary(path, Some(bytes.len() as u64)))?;
    let mut pager = Pager::new(limits, fed(format));
    let mut feeder = Feeder::new(format);
    feeder.feed(&bytes[format.bom().len()..], true, &mut pager);
    Ok(with_note(pager.finish(true), limits, format, feeder.wrong, true))
}

/// Lines of a file that comes in pieces; no more of it is read than needed.
pub(super) async fn from_stream(mut pieces: Pieces, limits: PagerLimits, path: &str) -> Result<String, ToolError> {
    let first = pieces.next().await.transpose().map_err(|error| failed(&error))?.unwrap_or_default();
    let format = TextFormat::of(&first, false).ok_or_else(|| binary(path, None))?;
    let mut pager = Pager::new(limits, fed(format));
    let mut feeder = Feeder::new(format);
    feeder.feed(&first[format.bom().len().min(first.len())..], false, &mut pager);
    let mut ahead = 0;
    let at_end = loop {
        if pager.is_complete() && ahead > LOOKED_AHEAD {
            break false;
        }
        let Some(piece) = pieces.next().await else { break true };
        let piece = piece.map_err(|error| failed(&error))?;
        if pager.is_complete() {
            ahead += piece.len() as u64;
        }
        feeder.feed(&piece, false, &mut pager);
    };
    feeder.feed(&[], true, &mut pager);
    Ok(with_note(pager.finish(at_end), limits, format, feeder.wrong, at_end))
}

fn binary(path: &str, size: Option<u64>) -> ToolError {
    let size = size.map(|size| format!(" of {size} bytes")).unwrap_or_default();
    fault(format!("`{path}` is a binary file{size}, not text."))
}

/// The format in which the pager gets the text: what takes more than one byte for a line end is decoded before.
fn fed(format: TextFormat) -> TextFormat {
    if format.is_utf16() { TextFormat::PLAIN } else { format }
}

/// Brings pieces of a file to the pager.
struct Feeder {
    decoder: Option<Decoder>,
    /// Whether something could not be decoded.
    wrong: bool,
}

impl Feeder {
    fn new(format: TextFormat) -> Self {
        let decoder = format.is_utf16().then(|| format.encoding().new_decoder_without_bom_handling());
        Self { decoder, wrong: false }
    }

    fn feed(&mut self, mut piece: &[u8], last: bool, pager: &mut Pager) {
        let Some(decoder) = &mut self.decoder else { return pager.feed(piece) };
        let mut text = String::with_capacity(16 * 1024);
        loop {
            let (result, read, wrong) = decoder.decode_to_string(piece, &mut text, last);
            self.wrong |= wrong;
            pager.feed(text.as_bytes());
            text.clear();
            piece = &piece[read..];
            if result == CoderResult::InputEmpty {
                return;
            }
        }
    }
}

/// The page, and in one line what it does not show.
fn with_note(page: Page, limits: PagerLimits, format: TextFormat, wrong: bool, at_end: bool) -> String {
    let lines = |count: u64| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    let mut notes = Vec::new();
    let next = limits.offset + page.lines;
    let left = (page.seen + 1).saturating_sub(next);
    if page.lines == 0 {
        notes.push(match page.seen {
            0 => "The file is empty (0 bytes).".to_owned(),
            seen => format!("The file has only {}; line {} is past its end.", lines(seen), limits.offset),
        });
    } else if left > 0 || !at_end {
        let at_least = if at_end { "" } else { "At least " };
        let verb = if left == 1 { "follows" } else { "follow" };
        let more = if left == 1 { "1 more line".to_owned() } else { format!("{left} more lines") };
        notes.push(format!("{at_least}{more} {verb}; read on with offset {next}."));
    }
    if page.cut > 0 {
        let verb = if page.cut == 1 { "was" } else { "were" };
        notes.push(format!("{} {verb} cut after {} characters.", lines(page.cut), limits.line_characters));
    }
    if let Some(name) = format.name() {
        let guessed = if format.is_utf16() { "" } else { " by the look of it" };
        notes.push(format!("The file is not UTF-8, but {name}{guessed}."));
    }
    if page.escaped && format.is_utf8() {
        notes.push("Bytes that are not valid UTF-8 are shown as \\xNN.".to_owned());
    } else if page.escaped || wrong {
        notes.push("Bytes that are not valid in this encoding are shown as \u{fffd}.".to_owned());
    }
    match (page.text.is_empty(), notes.is_empty()) {
        (_, true) => page.text,
        (true, _) => format!("[{}]", notes.join(" ")),
        (false, _) => format!("{}\n\n[{}]", page.text, notes.join(" ")),
    }
}
