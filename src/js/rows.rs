//! The rows of a priced order as numbers, from which JavaScript builds objects.
//! Writing and parsing the rows as JSON takes several times longer.

use crate::json::{Columns, Line, Span};
use crate::order::Product;
use crate::quote::Priced;
use crate::rules::Row;

/// The numbers of each row, in the contract's sequence without `branchId`: a flag
/// is 0 or 1, and a string is the start and the end of its text in the order.
pub(super) fn columns(priced: &Priced) -> Vec<f64> {
    let order = &priced.order;
    let mut units = Units::new(&order.text);
    let mut columns = Vec::with_capacity(priced.rows.len() * WIDTH);
    for (product, row) in order.fields.products.iter().zip(&priced.rows) {
        let mut numbers = Numbers {
            units: &mut units,
            row: [0.0; WIDTH],
            filled: 0,
        };
        product.columns(&mut numbers);
        row.columns(&mut numbers);
        debug_assert_eq!(numbers.filled, WIDTH);
        columns.extend_from_slice(&numbers.row);
    }
    columns
}

/// How many numbers a row is: the response has each field of a product.
const WIDTH: usize = width_of(Product::LINES) + Row::LINES.len();

/// How many numbers the fields of a product are. Fails to compile for any other kind.
#[allow(
    clippy::indexing_slicing,
    clippy::panic,
    reason = "only the compiler runs it"
)]
const fn width_of(lines: &[Line]) -> usize {
    let (mut width, mut place) = (0, 0);
    while place < lines.len() {
        width += match lines[place].kind.as_bytes() {
            b"string" => 2,
            b"integer" | b"flag" => 1,
            _ => panic!("a row has no column of this kind"),
        };
        place += 1;
    }
    width
}

/// The numbers of one row. They move to the list at once, because each that moves
/// alone is a check more, and its code.
struct Numbers<'a, 'text> {
    units: &'a mut Units<'text>,
    row: [f64; WIDTH],
    filled: usize,
}

impl Columns for Numbers<'_, '_> {
    #[inline(always)]
    fn number(&mut self, number: f64) {
        if let Some(column) = self.row.get_mut(self.filled) {
            *column = number;
        }
        self.filled += 1;
    }

    #[inline(always)]
    fn string(&mut self, string: Option<Span>) {
        let [start, end] = self.units.inside(string);
        self.number(start);
        self.number(end);
    }
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
