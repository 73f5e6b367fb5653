//! All errors. They hold facts, and their wording is written once, below.

use std::fmt;

use crate::lookup::Lookup;

/// Why an order was not priced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The body is not JSON (D10).
    InvalidJson,
    /// The body is JSON but not an order (D11).
    InvalidOrder(Invalid),
    /// The body is larger than the limit, in bytes.
    BodyTooLarge(usize),
    /// The delivery zones break the rules of D35; `None`: they are not JSON.
    InvalidZones(Option<Invalid>),
    /// The pricer's options are invalid; `None`: they are not JSON.
    InvalidOptions(Option<Invalid>),
    /// There is no price for a product at the order's branch (D43).
    NoPrice {
        /// The product code.
        cprcode: i64,
        /// The order's branch.
        branch_id: String,
    },
    /// The branch has no delivery zone (D34).
    BranchNotAvailable(i64),
    /// No delivery zone of the branch covers the point (D34).
    BranchNotInPolygon(i64),
    /// There is no voucher with this id (D32).
    VoucherNotFound(String),
    /// A look-up failed (D41, D44).
    LookupFailed(Lookup, Failure),
    /// The field with this name does not fit an amount (D19).
    Overflow(String),
}

/// How a look-up failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The function threw or rejected; holds the thrown value's message, if
    /// any.
    Threw(Option<String>),
    /// The function did not answer within this number of milliseconds.
    Late(u32),
    /// The host does not supply the function.
    NotSupplied,
    /// The answer breaks the rules of D26, D30 or D44.
    InvalidAnswer {
        /// The key of the wrong record, if the look-up asked for several.
        of: Option<String>,
        /// The fault; `None`: the answer is not JSON.
        invalid: Option<Invalid>,
    },
}

/// A value that the schema does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The path of the value, innermost segment first.
    path: Vec<Segment>,
    /// The value that was expected.
    pub expected: Expected,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Key(String),
    Index(usize),
}

/// The value that was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Any value: the member is missing or `null`.
    Required,
    /// The value that these words describe.
    A(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// An array of this length.
    ArrayOf(usize),
    /// Exactly this text.
    Exactly(String),
    /// At most this many entries (D45), with their name, as in "vouchers".
    AtMost(usize, &'static str),
}

/// The reason why reading stopped; `None`: the text is not JSON. Boxed so that
/// `Result<(), Fault>` fits a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Option<Invalid>>);

impl Fault {
    /// The text is not JSON.
    #[cold]
    #[inline(never)]
    pub fn syntax() -> Self {
        Self(Box::new(None))
    }

    /// The value here is not the expected one.
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

    /// The same fault with `key` in front of its path.
    #[cold]
    #[inline(never)]
    pub fn under_key(self, key: &str) -> Self {
        self.within(|| Segment::Key(key.to_owned()))
    }

    /// The same fault with `index` in front of its path.
    #[cold]
    #[inline(never)]
    pub fn at_index(self, index: usize) -> Self {
        self.within(|| Segment::Index(index))
    }

    /// Removes the path, unless it begins with one of these keys.
    pub fn naming_only(mut self, keys: &[&str]) -> Self {
        if let Some(fault) = self.0.as_mut()
            && !matches!(fault.path.last(), Some(Segment::Key(key)) if keys.contains(&key.as_str()))
        {
            fault.path.clear();
        }
        self
    }

    /// The invalid value; `None` if the text is not JSON.
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
    /// The path as text: `productList[3].quantity`, or empty for the root.
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
    /// The body is not an order, or not JSON (D10, D11).
    pub(crate) fn invalid_order(fault: Fault) -> Self {
        fault
            .into_invalid()
            .map_or(Self::InvalidJson, Self::InvalidOrder)
    }

    /// The answer of a look-up is invalid; `of` is the key of the wrong record,
    /// if the look-up asked for several.
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

    /// The path of a `VALIDATION_ERROR` in the order, the zones or the options.
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

    /// Whether a retry of the same order may succeed.
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
