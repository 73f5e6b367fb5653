//! The native build of the core on the benchmark's work: what the module is measured against.
//!
//! `native <work folder>` serves benches/native.js: a command a line on stdin, its answer on stdout. `responses <set>`
//! gives a response a line, `time <set>` the nanoseconds that an order took, `zones` those that a look-up took.
//! `native <work folder> <set> <orders>` prices so many orders and ends, for an instruction counter.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs
)]

use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdin, stdout};
use std::path::PathBuf;
use std::time::Instant;

use order_cost::delivery::Zones;
use order_cost::facts::Facts;
use order_cost::json::{Document, Origin};
use order_cost::options::{Limits, Policy};
use order_cost::quote::Draft;
use order_cost::records::Records;
use serde_json::Value;

const ZONE_ROUNDS: usize = 200;

fn main() {
    // `cargo bench` adds an argument of its own.
    let args: Vec<_> = std::env::args().filter(|arg| arg != "--bench").collect();
    match args.as_slice() {
        [_, folder] => serve(&Work::new(folder)),
        [_, folder, set, orders] => {
            let work = Work::new(folder);
            let items = work.set(set);
            let orders = orders.parse().expect("a number of orders");
            for item in items.iter().cycle().take(orders) {
                black_box(item.price(&work.zones));
            }
        }
        // `cargo bench` of its own accord: nothing to measure without the work.
        _ => println!("run by `cargo xtask bench`: native <work folder> [<set> <orders>]"),
    }
}

fn serve(work: &Work) {
    let points = work.points();
    let mut sets = Sets::default();
    for line in stdin().lines() {
        let line = line.expect("a command");
        let (command, name) = line.split_once(' ').unwrap_or((&line, ""));
        let mut out = stdout().lock();
        match command {
            "responses" => {
                for item in sets.get(work, name) {
                    out.write_all(&item.price(&work.zones)).expect("stdout");
                    out.write_all(b"\n").expect("stdout");
                }
            }
            "time" => {
                let nanoseconds = time(sets.get(work, name), &work.zones);
                writeln!(out, "{nanoseconds}").expect("stdout");
            }
            "zones" => writeln!(out, "{}", time_look_ups(&points, &work.zones)).expect("stdout"),
            _ => panic!("no such command: {line}"),
        }
    }
}

/// The sets of orders that were asked for.
#[derive(Default)]
struct Sets(HashMap<String, Vec<Item>>);

impl Sets {
    fn get(&mut self, work: &Work, name: &str) -> &[Item] {
        self.0
            .entry(name.to_owned())
            .or_insert_with(|| work.set(name))
    }
}

/// Nanoseconds an order.
fn time(items: &[Item], zones: &Zones) -> f64 {
    let start = Instant::now();
    for item in items {
        black_box(item.price(zones));
    }
    start.elapsed().as_nanos() as f64 / items.len() as f64
}

/// Nanoseconds a look-up.
fn time_look_ups(points: &[Point], zones: &Zones) -> f64 {
    let start = Instant::now();
    for _ in 0..ZONE_ROUNDS {
        for point in points {
            let _ = black_box(zones.fee_at(point.brcode, point.lon, point.lat));
        }
    }
    start.elapsed().as_nanos() as f64 / (ZONE_ROUNDS * points.len()) as f64
}

/// What benches/write-work.mjs wrote.
struct Work {
    folder: PathBuf,
    zones: Zones,
}

struct Point {
    brcode: i64,
    lon: f64,
    lat: f64,
}

impl Work {
    fn new(folder: &str) -> Self {
        let folder = PathBuf::from(folder);
        let zones = fs::read_to_string(folder.join("zones.json")).expect("zones");
        let zones = Zones::read(&document(zones)).expect("valid zones");
        Self { folder, zones }
    }

    fn points(&self) -> Vec<Point> {
        let point = |point: &Value| Point {
            brcode: point["brcode"].as_i64().expect("brcode"),
            lon: point["lon"].as_f64().expect("lon"),
            lat: point["lat"].as_f64().expect("lat"),
        };
        self.read("points").iter().map(point).collect()
    }

    fn set(&self, name: &str) -> Vec<Item> {
        self.read(name).iter().map(Item::new).collect()
    }

    fn read(&self, name: &str) -> Vec<Value> {
        let text = fs::read(self.folder.join(format!("{name}.json"))).expect("work");
        serde_json::from_slice(&text).expect("a list")
    }
}

/// An order and what the host answers.
struct Item {
    body: String,
    prices: String,
    rates: HashMap<String, String>,
    vouchers: String,
    coupons: String,
}

impl Item {
    fn new(item: &Value) -> Self {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let list = |value: &Value| {
            let texts = value.as_array().expect("a list").iter().map(text);
            texts.collect::<Vec<_>>().join("\0")
        };
        let rates = item["rates"].as_object().expect("rates").iter();
        Self {
            body: text(&item["body"]),
            prices: list(&item["prices"]),
            rates: rates
                .map(|(mode, rate)| (mode.clone(), text(rate)))
                .collect(),
            vouchers: list(&item["vouchers"]),
            coupons: text(&item["coupons"]),
        }
    }

    fn price(&self, zones: &Zones) -> Vec<u8> {
        let policy = Policy::default();
        let draft = Draft::read(self.body.as_bytes(), Origin::Wire, &Limits::default());
        let mut planned = draft.expect("a valid order").plan(zones, &Facts::default());
        planned.answer_prices(Ok(records(&self.prices)));
        for mode in planned.lookups().nationwide_modes.clone() {
            planned.answer_rate(mode, Ok(document(self.rates[mode.word()].clone())));
        }
        if !planned.lookups().voucher_ids.is_empty() {
            planned.answer_vouchers(Ok(records(&self.vouchers)));
        }
        let resolved = planned.resolve(&policy, &mut ()).expect("every answer");
        let coupons = resolved.coupon_request().map(|request| {
            black_box(request);
            Ok(document(self.coupons.clone()))
        });
        let priced = resolved.settle(coupons, &policy, &mut ());
        priced.expect("a priced order").write()
    }
}

fn records(texts: &str) -> Records {
    Records {
        texts: Some(texts.to_owned()),
        origin: Origin::Wire,
    }
}

fn document(text: String) -> Document {
    Document {
        text,
        origin: Origin::Wire,
    }
}
