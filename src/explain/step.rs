//! The steps that the rules report while they calculate.
//!
//! There is one computation: `calculate` drops its steps, `explain` keeps them.

use std::borrow::Cow;

use crate::money::{Amount, Sum};

/// Takes the steps of a calculation, in their order, and drops them unless it
/// says otherwise.
pub trait Sink {
    /// Whether the sink keeps the steps.
    fn is_kept(&self) -> bool {
        false
    }

    /// Takes one step.
    fn step(&mut self, _: &Step<'_>) {}
}

impl Sink for () {}

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

    /// Takes the step that lifts a negative value to zero; its amount is the
    /// difference. There is none if the value is not negative.
    pub fn floor(
        &mut self,
        value: Sum,
        decision: Option<&'static str>,
        path: impl Into<Cow<'static, str>>,
        counts: bool,
    ) {
        if value.is_negative() {
            let mut floor = Step::new("floor", decision, value.negated());
            floor.counts = counts;
            self.step(&floor.at(path).with("value", value));
        }
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
    /// A step whose amount is shown but is not part of `grandTotal`.
    pub fn new(
        rule: &'static str,
        decision: impl Into<Option<&'static str>>,
        amount: impl Into<Sum>,
    ) -> Box<Self> {
        Box::new(Self {
            rule,
            decision: decision.into(),
            path: rule.into(),
            operands: Vec::new(),
            amount: amount.into(),
            counts: false,
        })
    }

    /// Makes the amount a part of `grandTotal`.
    pub fn counted(mut self: Box<Self>) -> Box<Self> {
        self.counts = true;
        self
    }

    /// The step of a repeated entry, which has no effect; `first` is the index
    /// of the first occurrence.
    pub fn repeated(path: String, decision: &'static str, first: usize) -> Box<Self> {
        Self::new("repeated", decision, Sum::default())
            .at(path)
            .with("first", first as i64)
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
