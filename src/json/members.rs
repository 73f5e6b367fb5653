//! The members of an object that is passed on.

use super::{Span, identity};
use crate::distinct::Distinct;

/// A key with its quotes and its value, both as JSON text.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The key.
    pub key: Span,
    /// The value.
    pub value: Span,
}

/// D9, as `JSON.parse` does it: a repeated key keeps its first place and its
/// last value.
pub fn last_of_each_key(text: &str, members: Vec<Member>) -> Vec<Member> {
    let keys = Distinct::from_list(members.iter().map(|member| identity(member.key.of(text))));
    if keys.items.len() == members.len() {
        return members;
    }
    let mut kept: Vec<Member> = Vec::with_capacity(keys.items.len());
    for (member, place) in members.into_iter().zip(keys.of) {
        match kept.get_mut(place) {
            Some(first) => first.value = member.value,
            None => kept.push(member),
        }
    }
    kept
}
