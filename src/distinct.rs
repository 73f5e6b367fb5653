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
        let mut items = Vec::with_capacity(list.len());
        let mut of = Vec::with_capacity(list.len());
        for (first, item) in first_places(&list).into_iter().zip(list) {
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
/// sort, a heap is the one with the least code.
pub fn first_places<T: Ord>(list: &[T]) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use super::Distinct;

    #[test]
    fn keeps_first_seen_order() {
        let distinct = Distinct::from_list([7, 3, 7, 1, 3]);
        assert_eq!(distinct.items, [7, 3, 1]);
        assert_eq!(distinct.of, [0, 1, 0, 2, 1]);
    }
}
