//! What a basket keeps for a later page beside the prices and rates of its
//! store: the vouchers of the order's own customer, and the answer to its
//! coupons.

use super::Basket;
use super::coupons::{Coupons, Request};
use crate::json::Writer;
use crate::quote::{Fact, Record, Source};

/// The start and the factor of FNV-1a.
const FNV: (u64, u64) = (0xcbf2_9ce4_8422_2325, 0x0100_0000_01b3);

impl Basket {
    /// A list of kind, name, text and time. A voucher's name is its id; that of
    /// the coupons stands for the request that was answered. None of the vouchers
    /// is another owner's (D30), and nothing is out of date.
    pub fn kept(&mut self) -> Vec<u8> {
        self.follow();
        let conversation = self.conversation.borrow();
        let owner_id = self.order().owner_id();
        let vouchers = self.planned.vouchers.iter().map(|(_, place)| *place);
        let kept = vouchers.chain(self.coupons.place).filter_map(|place| {
            let fact = conversation.facts.at(place);
            Some((fact, text_for(&owner_id, fact)?))
        });
        let mut out = Writer::with_capacity(1024);
        out.list(kept, |out, (fact, text)| {
            out.raw("[");
            match fact.key.source {
                Source::Coupons => out.word("coupons").raw(",").string(&self.coupons.name()),
                _ => out.word("vouchers").raw(",").string(&fact.key.text),
            };
            out.raw(",").string(text);
            out.raw(",").integer(fact.at as i64).raw("]");
        });
        out.into_bytes()
    }

    /// Takes the coupons' answer to the request with this name, unless the order
    /// has another request, or the answer is wrong.
    pub fn restore_coupons(&mut self, name: &str, answer: String, at: f64) {
        self.follow();
        if self.coupons.name() != name {
            return;
        }
        let mut conversation = self.conversation.borrow_mut();
        let (ids, policy) = (&self.ids, &self.policy);
        if let Some(question) = self.coupons.ask(ids, policy, &mut conversation) {
            conversation.restore(question.call, answer, at);
        }
        drop(conversation);
        self.follow();
    }
}

/// The host's text of what an owner may keep.
fn text_for<'a>(owner_id: &str, fact: &'a Fact) -> Option<&'a str> {
    match fact.fresh()?.as_ref()? {
        Record::Voucher(voucher) => voucher.text_for(owner_id),
        Record::Coupons(result) => Some(result.text()),
        Record::Price(_) | Record::Rate(_) => None,
    }
}

impl Coupons {
    /// The same for equal requests, and another for any other that a customer
    /// makes: the text of a request can have a megabyte.
    fn name(&self) -> String {
        let mut hash = FNV.0;
        if let Some(Request { head, rows }) = &self.request {
            for byte in rows.iter().flat_map(|row| row.iter()).chain(head) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(FNV.1);
            }
        }
        (hash as i64).to_string()
    }
}
