//! What an exchange gains, asked of an objective that does not say how it adds up.

use super::judge::Judge;
use super::seats::{Exchange, Seats};
use crate::objective::LobbyObjective;
use crate::pool::LobbyPool;

/// What a forbidden match is worth: less than all others cost, yet a number, so that a search can leave it behind.
const FORBIDDEN: f32 = -1e3;

/// Judges by the objective's own quality: two calls an exchange.
pub(crate) struct Asked<'a> {
    objective: &'a dyn LobbyObjective,
    /// The objective's number of each player of the pool.
    names: &'a [usize],
    prices: Vec<f32>,
    values: Vec<f32>,
    /// The matches of the exchange asked last, and their values after it.
    last: [(usize, f32); 2],
    teams: [Vec<usize>; 2],
}

impl<'a> Asked<'a> {
    pub(crate) fn new(
        pool: &LobbyPool,
        objective: &'a dyn LobbyObjective,
        names: &'a [usize],
        seats: &Seats,
    ) -> Self {
        let mut judge = Self {
            objective,
            names,
            #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
            prices: pool.prices().iter().map(|&price| price as f32).collect(),
            values: Vec::with_capacity(seats.matches()),
            last: [(usize::MAX, 0.0); 2],
            teams: [Vec::new(), Vec::new()],
        };
        for index in 0..seats.matches() {
            let value = judge.ask(seats, index, &[], &[]);
            judge.values.push(value);
        }
        judge
    }

    /// The match's value if the players of `leave` were replaced by those of `join`, and the other way round.
    fn ask(&mut self, seats: &Seats, index: usize, leave: &[u32], join: &[u32]) -> f32 {
        for side in 0..2 {
            let team = &mut self.teams[side];
            team.clear();
            for player in seats.team(2 * index + side) {
                let at = |list: &[u32]| list.iter().position(|other| other == player);
                let now = at(leave).map(|k| join[k]).or_else(|| at(join).map(|k| leave[k]));
                team.push(self.names[now.unwrap_or(*player) as usize]);
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
        match self.objective.quality(&self.teams[0], &self.teams[1]) {
            Some(quality) if (0.0..=1.0).contains(&quality) => quality as f32,
            _ => FORBIDDEN,
        }
    }
}

impl Judge for Asked<'_> {
    fn gain_above(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32> {
        let mut gain = 0.0;
        if exchange.from == seats.bench() {
            gain += self.price(&exchange.out) - self.price(&exchange.back);
        } else if exchange.to == seats.bench() {
            gain += self.price(&exchange.back) - self.price(&exchange.out);
        }
        self.last = [(usize::MAX, 0.0); 2];
        let (one, other) = (exchange.from / 2, exchange.to / 2);
        for (at, index) in [one, other].into_iter().enumerate() {
            if index < seats.matches() && (at == 0 || other != one) {
                let value = self.ask(seats, index, &exchange.out, &exchange.back);
                gain += value - self.values[index];
                self.last[at] = (index, value);
            }
        }
        (gain >= least).then_some(gain)
    }

    fn moved(&mut self, _: &Seats, _: &Exchange) {
        for (index, value) in self.last {
            if let Some(known) = self.values.get_mut(index) {
                *known = value;
            }
        }
    }

    fn value(&self, index: usize) -> f32 {
        self.values[index]
    }

    fn price(&self, players: &[u32]) -> f32 {
        players.iter().map(|&player| self.prices[player as usize]).sum()
    }
}
