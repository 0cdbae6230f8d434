//! Text with line numbers.

use agentscope_tool::ToolError;
use agentscope_tool::backend::FileStream;
use encoding_rs::{CoderResult, Decoder};
use futures_util::StreamExt as _;

use crate::target::failed;
use crate::text::{HEAD, Page, Pager, PagerLimits, TextFormat};

/// How many bytes behind the page are looked at to say how many lines follow.
const LOOKED_AHEAD: u64 = 8 * 1024 * 1024;

/// How many bytes are gone through before other tasks of this thread have their turn.
const TURN: usize = 64 * 1024;

/// Lines of a file that is in memory.
pub(super) fn from_bytes(bytes: &[u8], format: TextFormat, limits: PagerLimits) -> String {
    let mut pager = Pager::new(limits, fed(format));
    let mut feeder = Feeder::new(format);
    feeder.feed(&bytes[format.bom().len()..], true, &mut pager);
    with_note(pager.finish(true), limits, format, End::Seen)
}

/// The first bytes of a file, enough of them to tell what it holds.
pub(super) async fn head(pieces: &mut FileStream) -> Result<Vec<u8>, ToolError> {
    let mut head = Vec::new();
    while head.len() < HEAD {
        let Some(piece) = pieces.next().await else { break };
        head.extend_from_slice(&piece.map_err(|error| failed(&error))?);
    }
    Ok(head)
}

/// Lines of a file that comes in pieces, of which `head` is the first; no more of it is read than needed.
///
/// `size` is where the file ended when it was opened: somebody who goes on writing cannot keep this going for ever.
pub(super) async fn from_stream(
    head: Vec<u8>,
    mut pieces: FileStream,
    size: Option<u64>,
    format: TextFormat,
    limits: PagerLimits,
) -> Result<String, ToolError> {
    let mut pager = Pager::new(limits, fed(format));
    let mut feeder = Feeder::new(format);
    feeder.feed(&head[format.bom().len()..], false, &mut pager);
    let mut left = size.unwrap_or(u64::MAX).saturating_sub(head.len() as u64);
    let mut ahead = 0;
    let end = loop {
        if pager.is_complete() && ahead > LOOKED_AHEAD {
            break End::NotSeen;
        }
        let Some(piece) = pieces.next().await else { break End::Seen };
        let piece = piece.map_err(|error| failed(&error))?;
        let known = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        left -= known as u64;
        for part in piece[..known].chunks(TURN) {
            if pager.is_complete() {
                ahead += part.len() as u64;
            }
            feeder.feed(part, false, &mut pager);
            tokio::task::yield_now().await;
        }
        if known < piece.len() {
            break End::Moved;
        }
    };
    feeder.feed(&[], true, &mut pager);
    Ok(with_note(pager.finish(end != End::NotSeen), limits, format, end))
}

/// What is known of the end of a file.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Seen,
    /// The file goes on behind what was looked at.
    NotSeen,
    /// More was written while the file was read.
    Moved,
}

/// The format in which the pager gets the text: what takes more than one byte for a line end is decoded before.
fn fed(format: TextFormat) -> TextFormat {
    if format.is_utf16() { TextFormat::PLAIN } else { format }
}

/// Brings pieces of a file to the pager.
struct Feeder {
    decoder: Option<Decoder>,
}

impl Feeder {
    fn new(format: TextFormat) -> Self {
        Self { decoder: format.is_utf16().then(|| format.encoding().new_decoder_without_bom_handling()) }
    }

    fn feed(&mut self, mut piece: &[u8], last: bool, pager: &mut Pager) {
        let Some(decoder) = &mut self.decoder else { return pager.feed(piece) };
        let mut text = String::with_capacity(16 * 1024);
        loop {
            let (result, read, _) = decoder.decode_to_string(piece, &mut text, last);
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
fn with_note(page: Page, limits: PagerLimits, format: TextFormat, end: End) -> String {
    let lines = |count: u64| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    let mut notes = Vec::new();
    let next = limits.offset.saturating_add(page.lines);
    let left = (page.seen + 1).saturating_sub(next);
    if page.lines == 0 {
        notes.push(match page.seen {
            0 => "The file is empty (0 bytes).".to_owned(),
            seen => format!("The file has only {}; line {} is past its end.", lines(seen), limits.offset),
        });
    } else if left > 0 || end == End::NotSeen {
        // A line that was only begun is counted when its end is seen.
        let left = left.max(1);
        let at_least = if end == End::NotSeen { "At least " } else { "" };
        let verb = if left == 1 { "follows" } else { "follow" };
        let more = if left == 1 { "1 more line".to_owned() } else { format!("{left} more lines") };
        notes.push(format!("{at_least}{more} {verb}; read on with offset {next}."));
    }
    if page.cut > 0 {
        let verb = if page.cut == 1 { "was" } else { "were" };
        let where_to = match limits.line_characters > limits.bytes {
            true => " where there was no more room".to_owned(),
            false => format!(" after {} characters", limits.line_characters),
        };
        notes.push(format!("{} {verb} cut{where_to}.", lines(page.cut)));
    }
    if let Some(name) = format.name() {
        let guessed = if format.is_utf16() { "" } else { " by the look of it" };
        notes.push(format!("The file is not UTF-8, but {name}{guessed}."));
    }
    if page.escaped && format.is_utf8() {
        notes.push("Bytes that are not valid UTF-8 are shown as \\xNN.".to_owned());
    } else if page.escaped || (format.is_utf16() && page.text.contains(char::REPLACEMENT_CHARACTER)) {
        notes.push("Bytes that are not valid in this encoding are shown as \u{fffd}.".to_owned());
    }
    if page.has_nul {
        notes.push("NUL characters are shown as \\x00.".to_owned());
    }
    if end == End::Moved {
        notes.push("More was written to the file while it was read.".to_owned());
    }
    match (page.lines, notes.is_empty()) {
        (_, true) => page.text,
        (0, _) => format!("[{}]", notes.join(" ")),
        (_, _) => format!("{}\n\n[{}]", page.text, notes.join(" ")),
    }
}
