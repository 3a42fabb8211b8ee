//! The blossom stage: a perfect matching on the candidates, then the pairs that were left out, by turns.
//!
//! Duals that are optimal on the candidates are a proof for the whole graph as soon as no pair is violated, that is,
//! has a negative reduced cost (see [`Certificate`](crate::Certificate)). A violated pair becomes a candidate,
//! one of its ends is set free with a lower dual, and the search goes on from there: the duals of all
//! others stay, so that a round takes little. The last round looks at all pairs and finds none.
//!
//! Pricing with a warm restart: Derigs and Metz 1986; Cook and Rohe, "Computing minimum-weight perfect
//! matchings", INFORMS J. Computing 11 (1999), doi:10.1287/ijoc.11.2.138.

use super::blossom::{Forest, NONE, Outcome};
use super::engine::Engine;
use super::fractional::Fractional;
use super::halt::Halt;
use super::integer::Integer;
use super::nesting::Nesting;
use super::quantise::Scale;
use super::violated::Ends;
use super::watch::{ForestView, Stage, Watch};
use crate::read::{Graph, Query};

/// What pricing found.
#[derive(Debug, Default)]
pub(super) struct Pricing<W> {
    /// Pairs with a negative reduced cost, and their weights.
    violated: Vec<(u32, u32, W)>,
    /// Pairs whose reduced cost is 0.
    pub(super) tight: Vec<(u32, u32)>,
    /// The blossoms that hold two vertices.
    pub(super) nesting: Nesting<W>,
    ends: Ends,
    /// Scratch: vertices without a partner, and slacks of their candidates.
    exposed: Vec<usize>,
    slacks: Vec<W>,
}

impl<W: Integer> Pricing<W> {
    /// From the fractional optimum on the candidates to the optimum of the whole graph. `engine` keeps the
    /// candidates, `forest` gets mates, duals and blossoms, `self` the tight pairs, if they
    /// are wanted.
    pub(super) fn optimise(
        &mut self,
        with_tight: bool,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        engine: &mut Engine<W>,
        forest: &mut Forest<W>,
        watch: &mut Watch<'_>,
    ) -> Result<(), Halt> {
        engine.fractional.open_cycles();
        let Fractional {
            mate, dual, penalty, ..
        } = &engine.fractional;
        forest.start(mate, dual, penalty);
        forest.check(&engine.candidates);
        // With as many unmatched as have to be, penalties may stand where more of them are as good. Any higher, none
        // with more is optimal.
        let mut may_have_more = with_tight && engine.unmatched.deficiency > 0;
        loop {
            let is_matched = match_all(
                engine,
                forest,
                (&mut self.exposed, &mut self.slacks),
                scale,
                watch,
            )?;
            self.violated.clear();
            forest.check(&engine.candidates);
            if engine.unmatched.deficiency > 0 && forest.unmatched() > engine.unmatched.deficiency {
                let step = engine.next_step()?;
                forest.raise_penalties(step)?;
                continue;
            }
            if is_matched {
                watch.spend(graph.vertices() as u64);
                watch.look(1.0, || self.price(with_tight, graph, scale, engine, forest))?;
                let view = ForestView {
                    candidates: &engine.candidates,
                    forest,
                    scale,
                };
                watch.show_violated(Stage::Priced, &view, || {
                    self.violated.iter().map(|&(i, j, _)| (i, j)).collect()
                })?;
                if self.violated.is_empty() {
                    if !std::mem::take(&mut may_have_more) {
                        return Ok(());
                    }
                    forest.raise_penalties(W::ONE.twice())?;
                    continue;
                }
                for &(i, j, weight) in &self.violated {
                    engine.candidates.add(i, j, weight);
                }
                engine.candidates.merge();
            } else {
                engine.add_maximum_matching(graph, scale)?;
                self.recheck(engine, forest);
            }
            self.repair_duals(forest, true)?;
            forest.check(&engine.candidates);
        }
    }

    /// Ends a search that was stopped, and lowers duals until no pair is violated: they are a bound, with their
    /// blossoms. One look at all pairs, or none if all are candidates.
    pub(super) fn lower(
        &mut self,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        engine: &mut Engine<W>,
        forest: &mut Forest<W>,
    ) -> Result<(), Halt> {
        forest.give_up()?;
        engine.candidates.merge();
        if !engine.candidates.is_whole() {
            self.violated.clear();
            self.price(false, graph, scale, engine, forest)?;
            self.repair_duals(forest, false)?;
        }
        Ok(())
    }

    /// Looks at all pairs: which are violated, and if they are wanted, which are tight.
    fn price(
        &mut self,
        with_tight: bool,
        graph: &(impl Graph + ?Sized),
        scale: &Scale,
        engine: &mut Engine<W>,
        forest: &Forest<W>,
    ) -> Result<(), Halt> {
        self.tight.clear();
        let Engine {
            candidates,
            duals,
            found,
            threads,
            ..
        } = engine;
        duals.clear();
        duals.extend(forest.dual.iter().map(|&dual| scale.cost(dual)));
        found.clear();
        self.nesting.read(forest);
        let nesting = &self.nesting;
        let shared = |i: u32, j: u32| scale.cost(nesting.shared_dual(i as usize, j as usize));
        // The weight of a pair and its slack.
        let look = |i: u32, j: u32, cost: Option<f64>| -> Result<Option<(W, W)>, Halt> {
            let (a, b) = (i as usize, j as usize);
            let cost = if cost.is_some() { cost } else { graph.cost(i, j)? };
            let Some(cost) = cost else { return Ok(None) };
            let weight = scale.halves(cost)?;
            let slack = weight - forest.dual[a] - forest.dual[b] + nesting.shared_dual(a, b);
            Ok(Some((weight, slack)))
        };
        // An error is found again below.
        let violated = |i: u32, j: u32, cost: Option<f64>| {
            !look(i, j, cost).is_ok_and(|pair| pair.is_none_or(|(_, slack)| slack >= W::ZERO))
        };
        let query = Query {
            duals,
            rounding: scale.resolution,
            worst_only: false,
            shared: Some(&shared),
            // Of tied pairs there may be n^2.
            wanted: if with_tight { None } else { Some(&violated) },
            threads: *threads,
        };
        graph.maybe_violated(&query, found);
        for &(i, j) in found.iter() {
            let Some((weight, slack)) = look(i, j, None)? else {
                continue;
            };
            if slack == W::ZERO {
                self.tight.push((i, j));
            } else if slack < W::ZERO && candidates.weight(i as usize, j as usize).is_none() {
                self.violated.push((i, j, weight));
            }
        }
        Ok(())
    }

    /// Looks at the candidates, some of which are new.
    fn recheck(&mut self, engine: &Engine<W>, forest: &Forest<W>) {
        self.nesting.read(forest);
        for i in (0..).take(engine.candidates.vertices()) {
            let a = i as usize;
            for &(j, weight) in engine.candidates.row(a) {
                let b = j as usize;
                let without = weight - forest.dual[a] - forest.dual[b];
                if i < j && without < W::ZERO && without + self.nesting.shared_dual(a, b) < W::ZERO {
                    self.violated.push((i, j, weight));
                }
            }
        }
    }

    /// Lowers duals until none of the violated pairs is violated, those that are in most of them first. If matched
    /// pairs are to stay tight, the vertices are set free.
    fn repair_duals(&mut self, forest: &mut Forest<W>, stays_tight: bool) -> Result<(), Halt> {
        let ends = self.ends.sort(forest.vertices(), &self.violated);
        for of_one in ends.chunk_by(|a, b| a.0 == b.0) {
            let v = of_one[0].0;
            let slacks = of_one.iter().map(|&(_, at)| {
                let (i, j, weight) = self.violated[at as usize];
                slack(forest, i, j, weight)
            });
            if let Some(worst) = slacks.min().filter(|&worst| worst < W::ZERO) {
                if stays_tight {
                    forest.set_free(v)?;
                }
                forest.lower(v, W::ZERO - worst)?;
            }
        }
        Ok(())
    }
}

/// Grows trees from all exposed vertices until none is left. False if the candidates do not suffice for some.
///
/// In rounds with a limit on the change of duals, a quarter more each time: so near ones find each other first, and no tree
/// grows far through what others will match. Otherwise the first trees would shrink large parts of the graph into
/// deep nests of blossoms, through which all later ones must go.
fn match_all<W: Integer>(
    engine: &Engine<W>,
    forest: &mut Forest<W>,
    (exposed, slacks): (&mut Vec<usize>, &mut Vec<W>),
    scale: &Scale,
    watch: &mut Watch<'_>,
) -> Result<bool, Halt> {
    let candidates = &engine.candidates;
    let mut is_matched = true;
    let mut show = |forest: &Forest<W>| {
        let view = ForestView {
            candidates,
            forest,
            scale,
        };
        watch.show(Stage::Blossoms, &view)
    };
    exposed.clear();
    exposed.extend((0..forest.vertices()).filter(|&v| forest.mate[v] == NONE));
    let mut limit = candidates.first_limit(&forest.dual, exposed, slacks);
    while !exposed.is_empty() {
        for &root in &*exposed {
            if forest.mate[root] == NONE
                && forest.search_shown(candidates, root, limit, &mut show)? == Outcome::NoPath
            {
                forest.give_up()?;
                is_matched = false;
            }
        }
        if !is_matched {
            return Ok(false);
        }
        exposed.retain(|&v| forest.mate[v] == NONE);
        // Twice as much would let the last trees grow through each other and look at the same vertices again and again.
        limit = W::LIMIT.min(limit + limit.half().half().max(W::ONE));
    }
    Ok(true)
}

/// The reduced cost of a pair, in halves, between searches.
fn slack<W: Integer>(forest: &Forest<W>, i: u32, j: u32, weight: W) -> W {
    let (i, j) = (i as usize, j as usize);
    weight - forest.dual[i] - forest.dual[j] + forest.shared_dual(i, j)
}
