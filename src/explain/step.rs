//! The steps that the rules report while they calculate.
//!
//! There is one computation: `calculate` drops its steps, `explain` keeps them.

use std::borrow::Cow;

use crate::money::{Amount, Sum};

/// Takes the steps of a calculation, in their order.
pub trait Sink {
    /// Whether the sink keeps the steps.
    fn is_kept(&self) -> bool;

    /// Takes one step.
    fn step(&mut self, step: &Step<'_>);
}

impl Sink for () {
    fn is_kept(&self) -> bool {
        false
    }

    fn step(&mut self, _: &Step<'_>) {}
}

impl dyn Sink + '_ {
    /// Calls `report` if the sink keeps the steps.
    pub fn report(&mut self, report: impl FnOnce(&mut Self)) {
        if self.is_kept() {
            self.listen(report);
        }
    }

    #[cold]
    #[inline(never)]
    fn listen(&mut self, report: impl FnOnce(&mut Self)) {
        report(self);
    }
}

/// One step on the way to `grandTotal`, with amounts in THB.
///
/// Made in a box because many places make steps: moving them by value would add
/// 3 kB of brotli to the download.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The rule's name, which the package's `ExplainRule` explains.
    pub rule: &'static str,
    /// The decision that the rule follows.
    pub decision: Option<&'static str>,
    /// The field or line of the priced order that the step explains: the field
    /// with the rule's name, if nobody names another.
    pub path: Cow<'static, str>,
    /// The inputs of the amount, by name.
    pub operands: Vec<(Cow<'static, str>, Operand<'a>)>,
    /// The result of the step.
    pub amount: Sum,
    /// Whether the amount is part of `grandTotal`. The amounts of all counted
    /// steps add up to it exactly.
    pub counts: bool,
}

/// An input of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A number.
    Number(Sum),
    /// A word or a name.
    Text(&'a str),
    /// A string or a number, as the JSON text that was sent.
    Json(&'a str),
    /// Yes or no.
    Boolean(bool),
}

impl<'a> Step<'a> {
    /// A step whose amount is part of `grandTotal`.
    pub fn counted(rule: &'static str, amount: impl Into<Sum>) -> Box<Self> {
        Self::new(rule, amount.into(), true)
    }

    /// A step whose amount is shown but is not part of `grandTotal`.
    pub fn uncounted(rule: &'static str, amount: impl Into<Sum>) -> Box<Self> {
        Self::new(rule, amount.into(), false)
    }

    #[inline(never)]
    fn new(rule: &'static str, amount: Sum, counts: bool) -> Box<Self> {
        Box::new(Self {
            rule,
            decision: None,
            path: rule.into(),
            operands: Vec::new(),
            amount,
            counts,
        })
    }

    /// The step that lifts a negative value to zero; its amount is the
    /// difference. `None` if the value is not negative.
    pub fn floor(
        value: Sum,
        path: impl Into<Cow<'static, str>>,
        counts: bool,
    ) -> Option<Box<Self>> {
        let floor = || Self::new("floor", value.negated(), counts);
        value
            .is_negative()
            .then(|| floor().at(path).with("value", value))
    }

    /// The step of a repeated entry, which has no effect; `first` is the index
    /// of the first occurrence.
    pub fn repeated(path: String, first: usize) -> Box<Self> {
        Self::uncounted("repeated", Sum::default())
            .at(path)
            .with("first", first as i64)
    }

    /// Names the decision that the rule follows.
    #[inline(never)]
    pub fn decided(mut self: Box<Self>, decision: &'static str) -> Box<Self> {
        self.decision = Some(decision);
        self
    }

    /// Names the field or line that the step explains.
    pub fn at(mut self: Box<Self>, path: impl Into<Cow<'static, str>>) -> Box<Self> {
        self.path = path.into();
        self
    }

    /// Adds an input.
    pub fn with(
        mut self: Box<Self>,
        name: &'static str,
        value: impl Into<Operand<'a>>,
    ) -> Box<Self> {
        self.add(name.into(), value.into());
        self
    }

    /// Adds several inputs.
    pub fn with_all<N: Into<Cow<'static, str>>, V: Into<Operand<'a>>>(
        mut self: Box<Self>,
        inputs: impl IntoIterator<Item = (N, V)>,
    ) -> Box<Self> {
        for (name, value) in inputs {
            self.add(name.into(), value.into());
        }
        self
    }

    #[inline(never)]
    fn add(&mut self, name: Cow<'static, str>, operand: Operand<'a>) {
        self.operands.push((name, operand));
    }
}

impl<T: Into<Sum>> From<T> for Operand<'_> {
    fn from(number: T) -> Self {
        Self::Number(number.into())
    }
}

impl From<i64> for Operand<'_> {
    fn from(integer: i64) -> Self {
        Amount::new(integer, 0).into()
    }
}

impl<'a> From<&'a str> for Operand<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Operand<'_> {
    fn from(yes: bool) -> Self {
        Self::Boolean(yes)
    }
}
