//! The record of a product in a shard's table.

use crate::json::{Origin, Writer};
use crate::money::{Amount, AmountText};
use crate::rules::PriceRecord;

/// Stands in place of a record: the product has no price, whatever the layers
/// behind say.
const TOMBSTONE: &str = "-";

/// Half a cache line, so that to find a record costs one miss.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Entry {
    pub(super) code: i64,
    /// The mantissas of `price`, `originalPrice`, `settlementPrice` and `weight`,
    /// as an order is priced with them. Of a text: where it begins and ends.
    amounts: [u32; AMOUNTS],
    scales: [u8; AMOUNTS],
    /// The fields that the text has: a bit for each of `PriceRecord::KEYS`.
    given: u8,
    is_controlled: bool,
    pub(super) kind: Kind,
}

const AMOUNTS: usize = 4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// The place is free.
    #[default]
    Free,
    Tombstone,
    Record,
    /// The record stands as text beside the table, with its faults.
    Text,
}

impl Entry {
    /// `record` moves to `texts` if it does not fit: if the entry would not give
    /// the same text again.
    pub(super) fn of(code: i64, record: &str, texts: &mut String) -> Self {
        let fitting = Self::fitting(code, record).filter(|entry| entry.text() == record.as_bytes());
        fitting.unwrap_or_else(|| {
            let start = texts.len() as u32;
            texts.push_str(record);
            Self {
                code,
                amounts: [start, texts.len() as u32, 0, 0],
                kind: Kind::Text,
                ..Self::default()
            }
        })
    }

    fn fitting(code: i64, text: &str) -> Option<Self> {
        if text == TOMBSTONE {
            let kind = Kind::Tombstone;
            return Some(Self {
                code,
                kind,
                ..Self::default()
            });
        }
        let record = PriceRecord::from_text(text, Origin::Wire).ok()??;
        let mut entry = Self {
            code,
            is_controlled: record.is_controlled,
            kind: Kind::Record,
            ..Self::default()
        };
        let settlement_price = record.settlement_price;
        let amounts = [
            record.price,
            record.original_price,
            settlement_price.unwrap_or(Amount::ZERO.into()),
            record.weight,
        ];
        let places = entry.amounts.iter_mut().zip(&mut entry.scales);
        for ((mantissa, scale), amount) in places.zip(amounts) {
            (*mantissa, *scale) = amount.amount.small()?;
        }
        for (place, key) in PriceRecord::KEYS.iter().enumerate() {
            entry.given |= u8::from(has(text, key)) << place;
        }
        Some(entry)
    }

    fn gives(&self, place: usize) -> bool {
        self.given >> place & 1 == 1
    }

    /// The record.
    #[inline]
    pub(super) fn record(&self) -> PriceRecord {
        const SETTLEMENT_PRICE: usize = 2;
        let amount = |mantissa: u32, scale: u8| {
            AmountText::repeated(Amount::new(mantissa.into(), scale.into()))
        };
        let [price, original_price, settlement_price, weight] = self.amounts;
        let [of_price, of_original, of_settlement, of_weight] = self.scales;
        let has_settlement = self.gives(SETTLEMENT_PRICE);
        PriceRecord {
            price: amount(price, of_price),
            original_price: amount(original_price, of_original),
            settlement_price: has_settlement.then(|| amount(settlement_price, of_settlement)),
            weight: amount(weight, of_weight),
            is_controlled: self.is_controlled,
        }
    }

    /// Its text among those beside the table.
    pub(super) fn text_in<'a>(&self, texts: &'a str) -> &'a str {
        let [start, end, ..] = self.amounts;
        texts.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The text of a record or a tombstone.
    pub(super) fn text(&self) -> Vec<u8> {
        if self.kind == Kind::Tombstone {
            return TOMBSTONE.into();
        }
        let mut out = Writer::with_capacity(64);
        let mut before = "{";
        for (place, key) in PriceRecord::KEYS.iter().enumerate() {
            if self.gives(place) {
                out.raw(before).raw(key);
                before = ",";
                match self.amounts.get(place).zip(self.scales.get(place)) {
                    Some((mantissa, scale)) => write_decimal(*mantissa, *scale, &mut out),
                    None => _ = out.boolean(self.is_controlled),
                }
            }
        }
        out.raw("}");
        out.into_bytes()
    }
}

fn has(text: &str, key: &str) -> bool {
    let mut parts = text.as_bytes().windows(key.len());
    parts.any(|part| part == key.as_bytes())
}

/// Writes `mantissa × 10^-scale` with all its places.
fn write_decimal(mantissa: u32, scale: u8, out: &mut Writer) {
    let mut unit = 10_u64.pow(scale.into());
    let mut rest = u64::from(mantissa);
    out.integer((rest / unit) as i64);
    if unit > 1 {
        out.raw(".");
    }
    while unit > 1 {
        rest %= unit;
        unit /= 10;
        out.integer((rest / unit) as i64);
    }
}
