//! Our exact pairing, with and without a matrix. The memory of a solve is reused by the next.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use matchwright_benches::STEPS;
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, Pairing, PairingSolver, Verdict, Workspace, verify,
};

use crate::contender::{Answer, Contender, Input, Solved, timed};

/// From a matrix of integers.
#[derive(Default)]
pub(crate) struct Matrix {
    costs: DenseCosts,
    workspace: Workspace,
    pairing: Option<Pairing>,
}

/// From a function of two vertices.
#[derive(Default)]
pub(crate) struct Implicit {
    costs: Option<Box<dyn CostOracle>>,
    workspace: Workspace,
    pairing: Option<Pairing>,
}

impl Contender for Matrix {
    fn load(&mut self, input: Input<'_>) -> Result<()> {
        let Input::Matrix(instance) = input else {
            bail!("a matrix is needed");
        };
        self.pairing = None;
        self.costs.refill(instance.n, |i, j| instance.cost(i, j).into())?;
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let (elapsed, pairing) = timed(|| ExactPairing::minimum().solve(&mut self.workspace, &self.costs));
        let pairing = self.pairing.insert(pairing?);
        Ok(Solved {
            elapsed,
            answer: Answer::Mates(pairing.mates().to_vec()),
        })
    }

    fn verify(&mut self) -> Result<Duration> {
        let (elapsed, verdict) = verified(&self.costs, self.pairing.as_ref())?;
        ensure!(verdict.is_exact(), "not proven without rounding: {verdict:?}");
        Ok(elapsed)
    }
}

impl Contender for Implicit {
    fn is_implicit(&self) -> bool {
        true
    }

    fn load(&mut self, input: Input<'_>) -> Result<()> {
        let Input::Implicit(costs) = input else {
            bail!("a function of two vertices is needed");
        };
        self.pairing = None;
        self.costs = Some(costs);
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let costs = self.costs.as_ref().context("nothing was drawn")?;
        let (elapsed, pairing) = timed(|| ExactPairing::minimum().solve(&mut self.workspace, costs));
        let pairing = self.pairing.insert(pairing?);
        Ok(Solved {
            elapsed,
            answer: Answer::Steps(pairing.cost() * STEPS),
        })
    }

    fn verify(&mut self) -> Result<Duration> {
        let costs = self.costs.as_ref().context("nothing was drawn")?;
        Ok(verified(costs, self.pairing.as_ref())?.0)
    }
}

/// Checks the proof, which must hold.
fn verified(costs: &dyn CostOracle, pairing: Option<&Pairing>) -> Result<(Duration, Verdict)> {
    let pairing = pairing.context("nothing was solved")?;
    let (elapsed, verdict) = timed(|| verify(costs, pairing));
    let verdict = verdict?;
    ensure!(verdict.optimal, "not proven optimal: {verdict:?}");
    Ok((elapsed, verdict))
}
