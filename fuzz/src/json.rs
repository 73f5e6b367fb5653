//! JSON by serde_json: values with their texts, members with their repetitions.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// Levels of nesting (D10).
const MAX_DEPTH: usize = 128;

/// A text that is JSON.
pub(crate) struct Text<'a> {
    written: &'a str,
    /// The same at the same places, but each lone surrogate is U+FFFD (D10): serde_json refuses them.
    paired: String,
}

/// A value and its text.
#[derive(Clone, Copy)]
pub(crate) struct Json<'a> {
    /// As it is written.
    pub(crate) text: &'a str,
    paired: &'a str,
}

pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(String),
    Array(Vec<Json<'a>>),
    /// As they stand, each repetition too (D9).
    Object(Vec<(String, Json<'a>)>),
}

impl<'a> Text<'a> {
    /// `None`: it is no JSON, or nested too deep.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
        (is_json && depth(text) <= MAX_DEPTH).then(|| Self {
            written: text,
            paired: paired(text),
        })
    }

    pub(crate) fn value(&self) -> Json<'_> {
        let whole = Json {
            text: self.written,
            paired: &self.paired,
        };
        whole.part(serde_json::from_str(&self.paired).expect("it is JSON"))
    }
}

impl<'a> Json<'a> {
    pub(crate) fn value(self) -> Value<'a> {
        match self.paired.as_bytes()[0] {
            b'{' => Value::Object(self.members()),
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(self.paired).expect("an array");
                Value::Array(items.into_iter().map(|item| self.part(item)).collect())
            }
            b'"' => Value::String(serde_json::from_str(self.paired).expect("a string")),
            b'n' => Value::Null,
            b't' => Value::Bool(true),
            b'f' => Value::Bool(false),
            _ => Value::Number(self.text),
        }
    }

    fn members(self) -> Vec<(String, Self)> {
        let members = serde_json::Deserializer::from_str(self.paired)
            .deserialize_map(Members)
            .expect("an object");
        members
            .into_iter()
            .map(|(key, value)| (key, self.part(value)))
            .collect()
    }

    /// The member of an object that counts (D9); `None`: it has none, or it is `null`.
    pub(crate) fn get(self, key: &str) -> Option<Self> {
        let Value::Object(members) = self.value() else {
            return None;
        };
        let (_, value) = members.into_iter().rev().find(|(name, _)| name == key)?;
        (value.text != "null").then_some(value)
    }

    /// The member's items; none, where it has no such array.
    pub(crate) fn list(self, key: &str) -> Vec<Self> {
        match self.get(key).map(Self::value) {
            Some(Value::Array(items)) => items,
            _ => Vec::new(),
        }
    }

    /// What the string says.
    pub(crate) fn string(self) -> Option<String> {
        match self.value() {
            Value::String(string) => Some(string),
            _ => None,
        }
    }

    fn part(self, raw: &'a RawValue) -> Self {
        let start = raw.get().as_ptr() as usize - self.paired.as_ptr() as usize;
        Self {
            text: &self.text[start..start + raw.get().len()],
            paired: raw.get(),
        }
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

/// How deep a JSON text is nested.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn paired(text: &str) -> String {
    let mut paired = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        paired.push_str(before);
        let length = match unit(escape) {
            Some(0xD800..=0xDBFF) if is_low(escape.get(6..).and_then(unit)) => 12,
            Some(0xD800..=0xDFFF) => 0,
            _ => 2,
        };
        if length == 0 {
            paired.push_str("\\ufffd");
            rest = &escape[6..];
        } else {
            paired.push_str(&escape[..length]);
            rest = &escape[length..];
        }
    }
    paired + rest
}

fn is_low(unit: Option<u16>) -> bool {
    matches!(unit, Some(0xDC00..=0xDFFF))
}

/// The UTF-16 unit of the `\u` escape that stands here.
fn unit(escape: &str) -> Option<u16> {
    let hex = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(hex, 16).ok()
}
