//! Reads JSON text (RFC 8259) in one pass, driven by the schema.
//!
//! Methods that read a whole value are not inlined: the schema calls them in a
//! hundred places, and a browser would load each copy.

use super::{Origin, Span};
use crate::error::{Expected, Fault};

/// The limit on levels of nesting, counted from the value itself (D10).
const MAX_DEPTH: u32 = 128;

/// How long an item of a list is at least, mostly.
const BYTES_OF_ITEM: usize = 128;

/// The literal for a number of an object that JSON cannot write (D14).
const UNWRITABLE: &[u8] = b"NaN";

/// A position in a JSON text, and the methods that read the value there.
///
/// Every method reads one whole value or fails. A [`Fault`] carries the path
/// from the value at which reading began: [`Reader::fields`] and
/// [`Reader::array`] each add a segment as the fault passes.
#[derive(Debug)]
pub struct Reader<'a> {
    pub(super) text: &'a str,
    /// What is not read yet.
    pub(super) rest: &'a [u8],
    depth: u32,
    pub(super) origin: Origin,
    /// The values that were read from another type (D49). Spans point to them as
    /// if they stood behind the text.
    pub(super) written: String,
    /// How often the text differed from what the writer writes, see
    /// [`Reader::verbatim`].
    deviations: u32,
}

impl<'a> Reader<'a> {
    /// Reads one document with `read`. A text that is not JSON gives
    /// [`Fault::syntax`], even if the schema finds a fault first (D10 before
    /// D11).
    pub fn document<T>(
        text: &'a str,
        origin: Origin,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut reader = Self::new(text, origin)?;
        let read = read(&mut reader);
        reader.whole(read)
    }

    /// Reads the document that a text begins with, up to a NUL or the end.
    /// Returns its length, too. The fault is worded by [`Reader::fault_in`].
    pub fn leading<T>(
        text: &'a str,
        origin: Origin,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<(T, usize), Fault> {
        let mut reader = Self::new(text, origin)?;
        let value = read(&mut reader)?;
        if reader.is_at_space() {
            reader.space();
        }
        match reader.byte() {
            None | Some(0) => Ok((value, reader.at())),
            _ => Err(Fault::syntax()),
        }
    }

    /// The fault of a whole document: see [`Reader::document`].
    pub fn fault_in(text: &'a str, origin: Origin, fault: Fault) -> Fault {
        match Self::new(text, origin) {
            Ok(mut reader) => reader.syntax_or(fault),
            Err(fault) => fault,
        }
    }

    /// As [`Reader::document`]. Also returns what must stand behind the text, so
    /// that every span points to its value (D49).
    pub fn lenient_document<T>(
        text: &'a str,
        origin: Origin,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<(T, String), Fault> {
        let mut reader = Self::new(text, origin)?;
        let read = read(&mut reader);
        let value = reader.whole(read)?;
        Ok((value, reader.written))
    }

    fn new(text: &'a str, origin: Origin) -> Result<Self, Fault> {
        if u32::try_from(text.len()).is_err() {
            return Err(Fault::syntax());
        }
        Ok(Self::at_start(text, origin))
    }

    fn at_start(text: &'a str, origin: Origin) -> Self {
        Self {
            text,
            rest: text.as_bytes(),
            depth: 0,
            origin,
            written: String::new(),
            deviations: 0,
        }
    }

    /// What was read, if nothing follows.
    #[inline(always)]
    fn whole<T>(&mut self, read: Result<T, Fault>) -> Result<T, Fault> {
        match read {
            Ok(value) => {
                self.end()?;
                Ok(value)
            }
            Err(fault) => Err(self.syntax_or(fault)),
        }
    }

    /// The fault, or a syntax fault if the text is not JSON.
    #[cold]
    #[inline(never)]
    fn syntax_or(&mut self, fault: Fault) -> Fault {
        self.rest = self.after(0);
        self.depth = 0;
        match self.skip().and_then(|()| self.end()) {
            Ok(()) => fault,
            Err(_) => Fault::syntax(),
        }
    }

    #[inline(never)]
    pub(super) fn key(&mut self) -> Result<Span, Fault> {
        self.require(b'"')?;
        let key = self.string_after_quote()?;
        self.require(b':')?;
        Ok(key)
    }

    /// Reads any object. Calls `member` with each key as it is written;
    /// `member` must read or skip the value.
    #[inline(never)]
    pub fn members(
        &mut self,
        member: &mut dyn FnMut(&mut Self, Span) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.enter(b'{', "an object")?;
        self.items(b'}', |json| {
            let key = json.key()?;
            member(json, key).map_err(|fault| fault.under_key(&json.decoded(key)))
        })
    }

    /// Reads an array. Calls `item` with each index; `item` must read or skip
    /// the value.
    #[inline(never)]
    pub fn array(
        &mut self,
        item: &mut dyn FnMut(&mut Self, usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.enter(b'[', "an array")?;
        let mut index = 0_usize;
        self.items(b']', |json| {
            item(json, index).map_err(|fault| fault.at_index(index))?;
            index = index.wrapping_add(1);
            Ok(())
        })
    }

    /// Reads the items and the closing bracket.
    #[inline(always)]
    pub(super) fn items(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut has_more = !self.take_if(close)?;
        while has_more {
            item(self)?;
            has_more = self.take_if(b',')?;
            if !has_more {
                self.require(close)?;
            }
        }
        self.leave();
        Ok(())
    }

    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// A reader at the start of `span`, which this reader has passed.
    pub fn revisit(&self, span: Span) -> Self {
        Self {
            rest: self.after(span.start()),
            ..Self::at_start(self.text, self.origin)
        }
    }

    /// Reads an array; `item` reads each of its items.
    pub fn list<T>(
        &mut self,
        item: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        self.list_into(Vec::new(), item)
    }

    fn list_into<T>(
        &mut self,
        mut items: Vec<T>,
        mut item: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        self.array(&mut |json, _| {
            items.push(item(json)?);
            Ok(())
        })?;
        Ok(items)
    }

    /// As [`Reader::list`], with at most `limit` items (D45). One item more is
    /// a fault of the list, whatever follows.
    pub fn list_up_to<T>(
        &mut self,
        limit: usize,
        of: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut places = 0..limit;
        let mut is_full = false;
        // As many as the text may hold, so that a long list seldom moves.
        let room = match self.rest {
            [b'[', b']', ..] => 0,
            rest => limit.min(rest.len() / BYTES_OF_ITEM),
        };
        let items = Vec::with_capacity(room);
        let read = self.list_into(items, |json| {
            is_full = places.next().is_none();
            if is_full {
                return Err(Fault::syntax());
            }
            item(json)
        });
        match read {
            Err(_) if is_full => Err(Fault::expected(Expected::AtMost(limit, of))),
            read => read,
        }
    }

    /// Reads `true` or `false`.
    #[inline(never)]
    pub fn boolean(&mut self) -> Result<bool, Fault> {
        let (value, after) = match self.rest {
            [b't', b'r', b'u', b'e', after @ ..] => (true, after),
            [b'f', b'a', b'l', b's', b'e', after @ ..] => (false, after),
            _ => return self.other_boolean(),
        };
        self.rest = after;
        Ok(value)
    }

    /// The same after white space, or as another type (D49).
    #[cold]
    #[inline(never)]
    fn other_boolean(&mut self) -> Result<bool, Fault> {
        if self.is_at_space() {
            self.peek()?;
            return self.boolean();
        }
        let read = self.boolean_in_string();
        read.ok_or_else(|| Fault::expected(Expected::A("true or false")))
    }

    /// Reads any value that is passed on unchanged (D6).
    #[inline(never)]
    pub fn opaque(&mut self) -> Result<Span, Fault> {
        self.spanned(|json| json.pass(false)).map(|(span, ())| span)
    }

    /// Reads a value with `read`, and returns its JSON text too.
    pub fn spanned<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<(Span, T), Fault> {
        self.peek()?;
        let start = self.at();
        let value = read(self)?;
        Ok((self.span_from(start), value))
    }

    /// Reads an object of the schema with `read`. Returns its JSON text too, if
    /// [`Writer`](super::Writer) would write the fields in the same way: every
    /// key, in the schema's order, no `null`, plain integers, nothing else and
    /// no white space.
    #[inline]
    pub fn verbatim<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<(Option<Span>, T), Fault> {
        // White space before the object is not part of the object.
        self.peek()?;
        let deviations = self.deviations;
        let (span, value) = self.spanned(read)?;
        Ok(((self.deviations == deviations).then_some(span), value))
    }

    #[inline]
    pub(super) fn deviate(&mut self) {
        self.deviations = self.deviations.wrapping_add(1);
    }

    #[inline]
    pub fn deviate_unless(&mut self, is_usual: bool) {
        let count = u32::from(!is_usual);
        self.deviations = self.deviations.wrapping_add(count);
    }

    /// Reads an array that is passed on unchanged (D6).
    pub fn opaque_array(&mut self) -> Result<Span, Fault> {
        match self.peek()? {
            b'[' => self.opaque(),
            _ => Err(Fault::expected(Expected::A("an array"))),
        }
    }

    /// Skips any value, such as that of an unknown key (D2).
    pub fn skip(&mut self) -> Result<(), Fault> {
        self.pass(self.origin.is_object())
    }

    /// Passes any value; a `NaN` (D14) only if `unwritable` is set.
    #[inline(never)]
    fn pass(&mut self, unwritable: bool) -> Result<(), Fault> {
        match self.peek()? {
            b'{' => self.members(&mut |json, _| json.pass(unwritable)),
            b'[' => self.array(&mut |json, _| json.pass(unwritable)),
            b'"' => self.string().map(|_| ()),
            b't' | b'f' => self.boolean().map(|_| ()),
            b'n' => self.literal(b"null"),
            b'N' if unwritable => self.literal(UNWRITABLE),
            _ => self.number().map(|_| ()),
        }
    }

    #[inline]
    pub(super) fn literal(&mut self, literal: &[u8]) -> Result<(), Fault> {
        self.rest = self.rest.strip_prefix(literal).ok_or_else(Fault::syntax)?;
        Ok(())
    }

    /// Reads the bracket that opens the `expected` value.
    pub(super) fn enter(&mut self, open: u8, expected: &'static str) -> Result<(), Fault> {
        if !self.take_if(open)? {
            return Err(Fault::expected(Expected::A(expected)));
        }
        self.deeper()
    }

    #[inline]
    pub(super) fn deeper(&mut self) -> Result<(), Fault> {
        self.depth = self.depth.saturating_add(1);
        if self.depth > MAX_DEPTH {
            Err(Fault::syntax())
        } else {
            Ok(())
        }
    }

    pub(super) fn require(&mut self, byte: u8) -> Result<(), Fault> {
        if self.take_if(byte)? {
            Ok(())
        } else {
            Err(Fault::syntax())
        }
    }

    #[inline]
    pub(super) fn take_if(&mut self, byte: u8) -> Result<bool, Fault> {
        let taken = self.peek()? == byte;
        if taken {
            self.advance(1);
        }
        Ok(taken)
    }

    fn end(&mut self) -> Result<(), Fault> {
        if self.is_at_space() {
            self.space();
        }
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Fault::syntax())
        }
    }

    /// The next byte after white space. A byte that begins no JSON value is
    /// left to the caller, which reports what it expected; [`Reader::document`]
    /// then checks whether the text is JSON.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<u8, Fault> {
        match self.byte() {
            Some(byte @ 0x21..) => Ok(byte),
            _ => self.peek_behind_space(),
        }
    }

    #[cold]
    #[inline(never)]
    fn peek_behind_space(&mut self) -> Result<u8, Fault> {
        self.deviate();
        self.space();
        self.byte().ok_or_else(Fault::syntax)
    }

    pub(super) fn is_at_space(&self) -> bool {
        self.rest.first().is_some_and(is_space)
    }

    #[inline(never)]
    fn space(&mut self) {
        let count = self.rest.iter().take_while(|byte| is_space(byte)).count();
        self.advance(count);
    }

    #[inline]
    pub(super) fn byte(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The index of the next byte.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.text.len().wrapping_sub(self.rest.len())
    }

    /// The text from this index.
    pub(super) fn after(&self, index: usize) -> &'a [u8] {
        self.text.as_bytes().get(index..).unwrap_or_default()
    }

    #[inline]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    #[inline]
    pub(super) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at())
    }
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Origin, Reader};
    use crate::error::Fault;

    pub(crate) fn fault_of<'a, T>(
        text: &'a str,
        origin: Origin,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Fault>,
    ) -> Option<String> {
        match Reader::document(text, origin, read) {
            Ok(_) => None,
            Err(fault) => Some(fault.to_string()),
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
            Some("expected an amount as a JSON number, such as 12.5")
        );
        assert_eq!(fault_of("[NaN]", object, Reader::skip), None);
        assert_eq!(
            fault_of("[NaN,Nil]", object, Reader::skip).as_deref(),
            Some("expected JSON")
        );
    }

    #[test]
    fn d10_from_outside_it_is_no_json() {
        assert_eq!(
            fault_of("NaN", Origin::Wire, Reader::skip).as_deref(),
            Some("expected JSON")
        );
        assert_eq!(
            fault_of("[NaN]", Origin::Wire, Reader::opaque).as_deref(),
            Some("expected JSON")
        );
    }
}
