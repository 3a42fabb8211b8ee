//! Every matching there is.

use crate::costs::{CostOracle, Counted, Unmatched};
use crate::error::SolveError;
use crate::limits::{Limits, Meter, Progress, Status};
use crate::objective::Objective;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

/// Tries all (n-1)!! = 1 * 3 * 5 * ... * (n-1) pairings: the oracle that others are tested against.
///
/// Up to [`MAX_VERTICES`](Self::MAX_VERTICES), where there are 10,395. Among ties it keeps the first, in the
/// lexicographic order of the pairs. O((n-1)!! n).
///
/// ```
/// use matchwright_solver::{BruteForce, DenseCosts, Objective, PairingSolver};
///
/// let costs = DenseCosts::from_fn(6, |i, j| ((i * j) % 5) as f64).unwrap();
/// let best = BruteForce::new(Objective::Minimize).solve(&costs)?;
/// assert_eq!(best.cost(), 1.0);
/// # Ok::<(), matchwright_solver::SolveError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BruteForce {
    objective: Objective,
}

impl BruteForce {
    /// The largest number of vertices it takes.
    pub const MAX_VERTICES: usize = 12;

    /// All pairings, for the least or the largest sum.
    #[must_use]
    pub const fn new(objective: Objective) -> Self {
        Self { objective }
    }

    /// Shows `visit` the mates of every pairing of this many vertices, in lexicographic order of the pairs, and says
    /// how many there are: (n-1)!! (1 for no vertex, none for an odd number).
    ///
    /// # Errors
    /// [`SolveError::TooManyVertices`] beyond [`MAX_VERTICES`](Self::MAX_VERTICES).
    ///
    /// ```
    /// use matchwright_solver::BruteForce;
    ///
    /// let mut seen = Vec::new();
    /// assert_eq!(BruteForce::visit_pairings(4, &mut |mates| seen.push(mates.to_vec()))?, 3);
    /// assert_eq!(seen, [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]);
    /// # Ok::<(), matchwright_solver::SolveError>(())
    /// ```
    pub fn visit_pairings(vertices: usize, visit: &mut dyn FnMut(&[usize])) -> Result<u64, SolveError> {
        check_size(vertices)?;
        let mut count = 0;
        visit_matchings(vertices, true, &mut |mates| {
            count += 1;
            visit(mates);
            Ok(())
        })?;
        Ok(count)
    }
}

impl PairingSolver for BruteForce {
    /// The unit of work is a matching. At a limit the best so far is the answer.
    ///
    /// # Errors
    /// [`SolveError::TooManyVertices`], [`SolveError::OddVertices`], [`SolveError::DeadEnd`] with all
    /// vertices if every pairing uses a forbidden pair; or the oracle breaks its contract.
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
        self.solve_in(&mut Workspace::new(), costs, limits)
    }

    fn solve_in(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        let costs = &Counted::even(costs)?;
        let vertices = costs.vertices();
        check_size(vertices)?;
        workspace.adjacency.read(costs)?;
        let unmatched = costs.unmatched();
        let counts = matches!(unmatched, Unmatched::MaximumCardinality(_));
        let meter = Meter::new(*limits);
        // How many are unmatched comes first if it matters.
        let mut best: Option<((usize, f64), Vec<usize>)> = None;
        let ended = visit_matchings(vertices, unmatched == Unmatched::Forbidden, &mut |mates| {
            meter.spend(1)?;
            meter.check(Progress::new("matchings"))?;
            let cost = |i: usize| match mates[i] {
                j if j == i => unmatched.penalty(i),
                j => workspace.adjacency.cost(i, j),
            };
            let pairs = (0..vertices).filter(|&i| i <= mates[i]);
            if let Some(sum) = pairs.map(cost).sum::<Option<f64>>() {
                let alone = (0..vertices).filter(|&i| counts && mates[i] == i).count();
                let key = (alone, self.objective.as_minimum(sum));
                if best.as_ref().is_none_or(|(least, _)| key < *least) {
                    best = Some((key, mates.to_vec()));
                }
            }
            Ok(())
        });
        let status = ended.err();
        let Some((_, mates)) = best else {
            let unplaced = (0..vertices).collect();
            return Err(status.map_or(SolveError::DeadEnd { unplaced }, SolveError::from));
        };
        let pairing = Pairing::from_mates(costs, mates)?.with_objective(self.objective);
        Ok(pairing.with_status(status.unwrap_or(Status::Finished)))
    }
}

fn check_size(vertices: usize) -> Result<(), SolveError> {
    let limit = BruteForce::MAX_VERTICES;
    if vertices > limit {
        return Err(SolveError::TooManyVertices { vertices, limit });
    }
    Ok(())
}

/// What is shown a matching, and may end the search.
type Visit<'a> = &'a mut dyn FnMut(&[usize]) -> Result<(), Status>;

/// Visits every matching of `0..vertices`, or every perfect one, in lexicographic order of the pairs.
fn visit_matchings(vertices: usize, is_perfect: bool, visit: Visit<'_>) -> Result<(), Status> {
    extend(&mut vec![usize::MAX; vertices], is_perfect, visit)
}

/// Pairs the first vertex that is free with every later one; as deep as there are vertices, 12 at most.
fn extend(mates: &mut [usize], is_perfect: bool, visit: Visit<'_>) -> Result<(), Status> {
    const FREE: usize = usize::MAX;
    let Some(i) = mates.iter().position(|&mate| mate == FREE) else {
        return visit(mates);
    };
    for j in i + 1..mates.len() {
        if mates[j] == FREE {
            (mates[i], mates[j]) = (j, i);
            extend(mates, is_perfect, visit)?;
            (mates[i], mates[j]) = (FREE, FREE);
        }
    }
    if !is_perfect {
        mates[i] = i;
        extend(mates, is_perfect, visit)?;
        mates[i] = FREE;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{DenseCosts, SparseCosts};

    #[test]
    fn there_are_as_many_pairings_as_the_double_factorial_says() {
        let count = |vertices| {
            let mut seen = std::collections::BTreeSet::new();
            BruteForce::visit_pairings(vertices, &mut |mates| assert!(seen.insert(mates.to_vec()))).unwrap();
            seen.len()
        };
        let counts: Vec<_> = (0..=12).step_by(2).map(count).collect();
        assert_eq!(counts, [1, 1, 3, 15, 105, 945, 10_395]);
    }

    #[test]
    fn both_ends_of_the_scale_are_found() {
        let costs = DenseCosts::from_fn(4, |i, j| {
            [1.0, 5.0, 2.0, 2.0, 4.0, 1.5][i + j - 1 + usize::from(i > 0)]
        });
        let costs = costs.unwrap();
        let cost = |objective| BruteForce::new(objective).solve(&costs).unwrap().cost();
        let sum =
            |a: usize, b: usize, c: usize, d: usize| costs.cost(a, b).unwrap() + costs.cost(c, d).unwrap();
        let all = [sum(0, 1, 2, 3), sum(0, 2, 1, 3), sum(0, 3, 1, 2)];
        assert_eq!(
            cost(Objective::Minimize),
            all.into_iter().fold(f64::INFINITY, f64::min)
        );
        assert_eq!(
            cost(Objective::Maximize),
            all.into_iter().fold(f64::NEG_INFINITY, f64::max)
        );
    }

    #[test]
    fn what_it_cannot_do_is_a_typed_error() {
        let solve = |costs: &dyn CostOracle| BruteForce::default().solve(costs);
        let large = DenseCosts::from_fn(14, |_, _| 1.0).unwrap();
        assert_eq!(
            solve(&large),
            Err(SolveError::TooManyVertices {
                vertices: 14,
                limit: 12
            })
        );
        let odd = DenseCosts::from_fn(5, |_, _| 1.0).unwrap();
        assert_eq!(solve(&odd), Err(SolveError::OddVertices { vertices: 5 }));
        let star = SparseCosts::from_edges(4, [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)]).unwrap();
        assert_eq!(
            solve(&star),
            Err(SolveError::DeadEnd {
                unplaced: vec![0, 1, 2, 3]
            })
        );
    }
}
