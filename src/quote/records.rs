//! The answer of a look-up, as JSON text.

use crate::json::{Document, Origin};

/// A look-up's answer: one JSON text for each key, in the order of the keys.
///
/// Collected from the texts, `None` where there is no record:
///
/// ```
/// let records: order_cost::Records = [Some(r#"{"price":231}"#), None].into_iter().collect();
/// ```
#[derive(Clone, Debug)]
pub struct Records {
    /// The texts, separated by NUL, which no JSON text contains. `None`: the
    /// answer is not a list.
    #[doc(hidden)]
    pub texts: Option<String>,
    /// The origin of the texts.
    #[doc(hidden)]
    pub origin: Origin,
}

impl<T: AsRef<str>> FromIterator<Option<T>> for Records {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(records: I) -> Self {
        let mut texts: Option<String> = None;
        for record in records {
            let record = record.as_ref().map_or("null", AsRef::as_ref);
            // A NUL would end the text. With one it is not JSON; nor is an empty text.
            let is_whole = memchr::memchr(0, record.as_bytes()).is_none();
            let record = if is_whole { record } else { "" };
            match &mut texts {
                None => texts = Some(record.to_owned()),
                Some(texts) => texts.extend(["\0", record]),
            }
        }
        Self {
            texts,
            origin: Origin::Wire,
        }
    }
}

impl Records {
    /// The answer of a look-up that returns a single record; `None`: there is none.
    pub(crate) fn one(record: Option<String>) -> Self {
        Self {
            texts: Some(record.unwrap_or_else(|| "null".to_owned())),
            origin: Origin::Wire,
        }
    }

    /// The number of texts; 0 if the answer is not a list.
    #[doc(hidden)]
    pub fn count(&self) -> usize {
        let separators = |texts: &String| memchr::memchr_iter(0, texts.as_bytes()).count();
        let texts = self.texts.as_ref();
        texts.map_or(0, |texts| separators(texts).saturating_add(1))
    }

    /// The answer of a look-up that returns a single document.
    #[doc(hidden)]
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
