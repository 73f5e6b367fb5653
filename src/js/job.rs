//! One calculation as JavaScript drives it.

use std::mem;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::basket::Learner;
use super::host::{self, Thrown};
use super::{error, lent, origin, rows};
use crate::error::{Error, Failure};
use crate::explain::Recorder;
use crate::facts::Facts;
use crate::json::{self, Document, Origin};
use crate::lookup::{Lookup, NationwideMode};
use crate::options::Policy;
use crate::priced::Priced;
use crate::quote::{Planned, Resolved, Unresolved};
use crate::records::Records;

/// What a job wants next.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// That the host is called.
    Call,
    /// Answers of the calls that were made.
    Answers,
    /// That the response is taken.
    Response,
}

/// One calculation. Each call of the host has a slot, by which its answer
/// comes back.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Job {
    policy: Policy,
    stage: Stage,
    slots: Vec<Slot>,
    coupons: Option<Result<Document, Failure>>,
    /// The basket that is settled, if it is one.
    learner: Option<Learner>,
    /// Keeps the steps, if they are asked for.
    recorder: Option<Recorder>,
    /// What was lent last.
    written: Vec<u8>,
}

#[derive(Debug)]
enum Stage {
    Planned(Box<Planned>),
    Resolved(Box<Resolved>),
    Priced(Box<Priced>),
    Over,
}

/// A call of the host.
#[derive(Debug)]
struct Slot {
    question: Question,
    /// How many records it owes.
    keys: usize,
    /// What it threw, if it did.
    cause: Option<JsValue>,
}

#[derive(Clone, Copy, Debug)]
enum Question {
    Prices,
    Rate(NationwideMode),
    Vouchers,
    Coupons,
}

impl Question {
    fn lookup(self) -> Lookup {
        match self {
            Self::Prices => Lookup::Prices,
            Self::Rate(_) => Lookup::NationwideRate,
            Self::Vouchers => Lookup::Vouchers,
            Self::Coupons => Lookup::Coupons,
        }
    }
}

/// What has come of a call.
enum Answer {
    List(Records),
    One(Document),
    Failed(Failure),
}

#[wasm_bindgen]
impl Job {
    /// Calls the host with everything that can be asked now. Gives what the
    /// callbacks returned as `{slot, keys, value}`, where `keys` is how many
    /// records a list look-up owes and 0 for the others. What threw or is
    /// missing is in the job already.
    pub fn call(&mut self, host: &JsValue, context: &JsValue) -> Result<Array, JsValue> {
        let returned = Array::new();
        for (question, keys, argument) in self.questions()? {
            let slot = self.slots.len();
            let lookup = question.lookup();
            self.slots.push(Slot {
                question,
                keys,
                cause: None,
            });
            let outcome = host::call(host, lookup, &argument, context, &returned, (slot, keys));
            if let Err(thrown) = outcome {
                self.take_thrown(slot, thrown);
            }
        }
        Ok(returned)
    }

    /// Takes the answer of a list look-up as JSON texts with a NUL between
    /// them, `null` where nothing was found; `undefined`: it is no list.
    /// `unwritable`: as in `Pricing.start`. False: there are not as many texts as
    /// keys, because one holds a NUL itself, and nothing was taken.
    #[wasm_bindgen(js_name = answerList)]
    pub fn answer_list(&mut self, slot: usize, texts: Option<Vec<u8>>, unwritable: bool) -> bool {
        let records = Records {
            texts: texts.and_then(|texts| json::text(&texts)),
            origin: origin(unwritable),
        };
        let keys = self.slots.get(slot).map(|slot| slot.keys);
        if records.texts.is_some() && keys.is_some_and(|keys| records.count() != keys) {
            return false;
        }
        self.take(slot, Answer::List(records));
        true
    }

    /// Takes any other answer as JSON text.
    pub fn answer(&mut self, slot: usize, answer: Vec<u8>, unwritable: bool) {
        self.take(
            slot,
            Answer::One(Document {
                text: json::text(&answer).unwrap_or_default(),
                origin: origin(unwritable),
            }),
        );
    }

    /// Takes what a call rejected with.
    pub fn fail(&mut self, slot: usize, thrown: JsValue) {
        self.take_thrown(slot, host::threw(thrown));
    }

    /// A call has not answered in time.
    pub fn late(&mut self, slot: usize, deadline_ms: u32) {
        self.take(slot, Answer::Failed(Failure::Late(deadline_ms)));
    }

    /// Goes on as far as the answers reach; throws where the order cannot be
    /// priced.
    pub fn advance(&mut self) -> Result<Next, JsValue> {
        match mem::replace(&mut self.stage, Stage::Over) {
            Stage::Planned(planned) => self.resolve(*planned),
            Stage::Resolved(resolved) => self.settle(*resolved),
            over => {
                self.stage = over;
                Ok(Next::Response)
            }
        }
    }

    /// The response as JSON text, see [`lent`].
    pub fn response(&mut self) -> Uint8Array {
        let Stage::Priced(priced) = &self.stage else {
            return lent(&[]);
        };
        self.written = match self.recorder.take() {
            Some(recorder) => recorder.into_response(priced),
            None => priced.write(),
        };
        lent(&self.written)
    }

    /// The response as JSON text but for its rows, which [`Job::rows`] has: its
    /// `productList` is `null`. See [`lent`].
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
    pub(super) fn new(planned: Planned, policy: Policy, learner: Option<Learner>) -> Self {
        Self {
            policy,
            stage: Stage::Planned(Box::new(planned)),
            slots: Vec::new(),
            coupons: None,
            learner,
            recorder: None,
            written: Vec::new(),
        }
    }

    /// The same job, whose response says how it came about.
    pub(super) fn explained(self, recorder: Recorder) -> Self {
        Self {
            recorder: Some(recorder),
            ..self
        }
    }

    /// What is asked in this wave: the question, how many keys it has and its
    /// argument.
    fn questions(&self) -> Result<Vec<(Question, usize, JsValue)>, JsValue> {
        match &self.stage {
            Stage::Planned(planned) => {
                let lookups = planned.lookups();
                let mut questions = Vec::new();
                // A live basket may know every price already.
                if !lookups.cprcodes.is_empty() {
                    questions.push((
                        Question::Prices,
                        lookups.cprcodes.len(),
                        host::price_keys(lookups),
                    ));
                }
                for mode in &lookups.nationwide_modes {
                    questions.push((Question::Rate(*mode), 0, host::rate_query(lookups, *mode)?));
                }
                if !lookups.voucher_ids.is_empty() {
                    questions.push((
                        Question::Vouchers,
                        lookups.voucher_ids.len(),
                        host::voucher_ids(lookups),
                    ));
                }
                Ok(questions)
            }
            Stage::Resolved(resolved) => match resolved.coupon_request() {
                Some(request) => Ok(vec![(
                    Question::Coupons,
                    0,
                    host::coupon_request(&request)?,
                )]),
                None => Ok(Vec::new()),
            },
            Stage::Priced(_) | Stage::Over => Ok(Vec::new()),
        }
    }

    fn take_thrown(&mut self, slot: usize, thrown: Thrown) {
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.cause = thrown.cause;
        }
        self.take(slot, Answer::Failed(thrown.failure));
    }

    fn take(&mut self, slot: usize, answer: Answer) {
        match (
            &mut self.stage,
            self.slots.get(slot).map(|slot| slot.question),
        ) {
            (Stage::Planned(planned), Some(Question::Prices)) => {
                let answer = answer.list();
                learn(&self.learner, &answer, |facts, records| {
                    facts.learn_prices(planned.lookups(), records)
                });
                planned.answer_prices(answer)
            }
            (Stage::Planned(planned), Some(Question::Rate(mode))) => {
                let answer = answer.one();
                learn(&self.learner, &answer, |facts, rate| {
                    facts.learn_rate(planned.lookups(), mode, rate)
                });
                planned.answer_rate(mode, answer)
            }
            (Stage::Planned(planned), Some(Question::Vouchers)) => {
                let answer = answer.list();
                learn(&self.learner, &answer, |facts, records| {
                    facts.learn_vouchers(planned.lookups(), records)
                });
                planned.answer_vouchers(answer)
            }
            (Stage::Resolved(_), Some(Question::Coupons)) => self.coupons = Some(answer.one()),
            // An answer to a wave that is over.
            _ => {}
        }
    }

    fn resolve(&mut self, planned: Planned) -> Result<Next, JsValue> {
        let outcome = match &mut self.recorder {
            Some(recorder) => planned.resolve(&self.policy, recorder),
            None => planned.resolve(&self.policy, &mut ()),
        };
        match outcome {
            Ok(resolved) if resolved.asks_coupons() => {
                let learner = self.learner.as_ref();
                if let Some(known) = learner.and_then(|learner| learner.known_coupons(&resolved)) {
                    return self.finish(resolved, Some(Ok(known)));
                }
                self.stage = Stage::Resolved(Box::new(resolved));
                Ok(Next::Call)
            }
            Ok(resolved) => self.finish(resolved, None),
            Err(Unresolved::Waiting(planned)) => {
                self.stage = Stage::Planned(planned);
                Ok(Next::Answers)
            }
            Err(Unresolved::Failed(failure)) => Err(self.thrown(failure)),
        }
    }

    fn settle(&mut self, resolved: Resolved) -> Result<Next, JsValue> {
        match self.coupons.take() {
            Some(answer) => {
                let said = self
                    .learner
                    .as_ref()
                    .and_then(|_| Learner::said(&resolved, &answer));
                let next = self.finish(resolved, Some(answer))?;
                if let (Some(learner), Some(said)) = (&self.learner, said) {
                    learner.learn_coupons(said);
                }
                Ok(next)
            }
            None => {
                self.stage = Stage::Resolved(Box::new(resolved));
                Ok(Next::Answers)
            }
        }
    }

    fn finish(
        &mut self,
        resolved: Resolved,
        coupons: Option<Result<Document, Failure>>,
    ) -> Result<Next, JsValue> {
        let outcome = match &mut self.recorder {
            Some(recorder) => resolved.settle(coupons, &self.policy, recorder),
            None => resolved.settle(coupons, &self.policy, &mut ()),
        };
        let priced = outcome.map_err(|failure| self.thrown(failure))?;
        self.stage = Stage::Priced(Box::new(priced));
        Ok(Next::Response)
    }

    /// The error with what the look-up threw, of several rates the first
    /// (D42).
    fn thrown(&self, failure: Error) -> JsValue {
        let cause = match &failure {
            Error::LookupFailed(lookup, Failure::Threw(_)) => {
                let of_lookup = self
                    .slots
                    .iter()
                    .filter(|slot| slot.question.lookup() == *lookup);
                of_lookup.filter_map(|slot| slot.cause.clone()).next()
            }
            _ => None,
        };
        error::to_js_with_cause(failure, cause.unwrap_or(JsValue::UNDEFINED))
    }
}

fn learn<T>(
    learner: &Option<Learner>,
    answer: &Result<T, Failure>,
    learn: impl FnOnce(&mut Facts, &T),
) {
    if let Some(learner) = learner {
        learner.learn(answer, learn);
    }
}

impl Answer {
    fn list(self) -> Result<Records, Failure> {
        match self {
            Self::List(records) => Ok(records),
            // Refused as no list.
            Self::One(answer) => Ok(Records {
                texts: None,
                origin: answer.origin,
            }),
            Self::Failed(failure) => Err(failure),
        }
    }

    fn one(self) -> Result<Document, Failure> {
        match self {
            Self::One(document) => Ok(document),
            // Not a single answer: refused as no JSON.
            Self::List(_) => Ok(Document {
                text: String::new(),
                origin: Origin::Wire,
            }),
            Self::Failed(failure) => Err(failure),
        }
    }
}
