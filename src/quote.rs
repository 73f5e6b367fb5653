//! The way of an order through the calculation, as a type for each stage, so
//! that no stage can be left out.
//!
//! Nothing here waits or calls. The driver takes questions from
//! [`Planned::lookups`] and [`Resolved::coupon_request`] to the host, and brings
//! back what the host said.

use crate::delivery::{
    FeeSource, NationwideRate, NationwideRates, ScheduleFee, Zones, fee_sources, schedule_fees,
};
use crate::discount::{DiscountResult, Voucher};
use crate::distinct::Distinct;
use crate::error::{Error, Expected, Failure, Fault};
use crate::json::{Document, EMPTY, Origin, Reader, Span, Writer, decode, replace_lone_surrogates};
use crate::lookup::{CouponRequest, Lookup, Lookups, NationwideMode};
use crate::options::{Limits, Policy};
use crate::order::Order;
use crate::price::PriceRecord;
use crate::priced::{Priced, rows_size, write_rows, write_strings};
use crate::records::Records;
use crate::row::Row;
use crate::step::Sink;
use crate::totals::{Subtotals, Totals};

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
    /// For each product, where its code stands in `lookups.cprcodes`.
    price_of: Vec<usize>,
    fee_sources: Vec<FeeSource>,
    /// As `lookups.voucher_ids`, in the order's own spelling.
    voucher_ids: Vec<Span>,
    prices: Answer<Vec<PriceRecord>>,
    /// As `lookups.nationwide_modes`.
    rates: Vec<Answer<NationwideRate>>,
    vouchers: Answer<Vec<Voucher>>,
}

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
    subtotals: Subtotals,
    /// What the coupon service is asked about (D24).
    coupon_codes: Vec<Span>,
    /// `productList` as the coupon service sees it, if it is asked. The
    /// response shows the same, unless coupons fall on lines.
    rows_json: Option<Vec<u8>>,
}

impl Draft {
    /// Reads a request body.
    pub fn read(body: &[u8], origin: Origin, limits: &Limits) -> Result<Self, Error> {
        Order::read(body, origin, limits).map(|order| Self { order })
    }

    /// Finds out what must be asked.
    pub fn plan(self, zones: &Zones) -> Planned {
        let order = self.order;
        let prices =
            Distinct::from_list(order.fields.products.iter().map(|product| product.cprcode));
        let fee_sources = order
            .fields
            .shipping
            .as_ref()
            .map_or_else(Vec::new, |shipping| fee_sources(shipping, zones));
        let mut nationwide_modes = Vec::new();
        for source in &fee_sources {
            if let FeeSource::Nationwide(mode) = source
                && !nationwide_modes.contains(mode)
            {
                nationwide_modes.push(*mode);
            }
        }
        let voucher_ids = order.first_seen(&order.fields.voucher_ids);
        let lookups = Lookups {
            cprcodes: prices.items,
            branch_id: order.branch_id(),
            nationwide_modes,
            shipping_postcode: decode(order.shipping_postcode_json()).into_owned(),
            voucher_ids: voucher_ids
                .iter()
                .map(|id| decode(id.of(&order.text)).into_owned())
                .collect(),
        };
        Planned {
            price_of: prices.of,
            fee_sources,
            prices: None,
            rates: lookups.nationwide_modes.iter().map(|_| None).collect(),
            vouchers: lookups.voucher_ids.is_empty().then(|| Ok(Vec::new())),
            voucher_ids,
            lookups,
            order,
        }
    }
}

impl Planned {
    /// What is asked of the host, all of it at once.
    pub fn lookups(&self) -> &Lookups {
        &self.lookups
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
                Reader::document(record, origin, |json| json.optional(PriceRecord::read))
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
        let places = self.lookups.nationwide_modes.iter().zip(&mut self.rates);
        let Some((_, place)) = places.into_iter().find(|(asked, _)| **asked == mode) else {
            return;
        };
        let failed = |failure| Error::LookupFailed(Lookup::NationwideRate, failure);
        *place = Some(answer.map_err(failed).and_then(|answer| {
            NationwideRate::read(answer)
                .map_err(|fault| Error::invalid_answer(Lookup::NationwideRate, None, fault))
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
    pub fn resolve(self, policy: &Policy, sink: &mut impl Sink) -> Result<Resolved, Unresolved> {
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
        let asked = self.lookups.nationwide_modes.iter().zip(&self.rates);
        asked
            .into_iter()
            .find(|(asked, _)| **asked == mode)
            .and_then(|(_, rate)| rate.as_ref())
    }

    /// INVARIANT: every look-up has answered well, see [`Planned::check`].
    fn price(self, policy: &Policy, sink: &mut impl Sink) -> Result<Resolved, Error> {
        let order = self.order;
        let records = self.prices.and_then(Result::ok).unwrap_or_default();
        let rates = self.rates.into_iter().map(|rate| rate.and_then(Result::ok));
        let rates = NationwideRates::new(self.lookups.nationwide_modes.into_iter().zip(rates));
        let records = self.price_of.iter().filter_map(|place| records.get(*place));
        let mut rows = Vec::with_capacity(order.fields.products.len());
        for (line, (product, record)) in order.fields.products.iter().zip(records).enumerate() {
            rows.push(Row::price(line, product, record, policy.row_total, sink)?);
        }
        let shipping = order.fields.shipping.as_ref();
        let fees = shipping.map_or_else(Vec::new, |shipping| {
            schedule_fees(shipping, &self.fee_sources, &rates, sink)
        });
        let quantities = order.fields.products.iter().map(|product| product.quantity);
        let coupon_codes = order.first_seen(&order.fields.coupon_codes);
        let rows_json = (!coupon_codes.is_empty()).then(|| {
            let mut out = Writer::with_capacity(rows_size(&order));
            write_rows(&mut out, &order, &rows);
            out.into_bytes()
        });
        Ok(Resolved {
            subtotals: Subtotals::of(&rows, quantities, &fees)?,
            vouchers: self.vouchers.and_then(Result::ok).unwrap_or_default(),
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
        let product_list = self.rows_json.as_deref()?;
        let Self {
            order, subtotals, ..
        } = self;
        let fields = &order.fields;
        let mut out = Writer::default();
        out.raw(r#"{"couponCodeList":"#);
        write_strings(&mut out, order, &self.coupon_codes);
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
        Some(CouponRequest {
            head: replace_lone_surrogates(&out.into_bytes()).into_owned(),
            product_list: replace_lone_surrogates(product_list),
        })
    }

    /// Finishes the order with what `validateCoupons` answered; `None` where it
    /// was not asked.
    pub fn settle(
        mut self,
        coupons: Option<Result<Document, Failure>>,
        policy: &Policy,
        sink: &mut impl Sink,
    ) -> Result<Priced, Error> {
        let coupons = match coupons {
            Some(answer) => self.discount_result(answer)?,
            None => DiscountResult::none(),
        };
        let by_line = coupons.by_line(self.rows.len());
        if !by_line.is_empty() {
            // What the coupon service saw of the rows is shown no more.
            self.rows_json = None;
        }
        for (line, (row, from_coupons)) in self.rows.iter_mut().zip(by_line).enumerate() {
            if let Some(from_coupons) = from_coupons {
                row.discount(line, from_coupons)?;
            }
        }
        let totals = Totals::of(
            self.subtotals,
            &self.rows,
            &self.vouchers,
            &coupons,
            policy.free_shipping,
            sink,
        )?;
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

    fn discount_result(&self, answer: Result<Document, Failure>) -> Result<DiscountResult, Error> {
        let answer = answer.map_err(|failure| Error::LookupFailed(Lookup::Coupons, failure))?;
        DiscountResult::read(answer, self.rows.len())
            .map_err(|fault| Error::invalid_answer(Lookup::Coupons, None, fault))
    }
}

/// Why an order cannot be resolved yet, or at all.
enum Stop {
    Waiting,
    Failed(Error),
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
