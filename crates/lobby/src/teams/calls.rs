//! Splits judged by asking the objective.

use super::SplitError;
use super::climb::{Exchange, Judge};
use super::group::{Group, checked_quality};
use crate::LobbyObjective;

/// Knows the quality of each two teams, and asks anew where an exchange changes one of them.
pub(super) struct Calls<'a> {
    group: &'a Group,
    objective: &'a dyn LobbyObjective,
    /// Units of each team.
    teams: Vec<Vec<usize>>,
    /// Of teams p < q at [p][q].
    qualities: Vec<Vec<f64>>,
    value: f64,
    /// The last exchange asked about, and what it came to: if it is made, nothing need be asked again.
    about: Exchange,
    asked: Vec<Vec<f64>>,
    /// What a match counts as that is forbidden: so little that no split with it is above one without.
    forbidden: f64,
    /// The first answer that was no quality; from then on nothing is asked.
    error: Option<SplitError>,
}

impl<'a> Calls<'a> {
    pub(super) fn new(group: &'a Group, objective: &'a dyn LobbyObjective) -> Self {
        let teams = group.sizes().len();
        Self {
            group,
            objective,
            teams: vec![Vec::new(); teams],
            qualities: vec![vec![0.0; teams]; teams],
            value: 0.0,
            about: Exchange::default(),
            forbidden: -((teams * teams) as f64),
            asked: vec![vec![0.0; teams]; teams],
            error: None,
        }
    }

    /// What was wrong with an answer, if any was.
    pub(super) fn error(self) -> Option<SplitError> {
        self.error
    }

    fn ask(&mut self, team_a: &[usize], team_b: &[usize]) -> f64 {
        if self.error.is_some() {
            return self.forbidden;
        }
        match checked_quality(self.objective, team_a, team_b) {
            Ok(quality) => quality.unwrap_or(self.forbidden),
            Err(error) => {
                self.error = Some(error);
                self.forbidden
            }
        }
    }

    /// The players of these units.
    fn players(&self, units: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut places: Vec<usize> = units.flat_map(|u| &self.group.units()[u]).copied().collect();
        places.sort_unstable();
        places
            .into_iter()
            .map(|place| self.group.players()[place])
            .collect()
    }

    fn combined(&self, qualities: &[Vec<f64>]) -> f64 {
        let pairs = qualities
            .iter()
            .enumerate()
            .flat_map(|(p, row)| row[p + 1..].iter().copied());
        self.group.across().of(pairs)
    }

    fn after_teams(&self, exchange: &Exchange) -> [Vec<usize>; 2] {
        let side = |team: usize, leave: &[usize], come: &[usize]| {
            let stay = self.teams[team]
                .iter()
                .copied()
                .filter(|unit| !leave.contains(unit));
            self.players(stay.chain(come.iter().copied()))
        };
        [
            side(exchange.p, &exchange.out, &exchange.back),
            side(exchange.q, &exchange.back, &exchange.out),
        ]
    }
}

impl Judge for Calls<'_> {
    fn value(&self) -> f64 {
        self.value
    }

    fn after(&mut self, exchange: &Exchange, _: f64) -> f64 {
        let (p, q) = (exchange.p, exchange.q);
        let changed = self.after_teams(exchange);
        let mut asked = std::mem::take(&mut self.asked);
        asked.clone_from(&self.qualities);
        for r in 0..self.teams.len() {
            for (team, players) in [p, q].into_iter().zip(&changed) {
                if r == team || (r == p && team == q) {
                    continue;
                }
                let other = if r == q {
                    changed[1].clone()
                } else {
                    self.players(self.teams[r].iter().copied())
                };
                asked[team.min(r)][team.max(r)] = if team < r {
                    self.ask(players, &other)
                } else {
                    self.ask(&other, players)
                };
            }
        }
        self.asked = asked;
        self.about.clone_from(exchange);
        self.combined(&self.asked)
    }

    fn make(&mut self, exchange: &Exchange) {
        if self.about != *exchange {
            self.after(exchange, f64::NEG_INFINITY);
        }
        self.about = Exchange::default();
        std::mem::swap(&mut self.qualities, &mut self.asked);
        self.value = self.combined(&self.qualities);
        for (team, leave, come) in [
            (exchange.p, &exchange.out, &exchange.back),
            (exchange.q, &exchange.back, &exchange.out),
        ] {
            self.teams[team].retain(|unit| !leave.contains(unit));
            self.teams[team].extend(come);
        }
    }

    fn place(&mut self, team_of: &[usize]) {
        self.about = Exchange::default();
        for (team, units) in self.teams.iter_mut().enumerate() {
            units.clear();
            units.extend((0..team_of.len()).filter(|&unit| team_of[unit] == team));
        }
        let players: Vec<_> = self
            .teams
            .iter()
            .map(|team| self.players(team.iter().copied()))
            .collect();
        for p in 0..players.len() {
            for q in p + 1..players.len() {
                self.qualities[p][q] = self.ask(&players[p], &players[q]);
            }
        }
        self.value = self.combined(&self.qualities);
    }
}
