//! An order whose questions are known, and what the host answers to them.

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

/// An order and what is known of what it asks.
#[derive(Clone, Debug)]
pub struct Planned {
    pub(crate) order: Order,
    pub(super) prices: Answers<i64, PriceRecord>,
    /// For each product, the place of its price.
    pub(super) price_of: Vec<usize>,
    pub(super) fee_sources: Vec<FeeSource>,
    pub(super) rates: Answers<NationwideMode, Rc<NationwideRate>>,
    /// By the ids in the order's own spelling.
    pub(super) vouchers: Answers<Span, Rc<VoucherRecord>>,
}

/// What is asked of the host, all of it at once.
impl Planned {
    /// The order, whose branch and postcode belong to the questions.
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The product codes whose price at the order's branch is asked.
    pub fn cprcodes(&self) -> impl Iterator<Item = i64> {
        self.prices.open().copied()
    }

    /// The modes whose nationwide rate to the order's postcode is asked.
    pub fn nationwide_modes(&self) -> impl Iterator<Item = NationwideMode> {
        self.rates.open().copied()
    }

    /// The vouchers that are asked, as JSON text.
    pub fn voucher_ids_json(&self) -> impl Iterator<Item = &str> {
        self.vouchers.open().map(|id| id.of(&self.order.text))
    }
}

/// What the host says.
impl Planned {
    /// Takes what a look-up answered for the keys that were asked.
    pub fn answer(&mut self, lookup: Lookup, answer: Result<Records, Failure>) {
        match lookup {
            Lookup::Prices => self.answer_prices(answer),
            Lookup::NationwideRate(mode) => {
                self.answer_rate(mode, answer.map(Records::into_document));
            }
            Lookup::Vouchers => self.answer_vouchers(answer),
            // It is asked later.
            Lookup::Coupons => {}
        }
    }

    /// Takes what `lookupPrices` answered for [`Planned::cprcodes`].
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

    /// Takes what `nationwideRate` answered for a mode.
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

    /// Takes what `lookupVouchers` answered for [`Planned::voucher_ids_json`].
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

    /// Puts what is known of a look-up's keys into the facts.
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

/// What is known so far, which a live basket shows.
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

    /// What every schedule costs.
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

    /// The vouchers as far as the order's owner may see them.
    pub(crate) fn vouchers(&self) -> Vec<Voucher> {
        let owner_id = self.order.owner_id();
        let vouchers = self.vouchers.known();
        vouchers
            .map(|(id, record)| Voucher::new(*id, record, &owner_id))
            .collect()
    }

    /// Reports what the zones of its plan say of the address, if it counts.
    pub fn report_zones(&self, zones: &Zones, sink: &mut dyn Sink) {
        let mut sources = self.fee_sources.iter();
        let is_zoned = sources.any(|source| matches!(source, FeeSource::Zone(_)));
        if let Some(shipping) = self.order.fields.shipping.as_ref().filter(|_| is_zoned) {
            sink.report(|sink| zones.report(&self.order, shipping, sink));
        }
    }

    /// Prices the order, if the answers are enough; else gives it back. Of
    /// several failures the first counts, in the order of D42, as soon as nothing
    /// still to come could stand before it.
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

    /// INVARIANT: every look-up has answered well, see [`Planned::resolve`].
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
            // It stays until the response is written: of a large order the room
            // that it did not need is a megabyte.
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
