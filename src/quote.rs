//! The way of an order through the calculation, as a type for each stage, so
//! that no stage can be left out.
//!
//! Nothing here waits or calls. The driver takes questions from a [`Planned`]
//! and a [`Resolved`] to the host, and brings back what the host said.

use std::borrow::Cow;
use std::rc::Rc;

use crate::answers::{Answers, Records};
use crate::delivery::{
    FeeSource, NationwideRate, NationwideRates, ScheduleFee, Zones, fee_sources, schedule_fees,
};
use crate::discount::{DiscountResult, Voucher, VoucherRecord, report_vouchers};
use crate::distinct::Distinct;
use crate::error::{Error, Failure};
use crate::facts::Facts;
use crate::json::{
    Document, EMPTY, Origin, Span, Writer, decode, members, replace_lone_surrogates,
    without_lone_surrogates,
};
use crate::lookup::{CouponRequest, Lookup, NationwideMode};
use crate::options::{Limits, Policy};
use crate::order::Order;
use crate::price::PriceRecord;
use crate::priced::{Priced, size_hint, write_rows};
use crate::row::Row;
use crate::step::Sink;
use crate::totals::{RowSums, Subtotals, Totals};

/// A valid order of which nothing is known yet.
#[derive(Debug)]
pub struct Draft {
    order: Order,
}

/// An order and what is known of what it asks.
#[derive(Clone, Debug)]
pub struct Planned {
    pub(crate) order: Order,
    prices: Answers<i64, PriceRecord>,
    /// For each product, the place of its price.
    price_of: Vec<usize>,
    fee_sources: Vec<FeeSource>,
    rates: Answers<NationwideMode, Rc<NationwideRate>>,
    /// By the ids in the order's own spelling.
    vouchers: Answers<Span, Rc<VoucherRecord>>,
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
    pub(crate) fn new(order: Order) -> Self {
        Self { order }
    }

    /// Reads a request body.
    pub fn read(body: &[u8], origin: Origin, limits: &Limits) -> Result<Self, Error> {
        Order::read(body, origin, limits).map(Self::new)
    }

    /// Finds out what the order asks, and what the facts know of that.
    pub fn plan(self, zones: &Zones, facts: &Facts) -> Planned {
        #[cfg(faults)]
        crate::faults::strike(&self.order, "plan");
        let order = self.order;
        let fields = &order.fields;
        let cprcodes = fields.products.iter().map(|product| product.cprcode);
        let cprcodes = Distinct::new(cprcodes);
        let shipping = fields.shipping.as_ref();
        let fee_sources = shipping.map_or_else(Vec::new, |shipping| fee_sources(shipping, zones));
        let (branch_id, postcode) = (order.branch_id(), order.shipping_postcode());
        Planned {
            prices: Answers::new(cprcodes.items, |code| facts.prices.get(&branch_id, *code)),
            price_of: cprcodes.of,
            rates: Answers::new(nationwide_modes(&fee_sources), |mode| {
                facts.rates.get(&postcode, *mode as i64)
            }),
            fee_sources,
            vouchers: Answers::new(order.first_seen(&fields.voucher_ids), |id| {
                facts.vouchers.get(&decode(id.of(&order.text)), 0)
            }),
            order,
        }
    }
}

/// The nationwide modes whose rate is a fee, each once.
fn nationwide_modes(sources: &[FeeSource]) -> impl Iterator<Item = NationwideMode> {
    let mut seen = Vec::new();
    sources.iter().filter_map(move |source| match source {
        FeeSource::Nationwide(mode) if !seen.contains(mode) => {
            seen.push(*mode);
            Some(*mode)
        }
        _ => None,
    })
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

    /// Reads what `validateCoupons` answered.
    pub fn read_coupons(
        &self,
        answer: Result<Document, Failure>,
    ) -> Result<Rc<DiscountResult>, Error> {
        let answer = answer.map_err(|failure| Error::LookupFailed(Lookup::Coupons, failure))?;
        DiscountResult::read(answer, self.rows.len())
            .map(Rc::new)
            .map_err(|fault| Error::invalid_answer(Lookup::Coupons, None, fault))
    }

    /// Finishes the order with what its coupons grant; `None` where the service
    /// was not asked.
    pub fn settle(
        mut self,
        coupons: Option<Rc<DiscountResult>>,
        policy: &Policy,
        sink: &mut dyn Sink,
    ) -> Result<Priced, Error> {
        let coupons = coupons.unwrap_or_default();
        sink.report(|sink| coupons.report(&self.order, sink));
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
        sink.report(|sink| totals.report_controlled(&self.rows, sink));
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
                sink.report(|sink| row.report_discount(line, from_coupons, sink));
            }
        }
        Ok(())
    }
}

/// What the coupon service is told of an order, without its products (D25).
pub(crate) fn coupon_request_head(order: &Order, codes: &[Span], subtotals: &Subtotals) -> Vec<u8> {
    let fields = &order.fields;
    let mut out = Writer::with_capacity(512);
    members!(out.raw, {
        "couponCodeList": spans(&order.text, codes),
        "ownerId": raw(order.json(fields.owner_id, EMPTY)),
        "branchId": raw(order.branch_id_json()),
        "basketId": raw(order.json(fields.basket_id, EMPTY)),
        "orderId": raw(order.json(fields.order_id, EMPTY)),
        "orderDate": raw(order.json(fields.order_date, "0")),
        "subTotal": amount(subtotals.sub_total),
        "deliveryFee": amount(subtotals.delivery_fee),
        "expressShippingCost": amount(subtotals.express_shipping_cost),
        "totalWeight": amount(subtotals.total_weight)
    });
    without_lone_surrogates(out.into_bytes())
}
