//! Decimal digits, eight at a time in one register.
//!
//! The numbers of a basket have few digits: a loop over them costs more than
//! these few multiplications. A copy whose length the compiler does not know
//! costs more than both, because it is a call.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "every result fits a register of eight digits; the tests check overflows"
)]

use std::num::NonZeroU64;

/// The number of digits that fit the register.
const MAX: usize = 8;

/// The text of a short decimal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    /// ASCII, the first character in the lowest byte.
    text: u128,
    length: usize,
}

impl Digits {
    /// `value × 10^-places` in plain notation without trailing zeros, if it has
    /// at most eight digits, one of them before the point.
    #[inline]
    pub(crate) fn of(value: u32, places: u32) -> Option<Self> {
        let places = places as usize;
        if value >= 100_000_000 || places >= MAX {
            return None;
        }
        let digits = spread(value);
        let ascii = digits | ZEROS;
        let point = MAX - places;
        let first = (digits.trailing_zeros() as usize / 8).min(point - 1);
        let trailing_zeros = (digits.leading_zeros() as usize / 8).min(places);
        let whole = ascii >> (first * 8);
        let before = point - first;
        let after = places - trailing_zeros;
        if after == 0 {
            return Some(Self {
                text: whole.into(),
                length: before,
            });
        }
        // Moves the digits after the point by one byte, to make room for it.
        let behind = (ascii >> (point * 8)) << 8 | u64::from(b'.');
        let bits = before * 8;
        let low = whole & !(u64::MAX << bits) | behind << bits;
        let high = behind >> (64 - bits);
        Some(Self {
            text: u128::from(low) | u128::from(high) << 64,
            length: before + 1 + after,
        })
    }

    /// The text as a [`ShortText`], if it is short enough.
    #[inline]
    pub(crate) fn short_text(self) -> Option<ShortText> {
        if self.length >= MAX {
            return None;
        }
        ShortText::first(self.text as u64, self.length)
    }

    /// Appends the text to `out`.
    #[inline]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let end = out.len() + self.length;
        out.extend_from_slice(&self.text.to_le_bytes());
        out.truncate(end);
    }
}

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Spreads eight digits over eight bytes, the first digit in the lowest byte.
#[inline]
fn spread(value: u32) -> u64 {
    // Halves hold four digits, then quarters hold two, then bytes hold one. A
    // division by a constant is a multiplication and a shift.
    let halves = u64::from(value / 10_000) | u64::from(value % 10_000) << 32;
    let hundreds = ((halves * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let quarters = hundreds | (halves - hundreds * 100) << 16;
    let tens = ((quarters * 103) >> 10) & 0x000f_000f_000f_000f;
    tens | (quarters - tens * 10) << 8
}

/// A decimal at the start of a text: `value × 10^-places`, in `length` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortNumber {
    pub(crate) value: u32,
    pub(crate) places: usize,
    pub(crate) length: usize,
    /// The first eight bytes of the text.
    word: u64,
}

impl ShortNumber {
    /// The decimal's text, if [`Digits`] would write the same text.
    #[inline]
    pub(crate) fn text(self) -> Option<ShortText> {
        let last = (self.word >> ((self.length - 1) * 8)) as u8;
        let has_trailing_zero = self.places > 0 && last == b'0';
        if has_trailing_zero {
            return None;
        }
        ShortText::first(self.word, self.length)
    }
}

/// An ASCII text of at most seven bytes, with the first character in the lowest
/// byte and zeros after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShortText(NonZeroU64);

impl ShortText {
    /// The first `length` characters of a register, at most seven.
    #[inline]
    fn first(word: u64, length: usize) -> Option<Self> {
        NonZeroU64::new(word & !(u64::MAX << (length * 8))).map(Self)
    }

    /// Appends the text to `out`.
    #[inline]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let length = MAX - self.0.leading_zeros() as usize / 8;
        let end = out.len() + length;
        out.extend_from_slice(&self.0.get().to_le_bytes());
        out.truncate(end);
    }
}

/// The unsigned JSON number that `text` begins with; `None` if it has an
/// exponent or eight bytes do not show its end.
#[inline(always)]
pub(crate) fn short_number(text: &[u8]) -> Option<ShortNumber> {
    let word = u64::from_le_bytes(*text.first_chunk()?);
    let digits = word ^ ZEROS;
    let others = others(digits);
    let whole = others.trailing_zeros() as usize / 8;
    // A JSON number has no leading zero.
    if whole == 0 || whole == MAX || whole > 1 && digits & 0xff == 0 {
        return None;
    }
    let bits = whole * 8;
    let (digits, places, length) = if (word >> bits) as u8 == b'.' {
        let length = (others & (others - 1)).trailing_zeros() as usize / 8;
        let places = length - whole - 1;
        if places == 0 || length == MAX {
            return None;
        }
        // Moves the digits after the point over the point.
        let before = !(u64::MAX << bits);
        let moved = digits & before | digits >> 8 & !before;
        (moved, places, length)
    } else {
        (digits, 0, whole)
    };
    // 'e' and 'E' differ in one bit.
    if (word >> (length * 8)) as u8 | 0x20 == b'e' {
        return None;
    }
    let count = length - usize::from(places > 0);
    // Shifts out the bytes after the number, and zeros in before its digits.
    let value = join(digits << ((MAX - count) * 8));
    Some(ShortNumber {
        value,
        places,
        length,
        word,
    })
}

/// Marks the bytes that were not ASCII digits before the XOR with `ZEROS`.
#[inline]
fn others(digits: u64) -> u64 {
    // A digit stays below 0x80 when 0x76 is added; no sum reaches the next byte.
    let low = digits & 0x7f7f_7f7f_7f7f_7f7f;
    ((low + 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
}

/// The value of eight digits, one in each byte, the first in the lowest byte.
#[inline]
fn join(digits: u64) -> u32 {
    let pairs = digits * 10 + (digits >> 8);
    // The upper halves of the products fall off: the sum is in their middle.
    let first = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(100 | 1_000_000 << 32);
    let second = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(1 | 10_000 << 32);
    (first.wrapping_add(second) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::{Digits, MAX, short_number};

    fn samples() -> impl Iterator<Item = u32> {
        let edges = (0..8).map(|digits| 10_u32.pow(digits));
        let around = edges.flat_map(|edge| edge.saturating_sub(1)..edge.saturating_add(2));
        around.chain((0..100_000_000).step_by(9_973))
    }

    fn text(digits: Digits) -> String {
        let mut out = b"x".to_vec();
        digits.write(&mut out);
        String::from_utf8(out).expect("digits are ASCII")
    }

    #[test]
    fn a_decimal_is_written_as_short_as_it_can_be() {
        for places in 0..MAX {
            for value in samples().filter(|value| *value < 100_000_000) {
                let digits = format!("{value:0>width$}", width = places + 1);
                let (whole, fraction) = digits.split_at(digits.len() - places);
                let decimal = format!("x{whole}.{fraction}");
                let shortest = decimal.trim_end_matches('0').trim_end_matches('.');
                let written = Digits::of(value, places as u32).expect("eight digits fit");
                assert_eq!(text(written), shortest, "{value} × 10^-{places}");
            }
        }
        for (value, is_short) in [(1_234_567, true), (12_345_678, false)] {
            let digits = Digits::of(value, 0).expect("eight digits fit");
            assert_eq!(digits.short_text().is_some(), is_short, "{value}");
        }
        assert!(Digits::of(100_000_000, 2).is_none());
        assert!(Digits::of(1, 8).is_none());
    }

    #[test]
    fn a_leading_decimal_is_read_up_to_whatever_stands_behind_it() {
        let read = |text: &str| {
            let number = short_number(text.as_bytes())?;
            Some((number.value, number.places, number.length))
        };
        for value in samples().filter(|value| *value < 10_000_000) {
            let whole = value.to_string();
            for behind in [",1234567", "}", "]5000000", " e500000", "\u{e01}\u{e01}"] {
                let text = format!("{whole}{behind}       ");
                assert_eq!(read(&text), Some((value, 0, whole.len())), "{text}");
            }
        }
        for places in 1..6_usize {
            for value in samples().filter(|value| *value < 1_000_000) {
                let digits = format!("{value:0>width$}", width = places + 1);
                let (whole, fraction) = digits.split_at(digits.len() - places);
                let length = digits.len() + 1;
                let text = format!("{whole}.{fraction},\"weight\"");
                let expected = (length < MAX).then_some((value, places, length));
                assert_eq!(read(&text), expected, "{text}");
            }
        }
        for none in [
            "",
            "1234567",
            "12345678",
            ".1234567",
            "x1234567",
            "\u{e01}12345678",
            "01      ",
            "00.5    ",
            "1.      ",
            "1.x     ",
            "1e5     ",
            "1E5     ",
            "1.5e5   ",
            "-1      ",
            "1.234567",
        ] {
            assert_eq!(read(none), None, "{none}");
        }
    }

    #[test]
    fn the_text_of_a_decimal_is_what_would_be_written_or_there_is_none() {
        for text in [
            "0", "7", "1234567", "10", "0.5", "12.05", "120.25", "0.00", "1.50", "100.0",
        ] {
            let text_and_more = format!("{text},       ");
            let number = short_number(text_and_more.as_bytes()).expect("a short number");
            let digits = Digits::of(number.value, number.places as u32).expect("it is short");
            let mut written = b"x".to_vec();
            digits.write(&mut written);
            let expected = (written[1..] == *text.as_bytes()).then_some(written);
            let copied = number.text().map(|kept| {
                let mut copied = b"x".to_vec();
                kept.write(&mut copied);
                copied
            });
            assert_eq!(copied, expected, "{text}");
        }
    }
}
