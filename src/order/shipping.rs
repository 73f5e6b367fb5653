//! The shipping of an order as the request states it.

use super::Mode;
use crate::json::{Span, table};
use crate::lookup::NationwideMode;
use crate::word::words;

words! {
    /// Whether delivery costs anything.
    pub enum ShippingType {
        /// Every schedule pays the fee of its mode (D33).
        Delivery = "DELIVERY",
        /// No fee and no look-up (D33).
        Pickup = "PICKUP",
    }
}

table! {
    /// How an order is delivered: when, to whom and where.
    #[derive(Clone, Debug)]
    pub struct Shipping(max_schedules: usize) {
        /// Whether delivery costs anything (D33).
        pub shipping_type: ShippingType = word("shippingType", Pickup) plain,
        /// The delivery slots. A `DELIVERY` order pays for each once, whatever its id (D33, D39). At
        /// most `limits.maxSchedules` (D45).
        pub schedules: Vec<Schedule> = objects(
            "scheduleList",
            [],
            |json| json.list_up_to(max_schedules, "schedules", Schedule::read)
        ) nested,
        /// Postcode; it selects the nationwide rate.
        pub postcode: Option<Span> = string("shippingPostcode", "10110") postcode,
        /// Latitude of the address in degrees; it selects the delivery zone (D34).
        pub lat: Option<Span> = degrees("shippingLat", 0) latitude,
        /// Longitude of the address in degrees; it selects the delivery zone (D34).
        pub lon: Option<Span> = degrees("shippingLon", 0) longitude,
        /// First name of the recipient. Passed through.
        pub first_name: Option<Span> = string("shippingFirstName", "") text,
        /// Last name of the recipient. Passed through.
        pub last_name: Option<Span> = string("shippingLastName", "") text,
        /// House number and street. Passed through.
        pub address: Option<Span> = string("shippingAddress", "") text,
        /// Sub-district. Passed through.
        pub sub_district: Option<Span> = string("shippingSubDistrict", "") text,
        /// Province. Passed through.
        pub province: Option<Span> = string("shippingProvince", "") text,
        /// Telephone number. Passed through.
        pub phone: Option<Span> = string("shippingPhone", "") text,
        /// E-mail address. Passed through.
        pub email: Option<Span> = string("shippingEmail", "") text,
        /// Unix timestamp. Passed through.
        pub date: Option<Span> = time("shippingDate", 0) plain,
        /// Code of the branch whose delivery zones apply.
        pub brcode: i64 = integer("brcode", 1000) plain,
    }
    computed {}
    response [
        shipping_type, schedules(schedules), postcode, lat, lon, first_name, last_name, address,
        sub_district, province, phone, email, date, brcode,
    ]
}

table! {
    /// A delivery slot.
    #[derive(Clone, Debug)]
    pub struct Schedule {
        /// Id by which products refer to the slot.
        pub schedule_id: i64 = integer("scheduleId", 0) plain,
        /// Where the fee comes from.
        pub mode: Mode = word("mode", Nationwide) plain,
        /// ISO 8601 timestamp. Passed through unchecked (D11).
        pub date_time: Option<Span> = string("dateTime", null) text,
        /// Which nationwide rate a `NATIONWIDE` slot pays (D36).
        pub nationwide_mode: NationwideMode = word("nationwideMode", Dry) plain,
        /// What a `NATIONWIDE` slot shows if the rate has no `nationwideConfig` of its own (D36).
        pub nationwide_config: Option<Span> = string("nationwideConfig", null) text,
        /// Any JSON about picking. Passed through.
        pub picking_status: Option<Span> = any("pickingStatus", null) anything,
        /// Any JSON about the slot's time. Passed through.
        pub date_slot: Option<Span> = any("date_slot", null) anything,
        /// Hour of the slot. Passed through.
        pub booking_hour: i64 = integer("booking_hour", 0) hour,
    }
    computed {
        /// What its `mode` costs (D34, D36, D37).
        delivery_fee = baht("deliveryFee") plain,
        /// 50 if the mode is `EXPRESS` and this is the first schedule of a `DELIVERY` order, else 0. With
        /// the policy `expressSurcharge: "firstExpress"`: 50 for the first `EXPRESS` schedule (D38).
        /// `"anyExpress"` changes only `expressShippingCost` (D48).
        express_fee = baht("expressFee") plain,
    }
    response [
        schedule_id, mode, date_time, delivery_fee(delivery_fee), express_fee(express_fee),
        nationwide_mode, nationwide_config(config), picking_status, date_slot, booking_hour,
    ]
}
