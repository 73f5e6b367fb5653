//! A host that answers from JSON, for the examples.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashMap;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Duration;

use order_cost::{Failure, Host, NationwideMode, Records};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::{Value, from_str, json, value::RawValue};

#[cfg(not(target_arch = "wasm32"))]
const LOOK_UP_MS: u32 = 5_000;

/// What a shop knows, in the form that `order-cost price --facts` reads.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Facts {
    #[serde(default)]
    prices: Table,
    #[serde(default)]
    rates: Table,
    #[serde(default)]
    vouchers: Table,
    #[serde(default, deserialize_with = "coupons")]
    coupons: Option<Vec<Coupons>>,
    delivery_zones: Option<Box<RawValue>>,
}

/// Records by key. They stay text, so that their numbers stay exact.
type Table = HashMap<String, Box<RawValue>>;

/// The answer to this request, or to any.
#[derive(Deserialize)]
struct Coupons {
    request: Option<Value>,
    answer: Box<RawValue>,
}

/// One answer, or a list of them.
fn coupons<'a, D: Deserializer<'a>>(json: D) -> Result<Option<Vec<Coupons>>, D::Error> {
    let answer = Box::<RawValue>::deserialize(json)?;
    if answer.get().starts_with('[') {
        return from_str(answer.get()).map_err(D::Error::custom);
    }
    let request = None;
    Ok(Some(vec![Coupons { request, answer }]))
}

/// The JSON text of a record. A string already holds it, as in key-value stores.
fn text(record: &RawValue) -> Cow<'_, str> {
    let json = record.get();
    let held = json
        .starts_with('"')
        .then(|| from_str(json).unwrap_or_default());
    held.map_or(json.into(), Cow::Owned)
}

impl Facts {
    /// The text of the delivery zones.
    pub fn zones(&self) -> Option<Cow<'_, str>> {
        self.delivery_zones.as_deref().map(text)
    }
}

impl Host for Facts {
    async fn lookup_prices(&self, branch_id: &str, cprcodes: &[i64]) -> Result<Records, Failure> {
        let price = |cprcode: &i64| {
            let here = self.prices.get(&format!("{cprcode}/{branch_id}"));
            let price = here.or_else(|| self.prices.get(&cprcode.to_string()));
            price.map(|price| text(price))
        };
        Ok(cprcodes.iter().map(price).collect())
    }

    async fn nationwide_rate(
        &self,
        postcode: &str,
        mode: NationwideMode,
    ) -> Result<Option<String>, Failure> {
        let here = self.rates.get(&format!("{postcode}/{}", mode.word()));
        let rate = here.or_else(|| self.rates.get(mode.word()));
        let none = || Failure::Threw(Some(format!("No rate for {}", mode.word())));
        Ok(Some(text(rate.ok_or_else(none)?).into_owned()))
    }

    async fn validate_coupons(&self, request: &str) -> Result<String, Failure> {
        let request = LazyCell::new(|| from_str::<Value>(request).unwrap_or_default());
        let Some(coupons) = &self.coupons else {
            let failed = json!({ "discounts": [], "failedCoupons": request.get("couponCodeList") });
            return Ok(failed.to_string());
        };
        let is_of = |coupons: &&Coupons| coupons.request.as_ref().is_none_or(|of| *of == *request);
        let none = || Failure::Threw(Some("No coupon answer for this request".to_owned()));
        let coupons = coupons.iter().find(is_of).ok_or_else(none)?;
        Ok(text(&coupons.answer).into_owned())
    }

    async fn lookup_vouchers(&self, voucher_ids: &[String]) -> Result<Records, Failure> {
        let voucher = |id| Some(text(self.vouchers.get(id)?));
        Ok(voucher_ids.iter().map(voucher).collect())
    }

    // Only for look-ups that wait; a component has no clock of tokio's.
    #[cfg(not(target_arch = "wasm32"))]
    async fn deadline(&self) -> u32 {
        tokio::time::sleep(Duration::from_millis(LOOK_UP_MS.into())).await;
        LOOK_UP_MS
    }
}
