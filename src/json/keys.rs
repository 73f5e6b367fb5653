//! The members of an object that is passed on.

use super::{Reader, Span, canonical};
use crate::certain::Certain;
use crate::distinct::first_places;
use crate::error::Fault;

/// A key with its quotes and its value, both as JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The key.
    pub key: Span,
    /// The value.
    pub value: Span,
}

impl Reader<'_> {
    /// Reads any object.
    pub fn list_of_members(&mut self) -> Result<Vec<Member>, Fault> {
        let mut members = Vec::new();
        self.members(&mut |json, key| {
            let value = json.opaque()?;
            members.push(Member { key, value });
            Ok(())
        })?;
        Ok(members)
    }
}

/// D9: as in `JSON.parse`, a repeated key keeps its first place and last value.
pub fn last_of_each_key(text: &str, mut members: Vec<Member>) -> Vec<Member> {
    let keys = members.iter().map(|member| canonical(member.key.of(text)));
    let first_places = first_places(&Vec::from_iter(keys));
    for (place, first) in first_places.iter().enumerate() {
        let last = members.get(place).certain().value;
        members.get_mut(*first).certain().value = last;
    }
    let mut places = (0..).zip(first_places);
    members.retain(|_| places.next().is_some_and(|(place, first)| place == first));
    members
}

/// Lists of keys without their quotes and colons: one list on each line, with
/// commas between the keys.
pub(crate) fn key_lists(lists: &[&[&'static str]]) -> String {
    let line = |keys: &&[&'static str]| Vec::from_iter(keys.iter().map(|key| bare(key))).join(",");
    Vec::from_iter(lists.iter().map(line)).join("\n")
}

/// The text of a key, without its quotes and its colon.
pub fn bare(key: &str) -> &str {
    key.get(1..key.len().wrapping_sub(2)).unwrap_or_default()
}
