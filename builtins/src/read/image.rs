//! Images, told by their bytes: the name of a file says nothing about what is in it.
//!
//! A provider refuses an image that is damaged, and with it every later request of the conversation. So an image is gone
//! through part by part before it is given away; its pixels are not decoded.

/// A format of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Jpeg,
    Gif,
    WebP,
    Bmp,
    Tiff,
    Ico,
}

impl Format {
    /// The format of a file, by its first bytes; nothing for what is no image.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        Some(if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Self::Png
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Self::Jpeg
        } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            Self::Gif
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Self::WebP
        } else if is_bmp(bytes) {
            Self::Bmp
        } else if bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") {
            Self::Tiff
        } else if is_ico(bytes) {
            Self::Ico
        } else {
            return None;
        })
    }

    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
            Self::Bmp => "image/bmp",
            Self::Tiff => "image/tiff",
            Self::Ico => "image/x-icon",
        }
    }

    /// Its name for people.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::WebP => "WebP",
            Self::Bmp => "BMP",
            Self::Tiff => "TIFF",
            Self::Ico => "ICO",
        }
    }

    /// Whether the image that these bytes are has all its parts.
    pub(super) fn is_whole(self, bytes: &[u8]) -> bool {
        match self {
            Self::Png => png(bytes).is_some(),
            Self::Jpeg => jpeg(bytes).is_some(),
            // Screen size, then blocks, each of which says where it ends.
            Self::Gif => gif(bytes).is_some(),
            Self::WebP => le32(bytes, 4).is_some_and(|size| size >= 12 && bytes.len() as u64 >= u64::from(size) + 8),
            Self::Bmp => le32(bytes, 10).is_some_and(|pixels| bytes.len() as u64 > u64::from(pixels)),
            Self::Tiff => bytes.len() >= 14,
            Self::Ico => bytes.len() >= 22,
        }
    }
}

/// Two letters are too little to go by: the sizes in the header have to make sense too.
fn is_bmp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BM")
        && le32(bytes, 6) == Some(0)
        && le32(bytes, 14).is_some_and(|size| matches!(size, 12 | 40 | 52 | 56 | 64 | 108 | 124))
}

/// Four bytes of which two are zero: the first entry has to be one too.
fn is_ico(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0\0\x01\0")
        && bytes.get(4..6).is_some_and(|count| count != [0, 0])
        && bytes.get(9) == Some(&0)
        && le32(bytes, 18).is_some_and(|start| start >= 22)
}

/// The signature, the size, and chunks up to the one that ends the image; there are pixels among them.
fn png(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(8..)?;
    let mut is_first = true;
    let mut has_pixels = false;
    loop {
        let length = usize::try_from(be32(rest, 0)?).ok()?;
        let kind = rest.get(4..8)?;
        let data = rest.get(8..8_usize.checked_add(length)?)?;
        rest = rest.get(length.checked_add(12)?..)?;
        if is_first && (kind != b"IHDR" || be32(data, 0)? == 0 || be32(data, 4)? == 0) {
            return None;
        }
        is_first = false;
        has_pixels |= kind == b"IDAT";
        if kind == b"IEND" {
            return has_pixels.then_some(());
        }
    }
}

/// Segments up to the one that begins the pixels, then a mark for the end somewhere.
fn jpeg(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes.get(2..)?;
    loop {
        let (mark, kind) = (*rest.first()?, *rest.get(1)?);
        if mark != 0xff {
            return None;
        }
        rest = match kind {
            // Any number of fill bytes may stand before a mark.
            0xff => rest.get(1..)?,
            0xd9 => return Some(()),
            0x01 | 0xd0..=0xd7 => rest.get(2..)?,
            0xda => return memchr::memmem::rfind(rest, b"\xff\xd9").map(|_| ()),
            _ => {
                let length = usize::from(u16::from_be_bytes([*rest.get(2)?, *rest.get(3)?]));
                rest.get(length.max(2) + 2..)?
            }
        };
    }
}

/// The screen, its colours, and blocks up to the end of the first picture.
fn gif(bytes: &[u8]) -> Option<()> {
    let colours = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut rest = bytes.get(13 + colours(*bytes.get(10)?)..)?;
    loop {
        let is_picture = match *rest.first()? {
            0x21 => {
                rest = rest.get(2..)?;
                false
            }
            0x2c => {
                rest = rest.get(11 + colours(*rest.get(9)?)..)?;
                true
            }
            _ => return None,
        };
        loop {
            let length = usize::from(*rest.first()?);
            rest = rest.get(length + 1..)?;
            if length == 0 {
                break;
            }
        }
        if is_picture {
            return Some(());
        }
    }
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

#[cfg(test)]
mod tests;
