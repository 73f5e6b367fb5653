//! Prices and rates as JSON text: given by somebody who knows them, and kept for
//! later. Vouchers may be another customer's (D30), and a failure is no fact:
//! both stay. A basket keeps its own customer's vouchers, and gives them here.

use std::mem;

use super::Conversation;
use super::facts::{Key, Record, Source};
use crate::error::{Error, Expected, Fault};
use crate::json::{Document, Origin, Reader, Writer};
use crate::lookup::NationwideMode;
use crate::word::Word;

const PRICES: &str = "prices";
const VOUCHERS: &str = "vouchers";

/// A fact that somebody gives.
#[derive(Debug)]
pub(crate) struct Offer {
    key: Key,
    record: Option<Record>,
    at: f64,
}

impl Conversation {
    /// Reads a price, a rate or a voucher that was answered at this time. It counts only
    /// with [`Conversation::take_offers`]; a wrong one withdraws all.
    pub fn offer(
        &mut self,
        kind: &str,
        name: &str,
        record: &Document,
        at: f64,
    ) -> Result<(), Error> {
        let offer = Offer::read(kind, name, record, at);
        let offer = offer.map_err(|fault| {
            self.offers.clear();
            Error::InvalidFacts(fault.under_key(name).under_key(kind))
        })?;
        self.offers.push(offer);
        Ok(())
    }

    /// Takes all that was offered, unless something newer is known; a time in the
    /// future is now. What is too old counts until the next
    /// [`Conversation::tick`].
    pub fn take_offers(&mut self, now: f64) {
        self.tick(now);
        for Offer { key, record, at } in mem::take(&mut self.offers) {
            let at = self.clock.dated(at);
            let place = self.facts.place(key.source, &key.text, key.number);
            let fact = self.facts.at_mut(place);
            // Tabs tell each other what they know, and their messages may cross.
            if !fact.is_known() || fact.at <= at {
                fact.know(Ok(record), at);
                self.renewed(place);
            }
        }
        self.changed();
    }

    /// All known prices and rates: a list of kind, name, text and time.
    pub fn known(&self) -> Vec<u8> {
        let known = self.facts.iter().filter(|fact| fact.is_known());
        let mut out = Writer::with_capacity(1024);
        out.list(known, |out, fact| {
            out.raw("[").word(fact.key.kind());
            out.raw(",").string(&fact.key.name()).raw(",");
            match fact.record() {
                Some(record) => out.string(&record.text()),
                None => out.raw("null"),
            };
            out.raw(",").integer(fact.at as i64).raw("]");
        });
        out.into_bytes()
    }

    /// Forgets everything that the host has answered, without the results of
    /// coupons, which belong to their requests.
    pub fn clear(&mut self) {
        for place in 0..self.facts.len() {
            let fact = self.facts.at_mut(place);
            if fact.key.source != Source::Coupons {
                fact.forget();
                self.facts.announce(place);
            }
        }
        self.changed();
    }

    /// How many facts it has.
    pub fn count(&self) -> usize {
        self.facts.count()
    }

    /// Forgets what no order names, the oldest first, beyond so many facts.
    pub fn limit(&mut self, most: usize) {
        while self.facts.count() > most && self.facts.remove_oldest() {}
    }
}

impl Offer {
    fn read(kind: &str, name: &str, record: &Document, at: f64) -> Result<Self, Fault> {
        let key = Key::named(kind, name)?;
        let record = match key.source {
            Source::Price => Record::price(&record.text, record.origin),
            Source::Voucher => Record::voucher(&key, &record.text, record.origin),
            _ => Record::rate(record.clone()),
        };
        let record = record.map_err(|fault| match fault.is_syntax() {
            true => Fault::expected(Expected::A("a record as JSON")),
            false => fault,
        })?;
        Ok(Self { key, record, at })
    }
}

impl Key {
    /// The key with this name: `<cprcode>/<branchId>` of `prices`, or
    /// `<postcode>/<mode>` of `rates`.
    fn named(kind: &str, name: &str) -> Result<Self, Fault> {
        let (key, expected) = match kind {
            PRICES => (
                Self::of_price(name),
                "the key <cprcode>/<branchId> such as 1001/1000",
            ),
            VOUCHERS => return Ok(Self::of_voucher(name)),
            _ => (
                Self::of_rate(name),
                "the key <postcode>/<mode> with DRY, FRESH or MIX",
            ),
        };
        key.ok_or_else(|| Fault::expected(Expected::A(expected)))
    }

    /// `id`: in the form of `canonical`.
    fn of_voucher(id: &str) -> Self {
        Self {
            number: 0,
            source: Source::Voucher,
            text: id.into(),
        }
    }

    fn kind(&self) -> &'static str {
        match self.source {
            Source::Price => PRICES,
            _ => "rates",
        }
    }

    fn of_price(name: &str) -> Option<Self> {
        let (cprcode, branch_id) = name.split_once('/')?;
        let number = Reader::document(cprcode, Origin::Wire, Reader::integer).ok()?;
        // JSON has other texts of an integer, such as `1e3`.
        let is_canonical = number.to_string() == cprcode;
        is_canonical.then(|| Self {
            number,
            source: Source::Price,
            text: branch_id.into(),
        })
    }

    fn of_rate(name: &str) -> Option<Self> {
        let (postcode, mode) = name.rsplit_once('/')?;
        let mode = NationwideMode::ALL.iter().find(|of| of.word() == mode)?;
        Some(Self {
            number: *mode as i64,
            source: Source::Rate,
            text: postcode.into(),
        })
    }

    /// Its name among the facts of a store.
    fn name(&self) -> String {
        let modes = NationwideMode::ALL.iter();
        let mut modes =
            modes.filter(|mode| self.source == Source::Rate && **mode as i64 == self.number);
        match modes.next() {
            Some(mode) => format!("{}/{}", self.text, mode.word()),
            None => format!("{}/{}", self.number, self.text),
        }
    }
}
