//! Things that may be listed twice but count once.

use std::collections::BinaryHeap;

/// A list without its repetitions.
#[derive(Debug, Default)]
pub struct Distinct<T> {
    /// Each thing once, in first-seen order.
    pub items: Vec<T>,
    /// For each place of the list, where its thing stands in `items`.
    pub of: Vec<usize>,
}

impl<T: Ord> Distinct<T> {
    /// Finds the repetitions of a list.
    pub fn from_list(list: impl IntoIterator<Item = T>) -> Self {
        let list: Vec<T> = list.into_iter().collect();
        let first_places = first_places(&list);
        Self::from_first_places(list, first_places)
    }
}

impl Distinct<i64> {
    /// As [`Distinct::from_list`], for the hundreds of an order.
    pub fn from_integers(list: Vec<i64>) -> Self {
        let first_places = hashed_first_places(&list).unwrap_or_else(|| first_places(&list));
        Self::from_first_places(list, first_places)
    }
}

impl<T> Distinct<T> {
    fn from_first_places(list: Vec<T>, first_places: Vec<usize>) -> Self {
        let mut items = Vec::with_capacity(list.len());
        let mut of = Vec::with_capacity(list.len());
        for (first, item) in first_places.into_iter().zip(list) {
            // What stood before has its number already.
            let number = of.get(first).copied().unwrap_or(items.len());
            if number == items.len() {
                items.push(item);
            }
            of.push(number);
        }
        Self { items, of }
    }
}

/// For each place of a list, where the same thing stands first.
///
/// Sorts rather than hashes: no list can be made to collide. Of all ways to
/// sort, a heap is the one with the least code. A short list is looked through
/// in less time than a heap is made.
pub fn first_places<T: Ord>(list: &[T]) -> Vec<usize> {
    const SHORT: usize = 16;
    if list.len() <= SHORT {
        let place = |item: &T| list.iter().position(|other| other == item);
        return list.iter().filter_map(place).collect();
    }
    let sorted = BinaryHeap::from_iter(list.iter().zip(0_usize..)).into_sorted_vec();
    let mut first_places = vec![0; list.len()];
    for same in sorted.chunk_by(|(left, _), (right, _)| left == right) {
        let first = same.first().map_or(0, |(_, place)| *place);
        for (_, place) in same {
            if let Some(of_place) = first_places.get_mut(*place) {
                *of_place = first;
            }
        }
    }
    first_places
}

/// An odd number: the upper bits of its product with an integer follow from all
/// bits of that.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// As [`first_places`], in a fraction of the time; `None` for a list in which so
/// many integers collide that it may have been made for it.
fn hashed_first_places(list: &[i64]) -> Option<Vec<usize>> {
    const MOST_PROBES: u64 = 32;
    const FREE: usize = usize::MAX;
    let bits = list.len().max(1).ilog2().wrapping_add(2);
    let mut slots = vec![FREE; 1 << bits];
    let mask = slots.len().wrapping_sub(1);
    let mut first_places = Vec::with_capacity(list.len());
    for (place, integer) in list.iter().enumerate() {
        let hash = (*integer as u64).wrapping_mul(SPREAD) >> u64::BITS.wrapping_sub(bits);
        let first = (hash..hash.wrapping_add(MOST_PROBES)).find_map(|probe| {
            let slot = slots.get_mut(probe as usize & mask)?;
            if *slot == FREE {
                *slot = place;
            }
            (list.get(*slot)? == integer).then_some(*slot)
        })?;
        first_places.push(first);
    }
    Some(first_places)
}

#[cfg(test)]
mod tests {
    use super::{Distinct, SPREAD, hashed_first_places};

    #[test]
    fn keeps_first_seen_order() {
        let distinct = Distinct::from_list([7, 3, 7, 1, 3]);
        assert_eq!(distinct.items, [7, 3, 1]);
        assert_eq!(distinct.of, [0, 1, 0, 2, 1]);
    }

    #[test]
    fn integers_are_told_apart_by_every_bit() {
        let edges =
            (0..i64::BITS).flat_map(|bit| [1 << bit, -1 << bit, (1_i64 << bit).wrapping_sub(1)]);
        let many = (0..1_000_i64).map(|index| index * index % 811);
        for list in [
            vec![],
            vec![0],
            vec![-1, -1],
            edges.collect(),
            many.collect(),
        ] {
            assert!(hashed_first_places(&list).is_some());
            assert_found(list);
        }
    }

    #[test]
    fn integers_that_were_made_to_collide_are_found_all_the_same() {
        let in_first_slot = |integer: &i64| (*integer as u64).wrapping_mul(SPREAD) >> 50 == 0;
        let list: Vec<i64> = (0..).filter(in_first_slot).take(50).collect();
        assert!(hashed_first_places(&list).is_none());
        assert_found([list.clone(), list].concat());
    }

    fn assert_found(list: Vec<i64>) {
        let expected = Distinct::from_list(list.clone());
        let found = Distinct::from_integers(list);
        assert_eq!((found.items, found.of), (expected.items, expected.of));
    }
}
