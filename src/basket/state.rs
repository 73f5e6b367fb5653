//! The results that follow from a basket's order and facts.

use std::rc::Rc;

use crate::error::Error;
use crate::money::Sum;
use crate::options::Policy;
use crate::quote::Planned;
use crate::rules::{DiscountResult, Row, RowSums, ScheduleFee, Subtotals, Totals, Voucher};

/// All results that follow from the order and the facts.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) lines: Vec<Line>,
    pub(super) row_sums: RowSums,
    /// The number of rows that do not fit an amount.
    pub(super) too_large: usize,
    pub(super) fees: Vec<ScheduleFee>,
    pub(super) vouchers: Vec<Voucher>,
    pub(super) coupons: Rc<DiscountResult>,
    /// Whether the coupon service saw as many products, but with other ids: one
    /// may have been removed and added again.
    pub(super) saw_others: bool,
    pub(super) totals: Totals,
    pub(super) overflow: Option<Error>,
    pub(super) unknown: Unknown,
}

/// The results of one product.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The row, if the price is known; an error if the row is too large.
    pub(super) row: Option<Result<Row, Error>>,
    /// The coupon discounts of the row.
    pub(super) from_coupons: Option<Sum>,
}

impl Line {
    pub(super) fn row(&self) -> Option<&Row> {
        self.row.as_ref()?.as_ref().ok()
    }

    fn overflow(&self) -> Option<&Error> {
        self.row.as_ref()?.as_ref().err()
    }
}

/// The open questions; the totals are final when there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unknown {
    /// The price of some product.
    pub prices: bool,
    /// The fee of some schedule.
    pub delivery: bool,
    /// The result of the coupons for the current basket.
    pub coupons: bool,
    /// The record of some voucher.
    pub vouchers: bool,
}

impl Unknown {
    /// Whether any question is open.
    pub fn any(self) -> bool {
        self.prices || self.delivery || self.coupons || self.vouchers
    }
}

impl State {
    /// Prices a product that has no row yet, if its price is known.
    pub(super) fn price(&mut self, place: usize, planned: &Planned, policy: &Policy) {
        let product = planned.order().fields.products.get(place);
        let (Some(line), Some(product), Some(record)) =
            (self.lines.get_mut(place), product, planned.price(place))
        else {
            return;
        };
        let row = Row::price(place, product, record, policy.row_total);
        let row = row.and_then(|mut row| {
            if let Some(from_coupons) = line.from_coupons {
                row.discount(place, from_coupons)?;
            }
            Ok(row)
        });
        match &row {
            Ok(row) => self.row_sums.add(row, product.quantity),
            Err(_) => self.too_large = self.too_large.saturating_add(1),
        }
        line.row = Some(row);
    }

    /// Removes the row of a product, which was priced with this quantity.
    pub(super) fn unprice(&mut self, place: usize, quantity: i64) {
        let line = self.lines.get_mut(place);
        match line.and_then(|line| line.row.take()) {
            Some(Ok(row)) => self.row_sums.remove(&row, quantity),
            Some(Err(_)) => self.too_large = self.too_large.saturating_sub(1),
            None => {}
        }
    }

    pub(super) fn calculate(&self, policy: &Policy) -> Result<Totals, Error> {
        if self.lines.is_empty() {
            return Ok(Totals::default());
        }
        if self.too_large > 0
            && let Some(overflow) = self.lines.iter().find_map(Line::overflow)
        {
            return Err(overflow.clone());
        }
        Totals::of(
            Subtotals::of(&self.row_sums, &self.fees)?,
            &self.row_sums,
            Ok(()),
            &self.vouchers,
            &self.coupons,
            policy.free_shipping,
            &mut (),
        )
    }
}
