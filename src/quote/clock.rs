//! The time, as far as the facts of a store depend on it.

/// The time in ms since 1970, and how long answers count. A driver tells the
/// time: the core has no clock.
#[derive(Debug)]
pub(crate) struct Clock {
    now: f64,
    max_age: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(f64::INFINITY)
    }
}

impl Clock {
    pub(crate) fn new(max_age: f64) -> Self {
        Self { now: 0.0, max_age }
    }

    /// The time.
    pub(crate) fn now(&self) -> f64 {
        self.now
    }

    /// Whether answers become too old at all.
    pub(crate) fn ages(&self) -> bool {
        self.max_age < f64::INFINITY
    }

    /// The time of an answer that came at `at`; a time in the future is now.
    pub(crate) fn dated(&self, at: f64) -> f64 {
        at.min(self.now)
    }

    /// When an answer of this time is too old.
    pub(crate) fn end_of(&self, at: f64) -> f64 {
        at + self.max_age
    }

    /// Follows the time. Returns whether it was set back: then the ages begin
    /// anew.
    pub(crate) fn follow(&mut self, now: f64) -> bool {
        let is_back = now < self.now;
        self.now = now;
        is_back
    }
}
