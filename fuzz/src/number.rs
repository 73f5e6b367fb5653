//! Exact decimals of any size, on big integers.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Sub};

use num_bigint::{BigInt, Sign};

/// `mantissa × 10^-scale`, without trailing zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    mantissa: BigInt,
    scale: u32,
}

/// D14.
const MAX_SCALE: u32 = 28;

impl Number {
    pub(crate) fn zero() -> Self {
        Self::new(BigInt::ZERO, 0)
    }

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
            return Some(Self::zero());
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

    /// D19: rounded half to even to the largest scale that fits, if the value does not fit.
    pub(crate) fn times(&self, factor: &Self) -> Self {
        let mut product = Self::new(&self.mantissa * &factor.mantissa, self.scale + factor.scale);
        let exact = product.clone();
        let mut scale = exact.scale.min(MAX_SCALE);
        while !product.fits() {
            product = exact.rounded(scale);
            if scale == 0 {
                break;
            }
            scale -= 1;
        }
        product
    }

    fn rounded(&self, scale: u32) -> Self {
        let unit = power_of_ten(self.scale - scale);
        let twice: BigInt = (&self.mantissa % &unit) * 2;
        let mut mantissa = &self.mantissa / &unit;
        let is_odd = mantissa.bit(0);
        let rest = BigInt::from(twice.magnitude().clone());
        if rest > unit || (rest == unit && is_odd) {
            mantissa += if self.is_negative() { -1 } else { 1 };
        }
        Self::new(mantissa, scale)
    }

    pub(crate) fn floored(self) -> Self {
        if self.is_negative() {
            Self::zero()
        } else {
            self
        }
    }

    fn at_scale(&self, scale: u32) -> BigInt {
        &self.mantissa * power_of_ten(scale - self.scale)
    }
}

fn power_of_ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

impl From<i64> for Number {
    fn from(integer: i64) -> Self {
        Self::new(integer.into(), 0)
    }
}

impl Add for Number {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let scale = self.scale.max(other.scale);
        Self::new(self.at_scale(scale) + other.at_scale(scale), scale)
    }
}

impl Sub for Number {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let scale = self.scale.max(other.scale);
        Self::new(self.at_scale(scale) - other.at_scale(scale), scale)
    }
}

impl std::iter::Sum for Number {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::zero(), Add::add)
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.at_scale(scale).cmp(&other.at_scale(scale))
    }
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
