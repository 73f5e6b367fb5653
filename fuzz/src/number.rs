//! Exact decimals of any size, on big integers.

use std::fmt;

use num_bigint::{BigInt, Sign};

/// `mantissa × 10^-scale`, without trailing zeros.
pub(crate) struct Number {
    mantissa: BigInt,
    scale: u32,
}

/// D14.
const MAX_SCALE: u32 = 28;

impl Number {
    fn new(mut mantissa: BigInt, mut scale: u32) -> Self {
        while scale > 0 && (&mantissa % 10) == BigInt::ZERO {
            mantissa /= 10;
            scale -= 1;
        }
        Self { mantissa, scale }
    }

    /// The value of a JSON number. `None`: far beyond everything that fits.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mantissa: BigInt = format!("{whole}{fraction}").parse().expect("digits");
        if mantissa == BigInt::ZERO {
            return Some(Self::new(BigInt::ZERO, 0));
        }
        let exponent: i64 = exponent.parse().ok()?;
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
        let power = u32::try_from(exponent.unsigned_abs()).ok()?;
        match exponent {
            -20_000..=0 => Some(Self::new(mantissa, power)),
            1..=20_000 => Some(Self::new(mantissa * power_of_ten(power), 0)),
            _ => None,
        }
    }

    /// D14.
    pub(crate) fn fits(&self) -> bool {
        self.scale <= MAX_SCALE && self.mantissa.bits() <= 96
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.mantissa.sign() == Sign::Minus
    }

    /// D8.
    pub(crate) fn to_integer(&self) -> Option<i64> {
        let integer = i64::try_from(&self.mantissa).ok()?;
        (self.scale == 0 && integer.abs() < 1 << 53).then_some(integer)
    }
}

fn power_of_ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

/// The number in the notation of D5.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = self.scale as usize;
        let digits = format!("{:0>1$}", self.mantissa.magnitude().to_string(), scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let sign = if self.is_negative() { "-" } else { "" };
        let point = if scale > 0 { "." } else { "" };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}
