//! What a search needs to know of an objective.

use super::noise::Noise;
use super::seats::{Exchange, Seats};
use crate::random::SplitMix64;

/// What a search needs to know of an objective.
pub(crate) trait Judge {
    /// By how much the exchange changes the value of the lineup; `None` if by less than `least`.
    fn gain_above(&mut self, seats: &Seats, exchange: &Exchange, least: f32) -> Option<f32>;

    /// Whose place a player could take in the match, or on the bench, where a partner is; rarely the partner's own.
    #[inline]
    fn beside(
        &self,
        seats: &Seats,
        _: u32,
        partner: u32,
        _: f32,
        (bits, _): (&mut SplitMix64, &Noise),
    ) -> u32 {
        let players = seats.around(partner);
        let drawn = players[bits.quick_below(players.len())];
        if drawn == partner {
            players[bits.quick_below(players.len())]
        } else {
            drawn
        }
    }

    /// How well a player fits in where he is; the same for all, if this judge cannot tell.
    #[inline]
    fn fit(&self, _: &Seats, _: u32) -> f32 {
        0.0
    }

    /// Who of two players fits in worse where he is; the first, if they fit alike.
    #[inline]
    fn worse_off(&self, seats: &Seats, one: u32, other: u32) -> u32 {
        if self.fit(seats, other) < self.fit(seats, one) {
            other
        } else {
            one
        }
    }

    /// Called after the exchange was carried out.
    fn moved(&mut self, seats: &Seats, exchange: &Exchange);

    /// The value of the match.
    fn value(&self, index: usize) -> f32;

    /// What leaving out these players costs.
    fn price(&self, players: &[u32]) -> f32;

    /// What the lineup is worth: the sum of all matches' values less the price of the bench.
    fn total(&self, seats: &Seats) -> f64 {
        let matches: f64 = (0..seats.matches())
            .map(|index| f64::from(self.value(index)))
            .sum();
        matches - f64::from(self.price(seats.team(seats.bench())))
    }

    /// Teams 0 and 1 of match 0, and so on; the bench last.
    fn teams(&self, seats: &Seats) -> Vec<Vec<u32>> {
        (0..=seats.bench())
            .map(|team| seats.team(team).to_vec())
            .collect()
    }
}
