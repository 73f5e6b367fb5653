//! What stands for numbers that JSON cannot write (D14).

use std::borrow::Cow;

use super::{Document, Origin};

/// A text that the reader accepted, without them: `null` in their place, as
/// `JSON.stringify` puts it.
pub fn nulled(json: &Document) -> Cow<'_, str> {
    match json.origin {
        Origin::Wire => Cow::Borrowed(&json.text),
        Origin::Object => Cow::Owned(replaced(&json.text)),
    }
}

fn replaced(json: &str) -> String {
    let mut replaced = Vec::with_capacity(json.len());
    let mut bytes = json.bytes();
    let mut in_string = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'N' if !in_string => {
                bytes.nth(1);
                replaced.extend(b"null");
            }
            b'\\' => {
                replaced.push(byte);
                replaced.extend(bytes.next());
            }
            _ => {
                in_string ^= byte == b'"';
                replaced.push(byte);
            }
        }
    }
    String::from_utf8(replaced).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_what_is_no_string_is_replaced() {
        for (json, expected) in [
            ("NaN", "null"),
            (
                r#"{"NaN":[NaN,"NaN\"NaN\\",NaN]}"#,
                r#"{"NaN":[null,"NaN\"NaN\\",null]}"#,
            ),
            (r#""NaN""#, r#""NaN""#),
        ] {
            assert_eq!(replaced(json), expected);
        }
    }
}
