//! The ledger: the steps that lead to the total of an order.

use super::{Operand, Sink, Step};
use crate::json::Writer;
use crate::money::Sum;

/// Keeps the steps that the rules report, as the package's `ExplainStep`s, and
/// the running total of the counted steps. Every amount comes from the rules.
#[derive(Debug, Default)]
pub struct Recorder {
    is_kept: bool,
    comma: &'static str,
    out: Writer,
    running_total: Sum,
}

impl Recorder {
    /// A recorder that keeps the steps or drops them.
    pub fn new(is_kept: bool) -> Self {
        Self {
            is_kept,
            ..Self::default()
        }
    }

    /// The total of the counted steps so far.
    pub fn running_total(&self) -> Sum {
        self.running_total
    }

    /// The steps as JSON text.
    pub fn into_list(self) -> Vec<u8> {
        [b"[", &*self.out.into_bytes(), b"]"].concat()
    }
}

impl Sink for Recorder {
    fn is_kept(&self) -> bool {
        self.is_kept
    }

    fn step(&mut self, step: &Step<'_>) {
        if step.counts {
            self.running_total.merge(step.amount);
        }
        let out = &mut self.out;
        out.raw(self.comma).raw(r#"{"rule":"#).word(step.rule);
        self.comma = ",";
        if let Some(decision) = step.decision {
            out.raw(r#","decision":"#).word(decision);
        }
        out.raw(r#","path":"#).word(&step.path);
        out.raw(r#","operands":{"#);
        let mut comma = "";
        for (name, operand) in &step.operands {
            out.raw(comma).word(name).raw(":");
            operand.write(out);
            comma = ",";
        }
        out.raw(r#"},"amount":"#).sum(step.amount);
        out.raw(r#","runningTotal":"#);
        if step.counts {
            out.sum(self.running_total);
        } else {
            out.raw("null");
        }
        out.raw("}");
    }
}

impl Operand<'_> {
    fn write(self, out: &mut Writer) {
        match self {
            Self::Number(sum) => out.sum(sum),
            Self::Text(text) => out.string(text),
            Self::Json(json) => out.raw(json),
            Self::Boolean(yes) => out.boolean(yes),
        };
    }
}
