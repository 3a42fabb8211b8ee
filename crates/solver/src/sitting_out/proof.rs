//! The judge of lineups.

use super::error::SittingOutError;
use super::lineup::Lineup;
use super::{Form, SittingOut};
use crate::approximate::dual_bound;
use crate::error::SolveError;
use crate::pairing::Pairing;
use crate::sum::sum_rounded_once;
use crate::verify::{DualBound, Verdict, verify, verify_bound};

/// How far from the bound an optimal lineup may seem because numbers were rounded, as a part of the sum of the
/// magnitudes of its costs and prices.
const OPTIMAL_TOLERANCE: f64 = 1e-12;

impl SittingOut<'_> {
    /// Checks a lineup and, if its pairing has a certificate, that none is better.
    ///
    /// 1. The padded graph is built anew. For [`fewest`](Self::fewest) the barrier's odd components are counted:
    ///    there are as many more than vertices in it as players sit out, so that no fewer can.
    /// 2. [`verify`](crate::verify()) accepts the pairing of the padded graph.
    /// 3. The lineup is what that pairing says, and its cost is the sum of costs and prices.
    ///
    /// The verdict is in terms of the lineup: its cost, a bound on the cost of every lineup (for `fewest`: of every
    /// one that leaves as few), and the gap. The `quantisation_error` includes what sums of two prices lost to
    /// rounding. `optimal` and `is_exact` then mean what they do for a pairing.
    ///
    /// O(m), or O(n^2) by rows.
    ///
    /// # Errors
    /// [`SittingOutError`] says which of these fails first.
    pub fn verify(&self, lineup: &Lineup) -> Result<Verdict, SittingOutError> {
        let form = self.form_of(lineup)?;
        let pairing = lineup.pairing();
        self.check_objective(pairing)?;
        let padded = verify(&*form, pairing)?;
        let found = self.in_terms_of(lineup, &*form, padded.dual_bound, padded.quantisation_error)?;
        let (cost, magnitude) = self.total(lineup.mates())?;
        if cost != lineup.cost() {
            return Err(SittingOutError::WrongCost {
                claimed: lineup.cost(),
                actual: cost,
            });
        }
        let gap = (cost - found.dual_bound).abs();
        let close = found.quantisation_error == 0.0 || gap <= OPTIMAL_TOLERANCE * magnitude;
        Ok(Verdict {
            cost,
            dual_bound: found.dual_bound,
            gap,
            quantisation_error: found.quantisation_error,
            optimal: pairing.certificate().is_some() && close,
        })
    }

    /// What the solver's certificate claims, unchecked, in terms of the lineup: the numbers of the verdict that
    /// [`verify`](Self::verify) gives if it is true. `None` without a certificate.
    ///
    /// # Errors
    /// [`SittingOutError`] if the lineup does not belong to this question.
    pub fn bound(&self, lineup: &Lineup) -> Result<Option<DualBound>, SittingOutError> {
        let Some(certificate) = lineup.pairing().certificate() else {
            return Ok(None);
        };
        let form = self.form_of(lineup)?;
        self.check_objective(lineup.pairing())?;
        Pairing::from_mates(&*form, lineup.pairing().mates().to_vec())?;
        let (bound, error) = (certificate.dual_bound(), certificate.quantisation_error());
        self.in_terms_of(lineup, &*form, bound, error).map(Some)
    }

    /// How far any solver's lineup may be from the best: a bound on the cost of every lineup (for
    /// [`fewest`](Self::fewest): of every one that leaves as few), found as by [`dual_bound`](crate::dual_bound())
    /// with so many `sweeps`, and verified. Its `quantisation_error` includes what sums of two prices lost to
    /// rounding.
    ///
    /// ```
    /// use matchwright_solver::{DenseCosts, LocalSearch, SittingOut, Workspace};
    ///
    /// let costs = DenseCosts::from_fn(9, |i, j| ((5 * i + 7 * j) % 23) as f64)?;
    /// let question = SittingOut::priced(&costs, vec![6.0; 9])?;
    /// let lineup = question.solve(&LocalSearch::default(), &mut Workspace::new())?;
    /// assert!(question.measure(&lineup, 6)?.dual_bound <= lineup.cost());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SittingOutError`] if the lineup does not belong to this question, or the oracle breaks its contract.
    pub fn measure(&self, lineup: &Lineup, sweeps: usize) -> Result<DualBound, SittingOutError> {
        let form = self.form_of(lineup)?;
        self.check_objective(lineup.pairing())?;
        Pairing::from_mates(&*form, lineup.pairing().mates().to_vec())?;
        let certificate = dual_bound(&*form, self.objective, sweeps)?;
        let found = verify_bound(&*form, self.objective, &certificate)?;
        self.in_terms_of(lineup, &*form, found.dual_bound, found.quantisation_error)
    }

    /// A bound of the padded graph as one of the lineup, which must be what its pairing, a perfect matching of that
    /// graph, says.
    fn in_terms_of(
        &self,
        lineup: &Lineup,
        form: &dyn Form,
        bound: f64,
        error: f64,
    ) -> Result<DualBound, SittingOutError> {
        if form.lineup(lineup.pairing().mates()) != lineup.mates() {
            return Err(SittingOutError::OtherLineup);
        }
        let bound = scaled_down(self.objective.as_minimum(bound), form.scale());
        Ok(DualBound {
            dual_bound: self.objective.as_minimum(bound) + 0.0,
            quantisation_error: error / form.scale() + self.lost(form, lineup)?,
        })
    }

    /// By how much the lineup is worse than on paper, since sums of two prices were rounded there.
    fn lost(&self, form: &dyn Form, lineup: &Lineup) -> Result<f64, SittingOutError> {
        let mut values = self.values(lineup.mates())?;
        for (i, j) in lineup.pairing().pairs() {
            let cost = form.cost(i, j).ok_or(SolveError::ForbiddenPair { i, j })?;
            values.push(-cost / form.scale());
        }
        let lost = sum_rounded_once(values.into_iter().map(|value| self.objective.as_minimum(value)));
        Ok(lost.max(0.0))
    }
}

/// The quotient by a power of two; the float below where there is none.
fn scaled_down(bound: f64, scale: f64) -> f64 {
    let quotient = bound / scale;
    if quotient * scale == bound {
        quotient
    } else {
        quotient.next_down()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_halved_downwards() {
        assert_eq!(scaled_down(5.0, 2.0), 2.5);
        assert_eq!(scaled_down(f64::NEG_INFINITY, 2.0), f64::NEG_INFINITY);
        assert!(scaled_down(5e-324, 2.0) <= 0.0);
        assert_eq!(scaled_down(-5e-324, 2.0), -5e-324);
    }
}
