//! Of each vertex the few others with the smallest reduced costs.

use crate::read::Real;

/// A list for each vertex that keeps its best entries of all that are offered.
///
/// A list may grow to twice what is wanted before the worse half is dropped, so that an offer takes constant time on
/// average.
#[derive(Debug, Default)]
pub(in super::super) struct Selection<T> {
    wanted: usize,
    /// 2 `wanted` places for each vertex.
    entries: Vec<(T, u32)>,
    lengths: Vec<u32>,
    /// Nothing larger gets into a vertex's list; infinite until the list was full.
    pub(in super::super) limits: Vec<T>,
}

impl<T: Real> Selection<T> {
    /// Empty lists of `wanted` entries for each of `vertices`, which take nothing above `limit`.
    pub(in super::super) fn reset(&mut self, vertices: usize, wanted: usize, limit: T) {
        self.wanted = wanted;
        self.entries.clear();
        self.entries.resize(2 * wanted * vertices, (T::INFINITY, 0));
        self.lengths.clear();
        self.lengths.resize(vertices, 0);
        self.limits.clear();
        self.limits.resize(vertices, limit);
    }

    /// Offers `i` the vertex `j` at this reduced cost. Of equals the first offered stays.
    #[inline]
    pub(in super::super) fn offer(&mut self, i: usize, j: u32, reduced: T) {
        let counts = reduced < self.limits[i];
        if !counts {
            return;
        }
        let start = 2 * self.wanted * i;
        let length = self.lengths[i] as usize;
        self.entries[start + length] = (reduced, j);
        self.lengths[i] += 1;
        if length + 1 == 2 * self.wanted {
            self.prune(i);
        }
    }

    /// Keeps the best of a list that has enough.
    pub(in super::super) fn prune(&mut self, i: usize) {
        if (self.lengths[i] as usize) < self.wanted {
            return;
        }
        let start = 2 * self.wanted * i;
        let list = &mut self.entries[start..start + self.lengths[i] as usize];
        list.select_nth_unstable_by(self.wanted - 1, order);
        self.limits[i] = list[self.wanted - 1].0;
        self.lengths[i] = u32::try_from(self.wanted).unwrap_or(u32::MAX);
    }

    /// Empties one list and takes its limit off.
    pub(in super::super) fn reopen(&mut self, i: usize) {
        self.lengths[i] = 0;
        self.limits[i] = T::INFINITY;
    }

    /// Cuts all lists to what is wanted.
    pub(in super::super) fn finish(&mut self) {
        (0..self.lengths.len()).for_each(|i| self.finish_one(i));
    }

    /// The same for one vertex.
    pub(in super::super) fn finish_one(&mut self, i: usize) {
        if self.lengths[i] as usize > self.wanted {
            self.prune(i);
        }
    }

    /// The number that a full list consists of, if it is one, so that as good ones may be missing.
    pub(in super::super) fn tied(&self, i: usize) -> Option<T> {
        let list = self.list(i);
        let is_tied = list.len() == self.wanted && list.iter().all(|entry| entry.0 == list[0].0);
        is_tied.then(|| list[0].0)
    }

    /// The entries of `i`, in no order.
    pub(in super::super) fn list(&self, i: usize) -> &[(T, u32)] {
        let start = 2 * self.wanted * i;
        &self.entries[start..start + self.lengths[i] as usize]
    }

    /// Every chosen pair (i, j) with i < j once, after [`finish`](Self::finish).
    pub(in super::super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).take(self.lengths.len()).flat_map(move |i| {
            let chosen = self.list(i as usize).iter().map(|&(_, j)| j);
            // Chosen from both sides, it is the smaller one's.
            let own = move |&j: &u32| i < j || !self.list(j as usize).iter().any(|&(_, back)| back == i);
            chosen.filter(own).map(move |j| (i.min(j), i.max(j)))
        })
    }
}

/// By reduced cost, then by vertex. There are no NaN.
fn order<T: Real>(a: &(T, u32), b: &(T, u32)) -> std::cmp::Ordering {
    a.0.partial_cmp(&b.0)
        .unwrap_or(std::cmp::Ordering::Equal)
        .then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_stay_and_pairs_come_once() {
        let mut lists = Selection::<f64>::default();
        lists.reset(3, 2, f64::INFINITY);
        for (j, reduced) in [(1, 5.0), (2, 1.0), (1, 4.0), (2, 3.0), (1, 0.5), (2, f64::NAN)] {
            lists.offer(0, j, reduced);
        }
        lists.offer(1, 0, 0.5);
        lists.offer(2, 1, 7.0);
        lists.finish();
        let mut chosen: Vec<_> = lists.list(0).iter().map(|entry| entry.0).collect();
        chosen.sort_by(f64::total_cmp);
        assert_eq!(chosen, [0.5, 1.0]);
        let mut pairs: Vec<_> = lists.pairs().collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
    }
}
