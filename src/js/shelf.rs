//! A catalogue's shelf, for JavaScript.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::shelf::Shelf;

/// A shelf. Versions, branches and shards go by their names.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct ShelfHandle {
    pub(super) shelf: Shelf,
}

#[wasm_bindgen]
impl ShelfHandle {
    /// An empty shelf.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the layers of a branch are known.
    pub fn knows(&self, version: &str, branch: &str) -> bool {
        self.shelf.knows(version, branch)
    }

    /// Learns the layers of a branch, see [`Shelf::learn`].
    pub fn learn(&mut self, version: &str, branch: &str, layers: &str, most_bytes: f64) {
        self.shelf
            .learn(version, branch, layers, most_bytes as usize);
    }

    /// Whether a shard is on the shelf.
    pub fn has(&self, name: &str) -> bool {
        self.shelf.has(name)
    }

    /// Puts a shard on the shelf, see [`Shelf::put`].
    pub fn put(&mut self, name: &str, text: &[u8], most_bytes: f64) {
        if let Ok(text) = std::str::from_utf8(text) {
            self.shelf.put(name, text, most_bytes as usize);
        }
    }

    /// The text of a record of a shard; `undefined`: it has none of the product,
    /// or is not on the shelf.
    pub fn record(&self, name: &str, cprcode: f64) -> Option<String> {
        String::from_utf8(self.shelf.record(name, cprcode as i64)?).ok()
    }

    /// How many bytes it holds.
    pub fn bytes(&self) -> f64 {
        self.shelf.bytes() as f64
    }
}
