//! Among several optimal pairings, always the same one: that in which vertex 0 has the smallest partner that it has
//! in any of them, then vertex 1, and so on. To be unmatched comes after all partners.
//!
//! By complementary slackness, the optimal pairings are the matchings of the tight pairs that pair all but one vertex
//! of every blossom with a positive dual inside, and all vertices whose dual is below the penalty; which duals prove
//! it does not matter. So the pairing depends on the costs alone, not on where the duals started. For maximum
//! cardinality this holds if penalties are raised beyond the least that will do: then no optimum has more unmatched.
//!
//! Mostly the tight pairs are few and leave no choice. To see that, contract the outermost blossoms: of the tight
//! pairs between what is left, one that is the only pair of a node must be in the matching, its nodes are then taken,
//! and so on. A vertex that may be unmatched is tight with that, which is a pair with itself. Inside a blossom the same
//! holds for its children, but for the one with the base, which is not matched inside.
//!
//! A vertex that has a choice left gets a problem of its own, on the tight pairs, solved by the same forest: its pairs
//! cost their rank, all others nothing, and a blossom is held together by a bonus on each pair inside, dearer than all
//! ranks. To be unmatched costs those who may be nothing, and this vertex the last rank. Then the vertex and its partner
//! are taken out.

use super::blossom::{Forest, NONE, Neighbours, Outcome, short};
use super::halt::Halt;
use super::integer::Integer;
use super::nesting::Nesting;

/// Memory of the choice among ties.
#[derive(Debug, Default)]
pub(super) struct Ties<W> {
    starts: Vec<usize>,
    entries: Vec<(u32, W)>,
    places: Vec<usize>,
    /// Vertices whose partner is settled, and who that is.
    settled: Vec<bool>,
    partner: Vec<usize>,
    links: Links,
    /// Scratch: sets that a pair enters; forced pairs with the sets that they lie in.
    entered: Vec<bool>,
    forced: Vec<(usize, usize, usize)>,
}

impl<W: Integer> Neighbours<W> for Ties<W> {
    fn for_each(&self, i: usize, mut visit: impl FnMut(usize, W)) {
        for &(j, weight) in self.row(i) {
            if !self.settled[j as usize] {
                visit(j as usize, weight);
            }
        }
    }
}

impl<W: Integer> Ties<W> {
    /// Changes the mates of an optimal forest to those of the first optimal pairing. Its duals are used up. `tight`
    /// gets those who may be unmatched.
    pub(super) fn choose_first(
        &mut self,
        tight: &mut Vec<(u32, u32)>,
        nesting: &Nesting<W>,
        forest: &mut Forest<W>,
    ) -> Result<(), Halt> {
        let vertices = forest.vertices();
        let may_be_unmatched = |&v: &u32| forest.dual[v as usize] == forest.penalty[v as usize];
        tight.extend((0..).take(vertices).filter(may_be_unmatched).map(|v| (v, v)));
        self.settled.clear();
        self.settled.resize(vertices, false);
        self.partner.clear();
        self.partner.resize(vertices, NONE);
        self.links.read(tight, nesting, vertices);
        self.links.strip();
        self.adopt(tight, nesting);
        if self.settled.iter().all(|&settled| settled) {
            return Ok(());
        }
        self.read(tight, vertices);
        self.restate(forest)?;
        for i in 0..self.settled.len() {
            if !self.settled[i] {
                self.choose(i, forest)?;
            }
        }
        forest.mate.copy_from_slice(&self.partner);
        Ok(())
    }

    /// Settles the pairs that must be in every optimum: those that are forced in their blossom, if the pair that
    /// enters it is certain.
    fn adopt(&mut self, tight: &[(u32, u32)], nesting: &Nesting<W>) {
        let mut entered = std::mem::take(&mut self.entered);
        entered.clear();
        entered.resize(nesting.sets(), false);
        entered[0] = true;
        let mut pairs = std::mem::take(&mut self.forced);
        pairs.clear();
        for (&(i, j), _) in tight
            .iter()
            .zip(&self.links.forced)
            .filter(|(_, forced)| **forced)
        {
            let (i, j) = (i as usize, j as usize);
            pairs.push((within(nesting, i, j), i, j));
        }
        // Outer sets come first, and the pair that enters a set lies in one further out.
        pairs.sort_unstable();
        for &(within, i, j) in &pairs {
            if !entered[within] {
                continue;
            }
            for v in [i, j] {
                let mut set = nesting.innermost(v);
                while set != within {
                    entered[set] = true;
                    set = nesting.around(set);
                }
            }
            self.pair_up(i, j);
        }
        (self.entered, self.forced) = (entered, pairs);
    }

    /// Rows of the tight pairs, ascending.
    fn read(&mut self, tight: &[(u32, u32)], vertices: usize) {
        self.starts.clear();
        self.starts.resize(vertices + 1, 0);
        let tight = || tight.iter().filter(|(i, j)| i != j);
        for &(i, j) in tight() {
            self.starts[i as usize + 1] += 1;
            self.starts[j as usize + 1] += 1;
        }
        for i in 0..vertices {
            self.starts[i + 1] += self.starts[i];
        }
        self.entries.clear();
        self.entries.resize(self.starts[vertices], (0, W::ZERO));
        self.places.clear();
        self.places.extend_from_slice(&self.starts[..vertices]);
        for &(i, j) in tight() {
            for (from, to) in [(i, j), (j, i)] {
                self.entries[self.places[from as usize]] = (to, W::ZERO);
                self.places[from as usize] += 1;
            }
        }
        for i in 0..vertices {
            self.entries[self.starts[i]..self.starts[i + 1]].sort_unstable_by_key(|&(j, _)| j);
        }
    }

    fn row(&self, i: usize) -> &[(u32, W)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }

    /// States the problem anew on the tight pairs: all duals 0, all blossoms with a dual at the bonus, and the pairs
    /// inside cheaper by as much, so that every pair stays tight. Settled vertices are taken out.
    fn restate(&mut self, forest: &mut Forest<W>) -> Result<(), Halt> {
        let vertices = forest.vertices();
        // In halves: more than all ranks of one vertex, and a multiple of 4, so that halving keeps parities.
        let bonus = (0..usize::BITS - vertices.leading_zeros() + 3).fold(W::ONE, |sum, _| sum.twice());
        for node in vertices..forest.parent.len() {
            let in_use = forest.is_in_use(node);
            if let Some(cycle) = forest.cycle(node) {
                cycle.dual = if in_use && cycle.dual > W::ZERO {
                    bonus
                } else {
                    W::ZERO
                };
            }
        }
        for (penalty, dual) in forest.penalty.iter_mut().zip(&mut forest.dual) {
            *penalty = if penalty == dual { W::ZERO } else { W::FAR };
            *dual = W::ZERO;
        }
        for i in 0..vertices {
            for at in self.starts[i]..self.starts[i + 1] {
                let j = self.entries[at].0 as usize;
                self.entries[at].1 = W::ZERO - forest.shared_dual(i, j);
            }
        }
        for v in 0..vertices {
            if self.settled[v] {
                forest.set_free(v)?;
            }
        }
        self.rematch(forest)
    }

    /// Finds the smallest partner for `i`, itself if it must be unmatched, and takes both out.
    fn choose(&mut self, i: usize, forest: &mut Forest<W>) -> Result<(), Halt> {
        let mut choices = self.row(i).iter().map(|&(j, _)| j as usize);
        let smallest = choices.find(|&j| !self.settled[j]).unwrap_or(i);
        if smallest != forest.mate[i] {
            forest.set_free(i)?;
            let mut rank = W::ZERO;
            for at in self.starts[i]..self.starts[i + 1] {
                let j = self.entries[at].0 as usize;
                if self.settled[j] {
                    continue;
                }
                self.entries[at].1 += rank;
                let back = self.starts[j]..self.starts[j + 1];
                // Dropped: an edge without its mirror has nothing to change.
                if let Ok(mirror) =
                    self.entries[back.clone()].binary_search_by_key(&i, |&(to, _)| to as usize)
                {
                    self.entries[back.start + mirror].1 += rank;
                }
                rank += W::ONE.twice();
            }
            if forest.penalty[i] != W::FAR {
                forest.penalty[i] = rank;
            }
            self.rematch(forest)?;
        }
        let partner = forest.mate[i];
        for v in [i, partner] {
            forest.set_free(v)?;
        }
        self.pair_up(i, partner);
        self.rematch(forest)
    }

    fn pair_up(&mut self, i: usize, j: usize) {
        (self.partner[i], self.partner[j]) = (j, i);
        (self.settled[i], self.settled[j]) = (true, true);
    }

    /// Matches the exposed vertices.
    fn rematch(&mut self, forest: &mut Forest<W>) -> Result<(), Halt> {
        while let Some(root) = forest.loose.pop() {
            if !self.settled[root]
                && forest.mate[root] == NONE
                && forest.search(&*self, root, W::LIMIT)? == Outcome::NoPath
            {
                return Err(Halt::NotPerfect);
            }
        }
        Ok(())
    }
}

/// The tight pairs as links between nodes: vertices, then blossoms with a positive dual.
#[derive(Debug, Default)]
struct Links {
    /// By tight pair: the two nodes that it joins, inside the innermost blossom around both.
    ends: Vec<(u32, u32)>,
    /// By tight pair: it must be in the matching if the base of its blossom is what it is.
    forced: Vec<bool>,
    /// The links of each node, and where each list begins.
    lists: Vec<u32>,
    starts: Vec<u32>,
    /// By node: how many links are left; 0 if it needs none any more. After the last node comes the other end of all
    /// links of vertices that may be unmatched: it needs none, and takes any number.
    counts: Vec<u32>,
    queue: Vec<u32>,
    /// By node: whether it has the base of its blossom.
    outside: Vec<bool>,
    unmatched: u32,
}

/// The innermost set that a pair lies in; of a vertex that is unmatched, that of all vertices.
fn within<W: Integer>(nesting: &Nesting<W>, i: usize, j: usize) -> usize {
    if i == j { 0 } else { nesting.common(i, j) }
}

impl Links {
    /// Finds the nodes that each tight pair joins.
    fn read<W: Integer>(&mut self, tight: &[(u32, u32)], nesting: &Nesting<W>, vertices: usize) {
        let nodes = vertices + nesting.sets();
        self.unmatched = short(nodes);
        let node = |set: usize, v: usize| short(nesting.child(set, v).map_or(v, |child| vertices + child));
        // In each blossom the child with the base is matched outside.
        self.outside.clear();
        self.outside.resize(nodes + 1, false);
        for set in 1..nesting.sets() {
            self.outside[node(set, nesting.base(set)) as usize] = true;
        }
        self.ends.clear();
        self.starts.clear();
        self.starts.resize(nodes + 3, 0);
        for &(i, j) in tight {
            let (i, j) = (i as usize, j as usize);
            let common = within(nesting, i, j);
            let other = if i == j { self.unmatched } else { node(common, j) };
            let mut ends = (node(common, i), other);
            if self.outside[ends.0 as usize] || self.outside[ends.1 as usize] {
                // No link at all.
                ends = (0, 0);
            } else {
                self.starts[ends.0 as usize + 2] += 1;
                self.starts[ends.1 as usize + 2] += 1;
            }
            self.ends.push(ends);
        }
        self.counts.clear();
        self.counts.extend_from_slice(&self.starts[2..]);
        self.counts[nodes] = u32::MAX;
        for k in 2..self.starts.len() {
            self.starts[k] += self.starts[k - 1];
        }
        self.lists.clear();
        self.lists.resize(self.starts[nodes + 2] as usize, 0);
        for (k, &(a, b)) in (0..).zip(&self.ends) {
            for end in [a, b] {
                if a != b {
                    let at = &mut self.starts[end as usize + 1];
                    self.lists[*at as usize] = k;
                    *at += 1;
                }
            }
        }
    }

    /// Takes links that are the only ones of a node, until there are none.
    fn strip(&mut self) {
        self.forced.clear();
        self.forced.resize(self.ends.len(), false);
        self.queue.clear();
        self.queue.extend(
            (0..)
                .zip(&self.counts)
                .filter(|(_, count)| **count == 1)
                .map(|(node, _)| node),
        );
        while let Some(node) = self.queue.pop() {
            if self.counts[node as usize] != 1 {
                continue;
            }
            let left = self
                .list(node)
                .find(|&link| self.counts[self.other(link, node) as usize] > 0);
            let Some(link) = left else { continue };
            let partner = self.other(link, node);
            self.forced[link as usize] = true;
            self.counts[node as usize] = 0;
            if partner == self.unmatched {
                continue;
            }
            self.counts[partner as usize] = 0;
            for at in self.starts[partner as usize]..self.starts[partner as usize + 1] {
                let neighbour = self.other(self.lists[at as usize], partner);
                let count = &mut self.counts[neighbour as usize];
                *count = count.saturating_sub(1);
                if *count == 1 {
                    self.queue.push(neighbour);
                }
            }
        }
    }

    fn list(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.lists[range].iter().copied()
    }

    fn other(&self, link: u32, node: u32) -> u32 {
        let (a, b) = self.ends[link as usize];
        if a == node { b } else { a }
    }
}
