//! All errors. They hold facts, and their wording is written once, below.

use std::fmt;

use crate::lookup::{Lookup, NationwideMode};

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
    NoPrice(PriceKey),
    /// No zone of the branch delivers to the address (D34).
    NoZone {
        /// The index of the schedule that needs the zone.
        schedule: usize,
        /// The branch.
        brcode: i64,
        /// The reason.
        reason: NoZone,
    },
    /// There is no nationwide rate to the order's address (D46).
    NoRate {
        /// The index of the schedule that needs the rate.
        schedule: usize,
        /// The order's postcode.
        postcode: String,
        /// The schedule's mode.
        mode: NationwideMode,
    },
    /// There is no voucher with this id (D32).
    VoucherNotFound(String),
    /// A look-up failed (D41, D44).
    LookupFailed(Lookup, Failure, Part),
    /// The field with this name does not fit an amount (D19).
    Overflow(String, Part),
}

/// The price that a line of the order needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceKey {
    /// The index of the line.
    pub line: usize,
    /// The product code.
    pub cprcode: i64,
    /// The order's branch.
    pub branch_id: String,
}

/// Why no zone delivers to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoZone {
    /// The branch has no zone.
    OfBranch,
    /// No zone of the branch covers the address.
    AtAddress,
}

/// The part of the order that a failure or an overflow concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// No particular part.
    Order,
    /// A price.
    Price(PriceKey),
    /// The schedule at this index.
    Schedule(usize),
    /// The voucher with this id.
    Voucher(String),
}

/// What an error is about, so that nobody has to parse its message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The price that is missing, wrong or too large.
    pub price: Option<PriceKey>,
    /// The voucher.
    pub voucher_id: Option<String>,
    /// The index of the schedule.
    pub schedule: Option<usize>,
    /// The branch that does not deliver.
    pub brcode: Option<i64>,
    /// The look-up that failed.
    pub lookup: Option<Lookup>,
}

/// How a look-up failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The function threw or rejected; holds the thrown value's message, if
    /// any.
    Threw(Option<String>),
    /// As `Threw`, but the thrown value says that another try is in vain.
    Refused(Option<String>),
    /// The function did not answer within this number of milliseconds.
    Late(u32),
    /// The host does not supply the function.
    NotSupplied,
    /// The answer breaks the rules of D26, D30 or D44; `None`: it is not JSON.
    InvalidAnswer(Option<Invalid>),
    /// One record of the answer breaks them; `None`: it is not JSON.
    InvalidRecord(Option<Invalid>),
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

    /// Whether a required value is missing.
    pub(crate) fn is_required(&self) -> bool {
        let invalid = self.0.as_ref().as_ref();
        invalid.is_some_and(|invalid| invalid.expected == Expected::Required)
    }

    /// The fault in words, for whoever wrote the value.
    pub(crate) fn worded(&self) -> Wrong {
        let invalid = self.0.as_ref().as_ref();
        let worded = OrNoJson(invalid.map(|invalid| &invalid.expected)).to_string();
        let clause = worded.strip_prefix("expected ");
        Wrong {
            path: invalid.map(Invalid::path).unwrap_or_default(),
            // Else it is "required".
            expected: clause.unwrap_or("a value").to_owned(),
        }
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

/// A wrong value in a store, in words.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Its path; empty for the whole.
    pub path: String,
    /// What is right; it completes "expected …".
    pub expected: String,
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
            Self::NoPrice(_) => "PRODUCT_PRICE_NOT_FOUND",
            Self::NoZone { reason, .. } => match reason {
                NoZone::OfBranch => "BRANCH_NOT_AVAILABLE",
                NoZone::AtAddress => "BRANCH_NOT_IN_POLYGON",
            },
            Self::NoRate { .. } => "NATIONWIDE_RATE_NOT_FOUND",
            Self::VoucherNotFound(_) => "VOUCHER_NOT_FOUND",
            Self::LookupFailed(lookup, ..) => lookup.failed_code(),
            Self::Overflow(..) => "OVERFLOW",
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
        matches!(self, Self::LookupFailed(_, failure, _) if failure.is_retryable())
    }

    /// What the error is about; `None`: it is about no part of an order.
    pub fn subject(&self) -> Option<Subject> {
        let (part, lookup) = match self {
            Self::NoPrice(key) => (Part::Price(key.clone()), None),
            Self::NoZone { schedule, .. } | Self::NoRate { schedule, .. } => {
                (Part::Schedule(*schedule), None)
            }
            Self::VoucherNotFound(id) => (Part::Voucher(id.clone()), None),
            // Its function is none of the host's.
            Self::LookupFailed(Lookup::Zones, ..) => return None,
            Self::LookupFailed(lookup, _, part) => (part.clone(), Some(*lookup)),
            Self::Overflow(_, part @ Part::Price(_)) => (part.clone(), None),
            _ => return None,
        };
        let mut subject = Subject {
            lookup,
            brcode: match self {
                Self::NoZone { brcode, .. } => Some(*brcode),
                _ => None,
            },
            ..Subject::default()
        };
        match part {
            Part::Order => {}
            Part::Price(key) => subject.price = Some(key),
            Part::Schedule(schedule) => subject.schedule = Some(schedule),
            Part::Voucher(id) => subject.voucher_id = Some(id),
        }
        Some(subject)
    }
}

impl Failure {
    /// Whether the same call may succeed later.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, Self::Threw(_) | Self::Late(_))
    }

    /// The call threw a value with this message.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn thrown(message: Option<String>, is_final: bool) -> Self {
        if is_final {
            Self::Refused(message)
        } else {
            Self::Threw(message)
        }
    }

    /// The answer that breaks the rules.
    pub(crate) fn answer(fault: Fault) -> Self {
        Self::InvalidAnswer(fault.into_invalid())
    }

    /// The record that breaks the rules.
    pub(crate) fn record(fault: Fault) -> Self {
        Self::InvalidRecord(fault.into_invalid())
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidJson => write!(f, "Failed to parse request body"),
            Self::InvalidOrder(invalid) => write!(f, "Invalid order: {invalid}"),
            Self::BodyTooLarge(limit) => write!(f, "Request body is larger than {limit} bytes"),
            Self::InvalidZones(invalid)
            | Self::LookupFailed(Lookup::Zones, Failure::InvalidAnswer(invalid), _) => {
                write!(f, "Invalid deliveryZones: {}", OrNoJson(invalid.as_ref()))
            }
            Self::InvalidOptions(Some(invalid)) => write!(f, "Invalid options: {invalid}"),
            Self::InvalidOptions(None) => write!(f, "Invalid options: expected an object"),
            Self::NoPrice(key) => write!(f, "No price for {key}"),
            Self::NoZone { brcode, reason, .. } => match reason {
                NoZone::OfBranch => write!(f, "Branch {brcode} is not available"),
                NoZone::AtAddress => write!(f, "Branch {brcode} not in polygon"),
            },
            Self::NoRate { postcode, mode, .. } => {
                write!(f, "No nationwide rate for {postcode}/{}", mode.word())
            }
            Self::VoucherNotFound(id) => write!(f, "Voucher {id} not found"),
            Self::LookupFailed(lookup, failure, part) => {
                failure.describe(lookup.function(), part, f)
            }
            Self::Overflow(field, _) => write!(f, "Overflow: {field} is too large"),
        }
    }
}

impl fmt::Display for PriceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.cprcode, self.branch_id)
    }
}

impl Failure {
    fn describe(&self, function: &str, part: &Part, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threw(Some(message)) | Self::Refused(Some(message)) => f.write_str(message),
            Self::Threw(None) | Self::Refused(None) => write!(f, "{function} failed"),
            Self::Late(ms) => write!(f, "{function} did not answer within {ms} ms"),
            Self::NotSupplied => write!(f, "The host does not supply {function}"),
            Self::InvalidAnswer(invalid) | Self::InvalidRecord(invalid) => {
                write!(f, "Invalid answer from {function}: ")?;
                match part {
                    Part::Price(key) => write!(f, "{key}: ")?,
                    Part::Voucher(id) => write!(f, "{id}: ")?,
                    Part::Order | Part::Schedule(_) => {}
                }
                write!(f, "{}", OrNoJson(invalid.as_ref()))
            }
        }
    }
}

struct OrNoJson<'a, T>(Option<&'a T>);

impl<T: fmt::Display> fmt::Display for OrNoJson<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(expected) => write!(f, "{expected}"),
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

#[cfg(test)]
mod tests {
    use super::{Error, Expected, Failure, Fault, NoZone, Part, PriceKey, Subject};
    use crate::lookup::{Lookup, NationwideMode};

    fn key() -> PriceKey {
        PriceKey {
            line: 2,
            cprcode: 1001,
            branch_id: "1000".to_owned(),
        }
    }

    fn fault() -> Fault {
        Fault::expected(Expected::A("a number")).under_key("price")
    }

    #[test]
    fn an_error_says_what_it_is_about_in_words_and_as_data() {
        let price = Subject {
            price: Some(key()),
            ..Subject::default()
        };
        let schedule = Subject {
            schedule: Some(1),
            ..Subject::default()
        };
        let voucher = Subject {
            voucher_id: Some("V1".to_owned()),
            ..Subject::default()
        };
        let looked_up = |lookup, subject| Subject {
            lookup: Some(lookup),
            ..subject
        };
        let dry = Lookup::NationwideRate(NationwideMode::Dry);
        let record = || Failure::record(fault());
        for (error, message, subject) in [
            (Error::InvalidJson, "Failed to parse request body", None),
            (
                Error::invalid_order(fault()),
                "Invalid order: price: expected a number",
                None,
            ),
            (
                Error::BodyTooLarge(7),
                "Request body is larger than 7 bytes",
                None,
            ),
            (
                Error::InvalidZones(None),
                "Invalid deliveryZones: expected JSON",
                None,
            ),
            (
                Error::LookupFailed(Lookup::Zones, Failure::Late(5), Part::Order),
                "deliveryZones did not answer within 5 ms",
                None,
            ),
            (
                Error::LookupFailed(Lookup::Zones, Failure::answer(fault()), Part::Order),
                "Invalid deliveryZones: price: expected a number",
                None,
            ),
            (
                Error::InvalidOptions(None),
                "Invalid options: expected an object",
                None,
            ),
            (
                Error::NoPrice(key()),
                "No price for 1001/1000",
                Some(price.clone()),
            ),
            (
                Error::NoZone {
                    schedule: 1,
                    brcode: 1000,
                    reason: NoZone::OfBranch,
                },
                "Branch 1000 is not available",
                Some(Subject {
                    brcode: Some(1000),
                    ..schedule.clone()
                }),
            ),
            (
                Error::NoZone {
                    schedule: 1,
                    brcode: -7,
                    reason: NoZone::AtAddress,
                },
                "Branch -7 not in polygon",
                Some(Subject {
                    brcode: Some(-7),
                    ..schedule.clone()
                }),
            ),
            (
                Error::NoRate {
                    schedule: 1,
                    postcode: "95110".to_owned(),
                    mode: NationwideMode::Fresh,
                },
                "No nationwide rate for 95110/FRESH",
                Some(schedule.clone()),
            ),
            (
                Error::VoucherNotFound("V1".to_owned()),
                "Voucher V1 not found",
                Some(voucher.clone()),
            ),
            (
                Error::LookupFailed(Lookup::Prices, record(), Part::Price(key())),
                "Invalid answer from lookupPrices: 1001/1000: price: expected a number",
                Some(looked_up(Lookup::Prices, price.clone())),
            ),
            (
                Error::LookupFailed(dry, record(), Part::Schedule(1)),
                "Invalid answer from nationwideRate: price: expected a number",
                Some(looked_up(dry, schedule)),
            ),
            (
                Error::LookupFailed(Lookup::Vouchers, record(), Part::Voucher("V1".to_owned())),
                "Invalid answer from lookupVouchers: V1: price: expected a number",
                Some(looked_up(Lookup::Vouchers, voucher)),
            ),
            (
                Error::LookupFailed(Lookup::Coupons, Failure::Threw(None), Part::Order),
                "validateCoupons failed",
                Some(looked_up(Lookup::Coupons, Subject::default())),
            ),
            (
                Error::Overflow("productList[2].rowTotal".to_owned(), Part::Price(key())),
                "Overflow: productList[2].rowTotal is too large",
                Some(price),
            ),
            (
                Error::Overflow("grandTotal".to_owned(), Part::Order),
                "Overflow: grandTotal is too large",
                None,
            ),
        ] {
            assert_eq!(error.to_string(), message);
            assert_eq!(error.subject(), subject, "{message}");
        }
    }

    #[test]
    fn only_a_call_that_threw_or_was_late_may_succeed_later() {
        for (failure, is_retryable) in [
            (Failure::Threw(None), true),
            (Failure::Late(5), true),
            (Failure::Refused(None), false),
            (Failure::NotSupplied, false),
            (Failure::answer(fault()), false),
            (Failure::record(fault()), false),
        ] {
            let error = Error::LookupFailed(Lookup::Vouchers, failure, Part::Order);
            assert_eq!(error.retryable(), is_retryable, "{error}");
        }
    }
}
