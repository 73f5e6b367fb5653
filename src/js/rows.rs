//! The rows of a priced order as numbers, from which JavaScript builds objects.
//! Writing and parsing the rows as JSON takes several times longer.

use crate::json::{Columns, Span};
use crate::quote::Priced;

/// The numbers of each row, in the contract's sequence without `branchId`: a flag
/// is 0 or 1, and a string is the start and the end of its text in the order.
pub(super) fn columns(priced: &Priced) -> Vec<f64> {
    let order = &priced.order;
    let mut numbers = Numbers {
        units: Units::new(&order.text),
        numbers: Vec::new(),
    };
    for (product, row) in order.fields.products.iter().zip(&priced.rows) {
        product.columns(&mut numbers);
        row.columns(&mut numbers);
    }
    numbers.numbers
}

struct Numbers<'a> {
    units: Units<'a>,
    numbers: Vec<f64>,
}

impl Columns for Numbers<'_> {
    #[inline]
    fn number(&mut self, number: f64) {
        self.numbers.push(number);
    }

    #[inline]
    fn string(&mut self, string: Option<Span>) {
        let place = self.units.inside(string);
        self.numbers.extend(place);
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
