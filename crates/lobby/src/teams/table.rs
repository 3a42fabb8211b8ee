//! The terms of one pair of sizes, by units, and what each unit adds to each team.

use super::climb::Exchange;
use super::group::Group;
use crate::LobbyTerms;

/// The terms of matches between teams of two sizes, by units.
pub(super) struct Table {
    pub(super) terms: LobbyTerms,
    /// Of units u and v at u n + v, one below all else where forbidden.
    pub(super) together: Vec<f64>,
    pub(super) against: Vec<f64>,
    /// Of the players within each unit.
    pub(super) inside: Vec<f64>,
    /// Sums of levels by balance, then unit.
    pub(super) levels: Vec<Vec<f64>>,
    /// What all balances are worth at most.
    pub(super) most: f64,
    /// What unit u adds to team t as a mate, and as an opponent, at u k + t.
    pub(super) mates: Vec<f64>,
    pub(super) rivals: Vec<f64>,
    /// Sums of levels by balance, then team.
    pub(super) team_levels: Vec<Vec<f64>>,
}

impl Table {
    pub(super) fn new(group: &Group, terms: LobbyTerms, forbidden: f64) -> Self {
        let (units, n) = (group.units(), group.units().len());
        let players = group.players().len();
        let mut unit_of = vec![0; players];
        for (unit, places) in units.iter().enumerate() {
            for &place in places {
                unit_of[place] = unit;
            }
        }
        let number = |term: f64| if term.is_finite() { term } else { forbidden };
        let (mut together, mut against) = (vec![0.0; n * n], vec![0.0; n * n]);
        let mut inside = vec![0.0; n];
        for i in 0..players {
            let (row, u) = (terms.row(i), unit_of[i]);
            for (j, &[mate, rival]) in row.iter().enumerate() {
                let v = unit_of[j];
                if u != v {
                    together[u * n + v] += number(mate);
                    against[u * n + v] += number(rival);
                } else if j < i {
                    inside[u] += number(mate);
                }
            }
        }
        let sums = |levels: &[f64]| {
            units
                .iter()
                .map(|unit| unit.iter().map(|&i| levels[i]).sum())
                .collect()
        };
        let levels: Vec<Vec<f64>> = terms
            .balances()
            .iter()
            .map(|balance| sums(balance.levels()))
            .collect();
        Self {
            together,
            against,
            inside,
            most: terms.balances().iter().map(crate::Balance::most).sum(),
            mates: Vec::new(),
            rivals: Vec::new(),
            team_levels: vec![Vec::new(); levels.len()],
            levels,
            terms,
        }
    }

    /// What a balance of teams p and q is worth after the exchange.
    pub(super) fn balanced(
        &self,
        balance: usize,
        exchange: &Exchange,
        [p, q]: [usize; 2],
        sizes: &[usize],
    ) -> f64 {
        let (levels, sums) = (&self.levels[balance], &self.team_levels[balance]);
        let moved = |units: &[usize]| units.iter().map(|&u| levels[u]).sum::<f64>();
        let mean = |team: usize| {
            let mut sum = sums[team];
            if team == exchange.p {
                sum += moved(&exchange.back) - moved(&exchange.out);
            } else if team == exchange.q {
                sum += moved(&exchange.out) - moved(&exchange.back);
            }
            sum / sizes[team].max(1) as f64
        };
        self.terms.balances()[balance].worth(mean(p) - mean(q))
    }

    pub(super) fn place(&mut self, team_of: &[usize], k: usize) {
        let n = team_of.len();
        self.mates = vec![0.0; n * k];
        self.rivals = vec![0.0; n * k];
        for u in 0..n {
            for (v, &team) in team_of.iter().enumerate() {
                self.mates[u * k + team] += self.together[u * n + v];
                self.rivals[u * k + team] += self.against[u * n + v];
            }
        }
        for (levels, teams) in self.levels.iter().zip(&mut self.team_levels) {
            *teams = vec![0.0; k];
            for (u, &team) in team_of.iter().enumerate() {
                teams[team] += levels[u];
            }
        }
    }

    pub(super) fn move_unit(&mut self, unit: usize, from: usize, to: usize, k: usize) {
        let n = self.inside.len();
        let (together, against) = (&self.together[unit * n..][..n], &self.against[unit * n..][..n]);
        for v in 0..n {
            self.mates[v * k + from] -= together[v];
            self.mates[v * k + to] += together[v];
            self.rivals[v * k + from] -= against[v];
            self.rivals[v * k + to] += against[v];
        }
        for (levels, teams) in self.levels.iter().zip(&mut self.team_levels) {
            teams[from] -= levels[unit];
            teams[to] += levels[unit];
        }
    }
}

/// Whether links are worth anything: someone alone is linked with all others, of whom there are none.
pub(super) fn has_links(terms: &LobbyTerms) -> bool {
    terms.players() > 0 && terms.linked_with_all(&[0]) > 0
}

/// The size of all pair terms together, what is forbidden left out.
pub(super) fn size_of(terms: &LobbyTerms) -> f64 {
    let rows = (0..terms.players()).flat_map(|i| terms.row(i)[..i].iter().flatten());
    rows.filter(|term| term.is_finite()).map(|term| term.abs()).sum()
}
