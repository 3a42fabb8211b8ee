//! Evaluation of exchanges, and the evaluator for objectives without terms.

use super::noise::Noise;
use super::seats::{Exchange, Seats};
use crate::objective::LobbyObjective;
use crate::pool::LobbyPool;
use crate::random::SplitMix64;

/// The value of a lineup, kept up to date exchange by exchange.
///
/// A lineup is worth the sum of its matches' qualities less the unmatched penalties. A forbidden match counts as
/// dissolved: minus the unmatched penalties of its players.
pub(crate) trait Evaluator {
    /// By how much the exchange changes the value of the lineup; `None` if by less than `least`.
    fn gain(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32>;

    /// Takes note of the exchange evaluated last, which `seats` now has carried out.
    fn apply(&mut self, seats: &Seats, exchange: &Exchange);

    /// The value of a match.
    fn value(&self, index: usize) -> f32;

    /// What these players cost if they are unmatched.
    fn penalty(&self, players: &[u32]) -> f32;

    /// How well a player fits the own team; the same for all, if the objective does not tell.
    fn insertion_gain(&self, _: &Seats, _: u32) -> f32 {
        0.0
    }

    /// The player of this team's match, or of the bench, for whom to exchange `one`: by noisy gains of the given
    /// temperature, or at random if the objective does not tell.
    fn sample_swap(
        &self,
        seats: &Seats,
        _one: u32,
        team: usize,
        _temperature: f32,
        (bits, _): (&mut SplitMix64, &Noise),
    ) -> u32 {
        let players = seats.around(team);
        players[bits.quick_below(players.len())]
    }

    /// The value of the lineup.
    fn total(&self, seats: &Seats) -> f64 {
        let matches = (0..seats.matches()).map(|index| f64::from(self.value(index)));
        matches.sum::<f64>() - f64::from(self.penalty(seats.team(seats.bench())))
    }
}

/// Players of an objective without terms.
pub(crate) struct Calls<'a> {
    objective: &'a dyn LobbyObjective,
    /// The objective's number of each player.
    names: Vec<usize>,
    penalties: Vec<f32>,
}

impl<'a> Calls<'a> {
    /// All players of a pool.
    #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
    pub(crate) fn new(pool: &LobbyPool, objective: &'a dyn LobbyObjective) -> Self {
        Self {
            objective,
            names: (0..pool.players()).collect(),
            penalties: pool
                .unmatched_penalties()
                .iter()
                .map(|&penalty| penalty as f32)
                .collect(),
        }
    }

    /// Some of these players, numbered in the order of `numbers`.
    pub(crate) fn part(&self, numbers: &[usize]) -> Self {
        Self {
            objective: self.objective,
            names: numbers.iter().map(|&k| self.names[k]).collect(),
            penalties: numbers.iter().map(|&k| self.penalties[k]).collect(),
        }
    }
}

/// Evaluates by the objective's own quality: two calls an exchange between matches.
pub(crate) struct ByQuality<'a> {
    calls: &'a Calls<'a>,
    values: Vec<f32>,
    /// The matches of the exchange evaluated last, and their values after it.
    last: [(usize, f32); 2],
    teams: Vec<Vec<usize>>,
}

impl<'a> ByQuality<'a> {
    pub(crate) fn new(calls: &'a Calls<'a>, seats: &Seats) -> Self {
        let mut evaluator = Self {
            calls,
            values: Vec::with_capacity(seats.matches()),
            last: [(usize::MAX, 0.0); 2],
            teams: vec![Vec::new(); seats.each()],
        };
        for index in 0..seats.matches() {
            let value = evaluator.ask(seats, index, &Exchange::default());
            evaluator.values.push(value);
        }
        evaluator
    }

    /// The match's value after the exchange.
    fn ask(&mut self, seats: &Seats, index: usize, exchange: &Exchange) -> f32 {
        let mut penalty = 0.0;
        for (side, team) in self.teams.iter_mut().enumerate() {
            team.clear();
            for &player in seats.team(seats.each() * index + side) {
                let swapped =
                    |from: &[u32], to: &[u32]| from.iter().position(|&one| one == player).map(|k| to[k]);
                let after =
                    swapped(&exchange.out, &exchange.back).or_else(|| swapped(&exchange.back, &exchange.out));
                let after = after.unwrap_or(player) as usize;
                team.push(self.calls.names[after]);
                penalty += self.calls.penalties[after];
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
        match self.calls.objective.quality_of(&self.teams) {
            Some(quality) if (0.0..=1.0).contains(&quality) => quality as f32,
            _ => -penalty,
        }
    }
}

impl Evaluator for ByQuality<'_> {
    fn gain(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32> {
        let mut gain = 0.0;
        self.last = [(usize::MAX, 0.0); 2];
        let ends = [
            (exchange.from, &exchange.out, &exchange.back),
            (exchange.to, &exchange.back, &exchange.out),
        ];
        for (end, (team, leave, join)) in ends.into_iter().enumerate() {
            let index = seats.match_of(team);
            if team == seats.bench() {
                gain += self.penalty(leave) - self.penalty(join);
            } else if end == 0 || index != seats.match_of(exchange.from) {
                let value = self.ask(seats, index, exchange);
                gain += value - self.values[index];
                self.last[end] = (index, value);
            }
        }
        (gain >= least).then_some(gain)
    }

    fn apply(&mut self, _: &Seats, _: &Exchange) {
        for (index, value) in self.last {
            if let Some(known) = self.values.get_mut(index) {
                *known = value;
            }
        }
    }

    fn value(&self, index: usize) -> f32 {
        self.values[index]
    }

    fn penalty(&self, players: &[u32]) -> f32 {
        players
            .iter()
            .map(|&player| self.calls.penalties[player as usize])
            .sum()
    }
}
