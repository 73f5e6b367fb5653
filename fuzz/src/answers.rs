//! Any text as a host's answer to one of its look-ups.

use std::collections::BTreeMap;
use std::sync::Arc;

use order_cost::Policy;

use super::host::{self, Host, records};
use super::json::Node;
use super::model;

const ORDER: &str = r#"{"productList":[{"cprcode":1,"productName":"A","quantity":2},{"cprcode":2,"productName":"B","quantity":1}],"ownerId":"U1","voucherId":["V1","V2"],"couponCodeList":["C1"],"shipping":{"shippingType":"DELIVERY","scheduleList":[{"nationwideConfig":"sent"}]}}"#;

/// The first byte selects the look-up, the rest is its answer. In a list look-up, a NUL separates the records.
pub fn run(data: &[u8]) {
    let Some((lookup, answer)) = data.split_first() else {
        return;
    };
    let Ok(answer) = str::from_utf8(answer) else {
        return;
    };
    let mut host = host();
    match lookup % 4 {
        0 => match answer.split('\0').collect::<Vec<_>>()[..] {
            [first, second] => {
                host.prices.insert(1, first.to_owned());
                host.prices.insert(2, second.to_owned());
            }
            _ => return assert_wrong_length(answer, "lookupPrices"),
        },
        1 => match answer.split('\0').collect::<Vec<_>>()[..] {
            [first, second] => {
                host.vouchers.insert("V1".to_owned(), first.to_owned());
                host.vouchers.insert("V2".to_owned(), second.to_owned());
            }
            _ => return assert_wrong_length(answer, "lookupVouchers"),
        },
        2 => {
            host.rates.insert("DRY", answer.to_owned());
        }
        _ => host.coupons = Some(answer.to_owned()),
    }
    let order = Node::read(ORDER).expect("the order is JSON");
    let policy = Policy::default();
    assert_eq!(
        host::price(ORDER.as_bytes(), &host, &policy),
        model::price(&order, &host, &policy)
    );
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

fn assert_wrong_length(answer: &str, function: &str) {
    let host = host();
    let policy = Policy::default();
    let zones = Arc::default();
    let priced =
        host::calculate(
            ORDER.as_bytes(),
            zones,
            &policy,
            |question, argument| match question.lookup.function() == function {
                true => Ok(records(Some(answer.to_owned()))),
                false => host.answer(question, argument),
            },
        );
    let expected = format!("Invalid answer from {function}: expected an array of 2");
    match priced {
        Err(error) => assert_eq!(error.to_string(), expected),
        Ok(_) => panic!("it has priced {answer}"),
    }
}
