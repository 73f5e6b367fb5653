//! examples/axum.rs: the golden corpus over HTTP, and what the routes answer
//! otherwise.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[allow(dead_code, reason = "golden.rs uses more of it")]
mod scripted;
#[allow(dead_code, reason = "its program is not run here")]
#[path = "../examples/axum.rs"]
mod service;

use std::future::pending;
use std::net::SocketAddr;
use std::time::Duration;

use order_cost::{Failure, Host, Pricer, Records};
use serde_json::{Value, json};
use service::{Facts, router};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test]
async fn every_case_of_the_corpus_over_http() {
    let (mut scripted, mut from_facts) = (0, 0);
    for (name, case) in scripted::cases() {
        // A case whose zones are wrong has no pricer.
        let Ok(pricer) = scripted::pricer(&case) else {
            continue;
        };
        let body = scripted::body(&case);
        let service = serve(pricer.clone(), scripted::Host::new(&case)).await;
        assert_expected(&name, &case, &post(service, &body).await);
        scripted += 1;
        // A host that fails on purpose has no facts.
        let facts = case.get("host").unwrap_or(&Value::Null).to_string();
        if let Ok(facts) = serde_json::from_str::<Facts>(&facts) {
            let service = serve(pricer, facts).await;
            assert_expected(&name, &case, &post(service, &body).await);
            from_facts += 1;
        }
    }
    assert!(scripted >= 300, "only {scripted} cases");
    assert!(from_facts >= 200, "only {from_facts} from facts");
}

fn assert_expected(name: &str, case: &Value, answer: &Answer) {
    let expect = &case["expect"];
    let (status, body) = match (
        &expect["error"],
        &expect["response"],
        &expect["responseText"],
    ) {
        (Value::String(error), ..) => (500, json!({ "error": error }).to_string()),
        (_, Value::Null, text) => (200, text.as_str().expect("a text").to_owned()),
        (_, response, _) => (200, response.to_string()),
    };
    assert_eq!((answer.status, &answer.body), (status, &body), "{name}");
    assert_eq!(
        answer.header("x-order-cost-error"),
        expect["code"].as_str(),
        "{name}"
    );
    assert_eq!(
        answer.header("content-type"),
        Some("application/json"),
        "{name}"
    );
}

#[tokio::test]
async fn other_requests_are_answered_as_by_the_package() {
    let service = serve(Pricer::default(), Silent).await;
    let unknown =
        r#"{"error":"Unknown path: expected /calculatecost2, /calculatecost3, /calculatecost4"}"#;
    let not_post = r#"{"error":"Method not allowed: expected POST"}"#;
    for (request, status, body) in [
        ("POST /calculatecost5", 404, unknown),
        ("GET /", 404, unknown),
        ("GET /calculatecost4", 405, not_post),
        ("PUT /calculatecost2/", 405, not_post),
        (
            "POST /calculatecost3/",
            500,
            r#"{"error":"Failed to parse request body"}"#,
        ),
    ] {
        let answer = ask(service, request, "", b"").await;
        assert_eq!((answer.status, &*answer.body), (status, body), "{request}");
        assert_eq!(
            answer.header("allow"),
            (status == 405).then_some("POST"),
            "{request}"
        );
        assert_eq!(
            answer.header("content-type"),
            Some("application/json"),
            "{request}"
        );
    }
    for (sent, is_kept) in [("A-1_b.c", true), ("a b", false), (&"x".repeat(65), false)] {
        let header = format!("x-request-id: {sent}\r\n");
        let answer = ask(service, "POST /calculatecost4", &header, b"").await;
        let id = answer
            .header("x-request-id")
            .expect("each answer has an id");
        assert_eq!(id == sent, is_kept);
        assert!(is_kept || id.len() == 36, "{id}");
    }
}

#[tokio::test]
async fn d41_an_order_whose_host_never_answers_is_late() {
    let order = br#"{"productList":[{"cprcode":1,"productName":"a","quantity":1}]}"#;
    let limit = Duration::from_millis(20);
    let answer = post(serve_within(limit, Pricer::default(), Silent).await, order).await;
    let body = r#"{"error":"The order was not priced within 20 ms"}"#;
    assert_eq!((answer.status, &*answer.body), (500, body));
    assert_eq!(
        answer.header("x-order-cost-error"),
        Some("DEADLINE_EXCEEDED")
    );
}

/// A host that never answers.
struct Silent;

impl Host for Silent {
    async fn lookup_prices(&self, _: &str, _: &[i64]) -> Result<Records, Failure> {
        pending().await
    }
}

async fn serve(pricer: Pricer, host: impl Host + Send + 'static) -> SocketAddr {
    serve_within(HOUR, pricer, host).await
}

async fn serve_within(
    limit: Duration,
    pricer: Pricer,
    host: impl Host + Send + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = router(pricer, host, limit);
    tokio::spawn(async { axum::serve(listener, router).await });
    address
}

struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let headers = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut headers = headers.filter(|(header, _)| header.eq_ignore_ascii_case(name));
        headers.next().map(|(_, value)| value)
    }
}

async fn post(service: SocketAddr, body: &[u8]) -> Answer {
    ask(service, "POST /calculatecost4", "", body).await
}

async fn ask(service: SocketAddr, request: &str, headers: &str, body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(service).await.expect("it listens");
    let length = body.len();
    let head = format!(
        "{request} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n"
    );
    let sent = [head.as_bytes(), body].concat();
    stream.write_all(&sent).await.expect("it reads");
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer).await;
    read.expect("it answers in UTF-8");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    Answer {
        status: head[9..12].parse().expect("a status"),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}
