//! The price record of a product at a branch.

use crate::error::Fault;
use crate::json::{Origin, Reader, bare, schema};
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
    #[inline(never)]
    pub(crate) fn from_text(record: &str, origin: Origin) -> Result<Option<Self>, Fault> {
        Reader::document(record, origin, |json| json.optional(Self::read))
    }
}

/// A wrong column of a record in a store.
#[derive(Debug, PartialEq, Eq)]
pub struct WrongColumn {
    /// The key in the record; empty if the record is no object.
    pub column: &'static str,
    /// What is right, as in "expected an amount of 0 or more".
    pub expected: String,
}

/// The check for whoever fills a store. It reads as a host's answer is read, so
/// no rule is written again.
impl PriceRecord {
    /// Every wrong column of a record, in the order of the fields; none if an
    /// order can be priced with the record.
    pub fn wrong_columns(record: &str) -> Vec<WrongColumn> {
        let record = match Self::from_text(record, Origin::Wire) {
            Ok(Some(_)) => return Vec::new(),
            // `null` says that there is no record; a number is none either.
            Ok(None) => "0",
            Err(_) => record,
        };
        match members_by_column(record) {
            Ok(members) => Self::wrong_members(&members),
            Err(fault) => vec![WrongColumn {
                column: "",
                expected: fault.clause(),
            }],
        }
    }

    /// Reads each column alone, beside a price: the first fault hides others.
    fn wrong_members(members: &[String]) -> Vec<WrongColumn> {
        let columns = Self::KEYS.iter().zip(members);
        let wrong = columns.filter_map(|(key, members)| {
            let alone = match *key {
                PRICE => format!("{{{members}}}"),
                _ if members.is_empty() => return None,
                _ => format!("{{{PRICE}0,{members}}}"),
            };
            Some(WrongColumn {
                column: bare(key),
                expected: Self::clause(&alone)?,
            })
        });
        wrong.collect()
    }

    /// What is right instead of a column; a price that is missing is worded as
    /// a wrong one.
    fn clause(record: &str) -> Option<String> {
        let fault = |record| Self::from_text(record, Origin::Wire).err();
        let found = fault(record)?;
        let wrong = if found.is_required() {
            fault(r#"{"price":""}"#)?
        } else {
            found
        };
        Some(wrong.clause())
    }
}

/// The key of the only required column.
const PRICE: &str = r#""price":"#;

/// The members of a record by their columns, each as `"price":1,"price":2`.
fn members_by_column(record: &str) -> Result<Vec<String>, Fault> {
    let mut members = vec![String::new(); PriceRecord::KEYS.len()];
    Reader::document(record, Origin::Wire, |json| {
        json.members(&mut |json, key| {
            let column = json.decoded(key);
            let value = json.opaque()?;
            let keys = PriceRecord::KEYS.iter().zip(&mut members);
            for (key, members) in keys.filter(|(key, _)| bare(key) == column) {
                if !members.is_empty() {
                    members.push(',');
                }
                members.push_str(key);
                members.push_str(value.of(record));
            }
            Ok(())
        })
    })?;
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::PriceRecord;

    /// The wrong columns, each as "column: expected".
    fn wrong(record: &str) -> Vec<String> {
        let wrong = PriceRecord::wrong_columns(record);
        wrong
            .iter()
            .map(|wrong| format!("{}: {}", wrong.column, wrong.expected))
            .collect()
    }

    #[test]
    fn d44_every_wrong_column_is_named_in_the_order_of_the_fields() {
        let amount = "an amount of 0 or more";
        assert_eq!(
            wrong(
                r#"{"isControlledProduct":"no","weight":-1,"settlementPrice":"1","originalPrice":1e99,"price":""}"#
            ),
            [
                format!("price: {amount}"),
                format!("originalPrice: {amount}"),
                format!("settlementPrice: {amount}"),
                format!("weight: {amount}"),
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
