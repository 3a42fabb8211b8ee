//! One pool: drawn, paired in four ways, and compared with the law.

use matchwright_scoring::{ChurnByOutcome, EommScorer};
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, Limits, PairingSolver, RandomPairing, SortAdjacent, Workspace,
};
use rand::Rng;
use rand_distr::{Distribution, Exp1};
use serde::Serialize;

use super::config::{BASE_CHURN, BASE_SPREAD, CUT, GainLawConfig};
use super::law::SLOPE;
use crate::eomm::theory::DrawLaw;
use crate::random::Purpose;
use anyhow::Result;
use matchwright_sim::random::{derived_seed, standard_normal, stream};
use matchwright_sim::statistics::correlation;

/// How skills and sensitivities are spread, apart from their standard deviations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Shape {
    /// Both normal, independent.
    Normal,
    /// Normal skills, exponential sensitivities (skewness 2), independent.
    SkewedSensitivity,
    /// Both exponential, independent.
    SkewedBoth,
    /// Bivariate normal with correlation 0.5.
    Correlated,
}

impl Shape {
    /// All four.
    pub const ALL: [Self; 4] = [
        Self::Normal,
        Self::SkewedSensitivity,
        Self::SkewedBoth,
        Self::Correlated,
    ];

    /// A player's standardised skill and sensitivity.
    fn draw(self, rng: &mut impl Rng) -> (f64, f64) {
        match self {
            Self::Normal => (truncated_normal(rng), truncated_normal(rng)),
            Self::SkewedSensitivity => (truncated_normal(rng), skewed(rng)),
            Self::SkewedBoth => (skewed(rng), skewed(rng)),
            Self::Correlated => {
                let skill = truncated_normal(rng);
                // The same cut, so that churn stays within what the settings allow.
                loop {
                    let sensitivity = 0.5 * skill + 0.75_f64.sqrt() * truncated_normal(rng);
                    if sensitivity.abs() <= CUT {
                        return (skill, sensitivity);
                    }
                }
            }
        }
    }
}

fn truncated_normal(rng: &mut impl Rng) -> f64 {
    loop {
        let z = standard_normal(rng);
        if z.abs() <= CUT {
            return z;
        }
    }
}

fn skewed(rng: &mut impl Rng) -> f64 {
    loop {
        let x: f64 = Exp1.sample(rng);
        if x - 1.0 <= 2.0 * CUT {
            return x - 1.0;
        }
    }
}

/// Which pools to draw; `number` tells their streams apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) number: u64,
    pub(crate) shape: Shape,
    pub(crate) players: usize,
    pub(crate) skill_spread: f64,
    pub(crate) sensitivity_spread: f64,
    pub(crate) rounds: u32,
}

/// What one pool gave, per player, in churn probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    /// `E[random]` - EOMM.
    pub(crate) gain: f64,
    /// Worst - `E[random]`.
    pub(crate) loss: f64,
    /// `E[random]` - SkillMM.
    pub(crate) skill: f64,
    /// `E[random]` - a random pairing.
    pub(crate) drawn: f64,
    /// Whether the interactions of EOMM and of Worst keep to the pool's bounds.
    pub(crate) in_bounds: bool,
}

/// Buffers of one thread.
pub(crate) type Bench = (Workspace, DenseCosts);

/// The players of a pool.
struct Players {
    skills: Vec<f64>,
    churn: Vec<ChurnByOutcome>,
}

impl Players {
    fn draw(cell: &Cell, rng: &mut impl Rng) -> Result<Self> {
        let (mut skills, mut churn) = (Vec::new(), Vec::new());
        for _ in 0..cell.players {
            let (skill, sensitivity) = cell.shape.draw(rng);
            let own = BASE_CHURN + BASE_SPREAD * truncated_normal(rng);
            let half = cell.sensitivity_spread * sensitivity / 2.0;
            skills.push(cell.skill_spread * skill);
            churn.push(ChurnByOutcome::new(own - half, own, own + half)?);
        }
        Ok(Self { skills, churn })
    }

    /// The mean of `a_i`, what no pairing can change, per player.
    fn own_state(&self, draw_rate: f64) -> f64 {
        let own = |c: &ChurnByOutcome| draw_rate * c.draw() + (1.0 - draw_rate) * (c.win() + c.loss()) / 2.0;
        self.churn.iter().map(own).sum::<f64>() / self.churn.len() as f64
    }

    /// The least that EOMM's interaction can be and the most that Worst's can be, per player.
    fn bounds(&self, draw_rate: f64) -> (f64, f64) {
        let n = self.skills.len() as f64;
        let deviation = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / n;
            (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt()
        };
        let mut sensitivities: Vec<f64> = self.churn.iter().map(|c| c.loss() - c.win()).collect();
        let scale = (1.0 - draw_rate) * SLOPE * deviation(&self.skills) * deviation(&sensitivities);
        let r = correlation(self.skills.iter().copied().zip(sensitivities.iter().copied()));
        // Where one side is constant the scale is 0, and r of no matter.
        let r = if r.is_nan() { 0.0 } else { r };
        sensitivities.sort_by(f64::total_cmp);
        let median = sensitivities[sensitivities.len() / 2];
        let distances: f64 = sensitivities.iter().map(|d| (d - median).abs()).sum();
        let saturated = (1.0 - draw_rate) / 2.0 * distances / n;
        let (least, most) = (scale * (1.0 + r), scale * (1.0 - r));
        (-saturated.min(least), saturated.min(most))
    }
}

/// Draws and measures one round's pool.
pub(crate) fn measure(
    bench: &mut Bench,
    cell: &Cell,
    config: &GainLawConfig,
    outcomes: &DrawLaw,
    seed: u64,
    round: u32,
) -> Result<Measured> {
    let mut rng = stream(seed, Purpose::GainLaw, cell.number, u64::from(round));
    let players = Players::draw(cell, &mut rng)?;
    let seed_of_random = derived_seed(seed, Purpose::GainLawPairing, cell.number, u64::from(round));
    let (workspace, costs) = bench;
    let chances = |&i: &usize, &j: &usize| outcomes.chances(players.skills[i] - players.skills[j]);
    let eomm = EommScorer::new(chances, |&i: &usize| players.churn[i]);
    costs.refill(cell.players, |i, j| eomm.cost(&i, &j).unwrap_or(f64::NAN))?;
    let n = cell.players as f64;
    let mut per_player = |solver: &dyn PairingSolver| -> Result<f64> {
        Ok(solver.solve_in(workspace, costs, &Limits::unlimited())?.cost() / n)
    };
    let eomm = per_player(&ExactPairing::minimum().with_canonical_ties())?;
    let worst = per_player(&ExactPairing::maximum().with_canonical_ties())?;
    let skill = per_player(&SortAdjacent::by_keys(players.skills.clone()))?;
    let drawn = per_player(&RandomPairing::new(seed_of_random))?;
    let random = mean_edge(costs) / 2.0;

    let own = players.own_state(config.draw_rate);
    let (least, most) = players.bounds(config.draw_rate);
    // Sums of some hundred numbers below 2, divided by as many.
    let rounding = 1e-12;
    let in_bounds = eomm - own >= least - rounding && worst - own <= most + rounding;
    Ok(Measured {
        gain: random - eomm,
        loss: worst - random,
        skill: random - skill,
        drawn: random - drawn,
        in_bounds,
    })
}

/// Each pair meets with probability 1/(N-1) under random matchmaking, N/2 pairs in all: a pair's mean edge.
fn mean_edge(costs: &DenseCosts) -> f64 {
    let n = costs.vertices();
    let edges = (0..n).flat_map(|i| (i + 1..n).filter_map(move |j| costs.cost(i, j)));
    edges.sum::<f64>() / (n * (n - 1) / 2) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;
    use matchwright_scoring::churn_edge;
    use proptest::prelude::*;

    fn cell(shape: Shape, players: usize) -> Cell {
        Cell {
            number: 1,
            shape,
            players,
            skill_spread: 200.0,
            sensitivity_spread: 0.04,
            rounds: 1,
        }
    }

    #[test]
    fn shapes_have_mean_zero_deviation_one_and_their_correlation() {
        let mut rng = stream(3, Purpose::GainLaw, 0, 0);
        for shape in Shape::ALL {
            let drawn: Vec<(f64, f64)> = (0..40_000).map(|_| shape.draw(&mut rng)).collect();
            for side in [|p: &(f64, f64)| p.0, |p: &(f64, f64)| p.1] {
                let mean = drawn.iter().map(side).sum::<f64>() / 40_000.0;
                let variance = drawn.iter().map(|p| (side(p) - mean).powi(2)).sum::<f64>() / 40_000.0;
                assert_abs_diff_eq!(mean, 0.0, epsilon = 0.025);
                assert_abs_diff_eq!(variance, 1.0, epsilon = 0.06);
            }
            let expected = if shape == Shape::Correlated { 0.5 } else { 0.0 };
            assert_abs_diff_eq!(correlation(drawn), expected, epsilon = 0.02);
        }
    }

    #[test]
    fn a_pool_worked_by_hand_has_the_edges_of_the_derivation() {
        // One strong player who minds losing, three who do not: only that player's opponent matters.
        let config = GainLawConfig::default();
        let outcomes = DrawLaw::constant(0.2).unwrap();
        let churn = |d: f64| ChurnByOutcome::new(0.48 - d / 2.0, 0.48, 0.48 + d / 2.0).unwrap();
        let players = Players {
            skills: vec![300.0, 0.0, -100.0, 200.0],
            churn: vec![churn(0.1), churn(0.0), churn(0.0), churn(0.0)],
        };
        assert_abs_diff_eq!(players.own_state(config.draw_rate), 0.48, epsilon = 1e-15);
        for j in 1..4 {
            let chances = outcomes.chances(players.skills[0] - players.skills[j]).unwrap();
            let q = 1.0 / (1.0 + 10_f64.powf((players.skills[j] - 300.0) / 400.0));
            let edge = churn_edge(&chances, &players.churn[0], &players.churn[j]);
            assert_abs_diff_eq!(edge, 0.96 + 0.8 * (q - 0.5) * (0.0 - 0.1), epsilon = 1e-15);
        }
    }

    #[test]
    fn edges_mean_what_random_matchmaking_costs() {
        let costs = DenseCosts::from_fn(4, |i, j| {
            [1.0, 2.0, 4.0, 3.5, 5.0, 6.0][i + j - 1 + usize::from(i > 0)]
        });
        // The pairings cost 1 + 6, 2 + 5 and 4 + 3.5, up to the order of the edges: 21.5 in all, two pairs each.
        assert_eq!(mean_edge(&costs.unwrap()) * 2.0 * 3.0, 21.5);
    }

    #[test]
    fn equal_sensitivities_and_equal_skills_make_every_pairing_tie() {
        let config = GainLawConfig::default();
        let outcomes = DrawLaw::constant(config.draw_rate).unwrap();
        for (skill_spread, sensitivity_spread) in [(200.0, 0.0), (0.0, 0.04)] {
            let cell = Cell {
                skill_spread,
                sensitivity_spread,
                ..cell(Shape::Normal, 40)
            };
            let measured = measure(&mut Bench::default(), &cell, &config, &outcomes, 1, 0).unwrap();
            for difference in [measured.gain, measured.loss, measured.skill, measured.drawn] {
                assert_abs_diff_eq!(difference, 0.0, epsilon = 1e-13);
            }
            assert!(measured.in_bounds);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The bound holds in every pool, of any shape and spread, and the methods come in their order.
        #[test]
        fn no_pool_gains_more_than_its_bound(
            shape in prop::sample::select(Shape::ALL.to_vec()),
            half in 2..20_usize,
            skill_spread in 1.0..1500.0_f64,
            sensitivity_spread in 0.001..0.08_f64,
            draw_rate in 0.0..0.9_f64,
            seed: u64,
        ) {
            let config = GainLawConfig { draw_rate, ..GainLawConfig::default() };
            let cell = Cell { skill_spread, sensitivity_spread, ..cell(shape, 2 * half) };
            let outcomes = DrawLaw::constant(draw_rate).unwrap();
            let m = measure(&mut Bench::default(), &cell, &config, &outcomes, seed, 0).unwrap();
            prop_assert!(m.in_bounds, "{m:?}");
            prop_assert!(m.gain >= -1e-13 && m.loss >= -1e-13);
            prop_assert!(m.skill <= m.gain + 1e-13 && m.skill >= -m.loss - 1e-13);
            prop_assert!(m.drawn <= m.gain + 1e-13 && m.drawn >= -m.loss - 1e-13);
        }
    }
}
