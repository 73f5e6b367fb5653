//! The answer of a look-up, as JSON text.

use crate::certain::Certain;
use crate::error::Fault;
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
        texts.map_or(0, |texts| separators(texts) + 1)
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
    pub(crate) fn list(&self, count: usize) -> Option<Texts<'_>> {
        let texts = self.texts.as_deref().filter(|_| self.count() == count);
        texts.map(|rest| Texts { rest })
    }
}

/// Texts that are read one after another.
pub(crate) struct Texts<'a> {
    rest: &'a str,
}

impl<'a> Texts<'a> {
    /// The next text.
    pub(crate) fn next(&mut self) -> &'a str {
        let end = memchr::memchr(0, self.rest.as_bytes());
        self.take(end.unwrap_or(self.rest.len()))
    }

    /// Reads the next text with `read`, which returns its length. That spares the
    /// search for its end; a text that is wrong is returned.
    pub(crate) fn read<T>(
        &mut self,
        read: impl FnOnce(&str) -> Result<(T, usize), Fault>,
    ) -> Result<T, &'a str> {
        match read(self.rest) {
            Ok((value, length)) => {
                self.take(length);
                Ok(value)
            }
            Err(_) => Err(self.next()),
        }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (text, after) = self.rest.split_at_checked(length).certain();
        self.rest = after.get(1..).unwrap_or_default();
        text
    }
}
