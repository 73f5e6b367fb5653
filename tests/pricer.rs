//! The driver: what it asks a host, when, and what it drops.

#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use order_cost::{Error, Failure, Host, NationwideMode, Pricer, Records, at_once};

const ORDER: &[u8] = br#"{"branchId":"7","productList":[{"cprcode":1,"productName":"a","quantity":1},{"cprcode":2,"productName":"b","quantity":1},{"cprcode":1,"productName":"a","quantity":2}],"couponCodeList":["C"],"voucherId":["V","W","V"],"shipping":{"shippingType":"DELIVERY","shippingPostcode":"95110","scheduleList":[{"mode":"NATIONWIDE","nationwideMode":"FRESH"},{"mode":"NATIONWIDE"}]}}"#;

/// A host that answers when the test says so.
#[derive(Default)]
struct Script {
    /// What was asked and, with a minus, what is waited for no more.
    log: Mutex<Vec<String>>,
    answers: Mutex<BTreeMap<&'static str, Result<&'static str, Failure>>>,
}

const PRICES: &str = "prices 7 [1, 2]";
const FRESH: &str = "rate 95110 FRESH";
const DRY: &str = "rate 95110 DRY";
const VOUCHERS: &str = r#"vouchers ["V", "W"]"#;
const COUPONS: &str = "coupons";

impl Host for Script {
    async fn lookup_prices(&self, branch_id: &str, cprcodes: &[i64]) -> Result<Records, Failure> {
        let record = self
            .answer(format!("prices {branch_id} {cprcodes:?}"))
            .await?;
        Ok(cprcodes.iter().map(|_| Some(record)).collect())
    }

    async fn nationwide_rate(
        &self,
        postcode: &str,
        mode: NationwideMode,
    ) -> Result<Option<String>, Failure> {
        let rate = self
            .answer(format!("rate {postcode} {}", mode.word()))
            .await?;
        Ok(Some(rate.to_owned()))
    }

    async fn validate_coupons(&self, request: &str) -> Result<String, Failure> {
        assert!(
            request.starts_with(r#"{"couponCodeList":["C"],"#),
            "{request}"
        );
        assert!(
            request.contains(r#","productList":[{"cprcode":1,"#),
            "{request}"
        );
        self.answer(COUPONS.to_owned()).await.map(str::to_owned)
    }

    async fn lookup_vouchers(&self, voucher_ids: &[String]) -> Result<Records, Failure> {
        let record = self.answer(format!("vouchers {voucher_ids:?}")).await?;
        Ok(voucher_ids.iter().map(|_| Some(record)).collect())
    }

    async fn deadline(&self) -> u32 {
        poll_fn(|_| self.take("deadline")).await.map_or(0, |_| 20)
    }
}

impl Script {
    async fn answer(&self, question: String) -> Result<&'static str, Failure> {
        struct Waiting<'a>(&'a Script, &'a str);
        impl Drop for Waiting<'_> {
            fn drop(&mut self) {
                self.0.log().push(format!("-{}", self.1));
            }
        }
        self.log().push(question.clone());
        let waiting = Waiting(self, &question);
        let answer = poll_fn(|_| self.take(&question)).await;
        std::mem::forget(waiting);
        answer
    }

    fn take(&self, question: &str) -> Poll<Result<&'static str, Failure>> {
        let answer = self.answers.lock().expect("it is whole").remove(question);
        answer.map_or(Poll::Pending, Poll::Ready)
    }

    fn say(&self, question: &'static str, answer: Result<&'static str, Failure>) {
        let mut answers = self.answers.lock().expect("it is whole");
        answers.insert(question, answer);
    }

    fn log(&self) -> MutexGuard<'_, Vec<String>> {
        self.log.lock().expect("it is whole")
    }

    /// What has happened since it was taken last.
    fn news(&self) -> Vec<String> {
        std::mem::take(&mut self.log())
    }
}

/// Polls a future that stands on the stack.
macro_rules! poll {
    ($future:ident) => {
        $future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
    };
}

fn down(message: &str) -> Result<&'static str, Failure> {
    Err(Failure::Threw(Some(message.to_owned())))
}

#[test]
fn d42_all_look_ups_go_out_together_and_then_the_coupons() {
    let (pricer, host) = (Pricer::default(), Script::default());
    let mut order = pin!(pricer.price(ORDER, &host));
    assert!(poll!(order).is_pending());
    assert_eq!(host.news(), [PRICES, FRESH, DRY, VOUCHERS]);
    host.say(
        VOUCHERS,
        Ok(r#"{"ownerId":"x","value":1,"isActive":true,"isUsed":false}"#),
    );
    host.say(DRY, Ok(r#"{"deliveryFee":30}"#));
    host.say(FRESH, Ok(r#"{"deliveryFee":50}"#));
    assert!(poll!(order).is_pending());
    assert_eq!(host.news(), [""; 0]);
    host.say(PRICES, Ok(r#"{"price":10}"#));
    assert!(poll!(order).is_pending());
    assert_eq!(host.news(), [COUPONS]);
    host.say(
        COUPONS,
        Ok(r#"{"discounts":[{"coupon":"C","discount":5}]}"#),
    );
    let Poll::Ready(Ok(priced)) = poll!(order) else {
        panic!("every look-up has answered");
    };
    let priced = String::from_utf8(priced).expect("it is UTF-8");
    assert!(priced.contains(r#""grandTotal":115,"#), "{priced}");
    assert_eq!(host.news(), [""; 0]);
}

#[test]
fn d42_a_failure_counts_once_nothing_open_precedes_it_and_the_rest_is_dropped() {
    let (pricer, host) = (Pricer::default(), Script::default());
    let mut order = pin!(pricer.price(ORDER, &host));
    assert!(poll!(order).is_pending());
    host.news();
    host.say(VOUCHERS, down("no vouchers"));
    host.say(DRY, down("no dry rate"));
    assert!(poll!(order).is_pending());
    host.say(PRICES, Ok(r#"{"price":10}"#));
    assert!(poll!(order).is_pending());
    host.say(FRESH, Ok("null"));
    let Poll::Ready(Err(error)) = poll!(order) else {
        panic!("the first schedule has no rate");
    };
    assert_eq!(error.to_string(), "No nationwide rate for 95110/FRESH");
    assert_eq!(host.news(), [""; 0]);

    let mut order = pin!(pricer.price(ORDER, &host));
    assert!(poll!(order).is_pending());
    host.news();
    host.say(PRICES, down(""));
    let Poll::Ready(Err(error)) = poll!(order) else {
        panic!("nothing precedes the prices");
    };
    assert_eq!(error.to_string(), "lookupPrices failed");
    assert!(error.retryable());
    let dropped = [FRESH, DRY, VOUCHERS].map(|question| format!("-{question}"));
    assert_eq!(host.news(), dropped);
}

#[test]
fn d41_a_host_that_never_answers_is_late_or_dropped_with_its_order() {
    let (pricer, host) = (Pricer::default(), Script::default());
    {
        let mut order = pin!(pricer.price(ORDER, &host));
        assert!(poll!(order).is_pending());
        host.say("deadline", Ok("now"));
        let Poll::Ready(Err(error)) = poll!(order) else {
            panic!("the prices are late");
        };
        assert_eq!(
            error.to_string(),
            "lookupPrices did not answer within 20 ms"
        );
        assert!(error.retryable());
    }
    host.news();
    assert_eq!(at_once(pricer.price(ORDER, &host)), None);
    let mut news = host.news();
    let dropped = news.split_off(4);
    assert_eq!(
        dropped,
        news.iter()
            .map(|asked| format!("-{asked}"))
            .collect::<Vec<_>>()
    );
}

#[test]
fn d41_a_host_without_a_function_says_so() {
    struct Nothing;
    impl Host for Nothing {}
    let error = at_once(Pricer::default().price(ORDER, &Nothing)).expect("it answers at once");
    let message = error.map_err(|error| error.to_string());
    assert_eq!(
        message,
        Err("The host does not supply lookupPrices".to_owned())
    );
}

/// Threads share a pricer, and an order may move between them.
#[test]
fn an_order_may_be_priced_on_any_thread() {
    fn is_send<T: Send>(of: T) -> T {
        of
    }
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Pricer>();
    is_shared::<Error>();
    let (pricer, host) = (Pricer::default(), Script::default());
    drop(is_send(pricer.price(ORDER, &host)));
}

#[test]
fn d44_a_record_is_one_text_whatever_it_holds() {
    struct Prices(&'static str);
    impl Host for Prices {
        async fn lookup_prices(&self, _: &str, cprcodes: &[i64]) -> Result<Records, Failure> {
            Ok(cprcodes.iter().map(|_| Some(self.0)).collect())
        }
    }
    let order = br#"{"productList":[{"cprcode":1,"productName":"a","quantity":1}]}"#;
    for (record, message) in [
        (
            "null\0null",
            "Invalid answer from lookupPrices: 1/1000: expected JSON",
        ),
        (
            "",
            "Invalid answer from lookupPrices: 1/1000: expected JSON",
        ),
        ("null", "No price for 1/1000"),
    ] {
        let priced = at_once(Pricer::default().price(order, &Prices(record)));
        let error = priced
            .expect("it answers at once")
            .expect_err("it is no price");
        assert_eq!(error.to_string(), message);
    }
}
