//! The core's questions, as data.

use crate::code;
use crate::word::words;

/// A call to a function of the host, or to that of the delivery zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Price records by product and branch.
    Prices,
    /// The nationwide rate of the order's postcode and this mode.
    NationwideRate(NationwideMode),
    /// Vouchers by id.
    Vouchers,
    /// The coupon service.
    Coupons,
    /// The delivery zones, if a function of the pricer's options gives them.
    Zones,
}

impl Lookup {
    /// Those that are functions of the host, each once.
    pub const OF_HOST: [Self; 4] = [
        Self::Prices,
        Self::NationwideRate(NationwideMode::Dry),
        Self::Vouchers,
        Self::Coupons,
    ];

    /// Whether it asks for a list of keys, and returns a record for each.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Prices | Self::Vouchers)
    }

    /// The name of the function.
    pub fn function(self) -> &'static str {
        match self {
            Self::Prices => "lookupPrices",
            Self::NationwideRate(_) => "nationwideRate",
            Self::Vouchers => "lookupVouchers",
            Self::Coupons => "validateCoupons",
            Self::Zones => "deliveryZones",
        }
    }

    /// The code of an error that this look-up caused.
    pub fn failed_code(self) -> &'static str {
        match self {
            Self::Prices => code::PRICE_LOOKUP_FAILED,
            Self::NationwideRate(_) => code::NATIONWIDE_RATE_FAILED,
            Self::Vouchers => code::VOUCHER_LOOKUP_FAILED,
            Self::Coupons => code::COUPON_SERVICE_FAILED,
            Self::Zones => code::DELIVERY_ZONES_FAILED,
        }
    }
}

words! {
    /// What kind of goods a nationwide delivery carries.
    pub enum NationwideMode {
        /// Goods that need no cooling.
        Dry = "DRY",
        /// Chilled goods.
        Fresh = "FRESH",
        /// Both.
        Mix = "MIX",
    }
}
