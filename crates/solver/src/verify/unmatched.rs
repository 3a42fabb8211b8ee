//! Unmatched vertices: their penalties against the duals, and the barrier of maximum cardinality.

use super::error::VerifyError;
use super::scale::Scale;
use crate::certificate::Certificate;
use crate::costs::{CostOracle, Unmatched};
use crate::error::Barrier;

/// What penalties add to both sides of the proof, in halves.
#[derive(Debug, Default)]
pub(super) struct Penalties {
    /// The sum of the penalties of unmatched vertices.
    pub(super) sum: i128,
    /// What raising all penalties for maximum cardinality takes off the dual sum.
    pub(super) raised: i128,
    /// The largest rounding error of a penalty, on the true scale.
    pub(super) largest_error: f64,
    may_be_unmatched: bool,
}

impl Penalties {
    /// Checks that no dual exceeds its penalty, that those of unmatched vertices are equal to it, and the barrier.
    pub(super) fn check(
        (costs, vertices): (&dyn CostOracle, usize),
        scale: Scale,
        certificate: &Certificate,
        mates: Option<&[usize]>,
    ) -> Result<Self, VerifyError> {
        let unmatched = costs.unmatched();
        let deficiency = match unmatched {
            Unmatched::Forbidden => return Ok(Self::default()),
            Unmatched::Penalties(_) => None,
            Unmatched::MaximumCardinality(_) => Some(check_barrier(costs, vertices, certificate, mates)?),
        };
        let mut found = Self {
            may_be_unmatched: deficiency != Some(0),
            ..Self::default()
        };
        if !found.may_be_unmatched {
            return Ok(found);
        }
        let mut slacks = Vec::with_capacity(vertices);
        for (vertex, &dual) in certificate.vertex_duals().iter().enumerate() {
            let penalty = unmatched.penalty(vertex).unwrap_or(f64::NAN);
            let units = scale
                .quantise(penalty)
                .ok_or(VerifyError::BadPenalty { vertex, penalty })?;
            found.largest_error = found.largest_error.max(scale.error(penalty, units as f64));
            let slack = (2 * units).checked_sub(dual).ok_or(VerifyError::DualOverflow)?;
            slacks.push(slack);
            if mates.is_some_and(|mates| mates[vertex] == vertex) {
                let sum = found.sum.checked_add(2 * units);
                found.sum = sum.ok_or(VerifyError::DualOverflow)?;
            }
        }
        // For maximum cardinality all penalties are raised until none is below its dual.
        let least = slacks.iter().copied().min().unwrap_or(0);
        let allowed = if deficiency.is_some() { least } else { 0 };
        for (vertex, &slack) in slacks.iter().enumerate() {
            let is_tight = mates.is_some_and(|mates| mates[vertex] == vertex);
            if slack < allowed || is_tight && slack != allowed {
                return Err(VerifyError::Penalty { vertex, slack });
            }
        }
        if let Some(deficiency) = deficiency {
            let raised = least
                .checked_neg()
                .and_then(|by| by.checked_mul(deficiency as i128));
            found.raised = raised.ok_or(VerifyError::DualOverflow)?;
        }
        Ok(found)
    }

    /// How many rounding errors separate two matchings at most: of pairs, or of single vertices.
    pub(super) fn terms(&self, vertices: usize) -> usize {
        if self.may_be_unmatched {
            2 * vertices
        } else {
            vertices
        }
    }
}

/// How many vertices every matching leaves unmatched, as the barrier shows.
fn check_barrier(
    costs: &dyn CostOracle,
    vertices: usize,
    certificate: &Certificate,
    mates: Option<&[usize]>,
) -> Result<usize, VerifyError> {
    let unmatched = mates.map(|mates| (0..vertices).filter(|&i| mates[i] == i).count());
    let Some(barrier) = certificate.barrier() else {
        // A perfect matching needs none.
        return match unmatched {
            None | Some(0) => Ok(0),
            Some(unmatched) => Err(VerifyError::Barrier {
                claimed: 0,
                shown: 0,
                unmatched,
            }),
        };
    };
    let shown = odd_components(costs, vertices, barrier).saturating_sub(barrier.vertices.len());
    let claimed = barrier.odd_components.saturating_sub(barrier.vertices.len());
    let unmatched = unmatched.unwrap_or(shown);
    if claimed == shown && unmatched == shown {
        Ok(shown)
    } else {
        Err(VerifyError::Barrier {
            claimed,
            shown,
            unmatched,
        })
    }
}

/// How many components with an odd number of vertices the graph has without those of the barrier. O(m), or O(n) if a
/// vertex is a neighbour of all.
fn odd_components(costs: &dyn CostOracle, vertices: usize, barrier: &Barrier) -> usize {
    let mut seen = vec![false; vertices];
    for &vertex in &barrier.vertices {
        if let Some(seen) = seen.get_mut(vertex) {
            *seen = true;
        }
    }
    let mut unseen = seen.iter().filter(|seen| !**seen).count();
    let (mut odd, mut found, mut row) = (0, Vec::new(), Vec::new());
    for root in 0..vertices {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        // In breadth: the vertices found are those to visit, too.
        found.clear();
        found.push(root);
        unseen -= 1;
        let mut at = 0;
        while let Some(&vertex) = found.get(at).filter(|_| unseen > 0) {
            at += 1;
            let mut reach = |j: usize| {
                if let Some(seen) = seen.get_mut(j).filter(|seen| !**seen) {
                    *seen = true;
                    unseen -= 1;
                    found.push(j);
                }
            };
            if costs.is_sparse() {
                costs.for_each_neighbour(vertex, &mut |j, _| reach(j));
            } else {
                row.resize(vertices, f64::NAN);
                costs.cost_row(vertex, 0, &mut row);
                row[vertex] = f64::NAN;
                let allowed = row.iter().enumerate().filter(|(_, cost)| !cost.is_nan());
                allowed.for_each(|(j, _)| reach(j));
            }
        }
        odd += found.len() % 2;
    }
    odd
}
