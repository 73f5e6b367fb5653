//! What goes by names.

/// Values by their names, sorted: much less code than a map, and new names are
/// rare.
#[derive(Debug)]
pub(super) struct Named<T>(Vec<(Box<str>, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Named<T> {
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }

    pub(super) fn get(&self, name: &str) -> Option<&T> {
        let place = self.place(name).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// Adds a value, unless the name has one.
    pub(super) fn insert(&mut self, name: &str, value: T) {
        if let Err(place) = self.place(name) {
            self.0.insert(place, (name.into(), value));
        }
    }

    /// What all take. `more`: the bytes of a value.
    pub(super) fn bytes(&self, more: impl Fn(&T) -> usize) -> usize {
        let bytes = |(name, value): &(Box<str>, T)| name.len() + more(value);
        size_of_val(&*self.0) + self.0.iter().map(bytes).sum::<usize>()
    }

    pub(super) fn retain(&mut self, mut keeps: impl FnMut(&T) -> bool) {
        self.0.retain(|(_, value)| keeps(value));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|(_, value)| value)
    }
}
