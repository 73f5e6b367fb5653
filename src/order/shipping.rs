//! The shipping of an order as the request states it.

use crate::json::{Reader, Span, schema};
use crate::lookup::NationwideMode;
use crate::word::words;

words! {
    /// Whether an order is delivered at all.
    pub enum ShippingType {
        /// To an address.
        Delivery = "DELIVERY",
        /// The customer collects the order.
        Pickup = "PICKUP",
    }
}

words! {
    /// The calculator that sets the fee of a schedule.
    pub enum Mode {
        /// The branch's own delivery.
        Regular = "REGULAR",
        /// The branch's own delivery, at once.
        Express = "EXPRESS",
        /// By parcel to anywhere in Thailand.
        Nationwide = "NATIONWIDE",
        /// The customer collects the order.
        Pickup = "PICKUP",
    }
}

schema! {
    /// An order's shipping. Fields without a description are only passed on.
    #[derive(Clone, Debug)]
    pub struct Shipping(max_schedules: usize) {
        /// Whether the order is delivered.
        pub shipping_type: ShippingType = or("shippingType", Reader::word, ShippingType::Pickup),
        /// The delivery slots.
        pub schedules: Vec<Schedule> = or(
            "scheduleList",
            |json| json.list_up_to(max_schedules, "schedules", Schedule::read),
            Vec::new()
        ),
        /// For the nationwide rate.
        pub postcode: Option<Span> = optional("shippingPostcode", Reader::string),
        /// For the delivery zones, see [`Order::degrees`](super::Order::degrees).
        pub lat: Option<Span> = optional("shippingLat", Reader::coordinate),
        /// For the delivery zones, see [`Order::degrees`](super::Order::degrees).
        pub lon: Option<Span> = optional("shippingLon", Reader::coordinate),
        pub first_name: Option<Span> = optional("shippingFirstName", Reader::string),
        pub last_name: Option<Span> = optional("shippingLastName", Reader::string),
        pub address: Option<Span> = optional("shippingAddress", Reader::string),
        pub sub_district: Option<Span> = optional("shippingSubDistrict", Reader::string),
        pub province: Option<Span> = optional("shippingProvince", Reader::string),
        pub phone: Option<Span> = optional("shippingPhone", Reader::string),
        pub email: Option<Span> = optional("shippingEmail", Reader::string),
        pub date: Option<Span> = optional("shippingDate", Reader::number),
        /// The branch whose delivery zones apply.
        pub brcode: i64 = or("brcode", Reader::integer, 1000),
    }
}

schema! {
    /// A delivery slot. Fields without a description are only passed on.
    #[derive(Clone, Debug)]
    pub struct Schedule {
        /// The id that links products to the schedule.
        pub schedule_id: i64 = or("scheduleId", Reader::integer, 0),
        /// The calculator that sets the fee.
        pub mode: Mode = or("mode", Reader::word, Mode::Nationwide),
        /// Any string: it need not be a timestamp (D11).
        pub date_time: Option<Span> = optional("dateTime", Reader::string),
        /// For the nationwide rate.
        pub nationwide_mode: NationwideMode = or("nationwideMode", Reader::word, NationwideMode::Dry),
        /// The request's value; D36 says when it applies.
        pub nationwide_config: Option<Span> = optional("nationwideConfig", Reader::string),
        pub picking_status: Option<Span> = optional("pickingStatus", Reader::opaque),
        pub date_slot: Option<Span> = optional("date_slot", Reader::opaque),
        pub booking_hour: i64 = or("booking_hour", Reader::integer, 0),
    }
}
