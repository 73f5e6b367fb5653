//! An order with its questions, and the host's answers to them.

use std::rc::Rc;

use super::answers::{read_price, read_rate, read_voucher};
use super::{Answers, Records, Resolved, size_hint, write_rows};
use crate::error::{Error, Failure, NoZone, Part};
use crate::explain::Sink;
use crate::json::{Document, Span, Writer, decode};
use crate::lookup::{Lookup, NationwideMode};
use crate::options::Policy;
use crate::order::Order;
use crate::rules::{
    FeeSource, NationwideRate, NationwideRates, Overflows, PriceRecord, Row, RowSums, ScheduleFee,
    Subtotals, Voucher, VoucherRecord, Zones, fee_sources, report_vouchers, schedule_fees,
};

/// An order, its questions and the answers so far.
#[derive(Clone, Debug)]
pub struct Planned {
    pub(crate) order: Order,
    pub(crate) prices: Answers<i64, PriceRecord>,
    /// For each product, the index of its price in `prices`.
    pub(super) price_of: Vec<usize>,
    pub(super) fee_sources: Vec<FeeSource>,
    /// Why the delivery zones that it needs could not be had.
    pub(super) zones_failure: Option<Failure>,
    pub(crate) rates: Answers<NationwideMode, Rc<NationwideRate>>,
    /// Keyed by the ids as the order spells them.
    pub(crate) vouchers: Answers<Span, Rc<VoucherRecord>>,
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

    /// Whether the order needs delivery zones that are not known.
    pub fn needs_zones(&self) -> bool {
        self.fee_sources.contains(&FeeSource::UnknownZones)
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
            Lookup::Zones => self.zones_failure = answer.err(),
            // The coupon service is asked later.
            Lookup::Coupons => {}
        }
    }

    /// Stores the answer of `lookupPrices` for [`Planned::cprcodes`].
    pub fn answer_prices(&mut self, answer: Result<Records, Failure>) {
        self.prices
            .take(answer, |_, record, origin| read_price(record, origin));
    }

    /// Stores the answer of `nationwideRate` for a mode.
    pub fn answer_rate(&mut self, mode: NationwideMode, answer: Result<Document, Failure>) {
        self.rates.take_one(&mode, answer.and_then(read_rate));
    }

    /// Takes the delivery zones, if the order was planned without them.
    pub fn answer_zones(&mut self, zones: &Zones) {
        if let Some(shipping) = &self.order.fields.shipping {
            self.fee_sources = fee_sources(shipping, Some(zones));
        }
    }

    /// Stores the answer of `lookupVouchers` for [`Planned::voucher_ids_json`].
    pub fn answer_vouchers(&mut self, answer: Result<Records, Failure>) {
        let text = &self.order.text;
        self.vouchers.take(answer, |id, record, origin| {
            read_voucher(record, origin, &decode(id.of(text)))
        });
    }
}

/// The answers so far, which a live basket shows.
impl Planned {
    /// The price record of the product at this place.
    pub(crate) fn price(&self, line: usize) -> Option<&PriceRecord> {
        self.prices.get(*self.price_of.get(line)?)
    }

    /// For each product, the index of its code among the distinct codes.
    pub(crate) fn price_of(&self) -> impl Iterator<Item = usize> {
        self.price_of.iter().copied()
    }

    /// The source of each calculated schedule's fee.
    pub(crate) fn fee_sources(&self) -> impl Iterator<Item = &FeeSource> {
        self.fee_sources.iter()
    }

    /// Whether every product has its price.
    pub(crate) fn has_prices(&self) -> Result<bool, Error> {
        self.prices.check(|place, _, failure| {
            let line = self.price_of.iter().position(|of| *of == place);
            self.price_error(line.unwrap_or_default(), failure)
        })
    }

    /// Whether every schedule has its fee.
    pub(crate) fn has_fees(&self) -> Result<bool, Error> {
        for (schedule, source) in self.fee_sources.iter().enumerate() {
            match source {
                FeeSource::Zone(Err(reason)) => return Err(self.zone_error(schedule, *reason)),
                FeeSource::UnknownZones => {
                    return self
                        .zones_failure
                        .as_ref()
                        .map_or(Ok(false), |failure| Err(zones_error(failure)));
                }
                FeeSource::Nationwide(mode) => {
                    let has_rate = self.rates.check_key(mode);
                    if !has_rate.map_err(|failure| self.rate_error(schedule, *mode, failure))? {
                        return Ok(false);
                    }
                }
                _ => {}
            }
        }
        Ok(true)
    }

    /// Whether every voucher has its record.
    pub(crate) fn has_vouchers(&self) -> Result<bool, Error> {
        self.vouchers.check(|_, id, failure| {
            voucher_error(decode(id.of(&self.order.text)).into_owned(), failure)
        })
    }

    /// The error of a product whose price the host did not find (`None`) or
    /// for which it failed.
    pub(crate) fn price_error(&self, line: usize, failure: Option<&Failure>) -> Error {
        let key = self.order.price_key(line);
        match failure {
            None => Error::NoPrice(key),
            Some(failure) => lookup_error(Lookup::Prices, failure, Part::Price(key)),
        }
    }

    /// The error of a schedule without a delivery zone.
    pub(crate) fn zone_error(&self, schedule: usize, reason: NoZone) -> Error {
        let shipping = self.order.fields.shipping.as_ref();
        Error::NoZone {
            schedule,
            brcode: shipping.map_or(0, |shipping| shipping.brcode),
            reason,
        }
    }

    /// The error of a schedule whose rate the host did not find (`None`) or for
    /// which it failed; each rate has a call of its own.
    pub(crate) fn rate_error(
        &self,
        schedule: usize,
        mode: NationwideMode,
        failure: Option<&Failure>,
    ) -> Error {
        let Some(failure) = failure else {
            return Error::NoRate {
                schedule,
                postcode: self.order.shipping_postcode().into_owned(),
                mode,
            };
        };
        let part = Part::Schedule(schedule);
        Error::LookupFailed(Lookup::NationwideRate(mode), failure.clone(), part)
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
    #[inline(never)]
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
                let row = Row::price(&self.order, line, product, record, policy.row_total)?;
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
        let mut overflows = Overflows::default();
        let subtotals = Subtotals::of(&row_sums, &fees, &mut overflows);
        overflows.check()?;
        Ok(Resolved {
            subtotals,
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

/// The error of delivery zones that could not be had.
pub(crate) fn zones_error(failure: &Failure) -> Error {
    Error::LookupFailed(Lookup::Zones, failure.clone(), Part::Order)
}

/// The error of a voucher that the host did not find (`None`) or for which it
/// failed.
pub(crate) fn voucher_error(id: String, failure: Option<&Failure>) -> Error {
    match failure {
        None => Error::VoucherNotFound(id),
        Some(failure) => lookup_error(Lookup::Vouchers, failure, Part::Voucher(id)),
    }
}

/// A wrong record concerns one part of the order, any other failure the whole
/// look-up.
fn lookup_error(lookup: Lookup, failure: &Failure, part: Part) -> Error {
    let part = match failure {
        Failure::InvalidRecord(_) => part,
        _ => Part::Order,
    };
    Error::LookupFailed(lookup, failure.clone(), part)
}
