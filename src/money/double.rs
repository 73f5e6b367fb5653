//! The double that is nearest to a JSON number.
//!
//! The standard library's parser is faster and 8 kB larger.

use lexical_parse_float::FromLexical;

use crate::certain::Certain;

/// The double that is nearest to a JSON number, the even one of two; infinite
/// if the number is too large.
pub(crate) fn nearest_double(number: &str) -> f64 {
    f64::from_lexical(number.as_bytes()).ok().certain()
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
