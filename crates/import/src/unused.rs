//! What each column of an input is taken for, and which nothing looks at, in words.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use crate::cell::decimals::Decimals;
use crate::text::{MOST, listed, shown};

/// Columns of a table, or keys of objects, by their names, each once.
#[derive(Debug, Default)]
pub(crate) struct ColumnUse {
    /// Those that nothing looks at.
    unused: RefCell<BTreeSet<String>>,
    /// What others are taken for, in the order of reading.
    taken: RefCell<Vec<(String, &'static str)>>,
    /// Whether commas in numbers were found to be decimal.
    decimal_comma: Cell<Option<bool>>,
}

impl ColumnUse {
    pub(crate) fn add(&self, name: &str) {
        let mut names = self.unused.borrow_mut();
        if !names.contains(name) {
            names.insert(name.to_owned());
        }
    }

    /// A column that is read, and what it means.
    pub(crate) fn take(&self, name: &str, meaning: &'static str) {
        let mut taken = self.taken.borrow_mut();
        if !taken
            .iter()
            .any(|(known, for_what)| known == name && *for_what == meaning)
        {
            taken.push((name.to_owned(), meaning));
        }
    }

    /// Columns and what they are taken for.
    pub(crate) fn taken(&self) -> Vec<(String, String)> {
        let taken = self.taken.borrow();
        taken
            .iter()
            .map(|(name, meaning)| (name.clone(), (*meaning).to_owned()))
            .collect()
    }

    /// What commas in the numbers of all columns are, with a word on it where that was found.
    pub(crate) fn take_decimals(&self, decimals: Decimals) -> Option<String> {
        self.decimal_comma.set(decimals.found());
        decimals.note()
    }

    /// Whether commas are decimal, as far as that was found.
    pub(crate) const fn decimal_comma(&self) -> Option<bool> {
        self.decimal_comma.get()
    }

    /// All columns of a header but those at these places.
    pub(crate) fn add_all_but(&self, header: &[String], used: &[usize]) {
        for (_, name) in (0..).zip(header).filter(|(place, _)| !used.contains(place)) {
            self.add(name);
        }
    }

    /// Those that were met.
    pub(crate) fn names(&self) -> Vec<String> {
        let taken = self.taken.borrow();
        let is_taken = |name: &&String| taken.iter().any(|(known, _)| known == *name);
        self.unused
            .borrow()
            .iter()
            .filter(|name| !is_taken(name))
            .cloned()
            .collect()
    }
}

/// What the user should hear of columns that nothing looks at, with what was perhaps meant among those that are `known`.
#[must_use]
pub fn unused_note(names: &[String], known: &[&str]) -> Option<String> {
    let told = (0..).zip(names).map(|(place, name)| {
        // A letter off; none of those that are counted alone.
        let meant = known.iter().filter(|_| place < MOST && !known.contains(&&**name));
        let meant = meant
            .copied()
            .find(|known| strsim::osa_distance(known, name) == 1);
        let hint = meant.map_or_else(String::new, |known| format!(" (did you mean `{known}`?)"));
        format!("`{}`{hint}", shown(name))
    });
    let listed = listed(told)?;
    Some(format!("columns that were not used: {listed}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_names_are_counted_and_none_say_nothing() {
        let names = |count: usize| (0..count).map(|k| format!("c{k}"));
        assert_eq!(listed(names(0)), None);
        assert_eq!(listed(names(2)).unwrap(), "c0, c1");
        assert!(listed(names(20)).unwrap().ends_with("c10, c11 and 8 more"));
        let note = unused_note(&["skil".to_owned(), "x\ny".to_owned()], &["skill"]).unwrap();
        assert_eq!(
            note,
            "columns that were not used: `skil` (did you mean `skill`?), `x\\ny`"
        );
    }
}
