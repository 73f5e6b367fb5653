//! The way of an order through the calculation, as a type for each stage, so
//! that no stage can be left out.
//!
//! Nothing here waits or calls. The driver takes questions from
//! [`Planned::lookups`] and [`Resolved::coupon_request`] to the host, and brings
//! back what the host said.

use std::borrow::Cow;

use crate::delivery::{
    FeeSource, NationwideRate, NationwideRates, ScheduleFee, Zones, fee_sources, schedule_fees,
};
use crate::discount::{DiscountResult, Voucher, voucher_steps};
use crate::distinct::Distinct;
use crate::error::{Error, Expected, Failure, Fault};
use crate::facts::Facts;
use crate::json::{Document, EMPTY, Origin, Span, Writer, decode, replace_lone_surrogates};
use crate::lookup::{CouponRequest, Lookup, Lookups, NationwideMode};
use crate::options::{Limits, Policy};
use crate::order::Order;
use crate::price::PriceRecord;
use crate::priced::{Priced, rows_size, write_rows, write_strings};
use crate::records::Records;
use crate::row::Row;
use crate::step::Sink;
use crate::totals::{RowSums, Subtotals, Totals};

/// A valid order of which nothing is known yet.
#[derive(Debug)]
pub struct Draft {
    order: Order,
}

/// An order whose questions are asked.
#[derive(Debug)]
pub struct Planned {
    order: Order,
    lookups: Lookups,
    /// For each product, where its price stands among the known and the
    /// answered.
    price_of: Vec<usize>,
    known_prices: Known<PriceRecord>,
    prices: Answer<Vec<PriceRecord>>,
    fee_sources: Vec<FeeSource>,
    rates: Vec<(NationwideMode, Answer<NationwideRate>)>,
    /// As `lookups.voucher_ids`, in the order's own spelling.
    voucher_ids: Vec<Span>,
    known_vouchers: Known<Voucher>,
    vouchers: Answer<Vec<Voucher>>,
}

/// What need not be asked, each at its place, with a gap for each that must be.
/// Nothing at all where everything is asked.
type Known<T> = Vec<Option<T>>;

/// What has come of a look-up; `None`: nothing yet.
type Answer<T> = Option<Result<T, Error>>;

/// Why an order is not resolved.
#[derive(Debug)]
pub enum Unresolved {
    /// Answers that matter are still to come.
    Waiting(Box<Planned>),
    /// It cannot be priced.
    Failed(Error),
}

/// An order of which all but the coupons is known.
#[derive(Debug)]
pub struct Resolved {
    order: Order,
    rows: Vec<Row>,
    fees: Vec<ScheduleFee>,
    rates: NationwideRates,
    vouchers: Vec<Voucher>,
    row_sums: RowSums,
    subtotals: Subtotals,
    /// What the coupon service is asked about (D24).
    coupon_codes: Vec<Span>,
    /// `productList` as the coupon service sees it, if it is asked. The
    /// response shows the same, unless coupons fall on lines.
    rows_json: Option<Vec<u8>>,
}

impl Draft {
    /// A draft of an order that has been read.
    pub(crate) fn new(order: Order) -> Self {
        Self { order }
    }

    /// Reads a request body.
    pub fn read(body: &[u8], origin: Origin, limits: &Limits) -> Result<Self, Error> {
        Order::read(body, origin, limits).map(|order| Self { order })
    }

    /// Finds out what must be asked: what these facts do not know.
    pub fn plan(self, zones: &Zones, facts: &Facts) -> Planned {
        #[cfg(faults)]
        crate::faults::strike(&self.order, "plan");
        let order = self.order;
        let branch_id = order.branch_id();
        let postcode = decode(order.shipping_postcode_json()).into_owned();
        let cprcodes = order.fields.products.iter().map(|product| product.cprcode);
        let prices = Distinct::from_integers(cprcodes.collect());
        let (known_prices, cprcodes) = known(prices.items, |cprcode| {
            facts.price(&branch_id, *cprcode).copied()
        });
        let shipping = order.fields.shipping.as_ref();
        let fee_sources = shipping.map_or_else(Vec::new, |shipping| fee_sources(shipping, zones));
        let rates: Vec<_> = nationwide_modes(&fee_sources)
            .into_iter()
            .map(|mode| (mode, facts.rate(&postcode, mode).cloned().map(Ok)))
            .collect();
        let (known_vouchers, voucher_ids) =
            known(order.first_seen(&order.fields.voucher_ids), |id| {
                facts.voucher(&decode(id.of(&order.text)), *id, || order.owner_id())
            });
        let lookups = Lookups {
            cprcodes,
            branch_id,
            nationwide_modes: rates
                .iter()
                .filter_map(|(mode, rate)| rate.is_none().then_some(*mode))
                .collect(),
            shipping_postcode: postcode,
            voucher_ids: voucher_ids
                .iter()
                .map(|id| decode(id.of(&order.text)).into_owned())
                .collect(),
        };
        Planned {
            price_of: prices.of,
            known_prices,
            prices: lookups.cprcodes.is_empty().then(|| Ok(Vec::new())),
            fee_sources,
            rates,
            voucher_ids,
            known_vouchers,
            vouchers: lookups.voucher_ids.is_empty().then(|| Ok(Vec::new())),
            lookups,
            order,
        }
    }
}

/// The nationwide modes whose rate is a fee, each once.
pub(crate) fn nationwide_modes(sources: &[FeeSource]) -> Vec<NationwideMode> {
    let mut modes = Vec::new();
    for source in sources {
        if let FeeSource::Nationwide(mode) = source
            && !modes.contains(mode)
        {
            modes.push(*mode);
        }
    }
    modes
}

/// Divides keys into what is known of them and those that must be asked.
fn known<K, T>(keys: Vec<K>, fact: impl Fn(&K) -> Option<T>) -> (Known<T>, Vec<K>) {
    if keys.iter().all(|key| fact(key).is_none()) {
        return (Vec::new(), keys);
    }
    let facts: Known<T> = keys.iter().map(fact).collect();
    let unknown = keys.into_iter().zip(&facts);
    let asked = unknown.filter_map(|(key, fact)| fact.is_none().then_some(key));
    let asked = asked.collect();
    (facts, asked)
}

/// What is known, its gaps filled with what was answered.
fn filled<T>(known: Known<T>, answered: Vec<T>) -> Vec<T> {
    if known.is_empty() {
        return answered;
    }
    let mut answered = answered.into_iter();
    known
        .into_iter()
        .filter_map(|fact| fact.or_else(|| answered.next()))
        .collect()
}

impl Planned {
    /// What is asked of the host, all of it at once.
    pub fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    /// Reports what the zones of its plan say of the address, if it counts.
    pub fn report_zones(&self, zones: &Zones, sink: &mut dyn Sink) {
        sink.report(|| {
            let mut sources = self.fee_sources.iter();
            let is_zoned = sources.any(|source| matches!(source, FeeSource::Zone(_)));
            let shipping = self.order.fields.shipping.as_ref();
            let zoned = shipping.filter(|_| is_zoned).into_iter();
            zoned.flat_map(|shipping| zones.steps(&self.order, shipping))
        });
    }

    /// Takes what `lookupPrices` answered for `lookups().cprcodes`.
    pub fn answer_prices(&mut self, answer: Result<Records, Failure>) {
        let Lookups {
            cprcodes,
            branch_id,
            ..
        } = &self.lookups;
        self.prices = Some(each(
            Lookup::Prices,
            answer,
            cprcodes,
            |cprcode, record, origin| {
                PriceRecord::from_text(record, origin)
                    .map_err(|fault| {
                        Error::invalid_answer(
                            Lookup::Prices,
                            Some(format!("{cprcode}/{branch_id}")),
                            fault,
                        )
                    })?
                    .ok_or_else(|| Error::NoPrice {
                        cprcode: *cprcode,
                        branch_id: branch_id.clone(),
                    })
            },
        ));
    }

    /// Takes what `nationwideRate` answered for a mode.
    pub fn answer_rate(&mut self, mode: NationwideMode, answer: Result<Document, Failure>) {
        let Some((_, place)) = self.rates.iter_mut().find(|(asked, _)| *asked == mode) else {
            return;
        };
        let lookup = Lookup::NationwideRate(mode);
        let failed = |failure| Error::LookupFailed(lookup, failure);
        *place = Some(answer.map_err(failed).and_then(|answer| {
            NationwideRate::read(answer).map_err(|fault| Error::invalid_answer(lookup, None, fault))
        }));
    }

    /// Takes what `lookupVouchers` answered for `lookups().voucher_ids`.
    pub fn answer_vouchers(&mut self, answer: Result<Records, Failure>) {
        let owner_id = self.order.owner_id();
        let asked: Vec<_> = self
            .lookups
            .voucher_ids
            .iter()
            .zip(&self.voucher_ids)
            .collect();
        self.vouchers = Some(each(
            Lookup::Vouchers,
            answer,
            &asked,
            |(id, id_json), record, origin| {
                Voucher::read(record, origin, id, **id_json, &owner_id)
                    .map_err(|fault| {
                        Error::invalid_answer(Lookup::Vouchers, Some((*id).clone()), fault)
                    })?
                    .ok_or_else(|| Error::VoucherNotFound((*id).clone()))
            },
        ));
    }

    /// Prices the order, if the answers are enough. Of several failures the
    /// first counts, in the order of D42, as soon as nothing still to come
    /// could stand before it.
    pub fn resolve(self, policy: &Policy, sink: &mut dyn Sink) -> Result<Resolved, Unresolved> {
        match self.check() {
            Err(Stop::Waiting) => Err(Unresolved::Waiting(Box::new(self))),
            Err(Stop::Failed(error)) => Err(Unresolved::Failed(error)),
            Ok(()) => self.price(policy, sink).map_err(Unresolved::Failed),
        }
    }

    /// Goes through the look-ups in the order of D42.
    fn check(&self) -> Result<(), Stop> {
        has_answered(self.prices.as_ref())?;
        for source in &self.fee_sources {
            match source {
                FeeSource::Zone(Err(no_zone)) => return Err(Stop::Failed((*no_zone).into())),
                FeeSource::Nationwide(mode) => has_answered(self.rate(*mode))?,
                FeeSource::Zone(Ok(_)) | FeeSource::Free => {}
            }
        }
        has_answered(self.vouchers.as_ref())
    }

    fn rate(&self, mode: NationwideMode) -> Option<&Result<NationwideRate, Error>> {
        self.rates
            .iter()
            .find(|(asked, _)| *asked == mode)
            .and_then(|(_, rate)| rate.as_ref())
    }

    /// INVARIANT: every look-up has answered well, see [`Planned::check`].
    fn price(self, policy: &Policy, sink: &mut dyn Sink) -> Result<Resolved, Error> {
        let order = self.order;
        let records = filled(self.known_prices, answered(self.prices));
        let rates = NationwideRates::new(
            self.rates
                .into_iter()
                .map(|(mode, rate)| (mode, rate.and_then(Result::ok))),
        );
        let records = self.price_of.iter().filter_map(|place| records.get(*place));
        let mut rows = Vec::with_capacity(order.fields.products.len());
        let mut row_sums = RowSums::default();
        for (line, (product, record)) in order.fields.products.iter().zip(records).enumerate() {
            // Made where it stays: a row is not small.
            rows.push(Row::price(line, product, record, policy.row_total)?);
            if let Some(row) = rows.last() {
                row_sums.add(row, product.quantity);
                sink.report(|| row.steps(line, product.quantity, policy.row_total));
            }
        }
        sink.report(|| rates.steps(&order));
        let shipping = order.fields.shipping.as_ref();
        let fees = shipping.map_or_else(Vec::new, |shipping| {
            let sources = &self.fee_sources;
            schedule_fees(shipping, sources, &rates, policy.express_surcharge, sink)
        });
        let vouchers = filled(self.known_vouchers, answered(self.vouchers));
        sink.report(|| voucher_steps(&order, &vouchers));
        let coupon_codes = order.first_seen(&order.fields.coupon_codes);
        let rows_json = (!coupon_codes.is_empty()).then(|| {
            let mut out = Writer::with_capacity(rows_size(&order));
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

impl Resolved {
    /// Whether the coupon service must be asked before the order is settled
    /// (D23).
    pub fn asks_coupons(&self) -> bool {
        self.rows_json.is_some()
    }

    /// What the coupon service is asked; `None`: nothing (D23).
    pub fn coupon_request(&self) -> Option<CouponRequest<'_>> {
        Some(CouponRequest {
            product_list: self.coupon_rows()?,
            head: self.coupon_head(),
        })
    }

    /// The request without its products.
    pub fn coupon_head(&self) -> Vec<u8> {
        #[cfg(faults)]
        crate::faults::strike(&self.order, "coupon request");
        coupon_request_head(&self.order, &self.coupon_codes, &self.subtotals)
    }

    /// The products of the request; `None`: there is none.
    pub fn coupon_rows(&self) -> Option<Cow<'_, [u8]>> {
        self.rows_json.as_deref().map(replace_lone_surrogates)
    }

    /// Finishes the order with what `validateCoupons` answered; `None` where it
    /// was not asked.
    pub fn settle(
        mut self,
        coupons: Option<Result<Document, Failure>>,
        policy: &Policy,
        sink: &mut dyn Sink,
    ) -> Result<Priced, Error> {
        let coupons = match coupons {
            Some(answer) => self.discount_result(answer)?,
            None => DiscountResult::none(),
        };
        sink.report(|| coupons.steps(&self.order));
        let discounted_rows = self.discount_rows(&coupons, sink);
        let totals = Totals::of(
            self.subtotals,
            &self.row_sums,
            discounted_rows,
            &self.vouchers,
            &coupons,
            policy.free_shipping,
            sink,
        )?;
        sink.report(|| [totals.controlled_step(&self.rows)]);
        Ok(Priced {
            order: self.order,
            rows: self.rows,
            rows_json: self.rows_json,
            fees: self.fees,
            rates: self.rates,
            vouchers: self.vouchers,
            coupons,
            totals,
        })
    }

    fn discount_rows(
        &mut self,
        coupons: &DiscountResult,
        sink: &mut dyn Sink,
    ) -> Result<(), Error> {
        let by_line = coupons.by_line(self.rows.len());
        if !by_line.is_empty() {
            // What the coupon service saw of the rows is shown no more.
            self.rows_json = None;
        }
        for (line, (row, from_coupons)) in self.rows.iter_mut().zip(by_line).enumerate() {
            if let Some(from_coupons) = from_coupons {
                row.discount(line, from_coupons)?;
                sink.report(|| row.discount_steps(line, from_coupons));
            }
        }
        Ok(())
    }

    fn discount_result(&self, answer: Result<Document, Failure>) -> Result<DiscountResult, Error> {
        let answer = answer.map_err(|failure| Error::LookupFailed(Lookup::Coupons, failure))?;
        DiscountResult::read(answer, self.rows.len())
            .map_err(|fault| Error::invalid_answer(Lookup::Coupons, None, fault))
    }
}

/// What the coupon service is told of an order, without its products (D25).
pub(crate) fn coupon_request_head(order: &Order, codes: &[Span], subtotals: &Subtotals) -> Vec<u8> {
    let fields = &order.fields;
    let mut out = Writer::default();
    out.raw(r#"{"couponCodeList":"#);
    write_strings(&mut out, order, codes);
    out.raw(r#","ownerId":"#)
        .raw(order.json(fields.owner_id, EMPTY));
    out.raw(r#","branchId":"#).raw(order.branch_id_json());
    out.raw(r#","basketId":"#)
        .raw(order.json(fields.basket_id, EMPTY));
    out.raw(r#","orderId":"#)
        .raw(order.json(fields.order_id, EMPTY));
    out.raw(r#","orderDate":"#)
        .raw(order.json(fields.order_date, "0"));
    out.raw(r#","subTotal":"#).amount(subtotals.sub_total);
    out.raw(r#","deliveryFee":"#).amount(subtotals.delivery_fee);
    out.raw(r#","expressShippingCost":"#)
        .amount(subtotals.express_shipping_cost);
    out.raw(r#","totalWeight":"#)
        .amount(subtotals.total_weight)
        .raw("}");
    replace_lone_surrogates(&out.into_bytes()).into_owned()
}

/// Why an order cannot be resolved yet, or at all.
enum Stop {
    Waiting,
    Failed(Error),
}

fn answered<T>(answer: Answer<Vec<T>>) -> Vec<T> {
    answer.and_then(Result::ok).unwrap_or_default()
}

fn has_answered<T>(answer: Option<&Result<T, Error>>) -> Result<(), Stop> {
    match answer {
        None => Err(Stop::Waiting),
        Some(Err(error)) => Err(Stop::Failed(error.clone())),
        Some(Ok(_)) => Ok(()),
    }
}

/// Reads what a list look-up answered for each of its keys; the first key whose
/// record is wrong fails it (D42).
fn each<K, T>(
    lookup: Lookup,
    answer: Result<Records, Failure>,
    keys: &[K],
    mut read: impl FnMut(&K, &str, Origin) -> Result<T, Error>,
) -> Result<Vec<T>, Error> {
    let answer = answer.map_err(|failure| Error::LookupFailed(lookup, failure))?;
    let records = answer.texts(keys.len()).ok_or_else(|| {
        Error::invalid_answer(lookup, None, Fault::expected(Expected::ArrayOf(keys.len())))
    })?;
    let mut values = Vec::with_capacity(keys.len());
    for (key, record) in keys.iter().zip(records) {
        values.push(read(key, record, answer.origin)?);
    }
    Ok(values)
}
