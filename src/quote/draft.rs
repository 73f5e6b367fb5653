//! A valid order, before the host is asked.

use std::rc::Rc;

use super::answers::Answer;
use super::{Answers, Facts, Planned, Record, Source};
use crate::distinct::Distinct;
use crate::error::Error;
use crate::json::{Origin, identity};
use crate::lookup::NationwideMode;
use crate::options::Limits;
use crate::order::Order;
use crate::rules::{FeeSource, Zones, fee_sources};

/// A valid order without prices, fees and vouchers yet.
#[derive(Debug)]
pub struct Draft {
    order: Order,
}

impl Draft {
    pub(crate) fn new(order: Order) -> Self {
        Self { order }
    }

    /// Reads a request body.
    pub fn read(body: &[u8], origin: Origin, limits: &Limits) -> Result<Self, Error> {
        Order::read(body, origin, limits).map(Self::new)
    }

    /// Lists the order's questions, and takes the known answers from `facts`.
    /// `zones`: `None` if the delivery zones are not known.
    pub fn plan(self, zones: Option<&Zones>, facts: &Facts) -> Planned {
        #[cfg(faults)]
        crate::quote::planted::strike(&self.order, "plan");
        let order = self.order;
        let fields = &order.fields;
        let cprcodes = fields.products.iter().map(|product| product.cprcode);
        let cprcodes = Distinct::new(cprcodes);
        let shipping = fields.shipping.as_ref();
        let fee_sources = shipping.map_or_else(Vec::new, |shipping| fee_sources(shipping, zones));
        let (branch_id, postcode) = (order.branch_id(), order.shipping_postcode());
        Planned {
            prices: Answers::new(cprcodes.items, |code| {
                known(
                    facts.answer(Source::Price, &branch_id, *code),
                    |record| match record {
                        Record::Price(price) => Some(*price),
                        _ => None,
                    },
                )
            }),
            price_of: cprcodes.of,
            rates: Answers::new(nationwide_modes(&fee_sources), |mode| {
                let answer = facts.answer(Source::Rate, &postcode, *mode as i64);
                known(answer, |record| match record {
                    Record::Rate(rate) => Some(Rc::clone(rate)),
                    _ => None,
                })
            }),
            fee_sources,
            zones_failure: None,
            vouchers: Answers::new(order.first_seen(&fields.voucher_ids), |id| {
                let answer = facts.answer(Source::Voucher, &identity(id.of(&order.text)), 0);
                known(answer, |record| match record {
                    Record::Voucher(voucher) => Some(Rc::clone(voucher)),
                    _ => None,
                })
            }),
            order,
        }
    }
}

/// A known answer with its record; `of_kind` takes it out of a record of any
/// kind.
fn known<T>(answer: Answer<&Record>, of_kind: impl Fn(&Record) -> Option<T>) -> Answer<T> {
    answer.map(|answer| answer.map(|found| found.and_then(of_kind)))
}

/// The distinct nationwide modes whose rates set a fee.
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
