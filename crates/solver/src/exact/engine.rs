//! What every stage works on: the candidates, and the fractional optimum on them.

use super::candidates::Candidates;
use super::certify::certificate_without_blossoms;
use super::fractional::Fractional;
use super::halt::Halt;
use super::integer::Integer;
use super::invariants;
use super::quantise::Scale;
use super::read::{Graph, Query};
use super::watch::{FractionalView, Stage, Watch};
use crate::certificate::Certificate;

/// How good a fractional optimum is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Of a sample, whose duals are a guess in any case: few violated pairs may be left, and vertices exposed.
    Sample,
    /// Of the whole graph: nobody exposed; the few violated pairs that may be left are candidates.
    Whole,
}

/// Candidates, duals and pricing in integers of one width.
#[derive(Debug, Default)]
pub(super) struct Engine<W> {
    pub(super) candidates: Candidates<W>,
    pub(super) fractional: Fractional<W>,
    pub(super) threads: usize,
    /// Vertices whose candidates do not suffice for a perfect matching.
    pub(super) stranded: Vec<usize>,
    /// Scratch of pricing.
    pub(super) found: Vec<(u32, u32)>,
    violated: Vec<(u32, u32, W)>,
    pub(super) duals: Vec<f64>,
}

impl<W: Integer> Engine<W> {
    /// Adds a pair to the candidates, to be merged, unless it is forbidden.
    pub(super) fn add(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        i: u32,
        j: u32,
    ) -> Result<(), Halt> {
        if let Some(cost) = graph.cost(i, j)? {
            self.candidates.add(i, j, scale.halves(cost)?);
        }
        Ok(())
    }

    /// Takes all pairs as candidates, with half of each vertex's least weight as duals.
    pub(super) fn take_all(&mut self, graph: &(impl Graph + ?Sized), scale: &Scale) -> Result<(), Halt> {
        self.candidates.reset(graph.vertices());
        for i in (0..).take(graph.vertices()) {
            self.take_row(graph, scale, i, |j| j > i)?;
            self.candidates.set_complete(i as usize);
        }
        self.candidates.merge();
        self.start_fractional(None, scale);
        Ok(())
    }

    fn take_row(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        i: u32,
        wanted: impl Fn(u32) -> bool,
    ) -> Result<(), Halt> {
        let mut outcome = Ok(());
        graph.for_each_neighbour(i, &mut |j, cost| {
            if outcome.is_ok() && wanted(j) {
                outcome = scale.halves(cost).map(|weight| self.candidates.add(i, j, weight));
            }
        })?;
        Ok(outcome?)
    }

    /// Nobody is matched, under these duals, or half of each vertex's least weight.
    pub(super) fn start_fractional(&mut self, known: Option<&[f64]>, scale: &Scale) {
        let Self {
            candidates,
            fractional,
            ..
        } = self;
        match known {
            Some(known) => fractional.start(known.iter().map(|&dual| scale.dual(dual))),
            None => fractional.start((0..candidates.vertices()).map(|i| {
                let weights = candidates.row(i).iter().map(|&(_, weight)| weight);
                weights.min().map_or(W::ZERO, W::half)
            })),
        }
    }

    /// Solves and prices by turns, until hardly a pair outside the candidates is violated.
    pub(super) fn optimise_fractional(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        effort: Effort,
        watch: &mut Watch<'_>,
    ) -> Result<(), Halt> {
        // So few violated pairs are cheaper to mend later than to look for again.
        let few = match effort {
            Effort::Sample => graph.vertices() / 8,
            Effort::Whole => graph.vertices() / 32,
        };
        let view = FractionalView {
            candidates: &self.candidates,
            fractional: &self.fractional,
            scale,
        };
        watch.show(Stage::Start, &view)?;
        loop {
            self.stranded.clear();
            let perfect = self.solve_fractional(scale, watch)?;
            if !perfect && effort == Effort::Whole {
                self.complete_stranded(graph, scale)?;
                self.candidates.merge();
                continue;
            }
            invariants::check(|| self.fractional.broken(&self.candidates));
            if self.candidates.is_whole() {
                return Ok(());
            }
            let violated = self.price(graph, scale)?;
            self.candidates.merge();
            if violated <= few {
                if violated > 0 && effort == Effort::Whole {
                    self.solve_fractional(scale, watch)?;
                }
                return Ok(());
            }
        }
    }

    fn solve_fractional(&mut self, scale: &Scale, watch: &mut Watch<'_>) -> Result<bool, Halt> {
        let candidates = &self.candidates;
        self.fractional
            .solve(candidates, &mut self.stranded, |fractional| {
                let view = FractionalView {
                    candidates,
                    fractional,
                    scale,
                };
                watch.show(Stage::Fractional, &view)
            })
    }

    /// Adds all edges of the vertices that got stuck.
    pub(super) fn complete_stranded(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
    ) -> Result<(), Halt> {
        let mut new = false;
        let stranded = std::mem::take(&mut self.stranded);
        for &v in &stranded {
            if !self.candidates.is_complete(v) {
                new = true;
                self.take_row(graph, scale, u32::try_from(v).unwrap_or(u32::MAX), |_| true)?;
                self.candidates.set_complete(v);
            }
        }
        self.stranded = stranded;
        if new { Ok(()) } else { Err(Halt::NotPerfect) }
    }

    /// A bound without an optimum: from any duals to such as no pair violates.
    pub(super) fn bound(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        duals: &[f64],
    ) -> Result<Certificate, Halt> {
        self.candidates.merge();
        self.fractional.start(duals.iter().map(|&dual| scale.dual(dual)));
        self.fractional.tighten(&self.candidates)?;
        while self.price(graph, scale)? > 0 {
            self.candidates.merge();
        }
        Ok(certificate_without_blossoms(&self.fractional.dual, scale)?)
    }

    /// Looks for violated pairs under the fractional duals, and mends them. Returns how many there were.
    fn price(&mut self, graph: &(impl Graph + ?Sized), scale: &Scale) -> Result<usize, Halt> {
        self.duals.clear();
        self.duals
            .extend(self.fractional.dual.iter().map(|&dual| scale.cost(dual)));
        self.found.clear();
        let query = Query {
            duals: &self.duals,
            rounding: scale.resolution,
            worst_only: true,
            shared: None,
            threads: self.threads,
        };
        graph.suspects(&query, &mut self.found);
        self.violated.clear();
        for &(i, j) in &self.found {
            if self.candidates.weight(i as usize, j as usize).is_some() {
                continue;
            }
            let Some(cost) = graph.cost(i, j)? else { continue };
            let weight = scale.halves::<W>(cost)?;
            let (a, b) = (self.fractional.dual[i as usize], self.fractional.dual[j as usize]);
            if weight - a < b {
                self.violated.push((i, j, weight));
            }
        }
        let Self {
            candidates,
            fractional,
            violated,
            ..
        } = self;
        fractional.absorb(violated, |i, j, weight| candidates.add(i, j, weight))?;
        Ok(violated.len())
    }
}
