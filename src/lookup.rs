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
        self == Self::Prices || !self.row().id.is_empty()
    }

    /// The name of the function.
    pub const fn function(self) -> &'static str {
        self.row().function
    }

    /// The code of an error that this look-up caused.
    pub const fn failed_code(self) -> &'static str {
        self.row().failed
    }

    /// Its name, part of the facts, key and codes.
    #[doc(hidden)]
    pub const fn row(self) -> Row {
        match self {
            Self::Prices => Row {
                function: "lookupPrices",
                part: "prices",
                id: "",
                failed: code::PRICE_LOOKUP_FAILED,
                not_found: code::PRODUCT_PRICE_NOT_FOUND,
            },
            Self::NationwideRate(_) => Row {
                function: "nationwideRate",
                part: "rates",
                id: "",
                failed: code::NATIONWIDE_RATE_FAILED,
                not_found: code::NATIONWIDE_RATE_NOT_FOUND,
            },
            Self::Vouchers => Row {
                function: "lookupVouchers",
                part: "vouchers",
                id: "voucherId",
                failed: code::VOUCHER_LOOKUP_FAILED,
                not_found: code::VOUCHER_NOT_FOUND,
            },
            Self::Coupons => Row {
                function: "validateCoupons",
                part: "coupons",
                id: "",
                failed: code::COUPON_SERVICE_FAILED,
                not_found: "",
            },
            Self::Zones => Row {
                function: "deliveryZones",
                part: "deliveryZones",
                id: "",
                failed: code::DELIVERY_ZONES_FAILED,
                not_found: "",
            },
        }
    }
}

/// What there is to say of a look-up. JavaScript has those of the host as
/// `LOOK_UPS`.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name of the function.
    pub function: &'static str,
    /// The part of the facts that its answers are.
    pub part: &'static str,
    /// The key field of its records and errors, such as `voucherId`, if it is asked for
    /// a list of ids; else empty. What stands before `Id` names its store and keys.
    pub id: &'static str,
    /// The code of an error that it caused.
    pub failed: &'static str,
    /// The code of an error if there is no record; empty: there is none, or not one
    /// alone.
    pub not_found: &'static str,
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
