//! The answer of a look-up, as JSON text.

use crate::json::{Document, Origin};

/// A look-up's answer: one JSON text for each key, in the order of the keys.
#[derive(Clone, Debug)]
pub struct Records {
    /// The texts, separated by NUL, which no JSON text contains. `None`: the
    /// answer is not a list.
    pub texts: Option<String>,
    /// The origin of the texts.
    pub origin: Origin,
}

impl Records {
    /// The number of texts; 0 if the answer is not a list.
    pub fn count(&self) -> usize {
        let separators = |texts: &String| memchr::memchr_iter(0, texts.as_bytes()).count();
        let texts = self.texts.as_ref();
        texts.map_or(0, |texts| separators(texts).saturating_add(1))
    }

    /// The answer of a look-up that returns a single document.
    pub fn into_document(self) -> Document {
        Document {
            text: self.texts.unwrap_or_default(),
            origin: self.origin,
        }
    }

    /// The texts, if there are exactly `count`.
    pub(crate) fn list(&self, count: usize) -> Option<impl Iterator<Item = &str>> {
        let texts = self.texts.as_deref().filter(|_| self.count() == count)?;
        let mut ends = memchr::memchr_iter(0, texts.as_bytes()).chain([texts.len()]);
        let mut start = 0;
        Some(std::iter::from_fn(move || {
            let end = ends.next()?;
            let text = texts.get(start..end);
            start = end.saturating_add(1);
            text
        }))
    }
}
