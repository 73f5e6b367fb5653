//! One calculation, which JavaScript drives. The module hands its questions out
//! and takes the answers as data; it calls nothing.

use std::mem;

use js_sys::{Float64Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::conversation::{self, Viewed, asking, learning};
use super::{FactsHandle, Pricing, ShelfHandle, error, rows, view};
use crate::error::Failure;
use crate::explain::{Recorder, Sink};
use crate::quote::{Calculation, Conversation, Next, Priced};

/// The next task of the job's driver.
#[wasm_bindgen(js_name = Next)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Ask the job's questions.
    Ask,
    /// Wait for answers.
    Wait,
    /// Take the response.
    Done,
}

/// One calculation; the next one may reuse the job.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Job {
    asker: Calculation,
    /// Keeps the steps, if the caller wants them.
    recorder: Recorder,
    viewed: Viewed,
}

asking!(Job);
learning!(Job);

#[wasm_bindgen]
impl Job {
    /// An empty job; `Pricing.start` gives it an order.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many lines, vouchers, coupon codes and schedules the order lists.
    pub fn counts(&self) -> Vec<u32> {
        self.asker.counts().to_vec()
    }

    /// The coupon codes of an order that is not priced yet, see [`view`].
    #[wasm_bindgen(js_name = couponCodes)]
    pub fn coupon_codes(&mut self) -> Uint8Array {
        self.viewed.bytes(self.asker.coupon_codes())
    }

    /// Takes what the pricer has got for a call that asked for its zones.
    #[wasm_bindgen(js_name = answerZones)]
    pub fn answer_zones(&mut self, call: u32, pricing: &Pricing) {
        if let Some(zones) = conversation::zones(pricing) {
            self.asker.answer_zones(call, zones);
        }
    }

    /// Follows the time, in ms since 1970: a store is told when it got what.
    pub fn tick(&mut self, now: f64) {
        self.learner().tick(now);
    }

    /// Takes the prices that a version on a shelf has. Returns how many.
    pub fn stock(&mut self, shelf: &ShelfHandle, version: &str) -> u32 {
        self.asker.stock(&shelf.shelf, version)
    }

    /// Takes what a store knows, with or without its vouchers.
    pub fn recall(&mut self, facts: &FactsHandle, with_vouchers: bool) {
        self.asker
            .recall(&mut facts.conversation.borrow_mut(), with_vouchers);
    }

    /// Tells the store what the host has answered.
    pub fn tell(&self, facts: &FactsHandle) {
        self.asker.tell(&mut facts.conversation.borrow_mut());
    }

    /// Continues as far as the answers allow; throws if the order cannot be
    /// priced.
    pub fn advance(&mut self) -> Result<Task, JsValue> {
        match self.asker.advance(&mut self.recorder) {
            Ok(Next::Ask) => Ok(Task::Ask),
            Ok(Next::Wait) => Ok(Task::Wait),
            Ok(Next::Done) => Ok(Task::Done),
            Err(problem) => Err(error::to_js(problem)),
        }
    }

    /// The response as JSON text, see [`view`].
    pub fn response(&mut self) -> Uint8Array {
        let Some(priced) = self.asker.priced() else {
            return view(&[]);
        };
        self.viewed.bytes(if self.recorder.is_kept() {
            priced.write_explained(mem::take(&mut self.recorder))
        } else {
            priced.write()
        })
    }

    /// The response as JSON text with `null` as `productList`, see [`view`];
    /// [`Job::rows`] returns the rows.
    #[wasm_bindgen(js_name = withoutRows)]
    pub fn without_rows(&mut self) -> Uint8Array {
        let text = self.asker.priced().map(Priced::write_without_rows);
        self.viewed.bytes(text.unwrap_or_default())
    }

    /// The rows of the response as numbers, see [`rows::columns`].
    pub fn rows(&self) -> Vec<f64> {
        self.asker.priced().map_or_else(Vec::new, rows::columns)
    }
}

impl Job {
    fn learner(&mut self) -> &mut Conversation {
        self.asker.conversation_mut()
    }

    /// Drops the last calculation, so that the next one can use its memory.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Begins to price an order.
    pub(super) fn begin(&mut self, calculation: Calculation, recorder: Recorder) {
        self.asker = calculation;
        self.recorder = recorder;
    }
}
