//! Checks of parts of the library that no other file's tests look at: balance, streaks, missing edges.

use matchwright_scoring::lead_balance;
use matchwright_solver::{
    CostOracle, ExactPairing, Limits, Objective, Pairing, PairingSolver, SolveError, Unmatched, Workspace,
};

use super::{Inputs, breaks, found, holds, inputs};

fn with(harm: impl FnOnce(&mut Inputs)) -> Inputs {
    let mut wrong = inputs();
    harm(&mut wrong);
    wrong
}

#[test]
fn the_check_of_balance_notices_signs_beginnings_and_crossings() {
    holds("DOTA-balance", &inputs());
    // The lead with its sign.
    breaks(
        "DOTA-balance",
        &with(|m| {
            m.dota.balance = |samples| {
                let mut balance = lead_balance(samples)?;
                balance.area *= samples[samples.len() - 1].1.signum();
                Ok(balance)
            };
        }),
    );
    // From the beginning on, whatever happened.
    breaks(
        "DOTA-balance",
        &with(|m| {
            m.dota.balance = |samples| {
                let all = samples
                    .windows(2)
                    .map(|two| lead_balance(two).map(|one| one.area));
                let area = all.sum::<Result<f64, _>>()?;
                Ok(matchwright_scoring::LeadBalance {
                    area,
                    ..lead_balance(samples)?
                })
            };
        }),
    );
    // Level at samples alone.
    breaks(
        "DOTA-balance",
        &with(|m| {
            m.dota.balance = |samples| {
                let positive: Vec<(f64, f64)> = samples.iter().map(|(t, lead)| (*t, lead.abs())).collect();
                lead_balance(&positive)
            };
        }),
    );
}

#[test]
fn the_check_of_streaks_notices_a_policy_and_a_score_that_look_at_them() {
    holds("DOTA-nostreak", &inputs());
    for factor in ["team_churn", "opponent_variation", "recent_team_mates"] {
        breaks(
            "DOTA-nostreak",
            &with(|m| {
                m.dota.policy = format!("{}\n[scoring.factors.{factor}]\nweight = 0.1\n", m.dota.policy);
            }),
        );
    }
    // A score that a loser's streak lifts a little, whatever the policy says.
    breaks(
        "DOTA-nostreak",
        &with(|m| {
            m.matches.score = |policy, candidate| {
                use matchwright_scoring::MatchScorer;
                let leaving =
                    |player: usize| candidate.pool().churn(player).map_or(0.0, |churn| churn.loss());
                let sum: f64 = candidate.players().map(leaving).sum();
                policy
                    .quality(candidate)
                    .map(|quality| quality * (1.0 - 1e-6 * sum))
            };
        }),
    );
    // Nothing is ever looked at: the other policy must show that streaks are there.
    breaks("DOTA-nostreak", &with(|m| m.matches.score = |_, _| Some(0.5)));
}

/// A solver that pairs neighbours in its list, whoever they are.
struct Neighbours;

impl PairingSolver for Neighbours {
    fn solve_within(
        &self,
        _: &mut Workspace,
        costs: &dyn CostOracle,
        _: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        let mates = (0..costs.vertices()).map(|vertex| vertex ^ 1).collect();
        let all = matchwright_solver::DenseCosts::from_fn(costs.vertices(), |_, _| 0.0).unwrap();
        Pairing::from_mates(&all, mates)
    }
}

/// A solver that leaves out two players more than it must.
struct Idle;

impl PairingSolver for Idle {
    fn solve_within(
        &self,
        workspace: &mut Workspace,
        costs: &dyn CostOracle,
        limits: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        let best = ExactPairing::minimum().solve_within(workspace, costs, limits)?;
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

#[test]
fn the_check_of_missing_edges_notices_forbidden_pairs_dear_ones_and_players_left_out() {
    holds("EOMM-ext", &inputs());
    let found_by = |exact: Box<dyn PairingSolver>| {
        let mut wrong = inputs();
        wrong.exact = exact;
        found("EOMM-ext", &wrong).notes
    };
    let says = |notes: &[String], what: &str| {
        let said = notes
            .iter()
            .any(|note| note.starts_with("not so: ") && note.contains(what));
        assert!(said, "{what}: {notes:?}");
    };
    says(&found_by(Box::new(Neighbours)), "nobody meets a friend");
    says(&found_by(Box::new(Idle)), "as many as possible");
    let dearest = ExactPairing::new(Objective::Maximize);
    says(&found_by(Box::new(dearest)), "at the cost of the best");
    // Rules that are forgotten.
    let forgotten = with(|m| m.matches.score = |policy, candidate| policy.explain(candidate).combined);
    says(&found("EOMM-ext", &forgotten).notes, "nobody meets a friend");
}
