//! The tables of the order: each line says once what a field is. The reader, the
//! writer of what passes through and the documents are made of it.

use super::Span;

/// Declares a struct, `read`, which reads it from a JSON object, and
/// `write_fields`, which writes it as the response shows it.
///
/// ```text
/// table! {
///     struct Schedule {
///         /// When it comes (D11).
///         date_time: Option<Span> = string("dateTime", null) text,
///         booking_hour: i64 = integer("booking_hour", 0) hour,
///     }
///     computed {
///         /// What it costs.
///         delivery_fee = baht("deliveryFee") plain,
///     }
///     response [date_time, delivery_fee(fee), booking_hour]
/// }
/// ```
///
/// A line has the field's sentence, name and type; its kind, key and default as
/// JSON, or `required`; and its class: what it says of a person. After the default
/// may follow a reader, and the value of an absent field. `null` means absent (D7),
/// unless a required field has the latter: then its reader gets `null`, too. Of
/// `struct Product(limits: &Limits)`, `read` takes the limits. A field after a
/// semicolon is not read.
///
/// | kind | reads | into |
/// |---|---|---|
/// | `string`, `number`, `time`, `degrees` | what its name says | `Span`; if optional, `Option<Span>` |
/// | `any`, `array` | any JSON, an array of it | the same |
/// | `integer`, `flag` | an integer (D8), a boolean | `i64`, `bool` |
/// | `word` | one of the words of an enum | the enum; the default is a variant |
/// | `baht`, `factor` | an amount in THB, a multiplier | `Amount` |
/// | `kilograms` | a weight | `AmountText` |
/// | `strings` | by a reader of the line | `Vec<Span>` |
/// | `object`, `objects` | by a reader of the line | a table's struct, a `Vec` of such |
///
/// | class | a captured order shows |
/// |---|---|
/// | `plain` | the number, flag or word |
/// | `text`, `anything` | a stand-in for each text and number in it |
/// | `id` | a keyed hash |
/// | `branch`, `postcode`, `hour` | it, if it is one; else as an id or a number |
/// | `latitude`, `longitude` | a stand-in of their own |
/// | `nested` | what the lines of the object say |
///
/// `table! { frequent struct …` reads faster and is larger: for objects that come by
/// the hundred. `table! { optional struct …`, in which nothing is required, has a
/// `Default`. A computed field is not read (D2). `response` lists all fields in the
/// contract's sequence (D3); the argument of `write_fields` in parentheses writes the
/// value. Fields that something else writes stand `apart`.
macro_rules! table {
    // The struct, and how it is read.
    (@struct $fields:ident
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(($context:ident: $Context:ty))? {
            $(
                $(#[$($doc:tt)*])*
                $field_vis:vis $field:ident: $Field:ty = $kind:ident(
                    $key:literal, $default:tt $(, $read:expr $(, $absent:expr)?)?
                ) $class:ident
            ),+
            $(; $(#[$unread_meta:meta])* $unread:ident: $Unread:ty = $value:expr)?
            $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$($doc)*])* #[doc = concat!("`", $key, "`.")] $field_vis $field: $Field,)+
            $($(#[$unread_meta])* $unread: $Unread,)?
        }

        impl $crate::json::Named for $name {
            const NAME: &'static str = stringify!($name);
        }

        impl $name {
            pub(crate) const KEYS: &'static [&'static str] =
                &[$(concat!("\"", $key, "\":")),+];
            /// The fields that are read.
            pub const LINES: &'static [$crate::json::Line] = &[$($crate::json::Line {
                key: $key,
                kind: stringify!($kind),
                of: $crate::json::table!(@name $kind, $Field),
                words: $crate::json::table!(@of $kind, $Field, WORDS, &[]),
                meanings: $crate::json::table!(@of $kind, $Field, MEANINGS, &[]),
                default: $crate::json::table!(@shown $kind, $Field, $default),
                class: stringify!($class),
                means: concat!($($crate::word::comment!($($doc)*)),*),
            }),+];

            /// The default of a field, as JSON text.
            #[allow(dead_code, reason = "most defaults are written with their fields")]
            pub(crate) const fn default_of(key: &str) -> &'static str {
                $crate::json::default_in(Self::LINES, key)
            }

            #[inline]
            pub(crate) fn read(
                json: &mut $crate::json::Reader<'_>
                $(, $context: $Context)?
            ) -> Result<Self, $crate::error::Fault> {
                $(let mut $field = None;)+
                $crate::json::read_object!($fields json, $($field: $key => {
                    $crate::json::table!(@read json, $kind, $default $(, $read $(, $absent)?)?)
                }),+)?;
                $(let $field = $crate::json::table!(
                    @value $kind, $field, $Field, $key, $default $($(, $absent)?)?
                );)+
                Ok(Self {
                    $($field,)+
                    $($unread: $value,)?
                })
            }
        }

        $crate::json::table!(@shifted $fields $name, $($field: $kind, $default),+);
    };

    // Where it moves to when the text that it was read from does.
    (@shifted fields $($rest:tt)+) => {};
    (@shifted frequent_fields $name:ident, $($field:ident: $kind:ident, $default:tt),+) => {
        impl $name {
            /// The same in a text that has `before` other bytes before that of the object.
            #[allow(dead_code, unused_mut, unused_variables, reason = "not every object moves")]
            pub(crate) fn shifted(mut self, before: usize) -> Self {
                $($crate::json::table!(@shift $kind, self.$field, before, $default);)+
                self
            }
        }
    };
    (@shift integer, $value:expr, $before:ident, $default:tt) => {};
    (@shift flag, $value:expr, $before:ident, $default:tt) => {};
    (@shift baht, $value:expr, $before:ident, $default:tt) => {};
    (@shift kilograms, $value:expr, $before:ident, $default:tt) => {};
    (@shift $kind:ident, $value:expr, $before:ident, required) => {
        $value = $value.after($before);
    };
    (@shift $kind:ident, $value:expr, $before:ident, $default:tt) => {
        $value = $value.map(|span| span.after($before));
    };

    // How it is written.
    (@response
        $vis:vis struct $name:ident $(($context:ident: $Context:ty))? {
            $(
                $(#[$doc:meta])*
                $field_vis:vis $field:ident: $Field:ty = $kind:ident(
                    $key:literal, $default:tt $(, $read:expr $(, $absent:expr)?)?
                ) $class:ident
            ),+
            $(; $(#[$unread_meta:meta])* $unread:ident: $Unread:ty = $value:expr)?
            $(,)?
        }
        computed { $(
            $(#[$($computed_doc:tt)*])*
            $computed:ident = $computed_kind:ident($computed_key:literal) $computed_class:ident
        ),* $(,)? }
        response [
            $first:ident $(($first_by:ident))? $(, $item:ident $(($by:ident))?)* $(,)?
        ]
        $(apart [$($apart:ident),+])?
    ) => {
        const _: () = {
            #[allow(non_camel_case_types)]
            #[derive(Clone, Copy)]
            enum Key { $($field,)+ $($computed,)* }

            const COUNT: usize = [$($key,)+ $($computed_key,)*].len();
            $crate::json::assert_complete(COUNT, &[
                Key::$first as usize $(, Key::$item as usize)* $($(, Key::$apart as usize)+)?
            ]);

            const fn bare(key: Key) -> &'static str {
                match key {
                    $(Key::$field => $key,)+
                    $(Key::$computed => $computed_key,)*
                }
            }

            /// The key with what stands before it.
            #[inline(always)]
            const fn text_of(key: Key, is_first: bool) -> &'static str {
                match (key, is_first) {
                    $((Key::$field, true) => concat!("{\"", $key, "\":"),
                    (Key::$field, false) => concat!(",\"", $key, "\":"),)+
                    $((Key::$computed, _) => concat!(",\"", $computed_key, "\":"),)*
                }
            }

            impl $name {
                /// The fields that only a response has.
                pub const COMPUTED: &'static [$crate::json::Line] = $crate::json::lines! { $(
                    $(#[$($computed_doc)*])* $computed_key: $computed_kind $computed_class
                ),* };
                /// The keys of the response, in the contract's sequence (D3).
                pub const RESPONSE: &'static [&'static str] =
                    &[bare(Key::$first) $(, bare(Key::$item))*];

                /// Writes the fields, without a closing brace.
                #[inline]
                pub(crate) fn write_fields(
                    &self,
                    out: &mut $crate::json::Writer,
                    text: &str
                    $(, $first_by: impl FnOnce(&mut $crate::json::Writer))?
                    $($(, $by: impl FnOnce(&mut $crate::json::Writer))?)*
                ) {
                    $crate::json::table!(@item self, out, text, Key::$first, true $(, $first_by)?);
                    $($crate::json::table!(
                        @item self, out, text, Key::$item, false $(, $by)?
                    );)*
                }

                /// The fields as numbers, in the contract's sequence.
                #[allow(dead_code, reason = "only the binding to JavaScript builds objects")]
                #[inline(always)]
                pub(crate) fn columns(&self, out: &mut impl $crate::json::Columns) {
                    self.column(out, Key::$first);
                    $(self.column(out, Key::$item);)*
                }

                #[allow(dead_code, unused_variables, reason = "see above")]
                #[inline(always)]
                fn column(&self, out: &mut impl $crate::json::Columns, key: Key) {
                    match key {
                        $(Key::$field => $crate::json::table!(
                            @column $kind, out, self.$field, $default
                        ),)+
                        $(Key::$computed => {})*
                    }
                }

                #[inline(always)]
                fn write_member(
                    &self,
                    out: &mut $crate::json::Writer,
                    text: &str,
                    key: Key,
                    is_first: bool,
                ) {
                    let start = text_of(key, is_first);
                    match key {
                        $(Key::$field => $crate::json::table!(
                            @write $kind, out, start, text, self.$field, $default
                        ),)+
                        $(Key::$computed => {})*
                    }
                }
            }
        };
    };

    (@name word, $Field:ty) => { <$Field as $crate::word::Word>::NAME };
    (@name object, $Field:ty) => { <$Field as $crate::json::Named>::NAME };
    (@name objects, $Field:ty) => { <$Field as $crate::json::Named>::NAME };
    (@name $kind:ident, $Field:ty) => { "" };
    (@of word, $Field:ty, $NAME:ident, $none:expr) => { <$Field as $crate::word::Word>::$NAME };
    (@of $kind:ident, $Field:ty, $NAME:ident, $none:expr) => { $none };
    (@shown $kind:ident, $Field:ty, required) => { "required" };
    (@shown word, $Field:ty, $default:ident) => { <$Field>::$default.word() };
    (@shown $kind:ident, $Field:ty, $default:tt) => { stringify!($default) };

    (@reader string) => { $crate::json::Reader::string };
    (@reader number) => { $crate::json::Reader::number };
    (@reader time) => { $crate::json::Reader::number };
    (@reader degrees) => { $crate::json::Reader::coordinate };
    (@reader any) => { $crate::json::Reader::opaque };
    (@reader array) => { $crate::json::Reader::opaque_array };
    (@reader integer) => { $crate::json::Reader::integer };
    (@reader flag) => { $crate::json::Reader::boolean };
    (@reader word) => { $crate::json::Reader::word };
    (@reader baht) => { $crate::json::Reader::amount };
    (@reader kilograms) => { $crate::json::Reader::amount_text };
    (@reader factor) => { $crate::json::Reader::amount };

    (@read $json:ident, $kind:ident, required) => {
        Some($json.required($crate::json::table!(@reader $kind))?)
    };
    (@read $json:ident, $kind:ident, $default:tt) => {
        $json.optional($crate::json::table!(@reader $kind))?
    };
    (@read $json:ident, $kind:ident, required, $read:expr) => { Some($json.required($read)?) };
    (@read $json:ident, $kind:ident, $default:tt, $read:expr) => { $json.optional($read)? };
    // Its reader gets `null`, too.
    (@read $json:ident, $kind:ident, required, $read:expr, $absent:expr) => { Some($read($json)?) };
    (@read $json:ident, $kind:ident, $default:tt, $read:expr, $absent:expr) => {
        $json.optional($read)?
    };

    (@value $kind:ident, $field:ident, $Field:ty, $key:literal, $default:tt, $absent:expr) => {
        match $field {
            Some(value) => value,
            None => $absent,
        }
    };
    (@value $kind:ident, $field:ident, $Field:ty, $key:literal, required) => {
        $field.ok_or_else(|| $crate::error::Fault::missing($key))?
    };
    (@value integer, $field:ident, $Field:ty, $key:literal, $default:literal) => {
        $field.unwrap_or($default)
    };
    (@value flag, $field:ident, $Field:ty, $key:literal, $default:literal) => {
        $field.unwrap_or($default)
    };
    (@value word, $field:ident, $Field:ty, $key:literal, $default:ident) => {
        $field.unwrap_or(<$Field>::$default)
    };
    (@value baht, $field:ident, $Field:ty, $key:literal, 0) => { $field.unwrap_or_default() };
    (@value factor, $field:ident, $Field:ty, $key:literal, 0) => { $field.unwrap_or_default() };
    (@value kilograms, $field:ident, $Field:ty, $key:literal, $default:literal) => {
        match $field {
            Some(value) => value,
            None => const { $crate::money::Amount::literal(stringify!($default)) }.into(),
        }
    };
    (@value strings, $field:ident, $Field:ty, $key:literal, []) => { $field.unwrap_or_default() };
    (@value objects, $field:ident, $Field:ty, $key:literal, []) => { $field.unwrap_or_default() };
    // A span of the text, or an object.
    (@value $kind:ident, $field:ident, $Field:ty, $key:literal, $default:tt) => { $field };

    (@item $self:ident, $out:ident, $text:ident, $key:expr, $is_first:literal) => {
        $self.write_member($out, $text, $key, $is_first);
    };
    (@item $self:ident, $out:ident, $text:ident, $key:expr, $is_first:literal, $by:ident) => {
        $out.raw(text_of($key, $is_first));
        $by($out);
    };

    // D8: integers are exact as doubles.
    (@column integer, $out:ident, $value:expr, $default:tt) => { $out.number($value as f64) };
    (@column flag, $out:ident, $value:expr, $default:tt) => { $out.number($value.into()) };
    (@column string, $out:ident, $value:expr, required) => { $out.string(Some($value)) };
    (@column string, $out:ident, $value:expr, $default:tt) => { $out.string($value) };
    // No object of numbers has one of these.
    (@column $kind:ident, $out:ident, $value:expr, $default:tt) => { () };

    (@write integer, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => {
        _ = $out.raw($start).integer($value)
    };
    (@write flag, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => {
        _ = $out.raw($start).boolean($value)
    };
    (@write word, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => {
        _ = $out.raw($start).word($value.word())
    };
    (@write baht, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => {
        _ = $out.raw($start).amount($value)
    };
    (@write factor, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => {
        _ = $out.raw($start).amount($value)
    };
    (@write strings, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => {
        _ = $out.raw($start).spans($text, &$value)
    };
    // What these hold is written by an argument of `write_fields`, or apart.
    (@write objects, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => { () };
    (@write object, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => { () };
    (@write $kind:ident, $out:ident, $start:ident, $text:ident, $value:expr, required) => {
        _ = $out.member($start, $value.of($text))
    };
    (@write $kind:ident, $out:ident, $start:ident, $text:ident, $value:expr, $default:tt) => {
        _ = $out.member($start, $crate::json::or($text, $value, stringify!($default)))
    };

    (@parts $fields:ident
        $(#[$meta:meta])* $vis:vis struct $name:ident $(($($context:tt)*))? { $($body:tt)* }
    ) => {
        $crate::json::table!(@struct $fields
            $(#[$meta])* $vis struct $name $(($($context)*))? { $($body)* }
        );
    };
    (@parts $fields:ident
        $(#[$meta:meta])* $vis:vis struct $name:ident $(($($context:tt)*))? { $($body:tt)* }
        $($response:tt)+
    ) => {
        $crate::json::table!(@struct $fields
            $(#[$meta])* $vis struct $name $(($($context)*))? { $($body)* }
        );
        $crate::json::table!(@response
            $vis struct $name $(($($context)*))? { $($body)* } $($response)+
        );
    };
    // Of an object in which nothing has to be sent: the same as an empty one.
    (@default
        $(#[$meta:meta])* $vis:vis struct $name:ident {
            $(
                $(#[$doc:meta])*
                $field_vis:vis $field:ident: $Field:ty = $kind:ident(
                    $key:literal, $default:tt $(, $read:expr $(, $absent:expr)?)?
                ) $class:ident
            ),+ $(,)?
        }
    ) => {
        impl Default for $name {
            fn default() -> Self {
                $(
                    let $field: Option<$Field> = None;
                    let $field = $crate::json::table!(
                        @value $kind, $field, $Field, $key, $default $($(, $absent)?)?
                    );
                )+
                Self { $($field),+ }
            }
        }
    };
    (frequent $($object:tt)+) => { $crate::json::table!(@parts frequent_fields $($object)+); };
    (optional $($object:tt)+) => {
        $crate::json::table!(@parts fields $($object)+);
        $crate::json::table!(@default $($object)+);
    };
    ($($object:tt)+) => { $crate::json::table!(@parts fields $($object)+); };
}

pub(crate) use table;

/// Lines of fields that no table reads: `"key": kind class`, each with its sentence;
/// of what is read by hand, `kind = default class`; of objects, `kind(name) class`.
macro_rules! lines {
    ($(
        $(#[$($doc:tt)*])*
        $key:literal: $kind:ident $(($of:ident))? $(= $default:tt)? $class:ident
    ),* $(,)?) => {
        &[$($crate::json::Line {
            key: $key,
            kind: stringify!($kind),
            of: concat!($(stringify!($of))?),
            words: &[],
            meanings: &[],
            default: concat!($(stringify!($default))?),
            class: stringify!($class),
            means: concat!($($crate::word::comment!($($doc)*)),*),
        }),*]
    };
}

pub(crate) use lines;

/// A struct that a table declares, or what holds such ones.
pub trait Named {
    /// The name of the struct.
    const NAME: &'static str;
}

impl<T: Named> Named for Vec<T> {
    const NAME: &'static str = T::NAME;
}

impl<T: Named> Named for Option<T> {
    const NAME: &'static str = T::NAME;
}

/// Takes the fields of an object as numbers.
pub trait Columns {
    /// A number, or a flag as 0 or 1.
    fn number(&mut self, number: f64);
    /// A string of the text that was read.
    fn string(&mut self, string: Option<Span>);
}

/// A line of a table, for documents.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The key.
    pub key: &'static str,
    /// The name of the kind.
    pub kind: &'static str,
    /// The name of the enum of which a word is one, or of the object that it holds.
    pub of: &'static str,
    /// The words of this enum.
    pub words: &'static [&'static str],
    /// What they mean.
    pub meanings: &'static [&'static str],
    /// The default as JSON text, or "required". A word has no quotes.
    pub default: &'static str,
    /// What it says of a person.
    pub class: &'static str,
    /// What it is.
    pub means: &'static str,
}

/// The JSON text of a field that is passed on, or of its default.
#[inline(never)]
pub fn or<'a>(text: &'a str, sent: Option<Span>, default: &'a str) -> &'a str {
    sent.map_or(default, |span| span.of(text))
}

/// The default of the line with this key. Fails to compile if there is none.
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "only the compiler runs it"
)]
pub(crate) const fn default_in(lines: &[Line], key: &str) -> &'static str {
    let mut place = 0;
    while place < lines.len() {
        if is_equal(lines[place].key.as_bytes(), key.as_bytes()) {
            return lines[place].default;
        }
        place += 1;
    }
    panic!("no line has this key")
}

#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "only the compiler runs it"
)]
const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let mut place = 0;
    while place < one.len() && place < other.len() && one[place] == other[place] {
        place += 1;
    }
    place == one.len() && place == other.len()
}

/// Fails to compile unless each of the numbers below `count` is listed once.
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "only the compiler runs it"
)]
pub(crate) const fn assert_complete(count: usize, listed: &[usize]) {
    assert!(
        listed.len() == count,
        "`response` lacks a field, or has one twice"
    );
    let mut field = 0;
    while field < count {
        let mut place = 0;
        while place < count && listed[place] != field {
            place += 1;
        }
        assert!(place < count, "`response` lacks a field");
        field += 1;
    }
}
