//! Which vouchers an order may redeem.

use crate::error::{Expected, Fault};
use crate::json::{Member, Origin, Reader, Span, Writer, decode, last_of_each_key};
use crate::money::{Amount, Sum};
use crate::order::Order;
use crate::step::{Operand, Step};

/// A voucher's record (D30) and whether this order may redeem it.
#[derive(Debug)]
pub struct Voucher {
    record: String,
    /// In the order's own spelling.
    id_json: Span,
    members: Vec<Member>,
    /// Its face value in THB.
    pub value: Amount,
    /// Why it is invalid, in the order of D30; empty: it is valid.
    pub reasons: Vec<Reason>,
}

/// Why a voucher is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not active.
    Inactive,
    /// It has been used.
    Used,
    /// It is not the order's owner's (D31).
    OwnerMismatch,
}

impl Reason {
    /// The word of D30.
    pub fn word(self) -> &'static str {
        match self {
            Self::Inactive => "inactive",
            Self::Used => "used",
            Self::OwnerMismatch => "ownerMismatch",
        }
    }
}

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
        })?;
        Ok(found.map(|()| Self {
            id_json,
            members: last_of_each_key(record, members),
            value: fields.value.unwrap_or(Amount::ZERO),
            reasons: fields.reasons(owner_id),
            record: record.to_owned(),
        }))
    }

    /// Whether the order may redeem it.
    pub fn is_valid(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Writes the record back (D6), with the id where it had none and with the
    /// reasons of an invalid one (D30).
    pub(crate) fn write(&self, out: &mut Writer, order: &Order) {
        out.raw("{");
        let mut comma = "";
        for (key, value) in self.echoed(order) {
            out.raw(comma).raw(key).raw(":").raw(value);
            comma = ",";
        }
        if !self.is_valid() {
            out.raw(comma)
                .raw(r#""reasons":"#)
                .list(&self.reasons, |out, reason| {
                    out.word(reason.word());
                });
        }
        out.raw("}");
    }

    /// The members to write, as JSON text.
    fn echoed<'a>(&'a self, order: &'a Order) -> impl Iterator<Item = (&'a str, &'a str)> {
        let id = self.id_json.of(&order.text);
        let text = &self.record;
        let is = move |member: &Member, key| decode(member.key.of(text)) == key;
        let has_id = self.members.iter().any(|member| is(member, "voucherId"));
        let members = self
            .members
            .iter()
            .filter(move |member| self.is_valid() || !is(member, "reasons"));
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

    fn reasons(&self, owner_id: &str) -> Vec<Reason> {
        // D31: nobody owns a voucher without an owner, and an order without
        // one redeems nothing.
        let owner_matches = !owner_id.is_empty() && self.owner_id == owner_id;
        [
            (self.is_active != Some(true), Reason::Inactive),
            (self.is_used != Some(false), Reason::Used),
            (!owner_matches, Reason::OwnerMismatch),
        ]
        .into_iter()
        .filter_map(|(applies, reason)| applies.then_some(reason))
        .collect()
    }
}

/// `voucherDiscount`: the face values of the valid vouchers (D22).
pub fn voucher_discount(vouchers: &[Voucher]) -> Sum {
    vouchers
        .iter()
        .filter(|voucher| voucher.is_valid())
        .map(|voucher| voucher.value)
        .collect()
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
        let id = Operand::Json(id.of(&order.text));
        let path = format!("voucherId[{place}]");
        if first < place {
            return Some(
                Step::repeated(path, first)
                    .decided("D29")
                    .with("voucherId", id),
            );
        }
        let voucher = vouchers.next()?;
        let amount = if voucher.is_valid() {
            voucher.value
        } else {
            Amount::ZERO
        };
        let step = Step::uncounted("voucher", amount)
            .decided("D30")
            .at(path)
            .with("voucherId", id)
            .with("value", voucher.value);
        let reasons = [Reason::Inactive, Reason::Used, Reason::OwnerMismatch];
        Some(reasons.into_iter().fold(step, |step, reason| {
            step.with(reason.word(), voucher.reasons.contains(&reason))
        }))
    })
}
