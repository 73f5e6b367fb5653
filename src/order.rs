//! The order, as the request says it.

use std::borrow::Cow;

use crate::distinct::first_places;
use crate::error::{AtMost, Error, Expected, Fault};
use crate::json::{self, EMPTY, Keys, Origin, Reader, Span, decode, identity, keys};
use crate::options::Limits;
use crate::shipping::Shipping;

keys!(OrderKey {
    ProductList = "productList",
    VoucherId = "voucherId",
    CouponCodeList = "couponCodeList",
    BasketName = "basketName",
    BasketId = "basketId",
    BranchId = "branchId",
    OrderId = "orderId",
    OrderDate = "orderDate",
    OwnerId = "ownerId",
    RequestSubstitute = "requestSubstitute",
    SpecialComment = "specialComment",
    NoPlasticBags = "noPlasticBags",
    Shipping = "shipping",
    CartDiscountInfo = "cartDiscountInfo",
});

/// The keys that an order is read by (D2), and those of its products.
pub const KEYS: [&[&str]; 2] = [OrderKey::TEXTS, ProductKey::TEXTS];

keys!(ProductKey {
    Cprcode = "cprcode",
    ProductName = "productName",
    Quantity = "quantity",
    ScheduleId = "scheduleId",
    IsPreOrder = "isPreOrder",
    Remark = "remark",
});

/// A valid order and the text it was read from. A [`Span`] is the JSON text of
/// a field that is only passed on; `None` was not sent.
#[derive(Clone, Debug)]
pub struct Order {
    /// What the spans point into.
    pub text: String,
    /// The fields.
    pub fields: Fields,
}

/// The fields of an order; keys that are not here are dropped (D2).
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// At least one (D12).
    pub products: Vec<Product>,
    /// The vouchers to redeem, as sent.
    pub voucher_ids: Vec<Span>,
    /// The coupons to apply, as sent.
    pub coupon_codes: Vec<Span>,
    /// Passed through.
    pub basket_name: Option<Span>,
    /// Passed through.
    pub basket_id: Option<Span>,
    /// The branch whose prices count; "1000" unless sent.
    pub branch_id: Option<Span>,
    /// Passed through.
    pub order_id: Option<Span>,
    /// Passed through.
    pub order_date: Option<Span>,
    /// Who may redeem vouchers.
    pub owner_id: Option<Span>,
    /// Passed through.
    pub request_substitute: bool,
    /// Passed through.
    pub special_comment: Option<Span>,
    /// Passed through.
    pub no_plastic_bags: bool,
    /// How it is delivered, if it is.
    pub shipping: Option<Shipping>,
    /// Passed through.
    pub cart_discount_info: Option<Span>,
}

/// A product that is ordered.
#[derive(Clone, Debug)]
pub struct Product {
    /// The product code.
    pub cprcode: i64,
    /// Passed through.
    pub product_name: Span,
    /// Units; zero and less are allowed (D13). Changed by
    /// [`Product::set_quantity`] alone.
    pub quantity: i64,
    /// The schedule that delivers it; 0 unless sent.
    pub schedule_id: i64,
    /// Passed through.
    pub is_pre_order: bool,
    /// Passed through.
    pub remark: Option<Span>,
    /// Its JSON text, where a row begins with just that: most senders write
    /// products so.
    verbatim: Option<Span>,
}

impl Order {
    /// Reads a request body, or says what is wrong with it (D10, D11).
    pub fn read(body: &[u8], origin: Origin, limits: &Limits) -> Result<Self, Error> {
        Self::read_with(body, origin, limits, Emptiness::Refused)
    }

    /// Reads what becomes an order: it may have no products yet.
    pub(crate) fn read_unfinished(
        body: &[u8],
        origin: Origin,
        limits: &Limits,
    ) -> Result<Self, Error> {
        Self::read_with(body, origin, limits, Emptiness::Allowed)
    }

    /// Whether an order whose text has so many bytes may be priced.
    pub(crate) fn check_finished(&self, limits: &Limits, text_bytes: usize) -> Result<(), Error> {
        if text_bytes > limits.max_body_bytes {
            return Err(Error::BodyTooLarge(limits.max_body_bytes));
        }
        if self.fields.products.is_empty() {
            let fault = no_products().under_key("productList").into_invalid();
            return Err(fault.map_or(Error::InvalidJson, Error::InvalidOrder));
        }
        Ok(())
    }

    fn read_with(
        body: &[u8],
        origin: Origin,
        limits: &Limits,
        emptiness: Emptiness,
    ) -> Result<Self, Error> {
        if body.len() > limits.max_body_bytes {
            return Err(Error::BodyTooLarge(limits.max_body_bytes));
        }
        // D10: a byte order mark is no fault.
        let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let text = json::text(body).ok_or(Error::InvalidJson)?;
        let fields = Reader::document(&text, origin, |json| Fields::read(json, limits, emptiness))
            .map_err(|fault| {
                fault
                    .into_invalid()
                    .map_or(Error::InvalidJson, Error::InvalidOrder)
            })?;
        Ok(Self { text, fields })
    }

    /// The JSON text of a passed-through field, or of its default.
    #[inline(never)]
    pub fn json<'a>(&'a self, sent: Option<Span>, default: &'a str) -> &'a str {
        sent.map_or(default, |span| span.of(&self.text))
    }

    /// The branch whose prices count, as JSON text.
    pub fn branch_id_json(&self) -> &str {
        self.json(self.fields.branch_id, r#""1000""#)
    }

    /// The branch whose prices count.
    pub fn branch_id(&self) -> Cow<'_, str> {
        decode(self.branch_id_json())
    }

    /// The address's postcode, as JSON text.
    pub fn shipping_postcode_json(&self) -> &str {
        let sent = self
            .fields
            .shipping
            .as_ref()
            .and_then(|shipping| shipping.postcode);
        self.json(sent, r#""10110""#)
    }

    /// The address's postcode.
    pub fn shipping_postcode(&self) -> Cow<'_, str> {
        decode(self.shipping_postcode_json())
    }

    /// Who may redeem vouchers, see [`identity`]; empty: nobody (D31).
    pub fn owner_id(&self) -> Cow<'_, str> {
        identity(self.json(self.fields.owner_id, EMPTY))
    }

    /// For each place of a list of strings, where the same one stands first.
    pub fn first_places(&self, list: &[Span]) -> Vec<usize> {
        let strings: Vec<_> = list
            .iter()
            .map(|string| decode(string.of(&self.text)))
            .collect();
        first_places(&strings)
    }

    /// A list of strings without its repetitions (D24, D29), each at its first
    /// place.
    pub fn first_seen(&self, list: &[Span]) -> Vec<Span> {
        let places = self.first_places(list).into_iter().enumerate();
        let strings = list.iter().zip(places);
        let first = strings.filter(|(_, (place, first))| place == first);
        first.map(|(string, _)| *string).collect()
    }
}

impl Fields {
    fn read(json: &mut Reader<'_>, limits: &Limits, emptiness: Emptiness) -> Result<Self, Fault> {
        let mut order = Self::default();
        // D45.
        let vouchers = AtMost {
            limit: limits.max_vouchers,
            of: "vouchers",
        };
        let coupons = AtMost {
            limit: limits.max_coupons,
            of: "coupon codes",
        };
        json.fields(|json, key| {
            match key {
                OrderKey::ProductList => {
                    order.products = Product::read_list(json, limits.max_products, emptiness)?
                }
                OrderKey::VoucherId => {
                    order.voucher_ids = strings(json, vouchers)?;
                }
                OrderKey::CouponCodeList => {
                    order.coupon_codes = strings(json, coupons)?;
                }
                OrderKey::BasketName => order.basket_name = json.optional(Reader::string)?,
                OrderKey::BasketId => order.basket_id = json.optional(Reader::string)?,
                OrderKey::BranchId => order.branch_id = json.optional(branch_id)?,
                OrderKey::OrderId => order.order_id = json.optional(Reader::string)?,
                OrderKey::OrderDate => order.order_date = json.optional(Reader::number)?,
                OrderKey::OwnerId => order.owner_id = json.optional(Reader::string)?,
                OrderKey::RequestSubstitute => {
                    order.request_substitute = json.optional(Reader::boolean)?.unwrap_or_default()
                }
                OrderKey::SpecialComment => {
                    order.special_comment = json.optional(Reader::string)?
                }
                OrderKey::NoPlasticBags => {
                    order.no_plastic_bags = json.optional(Reader::boolean)?.unwrap_or_default()
                }
                OrderKey::Shipping => {
                    let max_schedules = limits.max_schedules;
                    order.shipping = json.optional(|json| Shipping::read(json, max_schedules))?
                }
                OrderKey::CartDiscountInfo => {
                    order.cart_discount_info = json.optional(Reader::opaque_array)?
                }
            }
            Ok(())
        })?;
        if order.products.is_empty() && emptiness == Emptiness::Refused {
            return Err(no_products().under_key("productList"));
        }
        Ok(order)
    }
}

impl Product {
    fn read_list(
        json: &mut Reader<'_>,
        max: usize,
        emptiness: Emptiness,
    ) -> Result<Vec<Self>, Fault> {
        let max = AtMost {
            limit: max,
            of: "products",
        };
        let products = json.optional(|json| json.list_up_to(max, Self::read))?;
        emptiness.check(products.unwrap_or_default())
    }

    /// The JSON text of its fields without the closing brace, where that is
    /// what a row begins with.
    #[inline]
    pub fn verbatim<'a>(&self, order: &'a Order) -> Option<&'a str> {
        self.verbatim?.of(&order.text).strip_suffix('}')
    }

    /// Orders so many units in place of those that were sent.
    pub fn set_quantity(&mut self, quantity: i64) {
        self.quantity = quantity;
        self.verbatim = None;
    }

    fn read(json: &mut Reader<'_>) -> Result<Self, Fault> {
        let (verbatim, product) = json.verbatim(Self::read_fields)?;
        Ok(Self {
            verbatim,
            ..product
        })
    }

    #[inline]
    fn read_fields(json: &mut Reader<'_>) -> Result<Self, Fault> {
        let (mut cprcode, mut product_name, mut quantity) = (None, None, None);
        let (mut schedule_id, mut is_pre_order, mut remark) = (None, None, None);
        json.frequent_fields(|json, key| {
            match key {
                ProductKey::Cprcode => {
                    cprcode = Some(json.required(|json| json.frequent_integer())?)
                }
                ProductKey::ProductName => {
                    product_name = Some(json.required(|json| json.frequent_string())?)
                }
                ProductKey::Quantity => {
                    quantity = Some(json.required(|json| json.frequent_integer())?)
                }
                ProductKey::ScheduleId => {
                    schedule_id = json.optional(|json| json.frequent_integer())?
                }
                ProductKey::IsPreOrder => {
                    is_pre_order = json.optional(|json| json.frequent_boolean())?
                }
                ProductKey::Remark => remark = json.optional(|json| json.frequent_string())?,
            }
            Ok(())
        })?;
        Ok(Self {
            cprcode: cprcode.ok_or_else(|| Fault::missing("cprcode"))?,
            product_name: product_name.ok_or_else(|| Fault::missing("productName"))?,
            quantity: quantity.ok_or_else(|| Fault::missing("quantity"))?,
            schedule_id: schedule_id.unwrap_or_default(),
            is_pre_order: is_pre_order.unwrap_or_default(),
            remark,
            verbatim: None,
        })
    }
}

/// Whether an order may be without products.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emptiness {
    Allowed,
    /// D12.
    Refused,
}

impl Emptiness {
    fn check(self, products: Vec<Product>) -> Result<Vec<Product>, Fault> {
        if products.is_empty() && self == Self::Refused {
            return Err(no_products());
        }
        Ok(products)
    }
}

fn strings(json: &mut Reader<'_>, max: AtMost) -> Result<Vec<Span>, Fault> {
    let strings = json.optional(|json| json.list_up_to(max, Reader::string))?;
    Ok(strings.unwrap_or_default())
}

/// D45: short, because each row repeats it.
fn branch_id(json: &mut Reader<'_>) -> Result<Span, Fault> {
    const MAX: AtMost = AtMost {
        limit: 128,
        of: "characters",
    };
    let sent = json.string()?;
    if json.decoded(sent).encode_utf16().count() > MAX.limit {
        return Err(Fault::expected(Expected::AtMost(MAX)));
    }
    Ok(sent)
}

/// D12.
fn no_products() -> Fault {
    Fault::expected(Expected::A("at least one product"))
}
