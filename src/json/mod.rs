//! JSON text, read and written in one pass each.
//!
//! What an order only passes on (D6) is never built: the reader keeps [`Span`]s
//! into the text and the writer copies them.

mod reader;
mod surrogates;
mod writer;

pub use reader::{Document, Origin, Reader, Span, decode};
pub use surrogates::replace_lone_surrogates;
pub use writer::Writer;

/// JSON text of an empty string.
pub const EMPTY: &str = r#""""#;
