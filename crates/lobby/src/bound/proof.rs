//! The proof of an optimum: all matches that better lineups could have, and the best of their combinations.

use matchwright_solver::Status;

use super::column::Column;
use super::cover::{Choice, Cover, CutChoices, Unused, best_cover};
use super::cuts::reduced;
use super::price::{Wanted, work_left};
use super::tree::Tree;
use super::{BOUND, Bounding, PROOF, ROUNDING, State};
use crate::lineup::LobbyCertificate;

/// Branches after which a search among the program's matches is given up.
const NODES: u64 = 20_000;

/// Attempts at a proof: whether cuts come first, with prices for all matches, and matches above which it is not tried.
const ATTEMPTS: [(bool, usize); 3] = [(false, 300_000), (true, 1_000_000), (true, 1_000_000)];

/// Matches of a proof where the bound leaves nothing but what linear programs are off by.
const NEXT_TO_NOTHING: usize = 3000;

impl Bounding<'_> {
    /// Bounds and searches in turn, until the bound comes within the share `gap` of the value; true if the value is
    /// proven to be the optimum.
    ///
    /// # Errors
    /// The limit that is reached.
    pub(crate) fn prove(&mut self, gap: f64) -> Result<bool, Status> {
        let enough = gap * self.value.abs();
        for (with_cuts, most) in ATTEMPTS {
            if self.improve(enough, with_cuts)? == State::Closed {
                let slack = 1e-6 * self.value.abs().max(1.0);
                let is_near = self.best.bound - self.value <= slack;
                return Ok(self.is_proven() || is_near && self.branch(NEXT_TO_NOTHING)?);
            }
            self.recombine()?;
            if self.branch(most)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for better lineups made of the linear program's matches.
    fn recombine(&mut self) -> Result<(), Status> {
        let columns: Vec<&Column> = self.columns.values().collect();
        let (cover, ended) = self.cover(&self.best, &columns, self.value, NODES);
        if let Some((chosen, loss)) = cover.best {
            let teams = chosen.into_iter().map(|at| columns[at].teams(self.units.pool));
            self.found = Some(teams.collect());
            self.value = self.best.bound - loss;
        }
        ended
    }

    /// All matches that better lineups could have; `None` if there are more than `most`.
    pub(super) fn that_matter(&self, most: usize) -> Result<Option<Vec<Column>>, Status> {
        let best = &self.best;
        let wanted = Wanted {
            // All matches together may lose no more than that against the bound, and so each of them.
            least: best.excess - (best.bound - self.value),
            each: usize::MAX / 2,
            all: Some(most),
            threads: self.threads,
        };
        let priced = self.price(best, wanted, PROOF)?;
        Ok((!priced.is_cut).then_some(priced.columns))
    }

    /// Looks for the best of all better lineups, if their matches are `most` at most; whether the search is complete,
    /// so that the value is the optimum. The certificate is the better for the cuts on the way.
    pub(super) fn branch(&mut self, most: usize) -> Result<bool, Status> {
        let Some(columns) = self.that_matter(most)? else {
            return Ok(false);
        };
        let mut tree = Tree::new(self, &columns);
        let ended = tree.run(self.best.clone());
        let (value, found, certificate) = (tree.value, tree.found, tree.certificate);
        if let Some(found) = found {
            let teams = found
                .iter()
                .map(|&at| columns[at as usize].teams(self.units.pool));
            self.found = Some(teams.collect());
            self.value = value;
        }
        if let Some(certificate) = certificate {
            self.keep(certificate);
        }
        ended
    }

    /// A certificate of duals that hold for some of the matches.
    pub(super) fn certify(&self, duals: &LobbyCertificate) -> Result<LobbyCertificate, Status> {
        let wanted = Wanted {
            least: duals.excess,
            each: 1,
            all: None,
            threads: self.threads,
        };
        let greatest = self.price(duals, wanted, BOUND)?.greatest;
        Ok(self.with_bound(duals.clone(), greatest))
    }

    /// The choice of matches that loses least against the certificate's bound, and leaves more than `value`; and the
    /// limit that ended the search, if one did.
    pub(super) fn cover(
        &self,
        certificate: &LobbyCertificate,
        columns: &[&Column],
        value: f64,
        most_nodes: u64,
    ) -> (Cover, Result<(), Status>) {
        let reduced = reduced(columns.iter().copied(), certificate);
        let choices: Vec<Choice<'_>> = columns
            .iter()
            .zip(reduced)
            .map(|(column, reduced)| Choice {
                units: &column.units,
                loss: (certificate.excess - reduced).max(0.0),
            })
            .collect();
        let duals = certificate.duals.iter().zip(&self.units.penalties);
        let unmatched: Vec<f64> = duals.map(|(dual, penalty)| dual + penalty).collect();
        let paying = |cut| {
            (0..)
                .zip(columns)
                .filter(move |(_, column)| column.counts_for(cut))
        };
        let cuts = certificate.cuts.iter().filter(|cut| cut.1 > 0.0);
        let cuts = cuts.map(|&(cut, dual)| (paying(cut).map(|(at, _)| at).collect(), dual));
        let unused = Unused {
            cuts: cuts.collect::<Vec<CutChoices>>(),
            sets: self.matches,
            each: certificate.excess,
        };
        let progress = self.progress(PROOF);
        let (cover, nodes) = best_cover(
            &choices,
            &self.units.sizes,
            &unmatched,
            &unused,
            certificate.bound - value - 3.0 * self.matches as f64 * ROUNDING,
            most_nodes.min(work_left(self.meter)),
            &|| self.meter.check(progress).is_err(),
        );
        (cover, self.meter.spend(nodes))
    }
}
