//! One calculation: an order that nobody edits, and its conversation with the
//! host.

use std::borrow::Cow;
use std::mem;
use std::rc::Rc;

use super::{
    Conversation, Draft, Fact, Obstacle, Planned, Priced, Problem, Question, Record, Records,
    Resolved, Source, coupons_error,
};
use crate::error::Failure;
use crate::explain::Sink;
use crate::lookup::Lookup;
use crate::options::Policy;
use crate::rules::{DiscountResult, Zones};

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
    zones: Option<Rc<Zones>>,
    /// The place of the coupons' result, once they are asked.
    coupons: Option<usize>,
}

#[derive(Debug, Default)]
enum Stage {
    Planned(Box<Planned>),
    Resolved(Box<Resolved>),
    Priced(Box<Priced>),
    #[default]
    Over,
}

impl Calculation {
    /// Begins to price an order. `zones`: `None` if they are not known.
    pub fn new(draft: Draft, zones: Option<Rc<Zones>>, policy: Policy) -> Self {
        let mut conversation = Conversation::default();
        let planned = draft.plan(zones.as_deref(), &mut conversation.facts);
        Self {
            policy,
            stage: Stage::Planned(Box::new(planned)),
            conversation,
            zones,
            coupons: None,
        }
    }

    /// How many lines, vouchers, coupon codes and schedules the order lists.
    pub fn counts(&self) -> [u32; 4] {
        match &self.stage {
            Stage::Planned(planned) => planned.order().counts(),
            _ => [0; 4],
        }
    }

    /// Begins the calls that it needs now: first all look-ups at once, then the
    /// coupon service, if it is allowed.
    pub fn ask(&mut self, with_coupons: bool) -> Vec<Question> {
        match &self.stage {
            Stage::Planned(planned) => self.conversation.ask(planned),
            Stage::Resolved(resolved) if with_coupons && self.coupons.is_none() => {
                let facts = &mut self.conversation.facts;
                let place = facts.own_place(Source::Coupons, resolved.products() as i64, None);
                self.coupons = Some(place);
                let head = resolved.coupon_head();
                vec![self.conversation.begin(Lookup::Coupons, vec![place], head)]
            }
            _ => Vec::new(),
        }
    }

    /// The conversation: what the questions ask for.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The order without the result of its coupons, while that is awaited.
    pub fn resolved(&self) -> Option<&Resolved> {
        match &self.stage {
            Stage::Resolved(resolved) => Some(resolved),
            _ => None,
        }
    }

    /// `productList` of the coupon request, while that is awaited.
    pub fn coupon_rows(&self) -> Cow<'_, [u8]> {
        let rows = self.resolved().and_then(Resolved::coupon_rows);
        rows.unwrap_or_default()
    }

    /// Learns the outcome of a call, unless it no longer waits for it.
    pub fn answer(&mut self, call: u32, answer: Result<Records, Failure>) {
        self.conversation.answer(call, answer);
    }

    /// Learns the outcome of a call for the delivery zones.
    pub fn answer_zones(&mut self, call: u32, zones: Result<Rc<Zones>, Failure>) {
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

    fn resolve(&mut self, planned: Box<Planned>, sink: &mut dyn Sink) -> Result<Next, Problem> {
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
        self.stage = Stage::Resolved(Box::new(resolved));
        Ok(Next::Ask)
    }

    fn price(&mut self, resolved: Box<Resolved>, sink: &mut dyn Sink) -> Result<Next, Problem> {
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
        let result = Rc::clone(result);
        self.finish(*resolved, Some(result), sink)
    }

    fn finish(
        &mut self,
        resolved: Resolved,
        coupons: Option<Rc<DiscountResult>>,
        sink: &mut dyn Sink,
    ) -> Result<Next, Problem> {
        let priced = resolved.price(coupons, &self.policy, sink)?;
        self.stage = Stage::Priced(Box::new(priced));
        Ok(Next::Done)
    }
}
