//! Wrong parts for the checks of a played match's balance, of streaks, and of pairing with missing edges.

use matchwright_scoring::{LeadBalance, MatchScorer, lead_balance};
use matchwright_solver::{
    CostOracle, ExactPairing, Limits, Objective, Pairing, PairingSolver, SolveError, Unmatched,
};

use super::Mutation;

pub(super) const ALL: &[Mutation] = &[
    Mutation::new("a lead with its sign", &["DOTA-balance"], |m| {
        m.dota.balance = |samples| {
            let balance = lead_balance(samples)?;
            let area = balance.area * samples[samples.len() - 1].1.signum();
            Ok(LeadBalance { area, ..balance })
        };
    }),
    Mutation::new("a lead from the beginning on", &["DOTA-balance"], |m| {
        m.dota.balance = |samples| {
            let all = samples
                .windows(2)
                .map(|two| lead_balance(two).map(|one| one.area));
            let area = all.sum::<Result<f64, _>>()?;
            Ok(LeadBalance {
                area,
                ..lead_balance(samples)?
            })
        };
    }),
    Mutation::new("a lead that is level at samples alone", &["DOTA-balance"], |m| {
        m.dota.balance = |samples| {
            let sizes: Vec<(f64, f64)> = samples.iter().map(|(time, lead)| (*time, lead.abs())).collect();
            lead_balance(&sizes)
        };
    }),
    Mutation::new("a policy that looks at churn", &["DOTA-nostreak"], |m| {
        m.dota
            .policy
            .push_str("\n[scoring.factors.team_churn]\nweight = 0.1\n");
    }),
    Mutation::new("a policy that looks at the last faces", &["DOTA-nostreak"], |m| {
        m.dota
            .policy
            .push_str("\n[scoring.factors.opponent_variation]\nweight = 0.1\n");
    }),
    Mutation::new(
        "a score that losers' churn lowers a little",
        &["DOTA-nostreak"],
        |m| {
            m.matches.score = |policy, candidate| {
                let leaving =
                    |player: usize| candidate.pool().churn(player).map_or(0.0, |churn| churn.loss());
                let sum: f64 = candidate.players().map(leaving).sum();
                let quality = policy.quality(candidate);
                quality.map(|quality| quality * (1.0 - 1e-6 * sum))
            };
        },
    ),
    Mutation::new("a score that looks at nothing", &["DOTA-nostreak"], |m| {
        m.matches.score = |_, _| Some(0.5);
    }),
    Mutation::new("neighbours in the list, paired", &["EOMM-ext"], |m| {
        m.exact = Box::new(Neighbours);
    }),
    Mutation::new("a pair less than there could be", &["EOMM-ext"], |m| {
        m.exact = Box::new(Idle);
    }),
    Mutation::new("the dearest pairing", &["EOMM-ext"], |m| {
        m.exact = Box::new(ExactPairing::new(Objective::Maximize));
    }),
];

/// Pairs neighbours in the list, whether or not they may meet.
struct Neighbours;

impl PairingSolver for Neighbours {
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
        /// Costs of nothing between all.
        struct Free(usize);
        impl CostOracle for Free {
            fn vertices(&self) -> usize {
                self.0
            }
            fn cost(&self, i: usize, j: usize) -> Option<f64> {
                Some(if i ^ j == 1 { 0.0 } else { 1.0 })
            }
        }
        ExactPairing::minimum().solve_within(&Free(costs.vertices()), limits)
    }
}

/// Leaves out two players more than it must, where some may be left out.
struct Idle;

impl PairingSolver for Idle {
    fn solve_within(&self, costs: &dyn CostOracle, limits: &Limits<'_>) -> Result<Pairing, SolveError> {
        let best = ExactPairing::minimum().solve_within(costs, limits)?;
        if costs.unmatched() == Unmatched::Forbidden {
            return Ok(best);
        }
        let mut mates = best.mates().to_vec();
        if let Some((i, j)) = best.pairs().next() {
            (mates[i], mates[j]) = (i, j);
        }
        Pairing::from_mates(costs, mates)
    }
}
