//! The binding in Node: every way in which a host function can answer.

#![cfg(all(target_arch = "wasm32", target_os = "unknown"))]
#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use js_sys::futures::JsFuture;
use js_sys::{
    Array, Error as JsError, Float64Array, Function, JSON, Object, Promise, Reflect, Uint8Array,
};
use order_cost::{Job, Pricing, Task, request_id};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test as test;

const PICKUP: &str = r#"{"productList":[{"cprcode":1001,"productName":"ข้าวหอมมะลิ","quantity":3}]}"#;
const EVERYTHING: &str = r#"{
    "productList": [{"cprcode":1001,"productName":"ข้าวหอมมะลิ","quantity":3}],
    "shipping": {"shippingType":"DELIVERY","scheduleList":[{"mode":"NATIONWIDE"}]},
    "couponCodeList": ["SAVE20"], "voucherId": ["V1"], "ownerId": "malee"
}"#;

/// A host in JavaScript that knows everything; `over` replaces its functions.
fn host(over: &str) -> JsValue {
    let source = format!(
        r#"({{
            lookupPrices: (keys) => keys.map(() => '{{"price":37.25}}'),
            nationwideRate: () => '{{"deliveryFee":60,"nationwideConfig":"north-dry"}}',
            validateCoupons: () => '{{"discounts":[{{"coupon":"SAVE20","discount":20}}]}}',
            lookupVouchers: (ids) => ids.map(() => '{{"ownerId":"malee","value":50,"isActive":true,"isUsed":false}}'),
            {over}
        }})"#
    );
    js_sys::eval(&source).expect("the host is JavaScript")
}

#[wasm_bindgen(module = "/pkg-template/core/host.js")]
extern "C" {
    #[wasm_bindgen(js_name = questionsOf)]
    fn questions_of(asker: &JsValue) -> Array;

    fn invoke(host: &JsValue, question: &JsValue, context: &JsValue);

    #[wasm_bindgen(js_name = messageOf)]
    fn message_of(thrown: &JsValue) -> Option<String>;
}

/// Drives a job like the package does, with the package's host.js and hosts that answer in JSON text.
async fn price(body: &str, host: &JsValue) -> Result<JsValue, JsValue> {
    let pricing = Pricing::new(b"{}", false, false)?;
    let mut job = begun(&pricing, body)?;
    loop {
        let batch = questions(&mut job);
        ask(host, &batch, &JsValue::UNDEFINED);
        let causes = answer(&mut job, &batch).await;
        match job.advance() {
            Ok(Task::Ask) => {}
            Ok(Task::Wait) => panic!("everything is answered"),
            Ok(Task::Done) => break,
            Err(error) => return Err(with_cause(error, &causes)),
        }
    }
    JSON::parse(&text_of(&job.response()))
}

fn begun(pricing: &Pricing, body: &str) -> Result<Job, JsValue> {
    let mut job = Job::new();
    pricing.start(&mut job, body.as_bytes(), false, false, false)?;
    Ok(job)
}

/// The questions as the package reads them. They are read here before, because the job is not in JavaScript's hands.
fn questions(job: &mut Job) -> Array {
    let asked = text_of(&job.ask(true));
    // Prices are asked first.
    let call = JSON::parse(&asked)
        .ok()
        .and_then(|asked| {
            asked
                .unchecked_into::<Array>()
                .get(0)
                .dyn_into::<Array>()
                .ok()
        })
        .and_then(|prices| prices.get(0).as_f64());
    let codes = call.map(|call| Float64Array::new(&job.cprcodes(call as u32)));
    let said = Object::new();
    for (entry, value) in [
        ("ask", JsValue::from(Uint8Array::from(asked.as_bytes()))),
        ("cprcodes", codes.into()),
        ("couponRows", Uint8Array::new(&job.coupon_rows()).into()),
    ] {
        Reflect::set(&said, &entry.into(), &value).expect("it is an object");
    }
    let asker = Function::new_with_args("said", "return { enter: (entry) => said[entry] }");
    questions_of(&asker.call1(&JsValue::NULL, &said).expect("it is called"))
}

fn ask(host: &JsValue, batch: &Array, context: &JsValue) {
    for question in batch.iter() {
        invoke(host, &question, context);
    }
}

/// Passes the outcomes of a batch to the job. Returns what was thrown, by call.
async fn answer(job: &mut Job, batch: &Array) -> Array {
    let causes = Array::new();
    for question in batch.iter() {
        let call = call_of(&question);
        if field(&question, "isMissing") == true {
            job.missing(call);
            continue;
        }
        let thrown = field(&question, "thrown");
        let outcome = if thrown.is_undefined() {
            JsFuture::from(Promise::resolve(&field(&question, "value"))).await
        } else {
            Err(field(&thrown, "cause"))
        };
        match outcome {
            Ok(value) if field(&question, "keys") != 0 => {
                if !job.answer(call, records(&value), false) {
                    job.answer(call, None, false);
                }
            }
            Ok(value) => {
                let text = value.as_string().unwrap_or_default();
                job.answer(call, Some(text.into_bytes()), false);
            }
            Err(thrown) => {
                job.fail(call, message_of(&thrown), false);
                causes.set(call, thrown);
            }
        }
    }
    causes
}

fn with_cause(error: JsValue, causes: &Array) -> JsValue {
    if let Some(call) = field(&error, "call").as_f64() {
        let cause = causes.get(call as u32);
        Reflect::set(&error, &"cause".into(), &cause).expect("it is an object");
    }
    error
}

fn call_of(question: &JsValue) -> u32 {
    field(question, "call")
        .as_f64()
        .expect("a call has a number") as u32
}

fn text_of(bytes: &Uint8Array) -> String {
    // JavaScript makes the copy: if wasm memory grew for a Rust copy, the lent view would become invalid.
    String::from_utf8(Uint8Array::new(bytes).to_vec()).expect("it is UTF-8")
}

/// A list of texts in the form in which the package passes it on.
fn records(answer: &JsValue) -> Option<Vec<u8>> {
    let texts = answer
        .dyn_ref::<Array>()
        .filter(|texts| texts.length() > 0)?;
    Some(String::from(texts.join("\0")).into_bytes())
}

async fn error_of(over: &str) -> Object {
    price(EVERYTHING, &host(over))
        .await
        .expect_err("the order cannot be priced")
        .unchecked_into()
}

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("it is an object")
}

fn text(object: &JsValue, name: &str) -> String {
    field(object, name).as_string().expect("it is a string")
}

#[test]
async fn a_callback_may_give_values() {
    let priced = price(EVERYTHING, &host(""))
        .await
        .expect("the order is priced");
    assert_eq!(field(&priced, "subTotal"), 111.75);
    assert_eq!(field(&priced, "deliveryFee"), 60);
    assert_eq!(field(&priced, "cartDiscount"), 20);
    assert_eq!(field(&priced, "voucherDiscount"), 50);
    assert_eq!(field(&priced, "grandTotal"), 101.75);
}

#[test]
async fn a_callback_may_give_promises() {
    let slowly = "lookupPrices: async (keys) => keys.map(() => '{\"price\":37.25}'),
        nationwideRate: () => new Promise((resolve) => setTimeout(resolve, 5, '{\"deliveryFee\":60}')),
        validateCoupons: async () => '{\"failedCoupons\":[\"SAVE20\"]}',";
    let priced = price(EVERYTHING, &host(slowly))
        .await
        .expect("the order is priced");
    assert_eq!(field(&priced, "grandTotal"), 121.75);
}

#[test]
async fn d41_a_callback_that_throws_words_the_error_and_is_its_cause() {
    let error =
        error_of("lookupPrices: () => { throw new TypeError('the price store is closed') },").await;
    assert_eq!(text(&error, "message"), "the price store is closed");
    assert_eq!(text(&error, "code"), "PRICE_LOOKUP_FAILED");
    assert_eq!(field(&error, "retryable"), true);
    assert!(field(&error, "cause").is_instance_of::<JsError>());
}

#[test]
async fn d41_a_callback_that_rejects_words_the_error() {
    for (rejects_with, message) in [
        ("new Error('no such postcode')", "no such postcode"),
        ("'a plain string'", "a plain string"),
        ("{ message: 'of no Error' }", "nationwideRate failed"),
        ("undefined", "nationwideRate failed"),
        ("null", "nationwideRate failed"),
        ("new Error('')", "nationwideRate failed"),
    ] {
        let error = error_of(&format!(
            "nationwideRate: () => Promise.reject({rejects_with}),"
        ))
        .await;
        assert_eq!(text(&error, "message"), message);
        assert_eq!(text(&error, "code"), "NATIONWIDE_RATE_FAILED");
    }
}

#[test]
async fn d42_of_several_rejections_the_first_in_order_counts() {
    let error = error_of(
        "lookupVouchers: () => { throw new Error('vouchers') },
         nationwideRate: () => Promise.reject(new Error('rate')),",
    )
    .await;
    assert_eq!(text(&error, "message"), "rate");
}

#[test]
async fn d44_a_wrong_type_fails_the_look_up() {
    for answer in ["5", "'no JSON'", "{}", "null", "undefined"] {
        let error = error_of(&format!("lookupPrices: () => {answer},")).await;
        assert_eq!(
            text(&error, "message"),
            "Invalid answer from lookupPrices: expected an array of 1"
        );
        assert_eq!(field(&error, "retryable"), false);
    }
    let error = error_of("validateCoupons: () => '[]',").await;
    assert_eq!(
        text(&error, "message"),
        "Invalid answer from validateCoupons: expected an object"
    );
}

#[test]
async fn d44_a_wrong_length_fails_the_look_up() {
    for answer in ["[]", "['{\"price\":1}', '{\"price\":1}']"] {
        let error = error_of(&format!("lookupPrices: () => {answer},")).await;
        assert_eq!(
            text(&error, "message"),
            "Invalid answer from lookupPrices: expected an array of 1"
        );
    }
}

#[test]
async fn d41_a_missing_callback_is_named() {
    for missing in [
        "lookupPrices",
        "nationwideRate",
        "validateCoupons",
        "lookupVouchers",
    ] {
        for absent in ["undefined", "null", "'no function'"] {
            let error = error_of(&format!("{missing}: {absent},")).await;
            assert_eq!(
                text(&error, "message"),
                format!("The host does not supply {missing}")
            );
            assert_eq!(field(&error, "retryable"), false);
        }
    }
}

#[test]
async fn an_order_needs_only_the_callbacks_that_it_asks() {
    let prices = "nationwideRate: null, validateCoupons: null, lookupVouchers: null,";
    let priced = price(PICKUP, &host(prices))
        .await
        .expect("the order is priced");
    assert_eq!(field(&priced, "grandTotal"), 111.75);
}

#[test]
async fn a_thousand_calculations_in_flight_all_come_back_right() {
    let slowly = "lookupPrices: (keys) => new Promise((resolve) =>
            setTimeout(() => resolve(keys.map(({ cprcode }) => `{\"price\":${cprcode}.25}`)), (keys[0].cprcode * 7) % 20)),";
    let host = host(slowly);
    // Here the batches live in the module's table; in the package they live in JavaScript.
    order_cost::reserve_js_values(10_000);
    let pricing = Pricing::new(b"{}", false, false).expect("the defaults are valid");
    let mut in_flight = Vec::new();
    for cprcode in 1..=1_000 {
        let body =
            format!(r#"{{"productList":[{{"cprcode":{cprcode},"productName":"","quantity":1}}]}}"#);
        let mut job = begun(&pricing, &body).expect("the order is valid");
        let batch = questions(&mut job);
        ask(&host, &batch, &JsValue::UNDEFINED);
        in_flight.push((cprcode, job, batch));
    }
    // The last first: no answer depends on the sequence.
    for (cprcode, mut job, batch) in in_flight.into_iter().rev() {
        answer(&mut job, &batch).await;
        assert_eq!(job.advance().expect("the order is priced"), Task::Done);
        let response = text_of(&job.response());
        assert!(response.contains(&format!(r#""grandTotal":{cprcode}.25"#)));
    }
}

#[test]
fn a_host_sees_keys_queries_and_its_own_this() {
    let seen = "seen: [], lookupPrices(keys, ctx) { this.seen.push(keys, ctx); return ['{\"price\":1}']; },
        nationwideRate(query) { this.seen.push(query); return '{\"deliveryFee\":1}'; },";
    let host = host(seen);
    let pricing = Pricing::new(b"{}", false, false).expect("the defaults are valid");
    let mut job = begun(&pricing, EVERYTHING).expect("the order is valid");
    ask(&host, &questions(&mut job), &JsValue::from_str("context"));
    assert_eq!(
        JSON::stringify(&field(&host, "seen")).expect("it is JSON"),
        r#"[[{"cprcode":1001,"branchId":"1000"}],"context",{"shippingPostcode":"10110","nationwideMode":"DRY"}]"#
    );
}

#[test]
fn options_that_are_none_are_refused_by_their_path() {
    for (options, path, expected) in [
        (
            r#"{"policy":{"rowTotal":"listed"}}"#,
            "policy.rowTotal",
            "one of effective, list",
        ),
        (
            r#"{"policy":{"freeShipping":1}}"#,
            "policy.freeShipping",
            "one of asStated, waivesDelivery",
        ),
        (
            r#"{"limits":{"maxProducts":-1}}"#,
            "limits.maxProducts",
            "an integer of 0 to 4294967295",
        ),
        (
            r#"{"limits":{"maxBodyBytes":1.5}}"#,
            "limits.maxBodyBytes",
            "an integer of 0 to 4294967295",
        ),
        (
            r#"{"deadlineMs":"soon"}"#,
            "deadlineMs",
            "an integer of 0 to 2147483647",
        ),
        (
            r#"{"deadlineMs":NaN}"#,
            "deadlineMs",
            "an integer of 0 to 2147483647",
        ),
        (
            r#"{"deadlineMs":2147483648}"#,
            "deadlineMs",
            "an integer of 0 to 2147483647",
        ),
    ] {
        let error =
            Pricing::new(options.as_bytes(), true, false).expect_err("the options are refused");
        assert_eq!(text(&error, "path"), path);
        assert_eq!(text(&error, "code"), "VALIDATION_ERROR");
        assert_eq!(
            text(&error, "message"),
            format!("Invalid options: {path}: expected {expected}")
        );
    }
}

#[test]
fn request_ids_are_version_4_uuids_and_differ() {
    let uuid = Function::new_with_args(
        "id",
        "return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)",
    );
    let first = request_id().expect("there is randomness");
    assert_eq!(
        uuid.call1(&JsValue::NULL, &first.as_str().into())
            .expect("it is called"),
        JsValue::TRUE
    );
    assert_ne!(first, request_id().expect("there is randomness"));
}

const ZONED: &str = r#"{"productList":[{"cprcode":1001,"productName":"","quantity":1}],
    "shipping":{"shippingType":"DELIVERY","shippingLon":0.5,"shippingLat":0.5,"scheduleList":[{"mode":"REGULAR"}]}}"#;
const ZONES: &str = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"brcode":1000,"deliveryFee":30},
    "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}}]}"#;

#[test]
fn d41_an_order_asks_for_zones_that_are_not_known_and_takes_them_from_the_pricer() {
    let mut pricing = Pricing::new(b"{}", false, true).expect("the defaults are valid");
    let ask = |pricing: &Pricing| {
        let mut job = begun(pricing, ZONED).expect("it is an order");
        let questions = questions(&mut job);
        let mut lookups = questions.iter().map(|question| text(&question, "lookup"));
        let needs_zones = lookups.any(|lookup| lookup == "deliveryZones");
        (job, needs_zones)
    };
    // The calls of an order have the numbers of their sequence.
    let (prices, zones) = (0, 1);
    let answer_prices = |job: &mut Job| job.answer(prices, Some(br#"{"price":7}"#.to_vec()), false);

    let (mut job, needs_zones) = ask(&pricing);
    assert!(needs_zones);
    assert!(answer_prices(&mut job));
    assert_eq!(job.advance().expect("nothing has failed"), Task::Wait);
    assert!(!pricing.answer_zones(&Uint8Array::from(&b"{}"[..]), false));
    job.answer_zones(zones, &pricing);
    let error = job.advance().expect_err("the zones are refused");
    assert_eq!(field(&error, "code"), "DELIVERY_ZONES_FAILED");
    assert_eq!(
        field(&error, "message"),
        "Invalid deliveryZones: type: expected FeatureCollection"
    );

    // The next order asks again.
    let (mut job, needs_zones) = ask(&pricing);
    assert!(needs_zones);
    assert!(answer_prices(&mut job));
    assert!(pricing.answer_zones(&Uint8Array::from(ZONES.as_bytes()), false));
    job.answer_zones(zones, &pricing);
    assert_eq!(job.advance().expect("it is priced"), Task::Done);
    let priced = JSON::parse(&text_of(&job.response())).expect("it is JSON");
    assert!(field(&priced, "deliveryFee") == 30);
    assert!(!ask(&pricing).1);
}
