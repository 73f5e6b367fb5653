//! Reads numbers: amounts, integers and coordinates.

use std::ops::Range;

use super::{Reader, Span};
use crate::error::{Expected, Fault};
use crate::money::{Amount, AmountText, nearest_double, short_number};

/// The largest integer that is exact in every JavaScript host (D8).
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

impl<'a> Reader<'a> {
    /// Reads a number; the span is its text.
    pub fn number(&mut self) -> Result<Span, Fault> {
        self.number_or(|| Fault::expected(Expected::A("a number")))
    }

    /// Reads a number that is finite as a double.
    #[inline(never)]
    pub fn coordinate(&mut self) -> Result<(Span, f64), Fault> {
        let span = self.number()?;
        let text = self.text_at(span);
        let amount = Amount::from_json(text).map(Amount::to_double);
        let value = amount.unwrap_or_else(|| nearest_double(text));
        if value.is_finite() {
            Ok((span, value))
        } else {
            Err(Fault::expected(Expected::A("a number")))
        }
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
        let expected = || Fault::expected(Expected::A("an amount of 0 or more"));
        let span = self.number_or(expected)?;
        Amount::from_json(self.text_at(span))
            .filter(|amount| !amount.is_negative())
            .ok_or_else(expected)
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

#[cfg(test)]
mod tests {
    use crate::json::reader::tests::fault_of;
    use crate::json::{Origin, Reader};

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
