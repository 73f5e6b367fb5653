//! What the core asks of a host: the questions are data.

use std::borrow::Cow;

use crate::word::words;

/// A call of a host's function.
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

/// What the coupon service is asked (D25), as JSON text in two parts: most
/// hosts read a few fields and never look at the products.
#[derive(Debug)]
pub struct CouponRequest<'a> {
    /// The request without its products.
    pub head: Vec<u8>,
    /// `productList`: the priced rows.
    pub product_list: Cow<'a, [u8]>,
}

impl CouponRequest<'_> {
    /// The request as one text.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.head, &*self.product_list].concat()
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
