//! What is known of the world outside an order.

use std::rc::Rc;

use crate::delivery::NationwideRate;
use crate::discount::VoucherRecord;
use crate::price::PriceRecord;

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

/// Things in the order of their keys. A `BTreeMap` would be 1 kB more to load.
#[derive(Debug)]
pub(crate) struct Known<T>(Vec<((String, i64), T)>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Known<T> {
    /// What is known under this key.
    pub(crate) fn get(&self, text: &str, number: i64) -> Option<T> {
        let place = self.place(text, number).ok()?;
        self.0.get(place).map(|(_, thing)| thing.clone())
    }

    /// Keeps a thing, in place of what was known.
    pub(crate) fn keep(&mut self, text: &str, number: i64, thing: &T) {
        let place = self.place(text, number).unwrap_or_else(|place| {
            let key = (text.to_owned(), number);
            self.0.insert(place, (key, thing.clone()));
            place
        });
        if let Some((_, known)) = self.0.get_mut(place) {
            *known = thing.clone();
        }
    }

    fn place(&self, text: &str, number: i64) -> Result<usize, usize> {
        self.0
            .binary_search_by(|((known, of), _)| (known.as_str(), *of).cmp(&(text, number)))
    }
}
