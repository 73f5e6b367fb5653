//! One calculation, which JavaScript drives. The module hands its questions out
//! and takes the answers as data; it calls nothing.

use std::borrow::Cow;
use std::mem;
use std::rc::Rc;

use js_sys::{Float64Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{Pricing, Zoning, error, lent, records, rows};
use crate::error::{Error, Failure};
use crate::explain::{Recorder, Sink};
use crate::json::{self, Writer, members};
use crate::lookup::Lookup;
use crate::options::Policy;
use crate::quote::{Planned, Priced, Records, Resolved};
use crate::rules::DiscountResult;

/// The next task of the job's driver.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask the job's questions.
    Ask,
    /// Wait for answers.
    Wait,
    /// Take the response.
    Done,
}

/// One calculation; the next one may reuse the job. Every question has a slot,
/// its index in [`Lookup::ALL`], and its answer comes back with that slot.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Job {
    policy: Policy,
    stage: Stage,
    coupons: Option<Result<Rc<DiscountResult>, Error>>,
    /// Keeps the steps, if the caller wants them.
    recorder: Recorder,
    /// The bytes that are lent to JavaScript.
    written: Vec<u8>,
    cprcodes: Vec<f64>,
}

#[derive(Debug, Default)]
enum Stage {
    Planned(Box<Planned>),
    Resolved(Box<Resolved>),
    Priced(Box<Priced>),
    #[default]
    Over,
}

#[wasm_bindgen]
impl Job {
    /// An empty job; `Pricing.start` gives it an order.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// The product codes whose prices must be looked up, see [`lent`]. Every
    /// code is exact as a double (D8).
    pub fn cprcodes(&mut self) -> Float64Array {
        self.cprcodes.clear();
        if let Stage::Planned(planned) = &self.stage {
            let asked = planned.cprcodes();
            self.cprcodes.extend(asked.map(|cprcode| cprcode as f64));
        }
        super::lent_doubles(&self.cprcodes)
    }

    /// How many lines, vouchers, coupon codes and schedules the order lists.
    pub fn counts(&self) -> Vec<u32> {
        match &self.stage {
            Stage::Planned(planned) => planned.order().counts().to_vec(),
            _ => Vec::new(),
        }
    }

    /// The other questions before the coupons, as JSON text, see [`lent`]:
    /// `{branchId, shippingPostcode, nationwideModes, voucherIds, needsZones}`.
    pub fn questions(&mut self) -> Uint8Array {
        let Stage::Planned(planned) = &self.stage else {
            return lent(&[]);
        };
        let mut out = Writer::with_capacity(256);
        members!(out.raw, {
            "branchId": raw(planned.order().branch_id_json()),
            "shippingPostcode": raw(planned.order().shipping_postcode_json()),
            "nationwideModes": list(planned.nationwide_modes(), |out, mode| _ = out.word(mode.word())),
            "voucherIds": list(planned.voucher_ids_json(), |out, id| _ = out.raw(id)),
            "needsZones": boolean(planned.needs_zones())
        });
        self.written = json::without_lone_surrogates(out.into_bytes());
        lent(&self.written)
    }

    /// The coupon request without its products, as JSON text; see [`lent`].
    #[wasm_bindgen(js_name = couponHead)]
    pub fn coupon_head(&mut self) -> Uint8Array {
        if let Stage::Resolved(resolved) = &self.stage {
            self.written = resolved.coupon_head();
        }
        lent(&self.written)
    }

    /// The products of the coupon request, as JSON text; see [`lent`].
    #[wasm_bindgen(js_name = couponRows)]
    pub fn coupon_rows(&mut self) -> Uint8Array {
        let Stage::Resolved(resolved) = &self.stage else {
            return lent(&[]);
        };
        match resolved.coupon_rows() {
            Some(Cow::Borrowed(rows)) => lent(rows),
            Some(Cow::Owned(rows)) => {
                self.written = rows;
                lent(&self.written)
            }
            None => lent(&[]),
        }
    }

    /// Takes an answer as JSON text. A list look-up answers one text for each
    /// key, separated by NUL: `null` if the host found nothing. The answer is
    /// `undefined` if the host returned no list. `unwritable`: as in
    /// `Pricing.start`. Returns false and takes nothing if there are not as
    /// many texts as keys, because a text is not JSON and contains a NUL.
    pub fn answer(&mut self, slot: usize, text: Option<Vec<u8>>, unwritable: bool) -> bool {
        let records = records(text, unwritable, self.keys(slot));
        let is_right = records.is_some();
        if let Some(records) = records {
            self.take(slot, Ok(records));
        }
        is_right
    }

    /// Takes the delivery zones of the pricer, or why they are refused.
    #[wasm_bindgen(js_name = answerZones)]
    pub fn answer_zones(&mut self, pricing: &Pricing) {
        let Stage::Planned(planned) = &mut self.stage else {
            return;
        };
        match &pricing.zones {
            Zoning::Known(zones) => {
                planned.answer_zones(zones);
                planned.report_zones(zones, &mut self.recorder);
            }
            Zoning::Refused(failure) => planned.answer(Lookup::Zones, Err(failure.clone())),
            Zoning::Unknown => {}
        }
    }

    /// Takes the failure of a host function that threw; `message` is the
    /// message of the thrown value, if it has one (D41), and `is_final` whether
    /// another try is in vain.
    pub fn fail(&mut self, slot: usize, message: Option<String>, is_final: bool) {
        self.take(slot, Err(Failure::thrown(message, is_final)));
    }

    /// Takes the failure of a function that the host does not supply.
    pub fn missing(&mut self, slot: usize) {
        self.take(slot, Err(Failure::NotSupplied));
    }

    /// Takes the failure of a call that did not answer in time.
    pub fn late(&mut self, slot: usize, deadline_ms: u32) {
        self.take(slot, Err(Failure::Late(deadline_ms)));
    }

    /// Continues as far as the answers allow; throws if the order cannot be
    /// priced.
    pub fn advance(&mut self) -> Result<Next, JsValue> {
        let next = match mem::take(&mut self.stage) {
            Stage::Planned(planned) => self.resolve(*planned),
            Stage::Resolved(resolved) => self.price(*resolved),
            over => {
                self.stage = over;
                Ok(Next::Done)
            }
        };
        next.map_err(error::to_js)
    }

    /// The response as JSON text, see [`lent`].
    pub fn response(&mut self) -> Uint8Array {
        let Stage::Priced(priced) = &self.stage else {
            return lent(&[]);
        };
        self.written = if self.recorder.is_kept() {
            priced.write_explained(mem::take(&mut self.recorder))
        } else {
            priced.write()
        };
        lent(&self.written)
    }

    /// The response as JSON text with `null` as `productList`, see [`lent`];
    /// [`Job::rows`] returns the rows.
    #[wasm_bindgen(js_name = withoutRows)]
    pub fn without_rows(&mut self) -> Uint8Array {
        let Stage::Priced(priced) = &self.stage else {
            return lent(&[]);
        };
        self.written = priced.write_without_rows();
        lent(&self.written)
    }

    /// The rows of the response as numbers, see [`rows::columns`].
    pub fn rows(&self) -> Vec<f64> {
        match &self.stage {
            Stage::Priced(priced) => rows::columns(priced),
            _ => Vec::new(),
        }
    }
}

impl Job {
    /// Drops the last calculation, so that the next one can use its memory.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Begins to price an order.
    pub(super) fn begin(&mut self, planned: Planned, policy: Policy, recorder: Recorder) {
        *self = Self {
            policy,
            stage: Stage::Planned(Box::new(planned)),
            recorder,
            ..Self::default()
        };
    }

    /// The number of records that a list look-up must answer.
    fn keys(&self, slot: usize) -> Option<usize> {
        match (&self.stage, Lookup::ALL.get(slot)?) {
            (Stage::Planned(planned), Lookup::Prices) => Some(planned.cprcodes().count()),
            (Stage::Planned(planned), Lookup::Vouchers) => Some(planned.voucher_ids_json().count()),
            _ => None,
        }
    }

    fn take(&mut self, slot: usize, answer: Result<Records, Failure>) {
        let Some(lookup) = Lookup::ALL.get(slot).copied() else {
            return;
        };
        match (&mut self.stage, lookup) {
            (Stage::Planned(planned), _) => planned.answer(lookup, answer),
            (Stage::Resolved(resolved), Lookup::Coupons) => {
                self.coupons = Some(resolved.read_coupons(answer.map(Records::into_document)));
            }
            // Drops an answer to a wave that is over.
            _ => {}
        }
    }

    fn resolve(&mut self, planned: Planned) -> Result<Next, Error> {
        match planned.resolve(&self.policy, &mut self.recorder)? {
            Ok(resolved) if resolved.asks_coupons() => {
                self.stage = Stage::Resolved(Box::new(resolved));
                Ok(Next::Ask)
            }
            Ok(resolved) => self.finish(resolved, None),
            Err(waiting) => {
                self.stage = Stage::Planned(waiting);
                Ok(Next::Wait)
            }
        }
    }

    fn price(&mut self, resolved: Resolved) -> Result<Next, Error> {
        let Some(coupons) = self.coupons.take() else {
            self.stage = Stage::Resolved(Box::new(resolved));
            return Ok(Next::Wait);
        };
        self.finish(resolved, Some(coupons?))
    }

    fn finish(
        &mut self,
        resolved: Resolved,
        coupons: Option<Rc<DiscountResult>>,
    ) -> Result<Next, Error> {
        let priced = resolved.price(coupons, &self.policy, &mut self.recorder)?;
        self.stage = Stage::Priced(Box::new(priced));
        Ok(Next::Done)
    }
}
