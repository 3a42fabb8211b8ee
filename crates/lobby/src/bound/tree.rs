//! The proof for larger pools: linear programs over all matches that can still matter, and branches on who meets
//! whom.

use super::cover::{Choice, Cover};
use super::cuts::{self, Cut};
use super::listed::{Listed, Prices};
use super::master::{self, Solution};
use super::{Bounding, ROUNDING, Teams};
use crate::lineup::LobbyCertificate;
use crate::progress::{PROOF, Watch, is_over};

/// How exactly linear programs are solved.
const TOLERANCE: f64 = 1e-8;

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

/// What a linear program costs of a budget of branches.
const PROGRAM_COST: u64 = 500;

/// How the search ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// Every branch was searched; what is worth more than was known, if anything is.
    Searched(Option<Teams>),
    /// There was no time; what was found in between.
    Stopped(Option<Teams>),
}

/// A branch still to be searched.
struct Node {
    /// The matches that its lineups may have.
    alive: Vec<u32>,
    /// Where its first program starts.
    prices: Prices,
}

/// What became of a node.
enum Fate {
    /// Nothing in it is worth more than what is known.
    Done,
    /// Two units whose meeting the program leaves open.
    Open([u32; 2]),
    Stopped,
}

/// A search among listed matches.
pub(super) struct Tree<'a, 'b> {
    bounding: &'b Bounding<'a>,
    listed: Listed,
    /// What must be exceeded.
    value: f64,
    found: Option<Vec<u32>>,
    budget: u64,
    watch: Watch<'b>,
    /// Matches left at which the exact cover takes over.
    few: usize,
}

impl<'a, 'b> Tree<'a, 'b> {
    /// A search for lineups worth more than `value` among these matches.
    pub(super) fn new(
        bounding: &'b Bounding<'a>,
        listed: Listed,
        value: f64,
        budget: u64,
        watch: Watch<'b>,
    ) -> Self {
        Self {
            bounding,
            listed,
            value,
            found: None,
            budget,
            watch,
            few: FEW,
        }
    }

    /// The same, with the exact cover taking over later.
    #[cfg(test)]
    pub(super) fn with_few(mut self, few: usize) -> Self {
        self.few = few;
        self
    }

    /// Searches depth first, and returns how it ended, with a certificate of the root's prices: after cuts, it may be
    /// better than those before.
    pub(super) fn run(mut self, prices: Prices) -> (Ended, Option<LobbyCertificate>) {
        let mut open = vec![Node {
            alive: (0..self.listed.len()).collect(),
            prices,
        }];
        let mut certificate = None;
        let mut at_root = true;
        let mut stopped = false;
        while let Some(mut node) = open.pop() {
            let cut_rounds = if at_root { ROOT_CUTS } else { NODE_CUTS };
            let fate = self.explore(&mut node, cut_rounds);
            if at_root {
                certificate = self.bounding.certify(&node.prices, self.value, self.watch);
                at_root = false;
            }
            match fate {
                Fate::Done => {}
                Fate::Stopped => {
                    stopped = true;
                    break;
                }
                Fate::Open([u, v]) => {
                    let has = |at: u32, unit: u32| self.listed.units(at).binary_search(&unit).is_ok();
                    let child = |keep: &dyn Fn(bool, bool) -> bool| Node {
                        alive: node
                            .alive
                            .iter()
                            .copied()
                            .filter(|&at| keep(has(at, u), has(at, v)))
                            .collect(),
                        prices: node.prices.clone(),
                    };
                    open.push(child(&|one, other| !(one && other)));
                    open.push(child(&|one, other| one == other));
                }
            }
        }
        let teams = self.found.map(|found| {
            found
                .iter()
                .map(|&at| self.bounding.teams(self.listed.column(at)))
                .collect()
        });
        let ended = if stopped {
            Ended::Stopped(teams)
        } else {
            Ended::Searched(teams)
        };
        (ended, certificate)
    }

    fn is_over(&self) -> bool {
        self.budget == 0 || is_over((self.watch)(&self.bounding.progress(PROOF, self.value)))
    }

    /// What is left to gain if lineups are worth `bound` at most; 0 or less if nothing is.
    fn open_gap(&self, bound: f64) -> f64 {
        bound - self.value - 3.0 * self.bounding.matches as f64 * ROUNDING
    }

    /// Solves a node's linear program with cuts, until nothing is left of it, or its bound gets no better.
    fn explore(&mut self, node: &mut Node, cut_rounds: usize) -> Fate {
        let mut cuts: Vec<Cut> = node.prices.cuts.iter().map(|cut| cut.0).collect();
        let mut known = self.best_of(&node.alive, &node.prices, FIRST * self.bounding.units.count());
        let mut best = f64::INFINITY;
        let mut rounds = 0;
        loop {
            if self.is_over() || !self.bounding.spend_on_program() {
                return Fate::Stopped;
            }
            self.budget = self.budget.saturating_sub(PROGRAM_COST);
            let columns = known.iter().map(|&at| self.listed.column(at));
            let units = &self.bounding.units;
            let progress = self.bounding.progress(PROOF, self.value);
            let stop = || is_over((self.watch)(&progress));
            let Some(solution) =
                master::solve(units, columns, &cuts, self.bounding.matches, TOLERANCE, &stop)
            else {
                return Fate::Stopped;
            };
            let prices = prices_of(&solution, &cuts);
            let reduced = self.listed.reduced(&node.alive, &prices);
            let greatest = reduced.iter().copied().fold(0.0, f64::max).max(prices.excess);
            let bound = solution.value(self.bounding.matches)
                + self.bounding.matches as f64 * (greatest - prices.excess);
            if bound < best {
                best = bound;
                node.prices = Prices {
                    excess: greatest,
                    ..prices.clone()
                };
            }
            let gap = self.open_gap(bound);
            if gap <= 0.0 {
                return Fate::Done;
            }
            let mut entering: Vec<(f64, u32)> = Vec::new();
            let mut alive = Vec::with_capacity(node.alive.len());
            for (&at, &reduced) in node.alive.iter().zip(&reduced) {
                if greatest - reduced < gap {
                    alive.push(at);
                    if reduced > prices.excess + 1e-7 {
                        entering.push((reduced, at));
                    }
                }
            }
            node.alive = alive;
            // A program that rounding kept from its optimum asks for matches that it has.
            entering.retain(|(_, at)| known.binary_search(at).is_err());
            if !entering.is_empty() {
                known.retain(|at| node.alive.binary_search(at).is_ok());
                entering.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                entering.truncate(MORE * self.bounding.units.count());
                known.extend(entering.into_iter().map(|entry| entry.1));
                known.sort_unstable();
                known.dedup();
                continue;
            }
            if node.alive.len() <= self.few
                && let Some(fate) = self.cover(node)
            {
                return fate;
            }
            let taken = solution.taken(known.iter().map(|&at| self.listed.column(at)));
            let violated = cuts::violated(&taken, units.count(), CUTS);
            let fresh: Vec<Cut> = violated.into_iter().filter(|cut| !cuts.contains(cut)).collect();
            if fresh.is_empty() || rounds == cut_rounds {
                let shares = known.iter().copied().zip(solution.shares.iter().copied());
                if let Some(pair) = self.branch_on(shares) {
                    return Fate::Open(pair);
                }
                // All is whole: nothing but rounding is left, which the exact cover looks through.
                return self.cover(node).unwrap_or(Fate::Stopped);
            }
            rounds += 1;
            // Cuts that pay nothing only make the program larger.
            cuts = solution
                .cuts
                .iter()
                .zip(&cuts)
                .filter(|(dual, _)| **dual > 1e-7)
                .map(|(_, &cut)| cut)
                .collect();
            cuts.extend(fresh);
            known.retain(|at| node.alive.binary_search(at).is_ok());
        }
    }

    /// The matches with the greatest reduced values, rising.
    fn best_of(&self, alive: &[u32], prices: &Prices, most: usize) -> Vec<u32> {
        let reduced = self.listed.reduced(alive, prices);
        let mut order: Vec<usize> = (0..alive.len()).collect();
        if alive.len() > most {
            order.select_nth_unstable_by(most, |&a, &b| reduced[b].total_cmp(&reduced[a]).then(a.cmp(&b)));
            order.truncate(most);
        }
        let mut best: Vec<u32> = order.into_iter().map(|place| alive[place]).collect();
        best.sort_unstable();
        best
    }

    /// Searches a node of few matches to the end; `None` if that takes too long.
    fn cover(&mut self, node: &Node) -> Option<Fate> {
        let prices = &node.prices;
        let certificate = LobbyCertificate {
            duals: prices.duals.clone(),
            cuts: prices.cuts.clone(),
            excess: prices.excess,
            bound: certified(prices, self.bounding.matches),
        };
        let reduced = self.listed.reduced(&node.alive, prices);
        let choices: Vec<Choice> = node
            .alive
            .iter()
            .zip(reduced)
            .map(|(&at, reduced)| Choice {
                units: self.listed.units(at).to_vec(),
                loss: (prices.excess - reduced).max(0.0),
            })
            .collect();
        let nodes = COVER_NODES.min(self.budget);
        let (fate, chosen) = match self
            .bounding
            .cover(&certificate, &choices, self.value, nodes, self.watch)
        {
            Cover::None => (Some(Fate::Done), None),
            Cover::Best(chosen, loss) => (Some(Fate::Done), Some((chosen, loss))),
            Cover::Stopped(found) => (None, found),
        };
        if let Some((chosen, loss)) = chosen {
            self.value = certificate.bound - loss;
            self.found = Some(chosen.into_iter().map(|place| node.alive[place]).collect());
        }
        fate
    }

    /// Two units that meet in about half of what the program takes; `None` if all is whole.
    fn branch_on(&self, shares: impl Iterator<Item = (u32, f64)>) -> Option<[u32; 2]> {
        let count = self.bounding.units.count();
        let mut meetings = vec![0.0; count * count];
        for (at, share) in shares.filter(|(_, share)| *share >= 1e-6) {
            let units = self.listed.units(at);
            for (k, &u) in units.iter().enumerate() {
                for &v in &units[k + 1..] {
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
}

/// The solution's duals, as what matches pay.
fn prices_of(solution: &Solution, cuts: &[Cut]) -> Prices {
    Prices {
        duals: solution.duals.clone(),
        cuts: cuts.iter().copied().zip(solution.cuts.iter().copied()).collect(),
        excess: solution.excess,
    }
}

/// What no lineup exceeds if no match is worth more than it pays.
fn certified(prices: &Prices, matches: usize) -> f64 {
    prices.duals.iter().sum::<f64>()
        + prices.cuts.iter().map(|cut| cut.1).sum::<f64>()
        + matches as f64 * prices.excess
}
