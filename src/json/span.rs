//! A JSON text, where it came from, and ranges of it.

/// Where a text came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// From outside, as text: JSON and nothing else.
    #[default]
    Wire,
    /// Written from a JavaScript object. The literal `NaN` stands for a `NaN`,
    /// an infinity or a BigInt: no field takes it (D14).
    Object,
}

/// A JSON text and where it came from.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The text.
    pub text: String,
    /// Where it came from.
    pub origin: Origin,
}

/// A range of bytes in the text that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// From `start` to `end`. INVARIANT: [`Reader::document`](super::Reader::document)
    /// refuses texts in which a place would not fit.
    #[inline]
    pub(super) fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    /// Where it begins.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// Where it has ended.
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// What stands before and after this range.
    pub fn around(self, text: &str) -> (&str, &str) {
        let before = text.get(..self.start as usize);
        let after = text.get(self.end as usize..);
        (before.unwrap_or_default(), after.unwrap_or_default())
    }

    /// The text of this range; `text` is the one that was read.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}
