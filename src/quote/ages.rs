//! The places of facts by time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// So short a queue is not worth the work.
const SHORT: usize = 64;

/// Facts, the oldest first. A fact that changes leaves its entry behind: who
/// looks for the oldest says which entries still hold.
#[derive(Debug, Default)]
pub(crate) struct Ages {
    entries: BinaryHeap<Entry>,
}

/// The place of a fact, and when it was answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) at: f64,
    pub(crate) place: usize,
}

impl Ages {
    pub(crate) fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// The oldest entry that holds. Drops those before it.
    pub(crate) fn oldest(&mut self, holds: impl Fn(Entry) -> bool) -> Option<Entry> {
        loop {
            let entry = *self.entries.peek()?;
            if holds(entry) {
                return Some(entry);
            }
            self.entries.pop();
        }
    }

    /// Whether most of its entries hold no more, if there are so many facts.
    pub(crate) fn is_long(&self, facts: usize) -> bool {
        self.entries.len() > 2 * facts + SHORT
    }
}

impl FromIterator<Entry> for Ages {
    fn from_iter<T: IntoIterator<Item = Entry>>(entries: T) -> Self {
        Self {
            entries: entries.into_iter().collect(),
        }
    }
}

/// The heap gives the greatest first: that is the oldest.
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = other.at.total_cmp(&self.at);
        by_time.then(other.place.cmp(&self.place))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

#[cfg(test)]
mod tests {
    use super::{Ages, Entry};

    #[test]
    fn the_oldest_is_first_and_what_holds_no_more_is_dropped() {
        let times = [(3.5, 0), (-1.0, 1), (3.0, 2), (3.0, 3)];
        let mut ages = Ages::from_iter(times.map(|(at, place)| Entry { at, place }));
        let mut next = |gone: &[usize]| {
            let oldest = ages.oldest(|entry| !gone.contains(&entry.place));
            oldest.map(|entry| entry.place)
        };
        assert_eq!(next(&[]), Some(1));
        assert_eq!(next(&[]), Some(1));
        assert_eq!(next(&[1, 3]), Some(2));
        assert_eq!(next(&[2]), Some(3));
        assert_eq!(next(&[3]), Some(0));
        assert_eq!(next(&[0]), None);
        assert_eq!(next(&[]), None);
    }
}
