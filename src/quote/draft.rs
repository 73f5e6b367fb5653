//! A valid order, before the host is asked.

use std::mem;
use std::sync::Arc;

use super::{Facts, Planned, Source};
use crate::certain::Certain;
use crate::distinct::Distinct;
use crate::error::Error;
use crate::json::{Origin, canonical};
use crate::lookup::NationwideMode;
use crate::options::Limits;
use crate::order::Order;
use crate::rules::{FeeSource, Zones, fee_sources};
use crate::word::Word;

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
