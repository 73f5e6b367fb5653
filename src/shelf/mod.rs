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
#[derive(Debug)]
pub struct Shelf {
    /// The bytes that branches, layers and places may take, and that they do.
    most_named: usize,
    named: usize,
    /// The same of shards.
    most_held: usize,
    held: usize,
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

fn name_of(version: &str, branch: &str) -> String {
    [version, branch].join(" ")
}

impl Shelf {
    /// An empty shelf, which holds at most so many bytes.
    pub fn new(most_bytes: usize) -> Self {
        let most_named = most_bytes / 4;
        Self {
            most_named,
            named: 0,
            most_held: most_bytes.saturating_sub(most_named),
            held: 0,
            branches: Named::default(),
            layers: Named::default(),
            places: Named::default(),
            clock: Cell::default(),
        }
    }

    /// Learns the layers of a branch, the newest first: three lines for each, its
    /// id, the names of its shards (32 characters for each, dashes for one without
    /// records) and its filter of products (empty: it has none). Layers with the
    /// same id are the same.
    pub fn learn(&mut self, version: &str, branch: &str, layers: &str) {
        if layers.len() > self.most_named {
            return; // it would push everything else out
        }
        let lines = lines(layers);
        let layers = lines.chunks_exact(3).filter_map(|lines| match lines {
            [id, names, filter] => Some(self.layer(id, names, filter)),
            _ => None,
        });
        let layers = layers.collect();
        let used = Cell::new(self.tick());
        let learnt = Rc::new(Branch { layers, used });
        self.branches.insert(&name_of(version, branch), learnt);
        self.count();
        self.forget_branches();
    }

    fn layer(&mut self, id: &str, names: &str, filter: &str) -> Rc<Layer> {
        if let Some(known) = self.layers.get(id) {
            return Rc::clone(known);
        }
        let layer = Rc::new(Layer::new(names, filter, &mut self.places));
        self.layers.insert(id, Rc::clone(&layer));
        layer
    }

    /// Forgets the branches that were used longest ago, as far as names take too
    /// much, and the shards that only they name. One alone may take too much, too.
    fn forget_branches(&mut self) {
        while self.named > self.most_named {
            let ages = self.branches.iter().map(|branch| self.age(&branch.used));
            let Some(oldest) = ages.max() else {
                return;
            };
            let now = self.clock.get();
            let is_young = |used: &Cell<u32>| now.wrapping_sub(used.get()) < oldest.div_ceil(2);
            self.branches.retain(|branch| is_young(&branch.used));
            self.layers.retain(|layer| Rc::strong_count(layer) > 1);
            self.places.retain(|place| Rc::strong_count(place) > 1);
            self.count();
        }
    }

    fn count(&mut self) {
        let branches = self.branches.bytes(|branch| size_of_val(&*branch.layers));
        let layers = self.layers.bytes(|layer| layer.bytes());
        let places = self.places.bytes(|_| 0);
        self.named = branches + layers + places;
        self.held = self.places.iter().map(|place| place.bytes()).sum();
    }

    fn tick(&self) -> u32 {
        let now = self.clock.get().wrapping_add(1);
        self.clock.set(now);
        now
    }

    fn age(&self, used: &Cell<u32>) -> u32 {
        self.clock.get().wrapping_sub(used.get())
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
            if let Some(found) = shard.read_record(code) {
                return Found::Read(found);
            }
        }
        Found::Read(Ok(None))
    }

    /// Puts a shard on the shelf, if a layer names it. Those that were used longest
    /// ago make room for it.
    pub fn put(&mut self, name: &str, text: &str) {
        if let Some(place) = self.places.get(name)
            && !place.is_taken()
            && let Some(shard) = Shard::of(text, self.most_held)
        {
            let bytes = shard.bytes();
            self.held += bytes;
            place.used.set(self.tick());
            place.shard.replace(Some(shard));
            if self.held > self.most_held {
                // Some room more, because it has to look at all shards.
                self.make_room((self.most_held / 10 * 9).max(bytes));
            }
        }
    }

    fn make_room(&mut self, most_held: usize) {
        while self.held > most_held {
            let held = || self.places.iter().filter(|place| place.is_taken());
            let Some(oldest) = held().map(|place| self.age(&place.used)).max() else {
                return;
            };
            let old = held().filter(|place| self.age(&place.used) >= oldest - oldest / 8);
            old.for_each(|place| drop(place.shard.take()));
            self.count();
        }
    }

    /// Whether a shard is on the shelf.
    pub fn has(&self, name: &str) -> bool {
        self.places.get(name).is_some_and(|place| place.is_taken())
    }

    /// The text of a record, as it stands in the text of its shard; `None`: the
    /// shard does not have the product, or is not on the shelf.
    pub fn record(&self, name: &str, code: i64) -> Option<Vec<u8>> {
        let place = self.places.get(name)?;
        let shard = place.shard.borrow();
        let record = shard.as_ref()?.record(code);
        place.used.set(self.tick());
        record
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> usize {
        self.named.saturating_add(self.held)
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
