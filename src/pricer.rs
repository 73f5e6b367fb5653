//! The driver of a calculation: takes its questions to a host and brings back
//! the answers.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::certain::{Certain, impossible};
use crate::error::{Error, Failure};
use crate::explain::Sink;
use crate::host::Host;
use crate::json::{Origin, shown};
use crate::lookup::Lookup;
use crate::options::{Input, Limits, Policy};
use crate::quote::{Calculation, Draft, Next, Priced, Question, Records};
use crate::rules::Zones;

/// Prices orders. One serves all threads; make another for other zones.
#[derive(Clone, Debug, Default)]
pub struct Pricer {
    /// The delivery zones of every branch; none by default.
    pub zones: Arc<Zones>,
    /// Which rules apply.
    pub policy: Policy,
    /// The limits on an order's size.
    pub limits: Limits,
    /// Which types an order's values may have (D49).
    pub input: Input,
}

impl Pricer {
    /// Prices an order, a JSON object in UTF-8, with the facts of a host. Returns
    /// the same order with its prices, fees, discounts and totals, as JSON text.
    ///
    /// Of several failures it reports the first in the order of D42, as soon as
    /// nothing open can fail before it. It then drops the other look-ups, as it
    /// does when it is dropped itself: a caller may give an order a time limit.
    pub async fn price(&self, order: &[u8], host: &impl Host) -> Result<Vec<u8>, Error> {
        let priced = self.calculate(order, host, &mut ()).await?;
        Ok(priced.write())
    }

    /// As [`price`](Self::price), before the response is written. `sink` hears of
    /// each step that leads to the total; a [`Recorder`](crate::Recorder) makes
    /// a ledger of them, and `()` drops them.
    pub async fn calculate(
        &self,
        order: &[u8],
        host: &impl Host,
        sink: &mut (dyn Sink + Send),
    ) -> Result<Priced, Error> {
        let origin = match self.input {
            Input::Strict => Origin::Wire,
            Input::Lenient => Origin::Lenient,
        };
        let draft = Draft::read(order, origin, &self.limits)?;
        let zones = Arc::clone(&self.zones);
        let mut calculation = Calculation::new(draft, Some(zones), self.policy);
        let mut calls = Vec::new();
        loop {
            let questions = calculation.ask(true).into_iter();
            calls.extend(questions.map(|question| Call::begin(question, &calculation, host)));
            let next = calculation.advance(sink);
            match next.map_err(|problem| problem.error)? {
                Next::Ask => {}
                Next::Wait => {
                    let (call, answer) = first_answer(&mut calls).await;
                    calculation.answer(call, answer);
                }
                Next::Done => return Ok(calculation.into_priced().certain()),
            }
        }
    }
}

/// The result of a future that never waits; `None`: it does. A host that answers
/// at once needs no runtime.
pub fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

type Answer = Result<Records, Failure>;

/// A call that is out.
struct Call<'a> {
    number: u32,
    answer: Pin<Box<dyn Future<Output = Answer> + Send + 'a>>,
}

impl<'a> Call<'a> {
    fn begin(question: Question, calculation: &Calculation, host: &'a impl Host) -> Self {
        let number = question.call;
        let mut keys = calculation.conversation().keys_of(number).peekable();
        let text = keys.peek().map(|key| Arc::clone(&key.text));
        let text = text.unwrap_or_default();
        Self {
            number,
            answer: match question.lookup {
                Lookup::Prices => {
                    let cprcodes = Vec::from_iter(keys.map(|key| key.number));
                    Box::pin(in_time(host, async move {
                        host.lookup_prices(&text, &cprcodes).await
                    }))
                }
                Lookup::NationwideRate(mode) => Box::pin(in_time(host, async move {
                    let rate = host.nationwide_rate(&text, mode).await?;
                    Ok(Records::one(rate))
                })),
                Lookup::Vouchers => {
                    let ids = Vec::from_iter(keys.map(|key| shown(&key.text).into_owned()));
                    Box::pin(in_time(
                        host,
                        async move { host.lookup_vouchers(&ids).await },
                    ))
                }
                Lookup::Coupons => {
                    let request = question.coupon_request(&calculation.coupon_rows());
                    Box::pin(in_time(host, async move {
                        let answer = host.validate_coupons(&request).await?;
                        Ok(Records::one(Some(answer)))
                    }))
                }
                // The pricer has them.
                Lookup::Zones => impossible(),
            },
        }
    }
}

/// The answer of a look-up, unless it is late.
async fn in_time(host: &impl Host, answer: impl Future<Output = Answer>) -> Answer {
    let (mut answer, mut deadline) = (pin!(answer), pin!(host.deadline()));
    poll_fn(|context| match answer.as_mut().poll(context) {
        Poll::Pending => {
            let late = deadline.as_mut().poll(context);
            late.map(|ms| Err(Failure::Late(ms)))
        }
        answer => answer,
    })
    .await
}

/// The number of the call that answers first, and its answer.
async fn first_answer(calls: &mut Vec<Call<'_>>) -> (u32, Answer) {
    poll_fn(|context| {
        let mut calls_out = calls.iter_mut().enumerate();
        let first = calls_out.find_map(|(place, call)| match call.answer.as_mut().poll(context) {
            Poll::Ready(answer) => Some((place, call.number, answer)),
            Poll::Pending => None,
        });
        let Some((place, number, answer)) = first else {
            return Poll::Pending;
        };
        calls.remove(place);
        Poll::Ready((number, answer))
    })
    .await
}
