//! The nationwide rate.

use std::rc::Rc;

use crate::error::Fault;
use crate::json::{Document, Reader, Span, keys};
use crate::lookup::NationwideMode;
use crate::money::Amount;
use crate::order::Order;
use crate::step::{Operand, Step};

keys!(RateKey {
    DeliveryFee = "deliveryFee",
    NationwideConfig = "nationwideConfig",
});

/// What the nationwide function says of a postcode and mode.
#[derive(Clone, Debug)]
pub struct NationwideRate {
    /// In THB, for each schedule of the mode.
    pub delivery_fee: Amount,
    text: String,
    config: Option<Span>,
}

impl NationwideRate {
    pub(crate) fn read(answer: Document) -> Result<Self, Fault> {
        let (mut delivery_fee, mut config) = (None, None);
        let delivery_fee = Reader::document(&answer.text, answer.origin, |json| {
            json.fields(|json, key| {
                match key {
                    RateKey::DeliveryFee => delivery_fee = Some(json.required(Reader::amount)?),
                    RateKey::NationwideConfig => config = json.optional(Reader::string)?,
                }
                Ok(())
            })?;
            delivery_fee.ok_or_else(|| Fault::missing("deliveryFee"))
        })?;
        Ok(Self {
            delivery_fee,
            text: answer.text,
            config,
        })
    }

    /// `nationwideConfig` as JSON text, where the answer has one.
    pub fn config(&self) -> Option<&str> {
        self.config.map(|span| span.of(&self.text))
    }
}

/// The rates of an order by mode.
#[derive(Debug, Default)]
pub struct NationwideRates(pub(crate) Vec<(NationwideMode, Rc<NationwideRate>)>);

impl NationwideRates {
    /// The rate of a mode, if the order asked for it.
    pub fn get(&self, mode: NationwideMode) -> Option<&NationwideRate> {
        self.0
            .iter()
            .find(|(asked, _)| *asked == mode)
            .map(|(_, rate)| &**rate)
    }

    /// What each look-up of an order said (D36).
    pub(crate) fn steps<'a>(&'a self, order: &'a Order) -> impl Iterator<Item = Step<'a>> {
        self.0.iter().map(|(mode, rate)| {
            Step::uncounted("nationwideRate", rate.delivery_fee)
                .decided("D36")
                .at("shipping.shippingPostcode")
                .with(
                    "shippingPostcode",
                    Operand::Json(order.shipping_postcode_json()),
                )
                .with("nationwideMode", mode.word())
                .with("deliveryFee", rate.delivery_fee)
        })
    }
}
