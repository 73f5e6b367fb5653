//! What is known of the world outside an order.

use std::collections::BTreeMap;

use crate::delivery::NationwideRate;
use crate::discount::Voucher;
use crate::json::{Document, Span};
use crate::lookup::{Lookups, NationwideMode};
use crate::price::PriceRecord;
use crate::records::Records;

/// Answers that hosts gave, by what they were asked. What was not found or not
/// well answered is not kept: it is asked again.
#[derive(Debug, Default)]
pub struct Facts {
    prices: Table<PriceRecord>,
    rates: Table<NationwideRate>,
    /// The records: each order makes a judgement of its own.
    vouchers: Table<Document>,
}

impl Facts {
    /// The price of a product at a branch.
    pub fn price(&self, branch_id: &str, cprcode: i64) -> Option<&PriceRecord> {
        self.prices.get(|| price_key(branch_id, cprcode))
    }

    /// The nationwide rate of a mode to a postcode.
    pub fn rate(&self, postcode: &str, mode: NationwideMode) -> Option<&NationwideRate> {
        self.rates.get(|| rate_key(postcode, mode))
    }

    /// The voucher with this id, which the order writes as `id_json`, in the
    /// hands of this owner.
    pub fn voucher(
        &self,
        id: &str,
        id_json: Span,
        owner_id: impl FnOnce() -> String,
    ) -> Option<Voucher> {
        let Document { text, origin } = self.vouchers.get(|| id.to_owned())?;
        Voucher::read(text, *origin, id, id_json, &owner_id()).ok()?
    }

    /// Keeps what `lookupPrices` answered to these look-ups.
    pub fn learn_prices(&mut self, asked: &Lookups, answer: &Records) {
        let records = answer.texts(asked.cprcodes.len()).unwrap_or_default();
        for (cprcode, text) in asked.cprcodes.iter().zip(records) {
            if let Ok(Some(record)) = PriceRecord::from_text(text, answer.origin) {
                let key = price_key(&asked.branch_id, *cprcode);
                self.prices.insert(key, record);
            }
        }
    }

    /// Keeps what `nationwideRate` answered to these look-ups.
    pub fn learn_rate(&mut self, asked: &Lookups, mode: NationwideMode, answer: &Document) {
        if let Ok(rate) = NationwideRate::read(answer.clone()) {
            self.rates
                .insert(rate_key(&asked.shipping_postcode, mode), rate);
        }
    }

    /// Keeps what `lookupVouchers` answered to these look-ups.
    pub fn learn_vouchers(&mut self, asked: &Lookups, answer: &Records) {
        let records = answer.texts(asked.voucher_ids.len()).unwrap_or_default();
        for (id, text) in asked.voucher_ids.iter().zip(records) {
            let read = Voucher::read(text, answer.origin, id, Span::default(), "");
            if matches!(read, Ok(Some(_))) {
                let document = Document {
                    text: text.to_owned(),
                    origin: answer.origin,
                };
                self.vouchers.insert(id.clone(), document);
            }
        }
    }
}

fn price_key(branch_id: &str, cprcode: i64) -> String {
    format!("{cprcode}/{branch_id}")
}

fn rate_key(postcode: &str, mode: NationwideMode) -> String {
    format!("{}/{postcode}", mode.word())
}

/// Things by a text. The map is the same for all kinds: it is most of the code,
/// and each browser loads it.
#[derive(Debug)]
struct Table<T> {
    places: BTreeMap<String, usize>,
    things: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self {
            places: BTreeMap::new(),
            things: Vec::new(),
        }
    }
}

impl<T> Table<T> {
    fn get(&self, key: impl FnOnce() -> String) -> Option<&T> {
        if self.things.is_empty() {
            return None;
        }
        self.things.get(*self.places.get(&key())?)
    }

    fn insert(&mut self, key: String, thing: T) {
        let place = *self.places.entry(key).or_insert(self.things.len());
        match self.things.get_mut(place) {
            Some(known) => *known = thing,
            None => self.things.push(thing),
        }
    }
}
