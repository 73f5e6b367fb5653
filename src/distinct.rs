//! Things that may be listed twice but count once.

/// A list without its repetitions.
#[derive(Debug, Default)]
pub struct Distinct<T> {
    /// Each thing once, in first-seen order.
    pub items: Vec<T>,
    /// For each place of the list, where its thing stands in `items`.
    pub of: Vec<usize>,
}

impl<T: Ord> Distinct<T> {
    /// Sorts rather than hashes: no list can be made to collide.
    pub fn from_list(list: impl IntoIterator<Item = T>) -> Self {
        let list: Vec<T> = list.into_iter().collect();
        let first = first_places(&list);
        let mut items = Vec::with_capacity(list.len());
        let mut of: Vec<usize> = Vec::with_capacity(list.len());
        for (place, (item, first)) in list.into_iter().zip(first).enumerate() {
            // The first one stands before all others, so its place is known.
            let seen = (first != place).then(|| of.get(first).copied()).flatten();
            of.push(seen.unwrap_or(items.len()));
            if seen.is_none() {
                items.push(item);
            }
        }
        Self { items, of }
    }
}

/// For each place of the list, the first place at which the same thing stands.
fn first_places<T: Ord>(list: &[T]) -> Vec<usize> {
    let mut sorted: Vec<(&T, usize)> = list.iter().zip(0..).collect();
    sorted.sort_unstable();
    let mut first = vec![0; list.len()];
    for same in sorted.chunk_by(|(left, _), (right, _)| left == right) {
        let lead = same.first().map_or(0, |(_, place)| *place);
        for (_, place) in same {
            if let Some(first) = first.get_mut(*place) {
                *first = lead;
            }
        }
    }
    first
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
