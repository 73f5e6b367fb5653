//! How the objects of the tables are read.

use super::keys::bare;
use super::{Reader, decode};
use crate::error::{Expected, Fault};
use crate::word::Word;

/// Reads the object that a `table!` declares into an `Option` for each field.
/// Unknown keys are dropped (D2); of a repeated key the last wins (D9). The keys
/// in the order of the fields are tried first, because senders usually write them
/// so.
macro_rules! read_object {
    (fields $json:ident, $($field:ident: $key:literal => $read:expr),+) => {{
        $crate::json::read_object!(enum $($field),+);
        const KEYS: &[Key] = &[$(Key::$field),+];
        $json.fields(Self::KEYS, &mut |$json, place| {
            match KEYS.get(place) {
                $(Some(Key::$field) => $field = $read,)+
                None => {}
            }
            Ok(())
        })
    }};
    (frequent_fields $json:ident, $($field:ident: $key:literal => $read:expr),+) => {{
        $crate::json::read_object!(enum $($field),+);
        // The index of the key that stands before the next value, if it is read.
        let mut place = None;
        let mut count = 0_usize;
        let mut read = || {
            let mut has_more = $json.first_member()?;
            // Each round finds the keys that are in the order of the fields.
            'members: while has_more {
                $(
                    if $json.takes_key(Key::$field as usize, place, concat!("\"", $key, "\":")) {
                        place = Some(Key::$field as usize);
                        $field = $read;
                        place = None;
                        count = count.wrapping_add(1);
                        if !$json.next_member()? {
                            break 'members;
                        }
                    }
                )+
                place = $json.other_key(Self::KEYS)?;
                if place.is_none() {
                    $json.skip()?;
                    has_more = $json.next_member()?;
                }
            }
            // A key out of order is a deviation already: see `other_key`.
            $json.deviate_unless(count == Self::KEYS.len());
            Ok(())
        };
        let read: Result<(), $crate::error::Fault> = read();
        read.map_err(|fault| $crate::json::under_place(fault, Self::KEYS, place))
    }};
    (enum $($field:ident),+) => {
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy)]
        enum Key {
            $($field),+
        }
    };
}

pub(crate) use read_object;

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
        let mut expected = 0_usize;
        self.enter(b'{', "an object")?;
        self.items(b'}', |json| {
            json.peek()?;
            let mut next = (expected..keys.len()).take(2);
            let place = next.find(|place| keys.get(*place).is_some_and(|key| json.takes(key)));
            if place != Some(expected) {
                json.deviate();
            }
            let place = match place {
                None => json.other_key(keys)?,
                place => place,
            };
            let Some(place) = place else {
                return json.skip();
            };
            expected = place.wrapping_add(1);
            member(json, place).map_err(|fault| under_place(fault, keys, Some(place)))
        })?;
        self.deviate_unless(expected == keys.len());
        Ok(())
    }

    /// Reads what opens an object. Returns whether it has a member.
    #[inline(never)]
    pub fn first_member(&mut self) -> Result<bool, Fault> {
        match self.rest.strip_prefix(b"{") {
            Some(after @ [b'"', ..]) => {
                self.rest = after;
                self.deeper().map(|()| true)
            }
            _ => self.other_object(),
        }
    }

    /// The same where white space stands, or nothing is in the object.
    #[cold]
    #[inline(never)]
    fn other_object(&mut self) -> Result<bool, Fault> {
        self.enter(b'{', "an object")?;
        match self.peek()? {
            b'}' => self.last_member(),
            _ => Ok(true),
        }
    }

    /// Reads what stands behind a member. Returns whether another one follows.
    #[inline(always)]
    pub fn next_member(&mut self) -> Result<bool, Fault> {
        match self.rest.strip_prefix(b",") {
            Some(after @ [b'"', ..]) => {
                self.rest = after;
                Ok(true)
            }
            _ => self.last_member(),
        }
    }

    /// The same behind the last member, or where white space stands.
    #[inline(never)]
    fn last_member(&mut self) -> Result<bool, Fault> {
        if self.take_if(b',')? {
            return self.peek().map(|_| true);
        }
        self.require(b'}')?;
        self.leave();
        Ok(false)
    }

    /// Whether the value of the key at this index is next. Reads the key, unless
    /// `read` says that a key has been read.
    #[inline(always)]
    pub fn takes_key(&mut self, place: usize, read: Option<usize>, key: &str) -> bool {
        match read {
            Some(read) => read == place,
            None => self.takes(key),
        }
    }

    /// Reads this text, if it is next.
    #[inline(always)]
    fn takes(&mut self, text: &str) -> bool {
        let after = self.rest.strip_prefix(text.as_bytes());
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Reads any key and its colon; `None` if the key is not one of these.
    #[inline(never)]
    pub fn other_key(&mut self, keys: &[&str]) -> Result<Option<usize>, Fault> {
        self.deviate();
        let key = self.key()?;
        let key = decode(key.of(self.text));
        Ok(keys.iter().position(|written| bare(written) == key))
    }

    /// Reads a value with `read`; `null` is a fault (D7).
    #[inline(always)]
    pub fn required<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let start = self.rest;
        read(self).map_err(|fault| self.missing_or(start, fault))
    }

    /// The fault, or "required" if the value at `start` is `null`.
    #[cold]
    #[inline(never)]
    fn missing_or(&mut self, start: &'a [u8], fault: Fault) -> Fault {
        self.rest = start;
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
        let content = self.rest.strip_prefix(b"\"").unwrap_or_default();
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

/// The fault of the value of the key at this index, if there is one.
#[cold]
#[inline(never)]
pub fn under_place(fault: Fault, keys: &[&str], place: Option<usize>) -> Fault {
    match place.and_then(|place| keys.get(place)) {
        Some(key) => fault.under_key(bare(key)),
        None => fault,
    }
}
