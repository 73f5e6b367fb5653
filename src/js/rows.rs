//! The rows of a priced order as numbers, from which JavaScript builds objects.
//! Writing and parsing the rows as JSON takes several times longer.

use crate::json::Span;
use crate::order::Product;
use crate::quote::Priced;
use crate::rules::Row;

/// The count of numbers in a row.
const WIDTH: usize = 15;

/// The numbers of each row: a flag is 0 or 1, and a string is the start and the
/// end of its text in the order. The package's rows.js reads them in this sequence.
pub(super) fn columns(priced: &Priced) -> Vec<f64> {
    let order = &priced.order;
    let products = order.fields.products.iter();
    let mut units = Units::new(&order.text);
    let mut columns = Vec::with_capacity(priced.rows.len() * WIDTH);
    for (product, row) in products.zip(&priced.rows) {
        columns.extend(row_numbers(&mut units, product, row));
    }
    columns
}

fn row_numbers(units: &mut Units<'_>, product: &Product, row: &Row) -> [f64; WIDTH] {
    let record = &row.record;
    let [name_start, name_end] = units.inside(Some(product.product_name));
    let [remark_start, remark_end] = units.inside(product.remark);
    [
        // D8: integers are exact as doubles.
        product.cprcode as f64,
        name_start,
        name_end,
        product.quantity as f64,
        product.schedule_id as f64,
        product.is_pre_order.into(),
        remark_start,
        remark_end,
        record.original_price.amount.to_double(),
        record.price.amount.to_double(),
        row.row_total.to_double(),
        row.discounted_row_total.to_double(),
        row.settlement_price(row.row_total.into())
            .amount
            .to_double(),
        record.weight.amount.to_double(),
        record.is_controlled.into(),
    ]
}

/// Converts byte positions in a text to JavaScript's positions in UTF-16 units.
/// Counts from the last position, because the next one is near it.
struct Units<'a> {
    text: &'a [u8],
    byte: usize,
    unit: usize,
}

impl<'a> Units<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            byte: 0,
            unit: 0,
        }
    }

    /// The start and the end of a string inside its quotes; zeros if not sent.
    fn inside(&mut self, string: Option<Span>) -> [f64; 2] {
        string.map_or([0.0; 2], |span| {
            let (start, end) = (span.start(), span.end());
            [start + 1, end - 1].map(|byte| self.at(byte))
        })
    }

    fn at(&mut self, byte: usize) -> f64 {
        let count = |range| self.text.get(range).map_or(0, units);
        self.unit = if byte < self.byte {
            self.unit - count(byte..self.byte)
        } else {
            self.unit + count(self.byte..byte)
        };
        self.byte = byte;
        self.unit as f64
    }
}

/// The number of UTF-16 units of the characters that begin in these bytes: one
/// for each, and one more if the character has four bytes.
fn units(text: &[u8]) -> usize {
    let count = |counts: fn(u8) -> bool| text.iter().filter(|byte| counts(**byte)).count();
    let begun = count(|byte| !matches!(byte, 0x80..0xC0));
    begun + count(|byte| byte >= 0xF0)
}
