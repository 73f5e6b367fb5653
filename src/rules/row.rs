//! A priced product: one row of the bill.

use super::price::PriceRecord;
use crate::error::{Error, Part};
use crate::explain::{Sink, Step};
use crate::json::{Columns, Line, Writer, lines};
use crate::money::{Amount, AmountText, Sum};
use crate::options::{
    DiscountedRowTotal, ExcludeControlled, Policy, RowTotal, SettlementPrice, SubTotal,
};
use crate::order::{Order, Product};

/// The computed values of a product.
#[derive(Clone, Debug)]
pub struct Row {
    /// The product's price record.
    pub record: PriceRecord,
    /// `max(price × quantity, 0)` (D15); 0 if that is too large and no field
    /// uses it (D19).
    pub effective: Amount,
    /// `rowTotal` (D15).
    pub row_total: Amount,
    /// `discountedRowTotal` (D16).
    pub discounted_row_total: Amount,
    /// The policy that the row was priced with.
    policy: Policy,
}

impl Row {
    /// Prices the product at index `line`.
    #[inline(always)]
    pub fn price(
        order: &Order,
        line: usize,
        product: &Product,
        record: &PriceRecord,
        policy: &Policy,
    ) -> Result<Self, Error> {
        let amounts = Self::amounts(order, line, product, record, policy)?;
        Ok(Self::new(record, amounts, policy))
    }

    /// `max(price × quantity, 0)` and `rowTotal` (D15).
    #[inline(always)]
    pub(crate) fn amounts(
        order: &Order,
        line: usize,
        product: &Product,
        record: &PriceRecord,
        policy: &Policy,
    ) -> Result<[Amount; 2], Error> {
        let times_quantity = |price: AmountText| match product.quantity {
            // D13: the floor at zero. A negative result need not fit (D19).
            ..=0 => Some(Amount::ZERO),
            units => price.amount.times_units(units),
        };
        let effective = times_quantity(record.price)
            .map_or_else(|| Self::without_effective(order, line, record, policy), Ok)?;
        let row_total = match policy.row_total {
            RowTotal::Effective => effective,
            RowTotal::List => times_quantity(record.original_price)
                .ok_or_else(|| too_large(order, line, "rowTotal"))?,
        };
        Ok([effective, row_total])
    }

    /// D19: `price × quantity` is too large, and so is the first field that uses
    /// it; 0 if none does.
    #[cold]
    #[inline(never)]
    fn without_effective(
        order: &Order,
        line: usize,
        record: &PriceRecord,
        policy: &Policy,
    ) -> Result<Amount, Error> {
        let of_order = |field: &str| {
            let part = Part::Price(order.price_key(line));
            Err(Error::Overflow(field.to_owned(), part))
        };
        if policy.row_total == RowTotal::Effective {
            Err(too_large(order, line, "rowTotal"))
        } else if policy.sub_total == SubTotal::Effective {
            of_order("subTotal")
        } else if policy.discounted_row_total == DiscountedRowTotal::Effective {
            Err(too_large(order, line, "discountedRowTotal"))
        } else if policy.exclude_controlled == ExcludeControlled::Effective && record.is_controlled
        {
            of_order("totalExcludeControlledProducts")
        } else {
            Ok(Amount::ZERO)
        }
    }

    /// Whether `price × quantity` is no amount, and no field uses it.
    fn lacks_effective(&self, quantity: i64) -> bool {
        let is_positive = quantity > 0 && self.record.price.amount > Amount::ZERO;
        is_positive && self.effective == Amount::ZERO
    }

    #[inline(always)]
    pub(crate) fn new(
        record: &PriceRecord,
        [effective, row_total]: [Amount; 2],
        policy: &Policy,
    ) -> Self {
        Self {
            record: *record,
            effective,
            row_total,
            discounted_row_total: undiscounted(policy, effective, row_total),
            policy: *policy,
        }
    }

    /// A row whose amounts do not fit: it shows its price and counts 0.
    pub(crate) fn too_large(record: &PriceRecord, policy: &Policy) -> Self {
        Self::new(record, [Amount::ZERO; 2], policy)
    }

    /// The row's part of `subTotal` (D15, D48).
    #[inline]
    pub fn of_sub_total(&self) -> Amount {
        match self.policy.sub_total {
            SubTotal::Effective => self.effective,
            SubTotal::RowTotals => self.row_total,
        }
    }

    /// What `totalExcludeControlledProducts` subtracts if the product is
    /// controlled (D20, D48).
    #[inline]
    pub fn excluded(&self) -> Amount {
        match self.policy.exclude_controlled {
            ExcludeControlled::Effective => self.effective,
            ExcludeControlled::RowTotal => self.row_total,
        }
    }

    /// `discountedRowTotal` before the coupon discounts of the line (D16, D48).
    #[inline]
    pub fn undiscounted(&self) -> Amount {
        undiscounted(&self.policy, self.effective, self.row_total)
    }

    /// Reports the row and, if the policy sets another amount, its `rowTotal`.
    /// The one that is part of `subTotal` counts.
    pub(crate) fn report(&self, line: usize, quantity: i64, sink: &mut dyn Sink) {
        let is_list = self.policy.row_total == RowTotal::List;
        let adds_list = is_list && self.policy.sub_total == SubTotal::RowTotals;
        let price = self.record.price.amount;
        let mut row = Step::new("row", "D15", unfloored(price, quantity, self.effective))
            .at(format!("productList[{line}]"))
            .with("price", price)
            .with("quantity", quantity);
        row.counts = !adds_list;
        if !self.lacks_effective(quantity) {
            report_with_floor(&row, "D13", sink);
        }
        if is_list {
            let list_price = self.record.original_price.amount;
            let row_total = unfloored(list_price, quantity, self.row_total);
            let mut row_total = Step::new("rowTotal", "D15", row_total)
                .at(format!("productList[{line}].rowTotal"))
                .with("originalPrice", list_price)
                .with("quantity", quantity);
            if adds_list {
                row_total = row_total.counted();
                row_total = row_total.with("subTotal", self.policy.sub_total.word());
            }
            report_with_floor(&row_total, "D13", sink);
        }
    }

    /// D16: subtracts the coupon discounts of this line. An amount that does not
    /// fit becomes 0.
    pub fn discount(&mut self, order: &Order, line: usize, from_coupons: Sum) -> Result<(), Error> {
        let rest = self.less(from_coupons).floored_total();
        self.discounted_row_total = rest.unwrap_or(Amount::ZERO);
        rest.map(|_| ())
            .ok_or_else(|| too_large(order, line, "discountedRowTotal"))
    }

    /// D17, D48. `row_total` must be the row's own.
    #[inline]
    pub(crate) fn settlement_price(&self, row_total: AmountText) -> AmountText {
        let record = &self.record;
        match self.policy.settlement_price {
            SettlementPrice::RecordOrRowTotal => record.settlement_price.unwrap_or(row_total),
            SettlementPrice::Record => record.settlement_price.unwrap_or(record.price),
            SettlementPrice::RowTotal => row_total,
        }
    }

    fn less(&self, from_coupons: Sum) -> Sum {
        let mut rest = Sum::from(self.undiscounted());
        rest.merge(from_coupons.negated());
        rest
    }

    /// Reports the row after its coupon discounts, and its floor (D16).
    pub(crate) fn report_discount(&self, line: usize, from_coupons: Sum, sink: &mut dyn Sink) {
        let step = Step::new("discountedRowTotal", "D16", self.less(from_coupons))
            .at(format!("productList[{line}].discountedRowTotal"));
        let step = match self.policy.discounted_row_total {
            DiscountedRowTotal::Effective => step.with("row", self.effective),
            basis @ DiscountedRowTotal::FromRowTotal => step
                .with("discountedRowTotal", basis.word())
                .with("rowTotal", self.row_total),
        };
        report_with_floor(&step.with("discountFromCoupon", from_coupons), "D16", sink);
    }
}

/// Makes of one table what a row has beside the product's fields and `branchId`: the
/// lines for documents, the numbers for JavaScript, and the text. A line ends with the
/// value, and with what a product without a known price shows.
macro_rules! fields {
    (@number flag, $value:expr) => { $value.into() };
    (@number $amount:ident, $value:expr) => { $value.amount.to_double() };
    (@write flag, $out:expr, $value:expr) => { $out.boolean($value) };
    (@write $amount:ident, $out:expr, $value:expr) => { $out.amount_text($value) };
    (|$row:ident, $row_total:ident, $discounted:ident| $(
        $(#[$($doc:tt)*])* $key:literal: $kind:ident $class:ident = $value:expr, else $unpriced:tt;
    )+) => {
        impl Row {
            /// What a row has beside the product's fields and `branchId` (D4), in the
            /// contract's sequence (D3).
            pub const LINES: &'static [Line] = lines! { $($(#[$($doc)*])* $key: $kind $class),+ };

            /// The numbers of [`Self::LINES`].
            #[allow(dead_code, reason = "only the binding to JavaScript builds objects")]
            #[inline(always)]
            pub(crate) fn columns(&self, out: &mut impl Columns) {
                let ($row, $row_total) = (self, AmountText::from(self.row_total));
                let $discounted = AmountText::from(self.discounted_row_total);
                $(out.number(fields!(@number $kind, $value));)+
            }

            /// Writes the product as the response shows it, its keys in the order of D3.
            pub(crate) fn write(&self, out: &mut Writer, order: &Order, product: &Product) {
                let ($row, $row_total) = (self, AmountText::repeated(self.row_total));
                let $discounted = match self.discounted_row_total {
                    same if same == self.row_total => $row_total,
                    discounted => discounted.into(),
                };
                write_product(out, order, product);
                $(fields!(@write $kind, out.frequent_raw(concat!(",\"", $key, "\":")), $value);)+
                out.frequent_raw("}");
            }

            /// Writes a product without a known price, with the keys of a row.
            pub(crate) fn write_unpriced(out: &mut Writer, order: &Order, product: &Product) {
                write_product(out, order, product);
                out.raw(concat!($(",\"", $key, "\":", stringify!($unpriced),)+ "}"));
            }
        }
    };
}

fields! { |row, row_total, discounted_row_total|
    /// List price per unit, from the price record; without it, `price` (D18).
    "originalPrice": baht plain = row.record.original_price, else null;
    /// Current price per unit, from the price record.
    "price": baht plain = row.record.price, else null;
    /// max(price × quantity, 0). With the policy `rowTotal: "list"`: max(originalPrice × quantity, 0) (D15).
    "rowTotal": baht plain = row_total, else 0;
    /// max(price × quantity, 0), or `rowTotal` with the policy `discountedRowTotal: "fromRowTotal"`, less the
    /// coupons' discount on this line, at least 0 (D16, D48).
    "discountedRowTotal": baht plain = discounted_row_total, else 0;
    /// From the price record, whatever the quantity; without it, `rowTotal`, an amount for the whole row (D17). The
    /// policy `settlementPrice` may say otherwise (D48).
    "settlementPrice": baht plain = row.settlement_price(row_total), else 0;
    /// Per unit, from the price record; without it, 0.25.
    "weight": kilograms plain = row.record.weight, else 0;
    /// Whether the product is on the controlled list, from the price record.
    "isControlledProduct": flag plain = row.record.is_controlled, else false;
}

#[inline]
fn undiscounted(policy: &Policy, effective: Amount, row_total: Amount) -> Amount {
    match policy.discounted_row_total {
        DiscountedRowTotal::Effective => effective,
        DiscountedRowTotal::FromRowTotal => row_total,
    }
}

/// D19: an amount of the row does not fit.
#[cold]
fn too_large(order: &Order, line: usize, field: &str) -> Error {
    let part = Part::Price(order.price_key(line));
    Error::Overflow(format!("productList[{line}].{field}"), part)
}

/// Writes the fields that a row takes from the order.
pub(crate) fn write_product(out: &mut Writer, order: &Order, product: &Product) {
    match product.verbatim(order) {
        Some(fields) => _ = out.raw(fields),
        None => product.write_fields(out, &order.text),
    }
    // D4
    out.frequent_raw(r#","branchId":"#)
        .raw(order.branch_id_json());
}

/// `price × quantity` before the floor, or `floored`, the amount after it, if a
/// negative result does not fit (D19).
fn unfloored(price: Amount, quantity: i64, floored: Amount) -> Amount {
    match quantity {
        ..0 => price.times_units(quantity).unwrap_or(floored),
        0.. => floored,
    }
}

/// Reports a step of a row, and its floor if the amount is negative.
fn report_with_floor(step: &Step<'_>, decision: &'static str, sink: &mut dyn Sink) {
    sink.step(step);
    sink.floor(step.amount, Some(decision), step.path.clone(), step.counts);
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::explain::Recorder;
    use crate::json::{Columns, Origin, Span, Writer};
    use crate::options::{
        DiscountedRowTotal, ExcludeControlled, Limits, Policy, RowTotal, SubTotal,
    };
    use crate::order::Order;
    use crate::rules::PriceRecord;

    use super::Row;

    #[test]
    fn d19_a_product_that_no_field_uses_has_no_step() {
        let order = br#"{"productList":[{"cprcode":1,"productName":"x","quantity":8}]}"#;
        let order = Order::read(order, Origin::Wire, &Limits::default()).expect("a valid order");
        let product = order.fields.products.first().expect("a product");
        let policy = Policy {
            row_total: RowTotal::List,
            sub_total: SubTotal::RowTotals,
            discounted_row_total: DiscountedRowTotal::FromRowTotal,
            exclude_controlled: ExcludeControlled::RowTotal,
            ..Policy::default()
        };
        let rules = |record: &str| {
            let record = PriceRecord::from_text(record, Origin::Wire);
            let record = record.expect("a valid record").expect("a record");
            let row = Row::price(&order, 0, product, &record, &policy).expect("it fits");
            let mut steps = Recorder::new(true);
            row.report(0, product.quantity, &mut steps);
            String::from_utf8(steps.into_list()).expect("UTF-8")
        };
        assert!(rules(r#"{"price":1e27,"originalPrice":1}"#).contains(r#""rule":"row","#));
        assert!(!rules(r#"{"price":1e28,"originalPrice":1}"#).contains(r#""rule":"row","#));
    }

    struct Numbers(Vec<f64>);

    impl Columns for Numbers {
        fn number(&mut self, number: f64) {
            self.0.push(number);
        }

        fn string(&mut self, _: Option<Span>) {}
    }

    #[test]
    fn d3_the_columns_of_a_row_are_its_fields_in_their_sequence() {
        let product =
            r#"{"cprcode":7,"productName":"x","quantity":3,"scheduleId":2,"isPreOrder":true}"#;
        let record = r#"{"price":2.5,"originalPrice":4,"settlementPrice":9,"weight":0.5,"isControlledProduct":true}"#;
        let body = format!(r#"{{"productList":[{product}]}}"#);
        let order = Order::read(body.as_bytes(), Origin::Wire, &Limits::default()).expect("valid");
        let sent = order.fields.products.first().expect("a product");
        let found = PriceRecord::from_text(record, Origin::Wire)
            .expect("valid")
            .expect("a record");
        let priced = Row::price(&order, 0, sent, &found, &Policy::default()).expect("it fits");
        let mut numbers = Numbers(Vec::new());
        sent.columns(&mut numbers);
        assert_eq!(numbers.0, [7.0, 3.0, 2.0, 1.0]);
        numbers.0.clear();
        priced.columns(&mut numbers);
        let written: Value = serde_json::from_str(&row(product, record)).expect("JSON");
        let fields = Row::LINES.iter().map(|line| match &written[line.key] {
            Value::Bool(flag) => f64::from(*flag),
            value => value.as_f64().expect("a number"),
        });
        assert_eq!(numbers.0, Vec::from_iter(fields));
    }

    /// Prices a product with a record, both as JSON text, and writes the row.
    fn row(product: &str, record: &str) -> String {
        let body = format!(r#"{{"productList":[{product}]}}"#);
        let order = Order::read(body.as_bytes(), Origin::Wire, &Limits::default());
        let order = order.expect("a valid order");
        let product = order.fields.products.first().expect("a product");
        let record = PriceRecord::from_text(record, Origin::Wire);
        let record = record.expect("a valid record").expect("a record");
        let row = Row::price(&order, 0, product, &record, &Policy::default());
        let mut out = Writer::default();
        row.expect("it fits").write(&mut out, &order, product);
        String::from_utf8(out.into_bytes()).expect("UTF-8")
    }

    const RECORD: &str = r#"{"price":1.5}"#;

    #[test]
    fn d3_a_row_is_the_same_however_its_product_is_written() {
        let shown = r#"{"cprcode":100,"productName":"\u0e01\"x","quantity":2,"scheduleId":0,"isPreOrder":false,"remark":"""#;
        let priced = format!(
            r#"{shown},"branchId":"1000","originalPrice":1.5,"price":1.5,"rowTotal":3,"discountedRowTotal":3,"settlementPrice":3,"weight":0.25,"isControlledProduct":false}}"#
        );
        let name = r#""productName":"\u0e01\"x""#;
        for product in [
            format!("{shown}}}"),
            format!("{shown},\"extra\":[1]}}"),
            format!("{shown} }}"),
            format!("{{ {}}}", &shown[1..]),
            format!(r#"{{"cprcode":100,{name},"quantity":2}}"#),
            format!(r#"{{"cprcode":100,{name},"quantity":2,"scheduleId":0,"isPreOrder":false}}"#),
            format!(r#"{{{name},"cprcode":100,"quantity":2,"remark":"","scheduleId":-0}}"#),
            shown.replace("false", "null") + "}",
            shown.replace("\"remark\":\"\"", "\"remark\":null") + "}",
            shown.replace(":100", ":1e2") + "}",
            shown.replace(":100", ":100.0") + "}",
            shown.replace(":0,", ":-0,") + "}",
            shown.replace(":2,", ": 2,") + "}",
            shown.replace("quantity", "quantit\\u0079") + "}",
            format!("{shown},\"quantity\":2}}"),
            shown.replace(":2,", ":7,") + ",\"quantity\":2}",
        ] {
            assert_eq!(row(&product, RECORD), priced, "{product}");
        }
    }

    #[test]
    fn d5_an_amount_is_the_same_however_its_record_writes_it() {
        let product = r#"{"cprcode":1,"productName":"x","quantity":1}"#;
        let tail = r#""originalPrice":100,"price":20.5,"rowTotal":20.5,"discountedRowTotal":20.5,"settlementPrice":0,"weight":0.05,"isControlledProduct":true}"#;
        for record in [
            r#"{"price":20.5,"originalPrice":100,"settlementPrice":0,"weight":0.05,"isControlledProduct":true}"#,
            r#"{"price":20.50,"originalPrice":100.0,"settlementPrice":0.00,"weight":0.050,"isControlledProduct":true}"#,
            r#"{"price":205e-1,"originalPrice":1e2,"settlementPrice":-0,"weight":5E-2,"isControlledProduct":true}"#,
            r#"{"price":20.500000000,"originalPrice":100.00000000,"settlementPrice":0e9,"weight":0.0500000,"isControlledProduct":true}"#,
        ] {
            assert!(row(product, record).ends_with(tail), "{record}");
        }
    }
}
