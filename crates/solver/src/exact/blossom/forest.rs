//! The state of the blossom stage: a matching, nested blossoms, duals, and one alternating tree.
//!
//! # Nodes
//! Node `v < n` is a vertex, node `n + k` a blossom. A blossom is an odd cycle of nodes (its children),
//! each joined to the next by a tight edge; the child at place 0 holds the base, the one vertex that is not
//! matched inside. Nodes without a parent are at the top, and only they carry labels.
//!
//! # Clocks
//! While a tree grows, every vertex of an outer node gains dual at the rate 1 and every vertex of an inner
//! node loses at the same rate. Nothing is updated on the way. A vertex that became outer at the time t
//! keeps p = y(t) - t, so that y = p + now; all others keep p = y, as of when they were labelled. With w
//! the weight of the edge from an outer vertex i,
//!
//! ```text
//! time = w - p_i - p_j        when the edge to a free vertex j becomes tight
//! time = (w - p_i - p_j) / 2  when the edge to another outer vertex j does
//! time = t + z / 2            when the dual of a blossom that became inner at t is used up
//! time = penalty - p_i        when the dual of an outer vertex i reaches its penalty for being unmatched
//! ```
//!
//! Each is a constant as long as the labels are. So they wait in one priority queue, and a dual adjustment is
//! nothing but the next of them; those that labels have overtaken since are dropped when they come up. All duals are
//! written when the tree ends. The tree is grown from one root, so that its outer vertices have duals of the
//! same parity and all these times are integers.
//!
//! Slack within an inner blossom's clock: while j is inner, its edges from outer vertices keep their slack;
//! the first formula then counts the time as of t. When the blossom is expanded, it is moved on for the children that
//! become free or outer; one that stays inner stays on the clock from t on, and its own z is raised by what the clock
//! has taken since.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::super::integer::{Integer, Overflow, within_limit};
use super::super::watch::TreeLabel;
use super::Neighbours;
use crate::read::short;

pub(in super::super) const NONE: usize = usize::MAX;

/// Where a top node stands in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) enum Label {
    /// Outside the tree.
    #[default]
    Free,
    /// At an even distance from the root; duals rise.
    Outer,
    /// At an odd distance; duals fall.
    Inner,
}

/// What happens next; of several at a time the first in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// An edge to this vertex becomes tight, in a node without a mate: the tree ends.
    Meet(u32),
    /// An edge to this free vertex becomes tight.
    Grow(u32),
    /// An edge between two outer nodes becomes tight.
    Shrink(u32, u32),
    /// The dual of this inner blossom is used up.
    Expand(u32),
    /// The dual of this outer vertex reaches its penalty: it stays unmatched, and the tree ends.
    Retire(u32),
}

/// A blossom's inside. Kept in place when the blossom is gone, to reuse the lists.
#[derive(Debug, Default)]
pub(in super::super) struct Cycle<W> {
    /// The nodes around the cycle; the base is in the first.
    pub(in super::super) children: Vec<usize>,
    /// The tight edge from each child to the next, by its ends in the two.
    pub(in super::super) links: Vec<(usize, usize)>,
    /// z in halves, as of when the blossom was labelled, or its clock began. Even.
    pub(in super::super) dual: W,
}

/// Matching, blossoms, duals and tree.
#[derive(Debug, Default)]
pub(in super::super) struct Forest<W: Ord> {
    // By vertex.
    /// The partner; itself if a vertex is unmatched, `NONE` if it is exposed.
    pub(in super::super) mate: Vec<usize>,
    /// The largest dual: the penalty for being unmatched, in halves; `FAR` if a vertex must be matched.
    pub(in super::super) penalty: Vec<W>,
    /// p of the module's documentation.
    pub(in super::super) dual: Vec<W>,
    /// The group of vertices with the same top node. Where blossoms come and go, only the vertices of the smaller
    /// parts change groups: at most log n times each on the way into a nest.
    pub(super) group: Vec<u32>,
    /// The top node of each group.
    pub(super) holder: Vec<usize>,
    /// When the best edge from an outer vertex becomes tight, and from where; `FAR` if there is none.
    pub(super) reach: Vec<W>,
    pub(super) via: Vec<usize>,

    // By node.
    /// The blossom directly around.
    pub(in super::super) parent: Vec<usize>,
    /// The vertex that is not matched inside.
    pub(in super::super) base: Vec<usize>,
    pub(in super::super) label: Vec<Label>,
    /// When the label was given; of an inner child of an expanded blossom, when that became inner.
    pub(super) since: Vec<W>,
    /// The group of the node's vertices when it is at the top.
    pub(super) own_group: Vec<u32>,
    /// How many vertices there are within.
    pub(super) size: Vec<u32>,
    /// The edge by which an inner node hangs on the tree: from an outer vertex to one of its own.
    pub(super) entry: Vec<(usize, usize)>,

    // By blossom: node less the number of vertices.
    pub(super) cycles: Vec<Cycle<W>>,
    /// Blossom nodes not in use.
    pub(super) unused: Vec<usize>,

    // The tree.
    /// By how much the dual of its root has changed.
    pub(super) now: W,
    /// Steps of trees since the start, that is events and visits of vertices; and at the last look at a tree.
    pub(super) steps: u64,
    pub(super) shown: u64,
    /// What happens when, some of it out of date.
    pub(super) events: BinaryHeap<Reverse<(W, Event)>>,
    /// All nodes that were labelled.
    pub(super) labelled: Vec<usize>,
    /// All vertices that were reached.
    pub(super) reached: Vec<usize>,

    /// Vertices that lost their partners between searches.
    pub(in super::super) loose: Vec<usize>,

    // Scratch.
    /// By node: a mark.
    pub(super) marked: Vec<bool>,
    pub(super) leaves: Vec<usize>,
    pub(super) stack: Vec<usize>,
    /// Vertices that have become outer and are to be scanned.
    pub(super) fresh: Vec<usize>,
    /// Nodes from a vertex up, or those that are to be outer.
    pub(super) way: Vec<usize>,
    /// Nodes that get a new base, and which.
    pub(super) rebased: Vec<(usize, usize)>,
}

impl<W: Integer> Forest<W> {
    /// Starts from a matching and feasible duals under which its edges are tight.
    pub(in super::super) fn start(&mut self, mate: &[usize], dual: &[W], penalty: &[W]) {
        let vertices = mate.len();
        // Blossoms hold 3 nodes or more each, so there are never more than half as many as vertices.
        let nodes = vertices + vertices / 2;
        copy(&mut self.mate, mate);
        copy(&mut self.penalty, penalty);
        copy(&mut self.dual, dual);
        refill(&mut self.reach, vertices, W::FAR);
        refill(&mut self.via, vertices, NONE);
        refill(&mut self.parent, nodes, NONE);
        refill(&mut self.label, nodes, Label::Free);
        refill(&mut self.since, nodes, W::ZERO);
        refill(&mut self.entry, nodes, (NONE, NONE));
        refill(&mut self.marked, nodes, false);
        for list in [&mut self.holder, &mut self.base] {
            list.clear();
            list.extend(0..vertices);
        }
        for list in [&mut self.group, &mut self.own_group] {
            list.clear();
            list.extend((0..).take(vertices));
        }
        self.base.resize(nodes, NONE);
        self.own_group.resize(nodes, 0);
        refill(&mut self.size, nodes, 1);
        self.cycles
            .resize_with((nodes - vertices).max(self.cycles.len()), Cycle::default);
        for cycle in &mut self.cycles {
            cycle.children.clear();
            cycle.links.clear();
        }
        self.unused.clear();
        self.unused.extend((vertices..nodes).rev());
        self.events.clear();
        self.labelled.clear();
        self.reached.clear();
        self.loose.clear();
        self.now = W::ZERO;
        (self.steps, self.shown) = (0, 0);
    }

    pub(in super::super) fn vertices(&self) -> usize {
        self.mate.len()
    }

    /// The top node around a vertex.
    #[inline]
    pub(in super::super) fn top(&self, v: usize) -> usize {
        self.holder[self.group[v] as usize]
    }

    /// The inside of a blossom; `None` for a vertex.
    pub(in super::super) fn cycle(&mut self, node: usize) -> Option<&mut Cycle<W>> {
        let vertices = self.vertices();
        node.checked_sub(vertices)
            .map(|blossom| &mut self.cycles[blossom])
    }

    /// The inside of a blossom, to read.
    pub(in super::super) fn inside(&self, blossom: usize) -> &Cycle<W> {
        &self.cycles[blossom - self.vertices()]
    }

    /// Whether a node is a vertex or a blossom in use.
    pub(in super::super) fn is_in_use(&self, node: usize) -> bool {
        node < self.vertices() || !self.cycles[node - self.vertices()].children.is_empty()
    }

    /// The sum of the duals of the blossoms that hold both vertices, between searches. O(depth of the nest).
    pub(in super::super) fn shared_dual(&self, i: usize, j: usize) -> W {
        let mut sum = W::ZERO;
        if self.top(i) != self.top(j) {
            return sum;
        }
        let depth = |node: usize| {
            let up = |&node: &usize| Some(self.parent[node]).filter(|&around| around != NONE);
            std::iter::successors(Some(node), up).count()
        };
        let (mut a, mut b) = (i, j);
        let (deep, other) = (depth(a), depth(b));
        (0..deep.saturating_sub(other)).for_each(|_| a = self.parent[a]);
        (0..other.saturating_sub(deep)).for_each(|_| b = self.parent[b]);
        while a != b {
            (a, b) = (self.parent[a], self.parent[b]);
        }
        while a != NONE {
            sum += self.inside(a).dual;
            a = self.parent[a];
        }
        sum
    }

    /// The dual of a vertex, in halves, as of now.
    pub(in super::super) fn dual_now(&self, v: usize) -> W {
        let node = self.top(v);
        match self.label[node] {
            Label::Outer => self.dual[v] + self.now,
            Label::Inner => self.dual[v] + self.since[node] - self.now,
            Label::Free => self.dual[v],
        }
    }

    /// The dual of a blossom, in halves, as of now.
    pub(in super::super) fn blossom_dual_now(&self, blossom: usize) -> W {
        let dual = self.inside(blossom).dual;
        let change = (self.now - self.since[blossom]).twice();
        match self.label[blossom] {
            _ if self.parent[blossom] != NONE => dual,
            Label::Outer => dual + change,
            Label::Inner => dual - change,
            Label::Free => dual,
        }
    }

    /// On which side of the tree a vertex is.
    pub(in super::super) fn side(&self, v: usize) -> Option<TreeLabel> {
        match self.label[self.top(v)] {
            Label::Outer => Some(TreeLabel::Outer),
            Label::Inner => Some(TreeLabel::Inner),
            Label::Free => None,
        }
    }

    /// Visits the vertices within `node`.
    pub(in super::super) fn for_each_vertex(&self, node: usize, mut visit: impl FnMut(usize)) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if node < self.vertices() {
                visit(node);
            } else {
                stack.extend(&self.inside(node).children);
            }
        }
    }

    /// Appends the vertices within `node` to `leaves`, in the order of the cycles.
    pub(in super::super) fn gather(&mut self, node: usize, leaves: &mut Vec<usize>) {
        let vertices = self.vertices();
        self.steps += u64::from(self.size[node]);
        if node < vertices {
            return leaves.push(node);
        }
        self.stack.clear();
        self.stack.push(node);
        while let Some(node) = self.stack.pop() {
            if node < vertices {
                leaves.push(node);
            } else {
                self.stack
                    .extend(self.cycles[node - vertices].children.iter().rev());
            }
        }
    }

    /// Labels a top node outer as of now and puts its vertices on the rising clock; they are appended to
    /// `fresh`, to be scanned.
    pub(super) fn make_outer(&mut self, node: usize, fresh: &mut Vec<usize>) {
        let from = fresh.len();
        self.gather(node, fresh);
        for &v in &fresh[from..] {
            self.dual[v] -= self.now;
        }
        self.await_penalty(&fresh[from..]);
        self.set_label(node, Label::Outer);
    }

    /// Of vertices that have become outer, notes the one whose dual reaches its penalty first.
    pub(super) fn await_penalty(&mut self, fresh: &[usize]) {
        let bounded = fresh.iter().filter(|&&v| self.penalty[v] != W::FAR);
        if let Some((time, v)) = bounded.map(|&v| (self.penalty[v] - self.dual[v], v)).min() {
            self.events.push(Reverse((time, Event::Retire(short(v)))));
        }
    }

    /// Whether a free node is matched with no other: its base is exposed or unmatched.
    pub(super) fn is_single(&self, node: usize) -> bool {
        let base = self.base[node];
        self.mate[base] == NONE || self.mate[base] == base
    }

    /// Raises all penalties alike; unmatched vertices are exposed again.
    pub(in super::super) fn raise_penalties(&mut self, by: W) -> Result<(), Overflow> {
        for v in 0..self.vertices() {
            self.penalty[v] = within_limit(self.penalty[v] + by)?;
            if self.mate[v] == v {
                self.mate[v] = NONE;
            }
        }
        Ok(())
    }

    /// How many vertices are unmatched.
    pub(in super::super) fn unmatched(&self) -> usize {
        (0..self.vertices()).filter(|&v| self.mate[v] == v).count()
    }

    /// Labels a top node inner as of now, hung on the tree by `entry`.
    pub(super) fn make_inner(&mut self, node: usize, entry: (usize, usize)) {
        self.set_label(node, Label::Inner);
        self.entry[node] = entry;
        if let Some(blossom) = node.checked_sub(self.vertices()) {
            let end = self.now + self.cycles[blossom].dual.half();
            self.events.push(Reverse((end, Event::Expand(short(node)))));
        }
    }

    fn set_label(&mut self, node: usize, label: Label) {
        self.label[node] = label;
        self.since[node] = self.now;
        self.labelled.push(node);
    }

    /// Looks along all edges of the vertices that have become outer.
    pub(super) fn scan_all(&mut self, graph: &impl Neighbours<W>, fresh: &[usize]) {
        for &v in fresh {
            self.scan(graph, v);
        }
    }

    fn scan(&mut self, graph: &impl Neighbours<W>, i: usize) {
        let (own, home) = (self.dual[i], self.top(i));
        graph.for_each(i, |j, weight| {
            let there = self.top(j);
            let time = weight - own - self.dual[j];
            match self.label[there] {
                Label::Outer if there != home => {
                    let collision = Event::Shrink(short(i), short(j));
                    self.events.push(Reverse((time.half(), collision)));
                }
                label @ (Label::Free | Label::Inner) if time < self.reach[j] => {
                    if self.reach[j] == W::FAR {
                        self.reached.push(j);
                    }
                    (self.reach[j], self.via[j]) = (time, i);
                    if label == Label::Free {
                        let event = if self.is_single(there) {
                            Event::Meet(short(j))
                        } else {
                            Event::Grow(short(j))
                        };
                        self.events.push(Reverse((time, event)));
                    }
                }
                _ => {}
            }
        });
    }

    /// Writes the dual of a labelled blossom as of now.
    pub(super) fn settle_blossom_dual(&mut self, node: usize) -> Result<(), Overflow> {
        let gain = (self.now - self.since[node]).twice();
        let label = self.label[node];
        if let Some(cycle) = self.cycle(node) {
            match label {
                Label::Outer => cycle.dual = within_limit(cycle.dual + gain)?,
                Label::Inner => cycle.dual -= gain,
                Label::Free => {}
            }
        }
        Ok(())
    }

    /// A blossom node that is not in use. There is always one, since every blossom holds at least 3 nodes.
    pub(super) fn take_unused(&mut self) -> usize {
        self.unused.pop().unwrap_or_else(|| {
            let node = self.parent.len();
            self.parent.push(NONE);
            self.base.push(NONE);
            self.label.push(Label::Free);
            self.since.push(W::ZERO);
            self.own_group.push(0);
            self.size.push(1);
            self.entry.push((NONE, NONE));
            self.marked.push(false);
            self.cycles.push(Cycle::default());
            node
        })
    }

    /// Puts the children of a top blossom at the top, free, and gives its node back.
    pub(super) fn release(&mut self, blossom: usize) -> Cycle<W> {
        let cycle = self.take_cycle(blossom);
        for &child in &cycle.children {
            self.parent[child] = NONE;
            self.label[child] = Label::Free;
            self.holder[self.own_group[child] as usize] = child;
            if self.own_group[child] != self.own_group[blossom] {
                self.regroup(child, self.own_group[child]);
            }
        }
        self.label[blossom] = Label::Free;
        self.unused.push(blossom);
        cycle
    }

    /// Puts all vertices of a node into a group.
    pub(super) fn regroup(&mut self, node: usize, group: u32) {
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        self.gather(node, &mut leaves);
        for &v in &leaves {
            self.group[v] = group;
        }
        self.leaves = leaves;
    }

    pub(super) fn take_cycle(&mut self, blossom: usize) -> Cycle<W> {
        let at = blossom - self.vertices();
        std::mem::take(&mut self.cycles[at])
    }

    /// Gives the lists of a released blossom back, to be used again.
    pub(super) fn recycle(&mut self, blossom: usize, mut cycle: Cycle<W>) {
        cycle.children.clear();
        cycle.links.clear();
        let at = blossom - self.vertices();
        self.cycles[at] = cycle;
    }
}

fn refill<T: Clone>(list: &mut Vec<T>, length: usize, value: T) {
    list.clear();
    list.resize(length, value);
}

fn copy<T: Copy>(list: &mut Vec<T>, from: &[T]) {
    list.clear();
    list.extend_from_slice(from);
}
