//! What a basket knows of its coupons: a result counts for the very request
//! that it answered (D25).

use std::collections::BTreeMap;
use std::rc::Rc;

use super::state::State;
use crate::error::Failure;
use crate::json::{Document, Writer, decode, without_lone_surrogates};
use crate::money::Sum;
use crate::order::Order;
use crate::quote::{FailedCall, coupon_request_head, read_coupons};
use crate::rules::{DiscountResult, Row};

/// The coupons of a basket.
#[derive(Debug, Default)]
pub(super) struct Coupons {
    /// The codes of the order.
    codes: Vec<String>,
    /// The current request; `None` if something in it is unknown, or if the
    /// order has no codes.
    request: Option<Request>,
    answered: Option<Answered>,
    /// The call that is out.
    asked: Option<Asked>,
    /// The last call, if it failed for the current request.
    failed: Option<Failed>,
    /// Calls before this one began before the last refresh.
    refreshed: u32,
}

/// A request, with a text for each row: an edit changes few of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Request {
    head: Vec<u8>,
    rows: Vec<Rc<[u8]>>,
}

/// The last answer.
#[derive(Debug)]
struct Answered {
    request: Request,
    codes: Vec<String>,
    /// The ids of the products that the service saw.
    ids: Vec<u32>,
    answer: Rc<DiscountResult>,
    /// Whether it must be asked again. Until then it counts.
    is_stale: bool,
}

#[derive(Debug)]
struct Asked {
    request: Request,
    codes: Vec<String>,
    ids: Vec<u32>,
}

#[derive(Debug)]
struct Failed {
    request: Request,
    call: FailedCall,
    /// Whether it waits until somebody asks again.
    rests: bool,
}

impl Coupons {
    /// Follows a change of the basket, whose rows have no coupon discounts yet.
    /// `changed`: only this row has changed. Returns whether the last answer
    /// now counts for other lines than before.
    pub(super) fn follow(
        &mut self,
        state: &State,
        order: &Order,
        ids: &[u32],
        changed: Option<usize>,
    ) -> bool {
        if changed.is_none() {
            let codes = order.fields.coupon_codes.iter();
            self.codes = codes
                .map(|code| decode(code.of(&order.text)).into_owned())
                .collect();
        }
        self.request = self.next_request(state, order, changed);
        let request = self.request.as_ref();
        self.failed
            .take_if(|failed| Some(&failed.request) != request);
        let Some(answered) = &mut self.answered else {
            return false;
        };
        // A customer may remove products and add them again. If the request is
        // then the same to the last byte, its answer applies to them.
        let has_moved = self.request.as_ref() == Some(&answered.request) && answered.ids != ids;
        if has_moved {
            answered.ids = ids.to_vec();
        }
        has_moved
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
            (Some(Request { mut rows, .. }), Some(place)) => {
                *rows.get_mut(place)? = request_row(state, order, place)?;
                rows
            }
            _ => (0..state.lines.len())
                .map(|place| request_row(state, order, place))
                .collect::<Option<_>>()?,
        };
        Some(Request {
            head: coupon_request_head(order, &codes, &subtotals),
            rows,
        })
    }

    /// The discounts that still count, and by line for products with these ids.
    pub(super) fn apply(&self, ids: &[u32]) -> (Rc<DiscountResult>, Vec<Option<Sum>>) {
        let said = self.answered.as_ref();
        let Some(said) = said.filter(|_| !self.codes.is_empty() && !ids.is_empty()) else {
            return Default::default();
        };
        let mut coupons = Rc::clone(&said.answer);
        DiscountResult::take_out(&mut coupons, &said.codes, &self.codes);
        // By `i64` as in `Facts`: a map of another type is more code to load.
        let mut places = BTreeMap::new();
        for (place, id) in ids.iter().enumerate() {
            places.insert(i64::from(*id), place);
        }
        let mut by_line = vec![None; ids.len()];
        let discounts = coupons.by_line(said.ids.len());
        for (id, from_coupons) in said.ids.iter().zip(discounts) {
            let place = places.get(&i64::from(*id));
            if let Some(line) = place.and_then(|place| by_line.get_mut(*place)) {
                *line = from_coupons;
            }
        }
        (coupons, by_line)
    }

    /// The answer to the current request.
    pub(super) fn answer(&self) -> Option<Rc<DiscountResult>> {
        let answered = self.answered.as_ref()?;
        let is_current = self.request.as_ref() == Some(&answered.request);
        is_current.then(|| Rc::clone(&answered.answer))
    }

    /// Whether nothing is left to ask the service about the basket as it is
    /// now, even if its answer is out of date.
    pub(super) fn are_known(&self) -> bool {
        self.codes.is_empty() || self.answer().is_some()
    }

    /// Whether the service has yet to answer the current basket.
    pub(super) fn are_pending(&self) -> bool {
        !self.codes.is_empty() && self.failed.is_none() && self.are_open()
    }

    /// Whether the next call should ask for them.
    pub(super) fn are_wanted(&self) -> bool {
        let rests = self.failed.as_ref().is_some_and(|failed| failed.rests);
        self.request.is_some() && !rests && self.are_open()
    }

    fn are_open(&self) -> bool {
        let is_stale = |answered: &Answered| answered.is_stale;
        self.answer().is_none() || self.answered.as_ref().is_some_and(is_stale)
    }

    /// The last call, if it failed for the current request.
    pub(super) fn failed(&self) -> Option<&FailedCall> {
        self.failed.as_ref().map(|failed| &failed.call)
    }

    /// Begins a call with the current request, and returns its text.
    pub(super) fn ask(&mut self, ids: &[u32]) -> Vec<u8> {
        let request = self.request.clone().unwrap_or_default();
        let mut out = Writer::default();
        out.bytes(request.head.strip_suffix(b"}").unwrap_or_default());
        out.raw(r#","productList":"#)
            .list(&request.rows, |out, row| {
                out.bytes(row);
            });
        out.raw("}");
        self.asked = Some(Asked {
            request,
            codes: self.codes.clone(),
            ids: ids.to_vec(),
        });
        without_lone_surrogates(out.into_bytes())
    }

    /// Whether the call that is out still asks what the basket needs.
    pub(super) fn are_needed(&self) -> bool {
        let asked = self.asked.as_ref().map(|asked| &asked.request);
        asked.is_some() && asked == self.request.as_ref()
    }

    /// Learns the outcome of the call that is out.
    pub(super) fn learn(&mut self, call: u32, answer: Result<Document, Failure>) {
        let Some(asked) = self.asked.take() else {
            return;
        };
        let is_stale = call < self.refreshed;
        match read_coupons(answer, asked.request.rows.len()) {
            Ok(answer) => {
                self.failed = None;
                self.answered = Some(Answered {
                    request: asked.request,
                    codes: asked.codes,
                    ids: asked.ids,
                    answer,
                    is_stale,
                });
            }
            Err(failure) if !is_stale => {
                self.failed = Some(Failed {
                    request: asked.request,
                    call: FailedCall { call, failure },
                    rests: true,
                });
            }
            Err(_) => {}
        }
    }

    /// As [`Fact::refresh`](crate::quote::Fact::refresh).
    pub(super) fn refresh(&mut self, next_call: u32) {
        self.refreshed = next_call;
        self.failed = None;
        if let Some(answered) = &mut self.answered {
            answered.is_stale = true;
        }
    }

    /// As [`Fact::renew`](crate::quote::Fact::renew).
    pub(super) fn renew(&mut self, retryable_only: bool) {
        if let Some(failed) = &mut self.failed
            && (!retryable_only || failed.call.is_retryable())
        {
            failed.rests = false;
        }
    }
}

/// The row as the service sees it: before its own discounts.
fn request_row(state: &State, order: &Order, place: usize) -> Option<Rc<[u8]>> {
    let row = state.lines.get(place)?.row.as_ref()?;
    let row = Row {
        discounted_row_total: row.effective,
        ..row.clone()
    };
    let mut out = Writer::with_capacity(256);
    row.write(&mut out, order, order.fields.products.get(place)?);
    Some(out.into_bytes().into())
}
