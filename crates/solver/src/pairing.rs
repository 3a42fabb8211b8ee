//! The answer: who is paired with whom.

use crate::certificate::Certificate;
use crate::costs::{CostOracle, Unmatched};
use crate::error::SolveError;
use crate::limits::Status;
use crate::objective::Objective;
use crate::sum::sum_rounded_once_in;

/// A matching: every vertex has one partner, or is its own mate if it stays unmatched, where the costs allow that
/// ([`CostOracle::unmatched`]).
///
/// Solvers give pairings that use allowed pairs only. [`Pairing::from_parts`] takes any claim as it is, to be judged
/// by [`verify`](crate::verify()).
///
/// ```
/// use matchwright_solver::{DenseCosts, Pairing};
///
/// let costs = DenseCosts::from_fn(4, |i, j| (i + j) as f64)?;
/// let pairing = Pairing::from_mates(&costs, vec![3, 2, 1, 0])?;
/// assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 3), (1, 2)]);
/// assert_eq!(pairing.cost(), 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pairing {
    mates: Vec<usize>,
    cost: f64,
    objective: Option<Objective>,
    certificate: Option<Certificate>,
    status: Status,
}

/// Memory to add up costs in.
#[derive(Debug, Default)]
pub(crate) struct SumBuffers {
    values: Vec<f64>,
    parts: Vec<f64>,
}

impl Pairing {
    /// Mates and proof, for their memory.
    pub(crate) fn into_mates_and_certificate(self) -> (Vec<usize>, Option<Certificate>) {
        (self.mates, self.certificate)
    }

    /// The pairing in which `i` plays `mates[i]`, or is unmatched if that is `i`, with its cost summed from `costs`
    /// and rounded once. For solvers of one's own.
    ///
    /// # Errors
    /// [`SolveError::BadMates`] unless `mates` is a matching of the vertices, perfect if the costs ask for that,
    /// [`SolveError::ForbiddenPair`], [`SolveError::NotFinite`], [`SolveError::SumOverflow`],
    /// [`SolveError::Penalty`].
    pub fn from_mates(costs: &dyn CostOracle, mates: Vec<usize>) -> Result<Self, SolveError> {
        Self::from_mates_in(&mut SumBuffers::default(), costs, mates)
    }

    /// The same, in memory that is kept.
    pub(crate) fn from_mates_in(
        buffers: &mut SumBuffers,
        costs: &dyn CostOracle,
        mates: Vec<usize>,
    ) -> Result<Self, SolveError> {
        let vertices = costs.vertices();
        let unmatched = costs.unmatched();
        unmatched.check(vertices)?;
        let is_perfect = unmatched == Unmatched::Forbidden;
        if mates.len() != vertices {
            return Err(SolveError::BadMates {
                vertex: mates.len().min(vertices),
                vertices,
            });
        }
        let broken = (0..vertices).find(|&i| is_perfect && mates[i] == i || mates.get(mates[i]) != Some(&i));
        if let Some(vertex) = broken {
            return Err(SolveError::BadMates { vertex, vertices });
        }
        let mut pairing = Self::from_parts(mates, 0.0, None, None);
        let SumBuffers { values, parts } = buffers;
        values.clear();
        for (i, j) in pairing.pairs() {
            let value = costs.cost(i, j).ok_or(SolveError::ForbiddenPair { i, j })?;
            if !value.is_finite() {
                return Err(SolveError::NotFinite { i, j, value });
            }
            values.push(value);
        }
        values.extend(pairing.unmatched().filter_map(|i| unmatched.penalty(i)));
        let sum = sum_rounded_once_in(parts, values.iter().copied());
        if !sum.is_finite() {
            return Err(SolveError::SumOverflow { sum });
        }
        // A sum of nothing and one of -0 are 0.
        pairing.cost = sum + 0.0;
        Ok(pairing)
    }

    /// A claim, unchecked: somebody else's mates, cost and proof, for [`verify`](crate::verify()).
    #[must_use]
    pub fn from_parts(
        mates: Vec<usize>,
        cost: f64,
        objective: Option<Objective>,
        certificate: Option<Certificate>,
    ) -> Self {
        Self {
            mates,
            cost,
            objective,
            status: if certificate.is_some() {
                Status::Optimal
            } else {
                Status::Finished
            },
            certificate,
        }
    }

    /// The same pairing, said to be made for `objective`.
    #[must_use]
    pub fn with_objective(mut self, objective: Objective) -> Self {
        self.objective = Some(objective);
        self
    }

    /// The same pairing with a proof.
    #[must_use]
    pub fn with_certificate(mut self, certificate: Certificate) -> Self {
        self.certificate = Some(certificate);
        self.status = Status::Optimal;
        self
    }

    /// The same pairing, from a call that ended like this.
    #[must_use]
    pub fn with_status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// How the call ended that found the pairing: [`Status::Optimal`] with a certificate, else
    /// [`Status::Finished`], or a limit.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// How many vertices there are.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.mates.len()
    }

    /// The partner of `i`; `None` if it is unmatched, or if there is no such vertex.
    #[must_use]
    pub fn mate(&self, i: usize) -> Option<usize> {
        self.mates.get(i).copied().filter(|&mate| mate != i)
    }

    /// The partner of every vertex, in the vertices' order; the vertex itself if it is unmatched.
    #[must_use]
    pub fn mates(&self) -> &[usize] {
        &self.mates
    }

    /// Every pair once, as (i, j) with i < j, ascending.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.mates.iter().copied().enumerate().filter(|(i, j)| i < j)
    }

    /// The unmatched vertices, ascending.
    pub fn unmatched(&self) -> impl Iterator<Item = usize> + '_ {
        (0..)
            .zip(&self.mates)
            .filter(|&(i, &mate)| i == mate)
            .map(|(i, _)| i)
    }

    /// The sum of the true costs of the pairs and penalties of unmatched vertices, rounded once; not of the integers
    /// used on the way.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// What the pairing was made for; `None` for solvers that want neither end, such as a random one.
    #[must_use]
    pub fn objective(&self) -> Option<Objective> {
        self.objective
    }

    /// The proof of optimality, which exact solvers give.
    #[must_use]
    pub fn certificate(&self) -> Option<&Certificate> {
        self.certificate.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::{DenseCosts, SparseCosts};

    #[test]
    fn mates_that_are_no_matching_are_refused() {
        let costs = DenseCosts::from_fn(4, |_, _| 1.0).unwrap();
        let error = |mates: &[usize]| Pairing::from_mates(&costs, mates.to_vec()).unwrap_err();
        let bad = |vertex| SolveError::BadMates { vertex, vertices: 4 };
        assert_eq!(error(&[0, 1, 3, 2]), bad(0));
        assert_eq!(error(&[1, 2, 3, 0]), bad(0));
        assert_eq!(error(&[1, 0, 7, 2]), bad(2));
        assert_eq!(error(&[1, 0]), bad(2));
        assert_eq!(error(&[1, 0, 3, 2, 5, 4]), bad(4));
    }

    #[test]
    fn a_forbidden_pair_is_refused() {
        let costs = SparseCosts::from_edges(4, [(0, 1, 1.0), (1, 2, 1.0)]).unwrap();
        let error = Pairing::from_mates(&costs, vec![1, 0, 3, 2]).unwrap_err();
        assert_eq!(error, SolveError::ForbiddenPair { i: 2, j: 3 });
    }

    #[test]
    fn nobody_is_paired_at_no_cost() {
        let pairing = Pairing::from_mates(&DenseCosts::default(), vec![]).unwrap();
        assert_eq!(
            (pairing.vertices(), pairing.cost(), pairing.pairs().count()),
            (0, 0.0, 0)
        );
    }
}
