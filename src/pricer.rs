//! The driver of a calculation: takes its questions to a host and brings back
//! the answers.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use crate::certain::Certain;
use crate::error::Error;
use crate::explain::Sink;
use crate::host::{Answer, Call, Host, ask};
use crate::json::Origin;
use crate::options::{Input, Limits, Policy};
use crate::quote::{Calculation, Draft, Next, Priced};
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
            calls.extend(questions.map(|question| ask(question, &calculation, host)));
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
