//! What a solve shows of itself on the way, to those who watch it or stop it.

use super::blossom::{Forest, NONE};
use super::candidates::Candidates;
use super::fractional::Fractional;
use super::halt::Halt;
use super::integer::Integer;
use super::quantise::Scale;
use super::unfinished::Unfinished;
use crate::limits::{Limits, Meter, Progress, Status};
use crate::read::shrunk::ENLARGE;

/// Which step of [`ExactPairing`](crate::ExactPairing) a look at it shows, in their order in a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stage {
    /// Candidates are chosen under the first duals; nobody is paired. Once for every sample and for the whole graph.
    Start,
    /// A tree of the fractional stage has come to its end, or has grown by some thousand vertices: pairs, and odd cycles
    /// whose edges count one half each.
    Fractional,
    /// A tree of the blossom stage is about to end, or has grown by some thousand vertices: those in it have
    /// [labels](Snapshot::labels).
    Blossoms,
    /// Everyone is paired, and all pairs have been looked at: the [violated](Snapshot::violated) ones become
    /// candidates. If there are none this is the optimum.
    Priced,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "candidates",
            Self::Fractional => "fractional matching",
            Self::Blossoms => "blossoms",
            Self::Priced => "pricing",
        }
    }
}

/// On which side of an alternating tree a vertex is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeLabel {
    /// At an even distance from the root: its dual rises.
    Outer,
    /// At an odd distance: its dual falls.
    Inner,
}

/// A look at a running solve, for observers of [`ExactPairing::solve_while`](crate::ExactPairing::solve_while): who
/// is paired, duals, cycles and blossoms, which pairs are looked at.
///
/// Nothing is computed until it is asked for. All vertices are the oracle's; in a [sample](Self::is_sample) those
/// that do not belong to it are left out.
#[derive(Clone, Copy)]
pub struct Snapshot<'a> {
    stage: Stage,
    sample: Option<&'a [u32]>,
    state: &'a dyn State,
    violated: &'a [(u32, u32)],
    /// What the solve takes for a cost of 1.
    unit: f64,
}

/// Mates, duals and structure of a stage. Vertices are those of the sample, by their places.
pub(super) trait State {
    fn vertices(&self) -> usize;
    fn mate(&self, v: usize) -> usize;
    /// In costs to be minimised.
    fn dual(&self, v: usize) -> f64;
    /// The next vertex on the odd cycle around a vertex, or none.
    fn next(&self, _: usize) -> usize {
        NONE
    }
    /// Each with its vertices and dual.
    fn blossoms(&self) -> Vec<(Vec<usize>, f64)> {
        Vec::new()
    }
    fn label(&self, _: usize) -> Option<TreeLabel> {
        None
    }
    fn candidates(&self) -> Vec<(usize, usize)>;
}

impl<'a> Snapshot<'a> {
    /// The step.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Whether only some of the vertices are solved yet, to learn duals from.
    #[must_use]
    pub fn is_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// The vertices that are solved, ascending: all of them, or those of the sample.
    pub fn vertices(&self) -> impl Iterator<Item = usize> + use<'a> {
        let this = *self;
        (0..self.state.vertices()).map(move |place| this.vertex(place))
    }

    /// The dual of each of the [`vertices`](Self::vertices), in units of cost: what it pays of the cost of its pair.
    /// For the largest sum these are duals of the negated costs. They are feasible for the candidates, not yet for
    /// all pairs.
    pub fn duals(&self) -> impl Iterator<Item = f64> + use<'a> {
        let (state, unit) = (self.state, self.unit);
        (0..state.vertices()).map(move |place| state.dual(place) * unit)
    }

    /// The pairs so far, as (i, j) with i < j.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let this = *self;
        (0..self.state.vertices()).filter_map(move |place| {
            let mate = this.state.mate(place);
            (place < mate && mate != NONE).then(|| this.both(place, mate))
        })
    }

    /// How many of the [`vertices`](Self::vertices) are neither paired nor on an odd cycle. O(n).
    #[must_use]
    pub fn unpaired(&self) -> usize {
        let alone = |&v: &usize| self.state.mate(v) == NONE && self.state.next(v) == NONE;
        (0..self.state.vertices()).filter(alone).count()
    }

    /// The odd cycles of the fractional stage, each in the order of its edges.
    #[must_use]
    pub fn odd_cycles(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.state.vertices()];
        let mut cycles = Vec::new();
        for start in 0..seen.len() {
            let mut cycle = Vec::new();
            let mut at = start;
            while at != NONE && !seen[at] && self.state.next(at) != NONE {
                seen[at] = true;
                cycle.push(self.vertex(at));
                at = self.state.next(at);
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// The blossoms, inner ones included: their vertices, ascending, and their duals in units of cost, 0 for those
    /// that have just been made.
    #[must_use]
    pub fn blossoms(&self) -> Vec<(Vec<usize>, f64)> {
        let mut blossoms = self.state.blossoms();
        for (vertices, dual) in &mut blossoms {
            *dual *= self.unit;
            for v in vertices.iter_mut() {
                *v = self.vertex(*v);
            }
            vertices.sort_unstable();
        }
        blossoms
    }

    /// Where each of the [`vertices`](Self::vertices) is in the tree of the blossom stage; `None` if in none.
    pub fn labels(&self) -> impl Iterator<Item = Option<TreeLabel>> + use<'a> {
        let state = self.state;
        (0..state.vertices()).map(|place| state.label(place))
    }

    /// The pairs that the solve looks at, as (i, j) with i < j; all others wait for pricing.
    #[must_use]
    pub fn candidates(&self) -> Vec<(usize, usize)> {
        let mut pairs = self.state.candidates();
        for pair in &mut pairs {
            *pair = self.both(pair.0, pair.1);
        }
        pairs
    }

    /// The pairs that pricing has found to be violated: cheaper than their duals say. Empty in other stages.
    pub fn violated(&self) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let this = *self;
        let pairs = self.violated.iter();
        pairs.map(move |&(i, j)| this.both(i as usize, j as usize))
    }

    fn vertex(&self, place: usize) -> usize {
        self.sample.map_or(place, |sample| sample[place] as usize)
    }

    fn both(&self, i: usize, j: usize) -> (usize, usize) {
        let (i, j) = (self.vertex(i), self.vertex(j));
        (i.min(j), i.max(j))
    }
}

/// How long the end of a solve that is stopped takes, in looks at all pairs: two for the bound, and completing.
const LOOKS_OF_THE_END: f64 = 3.0;

/// A sample of less than this part of the vertices takes little time beside a look at all pairs.
const BRIEF: usize = 8;

/// Who watches a solve, if anyone does.
#[derive(Default)]
pub(super) struct Watch<'a> {
    go_on: Option<&'a mut dyn FnMut(&Snapshot<'_>) -> bool>,
    meter: Meter<'a>,
    /// The share of the time that one look at all pairs takes, the longest so far.
    look: f64,
    /// For how many looks there must be time when the solve ends early.
    leaves: f64,
    /// Whether the solve is to end.
    over: bool,
    /// The vertices of the sample that is solved, if it is one.
    sample: Option<Vec<u32>>,
    /// Whether that is so small that it is solved even if time is up: duals that are nearly right save more at the end.
    is_brief: bool,
    /// The solve's costs are smaller by [`ENLARGE`] than those that a watch sees.
    shrunk: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(go_on: &'a mut dyn FnMut(&Snapshot<'_>) -> bool) -> Self {
        Self {
            go_on: Some(go_on),
            ..Self::default()
        }
    }

    /// From now on costs are smaller by [`ENLARGE`] than they truly are.
    pub(super) fn shrink(&mut self) {
        self.shrunk = true;
    }

    /// The same with limits, of whose time as much is left to the caller as this many looks at all pairs take.
    pub(super) fn with_limits(mut self, limits: Limits<'a>, leaves: f64) -> Self {
        self.meter = Meter::new(limits);
        self.leaves = LOOKS_OF_THE_END + leaves;
        self
    }

    /// Does something that looks at all pairs, or at this part of them.
    pub(super) fn look<T>(&mut self, part: f64, step: impl FnOnce() -> T) -> T {
        let time = || self.meter.share_of_time(Progress::new("a look at all pairs"));
        let begun = time();
        let found = step();
        self.look = self.look.max((time() - begun) / part);
        found
    }

    /// What counts the work of the call.
    pub(super) fn meter(&self) -> &Meter<'a> {
        &self.meter
    }

    /// The work spent so far.
    pub(super) fn work(&self) -> u64 {
        self.meter.work()
    }

    /// Whether a call may end early, so that it is shown and solved as a whole.
    pub(super) fn is_on(&self) -> bool {
        self.go_on.is_some() || !self.meter.limits().is_unlimited()
    }

    /// How the call ended early, if it did.
    pub(super) fn status(&self) -> Status {
        self.meter.ended().err().unwrap_or(Status::Stopped)
    }

    /// Spends work: rows that are read, trees that grow. What it does not suffice for ends the solve at the next tree.
    pub(super) fn spend(&mut self, work: u64) {
        self.over = self.over || self.meter.spend(work).is_err();
    }

    /// From now on these vertices are solved, of so many; `None`: all.
    pub(super) fn enter(&mut self, sample: Option<&[u32]>, vertices: usize) {
        if self.is_on() {
            self.sample = sample.map(<[u32]>::to_vec);
            self.is_brief = sample.is_some_and(|sample| sample.len() < vertices / BRIEF);
        }
    }

    /// Shows where the solve is, and ends it if that will do.
    #[inline]
    pub(super) fn show(&mut self, stage: Stage, state: &dyn State) -> Result<(), Halt> {
        self.show_violated(stage, state, Vec::new)
    }

    /// The same, with pairs that were found to be violated.
    #[inline]
    pub(super) fn show_violated(
        &mut self,
        stage: Stage,
        state: &dyn State,
        violated: impl FnOnce() -> Vec<(u32, u32)>,
    ) -> Result<(), Halt> {
        if !self.is_on() {
            return Ok(());
        }
        let progress = Snapshot {
            stage,
            sample: self.sample.as_deref(),
            state,
            violated: &violated(),
            unit: if self.shrunk { ENLARGE } else { 1.0 },
        };
        let room = self.leaves * self.look;
        self.over = self.over
            || self.meter.spend(1).is_err()
            || self
                .meter
                .check_leaving(room, Progress::new(stage.name()))
                .is_err()
            || self.go_on.as_mut().is_some_and(|go_on| !go_on(&progress));
        if self.over && !self.is_brief {
            Err(Halt::Stopped(Box::new(progress.keep())))
        } else {
            Ok(())
        }
    }
}

impl Snapshot<'_> {
    /// What is worth keeping.
    fn keep(&self) -> Unfinished {
        if self.is_sample() {
            return Unfinished::default();
        }
        let places = 0..self.state.vertices();
        let mut duals: Vec<f64> = places.map(|v| self.state.dual(v)).collect();
        // Vertices pay for the blossoms around them, so that duals are feasible without these.
        for (members, dual) in self.state.blossoms() {
            for v in members {
                duals[v] -= 0.5 * dual;
            }
        }
        let mut mates: Vec<usize> = (0..duals.len()).map(|v| self.state.mate(v)).collect();
        for cycle in self.odd_cycles() {
            for pair in cycle.chunks_exact(2) {
                (mates[pair[0]], mates[pair[1]]) = (pair[1], pair[0]);
            }
        }
        Unfinished {
            duals,
            mates,
            has_forest: self.stage >= Stage::Blossoms,
            candidates: self.candidates(),
        }
    }
}

/// The fractional stage, to be looked at.
pub(super) struct FractionalView<'a, W: Ord> {
    pub(super) candidates: &'a Candidates<W>,
    pub(super) fractional: &'a Fractional<W>,
    pub(super) scale: &'a Scale,
}

impl<W: Integer> State for FractionalView<'_, W> {
    fn vertices(&self) -> usize {
        self.fractional.mate.len()
    }

    fn mate(&self, v: usize) -> usize {
        self.fractional.mate[v]
    }

    fn dual(&self, v: usize) -> f64 {
        self.scale.cost(self.fractional.dual_now(v))
    }

    fn next(&self, v: usize) -> usize {
        self.fractional.next[v]
    }

    fn candidates(&self) -> Vec<(usize, usize)> {
        pairs_of(self.candidates)
    }
}

/// The blossom stage, to be looked at.
pub(super) struct ForestView<'a, W: Ord> {
    pub(super) candidates: &'a Candidates<W>,
    pub(super) forest: &'a Forest<W>,
    pub(super) scale: &'a Scale,
}

impl<W: Integer> State for ForestView<'_, W> {
    fn vertices(&self) -> usize {
        self.forest.vertices()
    }

    fn mate(&self, v: usize) -> usize {
        self.forest.mate[v]
    }

    fn dual(&self, v: usize) -> f64 {
        self.scale.cost(self.forest.dual_now(v))
    }

    fn blossoms(&self) -> Vec<(Vec<usize>, f64)> {
        let nodes = self.forest.vertices()..self.forest.parent.len();
        let used = nodes.filter(|&node| self.forest.is_in_use(node));
        used.map(|node| {
            let mut vertices = Vec::new();
            self.forest.for_each_vertex(node, |v| vertices.push(v));
            (vertices, self.scale.cost(self.forest.blossom_dual_now(node)))
        })
        .collect()
    }

    fn label(&self, v: usize) -> Option<TreeLabel> {
        self.forest.side(v)
    }

    fn candidates(&self) -> Vec<(usize, usize)> {
        pairs_of(self.candidates)
    }
}

fn pairs_of<W: Integer>(candidates: &Candidates<W>) -> Vec<(usize, usize)> {
    let rows = (0..candidates.vertices()).map(|i| (i, candidates.row(i)));
    rows.flat_map(|(i, row)| row.iter().map(move |&(j, _)| (i, j as usize)))
        .filter(|&(i, j)| i < j)
        .collect()
}
