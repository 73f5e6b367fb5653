//! The JSON text of an order that is being edited.

use std::rc::Rc;

use crate::json::{
    BYTE_ORDER_MARK, Member, Origin, Reader, Span, Writer, decode, last_of_each_key,
};

/// The JSON text of an order in parts, each as its sender wrote it.
/// [`Order`](crate::order::Order) has accepted the parts and defines them.
#[derive(Clone, Debug, Default)]
pub(crate) struct OrderText {
    /// The members of the order, without its products.
    members: Vec<MemberText>,
    /// `productList`.
    pub(crate) products: Vec<ProductText>,
    next_id: u32,
}

/// A key with its quotes, and its value.
#[derive(Clone, Debug)]
struct MemberText {
    key: Rc<str>,
    value: Rc<str>,
}

/// The text of a product. The quantity changes most often, so it stays a number
/// until the text is written.
#[derive(Clone, Debug)]
pub(crate) struct ProductText {
    /// Differs from the id of every other product that the order has ever had.
    pub(crate) id: u32,
    /// The current quantity, if it differs from the text.
    pub(crate) quantity: Option<i64>,
    text: Rc<str>,
    quantity_at: Span,
}

const PRODUCT_LIST: &str = r#""productList""#;

impl OrderText {
    /// Splits an accepted order into its parts.
    pub(crate) fn new(order: &str) -> Self {
        // D10: a byte order mark is ignored.
        let order = order.strip_prefix(BYTE_ORDER_MARK).unwrap_or(order);
        let mut text = Self::default();
        let mut products = Vec::new();
        for member in last_of_each_key(order, members(order)) {
            let (key, value) = (member.key.of(order), member.value.of(order));
            if decode(key) == decode(PRODUCT_LIST) {
                products = items(value);
            } else {
                text.members.push(MemberText {
                    key: key.into(),
                    value: value.into(),
                });
            }
        }
        for product in products {
            text.add_product(product);
        }
        text
    }

    /// Replaces the member with this key, or adds it; `key` has its quotes.
    pub(crate) fn set(&mut self, key: &str, value: &str) {
        let value = value.into();
        let same = |member: &&mut MemberText| decode(&member.key) == decode(key);
        match self.members.iter_mut().find(same) {
            Some(member) => member.value = value,
            None => self.members.push(MemberText {
                key: key.into(),
                value,
            }),
        }
    }

    /// Appends a product.
    pub(crate) fn add_product(&mut self, text: &str) {
        self.products.push(ProductText {
            id: self.next_id,
            quantity: None,
            quantity_at: quantity_at(text),
            text: text.into(),
        });
        self.next_id = self.next_id.wrapping_add(1);
    }

    /// The order as one text.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.raw("{");
        for member in &self.members {
            out.raw(&member.key).raw(":").raw(&member.value).raw(",");
        }
        out.raw(PRODUCT_LIST).raw(":");
        out.list(&self.products, |out, product| product.write(out));
        out.raw("}");
        out.into_bytes()
    }
}

impl ProductText {
    /// The length of the written product in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let Some(quantity) = self.quantity else {
            return self.text.len();
        };
        let (before, after) = self.quantity_at.around(&self.text);
        let mut out = Writer::default();
        out.integer(quantity);
        let lengths = [before.len(), out.into_bytes().len(), after.len()];
        lengths.iter().sum()
    }

    fn write(&self, out: &mut Writer) {
        let Some(quantity) = self.quantity else {
            out.raw(&self.text);
            return;
        };
        let (before, after) = self.quantity_at.around(&self.text);
        out.raw(before).integer(quantity).raw(after);
    }
}

/// The position of an accepted product's quantity; the last one wins (D9).
fn quantity_at(product: &str) -> Span {
    let is_quantity = |member: &Member| decode(member.key.of(product)) == "quantity";
    let members = members(product);
    let quantity = members.into_iter().rev().find(is_quantity);
    quantity.map_or_else(Span::default, |member| member.value)
}

/// The members of an object.
fn members(object: &str) -> Vec<Member> {
    let mut members = Vec::new();
    let read = Reader::document(object, Origin::Wire, |json| {
        json.members(&mut |json: &mut Reader<'_>, key| {
            let (value, ()) = json.spanned(Reader::skip)?;
            members.push(Member { key, value });
            Ok(())
        })
    });
    if read.is_ok() { members } else { Vec::new() }
}

/// The items of a list; `null` gives an empty list.
fn items(list: &str) -> Vec<&str> {
    let read = Reader::document(list, Origin::Wire, |json| {
        json.optional(|json| json.list(|json| json.spanned(Reader::skip)))
    });
    let items = read.ok().flatten().unwrap_or_default();
    items.into_iter().map(|(item, ())| item.of(list)).collect()
}
