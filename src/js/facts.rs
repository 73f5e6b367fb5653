//! The handle of a fact store for JavaScript: what the host has answered to
//! baskets, and the calls that are out.

use std::cell::{RefCell, RefMut};
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::conversation::{self, Viewed, learning};
use super::{Pricing, error};
use crate::error::Failure;
use crate::quote::Conversation;

/// A fact store. Times are in ms since 1970.
#[wasm_bindgen]
#[derive(Debug)]
pub struct FactsHandle {
    pub(super) conversation: Rc<RefCell<Conversation>>,
    viewed: Viewed,
}

learning!(FactsHandle);

#[wasm_bindgen]
impl FactsHandle {
    /// An empty store; `max_age`: for how many ms answers count.
    #[wasm_bindgen(constructor)]
    pub fn new(max_age: f64) -> Self {
        Self {
            conversation: Rc::new(RefCell::new(Conversation::lasting(max_age))),
            viewed: Viewed::default(),
        }
    }

    /// Reads a price or a rate, as JSON text; `kind` and `name` are its keys in
    /// the package's `Facts`. A wrong one withdraws all.
    pub fn offer(
        &mut self,
        kind: &str,
        name: &str,
        record: &[u8],
        unwritable: bool,
        at: f64,
    ) -> Result<(), JsValue> {
        let record = super::document(record, super::origin(unwritable))?;
        let offered = self.learner().offer(kind, name, &record, at);
        offered.map_err(error::to_js)
    }

    /// Takes all that was offered.
    #[wasm_bindgen(js_name = takeOffers)]
    pub fn take_offers(&mut self, now: f64) {
        self.learner().take_offers(now);
    }

    /// All known prices and rates, as JSON text: `[[kind, name, text, at]]`, see
    /// [`view`].
    ///
    /// [`view`]: super::view
    pub fn known(&mut self) -> Uint8Array {
        let known = self.learner().known();
        self.viewed.bytes(known)
    }

    /// Forgets what the host has answered.
    pub fn clear(&mut self) {
        self.learner().clear();
    }

    /// Asks again for everything that no basket names.
    pub fn refresh(&mut self) {
        self.learner().refresh_all(&[]);
    }

    /// Follows the time. Returns when the next fact will be too old, see
    /// [`Conversation::tick`].
    pub fn tick(&mut self, now: f64) -> f64 {
        self.learner().tick(now)
    }

    /// Forgets what no basket names, the oldest first, beyond so many facts.
    pub fn limit(&mut self, most: usize) {
        self.learner().limit(most);
    }

    /// The facts that have changed since the last call, as `BasketHandle.names`
    /// names them.
    pub fn news(&mut self) -> Vec<u32> {
        places(&self.learner().take_news())
    }

    /// The calls whose failures are a problem of some basket.
    #[wasm_bindgen(js_name = failedCalls)]
    pub fn failed_calls(&mut self) -> Vec<u32> {
        self.learner().failed_calls()
    }

    /// Takes what the pricer has got for a call that asked for its zones. The
    /// baskets take the zones themselves.
    #[wasm_bindgen(js_name = answerZones)]
    pub fn answer_zones(&mut self, call: u32, pricing: &Pricing) {
        match conversation::zones(pricing) {
            Some(Ok(_)) => self.learner().end(call),
            Some(Err(failure)) => _ = self.learner().answer(call, Err(failure)),
            None => {}
        }
    }

    /// The calls of which no basket needs anything any more. Their answers are
    /// dropped.
    pub fn useless(&mut self) -> Vec<u32> {
        self.learner().useless()
    }

    /// Forgets all calls. Their answers are dropped.
    #[wasm_bindgen(js_name = forgetCalls)]
    pub fn forget_calls(&mut self) {
        self.learner().forget_calls();
    }
}

/// The places of facts, as JavaScript has them.
pub(super) fn places(places: &[usize]) -> Vec<u32> {
    places.iter().map(|place| *place as u32).collect()
}

impl FactsHandle {
    fn learner(&mut self) -> RefMut<'_, Conversation> {
        self.conversation.borrow_mut()
    }
}
