//! What every stage works on: the candidates, and the fractional optimum on them.

use super::blossom::{NONE, short};
use super::candidates::Candidates;
use super::certify::certificate_without_blossoms;
use super::fractional::Fractional;
use super::halt::Halt;
use super::integer::{Integer, within_limit};
use super::quantise::Scale;
use super::unmatched::UnmatchedRule;
use super::watch::{FractionalView, Stage, Watch};
use crate::cardinality::maximum_matching;
use crate::certificate::Certificate;
use crate::error::SolveError;
use crate::limits::Meter;
use crate::read::{Allowed, Graph, Query};

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
pub(super) struct Engine<W: Ord> {
    pub(super) candidates: Candidates<W>,
    pub(super) fractional: Fractional<W>,
    pub(super) threads: usize,
    /// Who may stay unmatched, in the whole graph.
    pub(super) unmatched: UnmatchedRule,
    /// Whether a graph without a perfect matching may be refused before it is solved.
    pub(super) refuses_early: bool,
    /// Whether the last sample had no perfect matching, so that perhaps the graph has none.
    is_in_doubt: bool,
    /// A perfect matching of the whole graph; empty if none is known.
    pub(super) perfect: Vec<usize>,
    /// The penalties of the vertices that are solved now; empty if all must be matched. Also as integers.
    current: Vec<f64>,
    quantised: Vec<W>,
    /// By how much penalties were raised last.
    step: W,
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

    /// Adds pairs, as [`add`](Self::add) does.
    pub(super) fn add_all(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        pairs: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<(), Halt> {
        pairs
            .into_iter()
            .try_for_each(|(i, j)| self.add(graph, scale, i, j))
    }

    /// Takes all pairs as candidates, with half of each vertex's least weight as duals.
    pub(super) fn take_all(&mut self, graph: &(impl Graph + ?Sized), scale: &Scale) -> Result<(), Halt> {
        self.candidates.reset(graph.vertices());
        for i in (0..).take(graph.vertices()) {
            let mut outcome = Ok(());
            graph.for_each_neighbour(i, &mut |j, cost| {
                if outcome.is_ok() && j > i {
                    outcome = scale.halves(cost).map(|weight| self.candidates.add(i, j, weight));
                }
            })?;
            outcome?;
        }
        self.candidates.set_whole();
        self.candidates.merge();
        self.start_fractional(None, scale)
    }

    /// From now on these vertices are solved, of those that `penalties` are for; `None`: all.
    pub(super) fn enter(&mut self, sample: Option<&[u32]>) {
        self.current.clear();
        match sample {
            None => self.current.extend_from_slice(&self.unmatched.penalties),
            // The penalty that gives maximum cardinality is known for the whole graph alone.
            Some(_) if self.unmatched.deficiency > 0 => {}
            Some(sample) if !self.unmatched.penalties.is_empty() => {
                let penalties = &self.unmatched.penalties;
                self.current.extend(sample.iter().map(|&v| penalties[v as usize]));
            }
            Some(_) => {}
        }
    }

    /// Duals no larger than penalties, in costs; but for those that are yet to be raised.
    pub(super) fn cap(&self, duals: &mut [f64]) {
        if self.unmatched.deficiency == 0 {
            for (dual, &penalty) in duals.iter_mut().zip(&self.current) {
                *dual = dual.min(penalty);
            }
        }
    }

    /// Nobody is matched, under these duals, or half of each vertex's least weight.
    pub(super) fn start_fractional(&mut self, known: Option<&[f64]>, scale: &Scale) -> Result<(), Halt> {
        let Self {
            candidates,
            fractional,
            quantised,
            current,
            ..
        } = self;
        match known {
            Some(known) => fractional.start(known.iter().map(|&dual| scale.dual(dual))),
            None => fractional.start((0..candidates.vertices()).map(|i| {
                let weights = candidates.row(i).iter().map(|&(_, weight)| weight);
                weights.min().map_or(W::ZERO, W::half)
            })),
        }
        quantised.clear();
        for &penalty in &*current {
            quantised.push(scale.halves(penalty)?);
        }
        if self.unmatched.deficiency > 0 && !quantised.is_empty() {
            // So large that no dual is capped yet.
            let above = fractional.dual.iter().zip(&*quantised).map(|(&y, &p)| y - p);
            let level = above.max().unwrap_or(W::ZERO);
            for penalty in &mut *quantised {
                *penalty = within_limit(*penalty + level)?;
            }
        }
        fractional.limit_duals(quantised);
        self.step = W::ZERO;
        Ok(())
    }

    /// By how much penalties are raised next, if more vertices are unmatched than have to be: twice as much each time.
    pub(super) fn next_step(&mut self) -> Result<W, Halt> {
        self.step = if self.step == W::ZERO {
            let all: Vec<usize> = (0..self.candidates.vertices()).collect();
            self.candidates
                .first_limit(&self.fractional.dual, &all, &mut Vec::new())
                .twice()
                .twice()
        } else {
            within_limit(self.step.twice())?
        };
        Ok(self.step)
    }

    /// Solves and prices by turns, until hardly a pair outside the candidates is violated.
    pub(super) fn optimise_fractional(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        effort: Effort,
        watch: &mut Watch<'_>,
    ) -> Result<(), Halt> {
        // So few violated pairs are cheaper to repair later than to look for again.
        let few = match effort {
            Effort::Sample => graph.vertices() / 8,
            Effort::Whole => graph.vertices() / 32,
        };
        let view = FractionalView {
            candidates: &self.candidates,
            fractional: &self.fractional,
            scale,
        };
        let begun = watch.show(Stage::Start, &view);
        if let (Err(Halt::Stopped(_)), Effort::Whole) = (&begun, effort) {
            // What is matched without a search takes no time.
            self.fractional.begin(&self.candidates)?;
            let view = FractionalView {
                candidates: &self.candidates,
                fractional: &self.fractional,
                scale,
            };
            return watch.show(Stage::Fractional, &view);
        }
        begun?;
        if effort == Effort::Whole && self.unmatched.deficiency > 0 {
            // So that the candidates have a maximum matching, and raising penalties comes to an end.
            let largest = std::mem::take(&mut self.unmatched.largest);
            self.add_pairs(graph, scale, &largest)?;
        }
        loop {
            let perfect = self.solve_fractional(scale, watch)?;
            self.is_in_doubt = !perfect && self.refuses_early;
            if effort == Effort::Whole {
                if !perfect {
                    self.add_maximum_matching(graph, scale)?;
                    continue;
                }
                if self.fractional.unmatched() > self.unmatched.deficiency && self.unmatched.deficiency > 0 {
                    let step = self.next_step()?;
                    self.fractional.raise_penalties(step)?;
                    continue;
                }
            }
            self.fractional.check(&self.candidates);
            if self.candidates.is_whole() {
                return Ok(());
            }
            watch.spend(graph.vertices() as u64);
            let violated = match effort {
                Effort::Sample => self.price(graph, scale, true)?,
                Effort::Whole => watch.look(1.0, || self.price(graph, scale, true))?,
            };
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
        self.fractional.solve(candidates, |fractional| {
            let view = FractionalView {
                candidates,
                fractional,
                scale,
            };
            watch.show(Stage::Fractional, &view)
        })
    }

    /// Adds the pairs of a maximum matching to the candidates, which do not suffice.
    ///
    /// # Errors
    /// [`Halt::NotPerfect`] if it leaves more vertices unmatched than may be.
    pub(super) fn add_maximum_matching(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
    ) -> Result<(), Halt> {
        if self.candidates.is_whole() {
            return Err(Halt::NotPerfect);
        }
        self.find_perfect(graph)?;
        let mates = std::mem::take(&mut self.perfect);
        self.add_pairs(graph, scale, &mates)
    }

    /// Looks for a perfect matching of the whole graph, if the sample that was solved has none: few graphs whose samples
    /// have none have one, and the others need not be solved.
    pub(super) fn after_sample(&mut self, graph: &(impl Graph + ?Sized)) -> Result<(), Halt> {
        if self.is_in_doubt && self.unmatched.penalties.is_empty() {
            self.find_perfect(graph)?;
        }
        Ok(())
    }

    fn find_perfect(&mut self, graph: &(impl Graph + ?Sized)) -> Result<(), Halt> {
        if self.perfect.is_empty() {
            let (mates, barrier) = maximum_matching(&Allowed(graph), &Meter::default())?;
            if !barrier.unplaced.is_empty() {
                return Err(Halt::NotPerfect);
            }
            self.perfect = mates;
        }
        Ok(())
    }

    fn add_pairs(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        mates: &[usize],
    ) -> Result<(), Halt> {
        for (i, &j) in mates.iter().enumerate().filter(|&(i, &j)| i < j && j != NONE) {
            let cost = graph.cost(short(i), short(j))?;
            let cost = cost.ok_or(SolveError::ForbiddenPair { i, j })?;
            self.candidates.add(short(i), short(j), scale.halves(cost)?);
        }
        self.candidates.merge();
        Ok(())
    }

    /// A bound without an optimum: from any duals to such as no pair violates, in two looks at all pairs; in none if
    /// all are candidates.
    ///
    /// The average of duals with their c-transform is feasible but for rounding, and its sum is no smaller than that of
    /// any feasible duals below. Pricing repairs the rest.
    pub(super) fn bound(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        duals: &[f64],
    ) -> Result<Certificate, Halt> {
        self.candidates.merge();
        self.enter(None);
        if self.candidates.is_whole() {
            self.start_fractional(Some(duals), scale)?;
            self.fractional.tighten(&self.candidates)?;
        } else {
            let (left, error) = graph.c_transform(duals);
            let mut duals = duals.to_vec();
            for (y, left) in duals.iter_mut().zip(left) {
                // Less what rounding may be off by, or else each of many tied pairs might be violated.
                *y = y.midpoint(left) - error - scale.resolution;
            }
            self.start_fractional(Some(&duals), scale)?;
            self.price(graph, scale, false)?;
        }
        Ok(certificate_without_blossoms(
            &self.fractional.dual,
            scale,
            &self.unmatched,
        )?)
    }

    /// Looks for violated pairs under the fractional duals, and repairs these. Returns how many there were.
    fn price(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        worst_only: bool,
    ) -> Result<usize, Halt> {
        self.duals.clear();
        self.duals
            .extend(self.fractional.dual.iter().map(|&dual| scale.cost(dual)));
        self.found.clear();
        let dual = &self.fractional.dual;
        let look = |i: u32, j: u32, cost: Option<f64>| -> Result<Option<W>, Halt> {
            let cost = if cost.is_some() { cost } else { graph.cost(i, j)? };
            let Some(cost) = cost else { return Ok(None) };
            let weight = scale.halves::<W>(cost)?;
            let is_violated = weight - dual[i as usize] < dual[j as usize];
            Ok(is_violated.then_some(weight))
        };
        // An error is found again below.
        let wanted =
            |i: u32, j: u32, cost: Option<f64>| !look(i, j, cost).is_ok_and(|weight| weight.is_none());
        let query = Query {
            duals: &self.duals,
            rounding: scale.resolution,
            worst_only,
            shared: None,
            wanted: Some(&wanted),
            threads: self.threads,
        };
        graph.maybe_violated(&query, &mut self.found);
        self.violated.clear();
        for &(i, j) in &self.found {
            if let Some(weight) = look(i, j, None)? {
                self.violated.push((i, j, weight));
            }
        }
        let Self {
            candidates,
            fractional,
            violated,
            ..
        } = self;
        fractional.repair_duals(violated, |i, j, weight| candidates.add(i, j, weight))?;
        Ok(violated.len())
    }
}
