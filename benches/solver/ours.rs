//! Our exact pairing, with and without a matrix. The memory of a solve is reused by the next.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use matchwright_benches::{Edges, STEPS};
use matchwright_solver::{
    CostOracle, DenseCosts, ExactPairing, Limits, Pairing, PairingSolver, SparseCosts, Verdict, Workspace,
    verify,
};

use crate::contender::{Answer, Contender, Graph, Input, Solved, timed};

/// From integers: a matrix, or a list of edges.
#[derive(Default)]
pub(crate) struct Integers {
    dense: DenseCosts,
    /// In place of the matrix.
    sparse: Option<SparseCosts>,
    workspace: Workspace,
    pairing: Option<Pairing>,
}

/// From a function of two vertices.
pub(crate) struct Implicit {
    solver: ExactPairing,
    costs: Option<Box<dyn CostOracle>>,
    workspace: Workspace,
    pairing: Option<Pairing>,
}

impl Implicit {
    pub(crate) fn on(threads: usize) -> Self {
        Self {
            solver: ExactPairing::minimum().with_threads(threads),
            costs: None,
            workspace: Workspace::new(),
            pairing: None,
        }
    }
}

impl Integers {
    fn costs(&self) -> &dyn CostOracle {
        match &self.sparse {
            Some(sparse) => sparse,
            None => &self.dense,
        }
    }
}

impl Contender for Integers {
    fn load(&mut self, _: Graph, input: Input<'_>) -> Result<()> {
        let instance = input.matrix()?;
        (self.sparse, self.pairing) = (None, None);
        self.dense.refill(instance.n, |i, j| instance.cost(i, j).into())?;
        Ok(())
    }

    fn load_edges(&mut self, edges: &Edges) -> Result<()> {
        (self.sparse, self.pairing) = (Some(edges.sparse()?), None);
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let mut workspace = std::mem::take(&mut self.workspace);
        let (elapsed, pairing) =
            timed(|| ExactPairing::minimum().solve_in(&mut workspace, self.costs(), &Limits::unlimited()));
        self.workspace = workspace;
        let pairing = self.pairing.insert(pairing?);
        Ok(Solved {
            elapsed,
            answer: Answer::Mates(pairing.mates().to_vec()),
        })
    }

    fn verify(&mut self) -> Result<Duration> {
        verified_exactly(self.costs(), self.pairing.as_ref())
    }
}

impl Contender for Implicit {
    fn is_implicit(&self) -> bool {
        true
    }

    fn load(&mut self, _: Graph, input: Input<'_>) -> Result<()> {
        self.pairing = None;
        self.costs = Some(input.implicit()?);
        Ok(())
    }

    fn solve(&mut self) -> Result<Solved> {
        let costs = self.costs.as_ref().context("nothing was drawn")?;
        let (elapsed, pairing) = timed(|| {
            self.solver
                .solve_in(&mut self.workspace, costs, &Limits::unlimited())
        });
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

/// Checks the proof of an answer on integers, which must hold without any rounding.
pub(crate) fn verified_exactly(costs: &dyn CostOracle, pairing: Option<&Pairing>) -> Result<Duration> {
    let (elapsed, verdict) = verified(costs, pairing)?;
    ensure!(verdict.is_exact(), "not proven without rounding: {verdict:?}");
    Ok(elapsed)
}

/// Checks the proof, which must hold.
fn verified(costs: &dyn CostOracle, pairing: Option<&Pairing>) -> Result<(Duration, Verdict)> {
    let pairing = pairing.context("nothing was solved")?;
    let (elapsed, verdict) = timed(|| verify(costs, pairing));
    let verdict = verdict?;
    ensure!(verdict.optimal, "not proven optimal: {verdict:?}");
    Ok((elapsed, verdict))
}
