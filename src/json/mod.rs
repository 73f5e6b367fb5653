//! JSON text, read and written in one pass each.
//!
//! What an order only passes on (D6) is never built: the reader keeps [`Span`]s
//! into the text and the writer copies them.

mod member;
mod reader;
mod schema;
mod surrogates;
mod unwritable;
mod writer;

pub use member::{Member, last_of_each_key};
pub use reader::{Document, Origin, Reader, Span, bare, decode, identity};
pub(crate) use schema::schema;
pub use surrogates::{replace_lone_surrogates, without_lone_surrogates};
pub use unwritable::nulled;
pub use writer::Writer;
pub(crate) use writer::members;

/// Bytes as text, if they are UTF-8. Checking is several times faster here than
/// in the standard library, and worth the copy.
pub fn text(bytes: &[u8]) -> Option<String> {
    simdutf8::basic::from_utf8(bytes).ok().map(str::to_owned)
}

/// JSON text of an empty string.
pub const EMPTY: &str = r#""""#;
