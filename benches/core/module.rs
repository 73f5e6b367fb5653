//! The core as a module, for benches/module.js. While it prices, it calls no host function and copies nothing in or
//! out.

use std::hint::black_box;
use std::sync::Arc;

use order_cost::Zones;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::item::{Item, zones};

/// A set of orders and its zones.
#[wasm_bindgen]
pub struct Core {
    zones: Arc<Zones>,
    items: Vec<Item>,
}

#[wasm_bindgen]
impl Core {
    #[wasm_bindgen(constructor)]
    pub fn new(zones_text: String, set: &[u8]) -> Self {
        Self {
            zones: zones(zones_text),
            items: Item::set(set),
        }
    }

    /// The response to the order at this index.
    pub fn response(&self, place: usize) -> Vec<u8> {
        self.items[place].price(&self.zones)
    }

    /// Prices every order.
    #[wasm_bindgen(js_name = priceAll)]
    pub fn price_all(&self) {
        for item in &self.items {
            black_box(item.price(&self.zones));
        }
    }
}
