//! The double nearest to an amount, the even one of two.

use crate::certain::Certain;

/// The bits of a double's mantissa, the leading one included.
const MANTISSA_BITS: i32 = 53;

/// The double nearest to `numerator / denominator`, both below 2^96.
pub(super) fn nearest_quotient(numerator: u128, denominator: u128) -> f64 {
    if numerator == 0 {
        return 0.0;
    }
    let mut quotient = numerator.checked_div(denominator).certain();
    let mut rest = numerator.checked_rem(denominator).certain();
    let mut unit = 1.0;
    // Two bits more than a double has tell which way to round.
    while quotient >> (MANTISSA_BITS + 1) == 0 {
        rest <<= 1;
        let less = rest.checked_sub(denominator);
        rest = less.unwrap_or(rest);
        quotient = quotient << 1 | u128::from(less.is_some());
        unit /= 2.0;
    }
    // One bit stands for all that is left: it tells a half from more than a half.
    (quotient | u128::from(rest != 0)) as f64 * unit
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::nearest_quotient;
    use crate::random::{Random, cases, each_seed};

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
}
