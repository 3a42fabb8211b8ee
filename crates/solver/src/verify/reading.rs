//! The oracle as it is read, pair by pair or in tiles of a matrix.

use super::error::VerifyError;
use super::pairs::Pairs;
use super::points::{points_of, read_near};
use super::strips::Readers;
use crate::costs::CostOracle;

/// Rows and columns of a tile: two of them fit into a cache of the first or second level.
const TILE: usize = 64;

/// Has every pair that the oracle allows checked, in the way that it is meant to be read.
pub(super) fn read_all(
    costs: &dyn CostOracle,
    pairs: &mut Pairs<'_>,
    readers: &Readers<'_>,
) -> Result<(), VerifyError> {
    if costs.is_sparse() {
        return read_neighbours(costs, pairs, readers);
    }
    match points_of(costs, pairs.vertices()) {
        Some(points) if pairs.minimises() => read_near(costs, points, pairs, readers),
        _ => read_rows(costs, pairs, readers),
    }
}

/// Visits the neighbours of every vertex, and asks for each in both directions.
fn read_neighbours(
    costs: &dyn CostOracle,
    pairs: &mut Pairs<'_>,
    readers: &Readers<'_>,
) -> Result<(), VerifyError> {
    let vertices = pairs.vertices();
    // The last row that visited each vertex.
    let visited = || vec![usize::MAX; vertices];
    readers.read_strips(
        vertices.div_ceil(TILE),
        pairs,
        visited,
        |strip, visited, pairs| {
            for i in strip * TILE..vertices.min((strip + 1) * TILE) {
                readers.spend(i)?;
                let mut result = Ok(());
                costs.for_each_neighbour(i, &mut |j, cost| {
                    if result.is_ok() {
                        result = check_neighbour(costs, pairs, visited, (i, j), cost);
                    }
                });
                result?;
                match pairs.mate(i) {
                    Some(j) if j != i && visited[j] != i => return Err(VerifyError::Forbidden { i, j }),
                    _ => {}
                }
            }
            Ok(())
        },
    )
}

fn check_neighbour(
    costs: &dyn CostOracle,
    pairs: &mut Pairs<'_>,
    visited: &mut [usize],
    (i, j): (usize, usize),
    cost: f64,
) -> Result<(), VerifyError> {
    match visited.get_mut(j) {
        Some(by) if *by != i && j != i => *by = i,
        _ => return Err(VerifyError::BadNeighbour { i, j }),
    }
    if !cost.is_finite() {
        return Err(VerifyError::NotFinite { i, j, value: cost });
    }
    check_alone(costs, i, j, Some(cost))?;
    // Not only for i < j: an oracle may visit a pair from one side alone.
    if pairs.passes(i, j, cost) {
        return Ok(());
    }
    pairs.check(i, j, cost)
}

/// Reads the rows of all vertices, each pair from both sides.
fn read_rows(
    costs: &dyn CostOracle,
    pairs: &mut Pairs<'_>,
    readers: &Readers<'_>,
) -> Result<(), VerifyError> {
    let vertices = pairs.vertices();
    let size = TILE.min(vertices);
    let strips = vertices.div_ceil(TILE);
    let tiles = || [vec![0.0; size * size], vec![0.0; size * size]];
    readers.read_strips(strips, pairs, tiles, |strip, [forward, backward], pairs| {
        // Each strip has one tile less than the last.
        let before = strip * strips - strip * strip.saturating_sub(1) / 2;
        let rows = strip * TILE;
        for (before, columns) in (before..).zip((rows..vertices).step_by(TILE)) {
            let tile = Tile {
                rows,
                height: size.min(vertices - rows),
                columns,
                width: size.min(vertices - columns),
            };
            readers.spend(before)?;
            let (forward, backward) = tile.read(costs, forward, backward);
            tile.check(costs, pairs, forward, backward)?;
        }
        Ok(())
    })
}

/// The pairs of vertices i from `rows` on and j from `columns` on.
struct Tile {
    rows: usize,
    height: usize,
    columns: usize,
    width: usize,
}

impl Tile {
    /// The costs by rows, and those of the other direction by columns.
    fn read<'a>(
        &self,
        costs: &dyn CostOracle,
        forward: &'a mut [f64],
        backward: &'a mut [f64],
    ) -> (&'a [f64], &'a [f64]) {
        let forward = &mut forward[..self.height * self.width];
        for (i, row) in (self.rows..).zip(forward.chunks_exact_mut(self.width)) {
            costs.cost_row(i, self.columns, row);
        }
        let backward = &mut backward[..self.height * self.width];
        for (j, column) in (self.columns..).zip(backward.chunks_exact_mut(self.height)) {
            costs.cost_row(j, self.rows, column);
        }
        (forward, backward)
    }

    /// Both directions agree, and every pair passes.
    fn check(
        &self,
        costs: &dyn CostOracle,
        pairs: &mut Pairs<'_>,
        forward: &[f64],
        backward: &[f64],
    ) -> Result<(), VerifyError> {
        let is_diagonal = self.rows == self.columns;
        for (row, (i, forward)) in (self.rows..).zip(forward.chunks_exact(self.width)).enumerate() {
            let first = if is_diagonal { row + 1 } else { 0 };
            for column in first..self.width {
                let (j, cost) = (self.columns + column, forward[column]);
                let other = backward[column * self.height + row];
                let is_sampled = is_diagonal || row == column;
                let passes = cost == other && pairs.passes(i, j, cost);
                if is_sampled || !passes {
                    check_closely(costs, pairs, (i, j), cost, other)?;
                }
            }
        }
        Ok(())
    }
}

/// Looks at a pair of the rows again, and asks for it alone.
pub(super) fn check_closely(
    costs: &dyn CostOracle,
    pairs: &mut Pairs<'_>,
    (i, j): (usize, usize),
    cost: f64,
    other: f64,
) -> Result<(), VerifyError> {
    let allowed = |cost: f64| (!cost.is_nan()).then_some(cost);
    let (forward, backward) = (allowed(cost), allowed(other));
    if forward != backward {
        return Err(VerifyError::Asymmetric {
            i,
            j,
            forward,
            backward,
        });
    }
    // An infinite number in a row stands for one that is no number, too.
    let alone = costs.cost(i, j);
    if let Some(value) = alone.filter(|cost| !cost.is_finite()) {
        return Err(VerifyError::NotFinite { i, j, value });
    }
    check_alone(costs, i, j, forward)?;
    match forward {
        Some(cost) => pairs.check(i, j, cost),
        None if pairs.mate(i) == Some(j) => Err(VerifyError::Forbidden { i, j }),
        None => Ok(()),
    }
}

/// The pair costs by itself, in both directions, what it was `shown` to cost.
fn check_alone(costs: &dyn CostOracle, i: usize, j: usize, shown: Option<f64>) -> Result<(), VerifyError> {
    let (forward, backward) = (costs.cost(i, j), costs.cost(j, i));
    if forward != shown {
        let cost = forward;
        return Err(VerifyError::Contradiction { i, j, cost, shown });
    }
    if backward != shown {
        return Err(VerifyError::Asymmetric {
            i,
            j,
            forward,
            backward,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{VerifiedBound, verify, verify_bound};
    use super::*;
    use crate::certificate::{Certificate, CertificateParts};
    use crate::objective::Objective;
    use crate::pairing::Pairing;

    /// Two tiles in a row, one of them smaller.
    const VERTICES: usize = TILE + 6;

    /// Every pair costs 3 but those of the claim, which cost 1; one pair differs, in one direction or both, by itself
    /// or in rows.
    #[derive(Clone, Copy)]
    struct Odd {
        pair: (usize, usize),
        alone: [Option<f64>; 2],
        rows: [Option<f64>; 2],
    }

    impl Odd {
        fn at(&self, i: usize, j: usize, different: [Option<f64>; 2]) -> Option<f64> {
            if (i, j) == self.pair {
                different[0]
            } else if (j, i) == self.pair {
                different[1]
            } else {
                Some(usual(i, j))
            }
        }
    }

    fn usual(i: usize, j: usize) -> f64 {
        if i / 2 == j / 2 { 1.0 } else { 3.0 }
    }

    impl CostOracle for Odd {
        fn vertices(&self) -> usize {
            VERTICES
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            assert_ne!(i, j);
            self.at(i, j, self.alone)
        }
        fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
            for (j, out) in (from..).zip(out) {
                // What is written for the vertex itself is no cost.
                *out = if i == j {
                    -9.0
                } else {
                    self.at(i, j, self.rows).unwrap_or(f64::NAN)
                };
            }
        }
        fn for_each_neighbour(&self, _: usize, _: &mut dyn FnMut(usize, f64)) {
            unreachable!("rows are read");
        }
    }

    fn claim() -> Pairing {
        let pairs = VERTICES as f64 / 2.0;
        let certificate = Certificate::from_parts(CertificateParts {
            resolution: 1.0,
            quantisation_error: 0.0,
            dual_bound: pairs,
            vertex_duals: vec![1; VERTICES],
            blossoms: vec![],
            barrier: None,
        });
        let mates = (0..VERTICES).map(|i| i ^ 1).collect();
        Pairing::from_parts(mates, pairs, Some(Objective::Minimize), Some(certificate))
    }

    fn bound(costs: &Odd) -> Result<VerifiedBound, VerifyError> {
        let claim = claim();
        verify_bound(costs, Objective::Minimize, claim.certificate().unwrap())
    }

    fn all_pairs() -> impl Iterator<Item = (usize, usize)> {
        (0..VERTICES).flat_map(|i| (i + 1..VERTICES).map(move |j| (i, j)))
    }

    fn odd(pair: (usize, usize), alone: [Option<f64>; 2], rows: [Option<f64>; 2]) -> Odd {
        Odd { pair, alone, rows }
    }

    fn asymmetric((i, j): (usize, usize), [forward, backward]: [Option<f64>; 2]) -> VerifyError {
        VerifyError::Asymmetric {
            i,
            j,
            forward,
            backward,
        }
    }

    #[test]
    fn no_pair_is_overlooked_in_either_direction() {
        for pair in all_pairs() {
            let (i, j) = pair;
            let both = |cost| odd(pair, [Some(cost); 2], [Some(cost); 2]);
            assert!(bound(&both(1.0)).is_ok());
            let reduced = -2;
            let error = VerifyError::NegativeReducedCost { i, j, reduced };
            assert_eq!(bound(&both(0.0)).unwrap_err(), error);
            let value = f64::NEG_INFINITY;
            let error = VerifyError::NotFinite { i, j, value };
            assert_eq!(bound(&both(value)).unwrap_err(), error);
            for costs in [[Some(2.0), Some(7.0)], [Some(2.0), None], [None, Some(2.0)]] {
                let error = bound(&odd(pair, costs, costs)).unwrap_err();
                assert_eq!(error, asymmetric(pair, costs));
            }
        }
    }

    #[test]
    fn rows_agree_with_costs_where_it_matters_and_in_samples() {
        let claim = claim();
        let mut believed = 0;
        for pair in all_pairs() {
            let (i, j) = pair;
            let truth = Some(usual(i, j));
            for shown in [Some(1.0), Some(5.0), None] {
                let verdict = verify(&odd(pair, [truth; 2], [shown; 2]), &claim);
                let is_sampled = i / TILE == j / TILE || i % TILE == j % TILE;
                if shown == truth {
                    assert!(verdict.is_ok());
                } else if shown == Some(5.0) && !is_sampled {
                    // Dearer by far than its duals ask for.
                    assert!(verdict.is_ok());
                    believed += 1;
                } else {
                    let cost = truth;
                    let error = VerifyError::Contradiction { i, j, cost, shown };
                    assert_eq!(verdict.unwrap_err(), error);
                }
            }
            // Tight as shown, and dearer the other way round.
            let costs = [Some(1.0), Some(8.0)];
            let error = verify(&odd(pair, costs, [costs[0]; 2]), &claim).unwrap_err();
            assert_eq!(error, asymmetric(pair, costs));
        }
        assert_eq!(believed, TILE * 6 - 6);
    }

    #[test]
    fn a_cost_of_nan_is_told_from_a_forbidden_pair() {
        for shown in [f64::INFINITY, f64::NAN] {
            let error = bound(&odd((3, 68), [Some(f64::NAN); 2], [Some(shown); 2])).unwrap_err();
            assert!(matches!(error, VerifyError::NotFinite { i: 3, j: 68, value } if value.is_nan()));
        }
    }

    /// A sparse graph: pairs cost 1, and each vertex visits what its list says.
    struct Lists([List; 4]);

    type List = Vec<(usize, f64)>;

    impl CostOracle for Lists {
        fn vertices(&self) -> usize {
            4
        }
        fn cost(&self, i: usize, j: usize) -> Option<f64> {
            Some(if (i, j) == (3, 0) { 2.0 } else { 1.0 })
        }
        fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
            self.0[i].iter().for_each(|&(j, cost)| visit(j, cost));
        }
        fn is_sparse(&self) -> bool {
            true
        }
        fn cost_row(&self, _: usize, _: usize, _: &mut [f64]) {
            unreachable!("neighbours are visited");
        }
    }

    #[test]
    fn neighbours_cost_in_both_directions_what_they_are_said_to() {
        let certificate = Certificate::from_parts(CertificateParts {
            resolution: 1.0,
            quantisation_error: 0.0,
            dual_bound: 2.0,
            vertex_duals: vec![1; 4],
            blossoms: vec![],
            barrier: None,
        });
        let claim = Pairing::from_parts(
            vec![1, 0, 3, 2],
            2.0,
            Some(Objective::Minimize),
            Some(certificate),
        );
        let check = |change: &dyn Fn(&mut [List; 4])| {
            let mut lists = [1, 0, 3, 2].map(|mate| vec![(mate, 1.0)]);
            change(&mut lists);
            verify(&Lists(lists), &claim)
        };
        assert!(check(&|_| {}).is_ok());
        assert!(check(&|lists| lists[1].push((2, 1.0))).is_ok());
        let shown = Some(4.0);
        assert_eq!(
            check(&|lists| lists[1].push((2, 4.0))).unwrap_err(),
            VerifyError::Contradiction {
                i: 1,
                j: 2,
                cost: Some(1.0),
                shown
            }
        );
        assert_eq!(
            check(&|lists| lists[0].push((3, 1.0))).unwrap_err(),
            asymmetric((0, 3), [Some(1.0), Some(2.0)])
        );
        // Visited by 1, but not by 3, whose mate it is.
        let one_sided = check(&|lists| {
            lists[1].push((2, 1.0));
            lists[3] = vec![];
        });
        assert_eq!(one_sided.unwrap_err(), VerifyError::Forbidden { i: 3, j: 2 });
    }
}
