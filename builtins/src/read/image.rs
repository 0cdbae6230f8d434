//! Images, told by their bytes: the name of a file says nothing about what is in it.

/// The media type of an image, or what is wrong with what begins like one; nothing for anything else.
pub(super) fn media_type(bytes: &[u8]) -> Option<Result<&'static str, String>> {
    let (name, media_type, is_whole) = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        // The signature, and the chunk with the size that has to follow.
        ("PNG", "image/png", bytes.len() >= 33 && &bytes[12..16] == b"IHDR")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        ("JPEG", "image/jpeg", bytes.len() >= 20)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        ("GIF", "image/gif", bytes.len() >= 14)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        ("WebP", "image/webp", bytes.len() >= 30)
    } else if is_bmp(bytes) {
        ("BMP", "image/bmp", true)
    } else if bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") {
        ("TIFF", "image/tiff", bytes.len() >= 14)
    } else if bytes.starts_with(b"\0\0\x01\0") && bytes.get(4..6).is_some_and(|count| count != [0, 0]) {
        ("ICO", "image/x-icon", bytes.len() >= 22)
    } else {
        return None;
    };
    Some(match is_whole {
        true => Ok(media_type),
        false => Err(format!(
            "begins as a {name} image, but has only {} bytes: it is truncated and not a valid image.",
            bytes.len()
        )),
    })
}

/// Two letters are too little to go by: the sizes in the header have to make sense too.
fn is_bmp(bytes: &[u8]) -> bool {
    let header = |at: usize| bytes.get(at..at + 4).and_then(|part| part.try_into().ok()).map(u32::from_le_bytes);
    bytes.starts_with(b"BM")
        && header(6) == Some(0)
        && header(14).is_some_and(|size| matches!(size, 12 | 40 | 52 | 56 | 64 | 108 | 124))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_told_by_their_bytes() {
        let png = [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice(), &[0; 17]].concat();
        assert_eq!(media_type(&png), Some(Ok("image/png")));
        assert_eq!(
            media_type(&[b"BM".as_slice(), &[9, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]].concat()),
            Some(Ok("image/bmp"))
        );
        for text in ["BMW is a car", "<svg/>", "GIF8", ""] {
            assert_eq!(media_type(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn an_image_that_is_cut_off_is_told() {
        assert!(
            matches!(media_type(b"\x89PNG\r\n\x1a\n\0\0\0\x0d"), Some(Err(message)) if message.contains("truncated"))
        );
    }
}
