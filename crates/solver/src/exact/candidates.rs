//! The few edges that the algorithm works on: of each vertex those that look best, and what pricing adds.

use super::integer::Integer;

/// A sparse graph that grows: rows of (neighbour, weight), ascending, each edge in two rows.
///
/// Weights are in halves of a quantised cost, hence even. New edges wait in a list until
/// [`merge`](Self::merge), since they come in batches and rows are read far more often.
#[derive(Debug, Default)]
pub(super) struct Candidates<W> {
    starts: Vec<u32>,
    entries: Vec<(u32, W)>,
    waiting: Vec<(u32, u32, W)>,
    vertices: usize,
    /// Whether all edges of the graph are here.
    whole: bool,
    /// The entries as they were, and places in rows, while merging.
    former: Vec<(u32, W)>,
    places: Vec<u32>,
}

impl<W: Integer> Candidates<W> {
    /// No edges among `vertices`.
    pub(super) fn reset(&mut self, vertices: usize) {
        self.starts.clear();
        self.starts.resize(vertices + 1, 0);
        self.entries.clear();
        self.waiting.clear();
        (self.vertices, self.whole) = (vertices, false);
    }

    pub(super) fn vertices(&self) -> usize {
        self.vertices
    }

    /// How many edges are in the rows.
    #[cfg(test)]
    pub(super) fn edges(&self) -> usize {
        self.entries.len() / 2
    }

    /// Says that all edges of the graph have been added.
    pub(super) fn set_whole(&mut self) {
        self.whole = true;
    }

    /// Whether every edge of the graph is here.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// The neighbours of `i` with the weights of their edges, ascending.
    #[inline]
    pub(super) fn row(&self, i: usize) -> &[(u32, W)] {
        &self.entries[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// The weight of the edge between `i` and `j`, if it is in the rows.
    pub(super) fn weight(&self, i: usize, j: usize) -> Option<W> {
        let row = self.row(i);
        // Dropped: what is not in the row is absent.
        let at = row.binary_search_by_key(&j, |&(to, _)| to as usize).ok()?;
        Some(row[at].1)
    }

    /// How far duals should change at first when trees grow from exposed vertices: a part of the median slack of their
    /// candidates that are not tight. So a few long edges, which only the last of them need, do not count. `slacks` is
    /// scratch.
    pub(super) fn first_limit(&self, duals: &[W], exposed: &[usize], slacks: &mut Vec<W>) -> W {
        const PART: f64 = 8.0;
        let of = |&i: &usize| {
            let row = self.row(i).iter();
            row.map(move |&(j, weight)| weight - duals[i] - duals[j as usize])
        };
        slacks.clear();
        slacks.extend(exposed.iter().flat_map(of).filter(|&slack| slack > W::ZERO));
        let middle = slacks.len() / 2;
        if slacks.is_empty() {
            return W::ONE;
        }
        let (_, median, _) = slacks.select_nth_unstable(middle);
        let limit = (median.wide() as f64 / PART).ceil();
        W::from_whole(limit).max(W::ONE).min(W::LIMIT)
    }

    /// Adds an edge with the next [`merge`](Self::merge). Adding one twice does no harm.
    pub(super) fn add(&mut self, i: u32, j: u32, weight: W) {
        self.waiting.push((i, j, weight));
    }

    /// Sorts the waiting edges into the rows. O(edges log degree).
    pub(super) fn merge(&mut self) {
        let vertices = self.vertices();
        self.places.clear();
        self.places.resize(vertices + 1, 0);
        for &(i, j, _) in &self.waiting {
            self.places[i as usize + 1] += 1;
            self.places[j as usize + 1] += 1;
        }
        for i in 0..vertices {
            self.places[i + 1] += self.places[i] + (self.starts[i + 1] - self.starts[i]);
        }
        std::mem::swap(&mut self.entries, &mut self.former);
        self.entries.clear();
        self.entries
            .resize(self.former.len() + 2 * self.waiting.len(), (0, W::ZERO));
        // From here on, `places` is where the next entry of each row goes.
        for i in 0..vertices {
            let old = &self.former[self.starts[i] as usize..self.starts[i + 1] as usize];
            let at = self.places[i] as usize;
            self.entries[at..at + old.len()].copy_from_slice(old);
            self.starts[i] = self.places[i];
            self.places[i] += u32::try_from(old.len()).unwrap_or(u32::MAX);
        }
        for (i, j, weight) in self.waiting.drain(..) {
            for (from, to) in [(i, j), (j, i)] {
                self.entries[self.places[from as usize] as usize] = (to, weight);
                self.places[from as usize] += 1;
            }
        }
        self.sort_rows();
    }

    /// Sorts each row and drops repeats. `starts[i]..places[i]` are the rows.
    fn sort_rows(&mut self) {
        let mut end = 0;
        for i in 0..self.vertices() {
            let (from, to) = (self.starts[i] as usize, self.places[i] as usize);
            let row = &mut self.entries[from..to];
            if !row.is_sorted_by(|a, b| a.0 < b.0) {
                row.sort_unstable_by_key(|&(j, _)| j);
            }
            self.starts[i] = u32::try_from(end).unwrap_or(u32::MAX);
            let mut last = None;
            for at in from..to {
                let entry = self.entries[at];
                if last != Some(entry.0) {
                    last = Some(entry.0);
                    self.entries[end] = entry;
                    end += 1;
                }
            }
        }
        self.entries.truncate(end);
        let vertices = self.vertices();
        self.starts[vertices] = u32::try_from(end).unwrap_or(u32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_edges_are_in_both_rows_once_and_in_order() {
        let mut graph = Candidates::<i64>::default();
        graph.reset(4);
        graph.add(2, 0, 8);
        graph.add(0, 1, 6);
        graph.merge();
        assert_eq!(graph.row(0), [(1, 6), (2, 8)]);
        graph.add(1, 0, 6);
        graph.add(3, 1, 2);
        graph.add(0, 1, 6);
        graph.merge();
        assert_eq!(graph.row(1), [(0, 6), (3, 2)]);
        assert_eq!(graph.row(2), [(0, 8)]);
        assert_eq!(
            (graph.weight(3, 1), graph.weight(3, 0), graph.edges()),
            (Some(2), None, 3)
        );
    }

    #[test]
    fn a_few_long_edges_do_not_raise_the_first_limit() {
        let mut graph = Candidates::<i64>::default();
        graph.reset(20);
        for i in 0..19 {
            graph.add(i, i + 1, 160);
        }
        graph.merge();
        let all: Vec<usize> = (0..20).collect();
        let mut slacks = Vec::new();
        assert_eq!(graph.first_limit(&[0; 20], &all, &mut slacks), 20);
        graph.add(0, 19, 1 << 40);
        graph.merge();
        assert_eq!(graph.first_limit(&[0; 20], &all, &mut slacks), 20);
        // Nor do tight ones lower it.
        assert_eq!(graph.first_limit(&[80; 20], &all, &mut slacks), (1 << 37) - 20);
        assert_eq!(graph.first_limit(&[0; 20], &[], &mut slacks), 1);
    }
}
