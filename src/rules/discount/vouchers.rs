//! Which vouchers an order may redeem.

use std::sync::Arc;

use crate::certain::Certain;
use crate::error::{Expected, Fault};
use crate::explain::{Operand, Sink, Step};
use crate::json::{
    Line, Member, Origin, Reader, Span, Writer, canonical, decode, last_of_each_key, lines,
};
use crate::money::Amount;
use crate::order::Order;

/// A voucher that an order names.
#[derive(Clone, Debug)]
pub struct Voucher {
    /// The id as the order spells it.
    id: Span,
    /// `None`: the order's owner does not own the voucher, and the response may
    /// show nothing of its record (D30, D31).
    record: Option<Arc<VoucherRecord>>,
}

/// The host's record of a voucher of any owner.
#[derive(Debug)]
pub struct VoucherRecord {
    text: String,
    /// The members of a record that the response cannot show as its text.
    members: Vec<Member>,
    has_id: bool,
    owner: Option<Span>,
    value: Amount,
    is_active: bool,
    is_used: bool,
}

/// The reason that refuses another owner's voucher.
const OWNER_MISMATCH: &str = "ownerMismatch";

/// The keys of a record that the rules read.
#[allow(clippy::indexing_slicing, reason = "only the compiler runs it")]
const KEYS: [&str; VoucherRecord::LINES.len()] = {
    let mut keys = [""; VoucherRecord::LINES.len()];
    let mut place = 0;
    while place < keys.len() {
        keys[place] = VoucherRecord::LINES[place].key;
        place += 1;
    }
    keys
};

impl VoucherRecord {
    /// The fields that the rules read. The response shows all others, too (D30).
    pub const LINES: &'static [Line] = lines! {
        /// Id of the voucher. Default: the requested id. A different id fails the look-up.
        "voucherId": string = null id,
        /// Owner of the voucher, compared with the order's `ownerId` (D31). Default `""`: nobody can redeem it.
        "ownerId": string = "" id,
        /// Subtracted in full; 0 or more, with at most 28 decimal places and 96 bits (D14).
        "value": baht = required plain,
        /// Whether the voucher is active.
        "isActive": flag = required plain,
        /// Whether the voucher has been redeemed.
        "isUsed": flag = required plain,
    };

    /// Reads the record that the host found for `id`; `None` if it is `null`,
    /// which means not found (D44).
    pub(crate) fn read(record: &str, origin: Origin, id: &str) -> Result<Option<Self>, Fault> {
        let found = Reader::document(record, origin, |json| {
            json.optional(|json| Self::read_members(json, record, id))
        });
        // D30: a broken record's owner is unknown, so the error must not name
        // the record's own keys.
        found.map_err(|fault| fault.naming_only(&KEYS))
    }

    fn read_members(json: &mut Reader<'_>, record: &str, id: &str) -> Result<Self, Fault> {
        let (mut owner, mut value, mut is_active, mut is_used) = (None, None, None, None);
        let (mut keys, mut has_id) = (Keys::default(), false);
        let member = &mut |json: &mut Reader<'_>, key: Span| {
            let key = key.of(record);
            keys.note(key);
            match &*decode(key) {
                "voucherId" => {
                    has_id = true;
                    let sent = json.optional(Reader::string)?;
                    if sent.is_some_and(|sent| json.decoded(sent) != id) {
                        return Err(Fault::expected(Expected::Exactly(id.to_owned())));
                    }
                }
                "ownerId" => owner = json.optional(Reader::string)?,
                "value" => value = Some(json.required(Reader::amount)?),
                "isActive" => is_active = Some(json.required(Reader::boolean)?),
                "isUsed" => is_used = Some(json.required(Reader::boolean)?),
                _ => _ = json.opaque()?,
            }
            Ok(())
        };
        let (span, (verbatim, ())) =
            json.spanned(|json| json.verbatim(|json| json.members(member)))?;
        let members = match verbatim {
            Some(_) if has_id && !keys.need_care => Vec::new(),
            _ => last_of_each_key(record, json.revisit(span).list_of_members()?),
        };
        Ok(Self {
            text: record.to_owned(),
            members,
            has_id,
            owner,
            value: value.ok_or_else(|| Fault::missing("value"))?,
            is_active: is_active.ok_or_else(|| Fault::missing("isActive"))?,
            is_used: is_used.ok_or_else(|| Fault::missing("isUsed"))?,
        })
    }

    /// D31: a voucher without an owner belongs to no customer, and an order
    /// without an owner redeems nothing.
    fn is_owned_by(&self, owner_id: &str) -> bool {
        let owner = self.owner.map(|owner| canonical(owner.of(&self.text)));
        !owner_id.is_empty() && owner.as_deref() == Some(owner_id)
    }

    /// Its text as the host gave it, for its owner.
    pub(crate) fn text_for(&self, owner_id: &str) -> Option<&str> {
        self.is_owned_by(owner_id).then_some(&*self.text)
    }

    /// The reasons why its owner cannot redeem it, in the order of D30.
    fn reasons(&self) -> impl Iterator<Item = &'static str> {
        let reasons = self.checks().into_iter();
        reasons.filter_map(|(reason, applies)| applies.then_some(reason))
    }

    fn is_valid(&self) -> bool {
        self.reasons().next().is_none()
    }

    fn checks(&self) -> [(&'static str, bool); 2] {
        [("inactive", !self.is_active), ("used", self.is_used)]
    }

    /// Writes the record as it was read (D6), with a missing id added and, if
    /// the voucher is invalid, with the reasons.
    fn write(&self, out: &mut Writer, id: &str) {
        let is_valid = self.is_valid();
        if self.members.is_empty() {
            out.raw(self.text.trim_ascii().strip_suffix('}').certain());
        } else {
            self.write_members(out, id, is_valid);
        }
        if !is_valid {
            out.raw(r#","reasons":"#)
                .list(self.reasons(), |out, reason| _ = out.word(reason));
        }
        out.raw("}");
    }

    fn write_members(&self, out: &mut Writer, id: &str, is_valid: bool) {
        let mut comma = "{";
        if !self.has_id {
            out.raw(r#"{"voucherId":"#).raw(id);
            comma = ",";
        }
        for member in &self.members {
            let (key, mut value) = (member.key.of(&self.text), member.value.of(&self.text));
            match &*decode(key) {
                "voucherId" if value == "null" => value = id,
                "reasons" if !is_valid => continue,
                _ => {}
            }
            out.member(comma, key).member(":", value);
            comma = ",";
        }
    }
}

/// The keys of a record so far, as they are written.
#[derive(Default)]
struct Keys<'a> {
    seen: [&'a str; 8],
    count: usize,
    /// Whether one of them is repeated, or may not be shown with every voucher.
    need_care: bool,
}

impl<'a> Keys<'a> {
    fn note(&mut self, key: &'a str) {
        let is_special = key == r#""reasons""# || key.contains('\\');
        let is_seen = self.seen.contains(&key);
        match self.seen.get_mut(self.count) {
            _ if is_special || is_seen => self.need_care = true,
            Some(place) => *place = key,
            None => self.need_care = true,
        }
        self.count += 1;
    }
}

impl Voucher {
    /// The voucher with this id, without its record unless `owner_id` owns it.
    pub(crate) fn new(id: Span, record: &Arc<VoucherRecord>, owner_id: &str) -> Self {
        let is_owned = record.is_owned_by(owner_id);
        Self {
            id,
            record: is_owned.then(|| Arc::clone(record)),
        }
    }

    /// The face value in THB, if the order may redeem the voucher.
    pub fn redeemable(&self) -> Option<Amount> {
        let record = self.record.as_ref()?;
        record.is_valid().then_some(record.value)
    }

    /// Writes it as `validVouchers` and `invalidVouchers` show it (D30).
    pub(crate) fn write(&self, out: &mut Writer, order: &Order) {
        let id = self.id.of(&order.text);
        match &self.record {
            Some(record) => record.write(out, id),
            None => {
                out.raw(r#"{"voucherId":"#).raw(id);
                out.raw(r#","reasons":["#).word(OWNER_MISMATCH).raw("]}");
            }
        }
    }

    /// The step that reports the voucher's outcome at this path of the order.
    fn step<'a>(&'a self, order: &'a Order, path: String) -> Box<Step<'a>> {
        let step = Step::new("voucher", "D30", self.redeemable().unwrap_or(Amount::ZERO))
            .at(path)
            .with("voucherId", Operand::Json(self.id.of(&order.text)));
        let Some(record) = &self.record else {
            return step.with(OWNER_MISMATCH, true);
        };
        step.with("value", record.value)
            .with_all(record.checks())
            .with(OWNER_MISMATCH, false)
    }
}

/// Reports the outcome of each entry of `voucherId`; `vouchers` holds each
/// distinct voucher once, as far as it is known.
pub(crate) fn report_vouchers(order: &Order, vouchers: &[Voucher], sink: &mut dyn Sink) {
    let ids = &order.fields.voucher_ids;
    let mut vouchers = vouchers.iter().peekable();
    let firsts = order.first_places(ids).into_iter().zip(ids);
    for (place, (first, id)) in firsts.enumerate() {
        let path = format!("voucherId[{place}]");
        if first < place {
            let repeated = Step::repeated(path, "D29", first);
            sink.step(&repeated.with("voucherId", Operand::Json(id.of(&order.text))));
        } else if let Some(voucher) = vouchers.next_if(|voucher| voucher.id.start() == id.start()) {
            sink.step(&voucher.step(order, path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Keys, VoucherRecord};
    use crate::json::{Origin, Writer};

    fn written(record: &str) -> String {
        let read = VoucherRecord::read(record, Origin::Wire, "V");
        let read = read.expect("it is right").expect("it is found");
        let mut out = Writer::default();
        read.write(&mut out, r#""\u0056""#);
        String::from_utf8(out.into_bytes()).expect("text")
    }

    #[test]
    fn d30_a_record_is_shown_as_it_is_without_white_space_and_with_its_id() {
        let fields = r#""ownerId":"o","value":1.0,"isActive":true,"isUsed":false"#;
        for (record, shown) in [
            (
                format!(r#"{{"voucherId":"V",{fields},"t":null}}"#),
                format!(r#"{{"voucherId":"V",{fields},"t":null}}"#),
            ),
            (
                format!("\n {{\"voucherId\":\"V\",{fields}}} "),
                format!(r#"{{"voucherId":"V",{fields}}}"#),
            ),
            (
                format!(r#"{{ "voucherId":"V" , "t" : [ 1 ] ,{fields}}}"#),
                format!(r#"{{"voucherId":"V","t":[ 1 ],{fields}}}"#),
            ),
            (
                format!(r#"{{"t":1,"u":2,"\u0074":3,{fields},"voucherId":null,"u":4}}"#),
                format!(r#"{{"t":3,"u":4,{fields},"voucherId":"\u0056"}}"#),
            ),
            (
                format!(r#"{{{fields},"reasons":[]}}"#),
                format!(r#"{{"voucherId":"\u0056",{fields},"reasons":[]}}"#),
            ),
            (
                format!(r#"{{"voucherId":"V","a":1,"b":1,"c":1,"d":1,{fields},"a":2}}"#),
                format!(r#"{{"voucherId":"V","a":2,"b":1,"c":1,"d":1,{fields}}}"#),
            ),
        ] {
            assert_eq!(written(&record), shown, "{record}");
        }
    }

    #[test]
    fn d30_a_voucher_that_is_used_shows_our_reasons_only() {
        let fields = r#""voucherId":"V","ownerId":"o","value":1,"isActive":false,"isUsed":true"#;
        let shown = format!(r#"{{{fields},"reasons":["inactive","used"]}}"#);
        for record in [
            format!("{{{fields}}}"),
            format!(r#"{{"reasons":["x"],{fields}}}"#),
            format!(r#"{{{fields},"re\u0061sons":1}}"#),
        ] {
            assert_eq!(written(&record), shown, "{record}");
        }
    }

    #[test]
    fn few_plain_keys_that_are_not_repeated_need_no_care() {
        for (record, need_care) in [
            (r#""a" "b" "c" "d" "e" "f" "g" "h""#, false),
            (r#""a" "b" "c" "d" "e" "f" "g" "h" "i""#, true),
            (r#""a" "b" "a""#, true),
            (r#""a" "\u0062""#, true),
            (r#""reasons""#, true),
        ] {
            let mut keys = Keys::default();
            record.split(' ').for_each(|key| keys.note(key));
            assert_eq!(keys.need_care, need_care, "{record}");
        }
    }
}
