//! A JSON text, its origin, and ranges of it.

/// The origin of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// Text from outside: JSON and nothing else.
    #[default]
    Wire,
    /// Text written from a JavaScript object. The literal `NaN` stands for a
    /// `NaN`, an infinity or a BigInt: no field accepts it (D14).
    Object,
    /// As `Wire`, from a client that may write a value as another type (D49).
    Lenient,
    /// As `Object`, and lenient.
    LenientObject,
}

impl Origin {
    /// Whether the text was written from an object.
    pub(super) fn is_object(self) -> bool {
        matches!(self, Self::Object | Self::LenientObject)
    }

    /// Whether values may have another type (D49).
    pub(super) fn is_lenient(self) -> bool {
        matches!(self, Self::Lenient | Self::LenientObject)
    }
}

/// A JSON text and its origin.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The text.
    pub text: String,
    /// The origin of the text.
    pub origin: Origin,
}

/// A range of bytes in the text that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// The range from `start` to `end`. INVARIANT:
    /// [`Reader::document`](super::Reader::document) refuses texts in which an
    /// index would not fit.
    #[inline]
    pub(super) fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The index of the first byte.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// The index after the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// The same range in a text that begins with `before` other bytes.
    pub fn after(self, before: usize) -> Self {
        let (start, end) = (self.start(), self.end());
        Self::new(start.saturating_add(before), end.saturating_add(before))
    }

    /// The text of this range; `text` is the text that was read.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}
