//! How long the benchmark measures.

/// How long each part is measured.
pub(super) struct Budget {
    /// Milliseconds for all rounds of a set of orders, in one process.
    pub(super) set: &'static str,
    /// Seconds of load on a Worker per round.
    pub(super) load: &'static str,
    /// Number of rounds; each round loads every Worker.
    pub(super) rounds: &'static str,
    /// Products of the catalogue that is published; it has five branches.
    pub(super) products: &'static str,
    /// How often the CPU time of an order is measured.
    pub(super) batches: &'static str,
    /// Sizes of shards in KiB that are compared, and products of the catalogues.
    pub(super) layouts: [&'static str; 2],
    /// Chains for an operator's day: their branches, the products of each, and the share of prices that are its own.
    pub(super) chains: [[&'static str; 3]; 2],
    /// How often a fresh browser opens the page, and prices a first order.
    pub(super) visits: &'static str,
    /// How often a fresh process of Node and of workerd prices a first order.
    pub(super) starts: &'static str,
    /// Orders of a rolling restart, starts of the service, and switches of its catalogue.
    pub(super) restarts: [&'static str; 3],
    /// Captured orders, and the products of each branch of their shop.
    pub(super) captures: [&'static str; 2],
}

pub(super) const WHOLE: Budget = Budget {
    set: "8000",
    // Many short rounds, because the load from other users of the machine changes every second.
    load: "0.75",
    rounds: "24",
    products: "200000",
    batches: "5",
    layouts: ["16,32,64,128,256", "20000,200000"],
    chains: [["400", "20000", "0.05"], ["40", "200000", "1"]],
    visits: "9",
    starts: "25",
    restarts: ["100000", "10", "5"],
    captures: ["100000", "20000"],
};
pub(super) const QUICK: Budget = Budget {
    set: "300",
    load: "0.3",
    rounds: "3",
    products: "2000",
    batches: "1",
    layouts: ["64", "2000"],
    chains: [["20", "200", "0.05"], ["4", "2000", "1"]],
    visits: "1",
    starts: "3",
    restarts: ["2000", "2", "1"],
    captures: ["2000", "2000"],
};
