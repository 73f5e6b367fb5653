//! The double nearest to a JSON number, the even one of two.

use std::cmp::Ordering;

use crate::money::Amount;

/// So many digits tell which double is nearest, with one more that stands for
/// the rest: the middle between two doubles has at most 767.
const MOST_DIGITS: usize = 767;

/// From here on every number is 0 or infinite as a double.
const FAR: i64 = 400;

/// The bits of an infinite double.
const INFINITE: u64 = f64::INFINITY.to_bits();

/// The double nearest to a JSON number.
pub(crate) fn nearest_double(number: &str) -> f64 {
    match number.strip_prefix('-') {
        Some(magnitude) => -nearest_double(magnitude),
        None => Amount::from_json(number).map_or_else(|| of_any(number), Amount::to_double),
    }
}

/// The digits of a number from the first that is not 0, and how many of them
/// stand before the point: below 0, so many zeros follow the point. `None`: it is
/// 0.
pub(super) fn digits(number: &str) -> Option<(impl Iterator<Item = u8> + Clone, i64)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let mantissa = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = whole.bytes().chain(fraction.bytes());
    let zeros = digits.clone().position(|digit| digit != b'0')?;
    digits.by_ref().take(zeros).for_each(drop);
    // No body is long enough to make up for an exponent that does not fit.
    let is_small = exponent.starts_with('-');
    let too_long = if is_small { i64::MIN } else { i64::MAX };
    let exponent = exponent.parse().unwrap_or(too_long);
    let before_point = (whole.len() as i64).wrapping_sub(zeros as i64);
    Some((digits, before_point.saturating_add(exponent)))
}

/// The same for a number that is too long or too large for an amount. The crate
/// `lexical-parse-float` does it faster, and is 4 kB larger.
#[cold]
#[inline(never)]
#[allow(clippy::arithmetic_side_effects, reason = "all numbers are bounded")]
fn of_any(number: &str) -> f64 {
    let Some((digits, before_point)) = digits(number) else {
        return 0.0;
    };
    let (mut numerator, mut denominator) = (Natural(vec![]), Natural(vec![1]));
    let mut count = 0;
    let mut append = |digit: u8| {
        numerator.multiply(10, digit - b'0');
        count += 1;
    };
    digits.clone().take(MOST_DIGITS).for_each(&mut append);
    if digits.skip(MOST_DIGITS).any(|digit| digit != b'0') {
        append(b'1');
    }
    let before_point = before_point.clamp(-FAR, FAR);
    let scaled = if before_point > count {
        &mut numerator
    } else {
        &mut denominator
    };
    for _ in 0..before_point.abs_diff(count) {
        scaled.multiply(10, 0);
    }
    round(numerator, denominator)
}

/// The double nearest to a quotient above 0.
#[allow(clippy::arithmetic_side_effects, reason = "all numbers are bounded")]
fn round(mut numerator: Natural, mut denominator: Natural) -> f64 {
    // That of the first bit, which is 1.
    let mut exponent = 0;
    while numerator < denominator {
        numerator.multiply(2, 0);
        exponent -= 1;
    }
    loop {
        let mut twice = denominator.clone();
        twice.multiply(2, 0);
        if numerator < twice {
            break;
        }
        denominator = twice;
        exponent += 1;
    }
    let mut bits = 0_u128;
    for _ in 0..64 {
        bits <<= 1;
        if numerator >= denominator {
            numerator.subtract(&denominator);
            bits |= 1;
        }
        numerator.multiply(2, 0);
    }
    // One bit stands for all that is left: it tells a half from more than a half.
    bits |= u128::from(!numerator.0.is_empty());
    // A double has 53 bits; the smallest ones end at 2^-1074.
    let dropped = (-1_011 - exponent).clamp(11, 100);
    let half_less = (1 << (dropped - 1)) - 1;
    let odd = bits >> dropped & 1;
    let rounded = (bits + half_less + odd) >> dropped;
    // The leading bit of 53 adds 1 to the exponent.
    let unit = (exponent + 1_011 + dropped).clamp(0, 2_046);
    f64::from_bits((((unit as u64) << 52) + rounded as u64).min(INFINITE))
}

/// A natural number of any length: 32 bits each, the lowest first, without zeros
/// at the end.
#[derive(Clone, PartialEq, Eq)]
struct Natural(Vec<u32>);

#[allow(clippy::arithmetic_side_effects, reason = "64 bits hold each of them")]
impl Natural {
    /// `self × factor + added`
    fn multiply(&mut self, factor: u32, added: u8) {
        let mut carried = u64::from(added);
        for part in &mut self.0 {
            carried += u64::from(*part) * u64::from(factor);
            *part = carried as u32;
            carried >>= 32;
        }
        if carried > 0 {
            self.0.push(carried as u32);
        }
    }

    /// `self − other`, which is not greater.
    fn subtract(&mut self, other: &Self) {
        let mut borrowed = 0;
        let others = other.0.iter().copied().chain(std::iter::repeat(0));
        for (part, other) in self.0.iter_mut().zip(others) {
            borrowed += i64::from(*part) - i64::from(other);
            *part = borrowed as u32;
            borrowed >>= 32;
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
