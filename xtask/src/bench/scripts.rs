//! The scripts of benches/ that measure each part, and what they are told.

use clap::ValueEnum;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
    /// The package beside other implementations: BENCHMARKS.md
    Package,
    /// Orders at the edge, and publishing prices: CAPACITY.md
    Edge,
    /// The service on Node, on Linux: CAPACITY.md
    Service,
    /// The impact of new prices on captured orders: CAPACITY.md
    Impact,
    /// Captured orders on a Spark cluster, beside plain processes: CAPACITY.md. Runs only when named
    Spark,
    /// The page and the package in Chromium, Firefox and WebKitGTK: BENCHMARKS.md. Runs only when named
    Engines,
    /// Cold starts in Node, workerd and on a slow phone, beside other modules: BENCHMARKS.md. Runs only when named
    Cold,
}

/// The figures of the lines below: their names, what they are for a result that counts, and with --quick.
pub(super) const FIGURES: [(&str, &str, &str); 15] = [
    // Milliseconds for all rounds of a set of orders, in one process.
    ("{set}", "8000", "300"),
    // Seconds of load on a Worker per round, and the rounds; each loads every Worker. Many short ones, because the load
    // from other users of the machine changes every second.
    ("{load}", "0.75", "0.3"),
    ("{rounds}", "24", "3"),
    // Products of the catalogue that is published; it has five branches.
    ("{products}", "200000", "2000"),
    // How often the CPU time of an order is measured.
    ("{batches}", "5", "1"),
    // Sizes of shards in KiB that are compared, and products of the catalogues.
    ("{shards}", "16,32,64,128,256", "64"),
    ("{catalogues}", "20000,200000", "2000"),
    // Chains for an operator's day: their branches, the products of each, and the share of prices that are its own.
    ("{near}", "400 20000 0.05", "20 200 0.05"),
    ("{far}", "40 200000 1", "4 2000 1"),
    // How often a fresh browser opens the page, and prices a first order.
    ("{visits}", "9", "1"),
    // How often a fresh process of Node and of workerd prices a first order.
    ("{starts}", "25", "3"),
    // Orders of a rolling restart, starts of the service, and switches of its catalogue.
    ("{restarts}", "100000 10 5", "2000 2 1"),
    // Products, seconds of each measure in a round, and rounds, where two checkouts are compared.
    ("{against}", "200000 4 5", "2000 1 1"),
    // Captured orders, and the products of each branch of their shop.
    ("{captures}", "100000 20000", "2000 2000"),
    // How often they are counted, by Spark and by plain processes in turn.
    ("{turns}", "3", "1"),
];

/// Lines of a title, a script and its arguments. The last one has no title: it prints the figures.
pub(super) fn lines(part: Part) -> &'static [&'static str] {
    match part {
        Part::Package => &[
            "write the work: orders/write-work.mjs {folder}/work",
            "measure in Node.js: run-node.mjs {native} {module} {folder}/work {results}/node.json {set}",
            "measure in Chromium: run-chromium.mjs {results}/chromium.json {set}",
            "count instructions: run-callgrind.mjs {native} {folder}/work {results}/callgrind.json",
            "load workerd: run-workerd.mjs {folder}/work {results}/workerd.json {load} {rounds}",
            "reports/report.mjs {results} {target}/bench.json {write}",
        ],
        Part::Edge => &[
            "price at the edge: run-edge.mjs {folder}/edge {results}/edge.json {products} {load} {rounds}",
            "count what orders take: run-capacity.mjs {folder}/edge/large {results}/capacity.json {products} {batches}",
            "serve a chain: run-branches.mjs {results}/branches.json {products} {batches}",
            "publish near branches: run-walk.mjs {folder}/edge/chain {results}/walk-near.json {near}",
            "publish far branches: run-walk.mjs {folder}/edge/chain {results}/walk-far.json {far}",
            "compare shards: run-layout.mjs {folder}/edge {results}/layout.json {shards} {catalogues}",
            "reports/report-edge.mjs {results} {write}",
        ],
        Part::Service => &[
            "measure the service on Node: run-service.mjs {folder}/service {results}/service.json {axum} \
             {products} {load} {rounds} {restarts}",
            "reports/report-service.mjs {results} {write}",
        ],
        Part::Impact => &["run-impact.mjs {folder}/impact {captures} {write}"],
        Part::Spark => &["run-spark.mjs {folder}/spark {captures} {turns} {write}"],
        Part::Engines => &["run-engines.mjs {visits} {set} {write}"],
        Part::Cold => &["run-cold.mjs {folder}/cold {starts} {visits} {write}"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkout::root;

    #[test]
    fn each_script_is_there_and_each_placeholder_has_a_value() {
        let mut known = FIGURES.map(|(name, ..)| name).to_vec();
        known.extend([
            "{folder}",
            "{results}",
            "{target}",
            "{native}",
            "{module}",
            "{axum}",
            "{write}",
        ]);
        for line in Part::value_variants().iter().flat_map(|part| lines(*part)) {
            let (_, line) = line.split_once(": ").unwrap_or(("", line));
            let mut words = line.split(' ');
            let script = words.next().unwrap();
            assert!(root("benches").join(script).is_file(), "{script}");
            let mut names = words.map(|word| word.split('/').next().unwrap());
            assert!(names.all(|name| known.contains(&name)), "{line}");
        }
    }
}
