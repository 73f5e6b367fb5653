//! JSON text, read and written in one pass each.
//!
//! What an order only passes on (D6) is never built: the reader keeps [`Span`]s
//! into the text and the writer copies them.

mod keys;
mod numbers;
mod reader;
mod schema;
mod span;
mod strings;
mod unwritable;
mod writer;

pub(crate) use keys::{Member, bare, last_of_each_key};
pub use numbers::MAX_INTEGER;
pub use reader::Reader;
pub(crate) use schema::schema;
pub use span::{Document, Origin, Span};
pub use strings::{decode, identity};
pub use unwritable::{nulled, replace_lone_surrogates, without_lone_surrogates};
pub use writer::Writer;
pub(crate) use writer::members;

/// What some editors put before a text; it is ignored (D10).
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// JSON text of an empty string.
pub const EMPTY: &str = r#""""#;

/// Bytes as text, if they are UTF-8. Checking is several times faster here than
/// in the standard library, and worth the copy.
pub fn text(bytes: &[u8]) -> Option<String> {
    simdutf8::basic::from_utf8(bytes).ok().map(str::to_owned)
}
