//! How an order is delivered, as the request says it.

use crate::error::{AtMost, Fault};
use crate::json::{Keys, Reader, Span, keys};
use crate::lookup::NationwideMode;

keys!(ShippingKey {
    ShippingType = "shippingType",
    ScheduleList = "scheduleList",
    ShippingPostcode = "shippingPostcode",
    ShippingLat = "shippingLat",
    ShippingLon = "shippingLon",
    ShippingFirstName = "shippingFirstName",
    ShippingLastName = "shippingLastName",
    ShippingAddress = "shippingAddress",
    ShippingSubDistrict = "shippingSubDistrict",
    ShippingProvince = "shippingProvince",
    ShippingPhone = "shippingPhone",
    ShippingEmail = "shippingEmail",
    ShippingDate = "shippingDate",
    Brcode = "brcode",
});

keys!(ScheduleKey {
    ScheduleId = "scheduleId",
    Mode = "mode",
    DateTime = "dateTime",
    NationwideMode = "nationwideMode",
    NationwideConfig = "nationwideConfig",
    PickingStatus = "pickingStatus",
    DateSlot = "date_slot",
    BookingHour = "booking_hour",
});

/// The keys that a shipping is read by (D2), and those of its schedules.
pub const KEYS: [&[&str]; 2] = [ShippingKey::TEXTS, ScheduleKey::TEXTS];

/// Whether an order is delivered at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShippingType {
    /// To an address.
    Delivery,
    /// The customer fetches it.
    #[default]
    Pickup,
}

impl ShippingType {
    const WORDS: [&'static str; 2] = ["DELIVERY", "PICKUP"];
    const ALL: [Self; 2] = [Self::Delivery, Self::Pickup];

    /// The spec's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Delivery => "DELIVERY",
            Self::Pickup => "PICKUP",
        }
    }
}

/// Which calculator sets the fee of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// The branch's own delivery.
    Regular,
    /// The same, at once.
    Express,
    /// By parcel to anywhere in Thailand.
    #[default]
    Nationwide,
    /// The customer fetches it.
    Pickup,
}

impl Mode {
    const WORDS: [&'static str; 4] = ["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"];
    const ALL: [Self; 4] = [Self::Regular, Self::Express, Self::Nationwide, Self::Pickup];

    /// The spec's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Regular => "REGULAR",
            Self::Express => "EXPRESS",
            Self::Nationwide => "NATIONWIDE",
            Self::Pickup => "PICKUP",
        }
    }
}

/// The shipping of an order. A [`Span`] is the JSON text of a field that is
/// only passed on; `None` was not sent.
#[derive(Clone, Debug, Default)]
pub struct Shipping {
    /// Whether it is delivered.
    pub shipping_type: ShippingType,
    /// The delivery slots.
    pub schedules: Vec<Schedule>,
    /// For the nationwide rate.
    pub postcode: Option<Span>,
    /// For the delivery zones, in degrees.
    pub lat: Coordinate,
    /// For the delivery zones, in degrees.
    pub lon: Coordinate,
    /// Passed through.
    pub first_name: Option<Span>,
    /// Passed through.
    pub last_name: Option<Span>,
    /// Passed through.
    pub address: Option<Span>,
    /// Passed through.
    pub sub_district: Option<Span>,
    /// Passed through.
    pub province: Option<Span>,
    /// Passed through.
    pub phone: Option<Span>,
    /// Passed through.
    pub email: Option<Span>,
    /// Passed through.
    pub date: Option<Span>,
    /// The branch whose delivery zones count; 1000 unless sent.
    pub brcode: Option<i64>,
}

/// A coordinate, and how the request wrote it (D6).
#[derive(Clone, Copy, Debug, Default)]
pub struct Coordinate {
    /// Degrees; 0 unless sent.
    pub degrees: f64,
    /// As it was sent.
    pub text: Option<Span>,
}

/// A delivery slot.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// The id that links products to it; 0 unless sent.
    pub schedule_id: i64,
    /// Which calculator sets the fee.
    pub mode: Mode,
    /// Passed through.
    pub date_time: Option<Span>,
    /// For the nationwide rate.
    pub nationwide_mode: NationwideMode,
    /// What the request says; D36 says when it counts.
    pub nationwide_config: Option<Span>,
    /// Passed through.
    pub picking_status: Option<Span>,
    /// Passed through.
    pub date_slot: Option<Span>,
    /// Passed through; 0 unless sent.
    pub booking_hour: i64,
}

impl Shipping {
    /// The branch whose delivery zones count.
    pub fn brcode(&self) -> i64 {
        self.brcode.unwrap_or(1000)
    }

    /// The schedules that a fee is calculated for: all or none (D33).
    pub fn calculated(&self) -> &[Schedule] {
        match self.shipping_type {
            ShippingType::Delivery => &self.schedules,
            ShippingType::Pickup => &[],
        }
    }

    pub(crate) fn read(json: &mut Reader<'_>, max_schedules: usize) -> Result<Self, Fault> {
        // D45.
        let max_schedules = AtMost {
            limit: max_schedules,
            of: "schedules",
        };
        let mut shipping = Self::default();
        json.fields(|json, key| {
            match key {
                ShippingKey::ShippingType => {
                    let sent =
                        json.optional(|json| json.word(&ShippingType::WORDS, &ShippingType::ALL))?;
                    shipping.shipping_type = sent.unwrap_or_default();
                }
                ShippingKey::ScheduleList => {
                    shipping.schedules = json
                        .optional(|json| json.list_up_to(max_schedules, Schedule::read))?
                        .unwrap_or_default()
                }
                ShippingKey::ShippingPostcode => {
                    shipping.postcode = json.optional(Reader::string)?
                }
                ShippingKey::ShippingLat => {
                    shipping.lat = json.optional(Coordinate::read)?.unwrap_or_default()
                }
                ShippingKey::ShippingLon => {
                    shipping.lon = json.optional(Coordinate::read)?.unwrap_or_default()
                }
                ShippingKey::ShippingFirstName => {
                    shipping.first_name = json.optional(Reader::string)?
                }
                ShippingKey::ShippingLastName => {
                    shipping.last_name = json.optional(Reader::string)?
                }
                ShippingKey::ShippingAddress => shipping.address = json.optional(Reader::string)?,
                ShippingKey::ShippingSubDistrict => {
                    shipping.sub_district = json.optional(Reader::string)?
                }
                ShippingKey::ShippingProvince => {
                    shipping.province = json.optional(Reader::string)?
                }
                ShippingKey::ShippingPhone => shipping.phone = json.optional(Reader::string)?,
                ShippingKey::ShippingEmail => shipping.email = json.optional(Reader::string)?,
                ShippingKey::ShippingDate => shipping.date = json.optional(Reader::number)?,
                ShippingKey::Brcode => shipping.brcode = json.optional(Reader::integer)?,
            }
            Ok(())
        })?;
        Ok(shipping)
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

impl Schedule {
    fn read(json: &mut Reader<'_>) -> Result<Self, Fault> {
        const NATIONWIDE_WORDS: [&str; 3] = ["DRY", "FRESH", "MIX"];
        let mut schedule = Self::default();
        json.fields(|json, key| {
            match key {
                ScheduleKey::ScheduleId => {
                    schedule.schedule_id = json.optional(Reader::integer)?.unwrap_or_default()
                }
                ScheduleKey::Mode => {
                    let sent = json.optional(|json| json.word(&Mode::WORDS, &Mode::ALL))?;
                    schedule.mode = sent.unwrap_or_default();
                }
                // D11: a string, but not checked to be a timestamp.
                ScheduleKey::DateTime => schedule.date_time = json.optional(Reader::string)?,
                ScheduleKey::NationwideMode => {
                    let sent =
                        json.optional(|json| json.word(&NATIONWIDE_WORDS, &NationwideMode::ALL))?;
                    schedule.nationwide_mode = sent.unwrap_or_default();
                }
                ScheduleKey::NationwideConfig => {
                    schedule.nationwide_config = json.optional(Reader::string)?
                }
                ScheduleKey::PickingStatus => {
                    schedule.picking_status = json.optional(Reader::opaque)?
                }
                ScheduleKey::DateSlot => schedule.date_slot = json.optional(Reader::opaque)?,
                ScheduleKey::BookingHour => {
                    schedule.booking_hour = json.optional(Reader::integer)?.unwrap_or_default()
                }
            }
            Ok(())
        })?;
        Ok(schedule)
    }
}
