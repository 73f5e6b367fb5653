//! Writes JSON text without white space.

use std::fmt::Write as _;

use crate::money::Amount;

/// JSON text in the making. The caller opens and closes; commas come by
/// themselves.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
}

impl Writer {
    /// The finished text.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Writes `{…}` with what `members` writes.
    pub fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.enclosed('{', '}', members);
    }

    /// Writes `[…]` with what `items` writes.
    pub fn array(&mut self, items: impl FnOnce(&mut Self)) {
        self.enclosed('[', ']', items);
    }

    /// Writes a key of the schema, which needs no escapes.
    pub fn key(&mut self, key: &str) -> &mut Self {
        self.comma();
        self.text.push('"');
        self.text.push_str(key);
        self.text.push_str("\":");
        self
    }

    /// Writes a key that is JSON text already.
    pub fn key_json(&mut self, json: &str) -> &mut Self {
        self.comma();
        self.text.push_str(json);
        self.text.push(':');
        self
    }

    /// Writes a value that is JSON text already (D6).
    pub fn json(&mut self, json: &str) {
        self.comma();
        self.text.push_str(json);
    }

    /// Writes a word of the schema, which needs no escapes, as a string.
    pub fn word(&mut self, word: &str) {
        self.comma();
        self.text.push('"');
        self.text.push_str(word);
        self.text.push('"');
    }

    /// Writes text as a string.
    pub fn string(&mut self, text: &str) {
        self.comma();
        self.text.push('"');
        for character in text.chars() {
            match character {
                '"' | '\\' => self.text.extend(['\\', character]),
                '\0'..' ' => {
                    let _ = write!(self.text, "\\u{:04x}", u32::from(character));
                }
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
    }

    /// Writes an integer.
    pub fn integer(&mut self, value: i64) {
        self.display(value);
    }

    /// Writes an amount (D5).
    pub fn amount(&mut self, value: Amount) {
        self.display(value);
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, value: bool) {
        self.json(if value { "true" } else { "false" });
    }

    fn display(&mut self, value: impl std::fmt::Display) {
        self.comma();
        // Writing to a String cannot fail.
        let _ = write!(self.text, "{value}");
    }

    fn enclosed(&mut self, open: char, close: char, inside: impl FnOnce(&mut Self)) {
        self.comma();
        self.text.push(open);
        inside(self);
        self.text.push(close);
    }

    /// A comma, unless this is the first in its object or array, or a value
    /// behind its key.
    fn comma(&mut self) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(',');
        }
    }
}
