//! Replaces the part of a text that other JSON readers refuse: lone surrogates
//! (D10).

use std::borrow::Cow;

/// The escape of U+FFFD.
const REPLACEMENT: &[u8] = b"\\ufffd";

/// JSON text with U+FFFD for each escaped lone surrogate, as the host reads it
/// (D10). The reader must have accepted `json`.
pub fn replace_lone_surrogates(json: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', json).is_none() {
        return Cow::Borrowed(json);
    }
    let mut replaced = Vec::with_capacity(json.len());
    let mut rest = json;
    while let Some(place) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at(place);
        replaced.extend_from_slice(before);
        let (taken, written) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => (12, escape.get(..12)),
            (Some(0xD800..0xE000), _) => (6, Some(REPLACEMENT)),
            _ => (2, escape.get(..2)),
        };
        replaced.extend_from_slice(written.unwrap_or_default());
        rest = escape.get(taken..).unwrap_or_default();
    }
    replaced.extend_from_slice(rest);
    Cow::Owned(replaced)
}

/// As [`replace_lone_surrogates`], for an owned text.
pub fn without_lone_surrogates(json: Vec<u8>) -> Vec<u8> {
    match replace_lone_surrogates(&json) {
        Cow::Borrowed(_) => json,
        Cow::Owned(replaced) => replaced,
    }
}

/// The UTF-16 unit whose escape the text begins with, if any.
fn unit(text: &[u8]) -> Option<u16> {
    let hex = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(str::from_utf8(hex).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::replace_lone_surrogates;

    #[test]
    fn d10_replaces_halves_and_keeps_pairs_and_backslashes() {
        for (json, expected) in [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""ก\\\ud83dข""#, r#""ก\\\ufffdข""#),
            (r#""\u0e01\uD83D""#, r#""\u0e01\ufffd""#),
        ] {
            assert_eq!(
                *replace_lone_surrogates(json.as_bytes()),
                *expected.as_bytes()
            );
        }
    }
}
