//! The shelf: the price records of a catalogue's versions, where orders are
//! priced.
//!
//! A branch of a version is a list of layers, the newest first, and a layer names
//! its shards by the hashes of their texts. A shard or a layer that several name
//! is there once.

mod entry;
mod layer;
mod named;
mod shard;

use std::cell::Cell;
use std::rc::Rc;

use memchr::memchr;

use crate::error::Fault;
use crate::rules::PriceRecord;
use layer::{Layer, Place};
use named::Named;
use shard::Shard;

/// What a branch says of a product.
#[derive(Debug)]
pub(crate) enum Found {
    /// Its record, or what is wrong with it; `None`: it has no price.
    Read(Result<Option<PriceRecord>, Fault>),
    /// A shard that may have it is not on the shelf.
    Unread,
}

/// The shards of a catalogue.
#[derive(Debug, Default)]
pub struct Shelf {
    branches: Named<Rc<Branch>>,
    /// The layers of the branches.
    layers: Named<Rc<Layer>>,
    /// Where the shards of the layers lie.
    places: Named<Rc<Place>>,
    /// Counts the uses of branches and shards.
    clock: Cell<u32>,
}

/// A branch of a version.
#[derive(Debug)]
pub(crate) struct Branch {
    /// The newest first.
    layers: Box<[Rc<Layer>]>,
    /// When it was used last.
    used: Cell<u32>,
}

impl Branch {
    fn bytes(&self) -> usize {
        size_of_val(&*self.layers).saturating_add(size_of::<Self>())
    }
}

fn name_of(version: &str, branch: &str) -> String {
    [version, branch].join(" ")
}

impl Shelf {
    /// Learns the layers of a branch, the newest first: three lines for each, its
    /// id, the names of its shards (32 characters for each, dashes for one without
    /// records) and its filter of products (empty: it has none). Layers with the
    /// same id are the same. Makes room as [`Shelf::put`] does.
    pub fn learn(&mut self, version: &str, branch: &str, layers: &str, most_bytes: usize) {
        let lines = lines(layers);
        let layers = lines.chunks_exact(3).filter_map(|lines| match lines {
            [id, names, filter] => Some(self.layer(id, names, filter)),
            _ => None,
        });
        let layers = layers.collect();
        let used = Cell::new(self.tick());
        let learnt = Rc::new(Branch { layers, used });
        self.branches.insert(&name_of(version, branch), learnt);
        self.trim(most_bytes);
    }

    fn layer(&mut self, id: &str, names: &str, filter: &str) -> Rc<Layer> {
        if let Some(known) = self.layers.get(id) {
            return Rc::clone(known);
        }
        let layer = Rc::new(Layer::new(names, filter, &mut self.places));
        self.layers.insert(id, Rc::clone(&layer));
        layer
    }

    fn tick(&self) -> u32 {
        let now = self.clock.get().wrapping_add(1);
        self.clock.set(now);
        now
    }

    /// Whether the layers of a branch are known.
    pub fn knows(&self, version: &str, branch: &str) -> bool {
        self.branches.get(&name_of(version, branch)).is_some()
    }

    /// A branch, for one order.
    pub(crate) fn branch(&self, version: &str, branch: &str) -> Option<&Branch> {
        let branch = self.branches.get(&name_of(version, branch))?;
        branch.used.set(self.tick());
        Some(branch)
    }

    /// What a branch says of a product.
    #[inline]
    pub(crate) fn find(&self, branch: &Branch, code: i64) -> Found {
        let hash = layer::hash_of(code);
        for layer in &branch.layers {
            let Some(place) = layer.place_for(hash) else {
                continue;
            };
            let shard = place.shard.borrow();
            let Some(shard) = &*shard else {
                return Found::Unread;
            };
            place.used.set(self.tick());
            if let Some(found) = shard.read_record(code, hash) {
                return Found::Read(found);
            }
        }
        Found::Read(Ok(None))
    }

    /// Puts a shard on the shelf, if a layer names it. What was used longest ago
    /// goes, until the rest has at most so many bytes.
    pub fn put(&mut self, name: &str, text: &str, most_bytes: usize) {
        if let Some(place) = self.places.get(name)
            && let Some(shard) = Shard::of(text)
        {
            place.used.set(self.tick());
            place.shard.replace(Some(shard));
            self.trim(most_bytes);
        }
    }

    fn trim(&mut self, most_bytes: usize) {
        while self.bytes() > most_bytes {
            let branches = self.branches.iter().map(|branch| &branch.used);
            let held = self.places.iter().filter(|place| place.is_taken());
            let all = branches.chain(held.map(|place| &place.used));
            let ages = all.map(|used| self.clock.get().wrapping_sub(used.get()));
            let Some(oldest) = ages.max() else {
                return;
            };
            self.drop_of_age(oldest);
        }
    }

    fn drop_of_age(&mut self, age: u32) {
        let now = self.clock.get();
        let is_meant = |used: &Cell<u32>| now.wrapping_sub(used.get()) == age;
        for place in self.places.iter().filter(|place| is_meant(&place.used)) {
            place.shard.take();
        }
        self.branches.retain(|branch| !is_meant(&branch.used));
        self.layers.retain(|layer| Rc::strong_count(layer) > 1);
        self.places.retain(|place| Rc::strong_count(place) > 1);
    }

    /// Whether a shard is on the shelf.
    pub fn has(&self, name: &str) -> bool {
        self.places.get(name).is_some_and(|place| place.is_taken())
    }

    /// The text of a record, as it stands in the text of its shard; `None`: the
    /// shard does not have the product, or is not on the shelf.
    pub fn record(&self, name: &str, code: i64) -> Option<Vec<u8>> {
        let place = self.places.get(name)?;
        place.used.set(self.tick());
        let shard = place.shard.borrow();
        shard.as_ref()?.record(code, layer::hash_of(code))
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        let branches = self.branches.iter().map(|branch| branch.bytes());
        let layers = self.layers.iter().map(|layer| layer.bytes());
        let places = self.places.iter().map(|place| place.bytes());
        branches.chain(layers).chain(places).sum()
    }
}

/// The lines of a text. Each has an end.
fn lines(mut text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    while let Some(end) = memchr(b'\n', text.as_bytes())
        && let Some((line, rest)) = text.split_at_checked(end)
    {
        lines.push(line);
        text = rest.get(1..).unwrap_or_default();
    }
    lines
}

#[cfg(test)]
mod tests;
