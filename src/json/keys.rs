//! The keys of the schema's objects.

/// The keys of one of the schema's objects, in the order in which senders
/// usually write them: the reader looks for the next one first.
pub trait Keys: Copy + 'static {
    /// Every key, in that order.
    const ALL: &'static [Self];

    /// Their texts.
    const TEXTS: &'static [&'static str];

    /// Whether `bytes` begin with the key at this place, its quotes and its
    /// colon; how many bytes that is. Other than [`written`], it compares with
    /// lengths that are known beforehand.
    fn written(place: usize, bytes: &[u8]) -> Option<usize>;
}

/// Whether `bytes` begin with the key at this place, its quotes and its colon;
/// how many bytes that is.
pub(super) fn written(texts: &[&str], place: usize, bytes: &[u8]) -> Option<usize> {
    let text = texts.get(place)?;
    let rest = bytes.strip_prefix(b"\"")?.strip_prefix(text.as_bytes())?;
    rest.starts_with(b"\":")
        .then_some(text.len().wrapping_add(3))
}

/// Declares the keys of an object: `keys!(PriceKey { Price = "price", … })`.
macro_rules! keys {
    ($name:ident { $($key:ident = $text:literal),+ $(,)? }) => {
        #[derive(Clone, Copy)]
        enum $name {
            $($key),+
        }

        impl $crate::json::Keys for $name {
            const ALL: &'static [Self] = &[$(Self::$key),+];
            const TEXTS: &'static [&'static str] = &[$($text),+];

            #[inline]
            fn written(place: usize, bytes: &[u8]) -> Option<usize> {
                match Self::ALL.get(place)? {
                    $(Self::$key => {
                        const WRITTEN: &[u8] = concat!("\"", $text, "\":").as_bytes();
                        bytes.starts_with(WRITTEN).then_some(WRITTEN.len())
                    }),+
                }
            }
        }
    };
}

pub(crate) use keys;
