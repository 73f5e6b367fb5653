//! What an operator may choose.

/// Which reading of the spec's contested rules applies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Policy {
    /// D15.
    pub row_total: RowTotal,
    /// D28.
    pub free_shipping: FreeShipping,
    /// D38.
    pub express_surcharge: ExpressSurcharge,
}

/// D15: the two statements of `rowTotal`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowTotal {
    /// `max(price × quantity, 0)`.
    #[default]
    Effective,
    /// `max(originalPrice × quantity, 0)`.
    List,
}

/// D28: what a free-shipping coupon without an amount does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FreeShipping {
    /// Nothing but set `isFreeShipping`.
    #[default]
    AsStated,
    /// It makes `shippingDiscount` at least `deliveryFee`.
    WaivesDelivery,
}

impl FreeShipping {
    /// The option's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::AsStated => "asStated",
            Self::WaivesDelivery => "waivesDelivery",
        }
    }
}

/// D38: which `EXPRESS` schedule pays the surcharge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExpressSurcharge {
    /// The one at index 0 of `scheduleList`, so that a schedule put before it
    /// saves the surcharge.
    #[default]
    FirstSchedule,
    /// The first one, wherever it stands.
    FirstExpress,
}

impl ExpressSurcharge {
    /// The option's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::FirstSchedule => "firstSchedule",
            Self::FirstExpress => "firstExpress",
        }
    }
}

/// How large an order may be. Repeated entries count.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of the body.
    pub max_body_bytes: usize,
    /// Products in `productList`.
    pub max_products: usize,
    /// Ids in `voucherId`.
    pub max_vouchers: usize,
    /// Codes in `couponCodeList`.
    pub max_coupons: usize,
    /// Schedules in `scheduleList`.
    pub max_schedules: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_bytes: 1_048_576,
            max_products: 5_000,
            max_vouchers: 100,
            max_coupons: 100,
            max_schedules: 100,
        }
    }
}
