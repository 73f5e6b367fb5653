//! The time, as far as the facts of a store depend on it.

/// The time in ms since 1970, and how long answers count. A driver tells the
/// time: the core has no clock.
#[derive(Debug)]
pub(crate) struct Clock {
    now: f64,
    max_age: f64,
    /// When the next answer will be too old.
    pub(crate) next: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(f64::INFINITY)
    }
}

impl Clock {
    pub(crate) fn new(max_age: f64) -> Self {
        Self {
            now: 0.0,
            max_age,
            next: f64::INFINITY,
        }
    }

    /// The time of an answer that has come now.
    pub(crate) fn answered(&mut self) -> f64 {
        self.dated(self.now)
    }

    /// The time of an answer that came at `at`; a time in the future is now.
    pub(crate) fn dated(&mut self, at: f64) -> f64 {
        let at = at.min(self.now);
        self.next = self.next.min(at + self.max_age);
        at
    }

    /// Follows the time. Returns whether an answer may be too old now: also if
    /// the time was set back, because then the ages begin anew.
    pub(crate) fn is_due(&mut self, now: f64) -> bool {
        let is_due = now < self.now || now >= self.next;
        self.now = now;
        if is_due {
            self.next = f64::INFINITY;
        }
        is_due
    }

    /// Whether an answer of this time is too old; one of the future is now.
    pub(crate) fn is_over(&mut self, at: &mut f64) -> bool {
        *at = at.min(self.now);
        let is_over = *at + self.max_age <= self.now;
        if !is_over {
            self.dated(*at);
        }
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn an_answer_is_too_old_after_the_largest_age() {
        let mut clock = Clock::new(1_000.0);
        assert!(!clock.is_due(5_000.0));
        let mut at = clock.answered();
        assert_eq!((at, clock.next), (5_000.0, 6_000.0));
        // However often somebody asks.
        for _ in 0..2 {
            assert!(!clock.is_due(5_999.0));
        }
        assert!(clock.is_due(6_000.0));
        assert!(clock.is_over(&mut at));
        assert_eq!(clock.next, f64::INFINITY);
    }

    #[test]
    fn a_time_in_the_future_is_now() {
        let mut clock = Clock::new(1_000.0);
        assert!(!clock.is_due(5_000.0));
        assert_eq!(clock.dated(9_000.0), 5_000.0);
        let mut at = clock.answered();
        // The clock was set back: the ages begin anew.
        assert!(clock.is_due(2_000.0));
        assert!(!clock.is_over(&mut at));
        assert_eq!((at, clock.next), (2_000.0, 3_000.0));
    }

    #[test]
    fn without_a_largest_age_nothing_is_due() {
        let mut clock = Clock::default();
        clock.answered();
        assert!(!clock.is_due(f64::MAX));
    }
}
