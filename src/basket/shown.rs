//! What a basket shows, as JSON text, and what of it has changed.

use std::mem;

use super::{Basket, Origins};
use crate::certain::Certain;
use crate::json::Writer;
use crate::quote::{Problem, write_shipping, write_vouchers};
use crate::rules::Row;
use crate::word::{Word, words};

words! {
    /// What a basket shows besides its rows and problems.
    pub(super) enum ShownPart {
        Totals = "totals",
        Pending = "pending",
        Blocked = "blocked",
        Shipping = "shipping",
        ValidVouchers = "validVouchers",
        InvalidVouchers = "invalidVouchers",
        DiscountResult = "discountResult",
        TakenOff = "takenOff",
        Slots = "slots",
    }
}

impl ShownPart {
    /// Whether a change of one row can change it.
    fn follows_rows(self) -> bool {
        matches!(
            self,
            Self::Totals | Self::Pending | Self::Blocked | Self::TakenOff
        )
    }
}

/// The texts that were handed out last.
#[derive(Debug, Default)]
pub(super) struct Shown {
    rows: Vec<Vec<u8>>,
    parts: [Vec<u8>; ShownPart::ALL.len()],
    problems: Vec<Problem>,
    /// The rows that may have changed since.
    changed_rows: Vec<usize>,
    /// Whether anything else than those rows and the totals may have changed.
    has_all_changed: bool,
}

impl Shown {
    /// Only this row, the totals, the coupons and overflows may have changed.
    pub(super) fn row_changed(&mut self, index: usize) {
        self.changed_rows.push(index);
    }

    pub(super) fn all_changed(&mut self) {
        self.has_all_changed = true;
    }

    /// Follows an edit that has only added products.
    pub(super) fn add_rows(&mut self, count: usize) {
        self.rows.resize_with(count, Vec::new);
    }

    /// Follows an edit after which there are `count` products.
    pub(super) fn move_rows(&mut self, count: usize, origins: &Origins) {
        let row = |origin: &u32| {
            let row = self.rows.get_mut(*origin as usize);
            row.map(mem::take).unwrap_or_default()
        };
        self.rows = origins.iter().map(row).collect();
        self.rows.resize_with(count, Vec::new);
    }
}

impl Basket {
    /// The parts that differ from what the last call returned, as JSON text:
    /// `{rows: [[index, row]], totals?, pending?, blocked?, shipping?,
    /// validVouchers?, invalidVouchers?, discountResult?, takenOff?, slots?, problems?:
    /// true, areSlotsOpen, isOut}`. `areSlotsOpen`: whether the host has yet to answer
    /// anything about the slots; `isOut`: whether a call is out that the basket needs.
    pub fn changes(&mut self) -> Vec<u8> {
        self.follow();
        let all = self.shown.has_all_changed;
        let mut out = Writer::with_capacity(1024);
        out.raw("{\"rows\":[");
        let indices = if all {
            (0..self.ids.len()).collect()
        } else {
            mem::take(&mut self.shown.changed_rows)
        };
        self.write_rows(&mut out, indices);
        out.raw("]");
        let parts = ShownPart::ALL.iter();
        for part in parts.filter(|part| all || part.follows_rows()) {
            let text = self.part(*part);
            let shown = self.shown.parts.get_mut(*part as usize).certain();
            if *shown != text {
                out.raw(",\"").raw(part.word()).raw("\":").bytes(&text);
                *shown = text;
            }
        }
        if all || !self.shown.problems.is_empty() || self.state.has_overflows() {
            let mut problems = self.problems();
            problems.extend(self.slots.iter().filter_map(Self::first_problem));
            if problems != self.shown.problems {
                out.raw(r#","problems":true"#);
                self.shown.problems = problems;
            }
        }
        let are_slots_open = self.slots.iter().any(|slot| slot.pending().delivery);
        out.raw(r#","areSlotsOpen":"#).boolean(are_slots_open);
        out.raw(r#","isOut":"#).boolean(self.is_out()).raw("}");
        self.shown.has_all_changed = false;
        self.shown.changed_rows.clear();
        out.into_bytes()
    }

    /// The problems that the last call of [`Basket::changes`] announced: those of the
    /// order, and then one of each slot that has some.
    pub fn shown_problems(&self) -> &[Problem] {
        &self.shown.problems
    }

    fn write_rows(&mut self, out: &mut Writer, indices: Vec<usize>) {
        let mut is_first = true;
        for index in indices {
            let row = self.row(index);
            let Some(shown) = self
                .shown
                .rows
                .get_mut(index)
                .filter(|shown| **shown != row)
            else {
                continue;
            };
            out.raw(if is_first { "[" } else { ",[" });
            is_first = false;
            out.integer(index as i64).raw(",").bytes(&row);
            out.raw("]");
            *shown = row;
        }
    }

    /// A price is `null` until it is known, and its row counts as 0.
    fn row(&self, index: usize) -> Vec<u8> {
        let order = self.order();
        let mut out = Writer::with_capacity(384);
        if let Some(product) = order.fields.products.get(index) {
            let line = self.state.lines.get(index);

            let facts = &self.conversation.borrow().facts;
            let large = || {
                let record = self.planned.price(index, facts);
                record.map(|record| Row::too_large(record, &self.policy))
            };
            match line.and_then(|line| line.row.clone()).or_else(large) {
                Some(row) => row.write(&mut out, order, product),
                None => Row::write_unpriced(&mut out, order, product),
            }
        }
        out.into_bytes()
    }

    pub(super) fn part(&self, part: ShownPart) -> Vec<u8> {
        let (planned, state) = (&self.planned, &self.state);
        let (order, facts) = (&planned.order, &self.conversation.borrow().facts);
        let mut out = Writer::with_capacity(512);
        match part {
            ShownPart::Totals => out.object(|out| state.totals.write(out)),
            ShownPart::Pending => self.write_pending(&mut out),
            ShownPart::Blocked => self.write_blocked(&mut out),
            ShownPart::Shipping => {
                let has_fee = |index| planned.has_fee(index, facts);
                write_shipping(&mut out, order, &state.found.rates, &state.fees, &has_fee);
            }
            ShownPart::ValidVouchers => {
                write_vouchers(&mut out, order, &state.found.vouchers, true)
            }
            ShownPart::InvalidVouchers => {
                write_vouchers(&mut out, order, &state.found.vouchers, false)
            }
            ShownPart::DiscountResult => state.coupons.write(&mut out),
            ShownPart::TakenOff => state.write_taken_off(&self.policy, &mut out),
            ShownPart::Slots => self.write_slots(&mut out),
        }
        out.into_bytes()
    }

    fn write_pending(&self, out: &mut Writer) {
        out.list(self.pending().names(), |out, name| _ = out.word(name));
    }

    fn write_blocked(&self, out: &mut Writer) {
        let parts = self.is_blocked().then_some("coupons");
        out.list(parts, |out, name| _ = out.word(name));
    }
}
