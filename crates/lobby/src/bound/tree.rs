//! The proof for larger pools: linear programs over all matches that can still matter, and branches on who meets
//! whom.

use matchwright_solver::Status;

use super::column::Column;
use super::cuts::reduced;
use super::cuts::{self, Cut};
use super::master::{self, Solution};
use super::{Bounding, PROOF, ROUNDING};
use crate::lineup::LobbyCertificate;

/// Matches in a node's first program for each unit, and added to it at a time.
const FIRST: usize = 25;
const MORE: usize = 6;

/// Rounds of cuts at the root, and below it.
const ROOT_CUTS: usize = 60;
const NODE_CUTS: usize = 8;

/// Cuts added at a time.
const CUTS: usize = 40;

/// Matches left at which the exact cover takes over, and its branches.
const FEW: usize = 1500;
const COVER_NODES: u64 = 20_000;

/// A branch still to be searched.
struct Node {
    /// The places of the matches that its lineups may have.
    alive: Vec<u32>,
    /// Duals that hold for these matches; where the first program starts.
    duals: LobbyCertificate,
}

/// The result of a node.
enum Fate {
    /// Nothing in it is worth more than the value that is known.
    Done,
    /// Two units whose meeting the program leaves open.
    Open([u32; 2]),
    /// It takes too long to tell.
    GivenUp,
}

/// A search among listed matches.
pub(super) struct Tree<'a, 'b> {
    bounding: &'b Bounding<'a>,
    columns: &'b [Column],
    /// The value of the best lineups that are known.
    pub(super) value: f64,
    /// The places of their matches, if the search found them.
    pub(super) found: Option<Vec<u32>>,
    /// The root's duals after cuts, as a certificate for all matches.
    pub(super) certificate: Option<LobbyCertificate>,
    /// Matches left at which the exact cover takes over.
    pub(super) few: usize,
}

impl<'a, 'b> Tree<'a, 'b> {
    /// A search for better lineups among these matches.
    pub(super) fn new(bounding: &'b Bounding<'a>, columns: &'b [Column]) -> Self {
        Self {
            bounding,
            columns,
            value: bounding.value,
            found: None,
            certificate: None,
            few: FEW,
        }
    }

    /// Searches depth first from these duals; true if the search is complete.
    ///
    /// # Errors
    /// The limit that is reached.
    pub(super) fn run(&mut self, duals: LobbyCertificate) -> Result<bool, Status> {
        let mut open = vec![Node {
            alive: (0..).take(self.columns.len()).collect(),
            duals,
        }];
        while let Some(mut node) = open.pop() {
            let is_root = self.certificate.is_none();
            let cut_rounds = if is_root { ROOT_CUTS } else { NODE_CUTS };
            let fate = self.explore(&mut node, cut_rounds)?;
            if is_root {
                self.certificate = Some(self.bounding.certify(&node.duals)?);
            }
            match fate {
                Fate::Done => {}
                Fate::GivenUp => return Ok(false),
                Fate::Open([u, v]) => {
                    let child = |keep: &dyn Fn(bool, bool) -> bool| {
                        let kept = |&&at: &&u32| keep(self.column(at).has(u), self.column(at).has(v));
                        Node {
                            alive: node.alive.iter().filter(kept).copied().collect(),
                            duals: node.duals.clone(),
                        }
                    };
                    open.push(child(&|one, other| !(one && other)));
                    open.push(child(&|one, other| one == other));
                }
            }
        }
        Ok(true)
    }

    fn column(&self, at: u32) -> &'b Column {
        &self.columns[at as usize]
    }

    /// Solves a node's linear program with cuts, until nothing is left of it, or its bound gets no better.
    fn explore(&mut self, node: &mut Node, cut_rounds: usize) -> Result<Fate, Status> {
        if node.alive.len() <= self.few && self.cover(node)? {
            return Ok(Fate::Done);
        }
        let (bounding, count) = (self.bounding, self.bounding.units.count());
        let mut cuts: Vec<Cut> = node.duals.cuts.iter().map(|cut| cut.0).collect();
        let mut known = self.best_of(node, FIRST * count);
        let mut best = f64::INFINITY;
        let mut rounds = 0;
        loop {
            bounding.begin_program(PROOF, cuts.len())?;
            let columns: Vec<&Column> = known.iter().map(|&at| self.column(at)).collect();
            let stop = || bounding.meter.check(bounding.progress(PROOF)).is_err();
            let solution = master::solve(&bounding.units, &columns, &cuts, bounding.matches, &stop);
            let Some(solution) = solution else {
                bounding.meter.ended()?;
                return Ok(Fate::GivenUp);
            };
            let Some(mut entering) = self.tighten(node, &solution, &mut best) else {
                return Ok(Fate::Done);
            };
            // A program that rounding kept from its optimum asks for matches that it has.
            entering.retain(|(_, at)| known.binary_search(at).is_err());
            if !entering.is_empty() {
                known.retain(|at| node.alive.binary_search(at).is_ok());
                entering.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                entering.truncate(MORE * count);
                known.extend(entering.into_iter().map(|entry| entry.1));
                known.sort_unstable();
                continue;
            }
            if node.alive.len() <= self.few && self.cover(node)? {
                return Ok(Fate::Done);
            }
            let taken = solution.taken(&columns);
            let violated = cuts::violated(taken.iter().copied(), count, CUTS);
            let fresh: Vec<Cut> = violated.into_iter().filter(|cut| !cuts.contains(cut)).collect();
            if fresh.is_empty() || rounds == cut_rounds {
                return Ok(match branch_on(&taken, count) {
                    Some(pair) => Fate::Open(pair),
                    // All is whole: nothing but rounding is left, which the exact cover looks through.
                    None if self.cover(node)? => Fate::Done,
                    None => Fate::GivenUp,
                });
            }
            rounds += 1;
            // Cuts that pay nothing only make the program larger.
            let paying = solution.duals.cuts.iter().filter(|cut| cut.1 > 1e-7);
            cuts = paying.map(|cut| cut.0).chain(fresh).collect();
            known.retain(|at| node.alive.binary_search(at).is_ok());
        }
    }

    /// Keeps the solution's duals if their bound is the least, drops the matches that better lineups cannot have, and
    /// returns those that the program lacks, with their reduced values; `None` if there are no better lineups.
    fn tighten(&self, node: &mut Node, solution: &Solution, best: &mut f64) -> Option<Vec<(f64, u32)>> {
        let duals = &solution.duals;
        let reduced = reduced(node.alive.iter().map(|&at| self.column(at)), duals);
        let greatest = reduced.iter().copied().fold(duals.excess, f64::max);
        let matches = self.bounding.matches as f64;
        let bound = duals.bound + matches * (greatest - duals.excess);
        if bound < *best {
            *best = bound;
            node.duals = LobbyCertificate {
                excess: greatest,
                bound,
                ..duals.clone()
            };
        }
        let gap = bound - self.value - 3.0 * matches * ROUNDING;
        if gap <= 0.0 {
            return None;
        }
        let alive = node.alive.iter().copied().zip(reduced);
        let alive: Vec<(u32, f64)> = alive.filter(|(_, reduced)| greatest - reduced < gap).collect();
        node.alive = alive.iter().map(|one| one.0).collect();
        let lacking = alive
            .into_iter()
            .filter(|(_, reduced)| *reduced > duals.excess + 1e-7);
        Some(lacking.map(|(at, reduced)| (reduced, at)).collect())
    }

    /// The matches of a node with the greatest reduced values, rising.
    fn best_of(&self, node: &Node, most: usize) -> Vec<u32> {
        let reduced = reduced(node.alive.iter().map(|&at| self.column(at)), &node.duals);
        let mut order: Vec<usize> = (0..node.alive.len()).collect();
        if order.len() > most {
            order.select_nth_unstable_by(most, |&a, &b| reduced[b].total_cmp(&reduced[a]).then(a.cmp(&b)));
            order.truncate(most);
        }
        let mut best: Vec<u32> = order.into_iter().map(|place| node.alive[place]).collect();
        best.sort_unstable();
        best
    }

    /// Searches a node of few matches to the end; false if that takes too long.
    fn cover(&mut self, node: &Node) -> Result<bool, Status> {
        let columns: Vec<&Column> = node.alive.iter().map(|&at| self.column(at)).collect();
        let (cover, ended) = self
            .bounding
            .cover(&node.duals, &columns, self.value, COVER_NODES);
        if let Some((chosen, loss)) = cover.best {
            self.value = node.duals.bound - loss;
            self.found = Some(chosen.into_iter().map(|place| node.alive[place]).collect());
        }
        ended?;
        Ok(cover.is_complete)
    }
}

/// Two units that meet in about half of the matches that the program takes; `None` if all is whole.
fn branch_on(taken: &[(&Column, f64)], count: usize) -> Option<[u32; 2]> {
    let mut meetings = vec![0.0; count * count];
    for (column, share) in taken {
        for (k, &u) in column.units.iter().enumerate() {
            for &v in &column.units[k + 1..] {
                meetings[u as usize * count + v as usize] += share;
            }
        }
    }
    let place = (0..meetings.len())
        .filter(|&place| meetings[place].min(1.0 - meetings[place]) > 1e-5)
        .min_by(|&a, &b| (meetings[a] - 0.5).abs().total_cmp(&(meetings[b] - 0.5).abs()))?;
    #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 parties")]
    Some([(place / count) as u32, (place % count) as u32])
}
