//! The order as the request states it.

mod mode;
mod shipping;

pub use mode::{Mode, SourceKind};
pub use shipping::{Schedule, Shipping, ShippingType};

use std::borrow::Cow;

use crate::certain::Certain;
use crate::distinct::first_places;
use crate::error::{Error, Expected, Fault, PriceKey};
use crate::json::{
    self, BYTE_ORDER_MARK, Origin, Reader, Span, canonical, decode, key_lists, nearest_double,
    table,
};
use crate::options::Limits;

/// A valid order and the text that it was read from. A [`Span`] is the JSON
/// text of a field that is only passed on; `None` if the field was not sent.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The text that the spans point into.
    pub text: String,
    /// The fields.
    pub fields: Fields,
}

table! {
    /// The fields of an order.
    #[derive(Clone, Debug, Default)]
    pub struct Fields(with: ReadOptions<'_>) {
        /// The products: at least one (D12), at most `limits.maxProducts` (D45).
        pub products: Vec<Product> = objects(
            "productList",
            required,
            |json| with.products(json),
            with.check_products(Vec::new()).map_err(|fault| fault.under_key("productList"))?
        ) nested,
        /// Ids of the vouchers to redeem; `lookupVouchers` looks them up. A repeated id counts once
        /// (D29). At most `limits.maxVouchers` (D45).
        pub voucher_ids: Vec<Span> = strings(
            "voucherId",
            [],
            |json| json.list_up_to(with.limits.max_vouchers, "vouchers", Reader::string)
        ) id,
        /// Codes of the coupons to apply; `validateCoupons` checks them. Codes are case-sensitive and
        /// never trimmed; a repeated code counts once (D24). At most `limits.maxCoupons` (D45).
        pub coupon_codes: Vec<Span> = strings(
            "couponCodeList",
            [],
            |json| json.list_up_to(with.limits.max_coupons, "coupon codes", Reader::string)
        ) id,
        /// A name for your own use. Passed through.
        pub basket_name: Option<Span> = string("basketName", "") text,
        /// An id for your own use. Passed through, and sent to the coupon service.
        pub basket_id: Option<Span> = string("basketId", "") id,
        /// Id of the branch whose prices apply, part of each key of `lookupPrices`. At most 128 UTF-16
        /// units (D45).
        pub branch_id: Option<Span> = string("branchId", "1000", short_string) branch,
        /// An id for your own use. Passed through, and sent to the coupon service.
        pub order_id: Option<Span> = string("orderId", "") id,
        /// Unix timestamp. Passed through, and sent to the coupon service.
        pub order_date: Option<Span> = time("orderDate", 0) plain,
        /// Id of the customer whose vouchers count; without one, none counts (D31). Sent to the coupon
        /// service.
        pub owner_id: Option<Span> = string("ownerId", "") id,
        /// Whether the shop may replace a missing product. Passed through.
        pub request_substitute: bool = flag("requestSubstitute", false) plain,
        /// A remark on the order. Passed through.
        pub special_comment: Option<Span> = string("specialComment", null) text,
        /// Whether the customer wants no plastic bags. Passed through.
        pub no_plastic_bags: bool = flag("noPlasticBags", false) plain,
        /// How the order is delivered. Without it there is no delivery and no fee.
        pub shipping: Option<Shipping> = object(
            "shipping",
            null,
            |json| Shipping::read(json, with.limits.max_schedules)
        ) nested,
        /// Any JSON about discounts on the cart. Passed through; it changes no total.
        pub cart_discount_info: Option<Span> = array("cartDiscountInfo", []) anything,
    }
    computed {}
    response [
        branch_id, basket_name, basket_id, order_id, order_date, owner_id, request_substitute,
        special_comment, no_plastic_bags, coupon_codes, voucher_ids, cart_discount_info,
    ]
    apart [products, shipping]
}

table! { frequent
    /// An ordered product.
    #[derive(Clone, Debug)]
    pub struct Product {
        /// Product code (D8), part of the key of `lookupPrices`.
        pub cprcode: i64 = integer("cprcode", required) plain,
        /// Display name. Passed through.
        pub product_name: Span = string("productName", required) text,
        /// Units. Zero and negative numbers are allowed; the row then counts 0 (D13).
        // Only `Product::set_quantity` may change it.
        pub quantity: i64 = integer("quantity", required) plain,
        /// Id of the schedule that delivers the product. Passed through; it changes no fee (D39).
        pub schedule_id: i64 = integer("scheduleId", 0) plain,
        /// Whether the product is a pre-order. Passed through.
        pub is_pre_order: bool = flag("isPreOrder", false) plain,
        /// A remark on the product. Passed through.
        pub remark: Option<Span> = string("remark", "") text;
        /// The product's JSON text, if a row begins with exactly this text:
        /// most senders write products so.
        verbatim: Option<Span> = None,
    }
    computed {}
    response [cprcode, product_name, quantity, schedule_id, is_pre_order, remark]
}

impl Order {
    /// The known keys of an order, a product, a shipping and a schedule, see
    /// `key_lists`.
    pub fn known_keys() -> String {
        key_lists(&[Fields::KEYS, Product::KEYS, Shipping::KEYS, Schedule::KEYS])
    }

    /// Reads a request body; an error names the first fault (D10, D11).
    pub fn read(body: &[u8], origin: Origin, limits: &Limits) -> Result<Self, Error> {
        Self::read_with(body, origin, ReadOptions::new(limits, false))
    }

    /// Reads an order that may have no products yet.
    pub(crate) fn read_unfinished(
        body: &[u8],
        origin: Origin,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Self::read_with(body, origin, ReadOptions::new(limits, true))
    }

    /// Checks that an unfinished order may be priced.
    pub(crate) fn check_finished(&self) -> Result<(), Error> {
        if self.fields.products.is_empty() {
            return Err(Error::invalid_order(no_products().under_key("productList")));
        }
        Ok(())
    }

    fn read_with(body: &[u8], origin: Origin, with: ReadOptions<'_>) -> Result<Self, Error> {
        let limit = with.limits.max_body_bytes;
        if body.len() > limit {
            return Err(Error::BodyTooLarge(limit));
        }
        // D10: a byte order mark is ignored.
        let body = body
            .strip_prefix(BYTE_ORDER_MARK.as_bytes())
            .unwrap_or(body);
        let mut text = json::text(body).ok_or(Error::InvalidJson)?;
        let read = Reader::lenient_document(&text, origin, |json| Fields::read(json, with));
        let (fields, written) = read.map_err(Error::invalid_order)?;
        text.push_str(&written);
        Ok(Self { text, fields })
    }

    /// Appends the products of another order.
    pub(crate) fn append(&mut self, other: Self) {
        let before = self.text.len();
        self.text.push_str(&other.text);
        let products = other.fields.products.into_iter();
        let products = products.map(|product| product.after(before));
        self.fields.products.extend(products);
    }

    /// How many products, vouchers, coupon codes and schedules it lists,
    /// repeated ones included.
    pub fn counts(&self) -> [u32; 4] {
        let schedules = self.fields.shipping.as_ref();
        [
            self.fields.products.len(),
            self.fields.voucher_ids.len(),
            self.fields.coupon_codes.len(),
            schedules.map_or(0, |shipping| shipping.schedules.len()),
        ]
        .map(|count| u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// The JSON text of a passed-through field, or of its default.
    pub fn json<'a>(&'a self, sent: Option<Span>, default: &'a str) -> &'a str {
        json::or(&self.text, sent, default)
    }

    /// The degrees of a coordinate; 0 if it was not sent.
    pub fn degrees(&self, coordinate: Option<Span>) -> f64 {
        coordinate.map_or(0.0, |number| nearest_double(number.of(&self.text)))
    }

    /// The branch whose prices apply, as JSON text.
    pub fn branch_id_json(&self) -> &str {
        self.json(
            self.fields.branch_id,
            const { Fields::default_of("branchId") },
        )
    }

    /// The branch whose prices apply.
    pub fn branch_id(&self) -> Cow<'_, str> {
        decode(self.branch_id_json())
    }

    /// The price that the product at index `line` needs.
    pub fn price_key(&self, line: usize) -> PriceKey {
        let product = self.fields.products.get(line);
        PriceKey {
            line,
            cprcode: product.certain().cprcode,
            branch_id: self.branch_id().into_owned(),
        }
    }

    /// The address's postcode, as JSON text.
    pub fn shipping_postcode_json(&self) -> &str {
        let sent = self
            .fields
            .shipping
            .as_ref()
            .and_then(|shipping| shipping.postcode);
        self.json(sent, const { Shipping::default_of("shippingPostcode") })
    }

    /// The address's postcode.
    pub fn shipping_postcode(&self) -> Cow<'_, str> {
        decode(self.shipping_postcode_json())
    }

    /// The customer who may redeem vouchers, in the form of `canonical`. An
    /// empty id redeems nothing (D31).
    pub fn owner_id(&self) -> Cow<'_, str> {
        canonical(self.json(
            self.fields.owner_id,
            const { Fields::default_of("ownerId") },
        ))
    }

    /// For each entry of a list of strings, the index of its first occurrence.
    /// Strings that only read the same, because a lone surrogate reads U+FFFD,
    /// are two (D29).
    pub fn first_places(&self, list: &[Span]) -> Vec<usize> {
        let strings = list.iter().map(|string| canonical(string.of(&self.text)));
        first_places(&Vec::from_iter(strings))
    }

    /// The distinct strings of a list, in first-seen order (D24, D29).
    pub fn first_seen(&self, list: &[Span]) -> Vec<Span> {
        if list.len() < 2 {
            return list.to_vec();
        }
        let places = self.first_places(list).into_iter().enumerate().zip(list);
        let first = places.filter(|((place, first), _)| place == first);
        first.map(|(_, string)| *string).collect()
    }
}

impl Product {
    /// The product's JSON text without the closing brace, if a row begins with
    /// exactly this text.
    #[inline]
    pub fn verbatim<'a>(&self, order: &'a Order) -> Option<&'a str> {
        self.verbatim?.of(&order.text).strip_suffix('}')
    }

    /// Replaces the quantity that was sent.
    pub fn set_quantity(&mut self, quantity: i64) {
        self.quantity = quantity;
        self.verbatim = None;
    }

    /// The same product in an order whose text has `before` other bytes before
    /// that of the product.
    fn after(mut self, before: usize) -> Self {
        self.verbatim = self.verbatim.map(|span| span.after(before));
        self.shifted(before)
    }

    fn read_verbatim(json: &mut Reader<'_>) -> Result<Self, Fault> {
        let (verbatim, mut product) = json.verbatim(Self::read)?;
        product.verbatim = verbatim;
        Ok(product)
    }
}

/// How to read an order.
#[derive(Clone, Copy)]
pub(crate) struct ReadOptions<'a> {
    limits: &'a Limits,
    /// Whether the order may have no products.
    may_be_empty: bool,
}

impl<'a> ReadOptions<'a> {
    fn new(limits: &'a Limits, may_be_empty: bool) -> Self {
        Self {
            limits,
            may_be_empty,
        }
    }

    fn products(self, json: &mut Reader<'_>) -> Result<Vec<Product>, Fault> {
        let max = self.limits.max_products;
        let sent =
            json.optional(|json| json.list_up_to(max, "products", Product::read_verbatim))?;
        self.check_products(sent.unwrap_or_default())
    }

    /// D12.
    fn check_products(self, products: Vec<Product>) -> Result<Vec<Product>, Fault> {
        if products.is_empty() && !self.may_be_empty {
            return Err(no_products());
        }
        Ok(products)
    }
}

/// D45: the string must be short, because each row repeats it.
fn short_string(json: &mut Reader<'_>) -> Result<Span, Fault> {
    const LIMIT: usize = 128;
    let sent = json.string()?;
    if json.decoded(sent).encode_utf16().count() > LIMIT {
        return Err(Fault::expected(Expected::AtMost(LIMIT, "characters")));
    }
    Ok(sent)
}

/// D12.
fn no_products() -> Fault {
    Fault::expected(Expected::A("at least one product"))
}
