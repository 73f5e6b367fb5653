//! Exact sums of amounts.

use std::fmt;

use super::Amount;
use super::amount::{MAX_SCALE, last_to_first, product};

/// An exact sum of any number of amounts of any scale.
///
/// Nothing is rounded on the way (D19) and the order of the terms does not
/// matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// The part that fits 64 bits in millionths, without `i64::MIN`: nearly
    /// always the whole sum.
    millionths: i64,
    /// The whole numbers of the rest.
    whole: i128,
    /// The fractions of the rest, in units of 10^-28.
    fraction: i128,
}

/// 10^28: the units of a [`Sum`]'s fraction that make up 1.
const FRACTION_UNITS: i128 = 10_i128.pow(MAX_SCALE);

impl Sum {
    /// Adds an amount. A sum cannot overflow: an amount is below 2^96, and
    /// there is no memory for 2^31 of them.
    #[inline(never)]
    pub fn add(&mut self, amount: Amount) {
        let sum = millionths(amount).and_then(|amount| self.millionths.checked_add(amount));
        match sum {
            // `i64::MIN` has no negative, so `millionths` never holds it.
            Some(sum) if sum != i64::MIN => self.millionths = sum,
            _ => self.add_wide(amount),
        }
    }

    #[cold]
    #[inline(never)]
    fn add_wide(&mut self, amount: Amount) {
        let (whole, fraction) = amount.split();
        self.whole = self.whole.saturating_add(whole);
        self.fraction = self.fraction.saturating_add(fraction);
    }

    /// Subtracts an amount.
    #[inline(never)]
    pub fn subtract(&mut self, amount: Amount) {
        self.add(amount.negated());
    }

    /// The sum minus these amounts.
    pub fn less(mut self, amounts: impl IntoIterator<Item = Amount>) -> Self {
        amounts.into_iter().for_each(|amount| self.subtract(amount));
        self
    }

    /// Adds another sum.
    #[inline(never)]
    pub fn merge(&mut self, other: Self) {
        self.add(Amount::new(other.millionths, 6));
        self.whole = self.whole.saturating_add(other.whole);
        self.fraction = self.fraction.saturating_add(other.fraction);
    }

    /// The negative of the sum.
    #[inline(never)]
    pub fn negated(self) -> Self {
        let mut negated = Self {
            millionths: 0,
            whole: self.whole.saturating_neg(),
            fraction: self.fraction.saturating_neg(),
        };
        negated.add(Amount::new(self.millionths.saturating_neg(), 6));
        negated
    }

    /// The total as in [`Sum::total`], or zero if it is negative.
    #[inline(never)]
    pub fn floored_total(self) -> Option<Amount> {
        if self.is_negative() {
            Some(Amount::ZERO)
        } else {
            self.total()
        }
    }

    /// Whether the total is below zero.
    #[inline(never)]
    pub fn is_negative(self) -> bool {
        if self.is_short() {
            self.millionths < 0
        } else {
            self.parts().0 < 0
        }
    }

    #[inline]
    fn is_short(self) -> bool {
        self.whole == 0 && self.fraction == 0
    }

    /// The exact total, or `None` if it does not fit an [`Amount`] (D19).
    #[inline(never)]
    pub fn total(self) -> Option<Amount> {
        if self.is_short() {
            // Most sums are whole thousandths, which are faster to write.
            let whole = self.millionths / 1_000;
            let is_whole = self.millionths % 1_000 == 0;
            let (mantissa, scale) = if is_whole {
                (whole, 3)
            } else {
                (self.millionths, 6)
            };
            return Some(Amount::new(mantissa, scale));
        }
        let (mut mantissa, mut fraction) = self.parts();
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
        Amount::wide(mantissa, scale)
    }

    /// Appends the total as [`Amount::write`] does, at any length.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        match self.total() {
            Some(total) => total.write(out),
            None => self.write_long(out),
        }
    }

    #[cold]
    #[inline(never)]
    fn write_long(self, out: &mut Vec<u8>) {
        let magnitude = if self.is_negative() {
            out.push(b'-');
            self.negated()
        } else {
            self
        };
        let (whole, fraction) = magnitude.parts();
        out.extend(last_to_first(whole.unsigned_abs(), 1).into_iter().rev());
        let mut fraction = last_to_first(fraction.unsigned_abs(), MAX_SCALE as usize);
        let zeros = fraction.iter().take_while(|digit| **digit == b'0').count();
        fraction.drain(..zeros);
        if !fraction.is_empty() {
            out.push(b'.');
            out.extend(fraction.into_iter().rev());
        }
    }

    /// The total rounded down to an integer, and the rest in units of 10^-28.
    #[inline(never)]
    fn parts(self) -> (i128, i128) {
        let (whole, fraction) = Amount::new(self.millionths, 6).split();
        let whole = self.whole.saturating_add(whole);
        let fraction = self.fraction.saturating_add(fraction);
        let carry = fraction.div_euclid(FRACTION_UNITS);
        (
            whole.saturating_add(carry),
            fraction.rem_euclid(FRACTION_UNITS),
        )
    }
}

/// The amount in millionths, if that is exact and fits 64 bits.
fn millionths(amount: Amount) -> Option<i64> {
    const UNITS: [i64; 7] = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];
    let (mantissa, scale) = amount.short()?;
    product(mantissa, *UNITS.get(scale as usize)?)
}

impl From<Amount> for Sum {
    fn from(amount: Amount) -> Self {
        Self::from_iter([amount])
    }
}

/// The sum as JSON text (D5).
impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        self.write(&mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

impl FromIterator<Amount> for Sum {
    fn from_iter<I: IntoIterator<Item = Amount>>(amounts: I) -> Self {
        let mut sum = Self::default();
        amounts.into_iter().for_each(|amount| sum.add(amount));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::amount::tests::amount;
    use super::{Amount, Sum};

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

    #[test]
    fn a_sum_is_exact_at_the_edge_of_its_short_part() {
        for (terms, edge, negated) in [
            (
                ["-9223372036854.775807", "-0.000001"],
                "-9223372036854.775808",
                "9223372036854.775808",
            ),
            (
                ["-9223372036854.775807", "0"],
                "-9223372036854.775807",
                "9223372036854.775807",
            ),
            (
                ["9223372036854.775807", "0.000001"],
                "9223372036854.775808",
                "-9223372036854.775808",
            ),
        ] {
            let sum: Sum = terms.into_iter().map(amount).collect();
            assert_eq!(sum.total(), Some(amount(edge)));
            assert_eq!(sum.negated().total(), Some(amount(negated)));
            let mut nothing = sum;
            nothing.merge(sum.negated());
            assert_eq!(nothing.total(), Some(Amount::ZERO));
        }
    }

    #[test]
    fn a_sum_of_any_length_is_written_exactly() {
        let largest = amount("79228162514264337593543950335");
        let smallest = amount("0.0000000000000000000000000001");
        let mut sum = Sum::from_iter([largest, largest, smallest]);
        let text = "158456325028528675187087900670.0000000000000000000000000001";
        assert_eq!(sum.to_string(), text);
        assert_eq!(sum.negated().to_string(), format!("-{text}"));
        sum.subtract(smallest);
        assert_eq!(sum.to_string(), "158456325028528675187087900670");
        assert_eq!(Sum::default().negated().to_string(), "0");
        assert_eq!(
            sum.less([largest, largest, amount("1.50")]).to_string(),
            "-1.5"
        );
    }

    #[test]
    fn what_fits_64_bits_in_millionths_stays_short() {
        for text in [
            "0",
            "-0.000001",
            "0.0005",
            "1.0005",
            "37.25",
            "-9223372036854",
        ] {
            let sum = Sum::from(amount(text));
            assert!(sum.is_short(), "{text}");
            assert_eq!(sum.total(), Some(amount(text)));
        }
        for text in ["0.0000001", "9223372036855"] {
            assert!(!Sum::from(amount(text)).is_short(), "{text}");
        }
    }
}
