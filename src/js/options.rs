//! The pricer's options as JavaScript gives them.

use serde::Deserialize;
use wasm_bindgen::JsValue;

use super::error;
use crate::options::{FreeShipping, Limits, Policy, RowTotal};

const DEFAULT_DEADLINE_MS: u32 = 5_000;
/// JavaScript's timers count no further; a longer one would fire at once.
const MAX_DEADLINE_MS: u32 = i32::MAX as u32;

/// What an operator chose.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) policy: Policy,
    pub(super) limits: Limits,
    pub(super) deadline_ms: u32,
}

impl Options {
    pub(super) fn read(options: JsValue) -> Result<Self, JsValue> {
        let sent: Option<Sent> =
            serde_path_to_error::deserialize(serde_wasm_bindgen::Deserializer::from(options))
                .map_err(|fault| {
                    error::invalid_options(&fault.path().to_string(), &fault.inner().to_string())
                })?;
        let Sent {
            policy,
            limits,
            deadline_ms,
        } = sent.unwrap_or_default();
        let (policy, limits) = (policy.unwrap_or_default(), limits.unwrap_or_default());
        if deadline_ms.is_some_and(|ms| ms > MAX_DEADLINE_MS) {
            return Err(error::invalid_options(
                "deadlineMs",
                &format!("expected at most {MAX_DEADLINE_MS}"),
            ));
        }
        let defaults = Limits::default();
        Ok(Self {
            policy: Policy {
                row_total: policy.row_total.map(Into::into).unwrap_or_default(),
                free_shipping: policy.free_shipping.map(Into::into).unwrap_or_default(),
            },
            limits: Limits {
                max_body_bytes: limits
                    .max_body_bytes
                    .map_or(defaults.max_body_bytes, |bytes| bytes as usize),
                max_products: limits
                    .max_products
                    .map_or(defaults.max_products, |products| products as usize),
            },
            deadline_ms: deadline_ms.unwrap_or(DEFAULT_DEADLINE_MS),
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sent {
    policy: Option<SentPolicy>,
    limits: Option<SentLimits>,
    deadline_ms: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentPolicy {
    row_total: Option<SentRowTotal>,
    free_shipping: Option<SentFreeShipping>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentLimits {
    max_body_bytes: Option<u32>,
    max_products: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum SentRowTotal {
    Effective,
    List,
}

impl From<SentRowTotal> for RowTotal {
    fn from(sent: SentRowTotal) -> Self {
        match sent {
            SentRowTotal::Effective => Self::Effective,
            SentRowTotal::List => Self::List,
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum SentFreeShipping {
    AsStated,
    WaivesDelivery,
}

impl From<SentFreeShipping> for FreeShipping {
    fn from(sent: SentFreeShipping) -> Self {
        match sent {
            SentFreeShipping::AsStated => Self::AsStated,
            SentFreeShipping::WaivesDelivery => Self::WaivesDelivery,
        }
    }
}
