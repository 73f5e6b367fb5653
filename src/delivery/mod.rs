//! What delivery costs: each schedule's mode chooses the calculator.

mod nationwide;
mod zones;

pub use nationwide::{NationwideRate, NationwideRates};
pub use zones::{NoZone, Zone, Zones};

use crate::lookup::NationwideMode;
use crate::money::{Amount, Sum};
use crate::shipping::{Mode, Schedule, Shipping};
use crate::step::{Sink, Step};

/// The surcharge of an express delivery in THB, which the spec fixes.
pub const EXPRESS_FEE: Amount = Amount::baht(50);

/// Where the fee of a calculated schedule comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeeSource {
    /// The delivery zone at the address, or why there is none (D34).
    Zone(Result<Amount, NoZone>),
    /// The nationwide rate of this mode (D36).
    Nationwide(NationwideMode),
    /// There is nothing to pay (D37).
    Free,
}

/// Where the fee of every calculated schedule comes from (D33).
pub fn fee_sources(shipping: &Shipping, zones: &Zones) -> Vec<FeeSource> {
    let zone = || {
        zones.fee_at(
            shipping.brcode(),
            shipping.lon.degrees,
            shipping.lat.degrees,
        )
    };
    // The address is the order's: its zone is looked up once for all schedules.
    let mut found = None;
    let source = |schedule: &Schedule| match schedule.mode {
        Mode::Regular | Mode::Express => FeeSource::Zone(*found.get_or_insert_with(zone)),
        Mode::Nationwide => FeeSource::Nationwide(schedule.nationwide_mode),
        Mode::Pickup => FeeSource::Free,
    };
    shipping.calculated().iter().map(source).collect()
}

/// What one schedule costs.
#[derive(Clone, Debug)]
pub struct ScheduleFee {
    /// `deliveryFee` in THB.
    pub delivery_fee: Amount,
    /// `expressFee` in THB.
    pub express_fee: Amount,
}

/// What every schedule costs: nothing, of an order that is not delivered
/// (D33). INVARIANT: every source has a fee.
pub fn schedule_fees(
    shipping: &Shipping,
    sources: &[FeeSource],
    rates: &NationwideRates,
    sink: &mut impl Sink,
) -> Vec<ScheduleFee> {
    let mut sources = sources.iter();
    let fees = shipping
        .schedules
        .iter()
        .enumerate()
        .map(|(index, schedule)| {
            let Some(source) = sources.next() else {
                return ScheduleFee {
                    delivery_fee: Amount::ZERO,
                    express_fee: Amount::ZERO,
                };
            };
            let delivery_fee = match source {
                FeeSource::Zone(Ok(fee)) => *fee,
                FeeSource::Nationwide(mode) => rates
                    .get(*mode)
                    .map_or(Amount::ZERO, |rate| rate.delivery_fee),
                FeeSource::Zone(Err(_)) | FeeSource::Free => Amount::ZERO,
            };
            // D38: the surcharge is due for an express schedule that is the first.
            let is_express = index == 0 && schedule.mode == Mode::Express;
            let express_fee = if is_express {
                EXPRESS_FEE
            } else {
                Amount::ZERO
            };
            sink.step(Step::DeliveryFee {
                schedule: index,
                amount: delivery_fee,
            });
            sink.step(Step::ExpressFee {
                schedule: index,
                amount: express_fee,
            });
            ScheduleFee {
                delivery_fee,
                express_fee,
            }
        });
    fees.collect()
}

/// Rule 8: `deliveryFee`, over the calculated schedules.
pub fn delivery_fee(fees: &[ScheduleFee]) -> Sum {
    fees.iter().map(|fee| fee.delivery_fee).collect()
}

/// D38: `expressShippingCost`.
pub fn express_shipping_cost(fees: &[ScheduleFee]) -> Sum {
    fees.iter().map(|fee| fee.express_fee).collect()
}
