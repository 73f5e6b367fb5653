//! The operator's settings. What is `pub` here is the crate's API.

use crate::error::{Error, Expected, Fault};
use crate::json::{self, Origin, Reader, key_lists, table};
use crate::word::words;

/// Longer than any delay of a JavaScript timer: it would fire at once.
const TOO_LONG_MS: i64 = 1 << 31;
/// What a time limit may be.
pub(crate) const A_TIME: &str = "an integer of 0 to 2147483647";
/// What a limit may be.
pub(crate) const A_LIMIT: &str = "an integer of 0 to 4294967295";

table! {
    /// The settings that an operator chose.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Options {
        /// Which rules apply.
        pub policy: Policy = object("policy", {}, Policy::read, Policy::default()) nested,
        /// How many milliseconds a call of the host may take. 0: no limit (D41).
        pub deadline_ms: u32 = integer(
            "deadlineMs",
            5000,
            |json| json.integer_in(0..TOO_LONG_MS, A_TIME).map(|ms| ms as u32)
        ) plain,
        /// The limits on an order's size.
        pub limits: Limits = object("limits", {}, Limits::read, Limits::default()) nested,
        /// Which types the values of an order may have (D49).
        pub input: Input = word("input", Strict) plain,
    }
}

impl Options {
    /// The known keys of the options, of their `policy` and of their `limits`,
    /// see `key_lists`. JavaScript refuses other keys (D47).
    pub fn known_keys() -> String {
        key_lists(&[Self::KEYS, Policy::KEYS, Limits::KEYS])
    }

    /// Reads the options' JSON text.
    pub fn from_text(text: &[u8], origin: Origin) -> Result<Self, Error> {
        let text = json::text(text).unwrap_or_default();
        Reader::document(&text, origin, Self::read).map_err(|fault| {
            // What cannot be written as JSON is no object of options.
            let no_object = || Fault::expected(Expected::A("an object"));
            Error::InvalidOptions(if fault.is_syntax() {
                no_object()
            } else {
                fault
            })
        })
    }
}

words! {
    /// D49: which types an order's values may have.
    #[derive(Default)]
    pub enum Input {
        /// Those of the specification.
        #[default]
        Strict = "strict",
        /// Also a number as a string, a string as a number, a flag as a string,
        /// and an enum in another case.
        Lenient = "lenient",
    }
}

table! { optional
    /// The readings of the rules that the brief states in two ways.
    #[derive(Clone, Copy, Debug)]
    pub struct Policy {
        /// Which price makes `rowTotal` (D15).
        pub row_total: RowTotal = word("rowTotal", Effective) plain,
        /// What a free-shipping coupon without an amount does (D28).
        pub free_shipping: FreeShipping = word("freeShipping", AsStated) plain,
        /// Which `EXPRESS` schedule pays the 50 baht (D38).
        pub express_surcharge: ExpressSurcharge = word("expressSurcharge", FirstSchedule) plain,
        /// What `subTotal` adds up (D15, D48).
        pub sub_total: SubTotal = word("subTotal", Effective) plain,
        /// From what `discountedRowTotal` is taken (D16, D48).
        pub discounted_row_total: DiscountedRowTotal = word("discountedRowTotal", Effective) plain,
        /// Where `settlementPrice` comes from (D17, D48).
        pub settlement_price: SettlementPrice = word("settlementPrice", RecordOrRowTotal) plain,
        /// What `totalExcludeControlledProducts` subtracts (D20, D48).
        pub exclude_controlled: ExcludeControlled = word("excludeControlled", Effective) plain,
        /// What is folded into `cartDiscount` (D21, D48). It is taken off the order with that, keeps
        /// its own field, and counts once in `totalDiscount`.
        pub folded_discounts: FoldedDiscounts = word("foldedDiscounts", None) plain,
    }
}

words! {
    /// D15: the two statements of `rowTotal`.
    pub enum RowTotal {
        /// `max(price × quantity, 0)`.
        Effective = "effective",
        /// `max(originalPrice × quantity, 0)`. `subTotal` and `grandTotal` stay.
        List = "list",
    }
}

words! {
    /// D28: the effect of a free-shipping coupon without an amount.
    pub enum FreeShipping {
        /// The coupon only sets `isFreeShipping`.
        AsStated = "asStated",
        /// The coupon makes `shippingDiscount` at least `deliveryFee`.
        WaivesDelivery = "waivesDelivery",
    }
}

words! {
    /// D38: which `EXPRESS` schedule pays the surcharge.
    pub enum ExpressSurcharge {
        /// An `EXPRESS` schedule at index 0 of `scheduleList`. Another schedule
        /// in front of it saves the surcharge.
        FirstSchedule = "firstSchedule",
        /// The first `EXPRESS` schedule at any index.
        FirstExpress = "firstExpress",
        /// `expressFee` as with `firstSchedule`, `expressShippingCost` 50 if any
        /// calculated schedule is `EXPRESS`.
        AnyExpress = "anyExpress",
    }
}

words! {
    /// D48: the two statements of `subTotal`.
    pub enum SubTotal {
        /// The sum of `max(price × quantity, 0)`.
        Effective = "effective",
        /// The sum of `rowTotal`.
        RowTotals = "rowTotals",
    }
}

words! {
    /// D48: from what `discountedRowTotal` subtracts.
    pub enum DiscountedRowTotal {
        /// From `max(price × quantity, 0)`.
        Effective = "effective",
        /// From `rowTotal`.
        FromRowTotal = "fromRowTotal",
    }
}

words! {
    /// D48: the two statements of `settlementPrice`, and D17, which joins them.
    pub enum SettlementPrice {
        /// The record's; `rowTotal` if it has none.
        RecordOrRowTotal = "recordOrRowTotal",
        /// The record's; its `price` if it has none.
        Record = "record",
        /// `rowTotal`, whatever the record says.
        RowTotal = "rowTotal",
    }
}

words! {
    /// D48: what `totalExcludeControlledProducts` subtracts.
    pub enum ExcludeControlled {
        /// `max(price × quantity, 0)` of the controlled products.
        Effective = "effective",
        /// Their `rowTotal`.
        RowTotal = "rowTotal",
    }
}

words! {
    /// D48: which discounts are folded into `cartDiscount` (rule 10).
    pub enum FoldedDiscounts {
        /// Nothing.
        None = "none",
        /// `percentageDiscount`.
        Percentage = "percentage",
        /// `two4Discount`.
        Two4 = "two4",
        /// Both.
        Both = "both",
    }
}

impl FoldedDiscounts {
    /// Whether `percentageDiscount` is folded.
    pub fn has_percentage(self) -> bool {
        matches!(self, Self::Percentage | Self::Both)
    }

    /// Whether `two4Discount` is folded.
    pub fn has_two4(self) -> bool {
        matches!(self, Self::Two4 | Self::Both)
    }
}

table! { optional
    /// The limits on an order's size. Repeated entries count each time.
    #[derive(Clone, Copy, Debug)]
    pub struct Limits {
        /// Bytes of the order as JSON: of a text, all of it; of an object, all
        /// but its unknown keys.
        pub max_body_bytes: usize = integer("maxBodyBytes", 1048576, limit) plain,
        /// Length of `productList`.
        pub max_products: usize = integer("maxProducts", 5000, limit) plain,
        /// Length of `voucherId`.
        pub max_vouchers: usize = integer("maxVouchers", 100, limit) plain,
        /// Length of `couponCodeList`.
        pub max_coupons: usize = integer("maxCoupons", 100, limit) plain,
        /// Length of `scheduleList`.
        pub max_schedules: usize = integer("maxSchedules", 100, limit) plain,
    }
}

fn limit(json: &mut Reader<'_>) -> Result<usize, Fault> {
    json.integer_in(0..1 << 32, A_LIMIT)
        .map(|limit| limit as usize)
}

#[cfg(test)]
mod tests {
    use super::{Options, Origin};

    fn read(text: &str) -> Result<Options, String> {
        Options::from_text(text.as_bytes(), Origin::Wire).map_err(|error| error.to_string())
    }

    #[test]
    fn d45_a_limit_and_a_deadline_are_integers_within_bounds() {
        let largest =
            r#"{"deadlineMs":2147483647,"limits":{"maxVouchers":4294967295,"maxCoupons":0}}"#;
        let options = read(largest).expect("these are the bounds");
        assert_eq!(options.deadline_ms, 2_147_483_647);
        assert_eq!(options.limits.max_vouchers, 4_294_967_295);
        assert_eq!(options.limits.max_coupons, 0);
        assert_eq!(options.limits.max_products, 5_000);
        for (beyond, message) in [
            (
                r#"{"deadlineMs":2147483648}"#,
                "Invalid options: deadlineMs: expected an integer of 0 to 2147483647",
            ),
            (
                r#"{"limits":{"maxVouchers":4294967296}}"#,
                "Invalid options: limits.maxVouchers: expected an integer of 0 to 4294967295",
            ),
            (
                r#"{"limits":{"maxVouchers":-1}}"#,
                "Invalid options: limits.maxVouchers: expected an integer of 0 to 4294967295",
            ),
            (
                r#"{"limits":{"maxVouchers":1.5}}"#,
                "Invalid options: limits.maxVouchers: expected an integer of 0 to 4294967295",
            ),
            ("[]", "Invalid options: expected an object"),
            ("", "Invalid options: expected an object"),
        ] {
            assert_eq!(read(beyond).err().as_deref(), Some(message));
        }
    }
}
