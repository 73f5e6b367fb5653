//! The crate as a WebAssembly component, for languages that have a runtime of
//! components. `order-cost.wit` is its interface.
//!
//! ```sh
//! cargo build --release --target wasm32-wasip2 --example component
//! ```

#![allow(missing_docs)]
#![allow(unsafe_code, reason = "in the generated bindings")]
#![cfg(all(target_arch = "wasm32", target_os = "wasi"))]

mod facts;

use std::sync::Arc;

use facts::Facts;
use order_cost::{Pricer, Zones, at_once};

wit_bindgen::generate!({ path: "examples/order-cost.wit" });

struct Component;

export!(Component);

impl Guest for Component {
    fn price(order: Vec<u8>, facts: Vec<u8>) -> Result<Vec<u8>, Error> {
        let facts: Facts = serde_json::from_slice(&facts).map_err(invalid_facts)?;
        let zones = facts.zones().map(|zones| zones.parse()).transpose();
        let zones: Zones = zones.map_err(error)?.unwrap_or_default();
        let pricer = Pricer {
            zones: Arc::new(zones),
            ..Pricer::default()
        };
        let priced = at_once(pricer.price(&order, &facts));
        let Some(priced) = priced else {
            unreachable!("facts answer at once")
        };
        priced.map_err(error)
    }
}

fn error(error: order_cost::Error) -> Error {
    Error {
        code: error.code().to_owned(),
        message: error.to_string(),
        path: error.path(),
        retryable: error.retryable(),
    }
}

fn invalid_facts(fault: serde_json::Error) -> Error {
    Error {
        code: "VALIDATION_ERROR".to_owned(),
        message: format!("Invalid facts: {fault}"),
        path: None,
        retryable: false,
    }
}
