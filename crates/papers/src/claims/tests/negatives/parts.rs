//! Negative cases of the checks of a played match's balance, of streaks, and of pairing with missing edges.

use matchwright_scoring::{LeadBalance, LeadError, lead_balance};
use matchwright_solver::{CostOracle, ExactPairing, Limits, Pairing, PairingSolver, SolveError, Unmatched};

use super::Negative;
use crate::dota::claims::streaks;
use crate::eomm::claims::extensions;

pub(super) const ALL: &[Negative] = &[
    Negative::part("a lead with its sign", &["DOTA-balance"], |_| {
        streaks::balance(with_its_sign)
    }),
    Negative::new("a policy that looks at churn", &["DOTA-nostreak"], |m| {
        m.dota
            .policy
            .push_str("\n[scoring.factors.team_churn]\nweight = 0.1\n");
    }),
    Negative::part("a pair less than there could be", &["EOMM-ext"], |inputs| {
        extensions::whole(&inputs.eomm, &Idle)
    }),
];

fn with_its_sign(samples: &[(f64, f64)]) -> Result<LeadBalance, LeadError> {
    let balance = lead_balance(samples)?;
    let area = balance.area * samples[samples.len() - 1].1.signum();
    Ok(LeadBalance { area, ..balance })
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
