//! The formats that are checked. All other formats are remarks.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A checked `format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Date,
    DateTime,
    Time,
    Email,
    Uri,
    Uuid,
    Ipv4,
    Ipv6,
}

impl Format {
    /// The checked formats by their names in schemas.
    pub(crate) const ALL: [(&'static str, Format); 8] = [
        ("date", Format::Date),
        ("date-time", Format::DateTime),
        ("time", Format::Time),
        ("email", Format::Email),
        ("uri", Format::Uri),
        ("uuid", Format::Uuid),
        ("ipv4", Format::Ipv4),
        ("ipv6", Format::Ipv6),
    ];

    /// The checked format of that name.
    pub(crate) fn named(name: &str) -> Option<Format> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, format)| *format)
    }

    /// What a text of this format is, for a message.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Format::Date => "a date (YYYY-MM-DD)",
            Format::DateTime => "a date and time (like 2026-01-31T09:30:00Z)",
            Format::Time => "a time with its offset (like 09:30:00Z)",
            Format::Email => "an e-mail address",
            Format::Uri => "a URI (like https://example.com/page)",
            Format::Uuid => "a UUID (like 123e4567-e89b-12d3-a456-426614174000)",
            Format::Ipv4 => "an IPv4 address",
            Format::Ipv6 => "an IPv6 address",
        }
    }

    /// Whether `text` is of this format.
    pub(super) fn admits(self, text: &str) -> bool {
        match self {
            Format::Date => is_date(text),
            Format::DateTime => {
                text.find(['T', 't']).is_some_and(|at| is_date(&text[..at]) && is_time(&text[at + 1..]))
            }
            Format::Time => is_time(text),
            Format::Email => is_email(text),
            Format::Uri => is_uri(text),
            Format::Uuid => is_uuid(text),
            Format::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Format::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
        }
    }
}

/// A fixed run of digits as a number.
fn digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0')))
}

/// RFC 3339 `full-date`.
fn is_date(text: &str) -> bool {
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else { return false };
    let (Some(year), Some(month), Some(day)) = (digits(&[y1, y2, y3, y4]), digits(&[m1, m2]), digits(&[d1, d2])) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// RFC 3339 `full-time`; a leap second only where it is the last one of a day in UTC.
fn is_time(text: &str) -> bool {
    let &[h1, h2, b':', m1, m2, b':', s1, s2, ref rest @ ..] = text.as_bytes() else { return false };
    let (Some(hour), Some(minute), Some(second)) = (digits(&[h1, h2]), digits(&[m1, m2]), digits(&[s1, s2])) else {
        return false;
    };
    if hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let offset = match rest {
        [b'.', fraction @ ..] => {
            let length = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if length == 0 {
                return false;
            }
            &fraction[length..]
        }
        _ => rest,
    };
    let ahead = match offset {
        [b'Z' | b'z'] => 0,
        &[sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => match (digits(&[h1, h2]), digits(&[m1, m2])) {
            (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => {
                let ahead = i64::from(hours * 60 + minutes);
                if sign == b'+' { ahead } else { -ahead }
            }
            _ => return false,
        },
        _ => return false,
    };
    second < 60 || (i64::from(hour * 60 + minute) - ahead).rem_euclid(24 * 60) == 24 * 60 - 1
}

/// RFC 5321 `Mailbox`, ASCII before the `@`.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    if local.is_empty() || local.len() > 64 {
        return false;
    }
    let local_fits = match local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(quoted) => is_quoted(quoted),
        None => local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom_byte)),
    };
    let domain_fits = match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(literal) => match literal.get(..5) {
            Some(tag) if tag.eq_ignore_ascii_case("IPv6:") => literal[5..].parse::<Ipv6Addr>().is_ok(),
            _ => literal.parse::<Ipv4Addr>().is_ok(),
        },
        None => is_hostname(domain),
    };
    local_fits && domain_fits
}

fn is_atom_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

/// The inside of a quoted local part.
fn is_quoted(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'\\' => bytes.next().is_some_and(|escaped| (0x21..=0x7e).contains(&escaped)),
            b'"' => false,
            b'\t' | 0x20..=0x7e => true,
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    true
}

/// RFC 1123 host name. Labels with hyphens in the third and fourth place are reserved for encoded names.
fn is_hostname(text: &str) -> bool {
    text.len() <= 253
        && text.split('.').all(|label| {
            let bytes = label.as_bytes();
            let reserved = bytes.get(2..4) == Some(b"--") && !bytes.starts_with(b"xn--");
            (1..=63).contains(&bytes.len())
                && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
                && !reserved
        })
}

/// RFC 4122 text form, with hyphens.
fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// RFC 3986 `URI`: absolute, with a scheme.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let scheme_fits = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (hierarchy, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path_fits = match hierarchy.strip_prefix("//") {
        Some(hierarchy) => {
            let end = hierarchy.find('/').unwrap_or(hierarchy.len());
            is_authority(&hierarchy[..end]) && are_uri_bytes(&hierarchy[end..], b":@/")
        }
        None => are_uri_bytes(hierarchy, b":@/"),
    };
    scheme_fits && path_fits && are_uri_bytes(query, b":@/?") && are_uri_bytes(fragment, b":@/?")
}

/// `[ userinfo "@" ] host [ ":" port ]`
fn is_authority(text: &str) -> bool {
    let (user, host_port) = text.split_once('@').unwrap_or(("", text));
    let (host_fits, port) = match host_port.strip_prefix('[') {
        Some(rest) => {
            let Some((literal, port)) = rest.split_once(']') else { return false };
            (is_ip_literal(literal), port)
        }
        None => {
            let end = host_port.find(':').unwrap_or(host_port.len());
            (are_uri_bytes(&host_port[..end], b""), &host_port[end..])
        }
    };
    let port_fits =
        port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()));
    are_uri_bytes(user, b":") && host_fits && port_fits
}

/// What may stand in the brackets of an authority.
fn is_ip_literal(text: &str) -> bool {
    match text.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')) {
        Some((version, address)) => {
            !version.is_empty()
                && version.bytes().all(|b| b.is_ascii_hexdigit())
                && !address.is_empty()
                && !address.contains('%')
                && are_uri_bytes(address, b":")
        }
        None => text.parse::<Ipv6Addr>().is_ok(),
    }
}

/// Whether the text is of unreserved characters, sub-delimiters, sound percent-encodings and `more`.
fn are_uri_bytes(text: &str, more: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'%' => (0..2).all(|_| bytes.next().is_some_and(|digit| digit.is_ascii_hexdigit())),
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || more.contains(&byte),
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn each_format_tells_good_texts_from_bad_ones() {
        for (format, good, bad) in [
            (
                "date",
                vec!["2026-02-28", "2024-02-29"],
                vec!["2026-02-29", "2026-13-01", "26-01-01", "2026-01-00", "2026-1-1", "२०२६-०१-०१"],
            ),
            (
                "time",
                vec!["09:30:00Z", "09:30:00.125+02:00", "23:59:60z", "01:29:60+01:30"],
                vec!["09:30", "24:00:00Z", "09:30:00", "09:30:00.Z", "22:59:60Z"],
            ),
            (
                "date-time",
                vec!["2026-01-31T09:30:00Z", "2026-01-31t09:30:00-05:00"],
                vec!["2026-01-31 09:30:00Z", "2026-01-31T09:30:00", "2026-01-31"],
            ),
            (
                "email",
                vec!["ada@example.com", "a.b+c@x-y.org", "\"a b\"@x.org", "a@[127.0.0.1]", "a@[ipv6:::1]"],
                vec!["ada", "a@", "@b.c", "a..b@c.d", "a@-b.c", "a b@c.d", "a@b..c", "é@b.c"],
            ),
            (
                "uri",
                vec!["https://example.com/a?b#c", "mailto:a@b.c", "file:///tmp", "http://[::1]:80/"],
                vec!["example.com", "/a", "http://a b", "http://%zz", "http://[::1"],
            ),
            (
                "uuid",
                vec!["123e4567-e89b-12d3-a456-426614174000"],
                vec!["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g"],
            ),
            ("ipv4", vec!["127.0.0.1"], vec!["127.0.0", "256.0.0.1", "01.0.0.1"]),
            ("ipv6", vec!["::1", "1:2:3:4:5:6:7:8"], vec!["::g", "1:2:3", "[::1]"]),
        ] {
            let format = Format::named(format).unwrap();
            for text in good {
                assert!(format.admits(text), "{format:?} {text}");
            }
            for text in bad {
                assert!(!format.admits(text), "{format:?} {text}");
            }
        }
    }
}
