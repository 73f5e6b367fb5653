//! The amounts that follow from a basket's order and facts.

use std::sync::Arc;

use super::Pending;
use crate::certain::Certain;
use crate::error::{Error, Part};
use crate::explain::Sink;
use crate::json::Writer;
use crate::money::Sum;
use crate::options::Policy;
use crate::order::Order;
use crate::quote::{Facts, Found, Planned, Priced};
use crate::rules::{
    DiscountResult, Discounts, Overflows, Row, RowSums, ScheduleFee, Subtotals, Totals,
    report_vouchers,
};

/// All amounts that follow from the order and the facts.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) lines: Vec<Line>,
    row_sums: RowSums,
    /// Whether every schedule has its fee.
    pub(super) has_fees: bool,
    pub(super) fees: Vec<ScheduleFee>,
    pub(super) found: Found,
    pub(super) coupons: Arc<DiscountResult>,
    pub(super) totals: Totals,
    /// The rows that do not fit an amount, by index.
    large_rows: Vec<(usize, Error)>,
    /// The same after the coupon discounts.
    large_discounted: Vec<(usize, Error)>,
    /// What the host has yet to answer, without the coupons.
    pub(super) pending: Pending,
    /// The overflows that fail an order before its coupons are asked, in the
    /// sequence of the calculation.
    pub(super) subtotal_overflows: Vec<Error>,
    /// Those that fail it afterwards (D42).
    pub(super) total_overflows: Vec<Error>,
}

/// The amounts of one product.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// The row, if its price is known and it fits.
    pub(super) row: Option<Row>,
    /// The coupon discounts of the row.
    from_coupons: Option<Sum>,
}

impl State {
    /// The state of a plan, before its rows are priced.
    pub(super) fn of(planned: &Planned, facts: &Facts, pending: Pending, policy: &Policy) -> Self {
        let found = planned.found(facts);
        let products = &planned.order.fields.products;
        Self {
            lines: products.iter().map(|_| Line::default()).collect(),
            has_fees: planned.has_fees(facts),
            fees: planned.fees(&found.rates, policy, &mut ()),
            found,
            pending,
            ..Self::default()
        }
    }

    /// Follows an edit that has only added products.
    pub(super) fn add_lines(&mut self, count: usize) {
        self.lines.resize_with(count, Line::default);
    }

    /// Prices a product that has no row yet, if its price is known.
    pub(super) fn price(
        &mut self,
        index: usize,
        planned: &Planned,
        facts: &Facts,
        policy: &Policy,
    ) {
        let order = &planned.order;
        let product = order.fields.products.get(index);
        let (Some(line), Some(product), Some(record)) = (
            self.lines.get_mut(index),
            product,
            planned.price(index, facts),
        ) else {
            return;
        };
        match Row::price(order, index, product, record, policy) {
            Ok(row) => {
                self.row_sums.add(&row, product.quantity);
                line.row = Some(row);
            }
            Err(overflow) => insert(&mut self.large_rows, index, overflow),
        }
    }

    /// Removes the row of a product, which was priced with this quantity.
    pub(super) fn unprice(&mut self, index: usize, quantity: i64) {
        if let Some(row) = self.lines.get_mut(index).and_then(|line| line.row.take()) {
            self.row_sums.remove(&row, quantity);
        }
        remove(&mut self.large_rows, index);
    }

    /// Whether any field does not fit an amount.
    pub(super) fn has_overflows(&self) -> bool {
        !self.subtotal_overflows.is_empty() || !self.total_overflows.is_empty()
    }

    /// The subtotals, if every row and fee is known and fits: the coupon
    /// service is told them.
    pub(super) fn subtotals(&self) -> Option<Subtotals> {
        if !self.has_fees || self.lines.iter().any(|line| line.row.is_none()) {
            return None;
        }
        let mut overflows = Overflows::default();
        let subtotals = Subtotals::of(&self.row_sums, &self.fees, &mut overflows);
        overflows.check().is_ok().then_some(subtotals)
    }

    /// Applies the coupons, with their discounts by line.
    pub(super) fn discount(
        &mut self,
        order: &Order,
        coupons: Arc<DiscountResult>,
        by_line: Vec<Option<Sum>>,
    ) {
        self.coupons = coupons;
        let by_line = by_line.into_iter().chain(std::iter::repeat(None));
        for (line, from_coupons) in self.lines.iter_mut().zip(by_line) {
            line.from_coupons = from_coupons;
        }
        self.large_discounted.clear();
        for index in 0..self.lines.len() {
            self.discount_row(order, index);
        }
    }

    /// Applies the coupon discounts of one line to its row, or takes them off.
    pub(super) fn discount_row(&mut self, order: &Order, index: usize) {
        remove(&mut self.large_discounted, index);
        let Some(line) = self.lines.get_mut(index) else {
            return;
        };
        let Some(row) = &mut line.row else {
            return;
        };
        row.discounted_row_total = row.undiscounted();
        if let Some(from_coupons) = line.from_coupons
            && let Err(overflow) = row.discount(order, index, from_coupons)
        {
            insert(&mut self.large_discounted, index, overflow);
        }
    }

    /// The priced order, if everything is known and right.
    pub(super) fn priced(&self, order: Order) -> Priced {
        let rows = self.lines.iter().filter_map(|line| line.row.clone());
        Priced {
            order,
            rows: rows.collect(),
            rows_json: None,
            fees: self.fees.clone(),
            found: self.found.clone(),
            coupons: Arc::clone(&self.coupons),
            totals: self.totals,
        }
    }

    /// Reports the steps that lead to the totals, as far as they are known.
    /// `has_coupons`: the result of the coupons is that of the order as it is
    /// now.
    pub(super) fn report(
        &self,
        planned: &Planned,
        policy: &Policy,
        has_coupons: bool,
        sink: &mut dyn Sink,
    ) {
        let order = &planned.order;
        let rows = || {
            let lines = self.lines.iter().enumerate();
            lines.filter_map(|(index, line)| Some((index, line.row.as_ref()?)))
        };
        let products = &order.fields.products;
        for (index, row) in rows() {
            let quantity = products.get(index).certain().quantity;
            row.report(index, quantity, sink);
        }
        self.found.rates.report(order, sink);
        planned.fees(&self.found.rates, policy, sink);
        report_vouchers(order, &self.found.vouchers, sink);
        self.coupons.report(sink);
        if has_coupons {
            self.coupons.report_rest(order, sink);
        }
        for (index, line) in self.lines.iter().enumerate() {
            if let (Some(row), Some(from_coupons)) = (&line.row, line.from_coupons) {
                row.report_discount(index, from_coupons, sink);
            }
        }
        self.totals.report(&self.discounts(policy), sink);
        let excluded = policy.exclude_controlled;
        self.totals.report_controlled(rows(), excluded, sink);
    }

    fn discounts<'a>(&'a self, policy: &'a Policy) -> Discounts<'a> {
        Discounts {
            coupons: &self.coupons,
            vouchers: &self.found.vouchers,
            policy,
        }
    }

    /// Writes what each coupon takes off.
    pub(super) fn write_taken_off(&self, policy: &Policy, out: &mut Writer) {
        self.totals.write_taken_off(&self.discounts(policy), out);
    }

    /// Calculates the totals from rows, fees, coupons and vouchers.
    pub(super) fn calculate(&mut self, policy: &Policy) {
        let mut before_coupons = Overflows(errors(&self.large_rows));
        let subtotals = Subtotals::of(&self.row_sums, &self.fees, &mut before_coupons);
        let mut after_coupons = Overflows::default();
        let discounted_rows = errors(&self.large_discounted);
        let discounts = self.discounts(policy);
        self.totals = Totals::of(subtotals, &discounts, discounted_rows, &mut after_coupons);
        self.subtotal_overflows = before_coupons.0;
        self.total_overflows = after_coupons.0;
        let mut overflows = self.subtotal_overflows.iter().chain(&self.total_overflows);
        if overflows.any(|error| matches!(error, Error::Overflow(_, Part::Order))) {
            self.totals.withhold();
        }
    }
}

/// Inserts an error by the index of its row.
fn insert(errors: &mut Vec<(usize, Error)>, index: usize, error: Error) {
    let at = errors.partition_point(|(other, _)| *other < index);
    errors.insert(at, (index, error));
}

/// Removes the error of a row, if there is one.
fn remove(errors: &mut Vec<(usize, Error)>, index: usize) {
    if let Ok(at) = errors.binary_search_by_key(&index, |(other, _)| *other) {
        errors.remove(at);
    }
}

fn errors(errors: &[(usize, Error)]) -> Vec<Error> {
    errors.iter().map(|(_, error)| error.clone()).collect()
}
