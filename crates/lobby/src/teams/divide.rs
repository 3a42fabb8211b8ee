//! The best division of a few units between two teams, by terms: all of them are tried.

use crate::terms::{Balance, LobbyTerms};

/// The team (0 or 1) of each unit in the best division, the first of several; `None` if all are forbidden.
///
/// Units are places in the terms. Unit by unit: a division's pair terms are summed on the way down, so that an end costs
/// its balances alone. Of teams of one size the first unit is in the first team, as swapping sides changes nothing.
pub(crate) fn best_division(
    terms: &LobbyTerms,
    units: &[Vec<usize>],
    sizes: (usize, usize),
) -> Option<Vec<usize>> {
    let count = units.len();
    let sum = |u: usize, v: usize, side: usize| -> f64 {
        let rows = units[u].iter().map(|&i| terms.row(i));
        rows.map(|row| units[v].iter().map(|&j| row[j][side]).sum::<f64>())
            .sum()
    };
    let mut pairs = Vec::with_capacity(count * count);
    for u in 0..count {
        // What is within a unit is the same in every division, but it may be forbidden.
        let own = [0.5 * sum(u, u, 0), f64::NEG_INFINITY];
        pairs.extend((0..count).map(|v| if u == v { own } else { [sum(u, v, 0), sum(u, v, 1)] }));
    }
    let levels = |unit: &Vec<usize>| {
        let balances = terms.balances().iter().map(Balance::levels);
        balances
            .map(|levels| unit.iter().map(|&i| levels[i]).sum())
            .collect()
    };
    let mut search = Search {
        terms,
        pairs,
        unit_sizes: units.iter().map(Vec::len).collect(),
        levels: units.iter().map(levels).collect(),
        sizes: [sizes.0, sizes.1],
        team_of: Vec::with_capacity(count),
        sums: vec![[0.0; 2]; terms.balances().len()],
        best: None,
    };
    search.place([sizes.0, sizes.1], 0.0);
    search.best.map(|best| best.1)
}

struct Search<'a> {
    terms: &'a LobbyTerms,
    /// Of every two units the sums of their terms as mates and as opponents, row by row; of one with itself its own.
    pairs: Vec<[f64; 2]>,
    unit_sizes: Vec<usize>,
    /// Of each unit the sum of the levels in each balance.
    levels: Vec<Vec<f64>>,
    sizes: [usize; 2],
    team_of: Vec<usize>,
    /// Of each balance the sums of levels in both teams.
    sums: Vec<[f64; 2]>,
    best: Option<(f64, Vec<usize>)>,
}

impl Search<'_> {
    /// Places the next unit wherever it has room; the pairs so far sum to `pairs`.
    fn place(&mut self, room: [usize; 2], pairs: f64) {
        let unit = self.team_of.len();
        if unit == self.unit_sizes.len() {
            let value = pairs + self.balances();
            if self.best.as_ref().is_none_or(|best| value > best.0) {
                self.best = Some((value, self.team_of.clone()));
            }
            return;
        }
        let row = &self.pairs[unit * self.unit_sizes.len()..][..=unit];
        let teams = if unit == 0 && self.sizes[0] == self.sizes[1] {
            1
        } else {
            2
        };
        let mut gains = [row[unit][0]; 2];
        for (terms, &team) in row.iter().zip(&self.team_of) {
            gains[team] += terms[0];
            gains[1 - team] += terms[1];
        }
        for team in 0..teams {
            let mut left = room;
            let fits = room[team].checked_sub(self.unit_sizes[unit]);
            let Some(after) = fits.filter(|_| gains[team] > f64::NEG_INFINITY) else {
                continue;
            };
            left[team] = after;
            self.shift(unit, team, 1.0);
            self.team_of.push(team);
            self.place(left, pairs + gains[team]);
            self.team_of.pop();
            self.shift(unit, team, -1.0);
        }
    }

    /// Adds a unit's levels to a team's sums with a sign.
    fn shift(&mut self, unit: usize, team: usize, sign: f64) {
        for (sums, level) in self.sums.iter_mut().zip(&self.levels[unit]) {
            sums[team] += sign * level;
        }
    }

    fn balances(&self) -> f64 {
        let means = |sums: &[f64; 2]| [0, 1].map(|team| sums[team] / self.sizes[team].max(1) as f64);
        let balances = self.terms.balances().iter().zip(self.sums.iter().map(means));
        balances.map(|(balance, [a, b])| balance.worth(a - b)).sum()
    }
}
