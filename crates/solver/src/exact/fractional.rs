//! The fractional optimum: a matching of pairs and odd cycles, and duals that prove it.
//!
//! Without the constraints on odd sets, a perfect matching may consist of pairs and of odd cycles whose
//! edges count one half each. Finding the best of these is the assignment problem on the symmetric matrix
//! (rows and columns are both the vertices; y = (u + v) / 2), solved here on the graph itself by one
//! alternating tree at a time. On matchmaking costs only a handful of odd cycles remain, and the duals are
//! nearly those of the true optimum.
//!
//! A tree grows from an exposed vertex until it meets another exposed vertex, an odd cycle (which then
//! pairs up), or itself, which closes an odd cycle: no blossoms, and each tree matches its root. Dual
//! adjustment is implicit: see the clocks in [`forest`](super::blossom::forest).
//!
//! # Unmatched vertices
//! A vertex that may stay unmatched at a penalty p has the constraint y <= p as well. A tree may then end at an outer
//! vertex whose dual reaches its penalty: the pairs on its way to the root shift, and it is unmatched, which is written
//! as being its own mate. It is exposed again when its dual falls, and any tree that meets it matches it.
//!
//! Half-integrality: Balinski, "Integer programming: methods, uses, computation", Management Science 12
//! (1965). The start: Derigs and Metz, "On the use of optimal fractional matchings for solving the
//! (integer) matching problem", Computing 36 (1986).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::candidates::Candidates;
use super::halt::{Halt, STEPS_BETWEEN_LOOKS};
use super::integer::{Integer, Overflow, within_limit};
use super::violated::Ends;

pub(super) const NONE: usize = usize::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Label {
    #[default]
    Free,
    Outer,
    Inner,
}

/// A fractional matching with its duals, and the tree that grows in it.
///
/// Invariants between calls: every edge of the candidates has slack >= 0, except after duals were changed
/// from outside and before [`repair`](Self::repair); pairs and cycles consist of tight edges.
#[derive(Debug, Default)]
pub(super) struct Fractional<W: Ord> {
    /// The partner of each vertex; itself if it is unmatched, `NONE` if exposed or on an odd cycle.
    pub(super) mate: Vec<usize>,
    /// The next vertex on the odd cycle; `NONE` if on none.
    pub(super) next: Vec<usize>,
    /// y in halves; of an outer vertex less the time at which it became one.
    pub(super) dual: Vec<W>,
    /// The largest dual of each vertex: its penalty for being unmatched, in halves; `FAR` if it must be matched.
    pub(super) penalty: Vec<W>,
    label: Vec<Label>,
    /// When an inner vertex became one.
    since: Vec<W>,
    /// By how much the duals of the tree's root have changed.
    now: W,
    /// Steps of trees since the start.
    steps: u64,
    /// An edge from an outer vertex to this one matters if it is tight before: of a free vertex, the best edge so
    /// far, from `via`; of an outer one, a collision that was seen; of an inner one, `NEVER`, since none is of use.
    /// One comparison tells most edges apart that do not matter.
    reach: Vec<W>,
    via: Vec<usize>,
    /// Free vertices that have been reached, by time; out of date where `reach` says otherwise.
    frontier: BinaryHeap<Reverse<(W, u32)>>,
    /// All vertices that have been reached or labelled.
    touched: Vec<usize>,
    /// The edge between outer vertices that becomes tight first, with twice the time.
    collision: (W, usize, usize),
    /// The outer vertex whose dual reaches its penalty first, with the time.
    retirement: (W, usize),
    /// Scratch: vertices in the order in which something is done to them.
    queue: Vec<usize>,
    /// Scratch: vertices with a negative slack, and how many.
    overloaded: Vec<(Reverse<u32>, usize)>,
    /// Scratch: the ends of violated pairs; slacks of those of one vertex.
    ends: Ends,
    slacks: Vec<(W, u32)>,
    /// Scratch: slacks above 0.
    loose: Vec<W>,
}

/// How a tree ended.
enum End {
    /// It met a free vertex without a mate.
    Met(usize),
    /// An edge between two outer vertices became tight.
    Closed(usize, usize),
    /// The dual of this outer vertex reached its penalty.
    Retired(usize),
    /// The limit was reached.
    Paused,
}

impl<W: Integer> Fractional<W> {
    /// Nobody is matched; the duals are given.
    pub(super) fn start(&mut self, duals: impl Iterator<Item = W>) {
        fn refill<T: Clone>(list: &mut Vec<T>, vertices: usize, value: T) {
            list.clear();
            list.resize(vertices, value);
        }
        self.dual.clear();
        self.dual.extend(duals);
        let vertices = self.dual.len();
        refill(&mut self.penalty, vertices, W::FAR);
        refill(&mut self.mate, vertices, NONE);
        refill(&mut self.next, vertices, NONE);
        refill(&mut self.label, vertices, Label::Free);
        refill(&mut self.since, vertices, W::ZERO);
        refill(&mut self.reach, vertices, W::FAR);
        refill(&mut self.via, vertices, NONE);
        self.frontier.clear();
        self.touched.clear();
        self.now = W::ZERO;
        self.steps = 0;
    }

    /// The dual of a vertex, in halves, as of now.
    pub(super) fn dual_now(&self, v: usize) -> W {
        match self.label[v] {
            Label::Free => self.dual[v],
            Label::Outer => self.dual[v] + self.now,
            Label::Inner => self.dual[v] + self.since[v] - self.now,
        }
    }

    /// Lowers duals to the penalties, which bound them from now on; empty if all vertices must be matched.
    pub(super) fn limit_duals(&mut self, penalties: &[W]) {
        for (v, &penalty) in penalties.iter().enumerate() {
            self.penalty[v] = penalty;
            self.dual[v] = penalty.min(self.dual[v]);
        }
    }

    /// Finds an optimal fractional matching of the candidates, from any duals and any matching by tight edges. False
    /// if some vertices are left exposed because their edges do not suffice. `show` is called after every tree, and within
    /// large ones.
    pub(super) fn solve(
        &mut self,
        graph: &Candidates<W>,
        mut show: impl FnMut(&Self) -> Result<(), Halt>,
    ) -> Result<bool, Halt> {
        self.begin(graph)?;
        let mut exposed = std::mem::take(&mut self.queue);
        exposed.clear();
        exposed.extend((0..graph.vertices()).filter(|&v| self.is_exposed(v)));
        let mut limit = graph.first_limit(&self.dual, &exposed, &mut self.loose);
        let mut perfect = true;
        // Rounds with a limit that doubles: near ones find each other first, and no tree grows far through what
        // others will match.
        while perfect && !exposed.is_empty() {
            for &root in &exposed {
                if self.is_exposed(root) {
                    perfect &= self.grow(graph, root, limit, &mut show)?;
                    show(self)?;
                }
            }
            exposed.retain(|&v| self.is_exposed(v));
            limit = W::LIMIT.min(limit.twice());
        }
        self.queue = exposed;
        Ok(perfect)
    }

    /// Makes duals feasible, and matches what needs no search.
    pub(super) fn begin(&mut self, graph: &Candidates<W>) -> Result<(), Overflow> {
        self.repair(graph)?;
        self.raise(graph)?;
        self.bid(graph)
    }

    /// Makes duals feasible, and gives everyone what is left.
    pub(super) fn tighten(&mut self, graph: &Candidates<W>) -> Result<(), Overflow> {
        self.repair(graph)?;
        self.raise(graph)
    }

    fn is_exposed(&self, i: usize) -> bool {
        self.mate[i] == NONE && self.next[i] == NONE
    }

    /// Exposed or unmatched.
    fn is_single(&self, i: usize) -> bool {
        self.is_exposed(i) || self.mate[i] == i
    }

    /// How many vertices are unmatched.
    pub(super) fn unmatched(&self) -> usize {
        (0..self.mate.len()).filter(|&v| self.mate[v] == v).count()
    }

    /// Raises all penalties alike; unmatched vertices are exposed again.
    pub(super) fn raise_penalties(&mut self, by: W) -> Result<(), Overflow> {
        for v in 0..self.mate.len() {
            self.penalty[v] = within_limit(self.penalty[v] + by)?;
            if self.mate[v] == v {
                self.mate[v] = NONE;
            }
        }
        Ok(())
    }

    /// Makes the duals feasible: lowers those of vertices with edges of negative slack until none is
    /// left, those with the most such edges first. One dual too high spoils many edges, so that it is lowered
    /// before them. A vertex that is lowered loses its partner.
    fn repair(&mut self, graph: &Candidates<W>) -> Result<(), Overflow> {
        let mut overloaded = std::mem::take(&mut self.overloaded);
        overloaded.clear();
        for i in 0..graph.vertices() {
            let own = self.dual[i];
            let negative = graph
                .row(i)
                .iter()
                .filter(|&&(j, weight)| weight - own < self.dual[j as usize]);
            let count = negative.count();
            if count > 0 {
                overloaded.push((Reverse(u32::try_from(count).unwrap_or(u32::MAX)), i));
            }
        }
        overloaded.sort_unstable();
        for &(_, i) in &overloaded {
            let slacks = graph
                .row(i)
                .iter()
                .map(|&(j, weight)| weight - self.dual[j as usize]);
            if let Some(least) = slacks.min().filter(|&least| least < self.dual[i]) {
                self.dual[i] = within_limit(least)?;
                self.expose(i);
            }
        }
        self.overloaded = overloaded;
        Ok(())
    }

    /// Lowers duals until none of these pairs, which are no candidates, is violated any more, and calls `keep` with
    /// those that should be: of each vertex lowered the few that were worst.
    pub(super) fn repair_duals(
        &mut self,
        violated: &[(u32, u32, W)],
        mut keep: impl FnMut(u32, u32, W),
    ) -> Result<(), Overflow> {
        const KEPT: usize = 16;
        let mut ends = std::mem::take(&mut self.ends);
        let mut slacks = std::mem::take(&mut self.slacks);
        for of_one in ends.sort(self.dual.len(), violated).chunk_by(|a, b| a.0 == b.0) {
            let v = of_one[0].0;
            slacks.clear();
            for &(_, at) in of_one {
                let (i, j, weight) = violated[at as usize];
                let slack = weight - self.dual[i as usize] - self.dual[j as usize];
                if slack < W::ZERO {
                    slacks.push((slack, at));
                }
            }
            slacks.sort_unstable();
            let Some(&(worst, _)) = slacks.first() else {
                continue;
            };
            self.dual[v] = within_limit(self.dual[v] + worst)?;
            self.expose(v);
            for &(_, at) in slacks.iter().take(KEPT) {
                let (i, j, weight) = violated[at as usize];
                keep(i, j, weight);
            }
        }
        (self.ends, self.slacks) = (ends, slacks);
        Ok(())
    }

    /// Takes the partner of `i` away; an odd cycle around it pairs up.
    fn expose(&mut self, i: usize) {
        self.open_cycle(i);
        let mate = std::mem::replace(&mut self.mate[i], NONE);
        if mate != NONE {
            self.mate[mate] = NONE;
        }
    }

    /// Each exposed vertex in turn takes all dual that is left, and a tight partner if one is exposed.
    fn raise(&mut self, graph: &Candidates<W>) -> Result<(), Overflow> {
        for i in 0..graph.vertices() {
            if !self.is_exposed(i) {
                continue;
            }
            let (mut least, mut partner) = (W::FAR, NONE);
            for &(j, weight) in graph.row(i) {
                let j = j as usize;
                let slack = weight - self.dual[j];
                if slack < least || slack == least && !self.is_single(partner) && self.is_single(j) {
                    (least, partner) = (slack, j);
                }
            }
            if self.penalty[i] < least {
                self.dual[i] = self.penalty[i];
                self.mate[i] = i;
            } else if partner != NONE {
                self.dual[i] = within_limit(least)?;
                if self.is_single(partner) {
                    self.match_pair(i, partner);
                }
            }
        }
        Ok(())
    }

    /// Exposed vertices outbid each other, as in an auction: one takes the vertex that suits it best, whose
    /// dual falls to where the second best suits as well, and whose mate is exposed instead. Cheap
    /// progress, but it need not end: a few bids a vertex.
    fn bid(&mut self, graph: &Candidates<W>) -> Result<(), Overflow> {
        const BIDS: usize = 4;
        let mut bidders = std::mem::take(&mut self.queue);
        bidders.clear();
        bidders.extend((0..graph.vertices()).rev().filter(|&i| self.is_exposed(i)));
        for _ in 0..BIDS * bidders.len() {
            let Some(i) = bidders.pop() else { break };
            if !self.is_exposed(i) {
                continue;
            }
            let (mut best, mut second, mut favourite) = (W::FAR, W::FAR, NONE);
            for &(j, weight) in graph.row(i) {
                let slack = weight - self.dual[j as usize];
                if slack < best {
                    (second, best, favourite) = (best, slack, j as usize);
                } else {
                    second = second.min(slack);
                }
            }
            if self.penalty[i] < best {
                self.dual[i] = self.penalty[i];
                self.mate[i] = i;
                continue;
            }
            second = second.min(self.penalty[i]);
            if second == W::FAR {
                continue;
            }
            self.open_cycle(favourite);
            let rival = Some(self.mate[favourite])
                .filter(|&rival| rival != favourite)
                .unwrap_or(NONE);
            if best == second && rival != NONE {
                continue;
            }
            self.dual[i] = within_limit(second)?;
            self.dual[favourite] = within_limit(self.dual[favourite] - (second - best))?;
            self.match_pair(i, favourite);
            if rival != NONE {
                self.mate[rival] = NONE;
                bidders.push(rival);
            }
        }
        self.queue = bidders;
        Ok(())
    }

    fn match_pair(&mut self, i: usize, j: usize) {
        (self.mate[i], self.mate[j]) = (j, i);
    }

    /// Grows a tree from an exposed root until the root is matched, or duals have changed by `limit`. False if
    /// nothing is in reach.
    fn grow(
        &mut self,
        graph: &Candidates<W>,
        root: usize,
        limit: W,
        show: &mut impl FnMut(&Self) -> Result<(), Halt>,
    ) -> Result<bool, Halt> {
        self.collision = (W::FAR, NONE, NONE);
        self.retirement = (W::FAR, NONE);
        self.now = W::ZERO;
        self.make_outer(graph, root);
        let end = loop {
            self.steps += 1;
            if self.steps.is_multiple_of(STEPS_BETWEEN_LOOKS) {
                show(self)?;
            }
            let (reach, j) = self.nearest();
            if self.collision.0 == W::FAR && reach == W::FAR && self.retirement.0 == W::FAR {
                break None;
            }
            let first = self.collision.0.half().min(reach);
            let next = first.min(self.retirement.0);
            if next > limit {
                within_limit(next)?;
                self.now = limit;
                break Some(End::Paused);
            }
            if self.retirement.0 < first {
                self.now = within_limit(next)?;
                break Some(End::Retired(self.retirement.1));
            }
            if self.collision.0.half() <= reach {
                self.now = within_limit(self.collision.0.half())?;
                break Some(End::Closed(self.collision.1, self.collision.2));
            }
            self.now = within_limit(reach)?;
            let mate = self.mate[j];
            if mate == NONE || mate == j {
                break Some(End::Met(j));
            }
            self.label[j] = Label::Inner;
            self.reach[j] = W::NEVER;
            self.since[j] = self.now;
            self.make_outer(graph, mate);
        };
        self.adjust_duals()?;
        match end {
            None => return Ok(false),
            Some(End::Paused) => {}
            Some(End::Met(j)) => {
                self.open_cycle(j);
                self.flip(self.via[j], j);
            }
            Some(End::Closed(i, j)) => self.close_cycle(i, j),
            Some(End::Retired(v)) => {
                let inner = std::mem::replace(&mut self.mate[v], v);
                if inner != NONE {
                    self.flip(self.via[inner], inner);
                }
            }
        }
        Ok(true)
    }

    /// Labels `i` outer and looks along its edges.
    fn make_outer(&mut self, graph: &Candidates<W>, i: usize) {
        self.label[i] = Label::Outer;
        self.reach[i] = W::FAR;
        self.touched.push(i);
        self.dual[i] -= self.now;
        let own = self.dual[i];
        if self.penalty[i] != W::FAR {
            self.retirement = self.retirement.min((self.penalty[i] - own, i));
        }
        for &(j, weight) in graph.row(i) {
            let time = weight - own - self.dual[j as usize];
            if time < self.reach[j as usize] {
                self.note(i, j, time);
            }
        }
    }

    /// The edge from the outer vertex `i` to `j` is tight before any other to `j`.
    fn note(&mut self, i: usize, place: u32, time: W) {
        let j = place as usize;
        if self.label[j] == Label::Outer {
            if time < self.collision.0 {
                self.collision = (time, i, j);
            }
            self.reach[j] = self.collision.0;
            return;
        }
        if self.reach[j] == W::FAR {
            self.touched.push(j);
        }
        (self.reach[j], self.via[j]) = (time, i);
        // What is reached after the tree closes a cycle is never looked at.
        if time.twice() < self.collision.0 || self.collision.0 == W::FAR {
            self.frontier.push(Reverse((time, place)));
        }
    }

    /// The free vertex that is reached first; of several the smallest.
    fn nearest(&mut self) -> (W, usize) {
        while let Some(Reverse((time, place))) = self.frontier.pop() {
            let j = place as usize;
            if self.label[j] == Label::Free && self.reach[j] == time {
                return (time, j);
            }
        }
        (W::FAR, NONE)
    }

    /// Writes the duals as of now and takes all labels off.
    fn adjust_duals(&mut self) -> Result<(), Overflow> {
        for &v in &self.touched {
            self.dual[v] = within_limit(self.dual_now(v))?;
            self.label[v] = Label::Free;
            self.reach[v] = W::FAR;
        }
        self.touched.clear();
        self.frontier.clear();
        Ok(())
    }

    /// Pairs `outer` with `partner` and shifts the pairs on the way to the root.
    fn flip(&mut self, mut outer: usize, mut partner: usize) {
        loop {
            let inner = self.mate[outer];
            self.match_pair(outer, partner);
            if inner == NONE {
                return;
            }
            (outer, partner) = (self.via[inner], inner);
        }
    }

    /// If `j` is on an odd cycle, pairs the others, so that `j` is exposed.
    fn open_cycle(&mut self, j: usize) {
        let mut first = self.next[j];
        while first != NONE && first != j {
            let second = self.next[first];
            let after = self.next[second];
            (self.next[first], self.next[second]) = (NONE, NONE);
            self.match_pair(first, second);
            first = after;
        }
        self.next[j] = NONE;
    }

    /// Frees the vertex at which `i` and `j` meet, then makes a cycle of the two ways to it and the edge
    /// between.
    fn close_cycle(&mut self, i: usize, j: usize) {
        let meet = self.common_ancestor(i, j);
        let above = std::mem::replace(&mut self.mate[meet], NONE);
        if above != NONE {
            self.flip(self.via[above], above);
        }
        let mut outer = i;
        while outer != meet {
            let inner = std::mem::replace(&mut self.mate[outer], NONE);
            self.mate[inner] = NONE;
            self.next[outer] = inner;
            self.next[inner] = self.via[inner];
            outer = self.via[inner];
        }
        outer = j;
        while outer != meet {
            let inner = std::mem::replace(&mut self.mate[outer], NONE);
            self.mate[inner] = NONE;
            self.next[inner] = outer;
            outer = self.via[inner];
            self.next[outer] = inner;
        }
        self.next[j] = i;
    }

    /// The first outer vertex that lies on the ways of both to the root.
    fn common_ancestor(&mut self, i: usize, j: usize) -> usize {
        fn above<W: Ord>(tree: &Fractional<W>, outer: usize) -> Option<usize> {
            Some(tree.mate[outer])
                .filter(|&inner| inner != NONE)
                .map(|inner| tree.via[inner])
        }
        let mut at = Some(i);
        while let Some(outer) = at {
            self.label[outer] = Label::Outer;
            at = above(self, outer);
        }
        let mut meet = j;
        while self.label[meet] != Label::Outer {
            let Some(up) = above(self, meet) else { break };
            meet = up;
        }
        at = Some(i);
        while let Some(outer) = at {
            self.label[outer] = Label::Free;
            at = above(self, outer);
        }
        meet
    }

    /// Leaves the smallest vertex of every odd cycle exposed and pairs the others.
    pub(super) fn open_cycles(&mut self) {
        for v in 0..self.next.len() {
            self.open_cycle(v);
        }
    }
}
