//! Delivery fees: each schedule's mode chooses the calculator.

mod nationwide;
mod zones;

pub use nationwide::{NationwideRate, NationwideRates};
pub use zones::Zones;

use crate::error::NoZone;
use crate::explain::{Sink, Step};
use crate::lookup::NationwideMode;
use crate::money::Amount;
use crate::options::ExpressSurcharge;
use crate::order::{Order, Schedule, Shipping, ShippingType, SourceKind};

/// The surcharge of an express delivery in THB, as the brief states it.
pub const EXPRESS_FEE: Amount = Amount::new(50, 0);

/// The source of a calculated schedule's fee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeeSource {
    /// The fee of the zone at the address, or why there is none (D34).
    Zone(Result<Amount, NoZone>),
    /// The fee of a zone, but the zones are not known yet.
    UnknownZones,
    /// The nationwide rate of this mode (D36).
    Nationwide(NationwideMode),
    /// A fee that is known without facts: 0 (D37).
    Fixed(Amount),
}

/// The source of each schedule's fee; none if the order is not delivered (D33).
/// `None` as `zones`: the zones are not known.
pub fn fee_sources(order: &Order, zones: Option<&Zones>) -> Vec<FeeSource> {
    let shipping = order.fields.shipping.as_ref();
    let Some(shipping) = shipping.filter(|it| it.shipping_type == ShippingType::Delivery) else {
        return Vec::new();
    };
    let zone = || {
        zones.map_or(FeeSource::UnknownZones, |zones| {
            let [lon, lat] = [shipping.lon, shipping.lat].map(|degrees| order.degrees(degrees));
            FeeSource::Zone(zones.fee_at(shipping.brcode, lon, lat))
        })
    };
    // All schedules share the order's address: its zone is looked up once.
    let mut found = None;
    let source = |schedule: &Schedule| match schedule.mode.terms().source {
        SourceKind::Zone => *found.get_or_insert_with(zone),
        SourceKind::NationwideRate => FeeSource::Nationwide(schedule.nationwide_mode),
        SourceKind::Free => FeeSource::Fixed(Amount::ZERO),
    };
    shipping.schedules.iter().map(source).collect()
}

/// The fees of one schedule.
#[derive(Clone, Debug)]
pub struct ScheduleFee {
    /// `deliveryFee` in THB.
    pub delivery_fee: Amount,
    /// `expressFee` in THB.
    pub express_fee: Amount,
    /// Its part of `expressShippingCost` in THB: `express_fee`, unless the
    /// policy takes the two statements apart (D48).
    pub surcharge: Amount,
}

/// The fees of every schedule; 0 if the order is not delivered (D33), or if a
/// basket does not know the fee yet.
pub fn schedule_fees(
    shipping: &Shipping,
    sources: &[FeeSource],
    rates: &NationwideRates,
    surcharge: ExpressSurcharge,
    sink: &mut dyn Sink,
) -> Vec<ScheduleFee> {
    let first = first_of(shipping, surcharge);
    let schedules = shipping.schedules.iter().enumerate();
    let fees = schedules.map(|(index, schedule)| {
        let source = sources.get(index);
        let delivery_fee = match source {
            Some(FeeSource::Zone(fee)) => fee.ok(),
            Some(FeeSource::Nationwide(mode)) => rates.get(*mode).map(|rate| rate.delivery_fee),
            Some(FeeSource::Fixed(fee)) => Some(*fee),
            Some(FeeSource::UnknownZones) | None => None,
        };
        let is_first = first == Some(index);
        let is_express = source.is_some() && schedule.mode.terms().surcharge;
        let if_due = |is_due| if is_due { EXPRESS_FEE } else { Amount::ZERO };
        let surcharge_due = if_due(is_express && is_first);
        let fee = ScheduleFee {
            delivery_fee: delivery_fee.unwrap_or_default(),
            express_fee: match surcharge {
                ExpressSurcharge::AnyExpress => if_due(is_express && index == 0),
                _ => surcharge_due,
            },
            surcharge: surcharge_due,
        };
        sink.report(|sink| report_fee(shipping, index, schedule, &fee, surcharge, is_first, sink));
        fee
    });
    fees.collect()
}

/// D38: the index of the schedule for which the order pays the surcharge if it
/// is `EXPRESS`.
fn first_of(shipping: &Shipping, surcharge: ExpressSurcharge) -> Option<usize> {
    let is_express = |schedule: &Schedule| schedule.mode.terms().surcharge;
    match surcharge {
        ExpressSurcharge::FirstSchedule => Some(0),
        ExpressSurcharge::FirstExpress | ExpressSurcharge::AnyExpress => {
            shipping.schedules.iter().position(is_express)
        }
    }
}

/// Reports the fees of a schedule, and the order's words that decide them.
fn report_fee(
    shipping: &Shipping,
    index: usize,
    schedule: &Schedule,
    fee: &ScheduleFee,
    surcharge: ExpressSurcharge,
    is_first: bool,
    sink: &mut dyn Sink,
) {
    let is_delivered = shipping.shipping_type == ShippingType::Delivery;
    let terms = schedule.mode.terms();
    let of_schedule = |rule, decision, amount| {
        Step::new(rule, if is_delivered { decision } else { "D33" }, amount)
            .counted()
            .at(format!("shipping.scheduleList[{index}]"))
            .with("shippingType", shipping.shipping_type.word())
            .with("mode", schedule.mode.word())
    };
    let mut delivery = of_schedule("deliveryFee", terms.decision, fee.delivery_fee);
    if terms.source == SourceKind::NationwideRate {
        delivery = delivery.with("nationwideMode", schedule.nationwide_mode.word());
    }
    if is_delivered && terms.source != SourceKind::Free {
        delivery = delivery.with("fee", fee.delivery_fee);
    }
    sink.step(&delivery);
    if terms.surcharge {
        let express = of_schedule("expressFee", "D38", fee.surcharge)
            .with("expressSurcharge", surcharge.word())
            .with("isFirst", is_first)
            .with("surcharge", EXPRESS_FEE);
        sink.step(&express);
    }
}
