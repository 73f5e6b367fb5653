//! The seeds of random tests.

use std::time::{SystemTime, UNIX_EPOCH};

/// A random seed.
pub(crate) fn any_seed() -> u32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |time| time.subsec_nanos().max(1))
}
