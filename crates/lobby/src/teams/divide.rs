//! The best split of a few units into two teams, by terms: all allowed splits are tried.

use matchwright_solver::{Meter, Progress, Status};

use super::allowed::{Components, Merged};
use crate::progress::SPLITS;
use crate::random::SplitMix64;
use crate::unit_terms::UnitTerms;

/// Splits between two looks at the watch.
const BLOCK: u64 = 4096;

/// The team (0 or 1) of each unit in the best split, the first of several; `None` if all are forbidden. And the limit
/// that ended the search, if one did: a split is one unit of work.
pub(crate) fn best_division(
    units: &UnitTerms<'_>,
    sizes: (usize, usize),
    meter: &Meter<'_>,
) -> (Option<Vec<usize>>, Result<(), Status>) {
    match Components::new(units, sizes) {
        Some(components) => {
            let (best, ended) = best_allowed(&components, meter);
            (Some(best), ended)
        }
        None => (None, Ok(())),
    }
}

/// The same where some split is allowed.
///
/// Depth first over components: pair terms are summed on the way down, so that a full split costs its balances alone,
/// and no way is gone that cannot fill the teams. In teams of one size the first unit is in the first team, as swapping
/// sides changes nothing.
pub(super) fn best_allowed(
    components: &Components<'_>,
    meter: &Meter<'_>,
) -> (Vec<usize>, Result<(), Status>) {
    let mut search = Search {
        components,
        merged: components.merged(),
        turned: Vec::with_capacity(components.count()),
        sums: vec![[0.0; 2]; components.units.terms.balances().len()],
        best: (f64::NEG_INFINITY, components.draw(&mut SplitMix64(0))),
        splits: 0,
        meter,
    };
    let ended = search.place(components.team_sizes[0], 0.0);
    (components.teams(&search.best.1), ended)
}

struct Search<'a> {
    components: &'a Components<'a>,
    merged: Merged,
    /// The team of the first side of each component so far.
    turned: Vec<usize>,
    /// Of each balance the sums of levels in both teams.
    sums: Vec<[f64; 2]>,
    best: (f64, Vec<usize>),
    splits: u64,
    meter: &'a Meter<'a>,
}

impl Search<'_> {
    /// Turns the next component both ways, as far as the teams have room; the pairs so far sum to `pairs`.
    fn place(&mut self, room: usize, pairs: f64) -> Result<(), Status> {
        let component = self.turned.len();
        if component == self.components.count() {
            return self.complete(pairs);
        }
        let mut gains = [self.merged.own[component]; 2];
        let (together, against) = (self.merged.together(component), self.merged.against(component));
        for (other, &team) in self.turned.iter().enumerate() {
            gains[team] += together[other];
            gains[1 - team] += against[other];
        }
        let [a, b] = self.components.team_sizes;
        let ways = if component == 0 && a == b { 1 } else { 2 };
        for (team, gain) in gains.into_iter().enumerate().take(ways) {
            let Some(left) = self.components.room_after(component, team, room) else {
                continue;
            };
            self.merged.shift(component, team, 1.0, &mut self.sums);
            self.turned.push(team);
            let placed = self.place(left, pairs + gain);
            self.turned.pop();
            self.merged.shift(component, team, -1.0, &mut self.sums);
            placed?;
        }
        Ok(())
    }

    /// Evaluates a full split.
    fn complete(&mut self, pairs: f64) -> Result<(), Status> {
        let value = pairs + self.components.balanced(&self.sums);
        if value > self.best.0 {
            self.best = (value, self.turned.clone());
        }
        self.splits += 1;
        if self.splits.is_multiple_of(BLOCK) {
            self.meter.check(Progress::new(SPLITS))?;
        }
        Ok(())
    }
}
