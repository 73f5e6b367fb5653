//! A catalogue's shelf, for JavaScript.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::shelf::Shelf;

/// A shelf. Versions, branches and shards go by their names.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ShelfHandle {
    pub(super) shelf: Shelf,
}

#[wasm_bindgen]
impl ShelfHandle {
    /// An empty shelf, which holds at most so many bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(most_bytes: f64) -> Self {
        Self {
            shelf: Shelf::new(most_bytes as usize),
        }
    }

    /// Whether the layers of a branch are known.
    pub fn knows(&self, version: &str, branch: &str) -> bool {
        self.shelf.knows(version, branch)
    }

    /// Learns the layers of a branch, see [`Shelf::learn`].
    pub fn learn(&mut self, version: &str, branch: &str, layers: &str) {
        self.shelf.learn(version, branch, layers);
    }

    /// Whether a shard is on the shelf.
    pub fn has(&self, name: &str) -> bool {
        self.shelf.has(name)
    }

    /// Puts a shard on the shelf, see [`Shelf::put`].
    pub fn put(&mut self, name: &str, text: &str) {
        self.shelf.put(name, text);
    }

    /// The text of a record of a shard, see [`Shelf::record`].
    pub fn record(&self, name: &str, cprcode: f64) -> Option<String> {
        String::from_utf8(self.shelf.record(name, cprcode as i64)?).ok()
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> f64 {
        self.shelf.bytes() as f64
    }
}
