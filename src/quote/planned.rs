//! An order, and the places of the facts that price it.

use std::sync::Arc;
use std::{iter, mem};

use super::facts::Record;
use super::{Draft, Facts, Obstacle, Problem, Resolved, Source, size_hint, write_rows};
use crate::certain::Certain;
use crate::distinct::Distinct;
use crate::error::{Error, Failure, NoZone, Part};
use crate::explain::Sink;
use crate::json::{Span, Writer, canonical, decode};
use crate::lookup::{Lookup, NationwideMode};
use crate::options::Policy;
use crate::order::Order;
use crate::rules::{
    FeeSource, NationwideRates, Overflows, PriceRecord, Row, RowSums, ScheduleFee, Subtotals,
    Voucher, Zones, fee_sources, report_vouchers, schedule_fees,
};
use crate::word::Word;

/// An order, and where its facts are.
#[derive(Clone, Debug)]
pub struct Planned {
    pub(crate) order: Order,
    /// The places of the distinct prices, as the products first name them.
    pub(crate) prices: Vec<usize>,
    /// For each product, the place of its price.
    pub(crate) price_of: Vec<usize>,
    /// For each calculated schedule, the source of its fee.
    pub(crate) fee_sources: Vec<FeeSource>,
    /// The places of the rates, by mode.
    pub(crate) rates: Vec<(NationwideMode, usize)>,
    /// The place of the delivery zones, if it needs zones that are not known.
    pub(crate) zones: Option<usize>,
    /// The places of the vouchers, by their ids as the order spells them.
    pub(crate) vouchers: Vec<(Span, usize)>,
}

/// What the host has found for an order, without the prices, which the rows hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    pub(crate) rates: NationwideRates,
    pub(crate) vouchers: Vec<Voucher>,
}

impl Draft {
    /// Gives each fact that the order needs its place in `facts`. `zones`:
    /// `None` if the delivery zones are not known.
    pub fn plan(self, zones: Option<&Zones>, facts: &mut Facts) -> Planned {
        #[cfg(faults)]
        crate::quote::faults::strike(&self.order, "plan");
        let order = self.order;
        let fields = &order.fields;
        let codes = Distinct::new(fields.products.iter().map(|product| product.cprcode));
        // And some for rates, zones and coupons.
        let others = fields.voucher_ids.len() + 8;
        facts.reserve(codes.items.len() + others);
        let branch_id = order.branch_id().into();
        let price = |code| facts.place(Source::Price, &branch_id, code);
        let prices = Vec::from_iter(codes.items.into_iter().map(price));
        let price = |index: usize| prices.get(index).copied().certain();
        let price_of = codes.of.into_iter().map(price).collect();
        let fee_sources = fee_sources(&order, zones);
        let postcode = order.shipping_postcode().into();
        let rates = nationwide_modes(&fee_sources);
        let rate = |mode| (mode, facts.place(Source::Rate, &postcode, mode as i64));
        let rates = rates.map(rate).collect();
        let needs_zones = fee_sources.contains(&FeeSource::UnknownZones);
        let zones = needs_zones.then(|| facts.place(Source::Zones, &Arc::from(""), 0));
        let ids = order.first_seen(&fields.voucher_ids).into_iter();
        let vouchers = ids.map(|id| {
            let key = canonical(id.of(&order.text)).into();
            (id, facts.place(Source::Voucher, &key, 0))
        });
        Planned {
            vouchers: vouchers.collect(),
            order,
            prices,
            price_of,
            fee_sources,
            rates,
            zones,
        }
    }
}

impl Planned {
    /// Each look-up that the order may need, with the places of its facts, but
    /// for the coupon service.
    pub(crate) fn for_each_look_up(
        &self,
        mut visit: impl FnMut(Lookup, &mut dyn Iterator<Item = usize>),
    ) {
        visit(Lookup::Prices, &mut self.prices.iter().copied());
        for (mode, place) in &self.rates {
            visit(Lookup::NationwideRate(*mode), &mut iter::once(*place));
        }
        visit(Lookup::Zones, &mut self.zones.into_iter());
        let mut vouchers = self.vouchers.iter().map(|(_, place)| *place);
        visit(Lookup::Vouchers, &mut vouchers);
    }

    /// The places of all facts.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut all = Vec::with_capacity(self.prices.len());
        self.for_each_look_up(|_, places| all.extend(places));
        all
    }

    /// Appends the products of an order. Returns the places of the facts that the
    /// order did not need before.
    pub(crate) fn append(&mut self, products: Order, facts: &mut Facts) -> Vec<usize> {
        let before = self.prices.len();
        let branch_id = self.order.branch_id().into();
        let added = products.fields.products.iter();
        let places = added.map(|product| facts.place(Source::Price, &branch_id, product.cprcode));
        self.price_of.extend(places);
        let all = Vec::from_iter(self.price_of.iter().map(|place| *place as i64));
        let distinct = Distinct::new(all.iter().copied()).items.into_iter();
        self.prices = distinct.map(|place| place as usize).collect();
        self.order.append(products);
        self.prices.split_at(before).1.to_vec()
    }

    /// Takes delivery zones.
    pub(crate) fn set_zones(&mut self, zones: &Zones) {
        self.fee_sources = fee_sources(&self.order, Some(zones));
        self.zones = None;
    }
}

/// What keeps the order from being priced, in the order of D42.
impl Planned {
    /// All that the facts lack, or that is wrong with them.
    pub(crate) fn obstacles(&self, facts: &Facts) -> impl Iterator<Item = Obstacle> {
        let before = self.price_obstacles(facts);
        let fees = self.fee_obstacles(facts);
        before.chain(fees).chain(self.voucher_obstacles(facts))
    }

    /// Those of each product's price.
    pub(crate) fn price_obstacles(&self, facts: &Facts) -> impl Iterator<Item = Obstacle> {
        let prices = self.price_of.iter().enumerate();
        prices.filter_map(|(line, place)| {
            let price = facts.at(*place);
            price.obstacle(|failure| self.price_error(line, failure))
        })
    }

    /// Those of each schedule's fee.
    pub(crate) fn fee_obstacles(&self, facts: &Facts) -> impl Iterator<Item = Obstacle> {
        let sources = self.fee_sources.iter().enumerate();
        sources.filter_map(|(schedule, source)| match source {
            FeeSource::Zone(Err(reason)) => {
                let error = self.zone_error(schedule, *reason);
                Some(Obstacle::Problem(error.into()))
            }
            FeeSource::UnknownZones => {
                let zones = facts.at(self.zones.certain());
                zones
                    .obstacle(|failure| lookup_error(Lookup::Zones, failure.certain(), Part::Order))
            }
            FeeSource::Nationwide(mode) => {
                let rate = facts.at(self.rate(*mode));
                rate.obstacle(|failure| self.rate_error(schedule, *mode, failure))
            }
            FeeSource::Zone(Ok(_)) | FeeSource::Fixed(_) => None,
        })
    }

    /// Whether every schedule has its fee, though it may be out of date.
    pub(crate) fn has_fees(&self, facts: &Facts) -> bool {
        (0..self.fee_sources.len()).all(|schedule| self.has_fee(schedule, facts))
    }

    /// Whether a schedule has its fee; that of an order that is not delivered
    /// has (D33).
    pub(crate) fn has_fee(&self, schedule: usize, facts: &Facts) -> bool {
        match self.fee_sources.get(schedule) {
            Some(FeeSource::Nationwide(mode)) => facts.at(self.rate(*mode)).record().is_some(),
            Some(FeeSource::Zone(fee)) => fee.is_ok(),
            Some(FeeSource::UnknownZones) => false,
            Some(FeeSource::Fixed(_)) | None => true,
        }
    }

    /// Those of each voucher.
    pub(crate) fn voucher_obstacles(&self, facts: &Facts) -> impl Iterator<Item = Obstacle> {
        self.vouchers.iter().filter_map(|(id, place)| {
            let id = || decode(id.of(&self.order.text)).into_owned();
            facts.at(*place).obstacle(|failure| match failure {
                None => Error::VoucherNotFound(id()),
                Some(failure) => lookup_error(Lookup::Vouchers, failure, Part::Voucher(id())),
            })
        })
    }

    fn rate(&self, mode: NationwideMode) -> usize {
        let mut rates = self.rates.iter();
        let rate = rates.find(|(of, _)| *of == mode);
        rate.map(|(_, place)| *place).certain()
    }

    fn price_error(&self, line: usize, failure: Option<&Failure>) -> Error {
        let key = self.order.price_key(line);
        match failure {
            None => Error::NoPrice(key),
            Some(failure) => lookup_error(Lookup::Prices, failure, Part::Price(key)),
        }
    }

    fn zone_error(&self, schedule: usize, reason: NoZone) -> Error {
        let shipping = self.order.fields.shipping.as_ref();
        Error::NoZone {
            schedule,
            brcode: shipping.certain().brcode,
            reason,
        }
    }

    /// Each rate has a call of its own, so its failures concern one schedule.
    fn rate_error(
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
}

/// What the facts say so far.
impl Planned {
    /// The price record of the product at this place.
    #[inline]
    pub(crate) fn price<'a>(&self, line: usize, facts: &'a Facts) -> Option<&'a PriceRecord> {
        match facts.at(*self.price_of.get(line)?).record() {
            Some(Record::Price(price)) => Some(price),
            _ => None,
        }
    }

    /// What the host has found: of the vouchers no record that the order's owner
    /// may not see.
    pub(crate) fn found(&self, facts: &Facts) -> Found {
        let owner_id = self.order.owner_id();
        let rate = |(mode, place): &(_, usize)| match facts.at(*place).record() {
            Some(Record::Rate(rate)) => Some((*mode, Arc::clone(rate))),
            _ => None,
        };
        let voucher = |(id, place): &(_, usize)| match facts.at(*place).record() {
            Some(Record::Voucher(voucher)) => Some(Voucher::new(*id, voucher, &owner_id)),
            _ => None,
        };
        Found {
            rates: NationwideRates(self.rates.iter().filter_map(rate).collect()),
            vouchers: self.vouchers.iter().filter_map(voucher).collect(),
        }
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

    /// Reports how the branch's zones cover the address, if any schedule needs
    /// a zone. `zones` must be the zones that the order was planned with.
    pub fn report_zones(&self, zones: &Zones, sink: &mut dyn Sink) {
        let mut sources = self.fee_sources.iter();
        let is_zoned = sources.any(|source| matches!(source, FeeSource::Zone(_)));
        if let Some(shipping) = self.order.fields.shipping.as_ref().filter(|_| is_zoned) {
            sink.report(|sink| zones.report(&self.order, shipping, sink));
        }
    }

    /// Whether every fact is known. Of several failures it returns the first in
    /// the order of D42, as soon as no open answer can fail before it.
    pub fn is_ready(&self, facts: &Facts) -> Result<bool, Problem> {
        match self.obstacles(facts).next() {
            None => Ok(true),
            Some(Obstacle::Open) => Ok(false),
            Some(Obstacle::Problem(problem)) => Err(problem),
        }
    }

    /// Prices the order up to its coupons.
    ///
    /// INVARIANT: it is ready, see [`Planned::is_ready`].
    #[inline(never)]
    pub fn resolve(
        self,
        facts: &Facts,
        policy: &Policy,
        sink: &mut dyn Sink,
    ) -> Result<Resolved, Error> {
        let products = &self.order.fields.products;
        let mut rows = Vec::with_capacity(products.len());
        let mut row_sums = RowSums::default();
        for (line, product) in products.iter().enumerate() {
            let record = self.price(line, facts).certain();
            let amounts = Row::amounts(&self.order, line, product, record, policy)?;
            rows.push(Row::new(record, amounts, policy));
            let row = rows.last().certain();
            row_sums.add(row, product.quantity);
            sink.report(|sink| row.report(line, product.quantity, sink));
        }
        let found = self.found(facts);
        sink.report(|sink| found.rates.report(&self.order, sink));
        let fees = self.fees(&found.rates, policy, sink);
        sink.report(|sink| report_vouchers(&self.order, &found.vouchers, sink));
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
            found,
            coupon_codes,
            rows_json,
            order,
            rows,
            fees,
        })
    }
}

/// The distinct nationwide modes whose rates set a fee.
fn nationwide_modes(sources: &[FeeSource]) -> impl Iterator<Item = NationwideMode> {
    let mut seen = [false; NationwideMode::ALL.len()];
    sources.iter().filter_map(move |source| match source {
        FeeSource::Nationwide(mode) => {
            let is_seen = seen.get_mut(*mode as usize)?;
            (!mem::replace(is_seen, true)).then_some(*mode)
        }
        _ => None,
    })
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
