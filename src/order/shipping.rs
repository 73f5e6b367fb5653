//! How an order is delivered, as the request says it.

use crate::error::Fault;
use crate::json::{Reader, Span, schema};
use crate::lookup::NationwideMode;
use crate::word::words;

words! {
    /// Whether an order is delivered at all.
    pub enum ShippingType {
        /// To an address.
        Delivery = "DELIVERY",
        /// The customer fetches it.
        Pickup = "PICKUP",
    }
}

words! {
    /// Which calculator sets the fee of a schedule.
    pub enum Mode {
        /// The branch's own delivery.
        Regular = "REGULAR",
        /// The same, at once.
        Express = "EXPRESS",
        /// By parcel to anywhere in Thailand.
        Nationwide = "NATIONWIDE",
        /// The customer fetches it.
        Pickup = "PICKUP",
    }
}

schema! {
    /// The shipping of an order. What is not described is only passed on.
    #[derive(Clone, Debug)]
    pub struct Shipping(max_schedules: usize) {
        /// Whether it is delivered.
        pub shipping_type: ShippingType = or("shippingType", Reader::word, ShippingType::Pickup),
        /// The delivery slots.
        pub schedules: Vec<Schedule> = or(
            "scheduleList",
            |json| json.list_up_to(max_schedules, "schedules", Schedule::read),
            Vec::new()
        ),
        /// For the nationwide rate.
        pub postcode: Option<Span> = optional("shippingPostcode", Reader::string),
        /// For the delivery zones, in degrees.
        pub lat: Coordinate = or("shippingLat", Coordinate::read, Coordinate::default()),
        /// For the delivery zones, in degrees.
        pub lon: Coordinate = or("shippingLon", Coordinate::read, Coordinate::default()),
        pub first_name: Option<Span> = optional("shippingFirstName", Reader::string),
        pub last_name: Option<Span> = optional("shippingLastName", Reader::string),
        pub address: Option<Span> = optional("shippingAddress", Reader::string),
        pub sub_district: Option<Span> = optional("shippingSubDistrict", Reader::string),
        pub province: Option<Span> = optional("shippingProvince", Reader::string),
        pub phone: Option<Span> = optional("shippingPhone", Reader::string),
        pub email: Option<Span> = optional("shippingEmail", Reader::string),
        pub date: Option<Span> = optional("shippingDate", Reader::number),
        /// The branch whose delivery zones count.
        pub brcode: i64 = or("brcode", Reader::integer, 1000),
    }
}

schema! {
    /// A delivery slot. What is not described is only passed on.
    #[derive(Clone, Debug)]
    pub struct Schedule {
        /// The id that links products to it.
        pub schedule_id: i64 = or("scheduleId", Reader::integer, 0),
        /// Which calculator sets the fee.
        pub mode: Mode = or("mode", Reader::word, Mode::Nationwide),
        /// D11: a string, but not checked to be a timestamp.
        pub date_time: Option<Span> = optional("dateTime", Reader::string),
        /// For the nationwide rate.
        pub nationwide_mode: NationwideMode = or("nationwideMode", Reader::word, NationwideMode::Dry),
        /// What the request says; D36 says when it counts.
        pub nationwide_config: Option<Span> = optional("nationwideConfig", Reader::string),
        pub picking_status: Option<Span> = optional("pickingStatus", Reader::opaque),
        pub date_slot: Option<Span> = optional("date_slot", Reader::opaque),
        pub booking_hour: i64 = or("booking_hour", Reader::integer, 0),
    }
}

/// A coordinate, and how the request wrote it (D6).
#[derive(Clone, Copy, Debug, Default)]
pub struct Coordinate {
    /// Degrees; 0 unless sent.
    pub degrees: f64,
    /// As it was sent.
    pub text: Option<Span>,
}

impl Shipping {
    /// The schedules that a fee is calculated for: all or none (D33).
    pub fn calculated(&self) -> &[Schedule] {
        match self.shipping_type {
            ShippingType::Delivery => &self.schedules,
            ShippingType::Pickup => &[],
        }
    }
}

impl Coordinate {
    fn read(json: &mut Reader<'_>) -> Result<Self, Fault> {
        let (text, degrees) = json.coordinate()?;
        Ok(Self {
            degrees,
            text: Some(text),
        })
    }
}
