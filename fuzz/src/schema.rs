//! The fields of every input as tables, and the check of a value against them.

use order_cost::Limits;

use super::json::{Json, Member, Node, Value};
use super::number::Number;

/// The kind of value that a field accepts.
pub(crate) enum Kind {
    Any,
    AnyArray,
    String,
    /// At most this many UTF-16 units.
    ShortString(usize),
    /// Only this string.
    Exactly(String),
    OneOf(&'static [&'static str]),
    Bool,
    /// Any JSON number.
    Number,
    /// A number that is finite as a double.
    Coordinate,
    Integer,
    /// D14, D44.
    Amount,
    /// An index below this number.
    Line(usize),
    /// A list of items, none of which may be `null`.
    List(Box<Kind>),
    /// At most this many items, and their name in the message.
    ListUpTo(usize, &'static str, Box<Kind>),
    /// At least one item, and at most this many.
    Products(usize),
    Object(Vec<Field>),
}

pub(crate) struct Field {
    key: &'static str,
    kind: Kind,
    /// The verdict on a missing or `null` value.
    absent: Result<(), Absent>,
}

struct Absent(&'static str);

fn optional(key: &'static str, kind: Kind) -> Field {
    Field {
        key,
        kind,
        absent: Ok(()),
    }
}

fn required(key: &'static str, kind: Kind) -> Field {
    Field {
        key,
        kind,
        absent: Err(Absent("required")),
    }
}

fn optionals(keys: &[&'static str], kind: fn() -> Kind) -> Vec<Field> {
    keys.iter().map(|key| optional(key, kind())).collect()
}

fn strings() -> Kind {
    Kind::List(Box::new(Kind::String))
}

fn list(fields: Vec<Field>) -> Kind {
    Kind::List(Box::new(Kind::Object(fields)))
}

/// D45: the longest branch, in UTF-16 units.
const MAX_BRANCH_UNITS: usize = 128;

/// The request.
pub(crate) fn order(limits: &Limits) -> Kind {
    let mut fields = vec![Field {
        key: "productList",
        kind: Kind::Products(limits.max_products),
        absent: Err(Absent("expected at least one product")),
    }];
    let strings_up_to = |max, called| Kind::ListUpTo(max, called, Box::new(Kind::String));
    fields.push(optional(
        "voucherId",
        strings_up_to(limits.max_vouchers, "vouchers"),
    ));
    fields.push(optional(
        "couponCodeList",
        strings_up_to(limits.max_coupons, "coupon codes"),
    ));
    fields.push(optional("branchId", Kind::ShortString(MAX_BRANCH_UNITS)));
    let texts = [
        "basketName",
        "basketId",
        "orderId",
        "ownerId",
        "specialComment",
    ];
    fields.extend(optionals(&texts, || Kind::String));
    fields.extend(optionals(&["requestSubstitute", "noPlasticBags"], || {
        Kind::Bool
    }));
    fields.push(optional("orderDate", Kind::Number));
    fields.push(optional("shipping", Kind::Object(shipping(limits))));
    fields.push(optional("cartDiscountInfo", Kind::AnyArray));
    Kind::Object(fields)
}

/// A product of the request.
pub(crate) fn product() -> Kind {
    Kind::Object(vec![
        required("cprcode", Kind::Integer),
        required("productName", Kind::String),
        required("quantity", Kind::Integer),
        optional("scheduleId", Kind::Integer),
        optional("isPreOrder", Kind::Bool),
        optional("remark", Kind::String),
    ])
}

fn shipping(limits: &Limits) -> Vec<Field> {
    let schedule = Box::new(Kind::Object(schedule()));
    let schedules = Kind::ListUpTo(limits.max_schedules, "schedules", schedule);
    let mut fields = vec![
        optional("shippingType", Kind::OneOf(&["DELIVERY", "PICKUP"])),
        optional("scheduleList", schedules),
        optional("shippingDate", Kind::Number),
        optional("brcode", Kind::Integer),
    ];
    fields.extend(optionals(&["shippingLat", "shippingLon"], || {
        Kind::Coordinate
    }));
    fields.extend(optionals(&SHIPPING_TEXTS, || Kind::String));
    fields
}

pub(crate) const SHIPPING_TEXTS: [&str; 8] = [
    "shippingPostcode",
    "shippingFirstName",
    "shippingLastName",
    "shippingAddress",
    "shippingSubDistrict",
    "shippingProvince",
    "shippingPhone",
    "shippingEmail",
];

fn schedule() -> Vec<Field> {
    const MODES: &[&str] = &["REGULAR", "EXPRESS", "NATIONWIDE", "PICKUP"];
    vec![
        optional("scheduleId", Kind::Integer),
        optional("mode", Kind::OneOf(MODES)),
        optional("dateTime", Kind::String),
        optional("nationwideMode", Kind::OneOf(&["DRY", "FRESH", "MIX"])),
        optional("nationwideConfig", Kind::String),
        optional("pickingStatus", Kind::Any),
        optional("date_slot", Kind::Any),
        optional("booking_hour", Kind::Integer),
    ]
}

/// A record of `lookupPrices`.
pub(crate) fn price_record() -> Kind {
    Kind::Object(vec![
        required("price", Kind::Amount),
        optional("originalPrice", Kind::Amount),
        optional("settlementPrice", Kind::Amount),
        optional("weight", Kind::Amount),
        optional("isControlledProduct", Kind::Bool),
    ])
}

/// The answer of `nationwideRate`.
pub(crate) fn rate() -> Kind {
    Kind::Object(vec![
        required("deliveryFee", Kind::Amount),
        optional("nationwideConfig", Kind::String),
    ])
}

/// A record of `lookupVouchers`.
pub(crate) fn voucher(id: &str) -> Kind {
    Kind::Object(vec![
        optional("voucherId", Kind::Exactly(id.to_owned())),
        optional("ownerId", Kind::String),
        required("value", Kind::Amount),
        required("isActive", Kind::Bool),
        required("isUsed", Kind::Bool),
    ])
}

/// The answer of `validateCoupons` for this many products.
pub(crate) fn discount_result(products: usize) -> Kind {
    let lines = || {
        list(vec![
            required("line", Kind::Line(products)),
            optional("discount", Kind::Amount),
        ])
    };
    let mut discount = vec![
        required("coupon", Kind::String),
        optional("freeshipping", Kind::Bool),
        optional("lines", lines()),
    ];
    let amounts = [
        "discount",
        "bogoDiscount",
        "two4Discount",
        "percentageDiscount",
        "shippingDiscount",
    ];
    discount.extend(optionals(&amounts, || Kind::Amount));
    Kind::Object(vec![
        optional("discounts", list(discount)),
        optional("failedCoupons", strings()),
        optional("error", Kind::Any),
        optional("lines", lines()),
    ])
}

/// The fault of a value and its place: the first in document order (D11).
pub(crate) fn check(json: Json<'_>, kind: &Kind) -> Result<(), String> {
    fault(json, kind).map_err(|Fault { path, what }| {
        let path = path.strip_prefix('.').unwrap_or(&path);
        if path.is_empty() {
            what
        } else {
            format!("{path}: {what}")
        }
    })
}

struct Fault {
    path: String,
    what: String,
}

impl Fault {
    fn new(what: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            what: what.into(),
        }
    }

    fn under(self, segment: &str) -> Self {
        Self {
            path: format!("{segment}{}", self.path),
            ..self
        }
    }
}

fn fault(json: Json<'_>, kind: &Kind) -> Result<(), Fault> {
    let value = &json.value;
    match (kind, value) {
        (Kind::Any, _) => Ok(()),
        (Kind::AnyArray, value) => expected(matches!(value, Value::Array(_)), "an array"),
        (Kind::String, value) => expected(matches!(value, Value::String(_)), "a string"),
        (Kind::Exactly(text), Value::String(string)) => expected(string == text, text),
        (Kind::Exactly(_), _) => expected(false, "a string"),
        (Kind::OneOf(words), value) => expected(
            matches!(value, Value::String(word) if words.contains(&word.as_str())),
            &format!("one of {}", words.join(", ")),
        ),
        (Kind::Bool, value) => expected(matches!(value, Value::Bool), "true or false"),
        (Kind::Number, value) => expected(matches!(value, Value::Number), "a number"),
        (Kind::Coordinate, value) => expected(
            matches!(value, Value::Number) && double(json.text).is_finite(),
            "a number",
        ),
        (Kind::Integer, _) => expected(integer(json).is_some(), "an integer"),
        (Kind::Line(lines), _) => {
            let line = integer(json).and_then(|line| usize::try_from(line).ok());
            expected(
                line.is_some_and(|line| line < *lines),
                "a line of the order",
            )
        }
        (Kind::Amount, _) => {
            let wrong = amount(json).err();
            expected(wrong.is_none(), wrong.unwrap_or_default())
        }
        (Kind::ShortString(max), Value::String(string)) => {
            let units = string.encode_utf16().count();
            expected(units <= *max, &format!("at most {max} characters"))
        }
        (Kind::ShortString(_), _) => expected(false, "a string"),
        (Kind::List(item), Value::Array(items)) => each(items, item),
        (Kind::ListUpTo(max, called, item), Value::Array(items)) => {
            each_up_to(items, item, *max, called)
        }
        (Kind::Products(_), Value::Array(items)) if items.is_empty() => {
            expected(false, "at least one product")
        }
        (Kind::Products(max), Value::Array(items)) => {
            each_up_to(items, &product(), *max, "products")
        }
        (Kind::List(_) | Kind::ListUpTo(..) | Kind::Products(_), _) => expected(false, "an array"),
        (Kind::Object(fields), Value::Object(members)) => object(members, fields),
        (Kind::Object(_), _) => expected(false, "an object"),
    }
}

fn expected(holds: bool, what: &str) -> Result<(), Fault> {
    if holds {
        Ok(())
    } else {
        Err(Fault::new(format!("expected {what}")))
    }
}

fn each(items: &[Node<'_>], kind: &Kind) -> Result<(), Fault> {
    for (index, item) in items.iter().enumerate() {
        fault(item, kind).map_err(|fault| fault.under(&format!("[{index}]")))?;
    }
    Ok(())
}

/// D45: items beyond the limit may be anything; the fault is the list.
fn each_up_to(items: &[Node<'_>], kind: &Kind, max: usize, called: &str) -> Result<(), Fault> {
    each(&items[..items.len().min(max)], kind)?;
    expected(items.len() <= max, &format!("at most {max} {called}"))
}

fn object(members: &[Member<'_>], fields: &[Field]) -> Result<(), Fault> {
    let at = |field: &Field| format!(".{}", field.key);
    let absent = |field: &Field| match &field.absent {
        Ok(()) => Ok(()),
        Err(Absent(what)) => Err(Fault::new(*what).under(&at(field))),
    };
    for Member { key, value, .. } in members {
        let Some(field) = fields.iter().find(|field| field.key == key) else {
            continue;
        };
        if value.text == "null" {
            absent(field)?;
        } else {
            fault(value, &field.kind).map_err(|fault| fault.under(&at(field)))?;
        }
    }
    let is_missing = |field: &&Field| !members.iter().any(|member| member.key == field.key);
    fields.iter().filter(is_missing).try_for_each(absent)
}

/// The nearest double, by the standard library.
pub(crate) fn double(text: &str) -> f64 {
    text.parse().expect("a JSON number is one of Rust's")
}

/// The value of a number, unless it is far beyond everything that fits.
pub(crate) fn number(json: Json<'_>) -> Option<Number> {
    match json.value {
        Value::Number => Number::read(json.text),
        _ => None,
    }
}

/// An amount, or what was expected (D14, D44).
pub(crate) fn amount(json: Json<'_>) -> Result<Number, &'static str> {
    if !matches!(json.value, Value::Number) {
        return Err("an amount as a JSON number, such as 12.5");
    }
    match Number::read(json.text) {
        Some(amount) if amount.fits() && !amount.is_negative() => Ok(amount),
        _ if json.text.starts_with('-') => Err("an amount of 0 or more"),
        _ => Err("an amount of at most 28 digits and 28 decimal places"),
    }
}

/// D8.
pub(crate) fn integer(json: Json<'_>) -> Option<i64> {
    number(json)?.to_integer()
}
