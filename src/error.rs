//! What can go wrong: errors are facts, and their wording stands here once.

use std::fmt;

use crate::lookup::Lookup;

/// Why an order was not priced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The body is no JSON (D10).
    InvalidJson,
    /// The body is JSON but no order (D11).
    InvalidOrder(Invalid),
    /// The body is larger than the limit, in bytes.
    BodyTooLarge(usize),
    /// The delivery zones are not as D35 wants them; `None`: they are no JSON.
    InvalidZones(Option<Invalid>),
    /// The pricer's options are not as they should be; `None`: no object at all.
    InvalidOptions(Option<Invalid>),
    /// There is no price for a product at the order's branch (D43).
    NoPrice {
        /// The product code.
        cprcode: i64,
        /// The order's branch.
        branch_id: String,
    },
    /// The branch delivers nowhere (D34).
    BranchNotAvailable(i64),
    /// The branch does not deliver to the point (D34).
    BranchNotInPolygon(i64),
    /// There is no voucher with this id (D32).
    VoucherNotFound(String),
    /// A look-up failed (D41, D44).
    LookupFailed(Lookup, Failure),
    /// A result does not fit an amount (D19); the field's name.
    Overflow(String),
}

/// How a look-up failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It threw or rejected; the message of what it threw, if that had one.
    Threw(Option<String>),
    /// It had not answered after so many milliseconds.
    Late(u32),
    /// The host does not have it.
    NotSupplied,
    /// Its answer is not what D26, D30 or D44 want. `of` is the key whose
    /// record is wrong, where the look-up asked for several.
    InvalidAnswer {
        /// The key of the record.
        of: Option<String>,
        /// What is wrong with it; `None`: it is no JSON.
        invalid: Option<Invalid>,
    },
}

/// What stands in the wrong place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Where: the innermost segment first.
    path: Vec<Segment>,
    /// What was expected there.
    pub expected: Expected,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Key(String),
    Index(usize),
}

/// What was expected instead of what stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Anything at all.
    Required,
    /// What the words say.
    A(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// An array of this length.
    ArrayOf(usize),
    /// This very text.
    Exactly(String),
    /// No more than a limit allows (D45), and of what, as in "vouchers".
    AtMost(usize, &'static str),
}

/// Why reading stopped. One word, so that a result that has no value is one
/// too, which is returned in a register. `None`: the text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Option<Invalid>>);

impl Fault {
    /// The text is no JSON.
    #[cold]
    #[inline(never)]
    pub fn syntax() -> Self {
        Self(Box::new(None))
    }

    /// Something else was expected here.
    #[cold]
    #[inline(never)]
    pub fn expected(expected: Expected) -> Self {
        Self(Box::new(Some(Invalid {
            path: Vec::new(),
            expected,
        })))
    }

    /// A required member is missing.
    #[cold]
    #[inline(never)]
    pub fn missing(key: &str) -> Self {
        Self::expected(Expected::Required).under_key(key)
    }

    /// The same fault, seen from the object that holds it.
    #[cold]
    #[inline(never)]
    pub fn under_key(self, key: &str) -> Self {
        self.within(|| Segment::Key(key.to_owned()))
    }

    /// The same fault, seen from the array that holds it.
    #[cold]
    #[inline(never)]
    pub fn at_index(self, index: usize) -> Self {
        self.within(|| Segment::Index(index))
    }

    /// The fault without its path, where that begins with another key than
    /// these.
    pub fn naming_only(mut self, keys: &[&str]) -> Self {
        if let Some(fault) = self.0.as_mut()
            && !matches!(fault.path.last(), Some(Segment::Key(key)) if keys.contains(&key.as_str()))
        {
            fault.path.clear();
        }
        self
    }

    /// The fault without its syntax: `None` where the text is no JSON.
    pub fn into_invalid(self) -> Option<Invalid> {
        *self.0
    }

    fn within(mut self, segment: impl FnOnce() -> Segment) -> Self {
        if let Some(fault) = self.0.as_mut() {
            fault.path.push(segment());
        }
        self
    }
}

impl Invalid {
    /// Where it stands, as in `productList[3].quantity`; empty for the value
    /// as a whole.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.path.iter().rev() {
            match segment {
                Segment::Key(key) if path.is_empty() => path.push_str(key),
                Segment::Key(key) => {
                    path.push('.');
                    path.push_str(key);
                }
                Segment::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}

impl Error {
    /// The body is no order, or no JSON at all (D10, D11).
    pub(crate) fn invalid_order(fault: Fault) -> Self {
        fault
            .into_invalid()
            .map_or(Self::InvalidJson, Self::InvalidOrder)
    }

    /// A look-up answered what it may not; `of` is the key whose record is
    /// wrong, where it asked for several.
    pub(crate) fn invalid_answer(lookup: Lookup, of: Option<String>, fault: Fault) -> Self {
        let invalid = fault.into_invalid();
        Self::LookupFailed(lookup, Failure::InvalidAnswer { of, invalid })
    }

    /// The code of the public contract (`PricingErrorCode`).
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidJson => "INVALID_JSON",
            Self::InvalidOrder(Invalid {
                expected: Expected::AtMost(..),
                ..
            })
            | Self::BodyTooLarge(_) => "LIMIT_EXCEEDED",
            Self::InvalidOrder(_) | Self::InvalidZones(_) | Self::InvalidOptions(_) => {
                "VALIDATION_ERROR"
            }
            Self::NoPrice { .. } => "PRODUCT_PRICE_NOT_FOUND",
            Self::BranchNotAvailable(_) => "BRANCH_NOT_AVAILABLE",
            Self::BranchNotInPolygon(_) => "BRANCH_NOT_IN_POLYGON",
            Self::VoucherNotFound(_) => "VOUCHER_NOT_FOUND",
            Self::LookupFailed(lookup, _) => lookup.failed_code(),
            Self::Overflow(_) => "OVERFLOW",
        }
    }

    /// Where in the order or in the zones it is, of a `VALIDATION_ERROR`.
    pub fn path(&self) -> Option<String> {
        match self {
            Self::InvalidOrder(invalid) if self.code() == "VALIDATION_ERROR" => {
                Some(invalid.path())
            }
            Self::InvalidZones(invalid) | Self::InvalidOptions(invalid) => {
                Some(invalid.as_ref().map(Invalid::path).unwrap_or_default())
            }
            _ => None,
        }
    }

    /// Whether the same order may be priced if it is asked again.
    pub fn retryable(&self) -> bool {
        matches!(
            self,
            Self::LookupFailed(_, Failure::Threw(_) | Failure::Late(_))
        )
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidJson => write!(f, "Failed to parse request body"),
            Self::InvalidOrder(invalid) => write!(f, "Invalid order: {invalid}"),
            Self::BodyTooLarge(limit) => write!(f, "Request body is larger than {limit} bytes"),
            Self::InvalidZones(invalid) => {
                write!(f, "Invalid deliveryZones: {}", OrNoJson(invalid.as_ref()))
            }
            Self::InvalidOptions(Some(invalid)) => write!(f, "Invalid options: {invalid}"),
            Self::InvalidOptions(None) => write!(f, "Invalid options: expected an object"),
            Self::NoPrice { cprcode, branch_id } => write!(f, "No price for {cprcode}/{branch_id}"),
            Self::BranchNotAvailable(brcode) => write!(f, "Branch {brcode} is not available"),
            Self::BranchNotInPolygon(brcode) => write!(f, "Branch {brcode} not in polygon"),
            Self::VoucherNotFound(id) => write!(f, "Voucher {id} not found"),
            Self::LookupFailed(lookup, failure) => failure.describe(lookup.function(), f),
            Self::Overflow(field) => write!(f, "Overflow: {field} is too large"),
        }
    }
}

impl Failure {
    fn describe(&self, function: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threw(Some(message)) => f.write_str(message),
            Self::Threw(None) => write!(f, "{function} failed"),
            Self::Late(ms) => write!(f, "{function} did not answer within {ms} ms"),
            Self::NotSupplied => write!(f, "The host does not supply {function}"),
            Self::InvalidAnswer { of, invalid } => {
                write!(f, "Invalid answer from {function}: ")?;
                if let Some(of) = of {
                    write!(f, "{of}: ")?;
                }
                write!(f, "{}", OrNoJson(invalid.as_ref()))
            }
        }
    }
}

struct OrNoJson<'a>(Option<&'a Invalid>);

impl fmt::Display for OrNoJson<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(invalid) => write!(f, "{invalid}"),
            None => f.write_str("expected JSON"),
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        write!(f, "{}", self.expected)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required => write!(f, "required"),
            Self::A(what) => write!(f, "expected {what}"),
            Self::OneOf(words) => write!(f, "expected one of {}", words.join(", ")),
            Self::ArrayOf(length) => write!(f, "expected an array of {length}"),
            Self::Exactly(text) => write!(f, "expected {text}"),
            Self::AtMost(limit, of) => write!(f, "expected at most {limit} {of}"),
        }
    }
}
