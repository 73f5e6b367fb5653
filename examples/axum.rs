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

mod facts;

use std::borrow::Cow;
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
pub use facts::Facts;
use order_cost::{Error, Host, Pricer, Zones};
use serde_json::{from_str, json};
use tokio::net::TcpListener;
use tokio::time::timeout;

const PATHS: [&str; 3] = ["/calculatecost2", "/calculatecost3", "/calculatecost4"];
const UNKNOWN_PATH: &str =
    "Unknown path: expected /calculatecost2, /calculatecost3, /calculatecost4";
const NOT_POST: &str = "Method not allowed: expected POST";
const USAGE: &str = "expected --facts FILE [--zones FILE] [--port N] [--host ADDRESS]";
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
    let zones = zones.map(Cow::Owned).or(host.zones());
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
