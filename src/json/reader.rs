//! Reads JSON text (RFC 8259) in one pass, as the schema asks for it.
//!
//! What reads a whole value is not inlined: the schema asks for values in a
//! hundred places, and a browser loads each of them.

use std::borrow::Cow;

use crate::digits;
use crate::double::nearest_double;
use crate::error::{Expected, Fault};
use crate::money::{Amount, Figure};
use crate::word::Word;

/// Levels of nesting, counted from the value itself (D10).
const MAX_DEPTH: u32 = 128;
/// Integers are exact in every JavaScript host up to here (D8).
const MAX_INTEGER: u64 = (1 << 53) - 1;
/// Stands where an object held a number that JSON cannot write (D14).
const UNWRITABLE: &[u8] = b"NaN";

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

/// A place in a JSON text, and the schema's questions about what stands there.
///
/// Every method reads one whole value or fails. A [`Fault`] carries the path
/// from the value at which reading began, because [`Reader::fields`] and
/// [`Reader::array`] add a segment each as it passes.
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    origin: Origin,
    /// How many numbers that JSON cannot write have been passed over.
    unwritable: u32,
    /// How often something was written otherwise than it would be here, see
    /// [`Reader::verbatim`].
    detours: u32,
}

impl<'a> Reader<'a> {
    /// Reads one document with `read`. A text that is no JSON is
    /// [`Fault::syntax`] wherever else it is wrong (D10 before D11).
    pub fn document<T>(
        text: &'a str,
        origin: Origin,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if u32::try_from(text.len()).is_err() {
            return Err(Fault::syntax());
        }
        let mut reader = Self::at_start(text, origin);
        match read(&mut reader) {
            Ok(value) => reader.end().map(|()| value),
            Err(fault) => Err(Self::at_start(text, origin).syntax_or(fault)),
        }
    }

    /// The fault, unless the text is no JSON at all.
    #[cold]
    #[inline(never)]
    fn syntax_or(mut self, fault: Fault) -> Fault {
        match self.skip().and_then(|()| self.end()) {
            Ok(()) => fault,
            Err(_) => Fault::syntax(),
        }
    }

    fn at_start(text: &'a str, origin: Origin) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            origin,
            unwritable: 0,
            detours: 0,
        }
    }

    /// Reads an object of the schema: `member` is called with the place of each
    /// key that `keys` has, and must read the value; other keys are dropped (D2).
    /// The keys have their quotes and their colon.
    pub fn fields(
        &mut self,
        keys: &'static [&'static str],
        _: impl Fn(usize, &[u8]) -> Option<usize>,
        mut member: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.shared_fields(keys, &mut member)
    }

    #[inline(never)]
    fn shared_fields(
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

    /// As [`Reader::fields`], with code of its own, which is faster: for objects
    /// that come by the hundred. `written` says whether a text begins with the
    /// key at a place, and how long that is: it knows the lengths beforehand.
    #[inline(always)]
    pub fn frequent_fields(
        &mut self,
        keys: &'static [&'static str],
        written: impl Fn(usize, &[u8]) -> Option<usize>,
        mut member: impl FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut expected = 0_usize;
        self.enter_object()?;
        self.items(b'}', |json| {
            json.peek()?;
            let place = match written(expected, json.rest()) {
                Some(length) => {
                    json.advance(length);
                    Some(expected)
                }
                None => json.place_of_key(keys)?,
            };
            let Some(place) = place else {
                return json.skip();
            };
            expected = place.wrapping_add(1);
            member(json, place)
                .map_err(|fault| fault.under_key(keys.get(place).map_or("", |key| bare(key))))
        })?;
        if expected != keys.len() {
            self.detour();
        }
        Ok(())
    }

    /// Reads a key and its colon; `None`: it is none of these.
    #[inline(never)]
    fn place_of_key(&mut self, keys: &[&str]) -> Result<Option<usize>, Fault> {
        self.detour();
        let key = self.key()?;
        let key = self.decoded(key);
        Ok(keys.iter().position(|written| bare(written) == key))
    }

    #[inline(never)]
    fn key(&mut self) -> Result<Span, Fault> {
        self.require(b'"')?;
        let key = self.string_after_quote()?;
        self.require(b':')?;
        Ok(key)
    }

    /// Reads any object: `member` is called with each key as it is written, and
    /// must read or skip the value.
    #[inline(never)]
    pub fn members(
        &mut self,
        member: &mut dyn FnMut(&mut Self, Span) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.enter_object()?;
        self.items(b'}', |json| {
            let key = json.key()?;
            member(json, key).map_err(|fault| fault.under_key(&json.decoded(key)))
        })
    }

    /// Reads an array: `item` is called with each index, and must read or skip
    /// the value.
    #[inline(never)]
    pub fn array(
        &mut self,
        item: &mut dyn FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.peek()? != b'[' {
            return Err(Fault::expected(Expected::A("an array")));
        }
        self.enter()?;
        let mut index = 0_usize;
        self.items(b']', |json| {
            item(json, index).map_err(|fault| fault.at_index(index))?;
            index = index.wrapping_add(1);
            Ok(())
        })
    }

    /// Reads what stands between the brackets, and the last of these.
    #[inline(always)]
    fn items(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut has_more = !self.take_if(close)?;
        while has_more {
            item(self)?;
            has_more = self.another(close)?;
        }
        self.depth = self.depth.saturating_sub(1);
        Ok(())
    }

    /// Reads once more what stands at `span`, which this reader has passed.
    pub fn revisit(&self, span: Span) -> Self {
        Self {
            at: span.start as usize,
            ..*self
        }
    }

    /// Reads an array of what `item` reads.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut items = Vec::new();
        self.array(&mut |json, _| {
            items.push(item(json)?);
            Ok(())
        })?;
        Ok(items)
    }

    /// As [`Reader::list`], of no more items than a limit allows (D45). The fault
    /// is then the list's, whatever stands beyond.
    pub fn list_up_to<T>(
        &mut self,
        limit: usize,
        of: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut items = Vec::new();
        let mut is_full = false;
        let read = self.array(&mut |json, index| {
            is_full = index >= limit;
            if is_full {
                return Err(Fault::syntax());
            }
            items.push(item(json)?);
            Ok(())
        });
        match read {
            Err(_) if is_full => Err(Fault::expected(Expected::AtMost(limit, of))),
            read => read.map(|()| items),
        }
    }

    /// What the string at `span` says, see [`decode`].
    pub fn decoded(&self, span: Span) -> Cow<'a, str> {
        decode(span.of(self.text))
    }

    /// Reads one of the words of a choice.
    pub fn word<W: Word>(&mut self) -> Result<W, Fault> {
        let choice = self.choice(W::WORDS)?;
        W::ALL.get(choice).copied().ok_or_else(Fault::syntax)
    }

    /// Reads one of these words; its place.
    #[inline(never)]
    fn choice(&mut self, words: &'static [&'static str]) -> Result<usize, Fault> {
        let fault = || Fault::expected(Expected::OneOf(words));
        if self.peek()? != b'"' {
            return Err(fault());
        }
        let span = self.string()?;
        let word = self.decoded(span);
        let place = words.iter().position(|candidate| *candidate == word);
        place.ok_or_else(fault)
    }

    /// Reads what `read` reads, or `null` as "absent" (D7).
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

    /// Reads what `read` reads; `null` is a fault (D7).
    #[inline(always)]
    pub fn required<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let start = self.at;
        read(self).map_err(|fault| Self { at: start, ..*self }.missing_or(fault))
    }

    /// The fault of what was read here, unless that is a `null`.
    #[cold]
    #[inline(never)]
    fn missing_or(mut self, fault: Fault) -> Fault {
        match self.take_null() {
            Ok(true) => Fault::expected(Expected::Required),
            _ => fault,
        }
    }

    /// Reads a `null`, if one stands here.
    #[inline]
    pub fn take_null(&mut self) -> Result<bool, Fault> {
        if self.peek()? != b'n' {
            return Ok(false);
        }
        self.detour();
        self.literal(b"null").map(|()| true)
    }

    /// Reads a string; the span holds its quotes and escapes.
    #[inline(never)]
    pub fn string(&mut self) -> Result<Span, Fault> {
        if self.peek()? != b'"' {
            return Err(Fault::expected(Expected::A("a string")));
        }
        self.advance(1);
        self.string_after_quote()
    }

    /// Reads a number; the span is its text.
    pub fn number(&mut self) -> Result<Span, Fault> {
        self.number_or(|| Fault::expected(Expected::A("a number")))
    }

    /// Reads a number that is finite as a double.
    #[inline(never)]
    pub fn coordinate(&mut self) -> Result<(Span, f64), Fault> {
        let span = self.number()?;
        let text = span.of(self.text);
        let short = Amount::from_json(text).and_then(Amount::short_to_double);
        let value = short.unwrap_or_else(|| nearest_double(text));
        if value.is_finite() {
            Ok((span, value))
        } else {
            Err(Fault::expected(Expected::A("a number")))
        }
    }

    /// Reads an integer of any spelling (D8).
    #[inline(never)]
    pub fn integer(&mut self) -> Result<i64, Fault> {
        self.peek()?;
        match digits::leading(self.rest()) {
            Some(number) if number.places == 0 => {
                self.advance(number.length);
                Ok(number.value.into())
            }
            _ => self.long_integer(),
        }
    }

    #[inline(never)]
    fn long_integer(&mut self) -> Result<i64, Fault> {
        let expected = || Fault::expected(Expected::A("an integer"));
        let text = self.number_or(expected)?.of(self.text);
        let integer = Amount::from_json(text)
            .and_then(Amount::to_integer)
            .filter(|integer| integer.unsigned_abs() <= MAX_INTEGER)
            .ok_or_else(expected)?;
        if text == "-0" || text.contains(['.', 'e', 'E']) {
            self.detour();
        }
        Ok(integer)
    }

    /// Reads an amount that is not negative and fits (D14, D44).
    #[inline(never)]
    pub fn amount(&mut self) -> Result<Amount, Fault> {
        self.figure().map(|figure| figure.amount)
    }

    /// As [`Reader::amount`], with code of its own; a short one keeps its text.
    #[inline(always)]
    pub fn figure(&mut self) -> Result<Figure, Fault> {
        self.peek()?;
        match digits::leading(self.rest()) {
            Some(number) => {
                self.advance(number.length);
                Ok(Figure::new(number))
            }
            None => self.long_amount().map(Figure::from),
        }
    }

    #[inline(never)]
    fn long_amount(&mut self) -> Result<Amount, Fault> {
        let expected = || Fault::expected(Expected::A("an amount of 0 or more"));
        let text = self.number_or(expected)?.of(self.text);
        Amount::from_json(text)
            .filter(|amount| !amount.is_negative())
            .ok_or_else(expected)
    }

    /// Reads `true` or `false`.
    #[inline(never)]
    pub fn boolean(&mut self) -> Result<bool, Fault> {
        match self.peek()? {
            b't' => self.literal(b"true").map(|()| true),
            b'f' => self.literal(b"false").map(|()| false),
            _ => Err(Fault::expected(Expected::A("true or false"))),
        }
    }

    /// Reads any value that is passed on as it is (D6).
    #[inline(never)]
    pub fn opaque(&mut self) -> Result<Span, Fault> {
        self.peek()?;
        let start = self.at;
        let unwritable = self.unwritable;
        self.skip()?;
        if self.unwritable != unwritable {
            // D14: only now is it worth finding out where.
            self.at = start;
            self.writable()?;
        }
        Ok(self.span_from(start))
    }

    /// Reads what `read` reads; its JSON text comes with it.
    pub fn spanned<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<(Span, T), Fault> {
        self.peek()?;
        let start = self.at;
        let value = read(self)?;
        Ok((self.span_from(start), value))
    }

    /// Reads an object of the schema, with `read`. Its JSON text comes with it
    /// where that is what [`Writer`](super::Writer) would write of its fields:
    /// every key, in the schema's order, no `null`, plain integers, nothing
    /// else and no white space.
    #[inline]
    pub fn verbatim<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<(Option<Span>, T), Fault> {
        // White space before the object is none of its own.
        self.peek()?;
        let detours = self.detours;
        let (span, value) = self.spanned(read)?;
        Ok(((self.detours == detours).then_some(span), value))
    }

    #[inline]
    fn detour(&mut self) {
        self.detours = self.detours.wrapping_add(1);
    }

    /// Reads an array that is passed on as it is (D6).
    pub fn opaque_array(&mut self) -> Result<Span, Fault> {
        match self.peek()? {
            b'[' => self.opaque(),
            _ => Err(Fault::expected(Expected::A("an array"))),
        }
    }

    /// Reads over any value that nobody asked for (D2).
    #[inline(never)]
    pub fn skip(&mut self) -> Result<(), Fault> {
        match self.peek()? {
            b'{' => self.members(&mut |json, _| json.skip()),
            b'[' => self.array(&mut |json, _| json.skip()),
            b'"' => self.string().map(|_| ()),
            b't' | b'f' => self.boolean().map(|_| ()),
            b'n' => self.literal(b"null"),
            b'N' if self.origin == Origin::Object => {
                self.unwritable = self.unwritable.saturating_add(1);
                self.literal(UNWRITABLE)
            }
            _ => self.number().map(|_| ()),
        }
    }

    fn writable(&mut self) -> Result<(), Fault> {
        match self.peek()? {
            b'{' => self.members(&mut |json, _| json.writable()),
            b'[' => self.array(&mut |json, _| json.writable()),
            b'N' => Err(Fault::expected(Expected::A("a number"))),
            _ => self.skip(),
        }
    }

    #[inline(never)]
    fn number_or(&mut self, expected: impl FnOnce() -> Fault) -> Result<Span, Fault> {
        if !matches!(self.peek()?, b'-' | b'0'..=b'9') {
            return Err(expected());
        }
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.advance(1);
        }
        match self.byte() {
            Some(b'0') => self.advance(1),
            _ => self.digits()?,
        }
        if self.byte() == Some(b'.') {
            self.advance(1);
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.advance(1);
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.advance(1);
            }
            self.digits()?;
        }
        Ok(self.span_from(start))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let count = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if count == 0 {
            return Err(Fault::syntax());
        }
        self.advance(count);
        Ok(())
    }

    /// A string whose opening quote has just been read.
    #[inline(never)]
    fn string_after_quote(&mut self) -> Result<Span, Fault> {
        let start = self.at.wrapping_sub(1);
        loop {
            self.advance(plain_length(self.rest()).ok_or_else(Fault::syntax)?);
            match self.byte() {
                Some(b'"') => {
                    self.advance(1);
                    return Ok(self.span_from(start));
                }
                Some(b'\\') => self.escape()?,
                _ => return Err(Fault::syntax()),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Fault> {
        match self.rest() {
            [
                b'\\',
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't',
                ..,
            ] => self.advance(2),
            [b'\\', b'u', hex @ ..]
                if hex.len() >= 4 && hex.iter().take(4).all(u8::is_ascii_hexdigit) =>
            {
                self.advance(6);
            }
            _ => return Err(Fault::syntax()),
        }
        Ok(())
    }

    #[inline]
    fn literal(&mut self, literal: &[u8]) -> Result<(), Fault> {
        if !self.rest().starts_with(literal) {
            return Err(Fault::syntax());
        }
        self.advance(literal.len());
        Ok(())
    }

    fn enter_object(&mut self) -> Result<(), Fault> {
        match self.peek()? {
            b'{' => self.enter(),
            _ => Err(Fault::expected(Expected::A("an object"))),
        }
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.advance(1);
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH {
            Err(Fault::syntax())
        } else {
            Ok(())
        }
    }

    /// After a member or an item: whether a comma brings another one.
    #[inline]
    fn another(&mut self, close: u8) -> Result<bool, Fault> {
        match self.peek()? {
            b',' => {
                self.advance(1);
                Ok(true)
            }
            byte if byte == close => {
                self.advance(1);
                Ok(false)
            }
            _ => Err(Fault::syntax()),
        }
    }

    fn require(&mut self, byte: u8) -> Result<(), Fault> {
        if self.take_if(byte)? {
            Ok(())
        } else {
            Err(Fault::syntax())
        }
    }

    #[inline]
    fn take_if(&mut self, byte: u8) -> Result<bool, Fault> {
        let taken = self.peek()? == byte;
        if taken {
            self.advance(1);
        }
        Ok(taken)
    }

    fn end(&mut self) -> Result<(), Fault> {
        self.space();
        if self.rest().is_empty() {
            Ok(())
        } else {
            Err(Fault::syntax())
        }
    }

    /// The first byte of what stands here. A byte that begins no JSON value is
    /// left to the caller, which expects something else there and says so;
    /// [`Reader::document`] finds out whether it was JSON at all.
    #[inline]
    fn peek(&mut self) -> Result<u8, Fault> {
        match self.byte() {
            Some(byte @ 0x21..) => Ok(byte),
            _ => self.peek_behind_space(),
        }
    }

    #[cold]
    #[inline(never)]
    fn peek_behind_space(&mut self) -> Result<u8, Fault> {
        self.detour();
        self.space();
        self.byte().ok_or_else(Fault::syntax)
    }

    #[inline(never)]
    fn space(&mut self) {
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let count = self.rest().iter().take_while(is_space).count();
        self.advance(count);
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn advance(&mut self, bytes: usize) {
        self.at = self.at.wrapping_add(bytes);
    }

    /// [`Reader::document`] refuses texts in which a position would not fit.
    #[inline]
    fn span_from(&self, start: usize) -> Span {
        Span {
            start: start as u32,
            end: self.at as u32,
        }
    }
}

/// The text of a key that has its quotes and its colon.
pub fn bare(key: &str) -> &str {
    key.get(1..key.len().wrapping_sub(2)).unwrap_or_default()
}

/// How many bytes stand before the first that ends a string or may not stand
/// in one as it is. Eight are looked at at a time.
#[inline]
fn plain_length(bytes: &[u8]) -> Option<usize> {
    let mut length = 0_usize;
    let mut rest = bytes;
    while let Some((word, after)) = rest.split_first_chunk() {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return Some(length.wrapping_add(special.trailing_zeros() as usize / 8));
        }
        length = length.wrapping_add(8);
        rest = after;
    }
    let last = rest
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
    Some(length.wrapping_add(last))
}

/// Marks the quotes, backslashes and control characters among eight bytes. The
/// lowest mark is right; a borrow may set wrong ones above it.
#[inline]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES.wrapping_mul(limit)) & !word & HIGHS;
    let equal = |byte: u8| below(word ^ ONES.wrapping_mul(byte.into()), 1);
    below(word, 0x20) | equal(b'"') | equal(b'\\')
}

/// A JSON string without its quotes.
fn unquoted(json: &str) -> &str {
    json.get(1..json.len().wrapping_sub(1)).unwrap_or_default()
}

/// What a JSON string says: without its quotes, escapes resolved, a lone
/// surrogate read as U+FFFD (D10). `json` is a string that the reader accepted.
pub fn decode(json: &str) -> Cow<'_, str> {
    unescaped(json, |decoded, unit| {
        decoded.push(unit.unwrap_or(char::REPLACEMENT_CHARACTER));
    })
}

/// A text that is equal for equal strings alone: other than for [`decode`], a
/// lone surrogate is no other one and not U+FFFD. `json` as there.
pub fn identity(json: &str) -> Cow<'_, str> {
    unescaped(json, |identity, unit| match unit {
        Ok('\\') => identity.push_str(r"\\"),
        Ok(character) => identity.push(character),
        Err(surrogate) => identity.push_str(&format!("\\u{surrogate:x}")),
    })
}

/// Appends a character of a string, or a surrogate without its partner.
type Push = fn(&mut String, Result<char, u16>);

fn unescaped(json: &str, push: Push) -> Cow<'_, str> {
    let inner = unquoted(json);
    if !inner.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(inner);
    }
    let mut decoded = String::with_capacity(inner.len());
    let mut units = Vec::new();
    let mut rest = inner;
    while let Some((plain, escape)) = rest.split_once('\\') {
        if !plain.is_empty() {
            flush(&mut units, &mut decoded, push);
            decoded.push_str(plain);
        }
        let mut chars = escape.chars();
        let simple = match chars.next() {
            Some('u') => None,
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            other => other,
        };
        rest = chars.as_str();
        if let Some(simple) = simple {
            flush(&mut units, &mut decoded, push);
            push(&mut decoded, Ok(simple));
        } else if let Some((hex, after)) = rest.split_at_checked(4) {
            units.push(u16::from_str_radix(hex, 16).unwrap_or_default());
            rest = after;
        }
    }
    flush(&mut units, &mut decoded, push);
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

/// Moves escaped UTF-16 units, in which surrogates pair up, to the text.
fn flush(units: &mut Vec<u16>, decoded: &mut String, push: Push) {
    for unit in char::decode_utf16(units.drain(..)) {
        push(decoded, unit.map_err(|lone| lone.unpaired_surrogate()));
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, Reader};
    use crate::error::Fault;

    fn fault_of<'a, T>(
        text: &'a str,
        origin: Origin,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Fault>,
    ) -> Option<String> {
        match Reader::document(text, origin, read) {
            Ok(_) => None,
            Err(fault) => Some(
                fault
                    .into_invalid()
                    .map_or_else(|| "no JSON".to_owned(), |fault| fault.to_string()),
            ),
        }
    }

    #[test]
    fn d14_what_json_cannot_write_is_no_value_of_any_field() {
        let object = Origin::Object;
        let opaque = |text| fault_of(text, object, Reader::opaque);
        assert_eq!(opaque("NaN").as_deref(), Some("expected a number"));
        assert_eq!(
            opaque(r#"{"a":[0,{"b":NaN}],"c":1}"#).as_deref(),
            Some("a[1].b: expected a number")
        );
        assert_eq!(opaque(r#"{"a":[0,"NaN",null]}"#), None);
        assert_eq!(
            fault_of("NaN", object, Reader::integer).as_deref(),
            Some("expected an integer")
        );
        assert_eq!(
            fault_of("NaN", object, Reader::amount).as_deref(),
            Some("expected an amount of 0 or more")
        );
        assert_eq!(fault_of("[NaN]", object, Reader::skip), None);
        assert_eq!(
            fault_of("[NaN,Nil]", object, Reader::skip).as_deref(),
            Some("no JSON")
        );
    }

    #[test]
    fn d10_from_outside_it_is_no_json() {
        assert_eq!(
            fault_of("NaN", Origin::Wire, Reader::skip).as_deref(),
            Some("no JSON")
        );
        assert_eq!(
            fault_of("[NaN]", Origin::Wire, Reader::opaque).as_deref(),
            Some("no JSON")
        );
    }

    #[test]
    fn strings_end_where_they_end_at_any_length() {
        for length in 0..40 {
            let plain = "ก".repeat(length) + &"x".repeat(length % 8);
            for (text, is_json) in [
                (format!("\"{plain}\""), true),
                (format!("\"{plain}\\\"{plain}\""), true),
                (format!("\"{plain}"), false),
                (format!("\"{plain}\u{1f}\""), false),
                (format!("\"{plain}\n\""), false),
                (format!("\"{plain}\u{7f}\""), true),
            ] {
                assert_eq!(
                    fault_of(&text, Origin::Wire, Reader::string).is_none(),
                    is_json,
                    "{text:?}"
                );
            }
        }
    }

    #[test]
    fn numbers_have_one_grammar_whichever_way_they_are_read() {
        for number in [
            "0",
            "-0",
            "7",
            "-12.50",
            "0.1",
            "123456789012345678",
            "1e2",
            "1E-2",
            "0.0000000000000000001",
        ] {
            assert_eq!(
                fault_of(number, Origin::Wire, Reader::number),
                None,
                "{number}"
            );
            let amount = fault_of(number, Origin::Wire, Reader::amount);
            assert_eq!(amount.is_none(), number != "-12.50", "{number}");
        }
        for none in [
            "", "-", "01", "-01", "1.", ".5", "1.e2", "1e", "1e+", "+1", "1.5.2", "0x1", "1_000",
            "1 2",
        ] {
            let no_json = Some("no JSON".to_owned());
            assert_eq!(
                fault_of(none, Origin::Wire, Reader::number),
                no_json,
                "{none}"
            );
            assert_eq!(
                fault_of(none, Origin::Wire, Reader::amount),
                no_json,
                "{none}"
            );
            assert_eq!(
                fault_of(none, Origin::Wire, Reader::integer),
                no_json,
                "{none}"
            );
        }
    }
}
