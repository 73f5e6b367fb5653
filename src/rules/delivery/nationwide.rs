//! The nationwide rate.

use std::sync::Arc;

use crate::error::Fault;
use crate::explain::{Operand, Sink, Step};
use crate::json::{Document, Reader, Span, Writer, members, table};
use crate::lookup::NationwideMode;
use crate::money::Amount;
use crate::order::Order;

table! {
    /// The nationwide function's answer for a postcode and a mode.
    #[derive(Debug)]
    pub struct NationwideRate {
        /// For each schedule of the mode, 0 or more.
        pub delivery_fee: Amount = baht("deliveryFee", required) plain,
        /// Copied into each schedule of the mode (D36). Default: the schedule's own `nationwideConfig`.
        config: Option<Span> = string("nationwideConfig", null) text;
        text: String = String::new(),
    }
}

impl NationwideRate {
    /// Reads a host's answer; `None` if the host found nothing (D46).
    pub(crate) fn from_answer(answer: Document) -> Result<Option<Self>, Fault> {
        let found = Reader::document(&answer.text, answer.origin, |json| {
            json.optional(Self::read)
        })?;
        Ok(found.map(|rate| Self {
            text: answer.text,
            ..rate
        }))
    }

    /// Writes the answer as JSON text.
    pub(crate) fn write(&self, out: &mut Writer) {
        out.raw("{\"deliveryFee\":").amount(self.delivery_fee);
        if let Some(config) = self.config() {
            members!(out.raw, "nationwideConfig": raw(config));
        }
        out.raw("}");
    }

    /// `nationwideConfig` as JSON text, if the answer has one.
    pub fn config(&self) -> Option<&str> {
        self.config.map(|span| span.of(&self.text))
    }
}

/// The rates of an order by mode.
#[derive(Clone, Debug, Default)]
pub struct NationwideRates(pub(crate) Vec<(NationwideMode, Arc<NationwideRate>)>);

impl NationwideRates {
    /// The rate of a mode, if the order asked for it.
    pub fn get(&self, mode: NationwideMode) -> Option<&NationwideRate> {
        self.0
            .iter()
            .find(|(asked, _)| *asked == mode)
            .map(|(_, rate)| &**rate)
    }

    /// Reports the rate of each mode (D36).
    pub(crate) fn report(&self, order: &Order, sink: &mut dyn Sink) {
        let postcode = Operand::Json(order.shipping_postcode_json());
        for (mode, rate) in &self.0 {
            let step = Step::new("nationwideRate", "D36", rate.delivery_fee)
                .at("shipping.shippingPostcode")
                .with("shippingPostcode", postcode)
                .with("nationwideMode", mode.word())
                .with("deliveryFee", rate.delivery_fee);
            sink.step(&step);
        }
    }
}
