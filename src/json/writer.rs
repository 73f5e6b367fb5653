//! Writes JSON text without white space.

use std::ops::Range;

use super::Span;
use crate::money::{Amount, AmountText, Sum};

/// A JSON text that is being written.
///
/// Callers write the fixed parts as literal JSON, so that their code looks like
/// the text. Each kind of value has its own method.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// A writer with room for this number of bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
        }
    }

    /// The number of bytes written so far.
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Writes the text between two former lengths once more.
    pub fn repeat(&mut self, text: Range<usize>) {
        if self.bytes.get(text.clone()).is_some() {
            self.bytes.extend_from_within(text);
        }
    }

    /// The finished text.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes JSON text: punctuation and keys, or a value that already is text
    /// (D6).
    #[inline(never)]
    pub fn raw(&mut self, json: &str) -> &mut Self {
        self.bytes.extend_from_slice(json.as_bytes());
        self
    }

    /// Writes a comma and a key of the schema, which needs no escapes.
    pub fn key(&mut self, key: &str) -> &mut Self {
        self.bytes.extend_from_slice(b",\"");
        self.bytes.extend_from_slice(key.as_bytes());
        self.bytes.extend_from_slice(b"\":");
        self
    }

    /// Writes an object of `members`, each with a comma before it.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) {
        let first = self.bytes.len();
        members(self);
        debug_assert_eq!(self.bytes.get(first), Some(&b','));
        if let Some(comma) = self.bytes.get_mut(first) {
            *comma = b'{';
        }
        self.raw("}");
    }

    /// Writes a key and its value, both as JSON text.
    #[inline(never)]
    pub fn member(&mut self, key: &str, json: &str) -> &mut Self {
        self.bytes.extend_from_slice(key.as_bytes());
        self.bytes.extend_from_slice(json.as_bytes());
        self
    }

    /// As [`Writer::raw`], but inlined, which is faster: for the keys of
    /// objects that come by the hundred.
    #[inline(always)]
    pub fn frequent_raw(&mut self, json: &'static str) -> &mut Self {
        self.bytes.extend_from_slice(json.as_bytes());
        self
    }

    /// Writes the text of another writer.
    pub fn bytes(&mut self, json: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(json);
        self
    }

    /// Writes an array; `item` writes each of the items.
    pub fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut item: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        self.bytes.push(b'[');
        for (place, next) in items.into_iter().enumerate() {
            if place > 0 {
                self.bytes.push(b',');
            }
            item(self, next);
        }
        self.bytes.push(b']');
        self
    }

    /// Writes an array of these ranges of a text.
    pub fn spans(&mut self, text: &str, spans: &[Span]) -> &mut Self {
        self.list(spans, |out, span| _ = out.raw(span.of(text)))
    }

    /// Writes a word of the schema, which needs no escapes, as a string.
    pub fn word(&mut self, word: &str) -> &mut Self {
        self.bytes.push(b'"');
        self.bytes.extend_from_slice(word.as_bytes());
        self.bytes.push(b'"');
        self
    }

    /// Writes text as a string.
    pub fn string(&mut self, text: &str) -> &mut Self {
        self.bytes.push(b'"');
        for byte in text.bytes() {
            match byte {
                b'"' | b'\\' => self.bytes.extend([b'\\', byte]),
                0..0x20 => _ = self.raw(&format!("\\u{byte:04x}")),
                _ => self.bytes.push(byte),
            }
        }
        self.bytes.push(b'"');
        self
    }

    /// Writes an integer.
    pub fn integer(&mut self, value: i64) -> &mut Self {
        self.amount(Amount::new(value, 0))
    }

    /// Writes an amount (D5).
    pub fn amount(&mut self, value: Amount) -> &mut Self {
        value.write(&mut self.bytes);
        self
    }

    /// Writes an amount that was read (D5).
    #[inline]
    pub fn amount_text(&mut self, value: AmountText) -> &mut Self {
        value.write(&mut self.bytes);
        self
    }

    /// Writes a sum (D5).
    pub fn sum(&mut self, value: Sum) -> &mut Self {
        value.write(&mut self.bytes);
        self
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, value: bool) -> &mut Self {
        // Each has a length that the compiler knows.
        if value {
            self.frequent_raw("true")
        } else {
            self.frequent_raw("false")
        }
    }
}

/// Writes the members of an object; the named method writes their keys:
/// `members!(out.raw, { "first": amount(1), "next": integer(2) })`. Without the
/// braces, appends members to an object that has some.
macro_rules! members {
    (@member $out:ident.raw, $key:expr, raw($value:expr)) => {
        $out.member($key, $value)
    };
    (@member $out:ident.$raw:ident, $key:expr, $kind:ident($($value:expr),+)) => {
        $out.$raw($key).$kind($($value),+)
    };
    ($out:ident.$raw:ident, {
        $first:literal: $kind:ident($($value:expr),+), $($more:tt)+
    }) => {
        $crate::json::members!(
            @member $out.$raw, concat!("{\"", $first, "\":"), $kind($($value),+)
        );
        $crate::json::members!($out.$raw, $($more)+);
        $out.raw("}");
    };
    ($out:ident.$raw:ident, $($key:literal: $kind:ident($($value:expr),+)),+ $(,)?) => {
        $($crate::json::members!(
            @member $out.$raw, concat!(",\"", $key, "\":"), $kind($($value),+)
        );)+
    };
}

pub(crate) use members;

#[cfg(test)]
mod tests {
    use super::Writer;

    #[test]
    fn strings_are_escaped_as_json_wants_them() {
        let all: String = ('\0'..='\u{ff}').chain(['ก', '\u{2028}', '😀']).collect();
        let mut out = Writer::default();
        out.string(&all);
        let text = out.into_bytes();
        assert_eq!(
            serde_json::from_slice::<String>(&text).expect("it is JSON"),
            all
        );
        assert!(text.iter().all(|byte| *byte >= b' '));
    }
}
