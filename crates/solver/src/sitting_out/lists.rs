//! Lists of numbers, one after the other in one piece of memory.

/// A fixed number of lists.
#[derive(Debug)]
pub(super) struct Lists {
    /// Where each list begins; one more entry than lists.
    starts: Vec<usize>,
    items: Vec<usize>,
}

impl Lists {
    /// The lists of these `(list, item)`, each in the order given.
    pub(super) fn new(lists: usize, entries: &[(usize, usize)]) -> Self {
        let mut starts = vec![0; lists + 1];
        for &(list, _) in entries {
            starts[list + 1] += 1;
        }
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let mut free = starts.clone();
        let mut items = vec![0; entries.len()];
        for &(list, item) in entries {
            items[free[list]] = item;
            free[list] += 1;
        }
        Self { starts, items }
    }

    pub(super) fn get(&self, list: usize) -> &[usize] {
        &self.items[self.starts[list]..self.starts[list + 1]]
    }

    /// How many lists there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}
