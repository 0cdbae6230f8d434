//! PDF documents: as they are for models that take them, else as text.

use agentscope_tool::backend::Bytes;
use agentscope_tool::{ContentBlock, ToolError};

use super::{Read, ReadArgs};
use crate::target::{Target, fault};

pub(super) const MEDIA_TYPE: &str = "application/pdf";

/// What the model is told about documents.
pub(super) fn description(as_they_are: bool) -> Option<&'static str> {
    match (as_they_are, cfg!(feature = "pdf")) {
        (true, true) => {
            Some("You can look at PDF documents, whole or some pages of them; give `pages` for more than 10.")
        }
        (true, false) => Some("You can look at PDF documents."),
        (false, true) => Some("The text of PDF documents can be read page by page; give `pages` for more than 10."),
        (false, false) => None,
    }
}

/// A document as a block, or the text of its pages.
#[cfg(not(feature = "pdf"))]
pub(super) async fn read(
    tool: &Read,
    args: &ReadArgs,
    bytes: Bytes,
    target: &Target,
) -> Result<Vec<ContentBlock>, ToolError> {
    if !tool.accepts_pdf() {
        return Err(fault(format!("`{}` is a PDF document, which cannot be read here.", target.given)));
    }
    if args.pages.is_some() {
        return Err(fault("Single pages of PDF documents cannot be given here; leave `pages` out.".to_owned()));
    }
    if bytes.len() as u64 > tool.max_data_bytes {
        return Err(tool.too_large("document", bytes.len() as u64, target));
    }
    Ok(vec![tool.data(MEDIA_TYPE, &bytes, target).into()])
}

#[cfg(feature = "pdf")]
pub(super) use with_pages::read;

#[cfg(feature = "pdf")]
mod with_pages {
    use std::ops::RangeInclusive;

    use agentscope_tool::TextBlock;
    use lopdf::Document;

    use super::{Bytes, ContentBlock, MEDIA_TYPE, Read, ReadArgs, Target, ToolError, fault};

    /// How many pages are given without being asked for one by one.
    const WHOLE: u32 = 10;
    /// How many pages are given at once.
    const MOST: u32 = 20;

    /// A document or some pages of it, as a block or as text.
    pub(in super::super) async fn read(
        tool: &Read,
        args: &ReadArgs,
        bytes: Bytes,
        target: &Target,
    ) -> Result<Vec<ContentBlock>, ToolError> {
        let (pages, as_it_is) = (args.pages.clone(), tool.accepts_pdf());
        let document = bytes.clone();
        // Documents are work for a thread that may block, and some are made to break programs.
        let work = tokio::task::spawn_blocking(move || extract(&document, pages.as_deref(), as_it_is));
        let given = &target.given;
        let broken = |error: &str| fault(format!("The PDF document `{given}` cannot be read: {error}."));
        match work.await {
            Ok(Ok(Extract::Whole)) => give(tool, &bytes, target),
            Ok(Ok(Extract::Pages(bytes))) => give(tool, &bytes, target),
            Ok(Ok(Extract::Text(text))) => Ok(vec![TextBlock::new(text).into()]),
            Ok(Err(Refusal::Pages(message))) => Err(fault(message)),
            Ok(Err(Refusal::Broken(error))) => Err(broken(&error.to_string())),
            Err(_) => Err(broken("it is damaged")),
        }
    }

    fn give(tool: &Read, bytes: &[u8], target: &Target) -> Result<Vec<ContentBlock>, ToolError> {
        if bytes.len() as u64 > tool.max_data_bytes {
            return Err(tool.too_large("document", bytes.len() as u64, target));
        }
        Ok(vec![tool.data(MEDIA_TYPE, bytes, target).into()])
    }

    enum Extract {
        Whole,
        Pages(Vec<u8>),
        Text(String),
    }

    enum Refusal {
        Pages(String),
        Broken(lopdf::Error),
    }

    impl From<lopdf::Error> for Refusal {
        fn from(error: lopdf::Error) -> Self {
            Self::Broken(error)
        }
    }

    fn extract(bytes: &[u8], pages: Option<&str>, as_it_is: bool) -> Result<Extract, Refusal> {
        let mut document = Document::load_mem(bytes)?;
        let numbers: Vec<u32> = document.get_pages().into_keys().collect();
        let total = numbers.len() as u32;
        let wanted = match pages {
            Some(pages) => wanted(pages, total).map_err(Refusal::Pages)?,
            None if total > WHOLE => {
                return Err(Refusal::Pages(format!(
                    "The PDF document has {total} pages, more than the {WHOLE} that are given at once without asking. Say \
                     with `pages` which ones you want, at most {MOST}."
                )));
            }
            None => 1..=total,
        };
        let is_whole = wanted == (1..=total);
        if as_it_is && is_whole {
            return Ok(Extract::Whole);
        }
        if as_it_is {
            let others: Vec<u32> = numbers.into_iter().filter(|number| !wanted.contains(number)).collect();
            document.delete_pages(&others);
            document.prune_objects();
            let mut bytes = Vec::new();
            document.save_to(&mut bytes).map_err(|error| Refusal::Broken(error.into()))?;
            return Ok(Extract::Pages(bytes));
        }
        let mut texts = Vec::new();
        for page in wanted {
            // A page whose text cannot be got at is told; the others are given.
            let text = document.extract_text(&[page]).unwrap_or_else(|error| format!("[no text: {error}]"));
            texts.push(format!("--- Page {page}/{total} ---\n{}", text.trim_end()));
        }
        Ok(Extract::Text(texts.join("\n\n")))
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
            return Err(format!(
                "`pages` has to be a number or a range, such as \"3\" or \"1-5\", but is \"{shown}\"."
            ));
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
    mod tests {
        use super::*;

        #[test]
        fn pages_are_a_number_or_a_range() {
            assert_eq!(wanted("3", 5), Ok(3..=3));
            assert_eq!(wanted(" 2 - 9 ", 5), Ok(2..=5));
            assert_eq!(wanted("1-20", 90), Ok(1..=20));
            for bad in ["", "x", "1-", "0", "3-2", "6", "1-21", "-1", "1,2"] {
                assert!(wanted(bad, if bad == "1-21" { 90 } else { 5 }).is_err(), "{bad}");
            }
        }
    }
}
