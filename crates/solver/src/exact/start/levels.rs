//! Level by level: the duals of a sample tell those of a sample twice as large.
//!
//! Costs in matchmaking are smooth in the players' states, and so are optimal duals. A small sample is solved; every
//! new vertex of the next sample then gets what the old ones leave it (the c-transform of their duals),
//!
//! ```text
//! y_i = min over the sampled j of (c_ij - y_j)
//! ```
//!
//! which makes it feasible with these. New vertices may be in conflict with one another;
//! [`Fractional::solve`](super::super::fractional::Fractional::solve) repairs that, and makes the duals optimal on the
//! candidates, the pairs with the smallest reduced costs. Where costs are not smooth (drawn at random) this is no
//! worse than other starts.
//!
//! The c-transform: Villani, "Topics in optimal transportation" (2003), section 2.4.

use super::super::blossom::short;
use super::super::engine::{Effort, Engine};
use super::super::halt::Halt;
use super::super::integer::Integer;
use super::super::quantise::Scale;
use super::super::watch::Watch;
use super::choices;
use super::select::Selection;
use crate::bits::SplitMix64;
use crate::read::rows::{Rows, Sampled};
use crate::read::{FEW_VERTICES, Real, least};

/// Memory that is kept from one solve to the next.
#[derive(Debug, Default)]
pub(in super::super) struct Levels<T> {
    samples: Samples,
    chooser: Chooser<T>,
    pool: Vec<f64>,
}

/// Samples of growing size, each twice as large as the last.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// All vertices in an order without pattern: each sample is the beginning of it.
    order: Vec<u32>,
    /// By vertex: the dual; minus infinity of those that were in no sample.
    duals: Vec<f64>,
    /// The vertices of a sample, ascending, and their duals.
    sample: Vec<u32>,
    local: Vec<f64>,
}

impl Samples {
    /// Calls `level` for samples from `first` vertices on, then for the whole graph (`None`), with the duals of the
    /// sample before. With `known` duals of all vertices the samples are left out.
    pub(super) fn climb<W: Integer>(
        &mut self,
        (vertices, first): (usize, usize),
        known: Option<&[f64]>,
        scale: &Scale,
        (engine, watch): (&mut Engine<W>, &mut Watch<'_>),
        mut level: impl FnMut(Option<&[u32]>, &mut [f64], &mut Engine<W>, &mut Watch<'_>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        self.duals.clear();
        self.duals.extend_from_slice(known.unwrap_or_default());
        self.duals.resize(vertices, f64::NEG_INFINITY);
        if self.order.len() != vertices {
            self.order.clear();
            self.order.extend((0..).take(vertices));
            // An order that has nothing to do with the vertices' numbers, always the same.
            self.order
                .sort_unstable_by_key(|&v| (SplitMix64(v.into()).next(), v));
        }
        let mut size = if known.is_some() { vertices } else { first };
        while size < vertices {
            self.sample.clear();
            self.sample.extend_from_slice(&self.order[..size]);
            self.sample.sort_unstable();
            self.local.clear();
            self.local
                .extend(self.sample.iter().map(|&v| self.duals[v as usize]));
            watch.enter(Some(&self.sample), vertices);
            engine.enter(Some(&self.sample));
            match level(Some(&self.sample), &mut self.local, engine, watch) {
                // A solve that is stopped shows what the whole graph starts with.
                Err(Halt::Stopped(_)) => size = vertices,
                outcome => outcome.map_err(|halt| halt.renumbered(&self.sample))?,
            }
            for (&v, &dual) in self.sample.iter().zip(&engine.fractional.dual) {
                self.duals[v as usize] = scale.cost(dual);
            }
            size = (2 * size).min(vertices);
        }
        self.local.clone_from(&self.duals);
        watch.enter(None, vertices);
        engine.enter(None);
        level(None, &mut self.local, engine, watch)
    }
}

impl<T: Real> Levels<T> {
    /// Solves samples of growing size up to the whole graph, so that `engine` has the candidates and a fractional
    /// optimum on these. With `known` duals of all vertices the samples are left out.
    pub(in super::super) fn climb<W: Integer, R: Sampled<Real = T>>(
        &mut self,
        rows: &R,
        scale: &Scale,
        engine: &mut Engine<W>,
        known: Option<&[f64]>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Halt> {
        let Self {
            samples,
            chooser,
            pool,
        } = self;
        let mut first = rows.vertices();
        while first >= FEW_VERTICES {
            first = first.div_ceil(2);
        }
        let sizes = (rows.vertices(), first + first % 2);
        samples.climb(
            sizes,
            known,
            scale,
            (engine, watch),
            |sample, duals, engine, watch| {
                let Some(sample) = sample else {
                    return chooser.level((rows, 1.0), duals, scale, engine, Effort::Whole, watch);
                };
                let share = sample.len() as f64 / rows.vertices() as f64;
                let part = rows.sample(sample, std::mem::take(pool));
                let outcome = chooser.level(
                    (&part, share * share),
                    duals,
                    scale,
                    engine,
                    Effort::Sample,
                    watch,
                );
                *pool = R::recycle(part);
                outcome?;
                engine.after_sample(rows.as_graph())
            },
        )
    }
}

/// Duals for new vertices, and the candidates by the duals of all.
#[derive(Debug, Default)]
struct Chooser<T> {
    selection: Selection<T>,
    /// The duals in the precision of the rows.
    near: Vec<T>,
    row: Vec<T>,
}

impl<T: Real> Chooser<T> {
    /// Solves one sample, or the whole graph, from duals: minus infinity where there is none yet. `part` of all pairs are
    /// in it.
    fn level<W: Integer>(
        &mut self,
        (rows, part): (&dyn Rows<Real = T>, f64),
        duals: &mut [f64],
        scale: &Scale,
        engine: &mut Engine<W>,
        effort: Effort,
        watch: &mut Watch<'_>,
    ) -> Result<(), Halt> {
        if duals.iter().all(|dual| *dual == f64::NEG_INFINITY) {
            engine.take_all(rows.as_graph(), scale)?;
        } else {
            self.extend(rows, duals);
            engine.cap(duals);
            watch.look(part, || self.choose(rows, duals));
            self.take_chosen(rows, scale, engine)?;
            engine.start_fractional(Some(duals), scale)?;
        }
        engine.optimise_fractional(rows.as_graph(), scale, effort, watch)
    }

    /// Makes the chosen pairs candidates.
    fn take_chosen<W: Integer>(
        &self,
        rows: &dyn Rows<Real = T>,
        scale: &Scale,
        engine: &mut Engine<W>,
    ) -> Result<(), Halt> {
        engine.candidates.reset(rows.vertices());
        engine.add_all(rows.as_graph(), scale, self.selection.pairs())?;
        // Any perfect matching, so that there is one.
        let half = short(rows.vertices() / 2);
        engine.add_all(rows.as_graph(), scale, (0..half).map(|i| (i, i + half)))?;
        engine.candidates.merge();
        Ok(())
    }

    /// Duals for the vertices that have none: what those leave them that have one.
    fn extend(&mut self, rows: &dyn Rows<Real = T>, duals: &mut [f64]) {
        self.near.clear();
        self.near.extend(duals.iter().map(|&dual| T::near(dual)));
        for (i, dual) in duals.iter_mut().enumerate() {
            if *dual == f64::NEG_INFINITY {
                // Vertices without a dual count as infinitely far.
                let left = least(rows.row(i, 0, &mut self.row), &self.near).wide();
                *dual = if left.is_finite() { left } else { 0.0 };
            }
        }
    }

    /// Each vertex's smallest reduced costs. Each pair is looked at once, for both.
    fn choose(&mut self, rows: &dyn Rows<Real = T>, duals: &[f64]) {
        for (near, &dual) in self.near.iter_mut().zip(duals) {
            *near = T::near(dual);
        }
        let limit = self.typical_limit(rows);
        let Self {
            selection, near, row, ..
        } = self;
        let wanted = choices(rows.vertices());
        selection.reset(rows.vertices(), wanted, limit);
        for i in 0..rows.vertices() {
            offer_row(selection, i, rows.row(i, i + 1, row), near);
        }
        selection.finish();
        // A vertex that the limit left with few gets a list of its own; so does one whose choice is tied, from its own
        // number on: else all would choose the same first few.
        for i in 0..rows.vertices() {
            let tied = selection.tied(i);
            if tied.is_none() && selection.list(i).len() >= wanted / 4 {
                continue;
            }
            let enough = tied.unwrap_or(limit);
            selection.reopen(i);
            for (from, end) in [(i, rows.vertices()), (0, i)] {
                if selection.limits[i] > enough {
                    for (j, &cost) in (from..end).zip(rows.row(i, from, row)) {
                        selection.offer(i, short(j), cost - near[j] - near[i]);
                    }
                }
            }
            selection.finish_one(i);
        }
    }

    /// A reduced cost below which most vertices have as many others as they choose: nearly the largest that any of
    /// some vertices needs. Infinite if there are few vertices.
    fn typical_limit(&mut self, rows: &dyn Rows<Real = T>) -> T {
        const SOME: usize = 8;
        let vertices = rows.vertices();
        let wanted = choices(vertices);
        if vertices < 4 * wanted {
            return T::INFINITY;
        }
        self.selection.reset(vertices, wanted, T::INFINITY);
        let mut limits = [T::INFINITY; SOME];
        let mut count = 0;
        for i in (0..vertices).step_by(vertices.div_ceil(SOME)) {
            for (j, &cost) in (0..).zip(rows.row(i, 0, &mut self.row)) {
                self.selection
                    .offer(i, j, cost - self.near[j as usize] - self.near[i]);
            }
            self.selection.prune(i);
            limits[count] = self.selection.limits[i];
            count += 1;
        }
        limits[..count].sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        limits[count - 2]
    }
}

/// Offers `i` and all later vertices each other. `row` has the costs of `i` with those.
fn offer_row<T: Real>(selection: &mut Selection<T>, i: usize, row: &[T], duals: &[T]) {
    const BLOCK: usize = 32;
    let (own, number) = (duals[i], short(i));
    for (block, costs) in row.chunks(BLOCK).enumerate() {
        let first = i + 1 + block * BLOCK;
        let limit = selection.limits[i];
        let (duals, limits) = (&duals[first..], &selection.limits[first..]);
        let mut any = false;
        for ((&cost, &dual), &other) in costs.iter().zip(duals).zip(limits) {
            let reduced = cost - dual - own;
            // Without a branch, so that the loop is vectorised.
            any |= (reduced < limit) || (reduced < other);
        }
        if any {
            for (k, (&cost, &dual)) in costs.iter().zip(duals).enumerate() {
                let reduced = cost - dual - own;
                selection.offer(i, short(first + k), reduced);
                selection.offer(first + k, number, reduced);
            }
        }
    }
}
