//! An order with its questions, and the host's answers to them.

use std::rc::Rc;

use super::{Answers, Facts, Records, Resolved, size_hint, write_rows};
use crate::error::{Error, Failure};
use crate::explain::Sink;
use crate::json::{Document, Span, Writer, decode};
use crate::lookup::{Lookup, NationwideMode};
use crate::options::Policy;
use crate::order::Order;
use crate::rules::{
    FeeSource, NationwideRate, NationwideRates, PriceRecord, Row, RowSums, ScheduleFee, Subtotals,
    Voucher, VoucherRecord, Zones, report_vouchers, schedule_fees,
};

/// An order, its questions and the answers so far.
#[derive(Clone, Debug)]
pub struct Planned {
    pub(crate) order: Order,
    pub(super) prices: Answers<i64, PriceRecord>,
    /// For each product, the index of its price in `prices`.
    pub(super) price_of: Vec<usize>,
    pub(super) fee_sources: Vec<FeeSource>,
    pub(super) rates: Answers<NationwideMode, Rc<NationwideRate>>,
    /// Keyed by the ids as the order spells them.
    pub(super) vouchers: Answers<Span, Rc<VoucherRecord>>,
}

/// The questions to the host, which are all asked at once.
impl Planned {
    /// The order. Its branch and postcode are part of the questions.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The product codes whose prices at the order's branch must be looked up.
    pub fn cprcodes(&self) -> impl Iterator<Item = i64> {
        self.prices.open().copied()
    }

    /// The modes whose rates to the order's postcode must be looked up.
    pub fn nationwide_modes(&self) -> impl Iterator<Item = NationwideMode> {
        self.rates.open().copied()
    }

    /// The ids of the vouchers that must be looked up, as JSON text.
    pub fn voucher_ids_json(&self) -> impl Iterator<Item = &str> {
        self.vouchers.open().map(|id| id.of(&self.order.text))
    }
}

/// The host's answers.
impl Planned {
    /// Stores a look-up's answer for its open keys.
    pub fn answer(&mut self, lookup: Lookup, answer: Result<Records, Failure>) {
        match lookup {
            Lookup::Prices => self.answer_prices(answer),
            Lookup::NationwideRate(mode) => {
                self.answer_rate(mode, answer.map(Records::into_document));
            }
            Lookup::Vouchers => self.answer_vouchers(answer),
            // The coupon service is asked later.
            Lookup::Coupons => {}
        }
    }

    /// Stores the answer of `lookupPrices` for [`Planned::cprcodes`].
    pub fn answer_prices(&mut self, answer: Result<Records, Failure>) {
        let branch_id = self.order.branch_id();
        self.prices
            .take(Lookup::Prices, answer, |cprcode, record, origin| {
                PriceRecord::from_text(record, origin).map_err(|fault| {
                    let key = format!("{cprcode}/{branch_id}");
                    Error::invalid_answer(Lookup::Prices, Some(key), fault)
                })
            });
    }

    /// Stores the answer of `nationwideRate` for a mode.
    pub fn answer_rate(&mut self, mode: NationwideMode, answer: Result<Document, Failure>) {
        let lookup = Lookup::NationwideRate(mode);
        let failed = |failure| Error::LookupFailed(lookup, failure);
        let rate = answer.map_err(failed).and_then(|answer| {
            NationwideRate::read(answer)
                .map(Rc::new)
                .map_err(|fault| Error::invalid_answer(lookup, None, fault))
        });
        self.rates.take_one(&mode, rate);
    }

    /// Stores the answer of `lookupVouchers` for [`Planned::voucher_ids_json`].
    pub fn answer_vouchers(&mut self, answer: Result<Records, Failure>) {
        let text = &self.order.text;
        self.vouchers
            .take(Lookup::Vouchers, answer, |id, record, origin| {
                let id = decode(id.of(text));
                match VoucherRecord::read(record, origin, &id) {
                    Ok(found) => Ok(found.map(Rc::new)),
                    Err(fault) => {
                        let key = Some(id.into_owned());
                        Err(Error::invalid_answer(Lookup::Vouchers, key, fault))
                    }
                }
            });
    }

    /// Copies the known records of a look-up into the facts.
    pub fn teach(&self, lookup: Lookup, facts: &mut Facts) {
        let order = &self.order;
        match lookup {
            Lookup::Prices => {
                let branch_id = order.branch_id();
                for (cprcode, record) in self.prices.known() {
                    facts.prices.keep(&branch_id, *cprcode, record);
                }
            }
            Lookup::NationwideRate(_) => {
                let postcode = order.shipping_postcode();
                for (mode, rate) in self.rates.known() {
                    facts.rates.keep(&postcode, *mode as i64, rate);
                }
            }
            Lookup::Vouchers => {
                for (id, record) in self.vouchers.known() {
                    facts.vouchers.keep(&decode(id.of(&order.text)), 0, record);
                }
            }
            Lookup::Coupons => {}
        }
    }
}

/// The answers so far, which a live basket shows.
impl Planned {
    /// The price record of the product at this place.
    pub(crate) fn price(&self, line: usize) -> Option<&PriceRecord> {
        self.prices.get(*self.price_of.get(line)?)
    }

    /// Whether every product has its price.
    pub(crate) fn has_prices(&self) -> Result<bool, Error> {
        self.prices.check(|cprcode| Error::NoPrice {
            cprcode: *cprcode,
            branch_id: self.order.branch_id().into_owned(),
        })
    }

    /// Whether every schedule has its fee.
    pub(crate) fn has_fees(&self) -> Result<bool, Error> {
        for source in &self.fee_sources {
            match source {
                FeeSource::Zone(Err(error)) => return Err(error.clone()),
                FeeSource::Nationwide(mode) if !self.rates.check_key(mode)? => return Ok(false),
                _ => {}
            }
        }
        Ok(true)
    }

    /// Whether every voucher has its record.
    pub(crate) fn has_vouchers(&self) -> Result<bool, Error> {
        let text = &self.order.text;
        self.vouchers
            .check(|id| Error::VoucherNotFound(decode(id.of(text)).into_owned()))
    }

    /// The nationwide rates.
    pub(crate) fn rates(&self) -> NationwideRates {
        let rates = self.rates.known();
        NationwideRates(rates.map(|(mode, rate)| (*mode, Rc::clone(rate))).collect())
    }

    /// The fees of every schedule.
    pub(crate) fn fees(
        &self,
        rates: &NationwideRates,
        policy: &Policy,
        sink: &mut dyn Sink,
    ) -> Vec<ScheduleFee> {
        let shipping = self.order.fields.shipping.as_ref();
        shipping.map_or_else(Vec::new, |shipping| {
            let sources = &self.fee_sources;
            schedule_fees(shipping, sources, rates, policy.express_surcharge, sink)
        })
    }

    /// The vouchers, without the records that the order's owner may not see.
    pub(crate) fn vouchers(&self) -> Vec<Voucher> {
        let owner_id = self.order.owner_id();
        let vouchers = self.vouchers.known();
        vouchers
            .map(|(id, record)| Voucher::new(*id, record, &owner_id))
            .collect()
    }

    /// Reports how the branch's zones cover the address, if any schedule needs
    /// a zone. `zones` must be the zones that the order was planned with.
    pub fn report_zones(&self, zones: &Zones, sink: &mut dyn Sink) {
        let mut sources = self.fee_sources.iter();
        let is_zoned = sources.any(|source| matches!(source, FeeSource::Zone(_)));
        if let Some(shipping) = self.order.fields.shipping.as_ref().filter(|_| is_zoned) {
            sink.report(|sink| zones.report(&self.order, shipping, sink));
        }
    }

    /// Prices the order if the answers suffice, else gives it back. Of several
    /// failures it returns the first in the order of D42, as soon as no open
    /// answer can fail before it.
    pub fn resolve(
        self,
        policy: &Policy,
        sink: &mut dyn Sink,
    ) -> Result<Result<Resolved, Box<Self>>, Error> {
        if self.has_prices()? && self.has_fees()? && self.has_vouchers()? {
            return self.price_all(policy, sink).map(Ok);
        }
        Ok(Err(Box::new(self)))
    }

    /// INVARIANT: every look-up has succeeded, see [`Planned::resolve`].
    fn price_all(self, policy: &Policy, sink: &mut dyn Sink) -> Result<Resolved, Error> {
        let products = &self.order.fields.products;
        let mut rows = Vec::with_capacity(products.len());
        let mut row_sums = RowSums::default();
        for (line, product) in products.iter().enumerate() {
            if let Some(record) = self.price(line) {
                let row = Row::price(line, product, record, policy.row_total)?;
                row_sums.add(&row, product.quantity);
                sink.report(|sink| row.report(line, product.quantity, policy.row_total, sink));
                rows.push(row);
            }
        }
        let rates = self.rates();
        sink.report(|sink| rates.report(&self.order, sink));
        let fees = self.fees(&rates, policy, sink);
        let vouchers = self.vouchers();
        sink.report(|sink| report_vouchers(&self.order, &vouchers, sink));
        let order = self.order;
        let coupon_codes = order.first_seen(&order.fields.coupon_codes);
        let rows_json = (!coupon_codes.is_empty()).then(|| {
            let mut out = Writer::with_capacity(size_hint(&order));
            write_rows(&mut out, &order, &rows);
            let mut rows_json = out.into_bytes();
            // The text lives until the response is written; for a large order,
            // the unused room can be 1 MB.
            rows_json.shrink_to_fit();
            rows_json
        });
        Ok(Resolved {
            subtotals: Subtotals::of(&row_sums, &fees)?,
            row_sums,
            vouchers,
            coupon_codes,
            rows_json,
            order,
            rows,
            fees,
            rates,
        })
    }
}
