//! All errors. They hold facts, and their wording is written once, below.
//!
//! An [`Error`] says why an order was not priced, a [`Failure`] why a look-up
//! failed, a [`Fault`] why a text cannot be read. Elsewhere, a `Problem` is an
//! error with its call, and an `Obstacle` a problem or an answer that is
//! missing.

use std::fmt;

use crate::code;
use crate::lookup::{Lookup, NationwideMode};

/// Why an order was not priced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The body is not JSON (D10).
    InvalidJson,
    /// The body is JSON but not an order (D11).
    InvalidOrder(Fault),
    /// The body is larger than the limit, in bytes.
    BodyTooLarge(usize),
    /// The delivery zones break the rules of D35.
    InvalidZones(Fault),
    /// The pricer's options are invalid.
    InvalidOptions(Fault),
    /// The facts for a store are invalid.
    InvalidFacts(Fault),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The part of the order that is missing, wrong or too large.
    pub part: Part,
    /// The branch that does not deliver.
    pub brcode: Option<i64>,
    /// The look-up that failed.
    pub lookup: Option<Lookup>,
}

/// How a look-up failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The function failed; holds the message that the order's error gets, if
    /// any. Another try may succeed.
    Threw(Option<String>),
    /// As `Threw`, but another try is in vain.
    Refused(Option<String>),
    /// The function did not answer within this number of milliseconds.
    Late(u32),
    /// The host does not supply the function.
    NotSupplied,
    /// The answer breaks the rules of D26, D30 or D44.
    InvalidAnswer(Fault),
    /// One record of the answer breaks them.
    InvalidRecord(Fault),
}

/// Why a text cannot be read: a value that the schema does not allow, or no
/// JSON. Boxed so that `Result<(), Fault>` fits a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<WrongValue>);

/// A wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WrongValue {
    /// The path of the value, innermost segment first.
    path: Vec<Segment>,
    /// The value that was expected.
    expected: Expected,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Key(String),
    Index(usize),
}

/// The value that was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// JSON: the text is none, and has no path.
    Json,
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

impl Fault {
    /// The text is not JSON.
    #[cold]
    #[inline(never)]
    pub fn syntax() -> Self {
        Self::expected(Expected::Json)
    }

    /// The value here is not the expected one.
    #[cold]
    #[inline(never)]
    pub fn expected(expected: Expected) -> Self {
        Self(Box::new(WrongValue {
            path: Vec::new(),
            expected,
        }))
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
        let path = &mut self.0.path;
        if !matches!(path.last(), Some(Segment::Key(key)) if keys.contains(&key.as_str())) {
            path.clear();
        }
        self
    }

    /// The same fault of a value that stands under `slots[index]` in place of a key.
    fn of_slot(mut self, index: usize) -> Self {
        self.0.path.pop();
        self.at_index(index).under_key("slots")
    }

    /// Whether the text is not JSON.
    pub(crate) fn is_syntax(&self) -> bool {
        self.0.expected == Expected::Json
    }

    /// Whether it breaks a limit (D45).
    fn is_limit(&self) -> bool {
        matches!(self.0.expected, Expected::AtMost(..))
    }

    /// Whether a required value is missing.
    pub(crate) fn is_required(&self) -> bool {
        self.0.expected == Expected::Required
    }

    /// What is right, to complete "expected …".
    pub fn what(&self) -> String {
        let worded = self.0.expected.to_string();
        let what = worded.strip_prefix("expected ");
        // Else it is "required".
        what.unwrap_or("a value").to_owned()
    }

    /// The path as text: `productList[3].quantity`,
    /// `prices["1001/1000"].price`, or empty for the root.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.0.path.iter().rev() {
            match segment {
                // Only the keys of a store's facts have one.
                Segment::Key(key) if key.contains('/') => path.push_str(&format!("[\"{key}\"]")),
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

    fn within(mut self, segment: impl FnOnce() -> Segment) -> Self {
        if !self.is_syntax() {
            self.0.path.push(segment());
        }
        self
    }
}

impl Error {
    /// The same error of an order that is nothing but a slot's shipping.
    pub(crate) fn of_slot(self, index: usize) -> Self {
        match self {
            Self::InvalidOrder(fault) => Self::InvalidOrder(fault.of_slot(index)),
            other => other,
        }
    }

    /// The body is not an order, or not JSON (D10, D11).
    pub(crate) fn invalid_order(fault: Fault) -> Self {
        if fault.is_syntax() {
            Self::InvalidJson
        } else {
            Self::InvalidOrder(fault)
        }
    }

    /// The code of the public contract (`PricingErrorCode`).
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidJson => code::INVALID_JSON,
            Self::InvalidOrder(fault) if fault.is_limit() => code::LIMIT_EXCEEDED,
            Self::BodyTooLarge(_) => code::LIMIT_EXCEEDED,
            Self::InvalidOrder(_)
            | Self::InvalidZones(_)
            | Self::InvalidOptions(_)
            | Self::InvalidFacts(_) => code::VALIDATION_ERROR,
            Self::NoPrice(_) => Lookup::Prices.row().not_found,
            Self::NoZone { reason, .. } => match reason {
                NoZone::OfBranch => code::BRANCH_NOT_AVAILABLE,
                NoZone::AtAddress => code::BRANCH_NOT_IN_POLYGON,
            },
            Self::NoRate { mode, .. } => Lookup::NationwideRate(*mode).row().not_found,
            Self::VoucherNotFound(_) => Lookup::Vouchers.row().not_found,
            Self::LookupFailed(lookup, ..) => lookup.row().failed,
            Self::Overflow(..) => code::OVERFLOW,
        }
    }

    /// The path of a `VALIDATION_ERROR` in the order, the zones or the options.
    pub fn path(&self) -> Option<String> {
        match self {
            Self::InvalidOrder(fault) if fault.is_limit() => None,
            Self::InvalidOrder(fault)
            | Self::InvalidZones(fault)
            | Self::InvalidOptions(fault)
            | Self::InvalidFacts(fault) => Some(fault.path()),
            _ => None,
        }
    }

    /// Whether a retry of the same order may succeed.
    pub fn retryable(&self) -> bool {
        matches!(self, Self::LookupFailed(_, failure, _) if failure.is_retryable())
    }

    /// What the error is about; `None`: it is about no part of an order.
    pub fn subject(&self) -> Option<Subject> {
        let of = |part: Part| Subject {
            part,
            brcode: None,
            lookup: None,
        };
        Some(match self {
            Self::NoPrice(key) => of(Part::Price(key.clone())),
            Self::NoZone {
                schedule, brcode, ..
            } => Subject {
                brcode: Some(*brcode),
                ..of(Part::Schedule(*schedule))
            },
            Self::NoRate { schedule, .. } => of(Part::Schedule(*schedule)),
            Self::VoucherNotFound(id) => of(Part::Voucher(id.clone())),
            // deliveryZones is an option, not a host function.
            Self::LookupFailed(Lookup::Zones, ..) => return None,
            Self::LookupFailed(lookup, _, part) => Subject {
                lookup: Some(*lookup),
                ..of(part.clone())
            },
            Self::Overflow(_, part @ Part::Price(_)) => of(part.clone()),
            _ => return None,
        })
    }
}

impl Failure {
    /// Whether the same call may succeed later.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, Self::Threw(_) | Self::Late(_))
    }

    /// The call threw a value with this message.
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    pub(crate) fn thrown(message: Option<String>, is_final: bool) -> Self {
        if is_final {
            Self::Refused(message)
        } else {
            Self::Threw(message)
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidJson => write!(f, "Failed to parse request body"),
            Self::InvalidOrder(fault) => write!(f, "Invalid order: {fault}"),
            Self::BodyTooLarge(limit) => write!(f, "Request body is larger than {limit} bytes"),
            Self::InvalidZones(fault)
            | Self::LookupFailed(Lookup::Zones, Failure::InvalidAnswer(fault), _) => {
                write!(f, "Invalid deliveryZones: {fault}")
            }
            Self::InvalidOptions(fault) => write!(f, "Invalid options: {fault}"),
            Self::InvalidFacts(fault) => write!(f, "Invalid facts: {fault}"),
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
                failure.describe(lookup.row().function, part, f)
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
            Self::Threw(Some(message)) | Self::Refused(Some(message)) if !message.is_empty() => {
                f.write_str(message)
            }
            Self::Threw(_) | Self::Refused(_) => write!(f, "{function} failed"),
            Self::Late(ms) => write!(f, "{function} did not answer within {ms} ms"),
            Self::NotSupplied => write!(f, "The host does not supply {function}"),
            Self::InvalidAnswer(fault) | Self::InvalidRecord(fault) => {
                write!(f, "Invalid answer from {function}: ")?;
                match part {
                    Part::Price(key) => write!(f, "{key}: ")?,
                    Part::Voucher(id) => write!(f, "{id}: ")?,
                    Part::Order | Part::Schedule(_) => {}
                }
                write!(f, "{fault}")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_empty() {
            write!(f, "{}: ", self.path())?;
        }
        write!(f, "{}", self.0.expected)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json => write!(f, "expected JSON"),
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
        let about = |part| Subject {
            part,
            brcode: None,
            lookup: None,
        };
        let (price, schedule) = (about(Part::Price(key())), about(Part::Schedule(1)));
        let voucher = about(Part::Voucher("V1".to_owned()));
        let looked_up = |lookup, subject| Subject {
            lookup: Some(lookup),
            ..subject
        };
        let dry = Lookup::NationwideRate(NationwideMode::Dry);
        let record = || Failure::InvalidRecord(fault());
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
                Error::InvalidZones(Fault::syntax()),
                "Invalid deliveryZones: expected JSON",
                None,
            ),
            (
                Error::LookupFailed(Lookup::Zones, Failure::Late(5), Part::Order),
                "deliveryZones did not answer within 5 ms",
                None,
            ),
            (
                Error::LookupFailed(Lookup::Zones, Failure::InvalidAnswer(fault()), Part::Order),
                "Invalid deliveryZones: price: expected a number",
                None,
            ),
            (
                Error::InvalidOptions(fault()),
                "Invalid options: price: expected a number",
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
                Some(looked_up(Lookup::Coupons, about(Part::Order))),
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
            (Failure::InvalidAnswer(fault()), false),
            (Failure::InvalidRecord(fault()), false),
        ] {
            let error = Error::LookupFailed(Lookup::Vouchers, failure, Part::Order);
            assert_eq!(error.retryable(), is_retryable, "{error}");
        }
    }
}
