//! Any text as a host's answer to one of its look-ups: it is refused for its first fault, as serde_json reads it.

use std::collections::BTreeMap;
use std::sync::Arc;

use order_cost::{Policy, Question};

use super::host::{self, Host, priced, records, text};
use super::json::Node;
use super::schema::{self, Kind};

const ORDER: &str = r#"{"productList":[{"cprcode":1,"productName":"A","quantity":2},{"cprcode":2,"productName":"B","quantity":1}],"ownerId":"U1","voucherId":["V1","V2"],"couponCodeList":["C1"],"shipping":{"shippingType":"DELIVERY","scheduleList":[{"nationwideConfig":"sent"}]}}"#;

/// The first byte selects the look-up, the rest is its answer. In a list look-up, a NUL separates the records.
pub fn run(data: &[u8]) {
    let Some((lookup, answer)) = data.split_first() else {
        return;
    };
    let Ok(answer) = str::from_utf8(answer) else {
        return;
    };
    let (function, fault) = match lookup % 4 {
        0 => {
            let kinds = ["1/1000", "2/1000"].map(|key| (key, schema::price_record()));
            ("lookupPrices", fault_of_list(answer, kinds))
        }
        1 => {
            let kinds = ["V1", "V2"].map(|id| (id, schema::voucher(id)));
            ("lookupVouchers", fault_of_list(answer, kinds))
        }
        2 => ("nationwideRate", fault(answer, &schema::rate())),
        _ => {
            let absent = is_null(answer).then(|| "expected an object".to_owned());
            let fault = absent.or_else(|| fault(answer, &schema::discount_result(2)));
            ("validateCoupons", fault)
        }
    };
    let outcome = price(function, answer);
    let start = format!("Invalid answer from {function}: ");
    let refused = outcome.as_ref().err();
    let refused = refused.and_then(|message| message.strip_prefix(&start));
    assert_eq!(refused, fault.as_deref(), "{outcome:?}");
}

/// The response, or the error's message, if the function answers this and the others answer well.
fn price(function: &str, answer: &str) -> Result<String, String> {
    let host = host();
    let zones = Arc::default();
    let policy = Policy::default();
    let answers = |question: &Question, argument: &str| {
        if question.lookup.row().function == function {
            Ok(records(Some(answer.to_owned())))
        } else {
            host.answer(question, argument)
        }
    };
    let calculation = host::calculate(ORDER.as_bytes(), zones, &policy, answers);
    let calculation = calculation.map_err(|error| error.to_string())?;
    Ok(text(&priced(&calculation).write()).to_owned())
}

/// What is wrong with an answer of two records, if nothing before that is not found.
fn fault_of_list(answer: &str, kinds: [(&str, Kind); 2]) -> Option<String> {
    let records = Vec::from_iter(answer.split('\0'));
    if records.len() != kinds.len() {
        return Some("expected an array of 2".to_owned());
    }
    let found = records.into_iter().zip(kinds);
    let mut found = found.take_while(|(record, _)| !is_null(record));
    found.find_map(|(record, (key, kind))| Some(format!("{key}: {}", fault(record, &kind)?)))
}

/// What is wrong with a record. `null`, which is not found, is not wrong.
fn fault(record: &str, kind: &Kind) -> Option<String> {
    match Node::read(record) {
        None => Some("expected JSON".to_owned()),
        Some(node) if node.text == "null" => None,
        Some(node) => schema::check(&node, kind).err(),
    }
}

fn is_null(record: &str) -> bool {
    Node::read(record).is_some_and(|node| node.text == "null")
}

fn host() -> Host {
    let voucher = r#"{"value":5,"isActive":true,"isUsed":false,"ownerId":"U1"}"#;
    let price = r#"{"price":12.5,"originalPrice":20}"#.to_owned();
    let vouchers = ["V1", "V2"].map(|id| (id.to_owned(), voucher.to_owned()));
    Host {
        prices: BTreeMap::from([(1, price.clone()), (2, price)]),
        rates: BTreeMap::from([("DRY", r#"{"deliveryFee":40}"#.to_owned())]),
        vouchers: BTreeMap::from(vouchers),
        coupons: Some(r#"{"discounts":[{"coupon":"C1","discount":1}]}"#.to_owned()),
    }
}
