//! Which vouchers an order may redeem.

use crate::error::{Expected, Fault};
use crate::json::{Member, Origin, Reader, Span, Writer, decode, last_of_each_key};
use crate::money::{Amount, Sum};
use crate::order::Order;
use crate::step::{Operand, Step};

/// A voucher that an order names.
#[derive(Debug)]
pub struct Voucher {
    /// In the order's own spelling.
    id_json: Span,
    /// `None`: it is not the order's owner's, and nothing of its record is kept
    /// that an answer could show (D30, D31).
    record: Option<Record>,
}

/// The record of a voucher that is the order's owner's.
#[derive(Debug)]
struct Record {
    text: String,
    members: Vec<Member>,
    value: Amount,
    /// Why it is invalid, in the order of D30; empty: it is valid.
    reasons: Vec<Reason>,
}

/// Why a voucher is invalid that is the order's owner's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It is not active.
    Inactive,
    /// It has been used.
    Used,
}

/// The reason against a voucher of somebody else.
const OWNER_MISMATCH: &str = "ownerMismatch";

impl Reason {
    /// The word of D30.
    fn word(self) -> &'static str {
        match self {
            Self::Inactive => "inactive",
            Self::Used => "used",
        }
    }
}

/// The keys of a record that the rules read.
const KEYS: [&str; 5] = ["voucherId", "ownerId", "value", "isActive", "isUsed"];

/// The fields of a record that the rules read.
#[derive(Default)]
struct Fields {
    owner_id: String,
    value: Option<Amount>,
    is_active: Option<bool>,
    is_used: Option<bool>,
}

impl Voucher {
    /// Reads the record that was found for `id`, and checks it for an order of
    /// `owner_id`; `None`: it is `null`, and none was found (D44). `id_json` is
    /// the id as the order wrote it.
    pub(crate) fn read(
        record: &str,
        origin: Origin,
        id: &str,
        id_json: Span,
        owner_id: &str,
    ) -> Result<Option<Self>, Fault> {
        let mut fields = Fields::default();
        let mut members = Vec::new();
        let found = Reader::document(record, origin, |json| {
            json.optional(|json| {
                json.members(&mut |json, key| {
                    let (value, ()) =
                        json.spanned(|json| fields.read(json, &json.decoded(key.span), id))?;
                    members.push(Member {
                        key: key.span,
                        value,
                    });
                    Ok(())
                })?;
                fields.complete()
            })
        })
        // D30: whose record it is, is not known. Its own keys are not told.
        .map_err(|fault| fault.naming_only(&KEYS))?;
        Ok(found.map(|()| Self {
            id_json,
            record: fields.is_owned_by(owner_id).then(|| Record {
                members: last_of_each_key(record, members),
                value: fields.value.unwrap_or(Amount::ZERO),
                reasons: fields.reasons(),
                text: record.to_owned(),
            }),
        }))
    }

    /// Whether the order may redeem it.
    pub fn is_valid(&self) -> bool {
        self.redeemable().is_some()
    }

    /// Its face value in THB, where the order may redeem it.
    pub fn redeemable(&self) -> Option<Amount> {
        let record = self.record.as_ref()?;
        record.reasons.is_empty().then_some(record.value)
    }

    /// Writes it as `validVouchers` and `invalidVouchers` show it (D30).
    pub(crate) fn write(&self, out: &mut Writer, order: &Order) {
        let id = self.id_json.of(&order.text);
        match &self.record {
            Some(record) => record.write(out, id),
            None => {
                out.raw(r#"{"voucherId":"#).raw(id);
                out.raw(r#","reasons":["#).word(OWNER_MISMATCH).raw("]}");
            }
        }
    }

    /// What came of it, for the place where the order names it.
    fn step<'a>(&'a self, order: &'a Order, path: String) -> Step<'a> {
        let step = Step::uncounted("voucher", self.redeemable().unwrap_or(Amount::ZERO))
            .decided("D30")
            .at(path)
            .with("voucherId", Operand::Json(self.id_json.of(&order.text)));
        let Some(record) = &self.record else {
            return step.with(OWNER_MISMATCH, true);
        };
        let reasons = [Reason::Inactive, Reason::Used];
        let step = step.with("value", record.value);
        let step = reasons.into_iter().fold(step, |step, reason| {
            step.with(reason.word(), record.reasons.contains(&reason))
        });
        step.with(OWNER_MISMATCH, false)
    }
}

impl Record {
    /// Writes the record back (D6), with the id where it had none and with the
    /// reasons of an invalid one.
    fn write(&self, out: &mut Writer, id: &str) {
        out.raw("{");
        let mut comma = "";
        for (key, value) in self.echoed(id) {
            out.raw(comma).raw(key).raw(":").raw(value);
            comma = ",";
        }
        if !self.reasons.is_empty() {
            out.raw(comma)
                .raw(r#""reasons":"#)
                .list(&self.reasons, |out, reason| {
                    out.word(reason.word());
                });
        }
        out.raw("}");
    }

    /// The members to write, as JSON text.
    fn echoed<'a>(&'a self, id: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let text = &self.text;
        let is = move |member: &Member, key| decode(member.key.of(text)) == key;
        let has_id = self.members.iter().any(|member| is(member, "voucherId"));
        let members = self
            .members
            .iter()
            .filter(move |member| self.reasons.is_empty() || !is(member, "reasons"));
        let members = members.map(move |member| {
            let value = member.value.of(text);
            let is_missing_id = value == "null" && is(member, "voucherId");
            (member.key.of(text), if is_missing_id { id } else { value })
        });
        (!has_id)
            .then_some((r#""voucherId""#, id))
            .into_iter()
            .chain(members)
    }
}

impl Fields {
    fn read(&mut self, json: &mut Reader<'_>, key: &str, id: &str) -> Result<(), Fault> {
        match key {
            "voucherId" => {
                let sent = json.optional(Reader::string)?;
                if sent.is_some_and(|sent| json.decoded(sent) != id) {
                    return Err(Fault::expected(Expected::Exactly(id.to_owned())));
                }
            }
            "ownerId" => {
                let sent = json.optional(Reader::string)?;
                self.owner_id = sent
                    .map(|owner| json.identity(owner).into_owned())
                    .unwrap_or_default();
            }
            "value" => self.value = Some(json.required(Reader::amount)?),
            "isActive" => self.is_active = Some(json.required(Reader::boolean)?),
            "isUsed" => self.is_used = Some(json.required(Reader::boolean)?),
            _ => {
                json.opaque()?;
            }
        }
        Ok(())
    }

    fn complete(&self) -> Result<(), Fault> {
        let missing = |key| Err(Fault::missing(key));
        match self {
            Self { value: None, .. } => missing("value"),
            Self {
                is_active: None, ..
            } => missing("isActive"),
            Self { is_used: None, .. } => missing("isUsed"),
            _ => Ok(()),
        }
    }

    /// D31: nobody owns a voucher without an owner, and an order without one
    /// redeems nothing.
    fn is_owned_by(&self, owner_id: &str) -> bool {
        !owner_id.is_empty() && self.owner_id == owner_id
    }

    fn reasons(&self) -> Vec<Reason> {
        [
            (self.is_active != Some(true), Reason::Inactive),
            (self.is_used != Some(false), Reason::Used),
        ]
        .into_iter()
        .filter_map(|(applies, reason)| applies.then_some(reason))
        .collect()
    }
}

/// `voucherDiscount`: the face values of the valid vouchers (D22).
pub fn voucher_discount(vouchers: &[Voucher]) -> Sum {
    vouchers.iter().filter_map(Voucher::redeemable).collect()
}

/// The outcome of each place of `voucherId`; `vouchers` are its distinct ones.
pub fn voucher_steps<'a>(
    order: &'a Order,
    vouchers: &'a [Voucher],
) -> impl Iterator<Item = Step<'a>> {
    let ids = &order.fields.voucher_ids;
    let mut vouchers = vouchers.iter();
    let places = order.first_places(ids).into_iter().enumerate();
    places.zip(ids).filter_map(move |((place, first), id)| {
        let path = format!("voucherId[{place}]");
        if first < place {
            let repeated = Step::repeated(path, first).decided("D29");
            return Some(repeated.with("voucherId", Operand::Json(id.of(&order.text))));
        }
        vouchers.next().map(|voucher| voucher.step(order, path))
    })
}
