//! Interned names, so that players are compared by numbers.

use std::collections::HashMap;

/// A number for each name in use. Uses are counted: a name without a use is forgotten, and its number is given again.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    numbers: HashMap<String, usize>,
    /// How often each number is in use; 0 for the free ones.
    uses: Vec<usize>,
    free: Vec<usize>,
}

impl Names {
    /// The number of `name`, in use once more. O(1).
    pub(super) fn acquire(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            self.uses[number] += 1;
            return number;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.uses.push(0);
            self.uses.len() - 1
        });
        self.uses[number] = 1;
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The numbers of a list of names, sorted; each is in use as often as it is listed.
    pub(super) fn acquire_all(&mut self, names: &[String]) -> Vec<usize> {
        let mut numbers: Vec<usize> = names.iter().map(|name| self.acquire(name)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// One use less of a name that was acquired. O(1).
    pub(super) fn release(&mut self, name: &str) {
        if let Some(&number) = self.numbers.get(name) {
            self.uses[number] -= 1;
            if self.uses[number] == 0 {
                self.numbers.remove(name);
                self.free.push(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_given_again_only_when_its_name_is_not_in_use() {
        let mut names = Names::default();
        assert_eq!(
            [names.acquire("a"), names.acquire("b"), names.acquire("a")],
            [0, 1, 0]
        );
        names.release("a");
        assert_eq!(names.acquire("c"), 2);
        names.release("a");
        assert_eq!(names.acquire("d"), 0);
        assert_eq!((names.numbers.len(), names.free.len()), (3, 0));
    }
}
