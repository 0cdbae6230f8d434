//! Outputs that are not text.

use super::convert::{IntoToolOutput, ToolOutput};
use crate::content::DataBlock;

/// An image as a tool's output.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// #[tool_args]
/// enum Colour { Red, Green }
///
/// /// Paint a square of one colour.
/// #[tool]
/// async fn paint(/** The colour. */ colour: Colour) -> Image {
///     let pixels = match colour { Colour::Red => [255, 0, 0], Colour::Green => [0, 255, 0] };
///     Image::new("image/x-portable-pixmap", [b"P6 1 1 255\n".as_slice(), &pixels].concat()).named("square.ppm")
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Image(DataBlock);

impl Image {
    /// An image of the given MIME type.
    #[must_use]
    pub fn new(media_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self(DataBlock::from_bytes(media_type, bytes))
    }

    /// A PNG image.
    #[must_use]
    pub fn png(bytes: impl AsRef<[u8]>) -> Self {
        Self::new("image/png", bytes)
    }

    /// A JPEG image.
    #[must_use]
    pub fn jpeg(bytes: impl AsRef<[u8]>) -> Self {
        Self::new("image/jpeg", bytes)
    }

    /// An image behind a URL.
    #[must_use]
    pub fn from_url(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self(DataBlock::from_url(media_type, url))
    }

    /// The same image with a file name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self(self.0.named(name))
    }
}

impl From<Image> for DataBlock {
    fn from(image: Image) -> Self {
        image.0
    }
}

impl IntoToolOutput for Image {
    fn into_tool_output(self) -> ToolOutput {
        self.0.into_tool_output()
    }
}
