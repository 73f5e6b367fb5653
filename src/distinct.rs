//! Things that may be listed twice but count once.

use std::collections::BTreeMap;

/// A list without its repetitions.
#[derive(Debug, Default)]
pub struct Distinct<T> {
    /// Each thing once, in first-seen order.
    pub items: Vec<T>,
    /// For each place of the list, where its thing stands in `items`.
    pub of: Vec<usize>,
}

impl<T: Ord + Clone> Distinct<T> {
    /// Orders rather than hashes: no list can be made to collide.
    pub fn from_list(list: impl IntoIterator<Item = T>) -> Self {
        let list = list.into_iter();
        let mut places = BTreeMap::new();
        let mut items = Vec::with_capacity(list.size_hint().0);
        let of = list
            .map(|item| {
                let place = *places.entry(item.clone()).or_insert(items.len());
                if place == items.len() {
                    items.push(item);
                }
                place
            })
            .collect();
        Self { items, of }
    }
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
