//! What a host answers to a list of keys.

use crate::json::Origin;

/// What a list look-up answers: a JSON text for each of its keys, in their
/// order.
#[derive(Clone, Debug)]
pub struct Records {
    /// The texts, a NUL between two of them: no JSON text holds one. `None`:
    /// the answer is no list.
    pub texts: Option<String>,
    /// Where the texts came from.
    pub origin: Origin,
}

impl Records {
    /// How many texts there are; none, where the answer is no list.
    pub fn count(&self) -> usize {
        let separators = |texts: &String| memchr::memchr_iter(0, texts.as_bytes()).count();
        let texts = self.texts.as_ref();
        texts.map_or(0, |texts| separators(texts).saturating_add(1))
    }

    /// The texts, if there are `count` of them.
    pub(crate) fn texts(&self, count: usize) -> Option<Vec<&str>> {
        let texts = self.texts.as_deref()?;
        let mut records = Vec::with_capacity(count);
        let mut start = 0;
        let ends = memchr::memchr_iter(0, texts.as_bytes()).chain([texts.len()]);
        for end in ends.take(count.saturating_add(1)) {
            records.push(texts.get(start..end)?);
            start = end.saturating_add(1);
        }
        Some(records).filter(|records| records.len() == count)
    }
}
