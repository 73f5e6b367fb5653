//! A shard: a table of the records of some products.

use memchr::memchr;

use super::entry::{Entry, Kind};
use super::layer::{hash_of, scaled};
use super::lines;
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

/// Where the search for a product begins, for its hash: the upper bits of a
/// hash are those of its shard.
#[inline]
fn first(hash: u32, count: usize) -> usize {
    scaled(hash.wrapping_mul(0x9E37_79B1), count)
}

impl Shard {
    /// Reads a shard's text: a line for each record, its code before it. `None`:
    /// it is none.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut texts = String::new();
        let mut all = Vec::new();
        for line in lines(text) {
            let (code, record) = line.split_at_checked(memchr(b' ', line.as_bytes())?)?;
            all.push(Entry::of(code.parse().ok()?, record.get(1..)?, &mut texts));
        }
        let count = all.len() + all.len() / 4 + 1;
        let mut entries = vec![Entry::default(); count];
        for entry in all {
            let (before, from) = entries.split_at_mut(first(hash_of(entry.code), count));
            let mut places = from.iter_mut().chain(before);
            *places.find(|place| place.kind == Kind::Free).certain() = entry;
        }
        Some(Self {
            entries: entries.into(),
            texts: texts.into(),
        })
    }

    #[inline]
    fn find(&self, code: i64, hash: u32) -> Option<&Entry> {
        let (before, from) = self
            .entries
            .split_at_checked(first(hash, self.entries.len()))?;
        let mut places = from.iter().chain(before);
        let found = places.find(|entry| entry.code == code || entry.kind == Kind::Free)?;
        (found.kind != Kind::Free).then_some(found)
    }

    /// Reads the record of a product; `None`: the shard does not have the
    /// product.
    #[inline]
    pub(super) fn read_record(
        &self,
        code: i64,
        hash: u32,
    ) -> Option<Result<Option<PriceRecord>, Fault>> {
        let entry = self.find(code, hash)?;
        Some(match entry.kind {
            Kind::Record => Ok(Some(entry.record())),
            Kind::Text => PriceRecord::from_text(entry.text_in(&self.texts), Origin::Wire),
            Kind::Tombstone | Kind::Free => Ok(None),
        })
    }

    /// The text of a product's record.
    pub(super) fn record(&self, code: i64, hash: u32) -> Option<Vec<u8>> {
        let entry = self.find(code, hash)?;
        Some(match entry.kind {
            Kind::Text => entry.text_in(&self.texts).as_bytes().to_vec(),
            _ => entry.text(),
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.texts.len().saturating_add(size_of_val(&*self.entries))
    }
}
