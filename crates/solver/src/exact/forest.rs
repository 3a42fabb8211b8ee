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
//! ```
//!
//! Each is a constant as long as the labels are. A dual adjustment is then only the choice of the earliest
//! of these, and all duals are written when the tree ends. The tree is grown from one root, so that its
//! outer vertices have duals of the same parity and all these times are integers.
//!
//! Slack within an inner blossom's clock: while j is inner, its edges from outer vertices keep their slack;
//! the first formula then counts the time as of t, and is moved on when the blossom is expanded.

use super::graph::IntegerGraph;
use super::integer::{Integer, Overflow, within_limit};

pub(super) const NONE: usize = usize::MAX;

/// Where a top node stands in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Label {
    /// Outside the tree.
    #[default]
    Free,
    /// At an even distance from the root; duals rise.
    Outer,
    /// At an odd distance; duals fall.
    Inner,
    /// Outer in a tree that could not grow any more: taken out of the graph.
    DeadOuter,
    /// Inner in such a tree.
    DeadInner,
}

/// The best edge between one outer node and another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rival<W> {
    /// Twice the time at which it becomes tight.
    pub(super) time: W,
    /// Its end in the node that keeps it.
    pub(super) own: usize,
    /// Its end in the other node.
    pub(super) other: usize,
}

/// A blossom's inside. Kept in place when the blossom is gone, to reuse the lists.
#[derive(Debug, Default)]
pub(super) struct Cycle<W> {
    /// The nodes around the cycle; the base is in the first.
    pub(super) children: Vec<usize>,
    /// The tight edge from each child to the next, by its ends in the two.
    pub(super) links: Vec<(usize, usize)>,
    /// z in halves, as of when the blossom was labelled.
    pub(super) dual: W,
}

/// Matching, blossoms, duals and tree.
#[derive(Debug, Default)]
pub(super) struct Forest<W> {
    // By vertex.
    pub(super) mate: Vec<usize>,
    /// p of the module's documentation.
    pub(super) dual: Vec<W>,
    /// The top node around each vertex.
    pub(super) top: Vec<usize>,
    /// When the best edge from an outer vertex becomes tight, and from where; `FAR` if there is none.
    pub(super) reach: Vec<W>,
    pub(super) via: Vec<usize>,

    // By node.
    /// The blossom directly around.
    pub(super) parent: Vec<usize>,
    /// The vertex that is not matched inside.
    pub(super) base: Vec<usize>,
    pub(super) label: Vec<Label>,
    /// When the label was given.
    pub(super) since: Vec<W>,
    /// The edge by which an inner node hangs on the tree: from an outer vertex to one of its own.
    pub(super) entry: Vec<(usize, usize)>,
    /// The best edge of an outer node to each other outer node; each pair is kept by one of both.
    pub(super) rivals: Vec<Vec<Rival<W>>>,
    /// The earliest of these.
    pub(super) first_rival: Vec<Option<Rival<W>>>,

    // By blossom: node less the number of vertices.
    pub(super) cycles: Vec<Cycle<W>>,
    /// Blossom nodes not in use.
    pub(super) unused: Vec<usize>,

    // The tree.
    pub(super) now: W,
    /// Free vertices that have been reached.
    pub(super) frontier: Vec<usize>,
    /// Outer nodes, some of them out of date.
    pub(super) outer: Vec<usize>,
    /// Inner blossoms, some of them out of date.
    pub(super) inner: Vec<usize>,
    /// All nodes that were labelled.
    pub(super) labelled: Vec<usize>,
    /// All vertices that were reached.
    pub(super) reached: Vec<usize>,

    // Scratch.
    /// By node: a place in a list, or a mark.
    pub(super) slot: Vec<usize>,
    pub(super) leaves: Vec<usize>,
    pub(super) stack: Vec<usize>,
    pub(super) found: Vec<Rival<W>>,
}

impl<W: Integer> Forest<W> {
    /// Starts from a matching and feasible duals under which its edges are tight.
    pub(super) fn start(&mut self, mate: &[usize], dual: &[W]) {
        let vertices = mate.len();
        // Blossoms hold 3 nodes or more each, so there are never more than half as many as vertices.
        let nodes = vertices + vertices / 2;
        copy(&mut self.mate, mate);
        copy(&mut self.dual, dual);
        refill(&mut self.reach, vertices, W::FAR);
        refill(&mut self.via, vertices, NONE);
        refill(&mut self.parent, nodes, NONE);
        refill(&mut self.label, nodes, Label::Free);
        refill(&mut self.since, nodes, W::ZERO);
        refill(&mut self.entry, nodes, (NONE, NONE));
        refill(&mut self.first_rival, nodes, None);
        refill(&mut self.slot, nodes, NONE);
        for list in [&mut self.top, &mut self.base] {
            list.clear();
            list.extend(0..vertices);
        }
        self.base.resize(nodes, NONE);
        self.rivals.iter_mut().for_each(Vec::clear);
        self.rivals.resize_with(nodes.max(self.rivals.len()), Vec::new);
        self.cycles
            .resize_with((nodes - vertices).max(self.cycles.len()), Cycle::default);
        for cycle in &mut self.cycles {
            cycle.children.clear();
            cycle.links.clear();
        }
        self.unused.clear();
        self.unused.extend((vertices..nodes).rev());
        for list in [
            &mut self.frontier,
            &mut self.outer,
            &mut self.inner,
            &mut self.labelled,
            &mut self.reached,
        ] {
            list.clear();
        }
        self.now = W::ZERO;
    }

    pub(super) fn vertices(&self) -> usize {
        self.mate.len()
    }

    /// The inside of a blossom; `None` for a vertex.
    pub(super) fn cycle(&mut self, node: usize) -> Option<&mut Cycle<W>> {
        let vertices = self.vertices();
        node.checked_sub(vertices)
            .map(|blossom| &mut self.cycles[blossom])
    }

    /// Appends the vertices within `node` to `leaves`, in the order of the cycles.
    pub(super) fn gather(&mut self, node: usize, leaves: &mut Vec<usize>) {
        let vertices = self.vertices();
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
        self.set_label(node, Label::Outer);
        self.outer.push(node);
    }

    /// Labels a top node inner as of now, hung on the tree by `entry`.
    pub(super) fn make_inner(&mut self, node: usize, entry: (usize, usize)) {
        self.set_label(node, Label::Inner);
        self.entry[node] = entry;
        if node >= self.vertices() {
            self.inner.push(node);
        }
    }

    fn set_label(&mut self, node: usize, label: Label) {
        self.label[node] = label;
        self.since[node] = self.now;
        self.labelled.push(node);
    }

    /// Looks along all edges of a vertex that has become outer; edges to other outer nodes go to `found`.
    pub(super) fn scan(&mut self, graph: &IntegerGraph<W>, i: usize) {
        let (own, home) = (self.dual[i], self.top[i]);
        graph.for_each(i, |j, weight| {
            let there = self.top[j];
            let time = weight - own - self.dual[j];
            match self.label[there] {
                Label::Free | Label::Inner if time < self.reach[j] => {
                    if self.reach[j] == W::FAR {
                        self.reached.push(j);
                        self.frontier.push(j);
                    }
                    (self.reach[j], self.via[j]) = (time, i);
                }
                Label::Outer if there != home && time < W::FAR => self.found.push(Rival {
                    time,
                    own: i,
                    other: j,
                }),
                _ => {}
            }
        });
    }

    /// Makes the `found` edges the rivals of an outer node: the best one to each other outer node.
    pub(super) fn settle(&mut self, node: usize) {
        let mut best = std::mem::take(&mut self.rivals[node]);
        best.clear();
        for &rival in &self.found {
            let there = self.top[rival.other];
            if there == node {
                continue;
            }
            match best.get_mut(self.slot[there]) {
                Some(old) if rival.time < old.time => *old = rival,
                Some(_) => {}
                None => {
                    self.slot[there] = best.len();
                    best.push(rival);
                }
            }
        }
        self.found.clear();
        for rival in &best {
            self.slot[self.top[rival.other]] = NONE;
        }
        self.first_rival[node] = best.iter().copied().min_by_key(|rival| rival.time);
        self.rivals[node] = best;
    }

    /// Writes the dual of a labelled blossom as of now.
    pub(super) fn settle_blossom_dual(&mut self, node: usize) -> Result<(), Overflow> {
        let gain = (self.now - self.since[node]).twice();
        let label = self.label[node];
        if let Some(cycle) = self.cycle(node) {
            match label {
                Label::Outer => cycle.dual = within_limit(cycle.dual + gain)?,
                Label::Inner => cycle.dual -= gain,
                _ => {}
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
            self.entry.push((NONE, NONE));
            self.first_rival.push(None);
            self.slot.push(NONE);
            self.rivals.push(Vec::new());
            self.cycles.push(Cycle::default());
            node
        })
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
