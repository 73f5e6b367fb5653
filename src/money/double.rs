//! The double that is nearest to a JSON number.
//!
//! The standard library's parser is faster and 12 kB larger.

use super::number::Number;

/// No double, and no midpoint of two doubles, has more digits than this.
const MAX_DIGITS: usize = 768;
/// The most decimal digits that always fit 32 bits, which one step processes.
const CHUNK: usize = 9;
/// The exponent of the smallest double's only bit.
const MIN_EXPONENT: i64 = -1074;
/// The largest exponent field of a finite double, minus the 1 that the highest
/// bit of the mantissa adds.
const MAX_FIELD: i64 = 2045;

/// The double that is nearest to a JSON number, the even one of two; infinite
/// if the number is too large.
pub(crate) fn nearest_double(number: &str) -> f64 {
    let number = Number::split(number);
    let digits = Vec::from_iter(number.digits().skip_while(|digit| *digit == 0));
    let (kept, cut) = digits.split_at(digits.len().min(MAX_DIGITS));
    let mut value = Natural(Vec::new());
    for chunk in kept.chunks(CHUNK) {
        let append = |value: u32, digit: &u8| value.wrapping_mul(10).wrapping_add((*digit).into());
        value.append(chunk.len(), chunk.iter().fold(0, append));
    }
    let is_cut = cut.iter().any(|digit| *digit != 0);
    let count = digits.len() as i64;
    let too_long = if number.exponent.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    let exponent = number.exponent.parse::<i64>().unwrap_or(too_long);
    let exponent = exponent.saturating_sub(number.fraction.len() as i64);
    let magnitude = match count.saturating_add(exponent) {
        _ if count == 0 => 0.0,
        ..-330 => 0.0,
        310.. => f64::INFINITY,
        _ => value.times_ten_to(exponent.saturating_add(cut.len() as i64), is_cut),
    };
    if number.is_negative {
        -magnitude
    } else {
        magnitude
    }
}

/// A natural number, with its lowest 32 bits first.
struct Natural(Vec<u32>);

impl Natural {
    /// Appends this number of decimal digits, at most a chunk.
    fn append(&mut self, digits: usize, value: u32) {
        let power = 10_u64.saturating_pow(digits as u32);
        let mut carry = u64::from(value);
        for limb in &mut self.0 {
            carry = u64::from(*limb).wrapping_mul(power).wrapping_add(carry);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Removes this number of last decimal digits, at most a chunk; returns
    /// whether any of them was not 0.
    fn remove_last(&mut self, digits: usize) -> bool {
        let power = 10_u64.saturating_pow(digits as u32);
        let mut rest = 0_u64;
        for limb in self.0.iter_mut().rev() {
            let part = rest << 32 | u64::from(*limb);
            let quotient = part.checked_div(power).unwrap_or_default();
            // A multiplication is much faster than a second division.
            rest = part.wrapping_sub(quotient.wrapping_mul(power));
            *limb = quotient as u32;
        }
        if self.0.last() == Some(&0) {
            self.0.pop();
        }
        rest != 0
    }

    /// The double nearest to `self × 10^exponent`, or to a bit more if
    /// `is_cut`.
    fn times_ten_to(self, exponent: i64, mut is_cut: bool) -> f64 {
        // Room for a quotient of more than 64 bits.
        let limbs = exponent.min(0).unsigned_abs() as usize / CHUNK;
        let mut value = Self(vec![0; limbs.saturating_add(4)]);
        let places = (value.0.len() as i64).wrapping_mul(-32);
        value.0.extend(self.0);
        let all = exponent.unsigned_abs() as usize;
        for done in (0..all).step_by(CHUNK) {
            let digits = all.saturating_sub(done).min(CHUNK);
            if exponent < 0 {
                is_cut |= value.remove_last(digits);
            } else {
                value.append(digits, 0);
            }
        }
        value.times_two_to(places, is_cut)
    }

    /// The double nearest to `self × 2^exponent`, or to a bit more if `is_cut`.
    fn times_two_to(&self, exponent: i64, is_cut: bool) -> f64 {
        let (low, high) = self.0.split_at(self.0.len().saturating_sub(4));
        let bits = |bits, limb: &u32| bits << 32 | u128::from(*limb);
        let bits = high.iter().rev().fold(0_u128, bits);
        let is_cut = is_cut || low.iter().any(|limb| *limb != 0);
        let bits = bits | u128::from(is_cut);
        let exponent = exponent.saturating_add((low.len() as i64).saturating_mul(32));
        let length = 128_i64.saturating_sub(bits.leading_zeros().into());

        // The number of low bits that a double cannot hold.
        let excess = length.saturating_sub(53);
        let excess = excess.max(MIN_EXPONENT.saturating_sub(exponent));
        let Some(kept) = bits.checked_shr(excess as u32) else {
            return 0.0;
        };
        let middle = 1_u128 << excess.saturating_sub(1);
        let rest = bits & (middle << 1).wrapping_sub(1);
        let is_up = rest > middle || rest == middle && kept & 1 == 1;
        let exponent = exponent.saturating_add(excess).saturating_sub(MIN_EXPONENT);
        if exponent > MAX_FIELD {
            return f64::INFINITY;
        }
        // The highest bit adds 1 to the exponent, and so does a carry into it.
        let field = (exponent as u64) << 52;
        f64::from_bits(
            field
                .saturating_add(kept as u64)
                .saturating_add(is_up.into()),
        )
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::nearest_double;
    use crate::random::{Random, cases, each_seed};

    #[track_caller]
    fn assert_nearest(number: &str) {
        assert_eq!(
            nearest_double(number).to_bits(),
            number.parse::<f64>().expect("it is a number").to_bits(),
            "{number}"
        );
    }

    #[test]
    fn at_the_edges() {
        for number in [
            "0",
            "-0",
            "0.0e5",
            "0e99999999999999999999",
            "1",
            "-1.5",
            "100.5000",
            "1e22",
            "1e23",
            "9007199254740993",
            "9007199254740992.99999999999999999999",
            "9007199254740993.0000000001",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e309",
            "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.5e-324",
            "1e-400",
            "2.2250738585072011e-308",
            "2.2250738585072012e-308",
            "2.2250738585072014e-308",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "-1e-99999999999999999999",
        ] {
            assert_nearest(number);
        }
        let zeros = "0".repeat(2000);
        assert_nearest(&format!("1{zeros}e-2000"));
        assert_nearest(&format!("0.{zeros}1e2001"));
        assert_nearest(&format!("0.{zeros}17e1700"));
        assert_nearest(&format!("9007199254740993.{zeros}"));
        assert_nearest(&format!("9007199254740993.{zeros}1"));
    }

    #[test]
    fn of_random_doubles() {
        each_seed(cases(5_000), |seed| {
            let mut random = Random::new(seed);
            let double = f64::from_bits(random.next() & !(1 << 63));
            if double.is_finite() {
                assert_nearest(&format!("{double:e}"));
                assert_nearest(&format!("{:.*e}", random.below(20), double));
            }
        });
    }

    #[test]
    fn of_the_middles_between_random_doubles() {
        each_seed(cases(200), |seed| {
            let bits = Random::new(seed).next() >> 1;
            // Few doubles are subnormal, but these have the most digits.
            let bits = if seed.is_multiple_of(3) {
                bits >> 12
            } else {
                bits
            };
            let (low, high) = (f64::from_bits(bits), f64::from_bits(bits + 1));
            if !high.is_finite() {
                return;
            }
            // No midpoint has more than 800 digits.
            let middle = middle(low, high);
            assert_nearest(&middle);
            let (digits, exponent) = middle.split_once('e').expect("there is an exponent");
            assert_nearest(&format!("{digits}1e{exponent}"));
            assert_nearest(&format!("{digits}{}1e{exponent}", "0".repeat(800)));
        });
    }

    #[test]
    fn of_random_digits() {
        each_seed(cases(20_000), |seed| {
            let mut random = Random::new(seed);
            let digits = format!("{}{}", random.next(), random.next());
            let digits = digits
                .get(..random.below(38) + 1)
                .unwrap_or(&digits)
                .trim_start_matches('0');
            assert_nearest(&format!("-0.{digits}e{}", random.below(700)).replace("e6", "e-6"));
            assert_nearest(&format!("1{digits}e-{}", random.below(400)));
            assert_nearest(&format!("{}.{digits}", random.below(181)));
        });
    }

    /// All digits of the midpoint of two neighbours.
    fn middle(low: f64, high: f64) -> String {
        let (low, high) = (format!("{low:.1100}"), format!("{high:.1100}"));
        let mut carry = 0;
        let mut sum: Vec<u8> = Vec::new();
        let pad = |text: &str| format!("{text:0>1500}");
        for (left, right) in pad(&low).bytes().zip(pad(&high).bytes()).rev() {
            if left == b'.' {
                sum.push(left);
                continue;
            }
            let digit = left - b'0' + right - b'0' + carry;
            carry = digit / 10;
            sum.push(b'0' + digit % 10);
        }
        let mut rest = 0;
        let mut half: String = sum
            .into_iter()
            .rev()
            .map(|byte| match byte {
                b'.' => '.',
                digit => {
                    let value = rest * 10 + digit - b'0';
                    rest = value % 2;
                    char::from(b'0' + value / 2)
                }
            })
            .collect();
        half.push('5');
        if rest == 0 {
            half.pop();
        }
        format!("{}e0", half.trim_end_matches('0'))
    }
}
