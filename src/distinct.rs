//! Finds the repeated entries of a list.

use std::borrow::Cow;
use std::collections::BinaryHeap;

use crate::certain::Certain;

/// For each entry of a list, the index of its first occurrence.
///
/// Sorts rather than hashes: no sender can make a list collide. Of all sorts, a
/// heap has the least code. A linear search is faster for a short list.
pub fn first_places(list: &[Cow<'_, str>]) -> Vec<usize> {
    const SHORT: usize = 16;
    if list.len() <= SHORT {
        let place = |item| list.iter().position(|other| other == item);
        return list.iter().map(|item| place(item).certain()).collect();
    }
    let sorted = BinaryHeap::from_iter(list.iter().zip(0_usize..)).into_sorted_vec();
    let mut first_places = vec![0; list.len()];
    for same in sorted.chunk_by(|(left, _), (right, _)| left == right) {
        let (_, first) = same.first().certain();
        for (_, place) in same {
            *first_places.get_mut(*place).certain() = *first;
        }
    }
    first_places
}

/// For each of `items`, whether it is one of `known`.
pub fn are_among(items: &[Cow<'_, str>], known: &[Cow<'_, str>]) -> Vec<bool> {
    let first_places = first_places(&[known, items].concat());
    let of_items = first_places.into_iter().skip(known.len());
    of_items.map(|first| first < known.len()).collect()
}

/// The distinct integers of a list.
#[derive(Debug, Default)]
pub struct Distinct {
    /// The distinct integers in first-seen order.
    pub items: Vec<i64>,
    /// For each entry of the list, its index in `items`.
    pub of: Vec<usize>,
}

/// An odd factor: the upper bits of its product with an integer depend on all
/// bits of the integer.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Distinct {
    /// Finds the repetitions of a list.
    pub fn new(list: impl ExactSizeIterator<Item = i64> + Clone) -> Self {
        Self::by_hashes(list.clone()).unwrap_or_else(|| Self::by_sorting(list))
    }

    /// Much faster than sorting; `None` if so many integers collide that a
    /// sender may have made the list for it.
    fn by_hashes(list: impl ExactSizeIterator<Item = i64>) -> Option<Self> {
        const MOST_PROBES: u64 = 32;
        const FREE: usize = usize::MAX;
        let bits = list.len().max(1).ilog2() + 2;
        let mut slots = vec![FREE; 1 << bits];
        let mask = slots.len() - 1;
        let mut items = Vec::with_capacity(list.len());
        let mut of = Vec::with_capacity(list.len());
        for integer in list {
            let hash = (integer as u64).wrapping_mul(SPREAD) >> (u64::BITS - bits);
            let place = (hash..hash + MOST_PROBES).find_map(|probe| {
                let slot = slots.get_mut(probe as usize & mask)?;
                if *slot == FREE {
                    *slot = items.len();
                    items.push(integer);
                }
                (items.get(*slot) == Some(&integer)).then_some(*slot)
            })?;
            of.push(place);
        }
        Some(Self { items, of })
    }

    /// Sorts the integers as texts: only lists made to collide come here, and
    /// they are not worth a sort of their own.
    fn by_sorting(list: impl Iterator<Item = i64> + Clone) -> Self {
        let texts = list.clone().map(|integer| integer.to_string().into());
        let mut distinct = Self::default();
        for (first, integer) in first_places(&Vec::from_iter(texts)).into_iter().zip(list) {
            // An earlier occurrence already has its index.
            let place = distinct.of.get(first).copied();
            let place = place.unwrap_or(distinct.items.len());
            if place == distinct.items.len() {
                distinct.items.push(integer);
            }
            distinct.of.push(place);
        }
        distinct
    }
}

#[cfg(test)]
mod tests {
    use super::{Distinct, SPREAD, are_among};

    #[test]
    fn tells_which_are_known() {
        let known = ["a".into(), "b".into(), "a".into()];
        let items = ["b".into(), "c".into(), "c".into(), "a".into()];
        assert_eq!(are_among(&items, &known), [true, false, false, true]);
        assert_eq!(are_among(&items, &[]), [false; 4]);
        assert!(are_among(&[], &known).is_empty());
    }

    #[test]
    fn keeps_first_seen_order() {
        let distinct = Distinct::new([7, 3, 7, 1, 3].into_iter());
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
            assert!(Distinct::by_hashes(list.iter().copied()).is_some());
            assert_found(&list);
        }
    }

    #[test]
    fn integers_that_were_made_to_collide_are_found_all_the_same() {
        let in_first_slot = |integer: &i64| (*integer as u64).wrapping_mul(SPREAD) >> 50 == 0;
        let list: Vec<i64> = (0..).filter(in_first_slot).take(50).collect();
        assert!(Distinct::by_hashes(list.iter().copied()).is_none());
        assert_found(&[list.clone(), list].concat());
    }

    fn assert_found(list: &[i64]) {
        let expected = Distinct::by_sorting(list.iter().copied());
        let found = Distinct::new(list.iter().copied());
        assert_eq!((found.items, found.of), (expected.items, expected.of));
    }
}
