//! Our exact pairing as a round of matchmaking meets it: other players of the same population were paired before.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use matchwright_benches::{EommCosts, Family, STEPS};
use matchwright_solver::{CostOracle, DenseCosts, ExactPairing, Limits, Pairing, PairingSolver, Workspace};

use crate::contender::{Answer, Contender, Graph, Input, Solved, timed};
use crate::ours::verified_exactly;

/// Players whose duals are known from an earlier solve.
const SAMPLE: usize = 300;

/// No graph of a race has this seed.
const SAMPLE_SEED: u64 = u64::MAX;

/// From a matrix of integers, with a start from the duals of a sample of other players.
///
/// A player's dual is a function of the player's state, of which the sample's duals y are samples: the largest that no pair
/// with one of them contradicts,
///
/// ```text
/// y_i = min over the sample's j of (c_ij - y_j)
/// ```
///
/// That costs a look at `SAMPLE` pairs a player, and is timed with the solve. The solve of the sample is not: it was
/// an earlier round's.
#[derive(Default)]
pub(crate) struct Warm {
    costs: DenseCosts,
    /// The players, and after them the sample.
    players: Option<EommCosts>,
    /// Duals of the sample.
    sample: Vec<f64>,
    workspace: Workspace,
    pairing: Option<Pairing>,
}

impl Warm {
    /// Starting duals in steps.
    fn start(&self) -> Result<Vec<f64>> {
        let players = self.players.as_ref().context("nothing was drawn")?;
        let n = self.costs.vertices();
        // Rough costs do: a start need not be feasible.
        let mut row = vec![0.0_f32; self.sample.len()];
        let dual = |i| {
            players.lower_bounds(i, n, &mut row);
            let slacks = row
                .iter()
                .zip(&self.sample)
                .map(|(&cost, dual)| f64::from(cost) - dual);
            STEPS * slacks.fold(f64::INFINITY, f64::min)
        };
        Ok((0..n).map(dual).collect())
    }
}

impl Contender for Warm {
    fn load(&mut self, graph: Graph, input: Input<'_>) -> Result<()> {
        let Graph { family, n, seed } = graph;
        ensure!(
            family == Family::Eomm,
            "only players of eomm have a state to learn from"
        );
        let instance = input.matrix()?;
        self.pairing = None;
        self.costs.refill(n, |i, j| instance.cost(i, j).into())?;
        let earlier = EommCosts::draw(SAMPLE, SAMPLE_SEED);
        let pairing =
            ExactPairing::minimum().solve_in(&mut self.workspace, &earlier, &Limits::unlimited())?;
        let certificate = pairing.certificate().context("the sample has no proof")?;
        self.sample = certificate.duals().collect();
        self.players = Some(EommCosts::draw_beside(n, seed, SAMPLE, SAMPLE_SEED));
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let (elapsed, pairing) = timed(|| -> Result<Pairing> {
            let duals = self.start()?;
            Ok(ExactPairing::minimum().solve_from(&mut self.workspace, &self.costs, &duals)?)
        });
        let pairing = self.pairing.insert(pairing?);
        Ok(Solved {
            elapsed,
            answer: Answer::Mates(pairing.mates().to_vec()),
        })
    }

    fn verify(&mut self) -> Result<Duration> {
        verified_exactly(&self.costs, self.pairing.as_ref())
    }
}
