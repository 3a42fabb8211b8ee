//! One solve, from a graph as it is read to mates with a proof.

use super::blossom::{Forest, short};
use super::certify::Spare;
use super::components::{Components, solve_apart};
use super::engine::Engine;
use super::halt::Halt;
use super::integer::Integer;
use super::pricing::Pricing;
use super::quantise::{COARSEST_BITS, Scale};
use super::start;
use super::start::levels::Levels;
use super::ties::Ties;
use super::unmatched::UnmatchedRule;
use super::watch::Watch;
use crate::certificate::Certificate;
use crate::objective::Objective;
use crate::read::Reading;
use crate::read::rows::{Implicit, largest_of_some};

/// The error of rounding that is harmless, as a part of the sum of the magnitudes of the matched costs: half
/// of what a verdict of optimality allows.
const HARMLESS: f64 = 5e-13;

/// So few vertices are solved in microseconds either way, hence without rounding if possible.
const SMALL: usize = 32;

/// A scale coarser than the first by more than this is of no use.
const FAR_COARSER: f64 = 64.0;

/// The largest cost met so far, beyond those that were looked at to choose a scale.
#[derive(Debug, Default)]
struct Largest {
    seen: f64,
    times: i32,
}

impl Largest {
    /// Larger costs than the last may be found this many times before it is more likely that they grow as one looks.
    const MOST: i32 = 16;

    /// Makes room for this cost, and more each time, for there may be others.
    fn raise(&mut self, cost: f64) -> Result<(), Halt> {
        if self.times == Self::MOST {
            return Err(Halt::Overflow);
        }
        self.seen = (cost.abs() * f64::from(1_u32 << self.times)).min(f64::MAX);
        self.times += 1;
        Ok(())
    }
}

/// The state of each stage, in integers of one width.
#[derive(Debug, Default)]
pub(super) struct Stages<W: Ord> {
    pub(super) engine: Engine<W>,
    pub(super) forest: Forest<W>,
    pub(super) pricing: Pricing<W>,
    pub(super) ties: Ties<W>,
}

/// Mates that are optimal for costs at a scale, with the proof.
pub(super) type Proven = (Vec<usize>, Certificate);

impl Reading<'_> {
    /// How costs become integers of this many bits. Where not all are looked at, `largest` is one of them that is
    /// known.
    fn scale(&self, objective: Objective, largest: f64, bits: i32, penalties: &[f64]) -> Result<Scale, Halt> {
        let dearest = penalties.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        let scale = match self {
            Self::Matrix(matrix) => {
                let costs = || matrix.all().chain(penalties.iter().copied());
                Scale::choose(costs, &matrix.survey.with(penalties), objective, bits)
            }
            Self::Lists(lists) => {
                let costs = || lists.all().chain(penalties.iter().copied());
                Scale::choose(costs, &lists.survey.with(penalties), objective, bits)
            }
            Self::Space(space) => {
                let some = start::nearby::largest_cost(space)?;
                Scale::for_range(some.max(largest).max(dearest), objective, bits)
            }
            Self::Precise(Implicit { costs, .. }) | Self::Quick(Implicit { costs, .. }) => {
                let some = largest_of_some(&**costs);
                Scale::for_range(some.max(largest).max(dearest), objective, bits)
            }
        };
        if scale.may_overflow() {
            Err(Halt::MagnitudeOverflow)
        } else {
            Ok(scale)
        }
    }
}

/// What is asked of a solve.
#[derive(Clone, Copy)]
pub(super) struct Settings<'a> {
    pub(super) objective: Objective,
    pub(super) threads: usize,
    /// Starting duals.
    pub(super) known: Option<&'a [f64]>,
    pub(super) unmatched: &'a UnmatchedRule,
    /// Whether of several optima the first is wanted.
    pub(super) canonical: bool,
    /// Whether the bound of the fractional optimum is wanted alone.
    pub(super) bound_only: bool,
}

/// One solve, whatever the width of the integers.
pub(super) struct Solver<'a, 'w> {
    pub(super) reading: &'a Reading<'a>,
    pub(super) settings: Settings<'a>,
    pub(super) precise: &'a mut Levels<f64>,
    pub(super) quick: &'a mut Levels<f32>,
    pub(super) spare: &'a mut Spare,
    pub(super) watch: &'a mut Watch<'w>,
}

impl Solver<'_, '_> {
    /// The optimum, in integers no wider than it takes.
    pub(super) fn optimise(
        &mut self,
        narrow: &mut Stages<i64>,
        wide: &mut Stages<i128>,
    ) -> Result<Proven, Halt> {
        let mut largest = Largest::default();
        if let Some(proven) = self.optimise_narrow(narrow, &mut largest)? {
            return Ok(proven);
        }
        let mut bits = i128::FINEST_BITS;
        loop {
            let scale = self.scale(largest.seen, bits)?;
            match self.solve(wide, &scale) {
                Err(Halt::OutOfRange(cost)) => largest.raise(cost)?,
                Err(Halt::Overflow) if scale.bits > COARSEST_BITS => {
                    bits = (scale.bits - 10).max(COARSEST_BITS);
                }
                outcome => return outcome,
            }
        }
    }

    fn scale(&self, largest: f64, bits: i32) -> Result<Scale, Halt> {
        self.reading.scale(
            self.settings.objective,
            largest,
            bits,
            &self.settings.unmatched.penalties,
        )
    }

    /// The optimum in 64 bits, unless rounding to them might matter.
    fn optimise_narrow(
        &mut self,
        stages: &mut Stages<i64>,
        largest: &mut Largest,
    ) -> Result<Option<Proven>, Halt> {
        let vertices = self.reading.as_graph().vertices();
        let mut scale = self.scale(0.0, i64::FINEST_BITS)?;
        let first = scale.resolution;
        if scale.largest_error > 0.0 && vertices <= SMALL {
            return Ok(None);
        }
        // Beside a cost so large that it takes most of the bits the others would all be the same.
        while scale.resolution <= first * FAR_COARSER {
            match self.solve(stages, &scale) {
                Ok((mates, certificate)) => {
                    let magnitude = if self.settings.bound_only {
                        certificate.dual_bound().abs()
                    } else {
                        self.magnitude(&mates)?
                    };
                    let harmless = certificate.quantisation_error() <= HARMLESS * magnitude;
                    return Ok(harmless.then_some((mates, certificate)));
                }
                Err(Halt::OutOfRange(cost)) => {
                    largest.raise(cost)?;
                    scale = self.scale(largest.seen, i64::FINEST_BITS)?;
                }
                Err(Halt::Overflow) if !scale.is_surveyed() => scale = scale.coarser(4),
                Err(Halt::Overflow) => break,
                Err(halt) => return Err(halt),
            }
        }
        Ok(None)
    }

    /// The optimum at this scale, or a bound if the solve is stopped.
    fn solve<W: Integer>(&mut self, stages: &mut Stages<W>, scale: &Scale) -> Result<Proven, Halt> {
        stages.engine.threads = self.settings.threads;
        stages.engine.refuses_early = !self.settings.bound_only;
        stages.engine.perfect.clear();
        stages.engine.unmatched.clone_from(self.settings.unmatched);
        match self.solve_on(stages, scale) {
            Err(Halt::Stopped(unfinished)) => {
                let graph = self.reading.as_graph();
                let Stages {
                    engine,
                    forest,
                    pricing,
                    ..
                } = stages;
                let bound = if unfinished.has_forest {
                    pricing.lower(graph, scale, engine, forest)?;
                    forest.certificate(scale, self.spare, self.settings.unmatched)?
                } else {
                    engine.bound(graph, scale, &unfinished.duals)?
                };
                Err(Halt::Bounded(Box::new((*unfinished, bound))))
            }
            outcome => outcome,
        }
    }

    fn solve_on<W: Integer>(&mut self, stages: &mut Stages<W>, scale: &Scale) -> Result<Proven, Halt> {
        // A watch is shown one solve, and maximum cardinality has one penalty for all components.
        if let Reading::Lists(lists) = self.reading
            && !(self.watch.is_on() || self.settings.bound_only)
            && self.settings.unmatched.deficiency == 0
        {
            let components = Components::of(lists);
            if components.count() > 1 {
                return solve_apart::<W>(self, lists, &components, scale);
            }
        }
        self.solve_connected(stages, scale)
    }

    pub(super) fn solve_connected<W: Integer>(
        &mut self,
        stages: &mut Stages<W>,
        scale: &Scale,
    ) -> Result<Proven, Halt> {
        let Stages {
            engine,
            forest,
            pricing,
            ties,
        } = stages;
        let known = self.settings.known;
        let start = match self.reading {
            Reading::Matrix(matrix) => self.precise.climb(matrix, scale, engine, known, self.watch),
            Reading::Precise(rows) => self.precise.climb(rows, scale, engine, known, self.watch),
            Reading::Quick(rows) => self.quick.climb(rows, scale, engine, known, self.watch),
            Reading::Lists(lists) => start::edges::start(lists, scale, engine, known, self.watch),
            Reading::Space(space) => start::nearby::start(space, scale, engine, known, self.watch),
        };
        if self.settings.bound_only && matches!(start, Ok(()) | Err(Halt::NotPerfect)) {
            let duals: Vec<f64> = engine.fractional.dual.iter().map(|&y| scale.cost(y)).collect();
            return Ok((Vec::new(), engine.bound(self.reading.as_graph(), scale, &duals)?));
        }
        start?;
        pricing.optimise(
            self.settings.canonical,
            self.reading.as_graph(),
            scale,
            engine,
            forest,
            self.watch,
        )?;
        let certificate = forest.certificate(scale, self.spare, self.settings.unmatched)?;
        if self.settings.canonical {
            ties.choose_first(&mut pricing.tight, &pricing.nesting, forest)?;
        }
        let mut mates = std::mem::take(&mut self.spare.mates);
        mates.clone_from(&forest.mate);
        Ok((mates, certificate))
    }

    /// The sum of the magnitudes of the matched costs.
    fn magnitude(&self, mates: &[usize]) -> Result<f64, Halt> {
        let graph = self.reading.as_graph();
        let mut sum = 0.0;
        for (i, &j) in mates.iter().enumerate() {
            if i < j {
                sum += graph.cost(short(i), short(j))?.map_or(0.0, f64::abs);
            } else if i == j {
                sum += self.settings.unmatched.penalties[i].abs();
            }
        }
        Ok(sum.min(f64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::DenseCosts;
    use crate::read::matrix::Matrix;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn the_width_of_the_integers_changes_nothing_else() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let (mut narrow, mut wide) = (Stages::<i64>::default(), Stages::<i128>::default());
        for round in 0..60 {
            let range: i64 = [3, 50, 1 << 40][round % 3];
            let costs = DenseCosts::from_fn(30, |_, _| rng.random_range(0..range) as f64).unwrap();
            let mut memory = Vec::new();
            let matrix = Matrix::read(&costs, Objective::Maximize, &mut memory).unwrap();
            let reading = Reading::Matrix(matrix);
            let scale = reading
                .scale(Objective::Maximize, 0.0, i64::FINEST_BITS, &[])
                .unwrap();
            let (mut precise, mut quick) = (Levels::default(), Levels::default());
            let mut solver = Solver {
                reading: &reading,
                settings: Settings {
                    objective: Objective::Maximize,
                    threads: 1,
                    known: None,
                    unmatched: &UnmatchedRule::default(),
                    canonical: true,
                    bound_only: false,
                },
                precise: &mut precise,
                quick: &mut quick,
                spare: &mut Spare::default(),
                watch: &mut Watch::default(),
            };
            let proven = solver.solve(&mut narrow, &scale).unwrap();
            assert_eq!(proven, solver.solve(&mut wide, &scale).unwrap());
        }
    }
}
