//! The delivery modes: a row says what a schedule pays.

use crate::word::words;

/// What a schedule pays.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Where its fee comes from.
    pub source: SourceKind,
    /// The decision about that.
    pub decision: &'static str,
    /// Whether it may pay the express surcharge (D38).
    pub surcharge: bool,
}

words! {
    /// Where the fee of a mode comes from.
    pub enum SourceKind {
        /// The delivery zones.
        Zone = "zone",
        /// The host's `nationwideRate`.
        NationwideRate = "nationwideRate",
        /// Nowhere: it is 0.
        Free = "free",
    }
}

words! {
    /// How a schedule is delivered, and where its fee comes from.
    pub enum Mode(terms: Terms) {
        /// From the branch's delivery zone that covers the address (D34).
        Regular = "REGULAR" { source: SourceKind::Zone, decision: "D34", surcharge: false },
        /// As `REGULAR`, plus 50 THB if it is the first schedule (D38); see the policy `expressSurcharge`.
        Express = "EXPRESS" { source: SourceKind::Zone, decision: "D34", surcharge: true },
        /// From `nationwideRate`, by postcode and nationwide mode (D36).
        Nationwide = "NATIONWIDE" { source: SourceKind::NationwideRate, decision: "D36", surcharge: false },
        /// No fee: the customer collects the order (D37).
        Pickup = "PICKUP" { source: SourceKind::Free, decision: "D37", surcharge: false },
    }
}
