//! The words of the schema: enums with one word for each variant.

/// An enum that JSON writes as one of several words.
pub trait Word: Copy + 'static {
    /// Every variant.
    const ALL: &'static [Self];
    /// The words of the variants, in the same order.
    const WORDS: &'static [&'static str];
    /// The name of the enum, for documents.
    const NAME: &'static str;
    /// The comments of the variants, for documents.
    const MEANINGS: &'static [&'static str];
}

/// Declares such an enum: `words! { enum Input { Strict = "strict", … } }`. It can say
/// more of each variant in a struct:
/// `enum Mode(terms: Terms) { Regular = "REGULAR" { decision: "D34", … }, … }`.
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident($row:ident: $Row:ident) {
        $($(#[$($doc:tt)*])* $variant:ident = $word:literal { $($cells:tt)* },)+
    }) => {
        $crate::word::words! { $(#[$meta])* $vis enum $name { $($(#[$($doc)*])* $variant = $word),+ } }

        impl $name {
            /// The row of the variant.
            $vis const fn $row(self) -> $Row {
                match self { $(Self::$variant => $Row { $($cells)* }),+ }
            }
        }
    };
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$($variant_meta:tt)*])* $variant:ident = $word:literal),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$($variant_meta)*])* $variant),+
        }

        impl $crate::word::Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
            const WORDS: &'static [&'static str] = &[$($word),+];
            const NAME: &'static str = stringify!($name);
            const MEANINGS: &'static [&'static str] =
                &[$(concat!($($crate::word::comment!($($variant_meta)*)),*)),+];
        }

        impl $name {
            /// The word of the variant.
            #[allow(dead_code, reason = "some enums are only read")]
            $vis const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

/// The text of a line of a comment; empty for another attribute.
macro_rules! comment {
    (doc = $line:literal) => {
        $line
    };
    ($($other:tt)*) => {
        ""
    };
}

pub(crate) use comment;
pub(crate) use words;
