//! JSON by serde_json: values with their texts, members with their repetitions.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// Levels of nesting (D10).
const MAX_DEPTH: usize = 128;

/// A value and its text.
pub(crate) struct Node<'a> {
    /// The text as written.
    pub(crate) text: &'a str,
    pub(crate) value: Value<'a>,
}

pub(crate) type Json<'a> = &'a Node<'a>;

pub(crate) enum Value<'a> {
    Null,
    Bool,
    Number,
    String(String),
    Array(Vec<Node<'a>>),
    /// The members in sequence, repetitions included (D9).
    Object(Vec<Member<'a>>),
}

pub(crate) struct Member<'a> {
    pub(crate) key: String,
    pub(crate) value: Node<'a>,
}

impl<'a> Node<'a> {
    /// `None`: not JSON, or nested too deep.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
        if !is_json || depth(text) > MAX_DEPTH {
            return None;
        }
        let paired = paired(text);
        let places = Places {
            written: text,
            paired: &paired,
        };
        let root: &RawValue = serde_json::from_str(&paired).expect("it is JSON");
        Some(places.node(root.get()))
    }

    /// The member that counts (D9). `None`: missing or `null`.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Value::Object(members) = &self.value else {
            return None;
        };
        let member = members.iter().rev().find(|member| member.key == key)?;
        (member.value.text != "null").then_some(&member.value)
    }

    /// The member's items; empty if it is not an array.
    pub(crate) fn list(&self, key: &str) -> &[Self] {
        match self.get(key).map(|member| &member.value) {
            Some(Value::Array(items)) => items,
            _ => &[],
        }
    }

    /// The value of the string.
    pub(crate) fn string(&self) -> Option<&str> {
        match &self.value {
            Value::String(string) => Some(string),
            _ => None,
        }
    }
}

/// A text, and a copy of the same length with U+FFFD for each lone surrogate (D10), because serde_json refuses those.
#[derive(Clone, Copy)]
struct Places<'a, 'p> {
    written: &'a str,
    paired: &'p str,
}

impl<'a> Places<'a, '_> {
    fn written(self, part: &str) -> &'a str {
        let start = part.as_ptr() as usize - self.paired.as_ptr() as usize;
        &self.written[start..start + part.len()]
    }

    fn node(self, json: &str) -> Node<'a> {
        let value = match json.as_bytes()[0] {
            b'{' => {
                let members = serde_json::Deserializer::from_str(json).deserialize_map(Members);
                let members = members.expect("an object").into_iter();
                let member = |(key, value): (&RawValue, &RawValue)| Member {
                    key: serde_json::from_str(key.get()).expect("a string"),
                    value: self.node(value.get()),
                };
                Value::Object(members.map(member).collect())
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(json).expect("an array");
                Value::Array(
                    items
                        .into_iter()
                        .map(|item| self.node(item.get()))
                        .collect(),
                )
            }
            b'"' => Value::String(serde_json::from_str(json).expect("a string")),
            b'n' => Value::Null,
            b't' | b'f' => Value::Bool,
            _ => Value::Number,
        };
        Node {
            text: self.written(json),
            value,
        }
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(&'de RawValue, &'de RawValue)>;

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

/// The nesting depth of a JSON text.
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

/// The UTF-16 unit of the `\u` escape at this place.
fn unit(escape: &str) -> Option<u16> {
    let hex = escape.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(hex, 16).ok()
}
