//! What the rules report while they calculate.
//!
//! There is one computation. `calculate` lets its steps fall on `()`; a
//! recorder keeps them.

use crate::money::{Amount, Sum};

/// Takes the steps of a calculation, in the order in which they are made.
pub trait Sink {
    /// Takes one step.
    fn step(&mut self, step: Step);
}

impl Sink for () {
    fn step(&mut self, _: Step) {}
}

/// One step on the way to `grandTotal`, amounts in THB.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// `max(price × quantity, 0)` of a product (D15).
    Row {
        /// Index into `productList`.
        line: usize,
        /// Per unit.
        price: Amount,
        /// Units.
        quantity: i64,
        /// The product of the two, or 0 where it is negative.
        amount: Amount,
    },
    /// The delivery fee of a schedule (rule 8).
    DeliveryFee {
        /// Index into `scheduleList`.
        schedule: usize,
        /// The fee.
        amount: Amount,
    },
    /// The surcharge of an express schedule (D38).
    ExpressFee {
        /// Index into `scheduleList`.
        schedule: usize,
        /// The surcharge.
        amount: Amount,
    },
    /// What the order's discounts take off, and from what.
    Discount {
        /// The field of the response.
        field: &'static str,
        /// What it takes off.
        amount: Amount,
    },
    /// A discount that is computed but not subtracted (rule 10).
    NotSubtracted {
        /// The field of the response.
        field: &'static str,
        /// What it comes to.
        amount: Amount,
    },
    /// A floor at zero that was reached.
    Floor {
        /// The field of the response.
        field: &'static str,
        /// What the floor adds.
        lift: Sum,
    },
}

impl Step {
    /// What the step adds to `grandTotal`: all steps of an order come to it
    /// exactly.
    pub fn adds(&self) -> Sum {
        let mut sum = Sum::default();
        match *self {
            Self::Row { amount, .. }
            | Self::DeliveryFee { amount, .. }
            | Self::ExpressFee { amount, .. } => {
                sum.add(amount);
            }
            Self::Discount { amount, .. } => sum.subtract(amount),
            Self::NotSubtracted { .. } => {}
            Self::Floor { lift, .. } => sum.merge(lift),
        }
        sum
    }
}
