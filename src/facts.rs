//! What is known of the world outside an order.

use std::rc::Rc;

use crate::delivery::NationwideRate;
use crate::discount::VoucherRecord;
use crate::lookup::NationwideMode;
use crate::price::PriceRecord;

/// Answers that hosts gave, by what they were asked. What was not found or not
/// well answered is not kept: it is asked again.
///
/// In the order of their keys. A `BTreeMap` would be 1 kB more to load.
#[derive(Debug, Default)]
pub struct Facts(Vec<(String, Fact)>);

#[derive(Debug)]
enum Fact {
    Price(Box<PriceRecord>),
    Rate(Rc<NationwideRate>),
    Voucher(Rc<VoucherRecord>),
}

impl Facts {
    /// The price of a product at a branch.
    pub fn price(&self, branch_id: &str, cprcode: i64) -> Option<PriceRecord> {
        match self.get(|| price_key(branch_id, cprcode))? {
            Fact::Price(record) => Some(**record),
            _ => None,
        }
    }

    /// The nationwide rate of a mode to a postcode.
    pub fn rate(&self, postcode: &str, mode: NationwideMode) -> Option<Rc<NationwideRate>> {
        match self.get(|| rate_key(postcode, mode))? {
            Fact::Rate(rate) => Some(Rc::clone(rate)),
            _ => None,
        }
    }

    /// The voucher with this id.
    pub fn voucher(&self, id: &str) -> Option<Rc<VoucherRecord>> {
        match self.get(|| voucher_key(id))? {
            Fact::Voucher(record) => Some(Rc::clone(record)),
            _ => None,
        }
    }

    /// Keeps the price of a product at a branch.
    pub fn keep_price(&mut self, branch_id: &str, cprcode: i64, record: PriceRecord) {
        self.keep(price_key(branch_id, cprcode), Fact::Price(Box::new(record)));
    }

    /// Keeps the nationwide rate of a mode to a postcode.
    pub fn keep_rate(&mut self, postcode: &str, mode: NationwideMode, rate: Rc<NationwideRate>) {
        self.keep(rate_key(postcode, mode), Fact::Rate(rate));
    }

    /// Keeps the voucher with this id.
    pub fn keep_voucher(&mut self, id: &str, record: Rc<VoucherRecord>) {
        self.keep(voucher_key(id), Fact::Voucher(record));
    }

    /// An order that is priced once has no facts, and makes no keys.
    fn get(&self, key: impl FnOnce() -> String) -> Option<&Fact> {
        if self.0.is_empty() {
            return None;
        }
        let place = self.place(&key()).ok()?;
        self.0.get(place).map(|(_, fact)| fact)
    }

    fn keep(&mut self, key: String, fact: Fact) {
        match self.place(&key) {
            Ok(place) => {
                if let Some((_, known)) = self.0.get_mut(place) {
                    *known = fact;
                }
            }
            Err(place) => self.0.insert(place, (key, fact)),
        }
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0
            .binary_search_by(|(known, _)| known.as_str().cmp(key))
    }
}

fn price_key(branch_id: &str, cprcode: i64) -> String {
    format!("price {cprcode}/{branch_id}")
}

fn rate_key(postcode: &str, mode: NationwideMode) -> String {
    format!("rate {}/{postcode}", mode.word())
}

fn voucher_key(id: &str) -> String {
    format!("voucher {id}")
}
