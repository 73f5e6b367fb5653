//! The double nearest to an amount, the even one of two.

use crate::certain::Certain;

/// Of a quotient with two bits more than a double has: they tell which way to round.
const LEADING_ZEROS: u32 = u128::BITS - 53 - 2;

/// The double nearest to `numerator / denominator`, both below 2^96.
pub(super) fn nearest_quotient(numerator: u128, denominator: u128) -> f64 {
    if numerator == 0 {
        return 0.0;
    }
    let (mut quotient, mut rest) = (0, numerator);
    let mut unit = 1.0;
    loop {
        quotient |= rest.checked_div(denominator).certain();
        rest = rest.checked_rem(denominator).certain();
        let missing = quotient.leading_zeros().saturating_sub(LEADING_ZEROS);
        if missing == 0 {
            break;
        }
        let shift = rest.leading_zeros().min(missing);
        (quotient, rest) = (quotient << shift, rest << shift);
        unit /= (1_u64 << shift) as f64;
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
