use super::*;

const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9ccHLJ\x06\0\
    \x02N\x01'\xc0a\x9e\x19\0\0\0\0IEND\xaeB`\x82";
const GIF: &[u8] =
    b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
const WEBP: &[u8] =
    b"RIFF$\0\0\0WEBPVP8 \x18\0\0\x000\x01\0\x9d\x01*\x01\0\x01\0\x02\x004%\xa4\0\x03p\0\xfe\xfb\x94\0\0";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xff\xda\0\x02pixels\xff\0more\xff\xd9";
const BMP: &[u8] =
    b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\
    \0\0\0\0\0\0\0\0abc\0";

#[test]
fn images_are_told_by_their_bytes() {
    for (bytes, media_type) in [
        (PNG, "image/png"),
        (GIF, "image/gif"),
        (WEBP, "image/webp"),
        (JPEG, "image/jpeg"),
        (BMP, "image/bmp"),
        (b"II*\0\x08\0\0\0\0\0\0\0\0\0", "image/tiff"),
        (b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x04\0\0\0\x16\0\0\0", "image/x-icon"),
    ] {
        let format = Format::of(bytes).unwrap();
        assert_eq!(format.media_type(), media_type);
        assert!(format.is_whole(bytes), "{media_type}");
    }
    for text in ["BMW is a car", "<svg/>", "GIF8", "", "RIFF of the day: WEBP", "II*", "MM"] {
        assert_eq!(Format::of(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn an_image_that_is_cut_off_anywhere_is_told() {
    // What ends the file after the last part of an image is not needed: the mark of a GIF, the padding of a BMP.
    for (bytes, needed) in [(PNG, PNG.len()), (GIF, GIF.len() - 1), (WEBP, WEBP.len()), (JPEG, JPEG.len()), (BMP, 55)] {
        let format = Format::of(bytes).unwrap();
        for end in 0..needed {
            // The first bytes of some are no image at all yet.
            assert!(!format.is_whole(&bytes[..end]), "{} of {end} bytes", format.name());
        }
        assert!(format.is_whole(&bytes[..needed]), "{}", format.name());
        assert!(format.is_whole(&[bytes, b"and something behind it"].concat()), "{}", format.name());
    }
}

#[test]
fn an_image_of_no_size_or_without_pixels_is_none() {
    let mut empty = PNG.to_vec();
    empty[19] = 0;
    assert!(!Format::Png.is_whole(&empty));
    let without = [&PNG[..33], &PNG[57..]].concat();
    assert!(!Format::Png.is_whole(&without));
    let mut other = PNG.to_vec();
    other[12..16].copy_from_slice(b"IDAT");
    assert!(!Format::Png.is_whole(&other));
    // A part that claims to be larger than anything.
    let mut huge = PNG.to_vec();
    huge[33..37].copy_from_slice(&[0xff; 4]);
    assert!(!Format::Png.is_whole(&huge));
}

proptest::proptest! {
    #[test]
    fn no_bytes_are_too_odd(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..80), which in 0_usize..5) {
        let start = [PNG, GIF, WEBP, JPEG, BMP][which];
        for whole in [bytes.clone(), [&start[..start.len() / 2], &bytes].concat()] {
            if let Some(format) = Format::of(&whole) {
                format.is_whole(&whole);
            }
        }
    }
}
