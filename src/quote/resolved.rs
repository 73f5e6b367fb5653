//! An order that lacks only the result of its coupons.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Found, Priced};
use crate::certain::Certain;
use crate::error::{Error, Failure, Part};
use crate::explain::Sink;
use crate::json::{Span, Writer, members, replace_lone_surrogates, without_lone_surrogates};
use crate::lookup::Lookup;
use crate::options::Policy;
use crate::order::{Fields, Order};
use crate::rules::{DiscountResult, Discounts, Overflows, Row, ScheduleFee, Subtotals, Totals};

/// An order that lacks only the result of its coupons.
#[derive(Debug)]
pub struct Resolved {
    pub(super) order: Order,
    pub(super) rows: Vec<Row>,
    pub(super) fees: Vec<ScheduleFee>,
    pub(super) found: Found,
    pub(super) subtotals: Subtotals,
    /// The distinct codes for the coupon service (D24).
    pub(super) coupon_codes: Vec<Span>,
    /// `productList` for the coupon service; `None` if the service is not
    /// asked. The response shows the same text, unless coupons discount lines.
    pub(super) rows_json: Option<Vec<u8>>,
}

impl Resolved {
    /// Whether the coupon service must be asked before the order can be priced
    /// (D23).
    pub fn asks_coupons(&self) -> bool {
        self.rows_json.is_some()
    }

    /// How many products it has.
    pub(crate) fn products(&self) -> usize {
        self.rows.len()
    }

    /// The coupon request (D25) without its products: most hosts read a few
    /// fields and never look at the products.
    pub fn coupon_head(&self) -> Vec<u8> {
        #[cfg(faults)]
        crate::quote::faults::strike(&self.order, "coupon request");
        coupon_request_head(&self.order, &self.coupon_codes, &self.subtotals)
    }

    /// The products of the request; `None` if there is no request.
    pub fn coupon_rows(&self) -> Option<Cow<'_, [u8]>> {
        self.rows_json.as_deref().map(replace_lone_surrogates)
    }

    /// Prices the order with the result of its coupons; `None` if the service
    /// was not asked.
    #[inline(never)]
    pub fn price(
        mut self,
        coupons: Option<Arc<DiscountResult>>,
        policy: &Policy,
        sink: &mut dyn Sink,
    ) -> Result<Priced, Error> {
        let coupons = coupons.unwrap_or_default();
        sink.report(|sink| {
            coupons.report(sink);
            coupons.report_rest(&self.order, sink);
        });
        let discounted_rows = self.discount_rows(&coupons, sink);
        let mut overflows = Overflows::default();
        let discounts = Discounts {
            coupons: &coupons,
            vouchers: &self.found.vouchers,
            policy,
        };
        let discounted_rows = Vec::from_iter(discounted_rows.err());
        let totals = Totals::of(self.subtotals, &discounts, discounted_rows, &mut overflows);
        sink.report(|sink| totals.report(&discounts, sink));
        overflows.check()?;
        sink.report(|sink| {
            let rows = self.rows.iter().enumerate();
            totals.report_controlled(rows, policy.exclude_controlled, sink);
        });
        Ok(Priced {
            order: self.order,
            rows: self.rows,
            rows_json: self.rows_json,
            fees: self.fees,
            found: self.found,
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
            // The coupon service saw rows without these discounts.
            self.rows_json = None;
        }
        for (line, (row, from_coupons)) in self.rows.iter_mut().zip(by_line).enumerate() {
            if let Some(from_coupons) = from_coupons {
                row.discount(&self.order, line, from_coupons)?;
                sink.report(|sink| row.report_discount(line, from_coupons, sink));
            }
        }
        Ok(())
    }
}

/// The error of coupons whose result could not be had.
pub(crate) fn coupons_error(failure: Option<&Failure>) -> Error {
    Error::LookupFailed(Lookup::Coupons, failure.certain().clone(), Part::Order)
}

/// The coupon request without its products (D25).
pub(crate) fn coupon_request_head(order: &Order, codes: &[Span], subtotals: &Subtotals) -> Vec<u8> {
    let fields = &order.fields;
    let mut out = Writer::with_capacity(512);
    members!(out.raw, {
        "couponCodeList": spans(&order.text, codes),
        "ownerId": raw(order.json(fields.owner_id, const { Fields::default_of("ownerId") })),
        "branchId": raw(order.branch_id_json()),
        "basketId": raw(order.json(fields.basket_id, const { Fields::default_of("basketId") })),
        "orderId": raw(order.json(fields.order_id, const { Fields::default_of("orderId") })),
        "orderDate": raw(order.json(fields.order_date, const { Fields::default_of("orderDate") })),
        "subTotal": amount(subtotals.sub_total),
        "deliveryFee": amount(subtotals.delivery_fee),
        "expressShippingCost": amount(subtotals.express_shipping_cost),
        "totalWeight": amount(subtotals.total_weight)
    });
    without_lone_surrogates(out.into_bytes())
}
