//! Splits by annealing among those that forbidden pairs allow, by terms.

use matchwright_solver::{Limits, Progress};

use super::allowed::{Components, Merged};
use crate::progress::SPLITS;
use crate::random::SplitMix64;
use crate::search::Budget;

/// Components that are drawn for one proposal at most.
const DRAWS: usize = 32;

/// Temperatures begin and end at these multiples of the median difference that a proposal makes.
const HOT: f64 = 6.0;
const COLD: f64 = 0.02;

/// Proposals of a run, after which it is hot again: times the number of components to the third, and at least.
const RUN: f64 = 0.2;
const RUN_AT_LEAST: f64 = 1000.0;

/// Proposals at one temperature.
const BLOCK: u64 = 32;

/// The team of each unit in the best of the splits met, all of which are allowed.
///
/// A proposal turns components that make up for each other: the teams stay full. One proposal is one unit of work, the
/// first split none.
pub(super) fn split_by_turns(
    components: &Components<'_>,
    (tries, seed): (u64, u64),
    limits: &Limits<'_>,
) -> Vec<usize> {
    let mut bits = SplitMix64(seed);
    let mut turns = Turns::new(components, &mut bits);
    let mut best = (turns.value, turns.turned.clone());
    let time = || limits.watch().map_or(0.0, |watch| watch(&Progress::new(SPLITS)));
    let most = tries.min(limits.work().unwrap_or(u64::MAX));
    let budget = &mut Budget::new(most, &time);
    let mut differences = Vec::new();
    for _ in 0..budget.take_block(tries / 16) {
        if turns.propose(&mut bits) {
            differences.push(turns.gain().0.abs());
        }
    }
    differences.retain(|&difference| difference > 0.0);
    differences.sort_unstable_by(f64::total_cmp);
    let typical = differences.get(differences.len() / 2).copied().unwrap_or(0.0);
    let length = (RUN * (components.count() as f64).powi(3)).max(RUN_AT_LEAST);
    let runs = (most as f64 / length).round().max(1.0);
    loop {
        let share = budget.used();
        if share >= 1.0 {
            break;
        }
        let temperature = typical * HOT * (COLD / HOT).powf((share * runs).fract());
        for _ in 0..budget.take_block(BLOCK) {
            if !turns.propose(&mut bits) {
                continue;
            }
            let (gain, balanced) = turns.gain();
            if gain >= temperature * (1.0 - bits.unit()).ln() {
                turns.apply(gain, balanced);
                if turns.value > best.0 {
                    best = (turns.value, turns.turned.clone());
                }
            }
        }
    }
    components.teams(&best.1)
}

/// An allowed split, and a proposal to change it.
struct Turns<'a> {
    components: &'a Components<'a>,
    merged: Merged,
    /// The team of each component's first side.
    turned: Vec<usize>,
    /// What turning each component alone adds to the pair terms.
    pulls: Vec<f64>,
    /// Of each balance the sums of levels in both teams, and what balances are worth.
    sums: Vec<[f64; 2]>,
    balanced: f64,
    /// Pair terms and balances, from those of the first split on.
    value: f64,
    /// The components to turn.
    proposed: Vec<usize>,
}

impl<'a> Turns<'a> {
    fn new(components: &'a Components<'a>, bits: &mut SplitMix64) -> Self {
        let merged = components.merged();
        let turned = components.draw(bits);
        let mut sums = vec![[0.0; 2]; components.units.terms.balances().len()];
        for (component, &team) in turned.iter().enumerate() {
            merged.shift(component, team, 1.0, &mut sums);
        }
        let mut turns = Self {
            components,
            merged,
            turned,
            pulls: Vec::new(),
            balanced: components.balanced(&sums),
            sums,
            value: 0.0,
            proposed: Vec::new(),
        };
        turns.pulls = (0..components.count())
            .map(|c| (0..components.count()).map(|d| turns.pull(c, d)).sum())
            .collect();
        turns
    }

    /// What turning one of two components adds to their terms.
    fn pull(&self, c: usize, d: usize) -> f64 {
        let gain = self.merged.against(c)[d] - self.merged.together(c)[d];
        if self.turned[c] == self.turned[d] {
            gain
        } else {
            -gain
        }
    }

    /// Draws components until turning them leaves both teams full; false if that takes too long.
    fn propose(&mut self, bits: &mut SplitMix64) -> bool {
        self.proposed.clear();
        // Players that would leave the first team and that would join it.
        let (mut out, mut into) = (0, 0);
        for _ in 0..DRAWS {
            let component = bits.quick_below(self.turned.len());
            let sizes = self.components.sizes[component];
            let (leave, join) = (sizes[self.turned[component]], sizes[1 - self.turned[component]]);
            let helps = self.proposed.is_empty()
                || (leave.cmp(&join) == into.cmp(&out) && !self.proposed.contains(&component));
            if helps {
                self.proposed.push(component);
                (out, into) = (out + leave, into + join);
                if out == into {
                    return true;
                }
            }
        }
        false
    }

    /// What the proposal would add to the value, and what balances would be worth.
    fn gain(&mut self) -> (f64, f64) {
        let mut pairs = 0.0;
        for (at, &c) in self.proposed.iter().enumerate() {
            let among: f64 = self.proposed[..at].iter().map(|&d| self.pull(c, d)).sum();
            // Both turn, so that neither of their pulls counts.
            pairs += self.pulls[c] - 2.0 * among;
        }
        self.shift(1);
        let balanced = self.components.balanced(&self.sums);
        self.shift(0);
        (pairs + balanced - self.balanced, balanced)
    }

    /// Moves the levels of the proposal's components from team to team: there (1) or back (0).
    fn shift(&mut self, there: usize) {
        for &c in &self.proposed {
            let to = self.turned[c] ^ there;
            self.merged.shift(c, 1 - to, -1.0, &mut self.sums);
            self.merged.shift(c, to, 1.0, &mut self.sums);
        }
    }

    fn apply(&mut self, gain: f64, balanced: f64) {
        self.shift(1);
        (self.value, self.balanced) = (self.value + gain, balanced);
        for at in 0..self.proposed.len() {
            let c = self.proposed[at];
            for d in 0..self.turned.len() {
                if d != c {
                    let pull = self.pull(c, d);
                    self.pulls[d] -= 2.0 * pull;
                }
            }
            self.pulls[c] = -self.pulls[c];
            self.turned[c] = 1 - self.turned[c];
        }
    }
}
