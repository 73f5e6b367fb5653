//! Amounts that keep the text they were read from.

use super::Amount;
use super::digits::{Digits, ShortNumber, ShortText};

/// An amount that was read. If its text is already in the form that D5 asks
/// for, the writer copies the text.
#[derive(Clone, Copy, Debug)]
pub struct AmountText {
    /// The amount.
    pub amount: Amount,
    text: Option<ShortText>,
}

impl AmountText {
    /// An amount that was read.
    #[inline]
    pub(crate) fn new(number: ShortNumber) -> Self {
        Self {
            amount: Amount::new(number.value.into(), number.places as u32),
            text: number.text(),
        }
    }

    /// An amount that is written more than once.
    #[inline]
    pub(crate) fn repeated(amount: Amount) -> Self {
        let digits = amount.digits().filter(|_| !amount.is_negative());
        Self {
            amount,
            text: digits.and_then(Digits::short_text),
        }
    }

    /// Appends the amount as [`Amount::write`] does.
    #[inline]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        match self.text {
            Some(text) => text.write(out),
            None => self.amount.write(out),
        }
    }
}

impl From<Amount> for AmountText {
    fn from(amount: Amount) -> Self {
        Self { amount, text: None }
    }
}

#[cfg(test)]
mod tests {
    use super::super::amount::tests::amount;
    use super::AmountText;

    #[test]
    fn a_repeated_amount_is_written_as_its_amount() {
        for text in ["0", "37.25", "-37.25", "123456789"] {
            let mut out = Vec::new();
            AmountText::repeated(amount(text)).write(&mut out);
            assert_eq!(out, text.as_bytes());
        }
    }
}
