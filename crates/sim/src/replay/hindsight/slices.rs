//! One solve of a log, or slices of time whose optima bound the whole.
//!
//! A pair {i, j} across a cut costs at least half of i's cheapest edge across a cut and half of j's, since it is such an
//! edge of both. So in each slice a ticket may also leave at that half, `h_i`, and the slices' minima together are at
//! most the minimum of the whole: a matching of the whole, with each pair across a cut replaced by two departures, costs
//! no more, and is one that the slices choose from.
//!
//! Without a price of lost tickets an unmatched one is charged a multiplier m beside its wait, and m is taken off the
//! bound for each unmatched ticket of the matching found: of the matchings with the most pairs, each leaves no more.
//! (Lagrange; where tickets leave, a price gives a better bound.)
//!
//! The matching is made slice by slice in a second pass: a ticket may leave at half of its cheapest edge to a later slice,
//! goes on to the next one, and the last slice matches all that are left. (Matchings of the slices alone do not join: where
//! an odd number leaves around a cut, the pairs of whole slices must shift.)

use std::ops::Range;

use matchwright_solver::{
    BoundedPairing, ExactPairing, Limits, Objective, SolveError, UnmatchedPenalties, Workspace,
    verify_bound_within, verify_within,
};

use super::costs::Costs;
use super::{Hindsight, HindsightError, HindsightProblem};

/// How many tickets are looked at for the cheapest edge of one, at most, on each side.
const MOST_LOOKED_AT: usize = 2_000;
/// Tickets whose cheapest edges say what is typical.
const SAMPLED: usize = 64;
/// An unmatched ticket costs this many typical costs in slices if no price is given.
const MULTIPLIER: f64 = 300.0;
/// So few tickets are read as a matrix if as few as possible are to stay unmatched. Duals may then grow beyond 64 bits,
/// and the finer resolution of 128 bits must fit the costs of far pairs too, which only a matrix shows beforehand.
const READ_AS_A_MATRIX: usize = 2_048;

/// One slice, solved.
pub(super) struct Part {
    pub(super) solved: BoundedPairing,
    /// The tickets of the slice.
    members: Vec<usize>,
    /// What was added to the cost of each pair.
    constant: f64,
    pub(super) evaluations: u64,
}

impl Part {
    /// The vertex duals of the tickets, at the true costs.
    pub(super) fn duals(&self) -> impl Iterator<Item = f64> + '_ {
        let half = 0.5 * self.constant;
        self.solved.certificate().duals().map(move |dual| dual - half)
    }
}

/// What it costs to leave each of some tickets unmatched, and whether as few as possible are to be.
struct Penalties {
    list: Vec<f64>,
    maximum_cardinality: bool,
}

impl HindsightProblem<'_> {
    /// The optimum of each slice.
    pub(super) fn solve_slices(&self, limits: &Limits<'_>) -> Result<Vec<Part>, HindsightError> {
        let slices = self.slices();
        let limits = shared(limits, slices.len());
        let mut workspace = Workspace::new();
        let solve = |slice: &Range<usize>| {
            let members: Vec<usize> = slice.clone().collect();
            let penalties = self.slice_penalties(&members, (slice.start, slice.end))?;
            self.solve_members(&mut workspace, members, &penalties, &limits)
        };
        slices.iter().map(solve).collect()
    }

    /// The tickets of each slice: one of all tickets, or of as many as possible alike.
    fn slices(&self) -> Vec<Range<usize>> {
        let tickets = self.params.tickets.len();
        let count = tickets.div_ceil(self.params.most_at_once).max(1);
        let start = |slice: usize| slice * (tickets / count) + slice.min(tickets % count);
        (0..count).map(|slice| start(slice)..start(slice + 1)).collect()
    }

    fn solve_members(
        &self,
        workspace: &mut Workspace,
        members: Vec<usize>,
        penalties: &Penalties,
        limits: &Limits<'_>,
    ) -> Result<Part, HindsightError> {
        let mut costs = Costs::new(self, &members);
        if penalties.maximum_cardinality && members.len() <= READ_AS_A_MATRIX {
            costs.forget_coordinates();
        }
        let problem = penalties.of(&costs)?;
        let solved = ExactPairing::minimum().approximate_within(workspace, &problem, limits);
        let solved = solved.map_err(|error| self.restated(error, &members))?;
        let (constant, evaluations) = (costs.constant, costs.evaluations());
        Ok(Part {
            solved,
            members,
            constant,
            evaluations,
        })
    }

    /// The same breach of contract by the tickets' places in the log.
    fn restated(&self, error: SolveError, members: &[usize]) -> HindsightError {
        match error {
            SolveError::NotFinite { i, j, .. } => self.bad_mismatch(members[i], members[j]),
            SolveError::Contradiction { i, j, .. } => HindsightError::RatingGap {
                i: members[i],
                j: members[j],
            },
            error => HindsightError::Solve(error),
        }
    }

    /// What it truly costs to leave tickets unmatched.
    fn penalties(&self, members: &[usize]) -> Penalties {
        let price = self.params.lost_price.unwrap_or(0.0);
        let lost = members.iter().map(|&ticket| price + self.unmatched_cost(ticket));
        Penalties {
            list: lost.collect(),
            maximum_cardinality: self.params.lost_price.is_none(),
        }
    }

    /// The same where a ticket may also leave at half of its cheapest edge to a ticket below the place `before` or from
    /// `after` on.
    fn slice_penalties(
        &self,
        members: &[usize],
        (before, after): (usize, usize),
    ) -> Result<Penalties, HindsightError> {
        let tickets = self.params.tickets.len();
        let mut penalties = self.penalties(members);
        if before == 0 && after == tickets {
            return Ok(penalties);
        }
        let multiplier = self.multiplier();
        penalties.maximum_cardinality = false;
        for (penalty, &ticket) in penalties.list.iter_mut().zip(members) {
            *penalty += multiplier;
            let cheapest = self.cheapest(ticket, (0..before).rev(), 2.0 * *penalty)?;
            *penalty = 0.5 * self.cheapest(ticket, after..tickets, cheapest)?;
        }
        Ok(penalties)
    }

    /// What an unmatched ticket costs in slices beside its wait and the price.
    fn multiplier(&self) -> f64 {
        match self.params.lost_price {
            Some(_) => 0.0,
            None => MULTIPLIER * self.typical,
        }
    }

    /// The cost of the cheapest pair of a ticket with others, which come in order of their distance in time, or `limit` if
    /// that is less. A lower bound of it once [`MOST_LOOKED_AT`] were looked at.
    fn cheapest(
        &self,
        ticket: usize,
        others: impl Iterator<Item = usize>,
        limit: f64,
    ) -> Result<f64, HindsightError> {
        let came = |i: usize| self.params.tickets[i].came_ms;
        let mut best = limit;
        for (looked_at, other) in others.enumerate() {
            let waited = self.waiting_cost((came(ticket) - came(other)).abs());
            if waited >= best {
                return Ok(best);
            }
            if looked_at == MOST_LOOKED_AT {
                return Ok(waited);
            }
            if let Some(cost) = self.checked_cost(ticket, other)? {
                best = best.min(cost);
            }
        }
        Ok(best)
    }

    /// The mean cost of the cheapest pair of a ticket, over a sample of those that have one; 1 if none has.
    pub(super) fn typical_cost(&self) -> Result<f64, HindsightError> {
        let tickets = self.params.tickets.len();
        let (mut sum, mut count) = (0.0, 0);
        for ticket in (0..tickets).step_by(tickets.div_ceil(SAMPLED).max(1)) {
            let later = self.cheapest(ticket, ticket + 1..tickets, f64::INFINITY)?;
            let cheapest = self.cheapest(ticket, (0..ticket).rev(), later)?;
            if cheapest.is_finite() {
                (sum, count) = (sum + cheapest, count + 1);
            }
        }
        Ok(if count == 0 { 1.0 } else { sum / f64::from(count) })
    }

    /// One matching of the log: the mate of each ticket, itself if it has none.
    pub(super) fn join(&self, parts: &[Part], limits: &Limits<'_>) -> Result<Vec<usize>, HindsightError> {
        let mut mates: Vec<usize> = (0..self.params.tickets.len()).collect();
        if let [part] = parts {
            mates.copy_from_slice(part.solved.pairing().mates());
            return Ok(mates);
        }
        let limits = shared(limits, parts.len());
        let mut workspace = Workspace::new();
        let mut left: Vec<usize> = Vec::new();
        for slice in self.slices() {
            let start = self.params.tickets[slice.start].came_ms;
            let may_wait = |&i: &usize| {
                let until = self.params.tickets[i].may_wait_until_ms;
                until.is_none_or(|until| until >= start)
            };
            let members: Vec<usize> = left.drain(..).filter(may_wait).chain(slice.clone()).collect();
            let penalties = self.slice_penalties(&members, (0, slice.end))?;
            let part = self.solve_members(&mut workspace, members, &penalties, &limits)?;
            let pairing = part.solved.pairing();
            for (i, j) in pairing.pairs().map(|(i, j)| (part.members[i], part.members[j])) {
                (mates[i], mates[j]) = (j, i);
            }
            left = pairing.unmatched().map(|k| part.members[k]).collect();
        }
        Ok(mates)
    }

    /// What no matching of the log costs less than, given the bounds of the slices and how many tickets a matching
    /// leaves.
    pub(super) fn bound(&self, parts: &[Part], unmatched: usize) -> f64 {
        let bounds = parts.iter().map(|part| {
            let tickets = part.members.len();
            true_bound(part.solved.certificate().dual_bound(), part.constant, tickets)
        });
        self.sum_of_bounds(bounds, parts.len(), unmatched)
    }

    fn sum_of_bounds(&self, bounds: impl Iterator<Item = f64>, slices: usize, unmatched: usize) -> f64 {
        let multiplier = if slices > 1 { self.multiplier() } else { 0.0 };
        (bounds.sum::<f64>() - multiplier * unmatched as f64).max(0.0)
    }

    /// The bound of a result's certificates, checked on all pairs of each slice, and whether they prove an optimum.
    pub(super) fn verified_bound(
        &self,
        found: &Hindsight,
        limits: &Limits<'_>,
    ) -> Result<(f64, bool), HindsightError> {
        let slices = self.slices();
        if slices.len() != found.proofs.len() {
            return Err(HindsightError::Claim { what: "proofs" });
        }
        let (mut bounds, mut is_optimal) = (Vec::new(), slices.len() == 1);
        for (slice, proof) in slices.iter().zip(&found.proofs) {
            let members: Vec<usize> = slice.clone().collect();
            let costs = Costs::new(self, &members);
            let penalties = self.slice_penalties(&members, (slice.start, slice.end))?;
            let problem = penalties.of(&costs)?;
            let raised = if proof.pairing().certificate().is_some() {
                let verdict = verify_within(&problem, proof.pairing(), limits)?;
                is_optimal &= verdict.optimal;
                verdict.dual_bound
            } else {
                is_optimal = false;
                verify_bound_within(&problem, Objective::Minimize, proof.certificate(), limits)?.dual_bound
            };
            bounds.push(true_bound(raised, costs.constant, members.len()));
        }
        let bound = self.sum_of_bounds(bounds.into_iter(), slices.len(), found.unmatched.len());
        Ok((bound, is_optimal))
    }
}

/// The limits of each of this many solves.
fn shared<'l>(limits: &Limits<'l>, solves: usize) -> Limits<'l> {
    let share = limits.work().map(|work| work / solves.max(1) as u64);
    share.map_or(*limits, |work| limits.with_work(work))
}

/// The bound of a slice at the true costs: less what was added, and what rounding may have added.
fn true_bound(raised: f64, constant: f64, tickets: usize) -> f64 {
    let added = 0.5 * constant * tickets as f64;
    raised - added - 4.0 * f64::EPSILON * (raised.abs() + added)
}

impl Penalties {
    /// The costs with these penalties, raised as the costs are.
    fn of<'c>(&self, costs: &'c Costs<'_>) -> Result<UnmatchedPenalties<'c>, HindsightError> {
        let raised = self
            .list
            .iter()
            .map(|penalty| penalty + 0.5 * costs.constant)
            .collect();
        let problem = if self.maximum_cardinality {
            UnmatchedPenalties::maximum_cardinality(costs).with_penalties(raised)
        } else {
            UnmatchedPenalties::new(costs, raised)
        };
        problem.map_err(|error| HindsightError::Solve(error.into()))
    }
}
