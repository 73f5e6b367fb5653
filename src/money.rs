//! Exact amounts of money (THB), weight (kg) and multipliers.
//!
//! This is the only file that converts between numbers and text, and the only
//! one that calls `rust_decimal`, whose operators and `checked_*` methods round
//! silently (D19).

use std::fmt;

use rust_decimal::Decimal;

/// Digits after the point that an [`Amount`] can hold (D14).
const MAX_SCALE: u32 = 28;
/// 10^28: the units in which a [`Sum`] counts what stands after the point.
const FRACTION_UNITS: i128 = 10_i128.pow(MAX_SCALE);

/// An exact decimal `m × 10^-s` with `|m| < 2^96` and `s ≤ 28` (D14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(Decimal);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(Decimal::ZERO);

    /// A whole number of baht that a rule of the spec fixes.
    pub const fn baht(baht: u32) -> Self {
        Self(Decimal::from_parts(baht, 0, 0, false, 0))
    }

    /// An amount that a rule of the spec fixes, in thousandths.
    pub const fn thousandths(thousandths: u32) -> Self {
        Self(Decimal::from_parts(thousandths, 0, 0, false, 3))
    }

    /// The exact value of a JSON number, or `None` where it does not fit (D14).
    pub fn from_json(number: &str) -> Option<Self> {
        let parts = Parts::of(number)?;
        let mut mantissa = parts.mantissa;
        let mut scale = parts.scale;
        while scale < 0 {
            mantissa = mantissa.checked_mul(10)?;
            scale = scale.checked_add(1)?;
        }
        let scale = u32::try_from(scale).ok()?;
        Decimal::try_from_i128_with_scale(mantissa, scale)
            .ok()
            .map(Self)
    }

    /// The integer that this is, if it is one.
    pub fn to_integer(self) -> Option<i64> {
        let exact = self.0.normalize();
        if exact.scale() > 0 {
            return None;
        }
        i64::try_from(exact.mantissa()).ok()
    }

    /// `self × factor`, rounded half to even only where it does not fit (D19);
    /// `None` where it is too large.
    pub fn times(self, factor: Self) -> Option<Self> {
        self.0.checked_mul(factor.0).map(Self)
    }

    /// `self × units`; as [`Amount::times`].
    pub fn times_units(self, units: i64) -> Option<Self> {
        self.times(Self(Decimal::from(units)))
    }

    /// The amount, or zero where it is negative.
    pub fn floored(self) -> Self {
        self.max(Self::ZERO)
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self < Self::ZERO
    }
}

/// D5: plain decimal notation, exact and shortest, never `-0`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.normalize().fmt(f)
    }
}

/// A JSON number as `mantissa × 10^-scale`, without trailing zeros.
struct Parts {
    mantissa: i128,
    scale: i64,
}

impl Parts {
    fn of(number: &str) -> Option<Self> {
        let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let (negative, digits) = match digits.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, digits),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let (magnitude, trailing_zeros) = significant(whole.bytes().chain(fraction.bytes()))?;
        if magnitude == 0 {
            return Some(Self {
                mantissa: 0,
                scale: 0,
            });
        }
        let places = i64::try_from(fraction.len()).ok()?;
        let exponent: i64 = exponent.parse().ok()?;
        let mantissa = if negative {
            magnitude.checked_neg()?
        } else {
            magnitude
        };
        let scale = places.checked_sub(trailing_zeros)?.checked_sub(exponent)?;
        Some(Self { mantissa, scale })
    }
}

/// The value of the digits without their trailing zeros, and how many those are.
fn significant(digits: impl Iterator<Item = u8>) -> Option<(i128, i64)> {
    let mut value: i128 = 0;
    let mut zeros: u32 = 0;
    for digit in digits {
        if digit == b'0' {
            zeros = zeros.checked_add(1)?;
            continue;
        }
        if value != 0 {
            value = value.checked_mul(10_i128.checked_pow(zeros.checked_add(1)?)?)?;
        }
        value = value.checked_add(i128::from(digit.wrapping_sub(b'0')))?;
        zeros = 0;
    }
    Some((value, i64::from(zeros)))
}

/// An exact sum of amounts, however many and however different their scales.
///
/// Terms are counted apart on both sides of the point, so that nothing is
/// rounded on the way (D19) and the order of the terms does not matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    whole: i128,
    /// In units of 10^-28.
    fraction: i128,
}

impl Sum {
    /// Adds an amount. A sum cannot overflow: an amount is below 2^96, and
    /// there is no memory for 2^31 of them.
    pub fn add(&mut self, amount: Amount) {
        let (whole, fraction) = split(amount);
        self.whole = self.whole.saturating_add(whole);
        self.fraction = self.fraction.saturating_add(fraction);
    }

    /// Takes an amount away.
    pub fn subtract(&mut self, amount: Amount) {
        self.merge(Self::from_iter([amount]).negated());
    }

    /// The sum without these amounts.
    pub fn less(mut self, amounts: impl IntoIterator<Item = Amount>) -> Self {
        amounts.into_iter().for_each(|amount| self.subtract(amount));
        self
    }

    /// Adds everything that another sum holds.
    pub fn merge(&mut self, other: Self) {
        self.whole = self.whole.saturating_add(other.whole);
        self.fraction = self.fraction.saturating_add(other.fraction);
    }

    /// The sum with its sign turned.
    pub fn negated(self) -> Self {
        Self {
            whole: self.whole.saturating_neg(),
            fraction: self.fraction.saturating_neg(),
        }
    }

    /// The total as [`Sum::total`], or zero where it is negative.
    pub fn floored_total(self) -> Option<Amount> {
        if self.is_negative() {
            Some(Amount::ZERO)
        } else {
            self.total()
        }
    }

    /// Whether the total is below zero.
    pub fn is_negative(self) -> bool {
        let carry = self.fraction.div_euclid(FRACTION_UNITS);
        self.whole.saturating_add(carry) < 0
    }

    /// The exact total, or `None` where it does not fit an [`Amount`] (D19).
    pub fn total(self) -> Option<Amount> {
        let carry = self.fraction.div_euclid(FRACTION_UNITS);
        let mut mantissa = self.whole.checked_add(carry)?;
        let mut fraction = self.fraction.rem_euclid(FRACTION_UNITS);
        let mut scale = 0;
        let mut unit = FRACTION_UNITS;
        while fraction != 0 {
            unit = unit.checked_div(10)?;
            mantissa = mantissa
                .checked_mul(10)?
                .checked_add(fraction.checked_div(unit)?)?;
            fraction = fraction.checked_rem(unit)?;
            scale = u32::checked_add(scale, 1)?;
        }
        Decimal::try_from_i128_with_scale(mantissa, scale)
            .ok()
            .map(Amount)
    }
}

impl Extend<Amount> for Sum {
    fn extend<I: IntoIterator<Item = Amount>>(&mut self, amounts: I) {
        amounts.into_iter().for_each(|amount| self.add(amount));
    }
}

impl FromIterator<Amount> for Sum {
    fn from_iter<I: IntoIterator<Item = Amount>>(amounts: I) -> Self {
        let mut sum = Self::default();
        sum.extend(amounts);
        sum
    }
}

/// What stands before the point, and after it in units of 10^-28.
fn split(amount: Amount) -> (i128, i128) {
    let mantissa = amount.0.mantissa();
    let scale = amount.0.scale();
    let unit = 10_i128.pow(scale);
    let shift = 10_i128.pow(MAX_SCALE.saturating_sub(scale));
    let whole = mantissa.checked_div(unit).unwrap_or_default();
    let rest = mantissa.checked_rem(unit).unwrap_or_default();
    (whole, rest.saturating_mul(shift))
}

#[cfg(test)]
mod tests {
    use super::{Amount, Sum};

    fn amount(text: &str) -> Amount {
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
    fn d19_a_sum_is_exact_or_it_is_none() {
        let total = |terms: &[&str]| {
            let sum: Sum = terms.iter().copied().map(amount).collect();
            sum.total().map(|total| total.to_string())
        };
        assert_eq!(total(&["0.1", "0.2"]).as_deref(), Some("0.3"));
        assert_eq!(total(&["-0.5", "0.25"]).as_deref(), Some("-0.25"));
        assert_eq!(total(&["-1.5", "-0.5"]).as_deref(), Some("-2"));
        assert_eq!(total(&["0.5", "-0.5"]).as_deref(), Some("0"));
        assert_eq!(total(&["79228162514264337593543950335", "0.1"]), None);
        assert_eq!(
            total(&["79228162514264337593543950335", "0.1", "-0.1"]).as_deref(),
            Some("79228162514264337593543950335"),
        );
        assert_eq!(total(&["79228162514264337593543950335", "1"]), None);
    }
}
