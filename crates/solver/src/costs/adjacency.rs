//! A checked copy of an oracle's answers: the one place where solvers read costs.

use super::{CostOracle, Counted};
use crate::error::SolveError;

/// Neighbours of every vertex, ascending, with finite and symmetric costs.
#[derive(Debug, Default)]
pub(crate) struct Adjacency {
    starts: Vec<usize>,
    neighbours: Vec<(u32, f64)>,
    /// For the check of symmetry: how far each row has been matched.
    cursor: Vec<usize>,
}

impl Adjacency {
    /// Reads all of `costs`, O(m) calls of the visitor plus O(m) to check symmetry.
    ///
    /// # Errors
    /// Whatever breaks the oracle's contract.
    pub(crate) fn read(&mut self, costs: &Counted<'_>) -> Result<(), SolveError> {
        let vertices = costs.vertices();
        self.starts.clear();
        self.starts.push(0);
        self.neighbours.clear();
        for i in 0..vertices {
            self.read_row(costs, i, vertices)?;
        }
        self.check_symmetry()
    }

    fn read_row(&mut self, costs: &Counted<'_>, i: usize, vertices: usize) -> Result<(), SolveError> {
        let start = self.neighbours.len();
        let mut outside = None;
        costs.for_each_neighbour(i, &mut |j, cost| match u32::try_from(j) {
            Ok(short) if j < vertices && j != i => self.neighbours.push((short, cost)),
            _ => outside = outside.or(Some(j)),
        });
        if let Some(j) = outside {
            return Err(SolveError::BadNeighbour { i, j, vertices });
        }
        let row = &mut self.neighbours[start..];
        if !row.is_sorted_by(|a, b| a.0 < b.0) {
            row.sort_unstable_by_key(|&(j, _)| j);
        }
        if let Some(two) = row.windows(2).find(|two| two[0].0 == two[1].0) {
            return Err(SolveError::BadNeighbour {
                i,
                j: two[0].0 as usize,
                vertices,
            });
        }
        if let Some(&(j, value)) = row.iter().find(|(_, cost)| !cost.is_finite()) {
            return Err(SolveError::NotFinite {
                i,
                j: j as usize,
                value,
            });
        }
        self.starts.push(self.neighbours.len());
        Ok(())
    }

    /// Rows are ascending, so walking all of them meets each row's own entries in order: entry (i, j) must
    /// be the next one of row j that is still unmatched.
    fn check_symmetry(&mut self) -> Result<(), SolveError> {
        let vertices = self.vertices();
        self.cursor.clear();
        self.cursor.extend_from_slice(&self.starts[..vertices]);
        for i in 0..vertices {
            for at in self.starts[i]..self.starts[i + 1] {
                let (j, cost) = self.neighbours[at];
                let (j, back) = (j as usize, self.cursor[j as usize]);
                let twin = (back < self.starts[j + 1]).then(|| self.neighbours[back]);
                if twin.is_some_and(|(from, twin)| from as usize == i && twin == cost) {
                    self.cursor[j] += 1;
                    continue;
                }
                // The earlier of the two rows lacks an entry, or both have it and disagree.
                let (i, j) = match twin {
                    Some((from, _)) if (from as usize) < i => (from as usize, j),
                    _ => (i, j),
                };
                let (forward, backward) = (self.cost(i, j), self.cost(j, i));
                return Err(SolveError::Asymmetric {
                    i,
                    j,
                    forward,
                    backward,
                });
            }
        }
        Ok(())
    }

    /// Writes the edges among some vertices, ascending, to `part`, where vertex v is called `places[v]`: `u32::MAX`
    /// of those that are left out. O(their edges).
    pub(crate) fn copy_part(&self, vertices: &[u32], places: &[u32], part: &mut Self) {
        part.starts.clear();
        part.starts.push(0);
        part.neighbours.clear();
        for &v in vertices {
            let row = self.row(v as usize).iter();
            let inside = row.filter(|(j, _)| places[*j as usize] != u32::MAX);
            part.neighbours
                .extend(inside.map(|&(j, cost)| (places[j as usize], cost)));
            part.starts.push(part.neighbours.len());
        }
    }

    pub(crate) fn vertices(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Twice the number of edges.
    pub(crate) fn entries(&self) -> usize {
        self.neighbours.len()
    }

    pub(crate) fn row(&self, i: usize) -> &[(u32, f64)] {
        &self.neighbours[self.starts[i]..self.starts[i + 1]]
    }

    /// Every edge once, as (i, j, cost) with i < j, ascending.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.vertices()).flat_map(move |i| {
            let later = self.row(i).iter().filter(move |(j, _)| *j as usize > i);
            later.map(move |&(j, cost)| (i, j as usize, cost))
        })
    }

    pub(crate) fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let row = self.row(i);
        row.binary_search_by_key(&j, |&(to, _)| to as usize)
            // Dropped: what is not in the row is absent.
            .ok()
            .map(|at| row[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An oracle that says whatever its table says.
    struct Table(Vec<Vec<(usize, f64)>>);

    impl CostOracle for Table {
        fn vertices(&self) -> usize {
            self.0.len()
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            self.0[i].iter().find(|(to, _)| *to == j).map(|&(_, cost)| cost)
        }
        fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
            self.0[i].iter().for_each(|&(j, cost)| visit(j, cost));
        }
    }

    fn read(rows: &[&[(usize, f64)]]) -> Result<Adjacency, SolveError> {
        let mut adjacency = Adjacency::default();
        let table = Table(rows.iter().map(|row| row.to_vec()).collect());
        adjacency.read(&Counted::new(&table)?).map(|()| adjacency)
    }

    #[test]
    fn rows_in_any_order_are_sorted() {
        let graph = read(&[&[(2, 5.0), (1, 4.0)], &[(0, 4.0)], &[(0, 5.0)]]).unwrap();
        assert_eq!(graph.row(0), [(1, 4.0), (2, 5.0)]);
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1, 4.0), (0, 2, 5.0)]);
    }

    #[test]
    fn a_self_loop_a_stranger_and_a_repeat_are_refused() {
        let bad = |j| SolveError::BadNeighbour { i: 0, j, vertices: 2 };
        assert_eq!(read(&[&[(0, 1.0)], &[]]).unwrap_err(), bad(0));
        assert_eq!(read(&[&[(2, 1.0)], &[]]).unwrap_err(), bad(2));
        assert_eq!(read(&[&[(usize::MAX, 1.0)], &[]]).unwrap_err(), bad(usize::MAX));
        assert_eq!(read(&[&[(1, 1.0), (1, 1.0)], &[(0, 1.0)]]).unwrap_err(), bad(1));
    }

    #[test]
    fn a_cost_that_is_no_number_is_refused() {
        let error = read(&[&[(1, f64::NAN)], &[(0, f64::NAN)]]).unwrap_err();
        assert!(matches!(error, SolveError::NotFinite { i: 0, j: 1, .. }));
    }

    #[test]
    fn asymmetry_is_found_whichever_side_is_short() {
        let odd = |i, j, forward, backward| SolveError::Asymmetric {
            i,
            j,
            forward,
            backward,
        };
        assert_eq!(
            read(&[&[(1, 1.0)], &[(0, 2.0)]]).unwrap_err(),
            odd(0, 1, Some(1.0), Some(2.0))
        );
        assert_eq!(read(&[&[(1, 1.0)], &[]]).unwrap_err(), odd(0, 1, Some(1.0), None));
        assert_eq!(read(&[&[], &[(0, 1.0)]]).unwrap_err(), odd(1, 0, Some(1.0), None));
        let third = read(&[&[], &[(2, 1.0)], &[(0, 3.0), (1, 1.0)]]).unwrap_err();
        assert!(matches!(third, SolveError::Asymmetric { .. }), "{third}");
    }
}
