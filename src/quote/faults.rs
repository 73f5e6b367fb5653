//! Faults for the recovery tests: a build with `--cfg faults` breaks where an
//! order's `basketName` says so. No release contains this.
#![allow(clippy::panic)]

use std::hint::black_box;

use crate::json::decode;
use crate::order::Order;

/// Breaks if the order asks for a fault at this place.
pub(crate) fn strike(order: &Order, place: &str) {
    let asked = decode(order.json(order.fields.basket_name, r#""""#));
    let Some(asked) = asked.strip_suffix(place) else {
        return;
    };
    match asked {
        "panic: " => panic!("planted: {place}"),
        "stack overflow: " => _ = deeper(0),
        _ => {}
    }
}

#[expect(unconditional_recursion, reason = "it breaks the stack")]
fn deeper(depth: u64) -> u64 {
    black_box(deeper(black_box(depth + 1))) + 1
}
