//! One calculation: an order that nobody edits, and its conversation with the
//! host.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use super::{
    Conversation, Draft, Fact, Obstacle, Planned, Priced, Problem, Question, Record, Records,
    Resolved, Source, coupons_error,
};
use crate::error::Failure;
use crate::explain::Sink;
use crate::json::Writer;
use crate::options::Policy;
use crate::rules::{DiscountResult, Zones};
use crate::shelf::Shelf;

/// What the driver of a calculation does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask the questions.
    Ask,
    /// Wait for answers.
    Wait,
    /// Take the priced order.
    Done,
}

/// A calculation. A driver takes its questions to a host, brings the answers
/// back, and advances it until it is done.
#[derive(Debug, Default)]
pub struct Calculation {
    policy: Policy,
    stage: Stage,
    conversation: Conversation,
    /// The zones that the order is priced with, once they are known.
    zones: Option<Arc<Zones>>,
    /// The place of the coupons' result, once they are asked.
    coupons: Option<usize>,
    /// Of the store that it knows: the number of a call at its beginning.
    since: u32,
    /// Whether it shares vouchers with the store.
    with_vouchers: bool,
}

#[derive(Debug, Default)]
enum Stage {
    Planned(Planned),
    Resolved(Resolved),
    Priced(Priced),
    #[default]
    Over,
}

impl Calculation {
    /// Begins to price an order. `zones`: `None` if they are not known.
    pub fn new(draft: Draft, zones: Option<Arc<Zones>>, policy: Policy) -> Self {
        let mut conversation = Conversation::default();
        let planned = draft.plan(zones.as_deref(), &mut conversation.facts);
        Self {
            policy,
            stage: Stage::Planned(planned),
            conversation,
            zones,
            ..Self::default()
        }
    }

    /// Takes what a store knows, with or without its vouchers.
    pub fn recall(&mut self, store: &mut Conversation, with_vouchers: bool) {
        self.with_vouchers = with_vouchers;
        self.since = store.count_call();
        self.conversation.recall(store, with_vouchers);
    }

    /// Tells the store what the host has answered.
    pub fn tell(&self, store: &mut Conversation) {
        store.hear(&self.conversation.facts, self.with_vouchers, self.since);
    }

    /// How many lines, vouchers, coupon codes and schedules the order lists.
    pub fn counts(&self) -> [u32; 4] {
        match &self.stage {
            Stage::Planned(planned) => planned.order.counts(),
            _ => [0; 4],
        }
    }

    /// Takes the prices that a version on a shelf has. Returns how many.
    pub fn stock(&mut self, shelf: &Shelf, version: &str) -> u32 {
        match &self.stage {
            Stage::Planned(planned) => {
                let prices = &planned.prices;
                self.conversation.stock(prices, shelf, version, true)
            }
            _ => 0,
        }
    }

    /// Begins the calls that it needs now: first all look-ups at once, then the
    /// coupon service, if it is allowed.
    pub fn ask(&mut self, with_coupons: bool) -> Vec<Question> {
        match &self.stage {
            Stage::Planned(planned) => self.conversation.ask(planned),
            Stage::Resolved(resolved) if with_coupons && self.coupons.is_none() => {
                let facts = &mut self.conversation.facts;
                let place = facts.own_place(Source::Coupons, resolved.products() as i64);
                self.coupons = Some(place);
                let head = resolved.coupon_head();
                vec![self.conversation.ask_coupons(place, head, &self.policy)]
            }
            _ => Vec::new(),
        }
    }

    /// The distinct coupon codes, as JSON text, until their result is known.
    pub fn coupon_codes(&self) -> Vec<u8> {
        let order = match &self.stage {
            Stage::Planned(planned) => &planned.order,
            Stage::Resolved(resolved) => &resolved.order,
            _ => return Vec::new(),
        };
        let codes = order.first_seen(&order.fields.coupon_codes);
        let mut out = Writer::default();
        out.spans(&order.text, &codes);
        out.into_bytes()
    }

    /// The conversation: what the questions ask for.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// `productList` of the coupon request, while that is awaited.
    pub fn coupon_rows(&self) -> Cow<'_, [u8]> {
        match &self.stage {
            Stage::Resolved(resolved) => resolved.coupon_rows().unwrap_or_default(),
            _ => Cow::default(),
        }
    }

    /// The conversation, which learns the answers.
    pub fn conversation_mut(&mut self) -> &mut Conversation {
        &mut self.conversation
    }

    /// Learns the outcome of a call, unless it no longer waits for it.
    pub fn answer(&mut self, call: u32, answer: Result<Records, Failure>) {
        self.conversation.answer(call, answer);
    }

    /// Learns the outcome of a call for the delivery zones.
    pub fn answer_zones(&mut self, call: u32, zones: Result<Arc<Zones>, Failure>) {
        match (zones, &mut self.stage) {
            (Ok(zones), Stage::Planned(planned)) => {
                self.conversation.end(call);
                planned.set_zones(&zones);
                self.zones = Some(zones);
            }
            (Ok(_), _) => {}
            (Err(failure), _) => self.answer(call, Err(failure)),
        }
    }

    /// Continues as far as the answers allow. Fails if the order cannot be
    /// priced: with the first problem in the order of D42, as soon as no open
    /// answer can fail before it.
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<Next, Problem> {
        match mem::take(&mut self.stage) {
            Stage::Planned(planned) => self.resolve(planned, sink),
            Stage::Resolved(resolved) => self.price(resolved, sink),
            over => {
                self.stage = over;
                Ok(Next::Done)
            }
        }
    }

    /// The priced order, once it is done.
    pub fn priced(&self) -> Option<&Priced> {
        match &self.stage {
            Stage::Priced(priced) => Some(priced),
            _ => None,
        }
    }

    /// The same, to keep it.
    pub fn into_priced(self) -> Option<Priced> {
        match self.stage {
            Stage::Priced(priced) => Some(priced),
            _ => None,
        }
    }

    fn resolve(&mut self, planned: Planned, sink: &mut dyn Sink) -> Result<Next, Problem> {
        let facts = &self.conversation.facts;
        if !planned.is_ready(facts)? {
            self.stage = Stage::Planned(planned);
            return Ok(Next::Wait);
        }
        if let Some(zones) = &self.zones {
            planned.report_zones(zones, sink);
        }
        let resolved = planned.resolve(facts, &self.policy, sink)?;
        if !resolved.asks_coupons() {
            return self.finish(resolved, None, sink);
        }
        self.stage = Stage::Resolved(resolved);
        Ok(Next::Ask)
    }

    fn price(&mut self, resolved: Resolved, sink: &mut dyn Sink) -> Result<Next, Problem> {
        let coupons = self.coupons.map(|place| self.conversation.facts.at(place));
        if let Some(fact) = coupons
            && let Some(Obstacle::Problem(problem)) = fact.obstacle(coupons_error)
        {
            return Err(problem);
        }
        let Some(Record::Coupons(result)) = coupons.and_then(Fact::record) else {
            self.stage = Stage::Resolved(resolved);
            return Ok(Next::Wait);
        };
        let result = Arc::clone(result);
        self.finish(resolved, Some(result), sink)
    }

    fn finish(
        &mut self,
        resolved: Resolved,
        coupons: Option<Arc<DiscountResult>>,
        sink: &mut dyn Sink,
    ) -> Result<Next, Problem> {
        let priced = resolved.price(coupons, &self.policy, sink)?;
        self.stage = Stage::Priced(priced);
        Ok(Next::Done)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Calculation, Next};
    use crate::error::{Failure, Fault};
    use crate::json::{Document, Origin};
    use crate::lookup::Lookup;
    use crate::options::{Limits, Policy};
    use crate::quote::{Draft, Question, Records};
    use crate::rules::Zones;

    const ORDER: &str = r#"{"productList":[{"cprcode":1,"productName":"a","quantity":2},{"cprcode":2,"productName":"b","quantity":1}],"couponCodeList":["A"],"voucherId":["V","V","W"]}"#;
    const ZONED: &str = r#"{"productList":[{"cprcode":1,"productName":"a","quantity":1}],"shipping":{"shippingType":"DELIVERY","shippingLon":0.5,"shippingLat":0.5,"scheduleList":[{"mode":"REGULAR"}]}}"#;
    const ZONES: &str = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"brcode":1000,"deliveryFee":30},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}}]}"#;

    fn begun(order: &str, zones: Option<Arc<Zones>>) -> Calculation {
        let draft = Draft::read(order.as_bytes(), Origin::Wire, &Limits::default());
        Calculation::new(draft.expect("an order"), zones, Policy::default())
    }

    fn answered(calculation: &mut Calculation, question: &Question) {
        let record = match question.lookup {
            Lookup::Prices => r#"{"price":10}"#,
            Lookup::Vouchers => r#"{"ownerId":"x","value":1,"isActive":true,"isUsed":false}"#,
            _ => r#"{"discounts":[{"coupon":"A","discount":5}]}"#,
        };
        let texts = vec![record; question.keys.max(1)].join("\0");
        let records = Records {
            texts: Some(texts),
            origin: Origin::Wire,
        };
        calculation.answer(question.call, Ok(records));
    }

    fn lookups(questions: &[Question]) -> Vec<Lookup> {
        questions.iter().map(|question| question.lookup).collect()
    }

    #[test]
    fn d23_coupons_are_asked_once_after_the_rest_and_only_if_they_may_be() {
        let mut calculation = begun(ORDER, Some(Arc::default()));
        let counts = calculation.counts();
        assert_eq!(counts, [2, 3, 1, 0]);
        assert!(calculation.coupon_rows().is_empty());
        let questions = calculation.ask(true);
        assert_eq!(lookups(&questions), [Lookup::Prices, Lookup::Vouchers]);
        assert!(calculation.ask(true).is_empty());
        assert_eq!(calculation.coupon_codes(), br#"["A"]"#);
        assert_eq!(calculation.advance(&mut ()), Ok(Next::Wait));
        for question in &questions {
            answered(&mut calculation, question);
        }
        assert_eq!(calculation.advance(&mut ()), Ok(Next::Ask));
        assert_eq!(calculation.counts(), [0; 4]);
        assert_eq!(calculation.coupon_codes(), br#"["A"]"#);
        assert!(calculation.ask(false).is_empty());
        let rows = calculation.coupon_rows();
        let rows: serde_json::Value = serde_json::from_slice(&rows).expect("the rows are JSON");
        assert_eq!(rows[0]["rowTotal"], 20);
        let questions = calculation.ask(true);
        assert_eq!(lookups(&questions), [Lookup::Coupons]);
        assert!(calculation.ask(true).is_empty());
        assert_eq!(calculation.advance(&mut ()), Ok(Next::Wait));
        answered(&mut calculation, &questions[0]);
        assert_eq!(calculation.advance(&mut ()), Ok(Next::Done));
        assert!(calculation.coupon_codes().is_empty());
        let priced = calculation.priced().expect("it is done");
        assert_eq!(priced.totals().grand_total.to_string(), "25");
    }

    #[test]
    fn d41_zones_that_are_not_known_are_asked_with_the_rest() {
        let read = Zones::read(&Document {
            text: ZONES.to_owned(),
            origin: Origin::Wire,
        });
        let zones = Arc::new(read.expect("zones"));
        let refused = Failure::InvalidAnswer(Fault::syntax());
        for outcome in [Ok(zones), Err(refused)] {
            let is_right = outcome.is_ok();
            let mut calculation = begun(ZONED, None);
            let questions = calculation.ask(true);
            assert_eq!(lookups(&questions), [Lookup::Prices, Lookup::Zones]);
            answered(&mut calculation, &questions[0]);
            assert_eq!(calculation.advance(&mut ()), Ok(Next::Wait));
            calculation.answer_zones(questions[1].call, outcome);
            match calculation.advance(&mut ()) {
                Ok(next) => assert_eq!((next, is_right), (Next::Done, true)),
                Err(problem) => {
                    assert_eq!(problem.error.code(), "DELIVERY_ZONES_FAILED");
                    assert_eq!(problem.call, Some(questions[1].call));
                    assert!(!is_right);
                }
            }
            let priced = calculation
                .priced()
                .map(|priced| priced.totals().grand_total);
            assert_eq!(
                priced.map(|total| total.to_string()),
                is_right.then(|| "40".to_owned())
            );
        }
    }
}
