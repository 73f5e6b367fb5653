//! How hard the random tests try, as `tests/effort.js` says it, and what they draw from.

#![allow(clippy::indexing_slicing, clippy::panic)]
#![allow(dead_code, reason = "basket.rs uses more of it")]

use std::env;
use std::thread;

/// How often a test is tried where a change tries it `usual` times.
pub(crate) fn cases(usual: u64) -> u64 {
    (usual as f64 * setting("ORDER_COST_TIMES")).ceil() as u64
}

/// Runs a test `count` times, each from a seed of its own. A failure says how to repeat it alone.
pub(crate) fn each_seed(count: u64, mut test: impl FnMut(u64)) {
    let first = setting("ORDER_COST_SEED") as u64;
    for seed in first..first + count {
        let failed = Failed(seed);
        test(seed);
        drop(failed);
    }
}

struct Failed(u64);

impl Drop for Failed {
    fn drop(&mut self) {
        if thread::panicking() {
            let thread = thread::current();
            let test = thread.name().unwrap_or_default();
            println!(
                "seed {}; it alone: ORDER_COST_SEED={0} ORDER_COST_TIMES=1e-9 cargo test --package order-cost {test}",
                self.0
            );
        }
    }
}

fn setting(variable: &str) -> f64 {
    let Ok(text) = env::var(variable) else {
        return 1.0;
    };
    let number = text.parse().ok().filter(|number| *number > 0.0);
    number.unwrap_or_else(|| panic!("{variable}: expected a number above 0, got {text}"))
}

/// Seeded (xorshift64*): the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
