//! Orders and answers made from a fuzzer's bytes: mostly valid, with the values at which rules change, and sometimes
//! broken.

use std::collections::BTreeMap;

use arbitrary::{Result as Drawn, Unstructured};
use order_cost::{Policy, Word};

use super::host::Host;

type Bytes<'a> = Unstructured<'a>;

/// Values in a wrong place, or that are not JSON.
const JUNK: [&str; 14] = [
    "null",
    "[]",
    "{}",
    "\"\"",
    "-1",
    "1e999",
    "0.5",
    "true",
    "[null]",
    "[[[]]]",
    "{\"a\":1}",
    "nul",
    "NaN",
    "",
];

/// Amounts at the limits of what fits, of 64 bits, of eight digits and of a millionth.
const AMOUNTS: &str = "0 1 12.5 99.99 0.1 100.00 1e3 0.000001 0.0000001 99999999.99999999 \
    100000000 9223372036854.775807 9223372036854775807 9223372036854775808 \
    39614081257132168796771975168 79228162514264337593543950335 \
    7.9228162514264337593543950335 0.0000000000000000000000000001 0.1234567890123456789012345678 \
    0.15000000000000002 79228162514264337593543950336 1e-29";

/// Two bytes select all policies, so that an input of the corpora keeps its later values.
pub(crate) fn policy(bytes: &mut Bytes<'_>) -> Drawn<Policy> {
    let mut rows = bytes.int_in_range(0..=47)?;
    let mut fees = bytes.int_in_range(0..=23)?;
    Ok(Policy {
        row_total: of(&mut rows),
        sub_total: of(&mut rows),
        discounted_row_total: of(&mut rows),
        exclude_controlled: of(&mut rows),
        settlement_price: of(&mut rows),
        free_shipping: of(&mut fees),
        folded_discounts: of(&mut fees),
        express_surcharge: of(&mut fees),
    })
}

/// The lowest digit of a number, as a choice; the other digits stay.
fn of<T: Word>(number: &mut usize) -> T {
    let place = *number % T::ALL.len();
    *number /= T::ALL.len();
    T::ALL[place]
}

/// A request body with `min` products or more.
pub(crate) fn order(bytes: &mut Bytes<'_>, min: usize) -> Drawn<String> {
    let products = list(bytes, min, product)?;
    Object::new()
        .known("productList", products)
        .maybe(bytes, "ownerId", owner)?
        .maybe(bytes, "couponCodeList", coupon_codes)?
        .maybe(bytes, "voucherId", voucher_ids)?
        .maybe(bytes, "shipping", shipping)?
        .maybe(bytes, "branchId", branch)?
        .maybe(bytes, "orderDate", number)?
        .maybe(bytes, "basketName", string)?
        .maybe(bytes, "specialComment", string)?
        .maybe(bytes, "noPlasticBags", boolean)?
        .maybe(bytes, "cartDiscountInfo", opaque_list)?
        .maybe(bytes, "unknown", opaque)?
        .finish(bytes)
}

pub(crate) fn product(bytes: &mut Bytes<'_>) -> Drawn<String> {
    Object::new()
        .certain(bytes, "cprcode", one_of("1 2 3 4.0"))?
        .certain(bytes, "productName", string)?
        .certain(bytes, "quantity", quantity)?
        .maybe(bytes, "scheduleId", quantity)?
        .maybe(bytes, "isPreOrder", boolean)?
        .maybe(bytes, "remark", string)?
        .maybe(bytes, "price", amount)?
        .finish(bytes)
}

pub(crate) fn quantity(bytes: &mut Bytes<'_>) -> Drawn<String> {
    one_of("1 2 3 7 1000 2.0 1e1 0 -1 9007199254740991")(bytes)
}

pub(crate) fn owner(bytes: &mut Bytes<'_>) -> Drawn<String> {
    const OWNERS: [&str; 8] = [
        r#""U1""#,
        r#""""#,
        r#""\u0055\u0031""#,
        r#""U2""#,
        r#""U1""#,
        r#""u1""#,
        r#""U1 ""#,
        r#""U3""#,
    ];
    choose(bytes, &OWNERS)
}

pub(crate) fn branch(bytes: &mut Bytes<'_>) -> Drawn<String> {
    const BRANCHES: [&str; 4] = [r#""1000""#, r#""2""#, r#""""#, r#""\ud83d""#];
    let pairs = r"\ud83d\ude00".repeat(64);
    Ok(match bytes.choose_index(32)? {
        // D45: as long as a branch may be, and one longer.
        30 => format!("\"{pairs}\""),
        31 => format!("\"{pairs}x\""),
        kind => BRANCHES[kind % 4].to_owned(),
    })
}

pub(crate) fn coupon_codes(bytes: &mut Bytes<'_>) -> Drawn<String> {
    few_or_many(bytes, one_of(r#""C1" "C2" "C\u0031" """#))
}

pub(crate) fn voucher_ids(bytes: &mut Bytes<'_>) -> Drawn<String> {
    few_or_many(bytes, one_of(r#""V1" "V2" "V\u0031" "V3""#))
}

pub(crate) fn shipping(bytes: &mut Bytes<'_>) -> Drawn<String> {
    Object::new()
        .maybe(
            bytes,
            "shippingType",
            one_of(r#""DELIVERY" "DELIVERY" "PICKUP""#),
        )?
        .maybe(bytes, "scheduleList", |bytes| few_or_many(bytes, schedule))?
        .maybe(
            bytes,
            "shippingLat",
            one_of("13.5 14 0 90 13.999999999999999999"),
        )?
        .maybe(bytes, "shippingLon", one_of("100.75 101 100.25 1.02e2 0"))?
        .maybe(bytes, "shippingPostcode", one_of(r#""10110" "50000" """#))?
        .maybe(bytes, "brcode", one_of("1000 2000 3000 2e3"))?
        .maybe(bytes, "shippingFirstName", string)?
        .maybe(bytes, "shippingDate", number)?
        .finish(bytes)
}

fn schedule(bytes: &mut Bytes<'_>) -> Drawn<String> {
    Object::new()
        .maybe(
            bytes,
            "mode",
            one_of(r#""EXPRESS" "REGULAR" "NATIONWIDE" "PICKUP" "\u0045XPRESS""#),
        )?
        .maybe(bytes, "nationwideMode", one_of(r#""DRY" "FRESH" "MIX""#))?
        .maybe(bytes, "nationwideConfig", string)?
        .maybe(bytes, "scheduleId", quantity)?
        .maybe(bytes, "date_slot", opaque)?
        .maybe(bytes, "dateTime", string)?
        .finish(bytes)
}

/// Answers to everything that these orders may need.
pub(crate) fn host(bytes: &mut Bytes<'_>, products: usize) -> Drawn<Host> {
    let mut host = Host {
        prices: BTreeMap::new(),
        rates: BTreeMap::new(),
        vouchers: BTreeMap::new(),
        coupons: None,
    };
    for cprcode in 1..=4 {
        if !rarely(bytes)? {
            host.prices.insert(cprcode, price_record(bytes)?);
        }
    }
    for mode in ["DRY", "FRESH", "MIX"] {
        if !rarely(bytes)? {
            host.rates.insert(mode, rate(bytes)?);
        }
    }
    for id in ["V1", "V2", "V3"] {
        if !rarely(bytes)? {
            host.vouchers.insert(id.to_owned(), voucher(bytes, id)?);
        }
    }
    if !rarely(bytes)? {
        host.coupons = Some(discount_result(bytes, products)?);
    }
    Ok(host)
}

fn price_record(bytes: &mut Bytes<'_>) -> Drawn<String> {
    Object::new()
        .certain(bytes, "price", amount)?
        .maybe(bytes, "originalPrice", amount)?
        .maybe(bytes, "settlementPrice", amount)?
        .maybe(bytes, "weight", amount)?
        .maybe(bytes, "isControlledProduct", boolean)?
        .finish(bytes)
}

fn rate(bytes: &mut Bytes<'_>) -> Drawn<String> {
    Object::new()
        .certain(bytes, "deliveryFee", amount)?
        .maybe(bytes, "nationwideConfig", string)?
        .finish(bytes)
}

fn voucher(bytes: &mut Bytes<'_>, id: &str) -> Drawn<String> {
    Object::new()
        .maybe(bytes, "extra", opaque)?
        .maybe(bytes, "voucherId", |_| Ok(format!("\"{id}\"")))?
        .certain(bytes, "value", amount)?
        .certain(bytes, "ownerId", owner)?
        .certain(bytes, "isActive", one_of("true true false"))?
        .certain(bytes, "isUsed", one_of("false false true"))?
        .maybe(bytes, "reasons", opaque)?
        .finish(bytes)
}

fn discount_result(bytes: &mut Bytes<'_>, products: usize) -> Drawn<String> {
    Object::new()
        .certain(bytes, "discounts", |bytes| {
            list(bytes, 0, |bytes| discount(bytes, products))
        })?
        .maybe(bytes, "failedCoupons", coupon_codes)?
        .maybe(bytes, "error", opaque)?
        .maybe(bytes, "lines", |bytes| lines(bytes, products))?
        .finish(bytes)
}

fn discount(bytes: &mut Bytes<'_>, products: usize) -> Drawn<String> {
    Object::new()
        .certain(bytes, "coupon", one_of(r#""C1" "C2" "PROMO""#))?
        .maybe(bytes, "discount", amount)?
        .maybe(bytes, "bogoDiscount", amount)?
        .maybe(bytes, "two4Discount", amount)?
        .maybe(bytes, "percentageDiscount", amount)?
        .maybe(bytes, "shippingDiscount", amount)?
        .maybe(bytes, "freeshipping", boolean)?
        .maybe(bytes, "lines", |bytes| lines(bytes, products))?
        .finish(bytes)
}

fn lines(bytes: &mut Bytes<'_>, products: usize) -> Drawn<String> {
    list(bytes, 0, |bytes| {
        let line = bytes.int_in_range(0..=products.max(1) - 1)?;
        Object::new()
            .certain(bytes, "line", |_| Ok(line.to_string()))?
            .maybe(bytes, "discount", amount)?
            .finish(bytes)
    })
}

pub(crate) fn amount(bytes: &mut Bytes<'_>) -> Drawn<String> {
    match bytes.arbitrary::<u8>()? {
        kind @ 0..=175 => {
            let amount = AMOUNTS.split(' ').nth(usize::from(kind) / 8);
            Ok(amount.unwrap_or_default().to_owned())
        }
        scale @ 176..=190 => Ok(format!("{}e-{}", bytes.arbitrary::<u64>()?, scale - 170)),
        _ => {
            let satang = bytes.arbitrary::<u16>()?;
            Ok(format!("{}.{:02}", satang / 100, satang % 100))
        }
    }
}

fn number(bytes: &mut Bytes<'_>) -> Drawn<String> {
    choose(bytes, &["1.50e3", "-0", "1e999", "1767225600000000000001"])
}

fn boolean(bytes: &mut Bytes<'_>) -> Drawn<String> {
    choose(bytes, &["true", "false"])
}

fn string(bytes: &mut Bytes<'_>) -> Drawn<String> {
    choose(
        bytes,
        &[
            r#""A""#,
            r#""""#,
            r#""ก\u0e01\n\"\\""#,
            r#""\ud83d\ude00 \ude00""#,
            r#""eight by8""#,
        ],
    )
}

fn opaque(bytes: &mut Bytes<'_>) -> Drawn<String> {
    choose(
        bytes,
        &[
            r#"{"__proto__": [1e999, -0.0]}"#,
            "1E400",
            r#""\ud83d""#,
            "[ ]",
            "null",
        ],
    )
}

fn opaque_list(bytes: &mut Bytes<'_>) -> Drawn<String> {
    list(bytes, 0, opaque)
}

/// A list of at least `min` items and at most three more.
pub(crate) fn list(
    bytes: &mut Bytes<'_>,
    min: usize,
    item: impl Fn(&mut Bytes<'_>) -> Drawn<String>,
) -> Drawn<String> {
    let count = bytes.int_in_range(min..=min + 3)?;
    let items = (0..count).map(|_| item(bytes));
    Ok(format!("[{}]", items.collect::<Drawn<Vec<_>>>()?.join(",")))
}

/// A list of at most three items. Sometimes they repeat up to the limit of an order, or two beyond it (D45). One byte
/// selects both, so that an input of the corpora keeps its later values.
fn few_or_many(
    bytes: &mut Bytes<'_>,
    item: impl Fn(&mut Bytes<'_>) -> Drawn<String>,
) -> Drawn<String> {
    let kind = bytes.arbitrary::<u8>()?;
    let items = (0..kind % 4).map(|_| item(bytes));
    let items = items.collect::<Drawn<Vec<_>>>()?;
    let rounds = match items.len() {
        count @ 1.. if is_rare(kind) => 99 / count + 1,
        _ => 1,
    };
    Ok(format!("[{}]", vec![items.join(","); rounds].join(",")))
}

/// Draws one of these words, which have no spaces.
fn one_of(words: &'static str) -> impl Fn(&mut Bytes<'_>) -> Drawn<String> {
    move |bytes| choose(bytes, &Vec::from_iter(words.split(' ')))
}

fn choose(bytes: &mut Bytes<'_>, words: &[&str]) -> Drawn<String> {
    bytes.choose(words).map(|word| (*word).to_owned())
}

/// False once the bytes are used up.
fn rarely(bytes: &mut Bytes<'_>) -> Drawn<bool> {
    Ok(is_rare(bytes.arbitrary()?))
}

fn is_rare(byte: u8) -> bool {
    byte > 247
}

/// An object under construction.
struct Object(Vec<String>);

impl Object {
    fn new() -> Self {
        Self(Vec::new())
    }

    fn known(mut self, key: &str, value: String) -> Self {
        self.0.push(format!("\"{key}\":{value}"));
        self
    }

    fn certain(
        self,
        bytes: &mut Bytes<'_>,
        key: &str,
        value: impl Fn(&mut Bytes<'_>) -> Drawn<String>,
    ) -> Drawn<Self> {
        let value = if bytes.arbitrary::<u8>()? > 252 {
            choose(bytes, &JUNK)?
        } else {
            value(bytes)?
        };
        Ok(self.known(key, value))
    }

    fn maybe(
        self,
        bytes: &mut Bytes<'_>,
        key: &str,
        value: impl Fn(&mut Bytes<'_>) -> Drawn<String>,
    ) -> Drawn<Self> {
        if bytes.arbitrary::<u8>()? < 128 {
            return Ok(self);
        }
        self.certain(bytes, key, value)
    }

    /// Sometimes rotates the members and repeats one of them.
    fn finish(mut self, bytes: &mut Bytes<'_>) -> Drawn<String> {
        if !self.0.is_empty() && rarely(bytes)? {
            let place = bytes.choose_index(self.0.len())?;
            self.0.rotate_left(place);
            self.0.push(self.0[0].clone());
        }
        Ok(format!("{{{}}}", self.0.join(",")))
    }
}
