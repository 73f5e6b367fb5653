//! The conversation of a calculation or a basket, for JavaScript.

use std::borrow::Cow;
use std::sync::Arc;

use js_sys::{Float64Array, Uint8Array};

use super::{Pricing, Zoning, origin, view, view_of_doubles};
use crate::error::Failure;
use crate::json::{self, Writer};
use crate::quote::{Question, Records};
use crate::rules::Zones;

/// What JavaScript views until the next entry, see [`view`].
#[derive(Debug, Default)]
pub(super) struct Viewed {
    pub(super) bytes: Vec<u8>,
    doubles: Vec<f64>,
}

impl Viewed {
    pub(super) fn bytes(&mut self, bytes: Vec<u8>) -> Uint8Array {
        self.bytes = bytes;
        view(&self.bytes)
    }

    pub(super) fn questions(&mut self, questions: &[Question]) -> Uint8Array {
        let mut out = Writer::with_capacity(1024);
        out.list(questions, |out, question| {
            out.raw("[").integer(question.call.into());
            out.raw(",").word(question.lookup.row().function);
            out.raw(",").integer(question.keys as i64);
            out.raw(",").bytes(&question.argument).raw("]");
        });
        self.bytes(out.into_bytes())
    }

    pub(super) fn cprcodes(&mut self, cprcodes: impl Iterator<Item = i64>) -> Float64Array {
        self.doubles.clear();
        self.doubles.extend(cprcodes.map(|cprcode| cprcode as f64));
        view_of_doubles(&self.doubles)
    }

    pub(super) fn coupon_rows(&mut self, rows: Cow<'_, [u8]>) -> Uint8Array {
        match rows {
            Cow::Borrowed(rows) => view(rows),
            Cow::Owned(rows) => self.bytes(rows),
        }
    }
}

/// The records of an answer; `None` if it has not as many texts as the look-up
/// has keys.
pub(super) fn records(
    text: Option<Vec<u8>>,
    unwritable: bool,
    keys: Option<usize>,
) -> Option<Records> {
    let records = Records {
        texts: text.and_then(|text| json::text(&text)),
        origin: origin(unwritable),
    };
    let is_right = |keys| records.texts.is_none() || records.count() == keys;
    keys.is_none_or(is_right).then_some(records)
}

/// What the pricer has got for a call that asked for its zones. `None`: it does
/// not know yet.
pub(super) fn zones(pricing: &Pricing) -> Option<Result<Arc<Zones>, Failure>> {
    match &pricing.zones {
        Zoning::Known(zones) => Some(Ok(Arc::clone(zones))),
        Zoning::Refused(failure) => Some(Err(failure.clone())),
        Zoning::Unknown => None,
    }
}

/// The entries that ask, of a handle that has an `asker` and `viewed` memory.
macro_rules! asking {
    ($handle:ident) => {
        #[wasm_bindgen]
        impl $handle {
            /// Begins the calls that are needed now, as JSON text, see [`view`]:
            /// `[[call, lookup, keys, argument]]`. `lookup` is the host's
            /// function. `argument` is the whole one but for prices, of which it
            /// is the branch, and for coupons, whose request lacks
            /// `productList`.
            ///
            /// [`view`]: super::view
            pub fn ask(&mut self, with_coupons: bool) -> Uint8Array {
                let questions = self.asker.ask(with_coupons);
                self.viewed.questions(&questions)
            }

            /// The product codes that a call asks for. Every code is exact as a
            /// double (D8).
            pub fn cprcodes(&mut self, call: u32) -> Float64Array {
                let conversation = self.asker.conversation();
                self.viewed.cprcodes(conversation.cprcodes(call))
            }

            /// `productList` of the coupon request, as JSON text.
            #[wasm_bindgen(js_name = couponRows)]
            pub fn coupon_rows(&mut self) -> Uint8Array {
                self.viewed.coupon_rows(self.asker.coupon_rows())
            }
        }
    };
}
pub(super) use asking;

/// The entries that take answers, of a handle that has a `learner`.
macro_rules! learning {
    ($handle:ident) => {
        #[wasm_bindgen]
        impl $handle {
            /// Takes an answer as JSON text. A list look-up answers one text for
            /// each key, separated by NUL: `null` if the host found nothing. The
            /// answer is `undefined` if the host returned no list. `unwritable`:
            /// as in `Pricing.start`. Returns false and takes nothing if there
            /// are not as many texts as keys, because a text is not JSON and
            /// contains a NUL.
            pub fn answer(&mut self, call: u32, text: Option<Vec<u8>>, unwritable: bool) -> bool {
                let keys = self.learner().keys(call);
                let records = conversation::records(text, unwritable, keys);
                let is_right = records.is_some();
                if let Some(records) = records {
                    self.learner().answer(call, Ok(records));
                }
                is_right
            }

            /// Takes the failure of a host function that threw; `message` is the
            /// message of the thrown value, if it has one (D41), and `is_final`
            /// whether another try is in vain.
            pub fn fail(&mut self, call: u32, message: Option<String>, is_final: bool) {
                let failure = Failure::thrown(message, is_final);
                self.learner().answer(call, Err(failure));
            }

            /// Takes the failure of a function that the host does not supply.
            pub fn missing(&mut self, call: u32) {
                self.learner().answer(call, Err(Failure::NotSupplied));
            }

            /// Takes the failure of a call that did not answer in time.
            pub fn late(&mut self, call: u32, deadline_ms: u32) {
                self.learner().answer(call, Err(Failure::Late(deadline_ms)));
            }
        }
    };
}
pub(super) use learning;
