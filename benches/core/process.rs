//! The core as a process. benches/node/native.js sends it one line per question on stdin.

use std::collections::HashMap;
use std::fs;
use std::hint::black_box;
use std::io::{Write, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use order_cost::Zones;
use serde_json::Value;

use crate::item::{Item, zones};

const ZONE_ROUNDS: usize = 200;

/// `core <work folder>` serves: `responses <set>` prints one response per line, `time <set>` the nanoseconds per order,
/// `zones` the nanoseconds per look-up. `core <work folder> <set> <orders>` prices that many orders and ends, for an
/// instruction counter.
pub fn run() {
    // `cargo bench` adds an argument.
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
        // Started by `cargo bench` itself: without the work there is nothing to measure.
        _ => println!("run by `cargo xtask bench`: core <work folder> [<set> <orders>]"),
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

/// The sets of orders loaded so far.
#[derive(Default)]
struct Sets(HashMap<String, Vec<Item>>);

impl Sets {
    fn get(&mut self, work: &Work, name: &str) -> &[Item] {
        self.0
            .entry(name.to_owned())
            .or_insert_with(|| work.set(name))
    }
}

/// Nanoseconds per order.
fn time(items: &[Item], zones: &Arc<Zones>) -> f64 {
    let start = Instant::now();
    for item in items {
        black_box(item.price(zones));
    }
    start.elapsed().as_nanos() as f64 / items.len() as f64
}

/// Nanoseconds per look-up.
fn time_look_ups(points: &[Point], zones: &Arc<Zones>) -> f64 {
    let start = Instant::now();
    for _ in 0..ZONE_ROUNDS {
        for point in points {
            let _ = black_box(zones.fee_at(point.brcode, point.lon, point.lat));
        }
    }
    start.elapsed().as_nanos() as f64 / (ZONE_ROUNDS * points.len()) as f64
}

/// Reads a file of benches/write-work.mjs.
struct Work {
    folder: PathBuf,
    zones: Arc<Zones>,
}

struct Point {
    brcode: i64,
    lon: f64,
    lat: f64,
}

impl Work {
    fn new(folder: &str) -> Self {
        let folder = PathBuf::from(folder);
        let zones = zones(fs::read_to_string(folder.join("zones.json")).expect("zones"));
        Self { folder, zones }
    }

    fn points(&self) -> Vec<Point> {
        let point = |point: &Value| Point {
            brcode: point["brcode"].as_i64().expect("brcode"),
            lon: point["lon"].as_f64().expect("lon"),
            lat: point["lat"].as_f64().expect("lat"),
        };
        let points: Vec<Value> = serde_json::from_slice(&self.read("points")).expect("a list");
        points.iter().map(point).collect()
    }

    fn set(&self, name: &str) -> Vec<Item> {
        Item::set(&self.read(name))
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join(format!("{name}.json"))).expect("work")
    }
}
