//! Reads numbers: amounts, integers and coordinates.

use std::cmp::Ordering;
use std::ops::Range;

use lexical_parse_float::FromLexical;

use super::{Reader, Span};
use crate::certain::Certain;
use crate::error::{Expected, Fault};
use crate::money::{Amount, AmountText, short_number};

/// The largest integer that is exact in every JavaScript host (D8).
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// What an amount is, of which a text is no number.
const NUMBER: &str = "an amount as a JSON number, such as 12.5";
/// What an amount is, of which a number is too long or too large (D14).
const FITTING: &str = "an amount of at most 28 digits and 28 decimal places";
/// What an amount is, of which a number is negative.
const NOT_NEGATIVE: &str = "an amount of 0 or more";

/// 2^1024 - 2^970: from here on numbers round to infinity.
const TOO_LARGE: &str = "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880177904174497792";

/// The double nearest to a JSON number, the even one of two.
pub(crate) fn nearest_double(number: &str) -> f64 {
    f64::from_lexical(number.as_bytes()).ok().certain()
}

impl<'a> Reader<'a> {
    /// Reads a number; the span is its text.
    pub fn number(&mut self) -> Result<Span, Fault> {
        self.number_or(|| Fault::expected(Expected::A("a number")))
    }

    /// Reads a number that is finite as a double. The double itself is made
    /// later, because a repeated key would make many of them (D9).
    #[inline(never)]
    pub fn coordinate(&mut self) -> Result<Span, Fault> {
        let span = self.number()?;
        if is_finite(self.text_at(span)) {
            Ok(span)
        } else {
            Err(Fault::expected(Expected::A("a number")))
        }
    }

    /// The double nearest to a number that was read.
    pub fn double(&self, number: Span) -> f64 {
        nearest_double(self.text_at(number))
    }

    /// Reads an integer in any spelling (D8).
    #[inline(never)]
    pub fn integer(&mut self) -> Result<i64, Fault> {
        // A quantity and an id of a schedule mostly have one digit.
        if let [digit @ b'0'..=b'9', after @ ..] = self.rest
            && let [b',' | b'}', ..] = after
        {
            self.rest = after;
            return Ok(i64::from(digit.wrapping_sub(b'0')));
        }
        match short_number(self.rest) {
            Some(number) if number.places == 0 => {
                self.advance(number.length);
                Ok(number.value.into())
            }
            _ => self.other_integer(),
        }
    }

    /// The same after white space, or at any length.
    #[cold]
    #[inline(never)]
    fn other_integer(&mut self) -> Result<i64, Fault> {
        if self.is_at_space() {
            self.peek()?;
            return self.integer();
        }
        self.long_integer()
    }

    /// Reads an integer of this range; `expected` describes it in the fault.
    pub fn integer_in(&mut self, range: Range<i64>, expected: &'static str) -> Result<i64, Fault> {
        let integer = self.integer().ok();
        integer
            .filter(|integer| range.contains(integer))
            .ok_or_else(|| Fault::expected(Expected::A(expected)))
    }

    #[inline(never)]
    fn long_integer(&mut self) -> Result<i64, Fault> {
        let expected = || Fault::expected(Expected::A("an integer"));
        let span = self.number_or(expected)?;
        let text = self.text_at(span);
        let integer = Amount::from_json(text)
            .and_then(Amount::to_integer)
            .filter(|integer| integer.unsigned_abs() <= MAX_INTEGER)
            .ok_or_else(expected)?;
        if text == "-0" || text.contains(['.', 'e', 'E']) {
            self.deviate();
        }
        Ok(integer)
    }

    /// Reads an amount that is not negative and fits (D14, D44).
    #[inline(never)]
    pub fn amount(&mut self) -> Result<Amount, Fault> {
        self.amount_text().map(|read| read.amount)
    }

    /// As [`Reader::amount`], but inlined; a short amount keeps its text.
    #[inline(always)]
    pub fn amount_text(&mut self) -> Result<AmountText, Fault> {
        match short_number(self.rest) {
            Some(number) => {
                self.advance(number.length);
                Ok(AmountText::new(number))
            }
            None => self.other_amount(),
        }
    }

    /// The same after white space, or at any length.
    #[cold]
    #[inline(never)]
    fn other_amount(&mut self) -> Result<AmountText, Fault> {
        if self.is_at_space() {
            self.peek()?;
            return self.amount_text();
        }
        self.long_amount().map(AmountText::from)
    }

    #[inline(never)]
    fn long_amount(&mut self) -> Result<Amount, Fault> {
        let span = self.number_or(|| Fault::expected(Expected::A(NUMBER)))?;
        let text = self.text_at(span);
        match Amount::from_json(text) {
            Some(amount) if !amount.is_negative() => Ok(amount),
            None if !text.starts_with('-') => Err(Fault::expected(Expected::A(FITTING))),
            _ => Err(Fault::expected(Expected::A(NOT_NEGATIVE))),
        }
    }

    #[inline(never)]
    pub(super) fn number_or(&mut self, expected: impl FnOnce() -> Fault) -> Result<Span, Fault> {
        if !matches!(self.peek()?, b'-' | b'0'..=b'9') {
            return self.number_in_string().ok_or_else(expected);
        }
        let start = self.at();
        if self.byte() == Some(b'-') {
            self.advance(1);
        }
        match self.byte() {
            Some(b'0') => self.advance(1),
            _ => self.digits()?,
        }
        if self.byte() == Some(b'.') {
            self.advance(1);
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.advance(1);
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.advance(1);
            }
            self.digits()?;
        }
        Ok(self.span_from(start))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let count = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if count == 0 {
            return Err(Fault::syntax());
        }
        self.advance(count);
        Ok(())
    }
}

/// Whether the double nearest to a JSON number is finite, as its first digit's
/// place and its digits tell.
fn is_finite(number: &str) -> bool {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let mantissa = mantissa.strip_prefix('-').unwrap_or(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut digits = whole.bytes().chain(fraction.bytes());
    let Some(zeros) = digits.position(|digit| digit != b'0') else {
        return true;
    };
    // No body is long enough to make up for an exponent that does not fit.
    let is_small = exponent.starts_with('-');
    let too_long = if is_small { i64::MIN } else { i64::MAX };
    let exponent = exponent.parse().unwrap_or(too_long);
    let before_point = (whole.len() as i64).wrapping_sub(zeros as i64);
    match before_point
        .saturating_add(exponent)
        .cmp(&(TOO_LARGE.len() as i64))
    {
        Ordering::Less => true,
        Ordering::Greater => false,
        Ordering::Equal => {
            let digits = whole.bytes().chain(fraction.bytes()).skip(zeros);
            digits.lt(TOO_LARGE.bytes())
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects)]
mod tests {
    use super::{TOO_LARGE, is_finite, nearest_double};
    use crate::json::reader::tests::fault_of;
    use crate::json::{Origin, Reader};
    use crate::random::{Random, cases, each_seed};

    #[track_caller]
    fn assert_nearest(number: &str) {
        let double = number.parse::<f64>().expect("it is a number");
        assert_eq!(
            nearest_double(number).to_bits(),
            double.to_bits(),
            "{number}"
        );
        assert_eq!(is_finite(number), double.is_finite(), "{number}");
    }

    #[test]
    fn d14_the_digits_tell_whether_a_double_is_finite() {
        let zeros = "0".repeat(400);
        let all = "9".repeat(400);
        for number in [
            "0",
            "-0.0e5",
            "0e99999999999999999999",
            "1.5",
            "1e308",
            "1e309",
            "1e310",
            "17e307",
            "18e307",
            "0.00017976931348623157e312",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "-1.7976931348623159e308",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "-1E+400",
            "1e23",
            "9007199254740993",
            "9007199254740992.99999999999999999999",
            "9007199254740993.0000000001",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072012e-308",
            TOO_LARGE,
            &format!("{TOO_LARGE}0"),
            &format!("{TOO_LARGE}0.000"),
            &format!("{TOO_LARGE}1"),
            &format!("{}79", &TOO_LARGE[..307]),
            &format!("0.{zeros}{TOO_LARGE}e709"),
            &format!("0.{zeros}{TOO_LARGE}e708"),
            &format!("1{zeros}e-92"),
            &format!("1{zeros}e-91"),
            &format!("{all}e-91"),
            &format!("{all}e-92"),
        ] {
            assert_nearest(number);
        }
        each_seed(cases(5_000), |seed| {
            let mut random = Random::new(seed);
            let kept = &TOO_LARGE[..random.below(TOO_LARGE.len() + 1)];
            let number = format!("{kept}{}e{}", random.next(), 280 + random.below(20));
            let number = format!("{number}{}", random.below(10));
            for number in [
                number,
                format!("{kept}{}", random.next()),
                format!("0.{kept}{}e309", random.next() >> random.below(64)),
                format!(
                    "-0.{}{}e-{}",
                    random.next(),
                    random.next(),
                    random.below(340)
                ),
                format!("{:e}", f64::from_bits(random.next() & !(2047 << 52))),
            ] {
                assert_nearest(&number);
            }
        });
    }

    #[test]
    fn numbers_have_one_grammar_whichever_way_they_are_read() {
        for number in [
            "0",
            "-0",
            "7",
            "-12.50",
            "0.1",
            "123456789012345678",
            "1e2",
            "1E-2",
            "0.0000000000000000001",
        ] {
            assert_eq!(
                fault_of(number, Origin::Wire, Reader::number),
                None,
                "{number}"
            );
            let amount = fault_of(number, Origin::Wire, Reader::amount);
            assert_eq!(amount.is_none(), number != "-12.50", "{number}");
        }
        for none in [
            "", "-", "01", "-01", "1.", ".5", "1.e2", "1e", "1e+", "+1", "1.5.2", "0x1", "1_000",
            "1 2",
        ] {
            let no_json = Some("expected JSON".to_owned());
            assert_eq!(
                fault_of(none, Origin::Wire, Reader::number),
                no_json,
                "{none}"
            );
            assert_eq!(
                fault_of(none, Origin::Wire, Reader::amount),
                no_json,
                "{none}"
            );
            assert_eq!(
                fault_of(none, Origin::Wire, Reader::integer),
                no_json,
                "{none}"
            );
        }
    }
}
