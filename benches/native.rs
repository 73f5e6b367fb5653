//! The native build of the core on the benchmark's orders: what the module is measured against.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs
)]
use order_cost::delivery::Zones;
use order_cost::json::{Document, Origin};
use order_cost::lookup::Records;
use order_cost::options::{Limits, Policy};
use order_cost::quote::Draft;
use std::time::Instant;

fn main() {
    let n: usize = std::env::args()
        .filter_map(|a| a.parse().ok())
        .next()
        .unwrap_or(200);
    let iters: usize = std::env::args()
        .filter_map(|a| a.parse().ok())
        .nth(1)
        .unwrap_or(2000);
    let rec = r#"{"price":37.25,"originalPrice":40,"settlementPrice":36.5,"weight":0.5,"isControlledProduct":false}"#;
    let lines: Vec<String> = (0..n).map(|i| format!(r#"{{"cprcode":{},"productName":"ข้าวหอมมะลิ ตราทุ่งกุลา {} กก.","quantity":{},"scheduleId":{},"remark":"ไม่เอาถุง"}}"#, 100000+i, i, 1+i%7, i%2)).collect();
    let body = format!(
        r#"{{"productList":[{}],"ownerId":"malee","couponCodeList":["A"],"voucherId":["V1"],"shipping":{{"shippingType":"PICKUP"}}}}"#,
        lines.join(",")
    );
    let recs = vec![rec; n].join("\0");
    let zones = Zones::default();
    let doc = |t: &str| Document {
        text: t.to_owned(),
        origin: Origin::Wire,
    };
    let mut len = 0;
    let mut stages = [0u128; 5];
    for _ in 0..iters {
        let t0 = Instant::now();
        let draft = Draft::read(body.as_bytes(), Origin::Wire, &Limits::default()).expect("ok");
        let t1 = Instant::now();
        let mut planned = draft.plan(&zones);
        let t2 = Instant::now();
        let list = |text: &str| {
            Ok(Records {
                texts: Some(text.to_owned()),
                origin: Origin::Wire,
            })
        };
        planned.answer_prices(list(&recs));
        planned.answer_vouchers(list(
            r#"{"voucherId":"V1","ownerId":"malee","value":50,"isActive":true,"isUsed":false}"#,
        ));
        let t3 = Instant::now();
        let resolved = planned.resolve(&Policy::default(), &mut ()).expect("ok");
        let priced = resolved
            .settle(
                Some(Ok(doc(r#"{"discounts":[{"coupon":"A","discount":20}]}"#))),
                &Policy::default(),
                &mut (),
            )
            .expect("ok");
        let t4 = Instant::now();
        len += priced.write().len();
        let t5 = Instant::now();
        for (s, (a, b)) in stages
            .iter_mut()
            .zip([(t0, t1), (t1, t2), (t2, t3), (t3, t4), (t4, t5)])
        {
            *s += (b - a).as_nanos();
        }
    }
    let names = ["read", "plan", "answers", "resolve+settle", "write"];
    for (name, s) in names.iter().zip(stages) {
        println!("{name:15} {:8.1} us", s as f64 / iters as f64 / 1e3);
    }
    println!(
        "total {:.1} us, {} bytes in, {} out",
        stages.iter().sum::<u128>() as f64 / iters as f64 / 1e3,
        body.len(),
        len / iters
    );
}
