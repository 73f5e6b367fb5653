//! Reads and writes JSON text, in one pass each.
//!
//! Fields that an order only passes on (D6) are never built: the reader keeps
//! their [`Span`]s in the text and the writer copies them. serde_json is slower
//! and larger, and refuses the lone surrogates that D10 accepts: see DESIGN.md.

// Where `wrapping_*` and `saturating_*` stand, a result is a place in the text or
// a depth, and cannot overflow; or wraps on purpose, in a word of eight bytes.
#![deny(clippy::arithmetic_side_effects)]

mod keys;
mod lenient;
mod numbers;
mod reader;
mod schema;
mod span;
mod strings;
mod table;
mod unwritable;
mod writer;

pub(crate) use keys::{Member, bare, key_lists, last_of_each_key};
pub use numbers::MAX_INTEGER;
pub(crate) use numbers::nearest_double;
pub use reader::Reader;
pub(crate) use schema::{read_object, under_place};
pub use span::{Document, Origin, Span};
pub use strings::{canonical, decode, shown};
pub use table::{Columns, Line, Named, or};
pub(crate) use table::{assert_complete, default_in, lines, table};
pub use unwritable::{replace_lone_surrogates, without_lone_surrogates};
pub use writer::Writer;
pub(crate) use writer::members;

/// A mark that some editors put before a text; it is ignored (D10).
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Bytes as text, if they are UTF-8. simdutf8 checks several times faster than
/// the standard library, and that is worth the copy.
pub fn text(bytes: &[u8]) -> Option<String> {
    simdutf8::basic::from_utf8(bytes).ok().map(str::to_owned)
}
