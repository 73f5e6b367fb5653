//! The keys of the schema's objects.

/// The keys of one of the schema's objects, in the order in which senders
/// usually write them: the reader looks for the next one first.
pub trait Keys: Copy + 'static {
    /// Every key, in that order.
    const ALL: &'static [Self];

    /// The key itself.
    fn text(self) -> &'static str;

    /// The key with this text.
    fn named(text: &str) -> Option<Self>;

    /// Its place in [`Keys::ALL`].
    fn place(self) -> usize;

    /// How many bytes the key has with its quotes and its colon, where they are
    /// what `bytes` begin with.
    fn at_start_of(self, bytes: &[u8]) -> Option<usize>;
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

            fn text(self) -> &'static str {
                match self {
                    $(Self::$key => $text),+
                }
            }

            fn named(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$key),)+
                    _ => None,
                }
            }

            fn place(self) -> usize {
                self as usize
            }

            #[inline]
            fn at_start_of(self, bytes: &[u8]) -> Option<usize> {
                match self {
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
