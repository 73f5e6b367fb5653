//! The core's questions to a host, as data.

use crate::word::words;

/// A call to a function of the host.
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
}

impl Lookup {
    /// Every call that an order can need.
    pub const ALL: [Self; 6] = [
        Self::Prices,
        Self::NationwideRate(NationwideMode::Dry),
        Self::NationwideRate(NationwideMode::Fresh),
        Self::NationwideRate(NationwideMode::Mix),
        Self::Vouchers,
        Self::Coupons,
    ];

    /// The name of the host's function.
    pub fn function(self) -> &'static str {
        match self {
            Self::Prices => "lookupPrices",
            Self::NationwideRate(_) => "nationwideRate",
            Self::Vouchers => "lookupVouchers",
            Self::Coupons => "validateCoupons",
        }
    }

    /// The code of an error that this look-up caused.
    pub fn failed_code(self) -> &'static str {
        match self {
            Self::Prices => "PRICE_LOOKUP_FAILED",
            Self::NationwideRate(_) => "NATIONWIDE_RATE_FAILED",
            Self::Vouchers => "VOUCHER_LOOKUP_FAILED",
            Self::Coupons => "COUPON_SERVICE_FAILED",
        }
    }
}

words! {
    /// How a nationwide parcel is kept.
    pub enum NationwideMode {
        /// At room temperature.
        Dry = "DRY",
        /// Chilled.
        Fresh = "FRESH",
        /// Both.
        Mix = "MIX",
    }
}
