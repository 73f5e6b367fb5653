//! A service that prices orders: `POST /calculatecost2`, `/calculatecost3` and
//! `/calculatecost4`, one operation under three names. Put your own data in the
//! place of [`Facts`], which answers from a file.
//!
//! ```sh
//! cargo run --release --example axum -- --facts facts.json
//! ```

#![allow(missing_docs)]
// No server for wasm; clippy checks all targets of the crate for it.
#![cfg_attr(target_arch = "wasm32", no_main)]
#![cfg(not(target_arch = "wasm32"))]

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs};

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::{routing::post, serve::ListenerExt};
use order_cost::{Error, Failure, Host, NationwideMode, Pricer, Records, Zones};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::{Value, from_str, json, value::RawValue};
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

const PATHS: [&str; 3] = ["/calculatecost2", "/calculatecost3", "/calculatecost4"];
const UNKNOWN_PATH: &str =
    "Unknown path: expected /calculatecost2, /calculatecost3, /calculatecost4";
const NOT_POST: &str = "Method not allowed: expected POST";
const USAGE: &str = "expected --facts FILE [--zones FILE] [--port N] [--host ADDRESS]";
const LOOK_UP_MS: u32 = 5_000;
const ORDER_MS: u64 = 10_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words = Vec::from_iter(env::args().skip(1));
    let known = ["--facts", "--zones", "--port", "--host"];
    let mut names = words.iter().step_by(2);
    if !names.all(|name| known.contains(&name.as_str())) {
        return Err(USAGE.into());
    }
    let argument = |name| words.iter().skip_while(move |word| *word != name).nth(1);
    let facts = fs::read_to_string(argument("--facts").ok_or(USAGE)?)?;
    let host: Facts = from_str(&facts)?;
    let zones = argument("--zones").map(fs::read_to_string).transpose()?;
    let own_zones = host.delivery_zones.as_deref().map(text);
    let zones = zones.map(Cow::Owned).or(own_zones);
    let pricer = Pricer {
        zones: Arc::new(zones.map_or(Ok(Zones::default()), |zones| zones.parse())?),
        ..Pricer::default()
    };
    let port = argument("--port").map_or(Ok(8080), |port| port.parse())?;
    let address = argument("--host").map_or("127.0.0.1", |host| host);
    let listener = TcpListener::bind((address, port)).await?;
    println!("Listening on http://{}", listener.local_addr()?);
    let listener = listener.tap_io(|stream| _ = stream.set_nodelay(true));
    let router = router(pricer, host, Duration::from_millis(ORDER_MS));
    axum::serve(listener, router)
        .with_graceful_shutdown(stopped())
        .await?;
    Ok(())
}

/// Waits for the signal to stop. Orders that have come are still answered.
async fn stopped() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! { _ = interrupted => {}, _ = terminated.recv() => {} }
            return;
        }
    }
    _ = interrupted.await;
}

/// The routes. `limit`: that of a whole order; [`Host::deadline`] is that of a look-up.
pub fn router<H: Host + Send + 'static>(pricer: Pricer, host: H, limit: Duration) -> Router {
    let max_body_bytes = pricer.limits.max_body_bytes;
    let mut router = Router::new();
    for path in PATHS {
        for path in [path, &format!("{path}/")] {
            router = router.route(path, post(price::<H>));
        }
    }
    router
        .fallback(|| async { refuse(StatusCode::NOT_FOUND, UNKNOWN_PATH) })
        .method_not_allowed_fallback(|| async { refuse(StatusCode::METHOD_NOT_ALLOWED, NOT_POST) })
        .layer(DefaultBodyLimit::max(max_body_bytes))
        .layer(from_fn(with_request_id))
        .with_state(Arc::new((pricer, host, limit)))
}

type Service<H> = Arc<(Pricer, H, Duration)>;

async fn price<H: Host>(State(service): State<Service<H>>, request: Request) -> Response {
    let (pricer, host, limit) = &*service;
    let priced = async {
        let body = Bytes::from_request(request, &()).await;
        let body = body.map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                Error::BodyTooLarge(pricer.limits.max_body_bytes)
            }
            // A body that breaks off is not JSON.
            _ => Error::InvalidJson,
        })?;
        pricer.price(&body, host).await
    };
    match timeout(*limit, priced).await {
        Ok(Ok(response)) => answer(StatusCode::OK, response),
        Ok(Err(error)) => failed(error.code(), &error.to_string()),
        Err(_) => {
            let late = format!("The order was not priced within {} ms", limit.as_millis());
            failed("DEADLINE_EXCEEDED", &late)
        }
    }
}

/// D40: every failure of an order is 500, and its body has the message alone.
fn failed(code: &'static str, message: &str) -> Response {
    let response = refuse(StatusCode::INTERNAL_SERVER_ERROR, message);
    ([("x-order-cost-error", code)], response).into_response()
}

fn refuse(status: StatusCode, message: &str) -> Response {
    answer(status, json!({ "error": message }).to_string().into())
}

fn answer(status: StatusCode, body: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Answers with the request's `x-request-id`, or with a new one.
async fn with_request_id(request: Request, next: Next) -> Response {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let is_id =
        |id: &&HeaderValue| id.as_bytes().iter().all(is_plain) && (1..=64).contains(&id.len());
    let sent = request.headers().get("x-request-id").filter(is_id).cloned();
    let new = || uuid::Uuid::new_v4().to_string().try_into();
    let id = sent.map_or_else(new, Ok);
    let mut response = next.run(request).await;
    if let Ok(id) = id {
        response.headers_mut().insert("x-request-id", id);
    }
    response
}

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

    async fn deadline(&self) -> u32 {
        sleep(Duration::from_millis(LOOK_UP_MS.into())).await;
        LOOK_UP_MS
    }
}
