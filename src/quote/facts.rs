//! The host's answers that outlive one calculation.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::rules::{NationwideRate, PriceRecord, VoucherRecord};

/// The host's answers, by question. Missing records and invalid answers are not
/// kept, so that the next calculation asks again.
#[derive(Debug, Default)]
pub struct Facts {
    /// By branch and product code.
    pub(crate) prices: Known<PriceRecord>,
    /// By postcode and mode.
    pub(crate) rates: Known<Rc<NationwideRate>>,
    /// By voucher id; the number is always 0.
    pub(crate) vouchers: Known<Rc<VoucherRecord>>,
}

/// Records by a text and a number. All kinds of record share the type of the
/// map: each further type would add 1 kB to the download.
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
    /// The record of this key, if it is known.
    pub(crate) fn get(&self, text: &str, number: i64) -> Option<T> {
        if self.things.is_empty() {
            return None;
        }
        let place = self.places.get(&(text.to_owned(), number))?;
        self.things.get(*place).cloned()
    }

    /// Stores a record, and replaces an older one.
    pub(crate) fn keep(&mut self, text: &str, number: i64, thing: &T) {
        let next = self.things.len();
        let place = *self.places.entry((text.to_owned(), number)).or_insert(next);
        match self.things.get_mut(place) {
            Some(known) => *known = thing.clone(),
            None => self.things.push(thing.clone()),
        }
    }
}
