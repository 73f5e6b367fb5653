//! The objects of the schema: structs whose fields name their keys and readers.

use super::keys::bare;
use super::{Reader, decode};
use crate::error::{Expected, Fault};
use crate::word::Word;

/// Declares a struct and `read`, which reads it from a JSON object. Unknown
/// keys are dropped (D2); of a repeated key the last wins (D9).
///
/// ```text
/// schema! {
///     struct Product(limits: &Limits) {           // an argument of `read`
///         cprcode: i64 = required("cprcode", Reader::integer),
///         remark: Option<Span> = optional("remark", Reader::string),
///         schedule_id: i64 = or("scheduleId", Reader::integer, 0),
///         is_pre_order: bool = or_default("isPreOrder", Reader::boolean),
///     }
/// }
/// ```
///
/// A default may name the fields before it. `null` is a fault of a required
/// field, and means absent for the others (D7); `raw` is like `or`, but its
/// closure also gets `null`. A field after the semicolon has no key and is not
/// read. The reader tries the keys in the order of the fields first, because
/// senders usually write them so.
macro_rules! schema {
    (@$fields:ident
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(($context:ident: $Context:ty))? {
            $(
                $(#[$field_meta:meta])*
                $field_vis:vis $field:ident: $Field:ty
                    = $kind:ident($key:literal, $read:expr $(, $default:expr)?)
            ),+
            $(; $(#[$unread_meta:meta])* $unread:ident: $Unread:ty = $value:expr)?
            $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* #[doc = concat!("`", $key, "`.")] $field_vis $field: $Field,)+
            $($(#[$unread_meta])* $unread: $Unread,)?
        }

        impl $name {
            pub(crate) const KEYS: &'static [&'static str] =
                &[$(concat!("\"", $key, "\":")),+];

            #[inline]
            pub(crate) fn read(
                json: &mut $crate::json::Reader<'_>
                $(, $context: $Context)?
            ) -> Result<Self, $crate::error::Fault> {
                #[allow(non_camel_case_types)]
                #[derive(Clone, Copy)]
                enum Key {
                    $($field),+
                }
                const KEYS: &[Key] = &[$(Key::$field),+];
                $(let mut $field = None;)+
                let member = |json: &mut $crate::json::Reader<'_>, place| {
                    match KEYS.get(place) {
                        $(Some(Key::$field) => {
                            $field = $crate::json::schema!(@read $kind, json, $read);
                        })+
                        None => {}
                    }
                    Ok(())
                };
                $crate::json::schema!(@$fields json, $name::KEYS, member, |place, text| {
                    match KEYS.get(place) {
                        $(Some(Key::$field) => {
                            const WRITTEN: &[u8] = concat!("\"", $key, "\":").as_bytes();
                            text.starts_with(WRITTEN).then_some(WRITTEN.len())
                        })+
                        None => None,
                    }
                })?;
                $(let $field = $crate::json::schema!(@value $kind, $field, $key $(, $default)?);)+
                Ok(Self {
                    $($field,)+
                    $($unread: $value,)?
                })
            }
        }
    };
    (@fields $json:ident, $keys:expr, $member:ident, $written:expr) => {
        {
            let mut member = $member;
            $json.fields($keys, &mut member)
        }
    };
    (@frequent_fields $json:ident, $keys:expr, $member:ident, $written:expr) => {
        $json.frequent_fields($keys, $written, $member)
    };
    (@read required, $json:ident, $read:expr) => { Some($json.required($read)?) };
    (@read raw, $json:ident, $read:expr) => { Some($read($json)?) };
    (@read $kind:ident, $json:ident, $read:expr) => { $json.optional($read)? };
    (@value optional, $field:ident, $key:literal) => { $field };
    (@value or_default, $field:ident, $key:literal) => { $field.unwrap_or_default() };
    (@value required, $field:ident, $key:literal) => {
        $field.ok_or_else(|| $crate::error::Fault::missing($key))?
    };
    (@value $kind:ident, $field:ident, $key:literal, $default:expr) => {
        match $field {
            Some(value) => value,
            None => $default,
        }
    };
    (frequent $($object:tt)+) => { $crate::json::schema!(@frequent_fields $($object)+); };
    ($($object:tt)+) => { $crate::json::schema!(@fields $($object)+); };
}

pub(crate) use schema;

impl<'a> Reader<'a> {
    /// Reads an object of the schema. Calls `member` with the index of each key
    /// in `keys`; `member` must read the value. Other keys are dropped (D2).
    /// The `keys` have their quotes and their colon.
    #[inline(never)]
    pub fn fields(
        &mut self,
        keys: &'static [&'static str],
        member: &mut dyn FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let written = |place: usize, text: &[u8]| {
            let key = keys.get(place)?;
            text.starts_with(key.as_bytes()).then_some(key.len())
        };
        self.frequent_fields(keys, written, member)
    }

    /// As [`Reader::fields`], but inlined, which is faster: for objects that
    /// come by the hundred. `written` returns the length of the key at an index
    /// if the text begins with this key; the compiler knows the lengths.
    #[inline(always)]
    pub fn frequent_fields(
        &mut self,
        keys: &'static [&'static str],
        written: impl Fn(usize, &[u8]) -> Option<usize>,
        mut member: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut expected = 0_usize;
        self.enter(b'{', "an object")?;
        self.items(b'}', |json| {
            json.peek()?;
            let place = match written(expected, json.rest()) {
                Some(length) => {
                    json.advance(length);
                    Some(expected)
                }
                None => json.other_key(keys, expected)?,
            };
            let Some(place) = place else {
                return json.skip();
            };
            expected = place.wrapping_add(1);
            member(json, place)
                .map_err(|fault| fault.under_key(keys.get(place).map_or("", |key| bare(key))))
        })?;
        if expected != keys.len() {
            self.deviate();
        }
        Ok(())
    }

    /// Reads another key than the expected one, and its colon; `None` if the key
    /// is not one of these.
    #[inline(never)]
    fn other_key(&mut self, keys: &[&str], expected: usize) -> Result<Option<usize>, Fault> {
        self.deviate();
        // Senders leave out what is optional.
        let next = expected.wrapping_add(1);
        if let Some(key) = keys.get(next)
            && self.rest().starts_with(key.as_bytes())
        {
            self.advance(key.len());
            return Ok(Some(next));
        }
        let key = self.key()?.of(self.text);
        // Raw: hardly anybody writes a key with an escape.
        let place = keys
            .iter()
            .position(|written| written.strip_suffix(':') == Some(key));
        if place.is_some() || !key.contains('\\') {
            return Ok(place);
        }
        let key = decode(key);
        Ok(keys.iter().position(|written| bare(written) == key))
    }

    /// Reads a value with `read`; `null` is a fault (D7).
    #[inline(always)]
    pub fn required<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let start = self.at;
        read(self).map_err(|fault| self.missing_or(start, fault))
    }

    /// The fault, or "required" if the value at `start` is `null`.
    #[cold]
    #[inline(never)]
    fn missing_or(&mut self, start: usize, fault: Fault) -> Fault {
        self.at = start;
        match self.take_null() {
            Ok(true) => Fault::expected(Expected::Required),
            _ => fault,
        }
    }

    /// Reads a value with `read`; `null` means absent (D7).
    #[inline]
    pub fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        if self.take_null()? {
            Ok(None)
        } else {
            read(self).map(Some)
        }
    }

    /// Reads a `null`, if the next value is one.
    #[inline]
    pub fn take_null(&mut self) -> Result<bool, Fault> {
        if self.peek()? != b'n' {
            return Ok(false);
        }
        self.deviate();
        self.literal(b"null").map(|()| true)
    }

    /// Reads one of the words of an enum.
    pub fn word<W: Word>(&mut self) -> Result<W, Fault> {
        let choice = self.choice(W::WORDS)?;
        W::ALL.get(choice).copied().ok_or_else(Fault::syntax)
    }

    /// Reads one of these words; returns its index.
    #[inline(never)]
    fn choice(&mut self, words: &'static [&'static str]) -> Result<usize, Fault> {
        self.peek()?;
        let content = self.rest().strip_prefix(b"\"").unwrap_or_default();
        let is_written = |word: &&str| {
            let after = content.strip_prefix(word.as_bytes());
            after.is_some_and(|after| after.starts_with(b"\""))
        };
        if let Some(place) = words.iter().position(is_written) {
            let word = words.get(place).map_or(0, |word| word.len());
            self.advance(word.wrapping_add(2));
            return Ok(place);
        }
        let is_lenient = self.origin.is_lenient();
        let place = self.string().ok().and_then(|sent| {
            let sent = self.decoded(sent);
            let is_sent =
                |word: &&str| *word == sent || is_lenient && word.eq_ignore_ascii_case(&sent);
            words.iter().position(is_sent)
        });
        place.ok_or_else(|| Fault::expected(Expected::OneOf(words)))
    }
}
