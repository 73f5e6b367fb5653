//! What is known of the world outside an order.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::rules::{NationwideRate, PriceRecord, VoucherRecord};

/// Answers that hosts gave, by what they were asked. What was not found or not
/// well answered is not kept: it is asked again.
#[derive(Debug, Default)]
pub struct Facts {
    /// By branch and product code.
    pub(crate) prices: Known<PriceRecord>,
    /// By postcode and mode.
    pub(crate) rates: Known<Rc<NationwideRate>>,
    /// By id, and 0.
    pub(crate) vouchers: Known<Rc<VoucherRecord>>,
}

/// Things by a text and a number. The map is of one type for all kinds: each type
/// of its own would be 1 kB more to load.
#[derive(Debug)]
pub(crate) struct Known<T> {
    places: BTreeMap<(String, i64), usize>,
    things: Vec<T>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self {
            places: BTreeMap::new(),
            things: Vec::new(),
        }
    }
}

impl<T: Clone> Known<T> {
    /// What is known under this key.
    pub(crate) fn get(&self, text: &str, number: i64) -> Option<T> {
        if self.things.is_empty() {
            return None;
        }
        let place = self.places.get(&(text.to_owned(), number))?;
        self.things.get(*place).cloned()
    }

    /// Keeps a thing, in place of what was known.
    pub(crate) fn keep(&mut self, text: &str, number: i64, thing: &T) {
        let next = self.things.len();
        let place = *self.places.entry((text.to_owned(), number)).or_insert(next);
        match self.things.get_mut(place) {
            Some(known) => *known = thing.clone(),
            None => self.things.push(thing.clone()),
        }
    }
}
