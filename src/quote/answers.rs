//! The host's answers to the keys of a look-up.

use std::rc::Rc;

use crate::error::{Error, Expected, Failure, Fault};
use crate::json::{Document, Origin};
use crate::rules::{NationwideRate, PriceRecord, VoucherRecord};

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

/// The distinct keys of a look-up, each with its answer so far.
#[derive(Clone, Debug)]
pub(crate) struct Answers<K, T>(Vec<(K, Answer<T>)>);

/// `None`: the host has not answered yet. `Ok(None)`: the host found nothing.
pub(crate) type Answer<T> = Option<Result<Option<T>, Failure>>;

impl<K, T> Answers<K, T> {
    /// Takes the keys; `known` returns the answers that need no look-up.
    pub(crate) fn new(keys: impl IntoIterator<Item = K>, known: impl Fn(&K) -> Answer<T>) -> Self {
        let known = |key| {
            let answer = known(&key);
            (key, answer)
        };
        Self(keys.into_iter().map(known).collect())
    }

    /// All keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.0.iter().map(|(key, _)| key)
    }

    /// The keys without an answer, which the host must look up.
    pub(crate) fn open(&self) -> impl Iterator<Item = &K> {
        let open = self.0.iter().filter(|(_, answer)| answer.is_none());
        open.map(|(key, _)| key)
    }

    /// The records that are known, with their keys.
    pub(crate) fn known(&self) -> impl Iterator<Item = (&K, &T)> {
        self.0.iter().filter_map(|(key, answer)| match answer {
            Some(Ok(Some(found))) => Some((key, found)),
            _ => None,
        })
    }

    /// The record of the key at this place, if it is known.
    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<&T> {
        match self.0.get(place) {
            Some((_, Some(Ok(found)))) => found.as_ref(),
            _ => None,
        }
    }

    /// Whether every key has a record. Fails with the error of the first key
    /// that has none, but only when all keys before it have answers (D42).
    /// `error` makes the error of a key by its place; without a failure, the
    /// host found nothing.
    pub(crate) fn check(
        &self,
        error: impl Fn(usize, &K, Option<&Failure>) -> Error,
    ) -> Result<bool, Error> {
        for (place, (key, answer)) in self.0.iter().enumerate() {
            match answer {
                Some(Ok(Some(_))) => {}
                Some(Ok(None)) => return Err(error(place, key, None)),
                Some(Err(failure)) => return Err(error(place, key, Some(failure))),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// As [`Answers::check`], for one key.
    pub(crate) fn check_key(&self, key: &K) -> Result<bool, Option<&Failure>>
    where
        K: PartialEq,
    {
        match self.0.iter().find(|(asked, _)| asked == key) {
            Some((_, Some(Ok(None)))) => Err(None),
            Some((_, Some(answer))) => answer.as_ref().map(|_| true).map_err(Some),
            _ => Ok(false),
        }
    }

    /// Stores the answer for all open keys; `read` reads each record. If the
    /// look-up failed, the first of them gets the failure.
    pub(crate) fn take(
        &mut self,
        answer: Result<Records, Failure>,
        mut read: impl FnMut(&K, &str, Origin) -> Result<Option<T>, Failure>,
    ) {
        let count = self.open().count();
        let mut open = self.0.iter_mut().filter(|(_, answer)| answer.is_none());
        match texts(&answer, count) {
            Ok((texts, origin)) => {
                for ((key, answer), text) in open.zip(texts) {
                    *answer = Some(read(key, text, origin));
                }
            }
            Err(failure) => {
                if let Some((_, first)) = open.next() {
                    *first = Some(Err(failure));
                }
            }
        }
    }

    /// Stores the answer for one key.
    pub(crate) fn take_one(&mut self, key: &K, answer: Result<Option<T>, Failure>)
    where
        K: PartialEq,
    {
        if let Some((_, place)) = self.0.iter_mut().find(|(asked, _)| asked == key) {
            *place = Some(answer);
        }
    }
}

/// The texts of an answer to this many keys, and their origin.
pub(crate) fn texts(
    answer: &Result<Records, Failure>,
    count: usize,
) -> Result<(impl Iterator<Item = &str>, Origin), Failure> {
    let records = answer.as_ref().map_err(Failure::clone)?;
    let wrong = || Failure::answer(Fault::expected(Expected::ArrayOf(count)));
    Ok((records.texts(count).ok_or_else(wrong)?, records.origin))
}

/// Reads a record of `lookupPrices`.
pub(crate) fn read_price(record: &str, origin: Origin) -> Result<Option<PriceRecord>, Failure> {
    PriceRecord::from_text(record, origin).map_err(Failure::record)
}

/// Reads the answer of `nationwideRate`.
pub(crate) fn read_rate(answer: Document) -> Result<Option<Rc<NationwideRate>>, Failure> {
    let found = NationwideRate::read(answer).map_err(Failure::record)?;
    Ok(found.map(Rc::new))
}

/// Reads a record of `lookupVouchers` for this id.
pub(crate) fn read_voucher(
    record: &str,
    origin: Origin,
    id: &str,
) -> Result<Option<Rc<VoucherRecord>>, Failure> {
    let found = VoucherRecord::read(record, origin, id).map_err(Failure::record)?;
    Ok(found.map(Rc::new))
}
