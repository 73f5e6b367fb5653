//! A request is read as serde_json reads it, or refused for its first fault.

use std::str;

use order_cost::{Error, Limits, Order, Origin, Product, Schedule, Shipping, Span};

use super::json::{Json, Node};
use super::schema::{self, double, integer};

/// Low limits, so that texts of a few hundred bytes reach them.
const LIMITS: Limits = Limits {
    max_body_bytes: 4_000,
    max_products: 4,
    max_vouchers: 3,
    max_coupons: 4,
    max_schedules: 3,
};

/// Any bytes as a body.
pub fn run(data: &[u8]) {
    let read = Order::read(data, Origin::Wire, &LIMITS);
    let text = str::from_utf8(data).ok();
    let text = text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text));
    let verdict = verdict(data.len(), text);
    assert_eq!(
        read.as_ref().err().map(Error::to_string),
        verdict.clone().err()
    );
    match (read, text.and_then(Node::read)) {
        (Ok(order), Some(text)) => assert_same(&order, &text),
        (Err(error), _) => assert_path(&error, verdict.err().as_deref()),
        (Ok(_), None) => unreachable!("the verdict says so"),
    }
}

/// The fault of a body, with the messages of D10 and D11.
pub(crate) fn verdict(bytes: usize, text: Option<&str>) -> Result<(), String> {
    if bytes > LIMITS.max_body_bytes {
        let limit = LIMITS.max_body_bytes;
        return Err(format!("Request body is larger than {limit} bytes"));
    }
    let text = text.and_then(Node::read);
    let text = text.ok_or("Failed to parse request body")?;
    schema::check(&text, &schema::order(&LIMITS)).map_err(|fault| format!("Invalid order: {fault}"))
}

/// Checks that `path` equals the path in the message.
fn assert_path(error: &Error, message: Option<&str>) {
    let Some(path) = error.path() else {
        assert_ne!(error.code(), "VALIDATION_ERROR");
        return;
    };
    let fault = message.and_then(|message| message.strip_prefix("Invalid order: "));
    let place = fault.and_then(|fault| fault.split_once(": "));
    assert_eq!(path, place.map(|(path, _)| path).unwrap_or_default());
}

fn assert_same(order: &Order, sent: Json<'_>) {
    let fields = &order.fields;
    let text =
        |field: Option<Span>, key| assert_eq!(written(order, field), sent_text(sent, key), "{key}");
    text(fields.basket_name, "basketName");
    text(fields.basket_id, "basketId");
    text(fields.branch_id, "branchId");
    text(fields.order_id, "orderId");
    text(fields.order_date, "orderDate");
    text(fields.owner_id, "ownerId");
    text(fields.special_comment, "specialComment");
    text(fields.cart_discount_info, "cartDiscountInfo");
    assert_eq!(fields.request_substitute, flag(sent, "requestSubstitute"));
    assert_eq!(fields.no_plastic_bags, flag(sent, "noPlasticBags"));
    for (read, key) in [
        (&fields.voucher_ids, "voucherId"),
        (&fields.coupon_codes, "couponCodeList"),
    ] {
        let read = read.iter().map(|span| span.of(&order.text));
        let sent = sent.list(key).iter().map(|item| item.text);
        assert!(read.eq(sent), "{key}");
    }
    let decoded = |key, default: &str| match sent.get(key) {
        Some(string) => string.string().expect("a string").to_owned(),
        None => default.to_owned(),
    };
    assert_eq!(order.branch_id(), decoded("branchId", "1000"));
    assert_eq!(order.owner_id(), decoded("ownerId", ""));

    let products = sent.list("productList");
    assert_eq!(fields.products.len(), products.len());
    for (read, sent) in fields.products.iter().zip(products) {
        assert_same_product(order, read, sent);
    }
    match (&fields.shipping, sent.get("shipping")) {
        (Some(read), Some(sent)) => assert_same_shipping(order, read, sent),
        (read, sent) => assert_eq!(read.is_some(), sent.is_some(), "shipping"),
    }
}

fn assert_same_product(order: &Order, read: &Product, sent: Json<'_>) {
    assert_eq!(Some(read.cprcode), whole(sent, "cprcode"));
    assert_eq!(Some(read.quantity), whole(sent, "quantity"));
    assert_eq!(read.schedule_id, whole(sent, "scheduleId").unwrap_or(0));
    assert_eq!(read.is_pre_order, flag(sent, "isPreOrder"));
    assert_eq!(
        written(order, Some(read.product_name)),
        sent_text(sent, "productName")
    );
    assert_eq!(written(order, read.remark), sent_text(sent, "remark"));
}

fn assert_same_shipping(order: &Order, read: &Shipping, sent: Json<'_>) {
    assert_eq!(
        read.shipping_type.word(),
        word(sent, "shippingType", "PICKUP")
    );
    let texts = [
        read.postcode,
        read.first_name,
        read.last_name,
        read.address,
        read.sub_district,
        read.province,
        read.phone,
        read.email,
    ];
    for (read, key) in texts.into_iter().zip(schema::SHIPPING_TEXTS) {
        assert_eq!(written(order, read), sent_text(sent, key), "{key}");
    }
    assert_eq!(written(order, read.date), sent_text(sent, "shippingDate"));
    assert_eq!(read.brcode, whole(sent, "brcode").unwrap_or(1000));
    assert_same_coordinate(order, read.lat, sent.get("shippingLat"));
    assert_same_coordinate(order, read.lon, sent.get("shippingLon"));
    let schedules = sent.list("scheduleList");
    assert_eq!(read.schedules.len(), schedules.len());
    for (read, sent) in read.schedules.iter().zip(schedules) {
        assert_same_schedule(order, read, sent);
    }
}

fn assert_same_coordinate(order: &Order, read: Option<Span>, sent: Option<Json<'_>>) {
    let sent = sent.map(|sent| sent.text);
    assert_eq!(written(order, read), sent);
    let degrees = double(sent.unwrap_or("0"));
    // `-0` is the same coordinate as `0`.
    assert!(order.degrees(read) == degrees, "{sent:?}");
}

fn assert_same_schedule(order: &Order, read: &Schedule, sent: Json<'_>) {
    assert_eq!(read.schedule_id, whole(sent, "scheduleId").unwrap_or(0));
    assert_eq!(read.booking_hour, whole(sent, "booking_hour").unwrap_or(0));
    assert_eq!(read.mode.word(), word(sent, "mode", "NATIONWIDE"));
    assert_eq!(
        read.nationwide_mode.word(),
        word(sent, "nationwideMode", "DRY")
    );
    for (read, key) in [
        (read.date_time, "dateTime"),
        (read.nationwide_config, "nationwideConfig"),
    ] {
        assert_eq!(written(order, read), sent_text(sent, key), "{key}");
    }
    // For opaque values, `null` equals absent: both are written as `null`.
    for (read, key) in [
        (read.picking_status, "pickingStatus"),
        (read.date_slot, "date_slot"),
    ] {
        let read = written(order, read).filter(|text| *text != "null");
        assert_eq!(read, sent_text(sent, key), "{key}");
    }
}

fn written(order: &Order, field: Option<Span>) -> Option<&str> {
    field.map(|span| span.of(&order.text))
}

fn sent_text<'a>(sent: Json<'a>, key: &str) -> Option<&'a str> {
    sent.get(key).map(|value| value.text)
}

fn whole(sent: Json<'_>, key: &str) -> Option<i64> {
    sent.get(key).and_then(integer)
}

fn flag(sent: Json<'_>, key: &str) -> bool {
    sent.get(key).is_some_and(|flag| flag.text == "true")
}

fn word<'a>(sent: Json<'a>, key: &str, default: &'a str) -> &'a str {
    let word = sent.get(key).and_then(Node::string);
    word.unwrap_or(default)
}
