//! The hindsight optimum of a log of 1v1 tickets: the least that any policy could have paid for it, with its proof.
//!
//! Knowing the whole log, the best is a minimum-cost matching of its tickets:
//!
//! ```text
//! minimise  sum over pairs {i, j} of  C(t_j - t_i) + K d_ij     (i came before j)
//!         + sum over unmatched i of   L + C(e_i - t_i)
//! ```
//!
//! | | | unit |
//! |---|---|---|
//! | `t_i` | when ticket i came | milliseconds |
//! | C(w) | cost of waiting w seconds: C(0) = 0, never falls | cost |
//! | K | weight of a mismatch | cost per point |
//! | `d_ij` | mismatch, 0 or more; none where a rule forbids the pair | points |
//! | L | price of a lost ticket | cost |
//! | `e_i` | when i left unmatched, as recorded; the end of the log for one that never left | milliseconds |
//!
//! {i, j} is permitted if no rule forbids it and i may still wait when j comes, `t_j` <= `e_i`; without limit if i was
//! matched in the log or never left.
//!
//! # Why no policy does better
//! Let any policy run on the log, one that knows it included.
//!
//! 1. A match {i, j} is made at a time T when both wait: T >= `t_j` >= `t_i` and T <= `e_i`. So {i, j} is permitted. The
//!    policy pays K `d_ij` + C(T - `t_i`) + C(T - `t_j`) >= K `d_ij` + C(`t_j` - `t_i`) + C(0), since C never falls.
//! 2. A ticket that it never matches waits from `t_i` until `e_i`, whatever the policy does: it pays L + C(`e_i` - `t_i`).
//!    If it does not admit it, it pays L alone; so does then the optimum, for those that are
//!    [`refused`](HindsightParams::refused).
//! 3. No ticket is in two matches: the matches are a matching of permitted pairs, and by 1 and 2 the policy pays at
//!    least what that matching costs, hence at least the minimum.
//!
//! The minimum is reached by matching each of its pairs when the later ticket comes. Two things are assumed: the log's
//! departures do not depend on the policy, and policies are charged as in 2 (see
//! [`HindsightProblem::unmatched_cost`]) and refuse no others. Without a price L only policies that match as many tickets are compared: of the
//! matchings with the most pairs, none costs less.
//!
//! # Method
//! [`ExactPairing`](matchwright_solver::ExactPairing) on all permitted pairs. No pair costs less than its distance in
//! the plane of waiting and rating (`waiting` makes that true of any C), so that pairs far apart are priced by a k-d
//! tree and never looked at; [`HindsightProblem::verify`] reads them all. Above
//! [`most_at_once`](HindsightParams::most_at_once) tickets the log is solved in slices of time: see `slices`.

mod costs;
mod error;
mod params;
mod prices;
mod slices;
#[cfg(test)]
mod tests;
mod waiting;

use matchwright_solver::{BoundedPairing, Limits, Status};

pub use error::HindsightError;
pub use params::{HindsightParams, Mismatch, Stay, WaitingCost};
use slices::Part;
use waiting::Minorant;

/// A log that can be solved.
///
/// ```
/// use matchwright_sim::replay::hindsight::{HindsightParams, Stay};
/// use matchwright_solver::Limits;
///
/// // Four players, 1 s apart; the first leaves after 2 s. A match costs the gap in rating and 1 a second of waiting.
/// let ratings = [1500.0, 1900.0, 1510.0, 1880.0_f64];
/// let until = [Some(2_000), None, None, None];
/// let tickets: Vec<Stay> = (0..)
///     .zip(until)
///     .map(|(second, may_wait_until_ms)| Stay { came_ms: 1_000 * second, may_wait_until_ms })
///     .collect();
/// let mismatch = |i: usize, j: usize| Some((ratings[i] - ratings[j]).abs());
/// let params = HindsightParams { ratings: Some(&ratings), ..HindsightParams::new(&tickets, &mismatch) };
/// let problem = params.build()?;
/// let best = problem.solve(&Limits::unlimited())?;
/// assert_eq!(best.pairs, [(0, 2), (1, 3)]);
/// assert_eq!((best.cost, best.cost_per_player()), (10.0 + 2.0 + 20.0 + 2.0, 8.5));
/// assert!(problem.verify(&best, &Limits::unlimited())?.optimal);
/// # Ok::<(), matchwright_sim::replay::hindsight::HindsightError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HindsightProblem<'a> {
    params: HindsightParams<'a>,
    /// About what the cheapest pair of a ticket costs.
    typical: f64,
    minorant: Minorant,
}

/// The best matching of a log that was found, and how good any could be.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Hindsight {
    /// Who plays whom, each with the smaller place in the log first, ascending.
    pub pairs: Vec<(usize, usize)>,
    /// The tickets without a match, ascending.
    pub unmatched: Vec<usize>,
    /// What the matching costs, summed over pairs and unmatched tickets.
    pub cost: f64,
    /// No matching, hence no policy, costs less; without a price of lost tickets none of those with as many pairs.
    pub bound: f64,
    /// [`Status::Optimal`] if the matching is proven to be the best; else a limit ended the call, or it is
    /// [`Status::Finished`] in slices.
    pub status: Status,
    /// How many pairs departures permit, rules aside: the bound holds for all of them.
    pub permitted_pairs: u64,
    /// How often the solver asked for the cost of a single pair.
    pub evaluations: u64,
    /// The vertex dual of each ticket: what it pays of the cost of its pair. Pairs that share no blossom have
    /// `y_i` + `y_j` <= cost; see [`Certificate`](matchwright_solver::Certificate).
    pub duals: Vec<f64>,
    /// The slices' optima, with their certificates.
    proofs: Vec<BoundedPairing>,
}

impl Hindsight {
    /// The cost by players, of which each ticket is one; 0 of an empty log.
    #[must_use]
    pub fn cost_per_player(&self) -> f64 {
        let players = 2 * self.pairs.len() + self.unmatched.len();
        self.cost / players.max(1) as f64
    }

    /// (cost - bound) / bound, 0 or more; infinite if only the bound is 0.
    #[must_use]
    pub fn gap(&self) -> f64 {
        let gap = (self.cost - self.bound).max(0.0);
        if gap == 0.0 {
            0.0
        } else {
            gap / self.bound.max(0.0)
        }
    }

    /// The proof of each slice, the only one of a log that was solved at once: its pairs by place in the slice, at costs
    /// raised by a constant, and its certificate.
    #[must_use]
    pub fn proofs(&self) -> &[BoundedPairing] {
        &self.proofs
    }
}

/// What [`HindsightProblem::verify`] found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct HindsightVerdict {
    /// The cost of the matching, recomputed.
    pub cost: f64,
    /// No matching costs less: read from certificates that were checked on all pairs.
    pub bound: f64,
    /// Whether the matching is proven to be the best.
    pub optimal: bool,
}

impl<'a> HindsightProblem<'a> {
    /// The log and its settings.
    #[must_use]
    pub fn params(&self) -> &HindsightParams<'a> {
        &self.params
    }

    /// What an unmatched ticket is charged for its waiting, without the price: C(`e_i` - `t_i`), or 0 if it was refused, or
    /// never left and the end of the log is not given. A replay that is held against the bound charges the same, and the price.
    ///
    /// # Panics
    /// If there is no such ticket, as indexing does.
    #[must_use]
    pub fn unmatched_cost(&self, ticket: usize) -> f64 {
        let Stay {
            came_ms,
            may_wait_until_ms,
        } = self.params.tickets[ticket];
        if self.params.refused.get(ticket) == Some(&true) {
            return 0.0;
        }
        let until = may_wait_until_ms.or(self.params.ends_ms);
        self.waiting_cost(until.unwrap_or(came_ms) - came_ms)
    }

    /// What a match of two tickets costs when the later one comes; `None` if it is not permitted. NaN if the mismatch is
    /// negative or no number.
    ///
    /// # Panics
    /// If there is no such ticket, as indexing does.
    #[must_use]
    pub fn pair_cost(&self, i: usize, j: usize) -> Option<f64> {
        let (i, j) = (i.min(j), i.max(j));
        let (earlier, later) = (&self.params.tickets[i], &self.params.tickets[j]);
        if earlier
            .may_wait_until_ms
            .is_some_and(|until| until < later.came_ms)
        {
            return None;
        }
        let mismatch = (self.params.mismatch)(i, j)?;
        let mismatch = if mismatch >= 0.0 { mismatch } else { f64::NAN };
        Some(self.waiting_cost(later.came_ms - earlier.came_ms) + self.params.mismatch_weight * mismatch)
    }

    fn waiting_cost(&self, ms: i64) -> f64 {
        (self.params.waiting_cost)(ms as f64 / 1000.0)
    }

    /// [`pair_cost`](Self::pair_cost), checked.
    fn checked_cost(&self, i: usize, j: usize) -> Result<Option<f64>, HindsightError> {
        let cost = self.pair_cost(i, j);
        match cost {
            Some(cost) if !cost.is_finite() => Err(self.bad_mismatch(i, j)),
            cost => Ok(cost),
        }
    }

    fn bad_mismatch(&self, i: usize, j: usize) -> HindsightError {
        let (i, j) = (i.min(j), i.max(j));
        HindsightError::Mismatch {
            i,
            j,
            mismatch: (self.params.mismatch)(i, j).unwrap_or(f64::NAN),
        }
    }

    /// The hindsight optimum, within limits of work and time: those of
    /// [`ExactPairing::approximate_within`](matchwright_solver::ExactPairing::approximate_within), the work divided among
    /// the slices alike, and as much again for the matching of all. A limit leaves a matching and a bound with a gap.
    ///
    /// O(n log n) in practice, 20,000 tickets in half a second. Longer, up to O(n^2) looks at pairs, without ratings,
    /// where C stops rising, and where many tickets leave and no price is given.
    ///
    /// # Errors
    /// [`HindsightError::Mismatch`], [`HindsightError::RatingGap`], [`HindsightError::Solve`].
    pub fn solve(&self, limits: &Limits<'_>) -> Result<Hindsight, HindsightError> {
        let parts = self.solve_slices(limits)?;
        let mates = self.join(&parts, limits)?;
        let (pairs, unmatched) = split(&mates);
        let cost = self.cost(&pairs, &unmatched)?;
        let bound = self.bound(&parts, unmatched.len());
        let limited = parts.iter().map(|part| part.solved.pairing().status());
        let status = match limited.clone().find(|status| status.is_limited()) {
            Some(status) => status,
            None if parts.len() > 1 => Status::Finished,
            None => Status::Optimal,
        };
        Ok(Hindsight {
            pairs,
            unmatched,
            cost,
            bound: bound.min(cost),
            status,
            permitted_pairs: self.permitted_pairs(),
            evaluations: parts.iter().map(|part| part.evaluations).sum(),
            duals: parts.iter().flat_map(Part::duals).collect(),
            proofs: parts.into_iter().map(|part| part.solved).collect(),
        })
    }

    /// Checks a result without trust in how it was found: the matching uses permitted pairs, costs what it says, and the
    /// certificates hold for every permitted pair, which [`verify`](matchwright_solver::verify()) reads in full. O(n^2)
    /// in each slice. Limits are those of [`verify_within`](matchwright_solver::verify_within).
    ///
    /// # Errors
    /// [`HindsightError::Verify`] for a certificate, [`HindsightError::Claim`] for anything else that is wrong.
    pub fn verify(&self, found: &Hindsight, limits: &Limits<'_>) -> Result<HindsightVerdict, HindsightError> {
        let Hindsight { pairs, unmatched, .. } = found;
        let mut seen = vec![false; self.params.tickets.len()];
        for &ticket in pairs.iter().flat_map(|(i, j)| [i, j]).chain(unmatched) {
            match seen.get_mut(ticket) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(HindsightError::Claim { what: "tickets" }),
            }
        }
        if seen.contains(&false) {
            return Err(HindsightError::Claim { what: "tickets" });
        }
        let cost = self.cost(pairs, unmatched)?;
        let (bound, is_optimal) = self.verified_bound(found, limits)?;
        let bound = bound.min(cost);
        // Of the costs as they were solved, raised by a constant.
        let raised = cost + 0.5 * self.minorant.constant * seen.len() as f64;
        let tolerance = 1e-12 * (1.0 + raised);
        // Written so that NaN fails.
        let wrong = [
            ("cost", (cost - found.cost).abs() <= tolerance),
            ("bound", found.bound <= bound + tolerance),
        ];
        if let Some(&(what, _)) = wrong.iter().find(|(_, holds)| !holds) {
            return Err(HindsightError::Claim { what });
        }
        Ok(HindsightVerdict {
            cost,
            bound,
            optimal: is_optimal && cost - bound <= tolerance,
        })
    }

    /// What a matching costs.
    fn cost(&self, pairs: &[(usize, usize)], unmatched: &[usize]) -> Result<f64, HindsightError> {
        let mut cost = 0.0;
        for &(i, j) in pairs {
            let pair = self.checked_cost(i, j)?;
            cost += pair.ok_or(HindsightError::Claim { what: "pairs" })?;
        }
        let price = self.params.lost_price.unwrap_or(0.0);
        let lost = unmatched
            .iter()
            .map(|&ticket| price + self.unmatched_cost(ticket));
        Ok(cost + lost.sum::<f64>())
    }

    fn permitted_pairs(&self) -> u64 {
        let tickets = self.params.tickets;
        let later = |(i, ticket): (usize, &Stay)| {
            let rest = &tickets[i + 1..];
            let until = ticket.may_wait_until_ms.unwrap_or(i64::MAX);
            rest.partition_point(|other| other.came_ms <= until) as u64
        };
        tickets.iter().enumerate().map(later).sum()
    }
}

/// The pairs and the unmatched tickets of mates.
fn split(mates: &[usize]) -> (Vec<(usize, usize)>, Vec<usize>) {
    let all = || mates.iter().copied().enumerate();
    (
        all().filter(|(i, mate)| i < mate).collect(),
        all().filter(|(i, mate)| i == mate).map(|(i, _)| i).collect(),
    )
}
