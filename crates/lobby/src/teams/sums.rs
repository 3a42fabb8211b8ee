//! Splits judged by the terms of the objective, and what an exchange changes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::SplitError;
use super::climb::{Exchange, Judge};
use super::group::Group;
use super::relaxed::Relaxed;
use super::table::{Table, has_links, size_of};
use crate::{LobbyObjective, LobbyTerms};

/// By how much an objective may differ from its terms, and a little for rounding.
const AGREEMENT: f64 = 1e-8;

/// Keeps, for each unit and team, what the unit adds to the team as a mate and as an opponent.
///
/// An exchange of two units is judged in O(k) for k teams, and made in O(units). Links are no part of it: for two
/// teams they are the same in every split, and for more there are no sums.
pub(super) struct Sums<'a> {
    group: &'a Group,
    teams: usize,
    /// The tables of each pair of sizes that meet.
    tables: Vec<Table>,
    /// Which table is that of teams p and q, at p k + q, both ways.
    table_of: Vec<usize>,
    team_of: Vec<usize>,
    /// Pair terms of teams p and q, at p k + q with p < q, and what their balances are worth.
    linear: Vec<f64>,
    balanced: Vec<f64>,
    value: f64,
    /// The size of all pair terms together: no sum of some of them is less than minus that unless one forbids its
    /// pair.
    size: f64,
    /// Values after an exchange.
    scratch: Vec<f64>,
}

impl<'a> Sums<'a> {
    /// `None` if the objective has no terms, or such as do not add up over more than two teams.
    pub(super) fn new(group: &'a Group, objective: &dyn LobbyObjective) -> Result<Option<Self>, SplitError> {
        let (sizes, teams) = (group.sizes(), group.sizes().len());
        let mut of_sizes: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let mut all_terms = Vec::new();
        let mut table_of = vec![0; teams * teams];
        for p in 0..teams {
            for q in p + 1..teams {
                let key = [sizes[p].min(sizes[q]), sizes[p].max(sizes[q])];
                if let Entry::Vacant(entry) = of_sizes.entry(key) {
                    let Some(terms) = objective.terms(group.players(), (sizes[p], sizes[q])) else {
                        return Ok(None);
                    };
                    let (players, given) = (group.players().len(), terms.players());
                    if players != given {
                        return Err(SplitError::TermsOfOthers { players, given });
                    }
                    if teams > 2 && has_links(&terms) {
                        return Ok(None);
                    }
                    entry.insert(all_terms.len());
                    all_terms.push(terms);
                }
                table_of[p * teams + q] = of_sizes[&key];
                table_of[q * teams + p] = of_sizes[&key];
            }
        }
        let matches = (teams * (teams - 1) / 2) as f64;
        let size = all_terms.iter().map(size_of).fold(0.0, f64::max);
        // So much less than anything that a split with a forbidden pair is always below one without.
        let forbidden = -((matches + 1.0) * (size + 1.0) + 1.0);
        let all_terms = all_terms.into_iter();
        let tables: Vec<Table> = all_terms
            .map(|terms| Table::new(group, terms, forbidden))
            .collect();
        let torn = |u: usize| tables.iter().all(|table| table.inside[u] < -size - 0.5);
        if (0..group.units().len()).any(torn) {
            return Err(SplitError::NoAllowedSplit { tried: 0 });
        }
        Ok(Some(Self {
            group,
            teams,
            tables,
            table_of,
            team_of: vec![0; group.units().len()],
            linear: vec![0.0; teams * teams],
            balanced: vec![0.0; teams * teams],
            value: 0.0,
            size,
            scratch: Vec::new(),
        }))
    }

    pub(super) fn group(&self) -> &'a Group {
        self.group
    }

    /// The terms of the first two teams: of all, if they are of one size or two.
    pub(super) fn terms(&self) -> &LobbyTerms {
        &self.tables[0].terms
    }

    /// A level of each unit by which a first split may be balanced: of the balance that is worth most, 0 if there is
    /// none.
    pub(super) fn leading_levels(&self) -> Vec<f64> {
        let balances = self.terms().balances().iter().enumerate();
        let leading = balances.max_by(|a, b| a.1.most().total_cmp(&b.1.most()).then(b.0.cmp(&a.0)));
        leading.map_or_else(
            || vec![0.0; self.team_of.len()],
            |(balance, _)| self.tables[0].levels[balance].clone(),
        )
    }

    /// Sums of levels by balance, then unit, of the first table.
    pub(super) fn levels(&self) -> &[Vec<f64>] {
        &self.tables[0].levels
    }

    /// The sum of the terms of two teams, links left out, not clamped.
    pub(super) fn raw(&self) -> f64 {
        self.linear[1] + self.balanced[1]
    }

    /// Whether links are part of what is left out.
    pub(super) fn has_links(&self) -> bool {
        has_links(self.terms())
    }

    /// Whether a split has a forbidden pair, from its value.
    pub(super) fn forbids(&self, value: f64) -> bool {
        value < -self.size - 1.0 / (self.teams * self.teams) as f64
    }

    /// What no split's value exceeds: a constant, what all balances are worth at most, and the gains of pairs of
    /// units of one team.
    ///
    /// The term t of two mates counts in the matches of their team against k - 1 others, and the term a of two
    /// opponents in one of k (k - 1) / 2: so a pair of one team gains ((k - 1) t - a) / (k (k - 1) / 2). Where terms
    /// differ with the sizes of teams, the largest count. For more than two teams terms below 0 count as 0, since a
    /// match of less than 0 does.
    pub(super) fn relaxed(&self) -> Relaxed {
        let (n, k) = (self.team_of.len(), self.teams);
        let (rounds, matches) = ((k - 1) as f64, (k * (k - 1) / 2) as f64);
        let floor = if k == 2 { f64::NEG_INFINITY } else { 0.0 };
        let largest = |of: &dyn Fn(&Table) -> f64| {
            let counted = self.tables.iter().map(|table| of(table).max(floor));
            counted.fold(f64::NEG_INFINITY, f64::max)
        };
        let forbidden =
            |of: &dyn Fn(&Table) -> f64| self.tables.iter().all(|table| of(table) < -self.size - 0.5);
        let mut relaxed = Relaxed::new(self.group, largest(&|table| table.most));
        for u in 0..n {
            relaxed.constant += rounds * largest(&|table| table.inside[u]) / matches;
            for v in u + 1..n {
                let at = u * n + v;
                let never = forbidden(&|table| table.together[at]);
                let always = forbidden(&|table| table.against[at]);
                let together = (!never).then(|| rounds * largest(&|table| table.together[at]) / matches);
                let against = (!always).then(|| largest(&|table| table.against[at]) / matches);
                relaxed.pair(u, v, together, against);
            }
        }
        relaxed.force();
        relaxed
    }

    /// Whether the terms of all matches are what the objective says.
    pub(super) fn agree(
        &self,
        teams: &[Vec<usize>],
        objective: &dyn LobbyObjective,
    ) -> Result<(), SplitError> {
        let players = self.group.players().iter().zip(0..);
        let places: BTreeMap<usize, usize> = players.map(|(&player, place)| (player, place)).collect();
        let of = |team: &[usize]| -> Vec<usize> { team.iter().map(|player| places[player]).collect() };
        for p in 0..teams.len() {
            for q in p + 1..teams.len() {
                let terms = &self.tables[self.table_of[p * self.teams + q]].terms;
                let terms = terms.quality(&of(&teams[p]), &of(&teams[q]));
                let quality = objective.quality(&teams[p], &teams[q]);
                let agree = match (quality, terms) {
                    (Some(quality), Some(terms)) => (quality - terms).abs() <= AGREEMENT,
                    (quality, terms) => quality.is_none() && terms.is_none(),
                };
                if !agree {
                    return Err(SplitError::TermsDisagree {
                        team_a: teams[p].clone(),
                        team_b: teams[q].clone(),
                        quality,
                        terms,
                    });
                }
            }
        }
        Ok(())
    }

    /// Pair terms of p and q after an exchange between them.
    fn linear_between(&self, exchange: &Exchange) -> f64 {
        let (p, q, k, n) = (exchange.p, exchange.q, self.teams, self.team_of.len());
        let table = &self.tables[self.table_of[p * k + q]];
        let gain = |u: usize, to: usize, from: usize| {
            let (to, from) = (u * k + to, u * k + from);
            (table.mates[to] - table.rivals[to]) - (table.mates[from] - table.rivals[from])
        };
        let pair = |u: usize, v: usize| table.together[u * n + v] - table.against[u * n + v];
        let mut change = 0.0;
        for (at, &u) in exchange.out.iter().enumerate() {
            change += gain(u, q, p);
            change += 2.0 * exchange.out[..at].iter().map(|&v| pair(u, v)).sum::<f64>();
            change -= 2.0 * exchange.back.iter().map(|&v| pair(u, v)).sum::<f64>();
        }
        for (at, &u) in exchange.back.iter().enumerate() {
            change += gain(u, p, q);
            change += 2.0 * exchange.back[..at].iter().map(|&v| pair(u, v)).sum::<f64>();
        }
        self.linear[p.min(q) * k + p.max(q)] + change
    }

    /// Pair terms of `team` and a third team r after `leave` went from `team` and `come` came.
    fn linear_beside(&self, team: usize, r: usize, leave: &[usize], come: &[usize]) -> f64 {
        let (k, n) = (self.teams, self.team_of.len());
        let table = &self.tables[self.table_of[team * k + r]];
        let pairs = |units: &[usize]| -> f64 {
            let pairs = units.iter().enumerate();
            pairs
                .map(|(at, &u)| {
                    units[..at]
                        .iter()
                        .map(|&v| table.together[u * n + v])
                        .sum::<f64>()
                })
                .sum()
        };
        let mut change = pairs(leave) + pairs(come);
        for &u in leave {
            change -= table.mates[u * k + team] + table.rivals[u * k + r] + table.inside[u];
            change -= come.iter().map(|&v| table.together[u * n + v]).sum::<f64>();
        }
        for &v in come {
            change += table.mates[v * k + team] + table.rivals[v * k + r] + table.inside[v];
        }
        self.linear[team.min(r) * k + team.max(r)] + change
    }

    /// The value after an exchange between the only two teams, or a bound on it as soon as that is no more than
    /// `above`.
    fn after_of_two(&self, exchange: &Exchange, above: f64) -> f64 {
        let table = &self.tables[0];
        let mut most = self.linear_between(exchange) + table.most;
        for (b, balance) in table.terms.balances().iter().enumerate() {
            if most.min(1.0) <= above {
                break;
            }
            most += table.balanced(b, exchange, [0, 1], self.group.sizes()) - balance.most();
        }
        most.min(1.0)
    }

    /// What balances of p and q are worth after the exchange; of teams that are no part of it as they are.
    fn balanced_after(&self, p: usize, q: usize, exchange: &Exchange) -> f64 {
        let table = &self.tables[self.table_of[p * self.teams + q]];
        let balances = 0..table.levels.len();
        balances
            .map(|b| table.balanced(b, exchange, [p, q], self.group.sizes()))
            .sum()
    }

    /// The value of all matches, when that of each two teams is this.
    fn combined(&self, linear: &[f64], balanced: &[f64]) -> f64 {
        let k = self.teams;
        let pairs = (0..k).flat_map(|p| (p + 1..k).map(move |q| p * k + q));
        self.group
            .across()
            .of(pairs.map(|at| (linear[at] + balanced[at]).min(1.0)))
    }

    /// Pair terms and balances of each match that the exchange changes, by its place.
    fn changed(&self, exchange: &Exchange, mut with: impl FnMut(usize, f64, f64)) {
        let (p, q, k) = (exchange.p, exchange.q, self.teams);
        let at = |s: usize, t: usize| s.min(t) * k + s.max(t);
        with(
            at(p, q),
            self.linear_between(exchange),
            self.balanced_after(p, q, exchange),
        );
        for r in (0..k).filter(|&r| r != p && r != q) {
            let linear = self.linear_beside(p, r, &exchange.out, &exchange.back);
            with(at(p, r), linear, self.balanced_after(p, r, exchange));
            let linear = self.linear_beside(q, r, &exchange.back, &exchange.out);
            with(at(q, r), linear, self.balanced_after(q, r, exchange));
        }
    }
}

impl Judge for Sums<'_> {
    fn value(&self) -> f64 {
        self.value
    }

    fn after(&mut self, exchange: &Exchange, above: f64) -> f64 {
        if self.teams == 2 {
            return self.after_of_two(exchange, above);
        }
        let k = self.teams;
        let mut values = std::mem::take(&mut self.scratch);
        values.clear();
        values.extend(
            self.linear
                .iter()
                .zip(&self.balanced)
                .map(|(linear, worth)| linear + worth),
        );
        self.changed(exchange, |at, linear, worth| values[at] = linear + worth);
        let pairs = (0..k).flat_map(|p| (p + 1..k).map(move |q| p * k + q));
        let value = self.group.across().of(pairs.map(|at| values[at].min(1.0)));
        self.scratch = values;
        value
    }

    fn make(&mut self, exchange: &Exchange) {
        let mut changes = Vec::with_capacity(2 * self.teams);
        self.changed(exchange, |at, linear, worth| changes.push((at, linear, worth)));
        for (at, linear, worth) in changes {
            self.linear[at] = linear;
            self.balanced[at] = worth;
        }
        self.value = self.combined(&self.linear, &self.balanced);
        for (units, from, to) in [
            (&exchange.out, exchange.p, exchange.q),
            (&exchange.back, exchange.q, exchange.p),
        ] {
            for &unit in units {
                self.team_of[unit] = to;
                for table in &mut self.tables {
                    table.move_unit(unit, from, to, self.teams);
                }
            }
        }
    }

    fn place(&mut self, team_of: &[usize]) {
        self.team_of.copy_from_slice(team_of);
        let (n, k) = (team_of.len(), self.teams);
        for table in &mut self.tables {
            table.place(team_of, k);
        }
        let nothing = Exchange {
            p: usize::MAX,
            q: usize::MAX,
            ..Exchange::default()
        };
        for p in 0..k {
            for q in p + 1..k {
                let table = &self.tables[self.table_of[p * k + q]];
                let twice = |u: usize| {
                    let (own, other) = if team_of[u] == p { (p, q) } else { (q, p) };
                    table.mates[u * k + own] + table.rivals[u * k + other]
                };
                let inside = |u: usize| team_of[u] == p || team_of[u] == q;
                let sum = |of: &dyn Fn(usize) -> f64| (0..n).filter(|&u| inside(u)).map(of).sum::<f64>();
                let linear = sum(&twice) / 2.0 + sum(&|u| table.inside[u]);
                let balanced = self.balanced_after(p, q, &nothing);
                (self.linear[p * k + q], self.balanced[p * k + q]) = (linear, balanced);
            }
        }
        self.value = self.combined(&self.linear, &self.balanced);
    }
}
