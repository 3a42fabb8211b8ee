//! One anneal: exchanges tried at random, worse ones accepted ever more rarely.

use super::judge::Judge;
use super::noise::Noise;
use super::seats::{Exchange, Seats};
use crate::progress::is_over;
use crate::random::SplitMix64;

/// Exchanges tried between two looks at the pace and the temperature.
const BLOCK: u64 = 256;

/// Nine tenths of the numbers of 32 bits.
const AIMED: u64 = (1 << 32) / 10 * 9;

/// How often a partner is drawn who is not in the same team.
const DRAWS: usize = 4;

/// Tries a seat that find nothing more to gain, after which a run is over.
const PATIENCE: u64 = 8;

/// What gains in single precision may be off by.
const ROUNDING: f32 = 4e-6;

/// How hot a run begins and ends, in qualities of a match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Temperatures {
    pub(crate) hot: f64,
    pub(crate) cold: f64,
}

/// The players with whom each player gets on best.
#[derive(Debug, Default)]
pub(crate) struct Partners {
    /// As many for each player, one list after the other; none if empty.
    lists: Vec<u32>,
    each: usize,
}

impl Partners {
    /// The best `each` of the others, by an affinity that is higher for better partners.
    pub(crate) fn new(players: usize, each: usize, affinity: impl Fn(usize, usize) -> f32) -> Self {
        let each = each.min(players.saturating_sub(1));
        let mut lists = Vec::with_capacity(players * each);
        let mut others: Vec<(f32, u32)> = Vec::with_capacity(players);
        for i in 0..players {
            others.clear();
            #[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
            others.extend(
                (0..players)
                    .filter(|&j| j != i)
                    .map(|j| (affinity(i, j), j as u32)),
            );
            let better = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
            if each > 0 && each < others.len() {
                others.select_nth_unstable_by(each - 1, better);
            }
            others.truncate(each);
            others.sort_by(better);
            lists.extend(others.iter().map(|other| other.1));
        }
        Self { lists, each }
    }

    #[inline]
    pub(super) fn draw(&self, player: u32, bits: &mut SplitMix64) -> Option<u32> {
        (self.each > 0).then(|| self.lists[player as usize * self.each + bits.quick_below(self.each)])
    }
}

impl Partners {
    /// A partner who is in another team, if a few draws find one; else one who is not.
    #[inline]
    fn draw_elsewhere(&self, player: u32, seats: &Seats, bits: &mut SplitMix64) -> Option<u32> {
        let team = seats.team_of(player);
        let mut drawn = None;
        for _ in 0..DRAWS {
            drawn = self.draw(player, bits);
            if drawn.is_none_or(|partner| seats.team_of(partner) != team) {
                break;
            }
        }
        drawn
    }
}

/// What a run draws from.
pub(crate) struct Anneal<'a> {
    pub(crate) partners: &'a Partners,
    pub(crate) noise: &'a Noise,
    pub(crate) temperatures: Temperatures,
}

impl Anneal<'_> {
    /// Tries exchanges until `used` says 1, which it is asked with the number tried so far; then, cold, as many as
    /// nobody gains by any more. Returns how many it tried.
    pub(crate) fn run(
        &self,
        seats: &mut Seats,
        judge: &mut impl Judge,
        bits: &mut SplitMix64,
        mut used: impl FnMut(u64) -> f64,
    ) -> u64 {
        let mut exchange = Exchange::default();
        let cooling = (self.temperatures.cold / self.temperatures.hot).ln();
        let mut tried = 0;
        loop {
            let share = used(tried);
            if is_over(share) {
                break;
            }
            #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
            let temperature = (self.temperatures.hot * (cooling * share.max(0.0)).exp()) as f32;
            let mut judged = 0;
            for _ in 0..BLOCK {
                let gain = self.step(seats, judge, bits, &mut exchange, temperature);
                judged += u64::from(gain.is_some());
            }
            // Where no exchange is possible, the budget must still run out.
            tried += if judged == 0 { BLOCK } else { judged };
        }
        tried + self.settle(seats, judge, bits, &mut exchange)
    }

    /// Proposes one exchange, and carries it out if it gains enough. What it gained, 0 if it was refused; `None` if
    /// there was nothing to judge.
    #[inline]
    fn step(
        &self,
        seats: &mut Seats,
        judge: &mut impl Judge,
        bits: &mut SplitMix64,
        exchange: &mut Exchange,
        temperature: f32,
    ) -> Option<f32> {
        let coins = bits.next();
        // Whoever fits in badly has more to gain elsewhere; half of the time, all have the same chance.
        let [first, second] = [(); 2].map(|()| seats.at(bits.quick_below(seats.len())));
        let second = if coins.is_multiple_of(2) { second } else { first };
        let one = judge.worse_off(seats, first, second);
        // Nine proposals in ten go to a match in which a good partner plays, for the place of somebody else there.
        let aimed = coins >> 32 < AIMED;
        let partner = aimed
            .then(|| self.partners.draw_elsewhere(one, seats, bits))
            .flatten();
        let other = match partner {
            Some(partner) => judge.beside(seats, one, partner, temperature, (bits, self.noise)),
            None => seats.at(bits.quick_below(seats.len())),
        };
        if !seats.propose(one, other, bits, exchange) {
            return None;
        }
        let least = temperature * self.noise.logarithm(bits);
        let Some(gain) = judge.gain_above(seats, exchange, least) else {
            return Some(0.0);
        };
        seats.apply(exchange);
        judge.moved(seats, exchange);
        Some(gain)
    }

    /// Takes what still gains, until a few tries a seat find nothing.
    fn settle(
        &self,
        seats: &mut Seats,
        judge: &mut impl Judge,
        bits: &mut SplitMix64,
        exchange: &mut Exchange,
    ) -> u64 {
        let (patience, mut idle, mut tried) = (PATIENCE * seats.len() as u64, 0, 0);
        let mut best = judge.total(seats);
        while idle < patience {
            idle += 1;
            let gain = self.step(seats, judge, bits, exchange, 0.0);
            tried += u64::from(gain.is_some());
            // Ties are taken, and so is what only rounding calls a gain: large numbers, such as those of forbidden
            // pairs, round far. Neither may go round in circles for ever, so nothing counts but a value not seen
            // before.
            if gain.is_some_and(|gain| gain > ROUNDING) {
                let value = judge.total(seats);
                if value > best + f64::from(ROUNDING) {
                    (best, idle) = (value, 0);
                }
            }
        }
        tried
    }
}
