//! Reads the text of a JSON number, which the reader has checked.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "18 digits fit 64 bits; what may not fit is checked"
)]

/// The number as `mantissa × 10^-scale`, if both fit.
pub(super) fn any_decimal(number: &str) -> Option<(i128, u32)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let unsigned = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    // Zeros at the end only move the point.
    let fraction = fraction.trim_end_matches('0');
    let kept = match fraction {
        "" => whole.trim_end_matches('0'),
        _ => whole,
    };
    let digits = kept.bytes().chain(fraction.bytes());
    let mut digits = digits.map(|digit| digit - b'0');
    // As many digits as 64 bits hold are much faster there.
    let first = digits
        .by_ref()
        .take(18)
        .fold(0_i64, |value, digit| value * 10 + i64::from(digit));
    let magnitude = digits.try_fold(i128::from(first), |value, digit| {
        value.checked_mul(10)?.checked_add(digit.into())
    })?;
    if magnitude == 0 {
        return Some((0, 0));
    }
    let places = i64::try_from(fraction.len()).ok()?;
    let zeros = i64::try_from(whole.len().checked_sub(kept.len())?).ok()?;
    let exponent: i64 = exponent.parse().ok()?;
    let scale = places.checked_sub(zeros)?.checked_sub(exponent)?;
    let shift = u32::try_from(scale.min(0).unsigned_abs()).ok()?;
    let magnitude = magnitude.checked_mul(10_i128.checked_pow(shift)?)?;
    let is_negative = unsigned.len() < mantissa.len();
    let mantissa = if is_negative {
        magnitude.checked_neg()?
    } else {
        magnitude
    };
    Some((mantissa, u32::try_from(scale.max(0)).ok()?))
}

/// As [`any_decimal`], but much faster: for a number of at most 18
/// characters without an exponent.
pub(super) fn short_decimal(number: &str) -> Option<(i64, u32)> {
    const MOST: usize = 18;
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let (mut mantissa, mut places) = (0_i64, 0_usize);
    for (place, byte) in unsigned.bytes().take(MOST).enumerate() {
        match byte {
            b'.' => places = unsigned.len() - place - 1,
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + i64::from(byte - b'0');
            }
            _ => return None,
        }
    }
    let is_negative = unsigned.len() < number.len();
    let mantissa = if is_negative { -mantissa } else { mantissa };
    (unsigned.len() <= MOST).then_some((mantissa, places as u32))
}
