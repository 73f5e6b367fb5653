//! The price record of a product at a branch.

use crate::error::Fault;
use crate::json::{Origin, Reader, Writer, bare, members, table};
use crate::money::AmountText;

table! { frequent
    /// The price database's record of a product at a branch, per unit.
    #[derive(Clone, Copy, Debug)]
    pub struct PriceRecord {
        /// Current price per unit, 0 or more.
        pub price: AmountText = baht("price", required, |json| json.amount_text()) plain,
        /// List price per unit. Default: `price` (D18).
        pub original_price: AmountText = baht(
            "originalPrice", null, |json| json.amount_text(), price
        ) plain,
        /// Passed through, whatever the quantity. Default: `rowTotal`, an amount for the whole row
        /// (D17).
        pub settlement_price: Option<AmountText> = baht("settlementPrice", null, |json| json.amount_text()) plain,
        /// Weight per unit.
        pub weight: AmountText = kilograms("weight", 0.25) plain,
        /// Whether the product is on the controlled list; see `totalExcludeControlledProducts`.
        pub is_controlled: bool = flag("isControlledProduct", false) plain,
    }
}

impl PriceRecord {
    /// Reads a host's answer; `None` if the host found nothing.
    pub(crate) fn from_text(record: &str, origin: Origin) -> Result<Option<Self>, Fault> {
        match Self::leading(record, origin) {
            Ok((found, length)) if length == record.len() => Ok(found),
            Ok(_) => Err(Fault::syntax()),
            Err(fault) => Err(Reader::fault_in(record, origin, fault)),
        }
    }

    /// Reads the answer that a text begins with, up to a NUL or the end, and
    /// returns its length.
    #[inline(never)]
    pub(crate) fn leading(text: &str, origin: Origin) -> Result<(Option<Self>, usize), Fault> {
        Reader::leading(text, origin, |json| json.optional(Self::read))
    }

    /// Writes the record as JSON text, with its defaults.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.raw("{\"price\":").amount_text(self.price);
        members!(out.raw,
            "originalPrice": amount_text(self.original_price),
            "weight": amount_text(self.weight),
            "isControlledProduct": boolean(self.is_controlled)
        );
        if let Some(settlement_price) = self.settlement_price {
            members!(out.raw, "settlementPrice": amount_text(settlement_price));
        }
        out.raw("}");
    }
}

/// The key of the only required column.
const PRICE: &str = r#""price":"#;

/// The check for whoever fills a store. It reads as a host's answer is read, so
/// no rule is written again.
impl PriceRecord {
    /// Every wrong column of a record, in the order of the fields; none if an
    /// order can be priced with the record.
    pub fn wrong_columns(record: &str) -> Vec<Fault> {
        let record = match Self::from_text(record, Origin::Wire) {
            Ok(Some(_)) => return Vec::new(),
            // `null` says that there is no record. A number fails in every column.
            Ok(None) => "0",
            Err(_) => record,
        };
        let columns = Self::KEYS.iter().map(|key| alone(record, key));
        match columns.collect::<Result<Vec<_>, _>>() {
            Ok(columns) => columns.iter().filter_map(|alone| wrong(alone)).collect(),
            Err(fault) => vec![fault],
        }
    }
}

/// What is wrong with a record of one column. A price that is missing is worded
/// as a wrong one.
fn wrong(alone: &str) -> Option<Fault> {
    let fault = |record| PriceRecord::from_text(record, Origin::Wire).err();
    let found = fault(alone)?;
    if found.is_required() {
        return fault(r#"{"price":""}"#);
    }
    Some(found)
}

/// The record with this column only, and a price, because it is required. In the
/// whole record one fault hides the others.
fn alone(record: &str, key: &str) -> Result<String, Fault> {
    // Where the price itself is tried, a key that nobody reads stands first.
    let first = if key == PRICE { "\"\":" } else { PRICE };
    let mut alone = format!("{{{first}0");
    Reader::document(record, Origin::Wire, |json| {
        json.members(&mut |json, name| {
            let value = json.opaque()?;
            if json.decoded(name) == bare(key) {
                alone.push_str(&format!(",{key}{}", value.of(record)));
            }
            Ok(())
        })
    })?;
    alone.push('}');
    Ok(alone)
}

#[cfg(test)]
mod tests {
    use super::PriceRecord;
    use crate::json::{Origin, Writer};

    fn read(record: &str) -> Result<String, String> {
        let read = PriceRecord::from_text(record, Origin::Wire);
        let read = read.map_err(|fault| fault.to_string())?;
        let mut out = Writer::default();
        read.expect("a record").write(&mut out);
        Ok(String::from_utf8(out.into_bytes()).expect("text"))
    }

    #[test]
    fn d9_a_record_reads_the_same_however_its_keys_stand() {
        let plain = r#"{"price":12.5,"originalPrice":20,"weight":0.3,"isControlledProduct":true,"settlementPrice":7}"#;
        for record in [
            plain,
            r#"{"price":12.5,"originalPrice":20,"settlementPrice":7,"weight":0.3,"isControlledProduct":true}"#,
            r#"{"isControlledProduct":true,"weight":0.3,"settlementPrice":7,"originalPrice":20,"price":12.5}"#,
            r#"{"a":[1,{"price":9}],"price":12.5,"b":"\"price\":8","originalPrice":20,"settlementPrice":7,"weight":0.3,"isControlledProduct":true,"c":{}}"#,
            r#"{"price":1,"price":12.5,"weight":1,"originalPrice":20,"settlementPrice":7,"weight":0.3,"isControlledProduct":false,"isControlledProduct":true}"#,
            r#"{"p\u0072ice":12.5,"originalPrice":20,"settlementPrice":7,"weight":0.3,"\u0069sControlledProduct":true}"#,
            " { \"price\" : 12.50 ,\n\"originalPrice\":\t20 , \"settlementPrice\": 7e0 , \"weight\":\r\n0.3 , \"isControlledProduct\" : true } ",
        ] {
            assert_eq!(read(record).as_deref(), Ok(plain), "{record}");
        }
        assert_eq!(
            read(r#"{"price":1,"settlementPrice":null,"weight":null}"#).as_deref(),
            Ok(r#"{"price":1,"originalPrice":1,"weight":0.25,"isControlledProduct":false}"#)
        );
    }

    #[test]
    fn d10_what_is_no_json_is_no_record() {
        for record in [
            "{\"price\":1}\0{\"price\":1}",
            "",
            "{",
            "}",
            r#"{"price""#,
            r#"{"price":"#,
            r#"{"price":1"#,
            r#"{"price":1,"#,
            r#"{"price":1,}"#,
            r#"{,"price":1}"#,
            r#"{"price" 1}"#,
            r#"{"price":1 "weight":2}"#,
            r#"{"a":"price":1}"#,
            r#"{"weight":1,"price":"weight":1}"#,
            r#"{"price":1,"isControlledProduct":tru}"#,
            r#"{"price":1,"isControlledProduct":falsee}"#,
            r#"{"price":1}}"#,
            r#"{"price":1]"#,
        ] {
            assert_eq!(read(record), Err("expected JSON".to_owned()), "{record}");
        }
    }

    /// The wrong columns, each as "column: expected".
    fn wrong(record: &str) -> Vec<String> {
        let wrong = PriceRecord::wrong_columns(record);
        wrong
            .iter()
            .map(|wrong| format!("{}: {}", wrong.path(), wrong.what()))
            .collect()
    }

    #[test]
    fn d44_every_wrong_column_is_named_in_the_order_of_the_fields() {
        let amount = "an amount as a JSON number, such as 12.5";
        assert_eq!(
            wrong(
                r#"{"isControlledProduct":"no","weight":-1,"settlementPrice":"1","originalPrice":1e99,"price":""}"#
            ),
            [
                format!("price: {amount}"),
                "originalPrice: an amount of at most 28 digits and 28 decimal places".to_owned(),
                format!("settlementPrice: {amount}"),
                "weight: an amount of 0 or more".to_owned(),
                "isControlledProduct: true or false".to_owned(),
            ]
        );
        for record in ["{}", r#"{"price":null}"#, r#"{"price":1,"price":null}"#] {
            assert_eq!(wrong(record), [format!("price: {amount}")], "{record}");
        }
    }

    #[test]
    fn d44_a_record_that_the_pricer_takes_has_no_wrong_column() {
        for record in [
            r#"{"price":0}"#,
            r#"{"price":1e2,"weight":null,"remark":[-1],"__proto__":{}}"#,
            r#" {"pric\u0065":1,"price":2.50,"isControlledProduct":true} "#,
        ] {
            assert_eq!(wrong(record), Vec::<String>::new(), "{record}");
        }
    }

    #[test]
    fn d44_what_is_no_record_has_one_fault() {
        for (record, expected) in [
            ("", ": JSON"),
            (r#"{"price":1"#, ": JSON"),
            (r#"{"price":NaN,"weight":-1}"#, ": JSON"),
            ("null", ": an object"),
            (" [1]", ": an object"),
            ("7", ": an object"),
        ] {
            assert_eq!(wrong(record), [expected], "{record}");
        }
    }
}
