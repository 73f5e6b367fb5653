//! The price record of a product at a branch.

use crate::error::Fault;
use crate::json::{Origin, Reader, keys};
use crate::money::{Amount, Figure};

keys!(PriceKey {
    Price = "price",
    OriginalPrice = "originalPrice",
    SettlementPrice = "settlementPrice",
    Weight = "weight",
    IsControlledProduct = "isControlledProduct",
});

/// The weight of a product of which none is known, in kg.
const DEFAULT_WEIGHT: Amount = Amount::thousandths(250);

/// What the price database says of a product at a branch, per unit.
#[derive(Clone, Copy, Debug)]
pub struct PriceRecord {
    /// The current price in THB.
    pub price: Figure,
    /// The list price in THB.
    pub original_price: Figure,
    /// The settlement price in THB, where the record has one (D17).
    pub settlement_price: Option<Figure>,
    /// In kg.
    pub weight: Figure,
    /// Whether it is on the controlled list.
    pub is_controlled: bool,
}

impl PriceRecord {
    /// Reads what a host answered; `None`: nothing was found.
    pub(crate) fn from_text(record: &str, origin: Origin) -> Result<Option<Self>, Fault> {
        Reader::document(record, origin, |json| json.optional(Self::read))
    }

    fn read(json: &mut Reader<'_>) -> Result<Self, Fault> {
        let (mut price, mut original_price, mut settlement_price) = (None, None, None);
        let (mut weight, mut is_controlled) = (None, None);
        json.frequent_fields(|json, key| {
            match key {
                PriceKey::Price => price = Some(json.required(|json| json.figure())?),
                PriceKey::OriginalPrice => original_price = json.optional(|json| json.figure())?,
                PriceKey::SettlementPrice => {
                    settlement_price = json.optional(|json| json.figure())?
                }
                PriceKey::Weight => weight = json.optional(|json| json.figure())?,
                PriceKey::IsControlledProduct => {
                    is_controlled = json.optional(|json| json.frequent_boolean())?
                }
            }
            Ok(())
        })?;
        let price = price.ok_or_else(|| Fault::missing("price"))?;
        Ok(Self {
            price,
            // D18
            original_price: original_price.unwrap_or(price),
            settlement_price,
            weight: weight.unwrap_or(DEFAULT_WEIGHT.into()),
            is_controlled: is_controlled.unwrap_or_default(),
        })
    }
}
