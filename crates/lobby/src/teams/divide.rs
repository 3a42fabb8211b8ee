//! The best split of a few units into two teams, by terms: all splits are tried.

use matchwright_solver::{Meter, Progress, Status};

use crate::progress::SPLITS;
use crate::unit_terms::UnitTerms;

/// Splits between two looks at the watch.
const BLOCK: u64 = 4096;

/// The team (0 or 1) of each unit in the best split, the first of several; `None` if all are forbidden. And the limit
/// that ended the search, if one did: a split is one unit of work.
///
/// Depth first over units: pair terms are summed on the way down, so that a full split costs its balances alone. In
/// teams of one size the first unit is in the first team, as swapping sides changes nothing.
pub(crate) fn best_division(
    units: &UnitTerms<'_>,
    sizes: (usize, usize),
    meter: &Meter<'_>,
) -> (Option<Vec<usize>>, Result<(), Status>) {
    let mut search = Search {
        units,
        sizes: [sizes.0, sizes.1],
        team_of: Vec::with_capacity(units.count()),
        sums: vec![[0.0; 2]; units.terms.balances().len()],
        best: None,
        splits: 0,
        meter,
    };
    let ended = search.place([sizes.0, sizes.1], 0.0);
    (search.best.map(|best| best.1), ended)
}

struct Search<'a> {
    units: &'a UnitTerms<'a>,
    sizes: [usize; 2],
    team_of: Vec<usize>,
    /// Of each balance the sums of levels in both teams.
    sums: Vec<[f64; 2]>,
    best: Option<(f64, Vec<usize>)>,
    splits: u64,
    meter: &'a Meter<'a>,
}

impl Search<'_> {
    /// Places the next unit in each team that has room; the pairs so far sum to `pairs`.
    fn place(&mut self, room: [usize; 2], pairs: f64) -> Result<(), Status> {
        let units = self.units;
        let unit = self.team_of.len();
        if unit == units.count() {
            return self.complete(pairs);
        }
        // A unit may be forbidden by itself.
        let mut gains = [units.own[unit]; 2];
        let (together, against) = (units.together(unit), units.against(unit));
        for (other, &team) in self.team_of.iter().enumerate() {
            gains[team] += together[other];
            gains[1 - team] += against[other];
        }
        let is_first_of_equals = unit == 0 && self.sizes[0] == self.sizes[1];
        for team in 0..if is_first_of_equals { 1 } else { 2 } {
            let left = room[team].checked_sub(units.sizes[unit]);
            let Some(left) = left.filter(|_| gains[team] > f64::NEG_INFINITY) else {
                continue;
            };
            let mut after = room;
            after[team] = left;
            self.shift(unit, team, 1.0);
            self.team_of.push(team);
            let placed = self.place(after, pairs + gains[team]);
            self.team_of.pop();
            self.shift(unit, team, -1.0);
            placed?;
        }
        Ok(())
    }

    /// Evaluates a full split.
    fn complete(&mut self, pairs: f64) -> Result<(), Status> {
        let means = |sums: &[f64; 2]| [0, 1].map(|team| sums[team] / self.sizes[team].max(1) as f64);
        let balances = self
            .units
            .terms
            .balances()
            .iter()
            .zip(self.sums.iter().map(means));
        let value = pairs
            + balances
                .map(|(balance, [a, b])| balance.worth(a - b))
                .sum::<f64>();
        if self.best.as_ref().is_none_or(|best| value > best.0) {
            self.best = Some((value, self.team_of.clone()));
        }
        self.splits += 1;
        if self.splits.is_multiple_of(BLOCK) {
            self.meter.check(Progress::new(SPLITS))?;
        }
        Ok(())
    }

    /// Adds a unit's levels to a team's sums with a sign.
    fn shift(&mut self, unit: usize, team: usize, sign: f64) {
        for (sums, level) in self.sums.iter_mut().zip(self.units.levels(unit)) {
            sums[team] += sign * level;
        }
    }
}
