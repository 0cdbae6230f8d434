//! The ways in which names are written in references.

/// A name as one step of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The name that one step of a JSON pointer stands for.
pub(super) fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The text of a URI fragment. What is no sound percent-encoding stays as it is.
pub(super) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|hex| first == b'%' && hex.iter().all(u8::is_ascii_hexdigit));
        let decoded = hex.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(decoded.unwrap_or(first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::percent_decoded;

    #[test]
    fn a_fragment_is_decoded_where_it_is_sound() {
        assert_eq!(percent_decoded("/$defs/Map%3CA%3E"), "/$defs/Map<A>");
        assert_eq!(percent_decoded("100%"), "100%");
        assert_eq!(percent_decoded("%+1"), "%+1");
    }
}
