//! What a host answers to the keys of a look-up.

use crate::error::{Error, Expected, Failure, Fault};
use crate::json::{Document, Origin};
use crate::lookup::Lookup;

/// What a look-up answers: a JSON text for each of its keys, in their order.
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

    /// What a look-up of one thing answers.
    pub fn into_document(self) -> Document {
        Document {
            text: self.texts.unwrap_or_default(),
            origin: self.origin,
        }
    }

    /// The texts, if there are `count` of them.
    fn texts(&self, count: usize) -> Option<impl Iterator<Item = &str>> {
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

/// The keys of a look-up, each once, and what is known of each.
#[derive(Clone, Debug)]
pub(crate) struct Answers<K, T>(Vec<(K, Answer<T>)>);

/// `None`: it must be asked, or its answer is still to come. `Ok(None)`: the
/// host found nothing.
type Answer<T> = Option<Result<Option<T>, Error>>;

impl<K, T> Answers<K, T> {
    /// These keys, with what is known of them beforehand.
    pub(crate) fn new(keys: impl IntoIterator<Item = K>, known: impl Fn(&K) -> Option<T>) -> Self {
        let known = |key| {
            let fact = known(&key);
            (key, fact.map(|fact| Ok(Some(fact))))
        };
        Self(keys.into_iter().map(known).collect())
    }

    /// The keys that must be asked.
    pub(crate) fn open(&self) -> impl Iterator<Item = &K> {
        let open = self.0.iter().filter(|(_, answer)| answer.is_none());
        open.map(|(key, _)| key)
    }

    /// What is known, by key.
    pub(crate) fn known(&self) -> impl Iterator<Item = (&K, &T)> {
        self.0.iter().filter_map(|(key, answer)| match answer {
            Some(Ok(Some(found))) => Some((key, found)),
            _ => None,
        })
    }

    /// What is known of the key at this place.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        match self.0.get(place) {
            Some((_, Some(Ok(found)))) => found.as_ref(),
            _ => None,
        }
    }

    /// Whether every key has a value. The first key, in order, that will have
    /// none fails them, unless one before it has no answer yet (D42); `missing`
    /// is the error of a key of which nothing was found.
    pub(crate) fn check(&self, missing: impl Fn(&K) -> Error) -> Result<bool, Error> {
        for (key, answer) in &self.0 {
            match answer {
                Some(Ok(Some(_))) => {}
                Some(Ok(None)) => return Err(missing(key)),
                Some(Err(error)) => return Err(error.clone()),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// As [`Answers::check`], of one key, of which something is always found.
    pub(crate) fn check_key(&self, key: &K) -> Result<bool, Error>
    where
        K: PartialEq,
    {
        match self.0.iter().find(|(asked, _)| asked == key) {
            Some((_, Some(answer))) => answer.as_ref().map(|_| true).map_err(Error::clone),
            _ => Ok(false),
        }
    }

    /// Takes the answer to all keys that were asked, each record read by `read`.
    /// Where there is no list of that length, the first key has the error.
    pub(crate) fn take(
        &mut self,
        lookup: Lookup,
        answer: Result<Records, Failure>,
        mut read: impl FnMut(&K, &str, Origin) -> Result<Option<T>, Error>,
    ) {
        let count = self.open().count();
        let mut open = self.0.iter_mut().filter(|(_, answer)| answer.is_none());
        let error = match &answer {
            Ok(records) => match records.texts(count) {
                Some(texts) => {
                    for ((key, answer), text) in open.zip(texts) {
                        *answer = Some(read(key, text, records.origin));
                    }
                    return;
                }
                None => {
                    let fault = Fault::expected(Expected::ArrayOf(count));
                    Error::invalid_answer(lookup, None, fault)
                }
            },
            Err(failure) => Error::LookupFailed(lookup, failure.clone()),
        };
        if let Some((_, first)) = open.next() {
            *first = Some(Err(error));
        }
    }

    /// Takes the answer to one key.
    pub(crate) fn take_one(&mut self, key: &K, answer: Result<T, Error>)
    where
        K: PartialEq,
    {
        if let Some((_, place)) = self.0.iter_mut().find(|(asked, _)| asked == key) {
            *place = Some(answer.map(Some));
        }
    }
}
