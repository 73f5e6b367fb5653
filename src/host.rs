//! What the calculation asks a shop for, and how a question becomes a call.

use std::future::{pending, poll_fn, ready};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use crate::certain::impossible;
use crate::error::Failure;
use crate::json::shown;
use crate::lookup::{Lookup, NationwideMode};
use crate::quote::{Calculation, Question, Records};

/// The functions that know a shop's data. Implement only those that your orders
/// use: an order that needs another one fails, `The host does not supply …`.
///
/// Records are JSON texts, so that their numbers stay exact: money in THB,
/// weights in kg. A wrong record fails its own order (D44). All look-ups of an
/// order run at once; only `validate_coupons` waits for the others. A look-up
/// whose answer no longer matters is dropped.
///
/// A look-up fails with a [`Failure`], such as
/// `Failure::Threw(Some("Prices are down".to_owned()))`. Clients read the
/// message: it should hold nothing that is only yours, such as an address.
#[allow(unused_variables, reason = "a function that a host does not supply")]
pub trait Host: Sync {
    /// The price records of these products at this branch, in the same sequence;
    /// `None`: the branch does not sell the product. No product is repeated.
    ///
    /// A record has a `price`, and may have an `originalPrice`, a `settlementPrice`,
    /// a `weight` and `isControlledProduct`: `{"price": 231, "originalPrice": 255, "weight": 5}`.
    fn lookup_prices(
        &self,
        branch_id: &str,
        cprcodes: &[i64],
    ) -> impl Future<Output = Result<Records, Failure>> + Send {
        ready(Err(Failure::NotSupplied))
    }

    /// The fee of a nationwide parcel to this postcode, perhaps with a
    /// `nationwideConfig`, a text that the response repeats (D36):
    /// `{"deliveryFee": 80}`; `None`: nothing is sent there. It is asked once for
    /// each mode.
    fn nationwide_rate(
        &self,
        postcode: &str,
        mode: NationwideMode,
    ) -> impl Future<Output = Result<Option<String>, Failure>> + Send {
        ready(Err(Failure::NotSupplied))
    }

    /// What the order's coupons are worth. `request` is a JSON object of codes,
    /// priced products and totals (D25); the answer is one of `discounts` and
    /// `failedCoupons` (D26). Asked only if the order has coupons and all else
    /// is known.
    fn validate_coupons(
        &self,
        request: &str,
    ) -> impl Future<Output = Result<String, Failure>> + Send {
        ready(Err(Failure::NotSupplied))
    }

    /// The records of these vouchers, in the same sequence; `None`: there is no
    /// such voucher. No id is repeated.
    ///
    /// `{"ownerId": "C1", "value": 50, "isActive": true, "isUsed": false}`
    fn lookup_vouchers(
        &self,
        voucher_ids: &[String],
    ) -> impl Future<Output = Result<Records, Failure>> + Send {
        ready(Err(Failure::NotSupplied))
    }

    /// Waits until a look-up that begins now is late, and returns its limit in
    /// ms. The look-up then fails with [`Failure::Late`]. This crate has no
    /// clock, so without this function no look-up is ever late. With tokio:
    ///
    /// ```
    /// # struct Shop;
    /// # impl order_cost::Host for Shop {
    /// async fn deadline(&self) -> u32 {
    ///     tokio::time::sleep(std::time::Duration::from_millis(5_000)).await;
    ///     5_000
    /// }
    /// # }
    /// ```
    fn deadline(&self) -> impl Future<Output = u32> + Send {
        pending()
    }
}

/// What a call came to.
pub(crate) type Answer = Result<Records, Failure>;

/// A call that is out.
pub(crate) struct Call<'a> {
    pub(crate) number: u32,
    pub(crate) answer: Answering<'a>,
}

type Answering<'a> = Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;

/// Calls the function that answers a question.
pub(crate) fn ask<'a>(
    question: Question,
    calculation: &Calculation,
    host: &'a impl Host,
) -> Call<'a> {
    let mut keys = calculation.conversation().keys_of(question.call).peekable();
    let text = keys
        .peek()
        .map_or_else(Arc::default, |key| Arc::clone(&key.text));
    let answer = match question.lookup {
        Lookup::Prices => {
            let cprcodes = Vec::from_iter(keys.map(|key| key.number));
            in_time(
                host,
                async move { host.lookup_prices(&text, &cprcodes).await },
            )
        }
        Lookup::NationwideRate(mode) => in_time(host, async move {
            host.nationwide_rate(&text, mode).await.map(Records::one)
        }),
        Lookup::Vouchers => {
            let ids = Vec::from_iter(keys.map(|key| shown(&key.text).into_owned()));
            in_time(host, async move { host.lookup_vouchers(&ids).await })
        }
        Lookup::Coupons => {
            let request = question.coupon_request(&calculation.coupon_rows());
            in_time(host, async move {
                let answer = host.validate_coupons(&request).await;
                answer.map(|answer| Records::one(Some(answer)))
            })
        }
        // The pricer has them.
        Lookup::Zones => impossible(),
    };
    let number = question.call;
    Call { number, answer }
}

/// The answer of a look-up, unless it is late.
fn in_time<'a>(
    host: &'a impl Host,
    answer: impl Future<Output = Answer> + Send + 'a,
) -> Answering<'a> {
    Box::pin(async move {
        let mut deadline = pin!(host.deadline());
        let mut answer = pin!(answer);
        poll_fn(|context| match answer.as_mut().poll(context) {
            Poll::Pending => deadline
                .as_mut()
                .poll(context)
                .map(|ms| Err(Failure::Late(ms))),
            answer => answer,
        })
        .await
    })
}
