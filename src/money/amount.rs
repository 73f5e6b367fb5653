//! An exact decimal.

use std::fmt;

use rust_decimal::Decimal;

use super::Sum;
use super::digits::Digits;
use super::double::nearest_quotient;
use super::number::{any_decimal, short_decimal};
use crate::certain::Certain;

/// The most digits after the point that an [`Amount`] can hold (D14).
pub(super) const MAX_SCALE: u32 = Decimal::MAX_SCALE;

/// An exact decimal `m × 10^-s` with `|m| < 2^96` and `s ≤ 28` (D14).
///
/// Nearly every amount has a mantissa of 63 bits or less. These amounts are
/// calculated in 64 bits, several times faster and with the same result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(Decimal);

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self(Decimal::ZERO);
    /// One.
    pub const ONE: Self = Self(Decimal::ONE);

    /// `mantissa × 10^-scale`; the scale is at most 28.
    pub(crate) const fn new(mantissa: i64, scale: u32) -> Self {
        let magnitude = mantissa.unsigned_abs();
        Self(Decimal::from_parts(
            magnitude as u32,
            (magnitude >> 32) as u32,
            0,
            mantissa < 0,
            scale,
        ))
    }

    /// A decimal of the sources, such as `0.25`, for a `const`: fails to compile if it
    /// is none.
    #[allow(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "only the compiler runs it"
    )]
    pub(crate) const fn literal(decimal: &str) -> Self {
        let text = decimal.as_bytes();
        let (mut mantissa, mut places, mut place) = (0, 0, 0);
        assert!(!text.is_empty(), "no decimal");
        while place < text.len() {
            if text[place] == b'.' {
                assert!(places == 0 && place > 0, "no decimal");
                places = text.len() - place - 1;
            } else {
                assert!(text[place].is_ascii_digit(), "no decimal");
                mantissa = mantissa * 10 + (text[place] - b'0') as i64;
            }
            place += 1;
        }
        Self::new(mantissa, places as u32)
    }

    /// As [`Amount::new`], for any mantissa and scale that fit.
    pub(super) fn wide(mantissa: i128, scale: u32) -> Option<Self> {
        Decimal::try_from_i128_with_scale(mantissa, scale)
            .ok()
            .map(Self)
    }

    /// The mantissa and the scale, if the mantissa has 63 bits or less.
    #[inline]
    pub(super) fn short(self) -> Option<(i64, u32)> {
        let parts = self.0.unpack();
        if parts.hi != 0 || parts.mid > i32::MAX as u32 {
            return None;
        }
        let magnitude = i64::from(parts.mid) << 32 | i64::from(parts.lo);
        Some((
            if parts.negative {
                magnitude.wrapping_neg()
            } else {
                magnitude
            },
            parts.scale,
        ))
    }

    /// The mantissa and the scale, if the mantissa has 32 bits or less and no sign,
    /// and 10 to the scale 64 bits.
    pub(crate) fn small(self) -> Option<(u32, u8)> {
        const MOST_PLACES: u32 = 18;
        let (mantissa, scale) = self.short().filter(|(_, scale)| *scale <= MOST_PLACES)?;
        Some((mantissa.try_into().ok()?, scale as u8))
    }

    /// The exact value of a JSON number, or `None` if it does not fit (D14).
    pub fn from_json(number: &str) -> Option<Self> {
        if let Some((mantissa, scale)) = short_decimal(number) {
            return Some(Self::new(mantissa, scale));
        }
        let (mantissa, scale) = any_decimal(number)?;
        Self::wide(mantissa, scale)
    }

    /// The amount as an integer, if it is one.
    pub fn to_integer(self) -> Option<i64> {
        match Self(self.0.normalize()).short()? {
            (integer, 0) => Some(integer),
            _ => None,
        }
    }

    /// `self × factor`, rounded half to even only if it does not fit (D19);
    /// `None` if it is too large.
    pub fn times(self, factor: Self) -> Option<Self> {
        let short = || {
            let (left, left_scale) = self.short()?;
            let (right, right_scale) = factor.short()?;
            let mantissa = product(left, right)?;
            let scale = left_scale.saturating_add(right_scale);
            (scale <= MAX_SCALE).then(|| Self::new(mantissa, scale))
        };
        short().or_else(|| self.times_any(factor))
    }

    /// `self × units`, as in [`Amount::times`].
    #[inline]
    pub fn times_units(self, units: i64) -> Option<Self> {
        let short = self.short().and_then(|(mantissa, scale)| {
            let mantissa = product(mantissa, units)?;
            Some(Self::new(mantissa, scale))
        });
        short.or_else(|| self.times_any(Self::new(units, 0)))
    }

    #[cold]
    #[inline(never)]
    fn times_any(self, factor: Self) -> Option<Self> {
        self.0.checked_mul(factor.0).map(Self)
    }

    /// The nearest double.
    #[inline]
    pub fn to_double(self) -> f64 {
        self.short_to_double()
            .unwrap_or_else(|| self.wide_to_double())
    }

    #[cold]
    #[inline(never)]
    fn wide_to_double(self) -> f64 {
        let unit = 10_u128.wrapping_pow(self.0.scale());
        let magnitude = nearest_quotient(self.0.mantissa().unsigned_abs(), unit);
        if self.is_negative() {
            -magnitude
        } else {
            magnitude
        }
    }

    /// The nearest double, if one division finds it.
    #[inline]
    fn short_to_double(self) -> Option<f64> {
        const UNITS: [f64; 18] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
            1e16, 1e17,
        ];
        let (mantissa, scale) = self.short()?;
        let unit = UNITS.get(scale as usize)?;
        // Both are exact as doubles, so the quotient is the nearest double.
        (mantissa.unsigned_abs() < 1 << 53).then(|| mantissa as f64 / unit)
    }

    /// Whether the amount is below zero.
    pub fn is_negative(self) -> bool {
        self.0.is_sign_negative() && !self.0.is_zero()
    }

    /// The negative of the amount.
    pub(super) fn negated(mut self) -> Self {
        self.0.set_sign_negative(self.0.is_sign_positive());
        self
    }

    /// The part before the point, and the part after it in units of 10^-28.
    #[inline(never)]
    pub(super) fn split(self) -> (i128, i128) {
        let mantissa = self.0.mantissa();
        let unit = 10_i128.pow(self.0.scale());
        let shift = 10_i128.pow(MAX_SCALE.saturating_sub(self.0.scale()));
        let whole = mantissa.checked_div(unit).certain();
        let rest = mantissa.checked_rem(unit).certain();
        (whole, rest.saturating_mul(shift))
    }

    /// Appends the amount in plain decimal notation, exact and shortest, never
    /// `-0` (D5).
    #[inline(never)]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        // Most amounts of an order without coupons.
        if self.0.is_zero() {
            return out.push(b'0');
        }
        match self.digits() {
            Some(digits) => {
                if self.is_negative() {
                    out.push(b'-');
                }
                digits.write(out);
            }
            None => self.write_long(out),
        }
    }

    /// The digits without the sign, if there are at most eight.
    #[inline]
    pub(super) fn digits(self) -> Option<Digits> {
        let parts = self.0.unpack();
        let is_short = parts.hi == 0 && parts.mid == 0;
        Digits::of(parts.lo, parts.scale).filter(|_| is_short)
    }

    /// Appends any amount, one digit at a time.
    #[inline(never)]
    fn write_long(self, out: &mut Vec<u8>) {
        let mut rest = self.0.mantissa().unsigned_abs();
        let mut places = self.0.scale() as usize;
        while places > 0 && rest.is_multiple_of(10) {
            rest /= 10;
            places = places.wrapping_sub(1);
        }
        let digits = last_to_first(rest, places.saturating_add(1));
        if self.is_negative() {
            out.push(b'-');
        }
        for (behind, digit) in digits.into_iter().enumerate().rev() {
            out.push(digit);
            if behind == places && places > 0 {
                out.push(b'.');
            }
        }
    }
}

/// The digits of a number, the last one first, with zeros up to `at_least`.
pub(super) fn last_to_first(mut rest: u128, at_least: usize) -> Vec<u8> {
    let mut digits = Vec::new();
    while rest > 0 || digits.len() < at_least {
        digits.push(b'0'.wrapping_add((rest % 10) as u8));
        rest /= 10;
    }
    digits
}

/// The amount as JSON text (D5).
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sum::from(*self).fmt(f)
    }
}

/// `left × right`, if it fits.
#[inline]
pub(super) fn product(left: i64, right: i64) -> Option<i64> {
    match (i32::try_from(left), i32::try_from(right)) {
        // In wasm a checked 64-bit product is a call. These cannot overflow.
        (Ok(left), Ok(right)) => Some(i64::from(left).wrapping_mul(right.into())),
        _ => left.checked_mul(right),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Amount, product, short_decimal};

    pub(crate) fn amount(text: &str) -> Amount {
        Amount::from_json(text).unwrap_or_else(|| panic!("{text} fits an amount"))
    }

    #[test]
    fn d5_prints_plain_exact_and_shortest() {
        for (json, shortest) in [
            ("100.0", "100"),
            ("0.30", "0.3"),
            ("-0", "0"),
            ("-0.0e5", "0"),
            ("1e2", "100"),
            ("1E+2", "100"),
            ("120e-2", "1.2"),
            ("0e999999999999999999999", "0"),
            ("1e-28", "0.0000000000000000000000000001"),
            ("-37.250", "-37.25"),
            ("0.00100", "0.001"),
            ("1000.0001", "1000.0001"),
        ] {
            assert_eq!(amount(json).to_string(), shortest, "{json}");
        }
    }

    #[test]
    fn d14_takes_what_fits_96_bits_and_28_places_and_nothing_else() {
        for fits in [
            "79228162514264337593543950335",
            "-79228162514264337593543950335",
            "7.9228162514264337593543950335",
            "1.00000000000000000000000000000000000000000000000",
            "100000000000000000000000000000000000000e-38",
        ] {
            assert!(Amount::from_json(fits).is_some(), "{fits}");
        }
        for beyond in [
            "79228162514264337593543950336",
            "1e-29",
            "1e29",
            "1e999",
            "1e-99999999999999999999",
            "0.12345678901234567890123456789",
            "99999999999999999999999999999999999999999",
        ] {
            assert!(Amount::from_json(beyond).is_none(), "{beyond}");
        }
    }

    #[test]
    fn d8_an_integer_is_any_integral_value() {
        assert_eq!(amount("2.0").to_integer(), Some(2));
        assert_eq!(amount("20e-1").to_integer(), Some(2));
        assert_eq!(amount("-0.0").to_integer(), Some(0));
        assert_eq!(amount("2.5").to_integer(), None);
        assert_eq!(amount("79228162514264337593543950335").to_integer(), None);
    }

    #[test]
    fn d19_a_product_is_rounded_half_to_even_only_where_it_does_not_fit() {
        let times = |a: &str, b: &str| {
            amount(a)
                .times(amount(b))
                .map(|product| product.to_string())
        };
        assert_eq!(times("0.1", "3").as_deref(), Some("0.3"));
        assert_eq!(times("1e-20", "1e-20").as_deref(), Some("0"));
        assert_eq!(times("5e-28", "0.1").as_deref(), Some("0"));
        assert_eq!(
            times("15e-28", "0.1").as_deref(),
            Some("0.0000000000000000000000000002")
        );
        assert_eq!(
            times("25e-28", "0.1").as_deref(),
            Some("0.0000000000000000000000000002")
        );
        assert_eq!(
            times("0.15000000000000002", "12345.670000000002").as_deref(),
            Some("1851.8505000000005469134000000".trim_end_matches('0')),
        );
        assert_eq!(times("79228162514264337593543950335", "2"), None);
    }

    #[test]
    fn amounts_beyond_64_bits_are_written_as_any_other() {
        for exact in [
            "9223372036854775807",
            "9223372036854775808",
            "0.9223372036854775808",
            "-1844674407370955161.6",
            "-7.9228162514264337593543950335",
            "-0.7922816251426433759354395033",
        ] {
            assert_eq!(amount(exact).to_string(), exact);
        }
        assert!(amount("9223372036854775808") > amount("9223372036854775807.5"));
        assert!(!amount("-0").is_negative());
        assert!(amount("-0.0000000000000000000000000001").is_negative());
    }

    #[test]
    fn what_fits_63_bits_is_short() {
        for (mantissa, short) in [
            ("9223372036854775807", Some((i64::MAX, 0))),
            ("-922337203685477580.7", Some((-i64::MAX, 1))),
            ("9223372036854775808", None),
            ("18446744073709551615", None),
            ("18446744073709551616", None),
            ("79228162514264337593543950335", None),
        ] {
            assert_eq!(amount(mantissa).short(), short, "{mantissa}");
        }
        assert_eq!(short_decimal("-12.50"), Some((-1250, 2)));
        assert_eq!(short_decimal("245"), Some((245, 0)));
        // The text of what is short is written in one go.
        for (text, is_short) in [("12.5", true), ("99999999", true), ("100000000", false)] {
            assert_eq!(amount(text).digits().is_some(), is_short, "{text}");
        }
    }

    #[test]
    fn a_product_is_exact_or_it_is_none() {
        assert_eq!(product(-3, 7), Some(-21));
        assert_eq!(product(1 << 40, 1 << 20), Some(1 << 60));
        assert_eq!(product(1 << 40, 1 << 23), None);
    }

    #[test]
    fn the_nearest_double_is_that_of_the_text() {
        for (text, is_found_by_division) in [
            ("0", true),
            ("245", true),
            ("-37.25", true),
            ("0.1", true),
            ("9007199254740991", true),
            ("9007199254740992", false),
            ("9007199254740993", false),
            ("-0.9007199254740993", false),
            ("0.00000000000000003", true),
            ("0.000000000000000003", false),
            ("9223372036854775807", false),
            ("0.30000000000000004", false),
            ("79228162514264337593543950335", false),
        ] {
            let double = text.parse::<f64>().expect("it is a number");
            assert_eq!(amount(text).to_double(), double, "{text}");
            let short = amount(text).short_to_double();
            assert_eq!(short, is_found_by_division.then_some(double), "{text}");
        }
    }
}
