//! PDF documents: as they are for models that take them, else as text.

#[cfg(feature = "pdf")]
mod pages;

use agentscope_tool::backend::Bytes;
use agentscope_tool::{ContentBlock, ToolError};

use super::{Read, ReadArgs, too_large};
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

/// Whether there is a way to read documents.
pub(super) fn check_readable(tool: &Read, target: &Target) -> Result<(), ToolError> {
    if tool.accepts_pdf() || cfg!(feature = "pdf") {
        return Ok(());
    }
    Err(fault(format!("`{}` is a PDF document, which cannot be read here.", target.given)))
}

/// A document as a block, or the text of its pages.
pub(super) async fn read(
    tool: &Read,
    args: &ReadArgs,
    bytes: Bytes,
    target: &Target,
) -> Result<Vec<ContentBlock>, ToolError> {
    check_readable(tool, target)?;
    #[cfg(feature = "pdf")]
    let bytes = match pages::extract(tool, args, bytes, target).await? {
        pages::Extract::Document(bytes) => bytes,
        pages::Extract::Text(text) => return Ok(vec![agentscope_tool::TextBlock::new(text).into()]),
    };
    #[cfg(not(feature = "pdf"))]
    if args.pages.is_some() {
        return Err(fault("Single pages of PDF documents cannot be given here; leave `pages` out.".to_owned()));
    }
    let size = bytes.len() as u64;
    if size > tool.max_data_bytes {
        return Err(too_large("document", size, tool.max_data_bytes, target));
    }
    // Every whole document says near its end where its table of contents starts. A provider refuses one that does not.
    if memchr::memmem::rfind(&bytes, b"startxref").is_none() {
        return Err(fault(format!(
            "`{}` begins as a PDF document, but is not a valid one: it is truncated or damaged ({size} bytes).",
            target.given
        )));
    }
    tool.data(MEDIA_TYPE, bytes, target).await
}
