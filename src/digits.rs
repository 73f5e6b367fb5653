//! Decimal digits, eight at a time in one register.
//!
//! A number that a basket holds has a few digits: one loop over them costs more
//! than these few multiplications, and a copy of a length that is not known
//! beforehand costs more than both, because it is a call.

/// How many digits a [`Digits`] holds at most.
pub(crate) const MAX: usize = 8;

/// The powers of ten that one [`Digits`] can be scaled by.
const POWERS: [u32; MAX + 1] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
];

/// ASCII digits, the first in the lowest byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digits {
    ascii: u64,
    count: usize,
}

impl Digits {
    /// The digits of an integer, where they are eight at most.
    #[inline]
    pub(crate) fn of_integer(value: u32) -> Option<Self> {
        if value >= 100_000_000 {
            return None;
        }
        let digits = spread(value);
        // A zero has a digit too.
        let leading_zeros = (digits.trailing_zeros() as usize / 8).min(MAX.wrapping_sub(1));
        Some(Self {
            ascii: (digits | ZEROS) >> leading_zeros.wrapping_mul(8),
            count: MAX.wrapping_sub(leading_zeros),
        })
    }

    /// The digits of `value × 10^-places` after its point, without trailing
    /// zeros: `value` is below `10^places`, `places` at most 8.
    #[inline]
    pub(crate) fn of_fraction(value: u32, places: u32) -> Option<Self> {
        let power = POWERS.get(MAX.checked_sub(places as usize)?)?;
        let digits = spread(value.wrapping_mul(*power));
        Some(Self {
            ascii: digits | ZEROS,
            count: MAX.wrapping_sub(digits.leading_zeros() as usize / 8),
        })
    }

    /// Appends them to a text.
    #[inline]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let end = out.len().wrapping_add(self.count);
        out.extend_from_slice(&self.ascii.to_le_bytes());
        out.truncate(end);
    }
}

const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Eight digits, each in its byte, the first in the lowest.
#[inline]
fn spread(value: u32) -> u64 {
    // Four digits a half, then two a quarter, then one a byte; a division by a
    // constant is a multiplication and a shift.
    let halves = u64::from(value / 10_000) | u64::from(value % 10_000) << 32;
    let hundreds = (halves.wrapping_mul(10_486) >> 20) & 0x0000_007f_0000_007f;
    let quarters = hundreds | halves.wrapping_sub(hundreds.wrapping_mul(100)) << 16;
    let tens = (quarters.wrapping_mul(103) >> 10) & 0x000f_000f_000f_000f;
    tens | quarters.wrapping_sub(tens.wrapping_mul(10)) << 8
}

/// The value of the digits that `text` begins with, and how many they are;
/// `None` where that cannot be told from eight bytes.
#[inline]
pub(crate) fn leading(text: &[u8]) -> Option<(u32, usize)> {
    let word = u64::from_le_bytes(*text.first_chunk()?);
    let digits = word ^ ZEROS;
    // A digit stays below 0x80 when 0x76 is added; what has the high bit is none.
    let others = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    let count = others.trailing_zeros() as usize / 8;
    if count == 0 || count == MAX {
        return None;
    }
    // Zeros take the place of what stands behind, in front of the digits.
    let digits = digits << (MAX.wrapping_sub(count).wrapping_mul(8));
    Some((join(digits), count))
}

/// The value of eight digits, each in its byte, the first in the lowest.
#[inline]
fn join(digits: u64) -> u32 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let first = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(100 | 1_000_000 << 32);
    let second = (pairs >> 16 & 0x0000_00ff_0000_00ff).wrapping_mul(1 | 10_000 << 32);
    (first.wrapping_add(second) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::{Digits, leading};

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
    fn an_integer_is_written_as_the_standard_library_does() {
        for value in samples() {
            assert_eq!(
                text(Digits::of_integer(value).expect("eight digits fit")),
                format!("x{value}")
            );
        }
    }

    #[test]
    fn a_fraction_has_its_leading_zeros_and_no_trailing_ones() {
        for places in 1..=8_u32 {
            for value in samples().filter(|value| *value < 10_u32.pow(places)) {
                let padded = format!("x{value:0>width$}", width = places as usize);
                let digits = Digits::of_fraction(value, places).expect("so many places fit");
                assert_eq!(text(digits), padded.trim_end_matches('0'));
            }
        }
        assert!(Digits::of_fraction(1, 9).is_none());
    }

    #[test]
    fn leading_digits_are_read_up_to_whatever_stands_behind_them() {
        for value in samples().filter(|value| *value < 10_000_000) {
            for behind in [
                ".5000000",
                ",1234567",
                "e5000000",
                "/0000000",
                ":0000000",
                "\u{e01}\u{e01}\u{e01}",
            ] {
                let text = format!("{value}{behind}");
                let count = value.to_string().len();
                assert_eq!(leading(text.as_bytes()), Some((value, count)), "{text}");
            }
        }
        for none in [
            "",
            "1234567",
            "12345678",
            ".1234567",
            "x1234567",
            "\u{e01}12345678",
        ] {
            assert_eq!(leading(none.as_bytes()), None, "{none}");
        }
    }
}
