//! Reads strings and decodes them.

use std::borrow::Cow;

use super::{Reader, Span};
use crate::error::{Expected, Fault};

impl Reader<'_> {
    /// Reads a string; the span holds its quotes and escapes.
    #[inline(never)]
    pub fn string(&mut self) -> Result<Span, Fault> {
        match self.rest {
            [b'"', after @ ..] => {
                self.rest = after;
                self.string_after_quote()
            }
            _ => self.other_string(),
        }
    }

    /// The same after white space, or as another type (D49).
    #[cold]
    #[inline(never)]
    fn other_string(&mut self) -> Result<Span, Fault> {
        if self.peek()? == b'"' {
            return self.string();
        }
        let number = self.string_of_number();
        number.ok_or_else(|| Fault::expected(Expected::A("a string")))
    }

    /// Reads the rest of a string, after its opening quote.
    #[inline(never)]
    pub(super) fn string_after_quote(&mut self) -> Result<Span, Fault> {
        let start = self.at().wrapping_sub(1);
        self.rest = after_plain(self.rest).ok_or_else(Fault::syntax)?;
        match self.rest {
            [b'"', after @ ..] => self.rest = after,
            _ => self.escaped_rest()?,
        }
        Ok(self.span_from(start))
    }

    /// Reads the rest of a string from its first escape.
    #[inline(never)]
    fn escaped_rest(&mut self) -> Result<(), Fault> {
        while self.byte() != Some(b'"') {
            self.escape()?;
            self.rest = after_plain(self.rest).ok_or_else(Fault::syntax)?;
        }
        self.advance(1);
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Fault> {
        match self.rest {
            [
                b'\\',
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                ..,
            ] => self.advance(2),
            [b'\\', b'u', hex @ ..]
                if hex.len() >= 4 && hex.iter().take(4).all(u8::is_ascii_hexdigit) =>
            {
                self.advance(6);
            }
            _ => return Err(Fault::syntax()),
        }
        Ok(())
    }

    /// The decoded string at `span`, see [`decode`].
    pub fn decoded(&self, span: Span) -> Cow<'_, str> {
        decode(self.text_at(span))
    }
}

/// The bytes from the first quote, backslash or control character. Checks eight
/// bytes at a time.
#[inline]
fn after_plain(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return rest.get(special.trailing_zeros() as usize / 8..);
        }
        rest = after;
    }
    let last = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
    rest.get(last..)
}

/// Marks the quotes, backslashes and control characters among eight bytes. The
/// lowest mark is right; a borrow may set wrong marks above it.
#[inline]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let each = |byte: u8| ONES.wrapping_mul(byte.into());
    // With this bit changed, the quote comes right after the control characters.
    let is_before = (word ^ each(0x02)).wrapping_sub(each(0x21));
    let is_backslash = (word ^ each(b'\\')).wrapping_sub(ONES);
    (is_before | is_backslash) & !word & HIGHS
}

/// A JSON string without its quotes.
fn unquoted(json: &str) -> &str {
    json.get(1..json.len().wrapping_sub(1)).unwrap_or_default()
}

/// The decoded JSON string: without its quotes, with its escapes resolved and
/// U+FFFD for each lone surrogate (D10). The reader must have accepted `json`.
pub fn decode(json: &str) -> Cow<'_, str> {
    shown(unquoted(json))
}

/// What [`decode`] gives for the string with this [`canonical`].
pub fn shown(canonical: &str) -> Cow<'_, str> {
    unescaped(canonical, |decoded, unit| {
        decoded.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    })
}

/// A text that is the same for equal strings only. Unlike [`decode`], it keeps
/// lone surrogates apart from each other and from U+FFFD. The reader must have
/// accepted `json`.
pub fn canonical(json: &str) -> Cow<'_, str> {
    unescaped(unquoted(json), |canonical, unit| match unit {
        Ok('\\') => canonical.push_str(r"\\"),
        Ok(character) => canonical.push(character),
        Err(surrogate) => canonical.push_str(&format!("\\u{surrogate:x}")),
    })
}

/// Appends a character of a string, or a lone surrogate.
type Push = fn(&mut String, Result<char, u16>);

/// Resolves the escapes of a JSON string without its quotes.
#[inline(never)]
fn unescaped(inner: &str, push: Push) -> Cow<'_, str> {
    if inner.bytes().all(|byte| byte != b'\\') {
        return Cow::Borrowed(inner);
    }
    Cow::Owned(resolved(inner, push))
}

#[inline(never)]
fn resolved(inner: &str, push: Push) -> String {
    let mut decoded = String::with_capacity(inner.len());
    let mut units = Vec::new();
    let mut rest = inner;
    while let Some((plain, escape)) = rest.split_once('\\') {
        if !plain.is_empty() {
            flush(&mut units, &mut decoded, push);
            decoded.push_str(plain);
        }
        let mut chars = escape.chars();
        let simple = match chars.next() {
            Some('u') => None,
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            other => other,
        };
        rest = chars.as_str();
        if let Some(simple) = simple {
            flush(&mut units, &mut decoded, push);
            push(&mut decoded, Ok(simple));
        } else if let Some((hex, after)) = rest.split_at_checked(4) {
            units.push(u16::from_str_radix(hex, 16).unwrap_or_default());
            rest = after;
        }
    }
    flush(&mut units, &mut decoded, push);
    decoded.push_str(rest);
    decoded
}

/// Appends the escaped UTF-16 units to the text, and pairs the surrogates.
fn flush(units: &mut Vec<u16>, decoded: &mut String, push: Push) {
    for unit in char::decode_utf16(units.drain(..)) {
        push(decoded, unit.map_err(|lone| lone.unpaired_surrogate()));
    }
}

#[cfg(test)]
mod tests {
    use crate::json::reader::tests::fault_of;
    use crate::json::{Origin, Reader};

    #[test]
    fn strings_end_where_they_end_at_any_length() {
        for length in 0..40 {
            let plain = "ก".repeat(length) + &"x".repeat(length % 8);
            for (text, is_json) in [
                (format!("\"{plain}\""), true),
                (format!("\"{plain}\\\"{plain}\""), true),
                (format!("\"{plain}"), false),
                (format!("\"{plain}\u{1f}\""), false),
                (format!("\"{plain}\n\""), false),
                (format!("\"{plain}\u{7f}\""), true),
            ] {
                assert_eq!(
                    fault_of(&text, Origin::Wire, Reader::string).is_none(),
                    is_json,
                    "{text:?}"
                );
            }
        }
    }
}
