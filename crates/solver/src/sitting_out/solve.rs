//! Pads, has it solved, and reads the answer.

use super::barrier::Unweighted;
use super::doubled::{self, Doubled};
use super::error::SittingOutError;
use super::ghosts::Ghosts;
use super::lineup::Lineup;
use super::on_paper::OnPaper;
use super::{Form, Rule, SittingOut};
use crate::costs::{CostOracle, MAX_VERTICES};
use crate::error::{Barrier, SolveError};
use crate::exact::ExactPairing;
use crate::pairing::Pairing;
use crate::solver::{PairingSolver, Workspace};

impl SittingOut<'_> {
    /// The lineup that `solver` finds: the optimum, if it is exact.
    ///
    /// For [`fewest`](Self::fewest) the solver first gets a graph in which every component of odd size leaves out one
    /// player. If that has no perfect matching, [`ExactPairing`] finds the [`Barrier`], and the solver gets the graph
    /// padded accordingly.
    ///
    /// # Errors
    /// [`SittingOutError::Solve`] with the solver's error, such as a breach of contract by the oracle;
    /// [`SittingOutError::OtherObjective`] if the solver aims at the other end of the scale.
    pub fn solve(
        &self,
        solver: &dyn PairingSolver,
        workspace: &mut Workspace,
    ) -> Result<Lineup, SittingOutError> {
        if self.vertices > MAX_VERTICES {
            let (vertices, limit) = (self.vertices, MAX_VERTICES);
            return Err(SolveError::TooManyVertices { vertices, limit }.into());
        }
        match self.rule {
            Rule::Priced => self.solve_priced(solver, workspace),
            Rule::Fewest => self.solve_fewest(solver, workspace),
        }
    }

    fn solve_priced(
        &self,
        solver: &dyn PairingSolver,
        workspace: &mut Workspace,
    ) -> Result<Lineup, SittingOutError> {
        let lists = doubled::suits_lists(self);
        if lists || doubled::saves_ties(self) {
            let form = Doubled::new(self, lists);
            match solver.solve(workspace, &form) {
                Ok(pairing) => return self.lineup(&form, pairing, &[]),
                Err(error) if self.costs.is_sparse() => return Err(error.into()),
                // Some solvers are made for complete graphs, or for very small ones.
                Err(_) => {}
            }
        }
        let form = OnPaper::new(self);
        let pairing = solver.solve(workspace, &form)?;
        self.lineup(&form, pairing, &[])
    }

    fn solve_fewest(
        &self,
        solver: &dyn PairingSolver,
        workspace: &mut Workspace,
    ) -> Result<Lineup, SittingOutError> {
        let form = Ghosts::new(self, &[]);
        // Without padding the solver may as well have the graph itself, in all its forms.
        let graph: &dyn CostOracle = if form.is_plain() { self.costs } else { &form };
        match solver.solve(workspace, graph) {
            Ok(pairing) => self.lineup(&form, pairing, &[]),
            Err(error) => {
                let removed = self.barrier(error, workspace)?;
                let form = Ghosts::new(self, &removed);
                let pairing = solver.solve(workspace, &form)?;
                self.lineup(&form, pairing, &removed)
            }
        }
    }

    /// The set A that explains a solver's failure on the graph padded for A = {}; its error again if that has another
    /// reason.
    fn barrier(&self, error: SolveError, workspace: &mut Workspace) -> Result<Vec<usize>, SittingOutError> {
        let unpaired = matches!(
            error,
            SolveError::NoPerfectMatching(_) | SolveError::Stuck { .. } | SolveError::ForbiddenPair { .. }
        );
        if !unpaired {
            return Err(error.into());
        }
        match ExactPairing::minimum().solve(workspace, &Unweighted(self.costs)) {
            Err(SolveError::NoPerfectMatching(barrier)) if !barrier.vertices.is_empty() => {
                Ok(barrier.vertices)
            }
            Err(SolveError::NoPerfectMatching(_)) | Ok(_) => Err(error.into()),
            Err(broken) => Err(broken.into()),
        }
    }

    /// Reads a perfect matching of the padded graph.
    fn lineup(
        &self,
        form: &dyn Form,
        pairing: Pairing,
        removed: &[usize],
    ) -> Result<Lineup, SittingOutError> {
        self.check_objective(&pairing)?;
        // Somebody else's solver may answer anything.
        Pairing::from_mates(form, pairing.mates().to_vec())?;
        let mates = form.lineup(pairing.mates());
        let (cost, _) = self.total(&mates)?;
        let unplaced: Vec<_> = (0..self.vertices).filter(|&i| mates[i].is_none()).collect();
        let barrier = (self.rule == Rule::Fewest && !unplaced.is_empty()).then(|| Barrier {
            vertices: removed.to_vec(),
            odd_components: removed.len() + unplaced.len(),
            unplaced,
        });
        Ok(Lineup::new(mates, cost, pairing, barrier))
    }

    /// The padded graph whose perfect matching the lineup's [`pairing`](Lineup::pairing) is, for
    /// [`verify`](crate::verify()) or for a solver.
    ///
    /// # Errors
    /// [`SittingOutError::BadBarrier`] or [`SittingOutError::OtherLineup`] if the lineup does not belong to this
    /// question.
    pub fn padded(&self, lineup: &Lineup) -> Result<Box<dyn CostOracle + '_>, SittingOutError> {
        Ok(self.form_of(lineup)?)
    }

    /// The form of a lineup that may come from anywhere. Each of the priced forms proves a priced lineup.
    pub(super) fn form_of(&self, lineup: &Lineup) -> Result<Box<dyn Form + '_>, SittingOutError> {
        if lineup.vertices() != self.vertices {
            return Err(SittingOutError::OtherLineup);
        }
        let doubled = lineup.pairing().vertices() == 2 * self.vertices;
        match (self.rule, lineup.barrier()) {
            (Rule::Fewest, _) => Ok(Box::new(Ghosts::of(self, lineup)?)),
            (Rule::Priced, Some(_)) => Err(SittingOutError::OtherLineup),
            (Rule::Priced, None) if doubled => Ok(Box::new(Doubled::new(self, doubled::suits_lists(self)))),
            (Rule::Priced, None) => Ok(Box::new(OnPaper::new(self))),
        }
    }

    pub(super) fn check_objective(&self, pairing: &Pairing) -> Result<(), SittingOutError> {
        match pairing.objective() {
            Some(solved) if solved != self.objective => Err(SittingOutError::OtherObjective {
                asked: self.objective,
                solved,
            }),
            _ => Ok(()),
        }
    }
}
