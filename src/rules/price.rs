//! The price record of a product at a branch.

use crate::error::Fault;
use crate::json::{Origin, Reader, schema};
use crate::money::{Amount, Figure};

/// The weight in kg of a product whose record has none.
const DEFAULT_WEIGHT: Amount = Amount::new(250, 3);

schema! { frequent
    /// The price database's record of a product at a branch, per unit.
    #[derive(Clone, Copy, Debug)]
    pub struct PriceRecord {
        /// The current price in THB.
        pub price: Figure = required("price", |json| json.figure()),
        /// The list price in THB (D18).
        pub original_price: Figure = or("originalPrice", |json| json.figure(), price),
        /// The settlement price in THB, if the record has one (D17).
        pub settlement_price: Option<Figure> = optional("settlementPrice", |json| json.figure()),
        /// The weight in kg.
        pub weight: Figure = or("weight", |json| json.figure(), DEFAULT_WEIGHT.into()),
        /// Whether the product is on the controlled list.
        pub is_controlled: bool = or("isControlledProduct", Reader::boolean, false),
    }
}

impl PriceRecord {
    /// Reads a host's answer; `None` if the host found nothing.
    pub(crate) fn from_text(record: &str, origin: Origin) -> Result<Option<Self>, Fault> {
        Reader::document(record, origin, |json| json.optional(Self::read))
    }
}
