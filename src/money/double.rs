//! The double that is nearest to a decimal, the even one of two.
//!
//! The standard library's parser is 8 kB larger and the smallest one of a
//! library 4 kB. Both are faster; a coordinate of more than 15 digits is all
//! that comes here.

use std::cmp::Ordering;

use crate::certain::Certain;

/// The bits of a double's mantissa, the leading one included.
const MANTISSA_BITS: i32 = 53;

/// The exponent of a double's smallest bit: 2^-1074.
const LOWEST: i32 = -1074;

/// No double and no middle between two of them has more digits. One digit more
/// stands for all that follow.
const MOST_DIGITS: usize = 800;

/// The double nearest to `numerator / denominator`, both below 2^96.
pub(super) fn nearest_quotient(numerator: u128, denominator: u128) -> f64 {
    if numerator == 0 {
        return 0.0;
    }
    let mut quotient = numerator.checked_div(denominator).certain();
    let mut rest = numerator.checked_rem(denominator).certain();
    let mut unit = 1.0;
    // Two bits more than a double has tell which way to round.
    while quotient >> MANTISSA_BITS.wrapping_add(1) == 0 {
        rest <<= 1;
        let bit = rest >= denominator;
        if bit {
            rest = rest.wrapping_sub(denominator);
        }
        quotient = quotient << 1 | u128::from(bit);
        unit /= 2.0;
    }
    // One bit stands for all that is left: it tells a half from more than a half.
    (quotient | u128::from(rest != 0)) as f64 * unit
}

/// The double nearest to a JSON number; infinite if the number is too large.
#[cold]
#[inline(never)]
pub(crate) fn nearest_double(number: &str) -> f64 {
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let magnitude = magnitude(unsigned);
    if unsigned.len() < number.len() {
        -magnitude
    } else {
        magnitude
    }
}

fn magnitude(number: &str) -> f64 {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.bytes().chain(fraction.bytes());
    let digits = Vec::from_iter(digits.skip_while(|digit| *digit == b'0'));
    if digits.is_empty() {
        return 0.0;
    }
    // No body is long enough to make up for an exponent that does not fit.
    let is_small = exponent.starts_with('-');
    let too_long = if is_small { i64::MIN } else { i64::MAX };
    let exponent = exponent.parse().unwrap_or(too_long);
    let places = fraction.len() as i64;
    // The number is below 10^order, but not below a tenth of that.
    let order = exponent
        .saturating_sub(places)
        .saturating_add(digits.len() as i64);
    match order {
        ..=-324 => 0.0,
        310.. => f64::INFINITY,
        _ => of_digits(&digits, order as i32),
    }
}

/// The double nearest to `0.digits × 10^order`.
fn of_digits(digits: &[u8], order: i32) -> f64 {
    let (kept, cut) = digits.split_at(digits.len().min(MOST_DIGITS));
    let has_rest = cut.iter().any(|digit| *digit != b'0');
    let mut numerator = Natural::default();
    for digit in kept.iter().chain(has_rest.then_some(&b'1')) {
        numerator.times_plus(10, u32::from(digit.wrapping_sub(b'0')));
    }
    let length = kept.len().wrapping_add(has_rest.into());
    let scale = order.wrapping_sub(length as i32);
    let mut denominator = Natural(vec![1]);
    let scaled = if scale < 0 {
        &mut denominator
    } else {
        &mut numerator
    };
    scaled.times_power(10, 9, scale.unsigned_abs());
    of_quotient(numerator, denominator)
}

/// The double nearest to a quotient, bit by bit.
fn of_quotient(mut numerator: Natural, mut denominator: Natural) -> f64 {
    // Finds the power of two of the first bit: afterwards the quotient is 1 to 2.
    let mut power = numerator.bits().wrapping_sub(denominator.bits());
    let shifted = if power < 0 {
        &mut numerator
    } else {
        &mut denominator
    };
    shifted.times_power(2, 31, power.unsigned_abs());
    if numerator < denominator {
        numerator.times_plus(2, 0);
        power = power.wrapping_sub(1);
    }
    let bits = power
        .wrapping_sub(LOWEST)
        .wrapping_add(1)
        .min(MANTISSA_BITS);
    if bits < 0 {
        return 0.0;
    }
    let mut mantissa = 0_u64;
    for _ in 0..bits {
        let bit = numerator >= denominator;
        if bit {
            numerator.subtract(&denominator);
        }
        mantissa = mantissa << 1 | u64::from(bit);
        numerator.times_plus(2, 0);
    }
    let is_up = match numerator.cmp(&denominator) {
        Ordering::Less => false,
        Ordering::Equal => mantissa % 2 == 1,
        Ordering::Greater => true,
    };
    // A mantissa that becomes 2^53 carries into the exponent, as it has to.
    let exponent = power
        .wrapping_sub(bits)
        .wrapping_add(1)
        .wrapping_sub(LOWEST) as u64;
    let double = (exponent << 52)
        .wrapping_add(mantissa)
        .wrapping_add(is_up.into());
    f64::from_bits(double.min(f64::INFINITY.to_bits()))
}

/// A whole number of any size: 32 bits in each place, the lowest first; the
/// last place is not 0.
#[derive(Default, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl Natural {
    /// `self × factor + more`.
    #[inline(never)]
    fn times_plus(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for place in &mut self.0 {
            let sum = u64::from(*place)
                .wrapping_mul(factor.into())
                .wrapping_add(carry);
            *place = sum as u32;
            carry = sum >> 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    /// `self × base^exponent`. A power of `at_once` fits in 32 bits.
    #[inline(never)]
    fn times_power(&mut self, base: u32, at_once: u32, exponent: u32) {
        let mut left = exponent;
        while left > 0 {
            let step = left.min(at_once);
            self.times_plus(base.wrapping_pow(step), 0);
            left = left.wrapping_sub(step);
        }
    }

    /// How many bits it has, from its first one.
    fn bits(&self) -> i32 {
        let first = self.0.last().map_or(0, |first| first.leading_zeros());
        (self.0.len() as i32)
            .wrapping_mul(32)
            .wrapping_sub(first as i32)
    }

    /// `self - other`, which is not larger.
    fn subtract(&mut self, other: &Self) {
        let mut rest = 0_i64;
        for (index, place) in self.0.iter_mut().enumerate() {
            let other = other.0.get(index).copied().unwrap_or_default();
            rest = (rest >> 32)
                .wrapping_add(i64::from(*place))
                .wrapping_sub(i64::from(other));
            *place = rest as u32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::{nearest_double, nearest_quotient};
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
    fn of_random_quotients() {
        each_seed(cases(20_000), |seed| {
            let mut random = Random::new(seed);
            let high = random.next() >> random.below(64);
            let numerator = u128::from(high) << random.below(33) | u128::from(random.next() as u32);
            let places = random.below(29);
            let expected: f64 = format!("{numerator}e-{places}").parse().expect("a number");
            let quotient = nearest_quotient(numerator, 10_u128.pow(places as u32));
            assert_eq!(quotient, expected, "{numerator}e-{places}");
        });
        assert_eq!(nearest_quotient(0, 10), 0.0);
        assert_eq!(nearest_quotient((1 << 96) - 1, 1), 2.0_f64.powi(96));
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
