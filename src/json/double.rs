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
    let has_more = digits.clone().skip(MOST_DIGITS).any(|digit| digit != b'0');
    let (mut numerator, mut denominator) = (Natural(vec![]), Natural(vec![1]));
    let mut count = 0;
    let (mut some, mut unit) = (0, 1);
    for digit in digits.take(MOST_DIGITS).chain(has_more.then_some(b'1')) {
        (some, unit) = (10 * some + u32::from(digit - b'0'), 10 * unit);
        count += 1;
        if unit == 1_000_000_000 {
            numerator.multiply(unit, some);
            (some, unit) = (0, 1);
        }
    }
    numerator.multiply(unit, some);
    // Each factor of 10 is one of 5, and one of 2 in the exponent.
    let scale = before_point.clamp(-FAR, FAR) - count;
    let scaled = if scale > 0 {
        &mut numerator
    } else {
        &mut denominator
    };
    scaled.multiply_by_power(5, scale.unsigned_abs());
    round(numerator, denominator, scale)
}

/// The double nearest to `numerator / denominator × 2^exponent`, of numbers above
/// 0.
#[allow(clippy::arithmetic_side_effects, reason = "all numbers are bounded")]
fn round(mut numerator: Natural, mut denominator: Natural, exponent: i64) -> f64 {
    let longer = numerator.bits() - denominator.bits();
    let shorter = if longer < 0 {
        &mut numerator
    } else {
        &mut denominator
    };
    shorter.multiply_by_power(2, longer.unsigned_abs());
    // The first bit of both stands at the top of 32.
    let shift = denominator.bits().wrapping_neg() as u64 % 32;
    numerator.multiply_by_power(2, shift);
    denominator.multiply_by_power(2, shift);
    let mut quotient = u128::from(numerator.take_all(&denominator, 0));
    for _ in 0..2 {
        numerator.0.insert(0, 0);
        let [lower, upper] = [0, 1].map(|place| numerator.part(denominator.0.len() - 1 + place));
        let least = (upper << 32 | lower) / (denominator.part(denominator.0.len() - 1) + 1);
        quotient = quotient << 32 | u128::from(numerator.take_all(&denominator, least));
    }
    // One bit stands for all that is left: it tells a half from more than a half.
    quotient |= u128::from(!numerator.0.is_empty());
    let last = exponent + longer - 64;
    let first = last + i64::from(u128::BITS - 1 - quotient.leading_zeros());
    // A double has 53 bits; the smallest ones end at 2^-1074.
    let rounded_to = (first - 52).max(-1_074);
    let dropped = (rounded_to - last).min(100);
    let half_less = (1 << (dropped - 1)) - 1;
    let odd = quotient >> dropped & 1;
    let rounded = (quotient + half_less + odd) >> dropped;
    // The leading bit of 53 adds 1 to the exponent.
    let unit = (rounded_to + 1_074).min(2_046);
    f64::from_bits((((unit as u64) << 52) + rounded as u64).min(INFINITE))
}

/// A natural number of any length: 32 bits each, the lowest first, without zeros
/// at the end.
#[derive(PartialEq, Eq)]
struct Natural(Vec<u32>);

#[allow(clippy::arithmetic_side_effects, reason = "64 bits hold each of them")]
impl Natural {
    /// `self × factor + added`
    fn multiply(&mut self, factor: u32, added: u32) {
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

    /// `self × factor^count`
    fn multiply_by_power(&mut self, factor: u32, mut count: u64) {
        while count > 0 {
            let step = count.min(u32::MAX.ilog(factor).into());
            self.multiply(factor.pow(step as u32), 0);
            count -= step;
        }
    }

    fn bits(&self) -> i64 {
        let last = self.0.last().map_or(0, |part| part.leading_zeros());
        32 * self.0.len() as i64 - i64::from(last)
    }

    /// The 32 bits at a place.
    fn part(&self, place: usize) -> u64 {
        self.0.get(place).copied().unwrap_or_default().into()
    }

    /// How often it has `other`, at least so often. Leaves the rest.
    fn take_all(&mut self, other: &Self, least: u64) -> u64 {
        self.subtract(other, least);
        let mut count = least;
        while *self >= *other {
            self.subtract(other, 1);
            count += 1;
        }
        count
    }

    /// `self − other × count`, which is not below 0.
    fn subtract(&mut self, other: &Self, count: u64) {
        let mut carried = 0;
        for (place, part) in self.0.iter_mut().enumerate() {
            carried += other.part(place) * count;
            let (less, is_below) = part.overflowing_sub(carried as u32);
            *part = less;
            carried = (carried >> 32) + u64::from(is_below);
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
