//! What delivery costs: each schedule's mode chooses the calculator.

mod nationwide;
mod zones;

pub use nationwide::{NationwideRate, NationwideRates};
pub use zones::{NoZone, Zone, Zones};

use crate::lookup::NationwideMode;
use crate::money::{Amount, Sum};
use crate::shipping::{Mode, Schedule, Shipping};

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

impl ScheduleFee {
    /// What a schedule costs of an order that is not delivered (D33).
    pub const NONE: Self = Self {
        delivery_fee: Amount::ZERO,
        express_fee: Amount::ZERO,
    };

    /// D38: the surcharge is due for an express schedule that is the first one.
    pub fn of(index: usize, mode: Mode, delivery_fee: Amount) -> Self {
        let express_fee = if index == 0 && mode == Mode::Express {
            EXPRESS_FEE
        } else {
            Amount::ZERO
        };
        Self {
            delivery_fee,
            express_fee,
        }
    }
}

/// Rule 8: `deliveryFee`, over the calculated schedules.
pub fn delivery_fee(fees: &[ScheduleFee]) -> Sum {
    fees.iter().map(|fee| fee.delivery_fee).collect()
}

/// D38: `expressShippingCost`.
pub fn express_shipping_cost(fees: &[ScheduleFee]) -> Sum {
    fees.iter().map(|fee| fee.express_fee).collect()
}
