//! What was checked, and what came of it.

use serde::Serialize;

use super::config::TheoryConfig;
use super::draw_law::DrawLaw;

/// Sums of at most six costs from 0 to 2 that differ by less are equal: rounding is some 1e-15.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// Everything that [`run_theory`](super::run_theory) found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TheoryReport {
    /// As given.
    pub config: TheoryConfig,
    /// Seed of the pools.
    pub seed: u64,
    /// Each statement as printed, and under its condition where it needs one.
    pub statements: Vec<StatementCheck>,
    /// How often sort-adjacent is optimal, by draw law, spread and size.
    pub adjacent: Vec<AdjacentRow>,
    /// Up to which width it always is, by draw law.
    pub widths: Vec<WidthRow>,
    /// Skills 0, 200, 200, 400 under 0.3 exp(-(gap/100)^2).
    pub example: FourPlayers,
}

/// The statements of section 4, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Statement {
    /// c(W) + c(L) > 2 c(D): equal-skill matching is EOMM.
    Th1,
    /// c(W) + c(L) < 2 c(D): equal-skill matching is the worst.
    Th2,
    /// Churn by the own state alone: all pairings tie.
    Th3,
    /// Random matching is never the worst.
    Th4,
    /// EOMM is at least as good as any.
    Th5,
}

/// A statement, under one setting, against many pools.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatementCheck {
    /// Which.
    pub statement: Statement,
    /// Under which assumptions on draws, skills or chance.
    pub setting: &'static str,
    /// What was required of each pool.
    pub claim: &'static str,
    /// Pools looked at.
    pub pools: u64,
    /// Pools in which it held, to 1e-12.
    pub held: u64,
    /// How far it was missed at worst, in players expected to churn; rounding alone where it held throughout.
    pub worst_deviation: f64,
    /// Of the failures among the fewest players, the largest.
    pub counterexample: Option<Counterexample>,
}

/// A pool in which a statement fails.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counterexample {
    /// Draw law.
    pub law: &'static str,
    /// Skills, rating points.
    pub skills: Vec<f64>,
    /// Churn probability of each player after a win, a draw and a loss.
    pub churn: Vec<[f64; 3]>,
    /// The pairing that the statement is about.
    pub tried: ScoredPairs,
    /// The pairing that contradicts it: a better one, or for "never the worst" the worst, which it is.
    pub against: ScoredPairs,
}

/// A pairing and its cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoredPairs {
    /// The sum of its pairs' costs: players expected to churn.
    pub cost: f64,
    /// The pairs.
    pub pairs: Vec<(usize, usize)>,
}

/// How often sort-adjacent has the most expected draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdjacentRow {
    /// Draw law.
    pub law: &'static str,
    /// Standard deviation of the normal skills, rating points.
    pub skill_spread: f64,
    /// Players in a pool.
    pub players: usize,
    /// Pools looked at.
    pub pools: u64,
    /// Pools in which sort-adjacent was optimal.
    pub optimal: u64,
    /// Its expected draws as a share of the most possible, mean over pools.
    pub attained: f64,
    /// The smallest such share.
    pub least_attained: f64,
}

/// A draw law's safe width, inside and outside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WidthRow {
    /// Draw law.
    pub law: &'static str,
    /// [`DrawLaw::safe_width`], rating points.
    pub safe_width: f64,
    /// Pools no wider.
    pub pools: u64,
    /// Those in which sort-adjacent was optimal.
    pub optimal: u64,
    /// A pool of four that is 5 % wider (where the width is 0, ten points wide), in which it is not.
    pub beyond: Option<Counterexample>,
}

/// The three ways to pair four players, by expected draws.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FourPlayers {
    /// Skills in ascending order, rating points.
    pub skills: [f64; 4],
    /// Neighbours: what equal-skill matching does.
    pub adjacent: f64,
    /// First with third, second with fourth.
    pub crossing: f64,
    /// The outer two and the inner two.
    pub nested: f64,
}

impl FourPlayers {
    /// Sorts the skills and adds up the draws.
    #[must_use]
    pub fn new(mut skills: [f64; 4], law: &DrawLaw) -> Self {
        skills.sort_by(f64::total_cmp);
        let draw = |i: usize, j: usize| law.draw(skills[j] - skills[i]);
        Self {
            skills,
            adjacent: draw(0, 1) + draw(2, 3),
            crossing: draw(0, 2) + draw(1, 3),
            nested: draw(0, 3) + draw(1, 2),
        }
    }
}

impl StatementCheck {
    pub(crate) const fn new(statement: Statement, setting: &'static str, claim: &'static str) -> Self {
        Self {
            statement,
            setting,
            claim,
            pools: 0,
            held: 0,
            worst_deviation: 0.0,
            counterexample: None,
        }
    }

    /// Whether it held in every pool, of which there was at least one.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.pools > 0 && self.held == self.pools
    }

    /// Counts a pool by how far it misses the claim, and returns whether it meets it.
    pub(crate) fn add(&mut self, deviation: f64, counterexample: impl FnOnce() -> Counterexample) -> bool {
        self.pools += 1;
        if deviation > self.worst_deviation || deviation.is_nan() {
            self.worst_deviation = deviation;
        }
        // Not `deviation > TOLERANCE`: NaN must fail.
        if deviation <= TOLERANCE {
            self.held += 1;
            return true;
        }
        let found = counterexample();
        let size = found.skills.len();
        let keep = self.counterexample.as_ref().is_none_or(|known| {
            size < known.skills.len() || size == known.skills.len() && found.margin() > known.margin()
        });
        if keep {
            self.counterexample = Some(found);
        }
        false
    }
}

impl Counterexample {
    /// By how much the two pairings differ.
    fn margin(&self) -> f64 {
        (self.tried.cost - self.against.cost).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(players: usize, margin: f64) -> Counterexample {
        let scored = |cost| ScoredPairs {
            cost,
            pairs: Vec::new(),
        };
        Counterexample {
            law: "constant",
            skills: vec![0.0; players],
            churn: Vec::new(),
            tried: scored(margin),
            against: scored(0.0),
        }
    }

    #[test]
    fn a_check_holds_only_if_every_one_of_some_pools_did() {
        let mut check = StatementCheck::new(Statement::Th1, "", "");
        assert!(!check.holds());
        assert!(check.add(1e-13, || found(4, 0.0)) && check.add(-3.0, || found(4, 0.0)) && check.holds());
        assert!(!check.add(f64::NAN, || found(4, 0.0)) && !check.holds());
        assert_eq!((check.pools, check.held), (3, 2));
    }

    #[test]
    fn the_counterexample_kept_is_the_largest_among_the_fewest_players() {
        let mut check = StatementCheck::new(Statement::Th1, "", "");
        for (players, margin) in [(6, 0.9), (4, 0.1), (4, 0.3), (4, 0.2), (8, 1.0)] {
            check.add(margin, || found(players, margin));
        }
        assert_eq!(check.worst_deviation, 1.0);
        assert_eq!(check.counterexample, Some(found(4, 0.3)));
    }

    #[test]
    fn the_ledger_of_four_players_is_that_of_the_paper_and_pencil() {
        let law = DrawLaw::gaussian(0.3, 100.0).unwrap();
        let four = FourPlayers::new([200.0, 0.0, 400.0, 200.0], &law);
        assert!((four.adjacent - 0.6 * (-4.0_f64).exp()).abs() < 1e-15);
        assert_eq!(four.adjacent, four.crossing);
        assert!((four.nested - 0.3 * (1.0 + (-16.0_f64).exp())).abs() < 1e-15);
    }
}
