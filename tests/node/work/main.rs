//! Does one work on the text of stdin, for work.py, which counts what that takes. The argument says which: `order` prices
//! it, `price` prices an order of which it is the price record, `zones` reads it as delivery zones. Prints whether the text
//! was taken.
#![allow(clippy::expect_used, clippy::panic)]

use std::env::args;
use std::io::{Read, stdin};

use order_cost::{Failure, Host, NationwideMode, Pricer, Records, Zones, at_once};

const ORDER: &str = r#"{"productList":[{"cprcode":1,"productName":"","quantity":1}]}"#;

/// Answers every call. All products have the same price record.
struct Shop<'a> {
    price: &'a str,
}

impl Host for Shop<'_> {
    async fn lookup_prices(&self, _: &str, cprcodes: &[i64]) -> Result<Records, Failure> {
        Ok(cprcodes.iter().map(|_| Some(self.price)).collect())
    }

    async fn nationwide_rate(&self, _: &str, _: NationwideMode) -> Result<Option<String>, Failure> {
        Ok(Some(r#"{"deliveryFee":60}"#.to_owned()))
    }

    async fn validate_coupons(&self, _: &str) -> Result<String, Failure> {
        Ok(r#"{"discounts":[]}"#.to_owned())
    }

    async fn lookup_vouchers(&self, voucher_ids: &[String]) -> Result<Records, Failure> {
        let voucher = r#"{"ownerId":"malee","value":1,"isActive":true,"isUsed":false}"#;
        Ok(voucher_ids.iter().map(|_| Some(voucher)).collect())
    }
}

fn main() {
    let work = args().nth(1).expect("an argument");
    let mut text = String::new();
    stdin().read_to_string(&mut text).expect("UTF-8");
    let is_taken = match &*work {
        "order" => price(&text, r#"{"price":19.75,"weight":0.5}"#),
        "price" => price(ORDER, &text),
        "zones" => text.parse::<Zones>().is_ok(),
        _ => panic!("there is no work {work}"),
    };
    println!("{is_taken}");
}

fn price(order: &str, price: &str) -> bool {
    let priced = at_once(Pricer::default().price(order.as_bytes(), &Shop { price }));
    priced.expect("the shop answers at once").is_ok()
}
