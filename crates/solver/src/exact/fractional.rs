//! The start: an optimal fractional matching, and duals that prove it.
//!
//! Without the constraints on odd sets, a perfect matching may consist of pairs and of odd cycles whose
//! edges count one half each. Finding the best of these is the assignment problem on the symmetric matrix
//! (rows and columns are both the vertices; y = (u + v) / 2), solved here on the graph itself by one
//! alternating tree at a time. On matchmaking costs only a handful of odd cycles remain, and the duals are
//! nearly those of the true optimum.
//!
//! A tree grows from an exposed vertex until it meets another exposed vertex, an odd cycle (which then
//! pairs up), or itself, which closes an odd cycle: no blossoms, and each tree matches its root. Dual
//! adjustment is implicit: see the clocks in [`forest`](super::forest).
//!
//! Half-integrality: Balinski, "Integer programming: methods, uses, computation", Management Science 12
//! (1965). The start: Derigs and Metz, "On the use of optimal fractional matchings for solving the
//! (integer) matching problem", Computing 36 (1986).

use super::graph::IntegerGraph;
use super::integer::{Integer, Overflow, within_limit};

const NONE: usize = usize::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Label {
    #[default]
    Free,
    Outer,
    Inner,
}

/// A fractional matching with its duals, and the tree that grows in it.
#[derive(Debug, Default)]
pub(super) struct Fractional<W> {
    /// The partner of each vertex; `NONE` if exposed or on an odd cycle.
    pub(super) mate: Vec<usize>,
    /// The next vertex on the odd cycle; `NONE` if on none.
    next: Vec<usize>,
    /// y in halves; of an outer vertex less the time at which it became one.
    pub(super) dual: Vec<W>,
    label: Vec<Label>,
    /// When an inner vertex became one.
    since: Vec<W>,
    /// An edge from an outer vertex to this one matters if it is tight before: of a free vertex, the best
    /// edge so far, from `via`; of an outer one, a collision that was seen; of an inner one, `NEVER`, since none is of use. One
    /// comparison tells most edges apart that do not matter.
    reach: Vec<W>,
    via: Vec<usize>,
    /// Free vertices that have been reached, and some that were free.
    frontier: Vec<usize>,
    /// All vertices that have been reached or labelled.
    touched: Vec<usize>,
    /// The edge between outer vertices that becomes tight first, with twice the time.
    collision: (W, usize, usize),
}

/// How a tree ended.
enum End {
    /// It met a free vertex without a mate.
    Met(usize),
    /// An edge between two outer vertices became tight.
    Closed(usize, usize),
}

impl<W: Integer> Fractional<W> {
    /// Finds an optimal fractional perfect matching. False if there is none, so that there is no perfect
    /// matching either.
    pub(super) fn solve(&mut self, graph: &IntegerGraph<W>) -> Result<bool, Overflow> {
        self.reset(graph.vertices());
        self.reduce(graph);
        self.bid(graph)?;
        for root in 0..graph.vertices() {
            if self.mate[root] == NONE && self.next[root] == NONE && !self.grow(graph, root)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn reset(&mut self, vertices: usize) {
        fn refill<T: Clone>(list: &mut Vec<T>, vertices: usize, value: T) {
            list.clear();
            list.resize(vertices, value);
        }
        refill(&mut self.mate, vertices, NONE);
        refill(&mut self.next, vertices, NONE);
        refill(&mut self.dual, vertices, W::ZERO);
        refill(&mut self.label, vertices, Label::Free);
        refill(&mut self.since, vertices, W::ZERO);
        refill(&mut self.reach, vertices, W::FAR);
        refill(&mut self.via, vertices, NONE);
        self.frontier.clear();
        self.touched.clear();
    }

    /// Half of the smallest weight is feasible for everyone; then each in turn takes all that is left, and
    /// a tight partner if one is exposed.
    fn reduce(&mut self, graph: &IntegerGraph<W>) {
        for i in 0..graph.vertices() {
            let mut least = W::FAR;
            graph.for_each(i, |_, weight| least = least.min(weight));
            self.dual[i] = if least == W::FAR { W::ZERO } else { least.half() };
        }
        for i in 0..graph.vertices() {
            let (mut least, mut partner) = (W::FAR, NONE);
            graph.for_each(i, |j, weight| {
                let slack = weight - self.dual[j];
                if slack < least || slack == least && self.mate[partner] != NONE && self.mate[j] == NONE {
                    (least, partner) = (slack, j);
                }
            });
            if partner != NONE {
                self.dual[i] = least;
                if self.mate[i] == NONE && self.mate[partner] == NONE {
                    self.marry(i, partner);
                }
            }
        }
    }

    /// Exposed vertices outbid each other, as in an auction: one takes the vertex that suits it best, whose
    /// dual falls to where the second best suits as well, and whose mate is exposed instead. Cheap
    /// progress, but it need not end: a few bids a vertex.
    fn bid(&mut self, graph: &IntegerGraph<W>) -> Result<(), Overflow> {
        const BIDS: usize = 4;
        let exposed = (0..graph.vertices()).rev().filter(|&i| self.mate[i] == NONE);
        let mut bidders: Vec<_> = exposed.collect();
        for _ in 0..BIDS * graph.vertices() {
            let Some(i) = bidders.pop() else { break };
            if self.mate[i] != NONE {
                continue;
            }
            let (mut best, mut second, mut favourite) = (W::FAR, W::FAR, NONE);
            graph.for_each(i, |j, weight| {
                let slack = weight - self.dual[j];
                if slack < best {
                    (second, best, favourite) = (best, slack, j);
                } else {
                    second = second.min(slack);
                }
            });
            if second == W::FAR {
                continue;
            }
            let rival = self.mate[favourite];
            if best == second && rival != NONE {
                continue;
            }
            self.dual[i] = within_limit(second)?;
            self.dual[favourite] = within_limit(self.dual[favourite] - (second - best))?;
            self.marry(i, favourite);
            if rival != NONE {
                self.mate[rival] = NONE;
                bidders.push(rival);
            }
        }
        Ok(())
    }

    fn marry(&mut self, i: usize, j: usize) {
        (self.mate[i], self.mate[j]) = (j, i);
    }

    /// Grows a tree from an exposed root until the root is matched. False if nothing is in reach.
    fn grow(&mut self, graph: &IntegerGraph<W>, root: usize) -> Result<bool, Overflow> {
        self.collision = (W::FAR, NONE, NONE);
        let mut now = W::ZERO;
        self.make_outer(graph, root, now);
        let end = loop {
            let (reach, j) = self.nearest();
            if self.collision.0 == W::FAR && reach == W::FAR {
                return Ok(false);
            }
            if self.collision.0.half() <= reach {
                now = within_limit(self.collision.0.half())?;
                break End::Closed(self.collision.1, self.collision.2);
            }
            now = within_limit(reach)?;
            let mate = self.mate[j];
            if mate == NONE {
                break End::Met(j);
            }
            self.label[j] = Label::Inner;
            self.reach[j] = W::NEVER;
            self.since[j] = now;
            self.make_outer(graph, mate, now);
        };
        self.adjust_duals(now)?;
        match end {
            End::Met(j) => {
                self.open_cycle(j);
                self.flip(self.via[j], j);
            }
            End::Closed(i, j) => self.close_cycle(i, j),
        }
        Ok(true)
    }

    /// Labels `i` outer and looks along its edges.
    fn make_outer(&mut self, graph: &IntegerGraph<W>, i: usize, now: W) {
        self.label[i] = Label::Outer;
        self.reach[i] = W::FAR;
        self.touched.push(i);
        self.dual[i] -= now;
        let own = self.dual[i];
        graph.for_each(i, |j, weight| {
            let time = weight - own - self.dual[j];
            if time < self.reach[j] {
                self.note(i, j, time);
            }
        });
    }

    /// The edge from the outer vertex `i` to `j` is tight before any other to `j`.
    fn note(&mut self, i: usize, j: usize, time: W) {
        if self.label[j] == Label::Outer {
            if time < self.collision.0 {
                self.collision = (time, i, j);
            }
            self.reach[j] = self.collision.0;
            return;
        }
        if self.reach[j] == W::FAR {
            self.frontier.push(j);
            self.touched.push(j);
        }
        (self.reach[j], self.via[j]) = (time, i);
    }

    /// The free vertex that is reached first; of several an end of the tree, then the smallest.
    fn nearest(&mut self) -> (W, usize) {
        let mut best = (W::FAR, true, NONE);
        let mut k = 0;
        while k < self.frontier.len() {
            let j = self.frontier[k];
            if self.reach[j] <= best.0 {
                if self.label[j] != Label::Free {
                    self.frontier.swap_remove(k);
                    continue;
                }
                best = best.min((self.reach[j], self.mate[j] != NONE, j));
            }
            k += 1;
        }
        (best.0, best.2)
    }

    /// Writes the duals as of `now` and takes all labels off.
    fn adjust_duals(&mut self, now: W) -> Result<(), Overflow> {
        for &v in &self.touched {
            match self.label[v] {
                Label::Free => {}
                Label::Outer => self.dual[v] = within_limit(self.dual[v] + now)?,
                Label::Inner => self.dual[v] = within_limit(self.dual[v] - (now - self.since[v]))?,
            }
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
            self.marry(outer, partner);
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
            self.marry(first, second);
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
        fn above<W>(tree: &Fractional<W>, outer: usize) -> Option<usize> {
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
