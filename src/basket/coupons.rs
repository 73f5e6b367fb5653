//! What a basket knows of its coupons: a result counts for the very request
//! that it answered (D25).

use std::borrow::Cow;
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use super::state::State;
use crate::distinct::{Distinct, are_among};
use crate::json::{Writer, decode, without_lone_surrogates};
use crate::money::Sum;
use crate::options::Policy;
use crate::order::Order;
use crate::quote::{
    Conversation, Facts, Needs, Obstacle, Question, Record, Source, coupon_request_head,
    coupons_error,
};
use crate::rules::DiscountResult;

/// The coupons of a basket.
#[derive(Debug, Default)]
pub(super) struct Coupons {
    /// The codes of the order.
    codes: Vec<String>,
    /// Those that the order has lost since the answer.
    lost: Vec<String>,
    /// The current request; `None` if something in it is unknown, or if the
    /// order has no codes.
    pub(super) request: Option<Request>,
    /// The place of its result, if it was ever asked: found once for each edit,
    /// because requests are long.
    pub(super) place: Option<usize>,
    /// What was asked last.
    asked: Option<Asked>,
    /// Whether its call has not ended yet.
    is_awaited: bool,
    /// What was answered last. It counts until the next answer.
    answered: Option<Asked>,
}

/// A request, with a text for each row: an edit changes few of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) head: Vec<u8>,
    pub(super) rows: Vec<Rc<[u8]>>,
}

/// A request to the service, and its fact.
#[derive(Clone, Debug)]
struct Asked {
    request: Request,
    codes: Vec<String>,
    /// The ids of the products that the service saw.
    ids: Vec<u32>,
    /// The place of the result among the facts.
    place: usize,
}

impl Coupons {
    /// Follows a change of the basket, whose rows have no coupon discounts yet.
    /// `changed`: only this row has changed. Returns whether the last answer
    /// now counts for other lines or codes than before.
    pub(super) fn follow(
        &mut self,
        state: &State,
        order: &Order,
        ids: &[u32],
        changed: Option<usize>,
        conversation: &mut Conversation,
    ) -> bool {
        if changed.is_none() {
            let codes = order.fields.coupon_codes.iter();
            let codes = codes.map(|code| decode(code.of(&order.text)).into_owned());
            let before = mem::replace(&mut self.codes, codes.collect());
            self.lose(before);
        }
        self.request = self.next_request(state, order, changed);
        let known = self.known();
        let known = known.map(|asked| (asked.place, asked.request.clone()));
        self.need(known.as_ref().map(|(place, _)| *place), conversation);
        if let Some((_, request)) = known {
            // An `Rc` equals itself without a look at its text, so the next
            // comparison is fast.
            self.request = Some(request);
        }
        // A customer may remove products and codes and add them again. If the
        // request is then the same to the last byte, its answer applies to them.
        match &mut self.answered {
            Some(answered)
                if Some(answered.place) == self.place
                    && (answered.ids != ids || !self.lost.is_empty()) =>
            {
                answered.ids = ids.to_vec();
                self.lost.clear();
                true
            }
            _ => false,
        }
    }

    /// Notes which of the codes before are listed no more.
    fn lose(&mut self, before: Vec<String>) {
        self.lost.extend(before);
        if self.codes.is_empty() {
            // Begins anew: else the list of a basket that many customers use would grow.
            self.lost.clear();
        }
        let [lost, listed] =
            [&self.lost, &self.codes].map(|codes| Vec::from_iter(codes.iter().map(Cow::from)));
        let mut are_listed = are_among(&lost, &listed).into_iter();
        self.lost.retain(|_| are_listed.next() == Some(false));
    }

    /// What was asked with the current request.
    fn known(&self) -> Option<&Asked> {
        let request = self.request.as_ref()?;
        let mut known = [&self.asked, &self.answered].into_iter().flatten();
        known.find(|asked| asked.request == *request)
    }

    fn next_request(
        &mut self,
        state: &State,
        order: &Order,
        changed: Option<usize>,
    ) -> Option<Request> {
        let last = self.request.take();
        if self.codes.is_empty() || state.lines.is_empty() {
            return None;
        }
        let subtotals = state.subtotals()?;
        let codes = order.first_seen(&order.fields.coupon_codes);
        let rows = match (last, changed) {
            (Some(Request { mut rows, .. }), Some(index)) => {
                *rows.get_mut(index)? = request_row(state, order, index)?;
                rows
            }
            _ => (0..state.lines.len())
                .map(|index| request_row(state, order, index))
                .collect::<Option<_>>()?,
        };
        Some(Request {
            head: coupon_request_head(order, &codes, &subtotals),
            rows,
        })
    }

    /// The discounts that still count, and by line for products with these ids.
    pub(super) fn apply(
        &self,
        ids: &[u32],
        facts: &Facts,
    ) -> (Arc<DiscountResult>, Vec<Option<Sum>>) {
        let said = self.answered.as_ref();
        let Some(said) = said.filter(|_| !self.codes.is_empty() && !ids.is_empty()) else {
            return Default::default();
        };
        let Some(Record::Coupons(result)) = facts.at(said.place).record() else {
            return Default::default();
        };
        let mut coupons = Arc::clone(result);
        DiscountResult::take_out(&mut coupons, &said.codes, &self.codes, &self.lost);
        let discounts = coupons.by_line(said.ids.len());
        if said.ids == ids || discounts.is_empty() {
            return (coupons, discounts);
        }
        let all = Vec::from_iter(said.ids.iter().chain(ids).map(|id| i64::from(*id)));
        // The service saw each product once: its place there is its place among all.
        let places = Distinct::new(all.iter().copied())
            .of
            .into_iter()
            .skip(said.ids.len());
        let by_line = places.map(|place| discounts.get(place).copied().flatten());
        (coupons, by_line.collect())
    }

    /// What keeps the order from being priced with the current request's
    /// result.
    pub(super) fn obstacle(&self, facts: &Facts) -> Option<Obstacle> {
        if self.codes.is_empty() {
            return None;
        }
        let fact = self.place.map(|place| facts.at(place));
        fact.map_or(Some(Obstacle::Open), |fact| fact.obstacle(coupons_error))
    }

    /// Notes the place of the current request's result. A failure belongs to
    /// its request, and goes with it.
    pub(super) fn need(&mut self, place: Option<usize>, conversation: &mut Conversation) {
        if place != self.place {
            let needs = |place: Option<usize>| Needs {
                places: Vec::from_iter(place),
                is_idle: false,
            };
            conversation.need(&needs(place));
            conversation.leave(&needs(self.place));
            self.place = place;
        }
    }

    /// Begins a call with the current request, if one is wanted.
    pub(super) fn ask(
        &mut self,
        ids: &[u32],
        policy: &Policy,
        conversation: &mut Conversation,
    ) -> Option<Question> {
        let request = self.request.clone()?;
        let place = match self.place {
            Some(place) if conversation.facts.at(place).is_wanted() => place,
            Some(_) => return None,
            None => {
                self.drop_superseded(conversation);
                let products = request.rows.len();
                conversation
                    .facts
                    .own_place(Source::Coupons, products as i64)
            }
        };
        let head = request.head.clone();
        self.asked = Some(Asked {
            request,
            codes: self.codes.clone(),
            ids: ids.to_vec(),
            place,
        });
        self.is_awaited = true;
        self.need(Some(place), conversation);
        Some(conversation.ask_coupons(place, head, policy))
    }

    /// Gives up the place of a request that was superseded without an answer:
    /// customers make more requests than they need results.
    fn drop_superseded(&mut self, conversation: &mut Conversation) {
        let answered = self.answered.as_ref().map(|answered| answered.place);
        let asked = self.asked.take().map(|asked| asked.place);
        if let Some(place) = asked.filter(|place| Some(*place) != answered) {
            conversation.drop_fact(place);
        }
    }

    /// The places of its results.
    pub(super) fn places(&self) -> Vec<usize> {
        let results = [&self.asked, &self.answered].into_iter().flatten();
        let mut places = Vec::from_iter(results.map(|result| result.place));
        places.dedup();
        places
    }

    /// Drops its results, and the call that asks for one.
    pub(super) fn drop_results(&self, conversation: &mut Conversation) {
        for place in self.places() {
            conversation.drop_fact(place);
        }
    }

    /// `productList` of the request that was asked last.
    pub(super) fn asked_rows(&self) -> Vec<u8> {
        let rows = self.asked.iter().flat_map(|asked| &asked.request.rows);
        let mut out = Writer::default();
        out.list(rows, |out, row| _ = out.bytes(row));
        without_lone_surrogates(out.into_bytes())
    }

    /// Follows the answer to what was asked last.
    pub(super) fn learn(&mut self, facts: &Facts) {
        let Some(asked) = self.asked.as_ref().filter(|_| self.is_awaited) else {
            return;
        };
        let fact = facts.at(asked.place);
        self.is_awaited = fact.call.is_some();
        if !self.is_awaited && fact.record().is_some() {
            self.answered = Some(asked.clone());
            self.lost.clear();
        }
    }
}

/// The row as the service sees it: before its own discounts.
fn request_row(state: &State, order: &Order, index: usize) -> Option<Rc<[u8]>> {
    let mut row = state.lines.get(index)?.row.clone()?;
    row.discounted_row_total = row.undiscounted();
    let mut out = Writer::with_capacity(256);
    row.write(&mut out, order, order.fields.products.get(index)?);
    Some(out.into_bytes().into())
}
