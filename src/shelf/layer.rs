//! A layer of a branch: its shards, and a filter of the products that it has.
//! The package's `catalogue/layer.js` and `catalogue/format.js` write both.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::named::Named;
use super::shard::Shard;

/// The characters of a shard's name.
const NAME_LENGTH: usize = 32;

/// Where the shard of a name lies, if it does.
#[derive(Debug, Default)]
pub(crate) struct Place {
    pub(super) shard: RefCell<Option<Shard>>,
    /// The shelf's clock when it was used last.
    pub(super) used: Cell<u32>,
}

impl Place {
    pub(super) fn is_taken(&self) -> bool {
        self.shard.borrow().is_some()
    }

    /// Those of its shard.
    pub(super) fn bytes(&self) -> usize {
        self.shard.borrow().as_ref().map_or(0, Shard::bytes)
    }
}

/// A layer.
#[derive(Debug)]
pub(crate) struct Layer {
    /// A Bloom filter, six bits a character; empty: the layer may have any product.
    filter: Box<[u8]>,
    /// Each shard is a range of [`hash_of`]; `None`: one without records.
    places: Box<[Option<Rc<Place>>]>,
}

impl Layer {
    /// A layer, whose names become known.
    pub(super) fn new(names: &str, filter: &str, known: &mut Named<Rc<Place>>) -> Self {
        let mut places = Vec::new();
        let mut rest = names;
        while let Some((name, others)) = rest.split_at_checked(NAME_LENGTH) {
            let is_empty = name.starts_with('-');
            if !is_empty {
                known.insert(name, Rc::default());
            }
            places.push(known.get(name).filter(|_| !is_empty).cloned());
            rest = others;
        }
        Self {
            filter: filter.as_bytes().into(),
            places: places.into(),
        }
    }

    /// The place of the shard that may have the product of this hash; `None`:
    /// the layer does not have it.
    #[inline]
    pub(super) fn place_for(&self, hash: u32) -> Option<&Place> {
        if !self.filter.is_empty() && !self.may_have(hash) {
            return None;
        }
        let index = scaled(hash, self.places.len());
        self.places.get(index)?.as_deref()
    }

    fn may_have(&self, hash: u32) -> bool {
        const BITS: u64 = 6;
        const PROBES: u64 = 8;
        let step = u64::from(hash.wrapping_mul(0x9E37_79B1) | 1);
        let size = (self.filter.len() as u64).wrapping_mul(BITS);
        (0..PROBES).all(|probe| {
            let bit = u64::from(hash).wrapping_add(step.wrapping_mul(probe)) % size;
            let digit = self.filter.get((bit / BITS) as usize).copied();
            digit.is_some_and(|digit| value_of(digit) >> (bit % BITS) & 1 == 1)
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.filter.len().saturating_add(size_of_val(&*self.places))
    }
}

/// The value of a digit of base 64, as URLs have it.
fn value_of(digit: u8) -> u8 {
    match digit {
        b'A'..=b'Z' => digit.wrapping_sub(b'A'),
        b'a'..=b'z' => digit.wrapping_sub(b'a' - 26),
        b'0'..=b'9' => digit.wrapping_add(52 - b'0'),
        b'-' => 62,
        _ => 63,
    }
}

/// The hash of a product code: MurmurHash3's finalizer.
#[inline]
pub(super) fn hash_of(code: i64) -> u32 {
    let mut hash = code as u32 ^ (code >> 32) as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ hash >> 13).wrapping_mul(0xC2B2_AE35);
    hash ^ hash >> 16
}

/// The place of a hash among so many, in the sequence of the hashes.
#[inline]
pub(super) fn scaled(hash: u32, count: usize) -> usize {
    (u64::from(hash).wrapping_mul(count as u64) >> 32) as usize
}
