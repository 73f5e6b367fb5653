//! A shard: a table of the records of some products.

use memchr::memchr;

use super::entry::{Entry, Kind};
use super::layer::scaled;
use crate::certain::Certain;
use crate::error::Fault;
use crate::json::Origin;
use crate::rules::PriceRecord;

/// A table by open addressing, in which a fifth is free.
#[derive(Debug)]
pub(crate) struct Shard {
    entries: Box<[Entry]>,
    /// The texts of the records that do not fit an entry.
    texts: Box<str>,
}

/// Where the search for a product begins. Its hash would not do: the upper bits are
/// those of the shard, and codes with the same hash are easily made.
#[inline]
fn first(code: i64, count: usize) -> usize {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let spread = (code as u64).wrapping_mul(SPREAD) >> 32;
    scaled(spread as u32, count)
}

impl Shard {
    /// Reads a shard's text: a line for each record, its code before it. `None`:
    /// it is none, or takes more bytes.
    pub(super) fn of(text: &str, most_bytes: usize) -> Option<Self> {
        let lines = super::lines(text);
        let count = lines.len() + lines.len() / 4 + 1;
        if count.saturating_mul(size_of::<Entry>()) > most_bytes {
            return None;
        }
        let mut texts = String::new();
        let mut entries = vec![Entry::default(); count];
        for line in lines {
            let (code, record) = line.split_at_checked(memchr(b' ', line.as_bytes())?)?;
            let entry = Entry::of(code.parse().ok()?, record.get(1..)?, &mut texts);
            let (before, from) = entries.split_at_mut(first(entry.code, count));
            let mut places = from.iter_mut().chain(before);
            *places.find(|place| place.kind == Kind::Free).certain() = entry;
        }
        Some(Self {
            entries: entries.into(),
            texts: texts.into(),
        })
    }

    #[inline]
    fn find(&self, code: i64) -> Option<&Entry> {
        let (before, from) = self
            .entries
            .split_at_checked(first(code, self.entries.len()))?;
        let mut places = from.iter().chain(before);
        let found = places.find(|entry| entry.code == code || entry.kind == Kind::Free)?;
        (found.kind != Kind::Free).then_some(found)
    }

    /// Reads the record of a product; `None`: the shard does not have the
    /// product.
    #[inline]
    pub(super) fn read_record(&self, code: i64) -> Option<Result<Option<PriceRecord>, Fault>> {
        let entry = self.find(code)?;
        Some(match entry.kind {
            Kind::Record => Ok(Some(entry.record())),
            Kind::Text => PriceRecord::from_text(entry.text_in(&self.texts), Origin::Wire),
            Kind::Tombstone | Kind::Free => Ok(None),
        })
    }

    /// The text of a product's record.
    pub(super) fn record(&self, code: i64) -> Option<Vec<u8>> {
        let entry = self.find(code)?;
        Some(match entry.kind {
            Kind::Text => entry.text_in(&self.texts).as_bytes().to_vec(),
            _ => entry.text(),
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.texts.len().saturating_add(size_of_val(&*self.entries))
    }
}
