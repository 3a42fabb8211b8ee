//! One anneal: exchanges at random, worse ones accepted ever more rarely.

use super::budget::Budget;
use super::evaluator::Evaluator;
use super::noise::Noise;
use super::seats::{Exchange, Seats};
use crate::random::SplitMix64;

/// Of 256 proposals, as many are between the teams of one match, and as many go where a good partner plays. The others
/// are uniform.
const WITHIN: u64 = 40;
const GUIDED: u64 = 191;

/// How often a partner is drawn who is not in the same team.
const DRAWS: usize = 4;

/// Proposals a seat that find nothing more to gain, after which a descent is over.
const PATIENCE: u64 = 8;

/// What gains in single precision may be off by, as a share of a match's value.
const ROUNDING: f32 = 4e-6;

/// Proposals that the temperatures are measured from.
const SAMPLE: u64 = 2000;

/// Temperatures begin and end at these multiples of the difference that an exchange typically makes.
const HOT: f64 = 0.6;
const COLD: f64 = 0.02;

/// How hot an anneal begins and ends, in qualities of a match.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Temperatures {
    hot: f64,
    cold: f64,
}

/// The players with whom each player matches best.
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

    /// One of the partners; `None` if none are known.
    #[inline]
    pub(crate) fn draw(&self, player: u32, bits: &mut SplitMix64) -> Option<u32> {
        (self.each > 0).then(|| self.lists[player as usize * self.each + bits.quick_below(self.each)])
    }

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

/// A lineup that is being annealed.
pub(crate) struct Anneal<'a, E> {
    pub(crate) seats: &'a mut Seats,
    pub(crate) evaluator: E,
    pub(crate) partners: &'a Partners,
    pub(crate) noise: &'a Noise,
    pub(crate) bits: &'a mut SplitMix64,
    pub(crate) exchange: Exchange,
}

impl<E: Evaluator> Anneal<'_, E> {
    /// Proposes exchanges ever colder until `length` of them were tried or the budget is used up to the share `until`;
    /// then takes what still gains. Returns the value before and after.
    pub(crate) fn run(
        &mut self,
        temperatures: Temperatures,
        length: u64,
        until: f64,
        budget: &mut Budget<'_>,
    ) -> (f64, f64) {
        let before = self.evaluator.total(self.seats);
        let cooling = (temperatures.cold / temperatures.hot).ln();
        let (first, start) = (budget.tried(), budget.used());
        loop {
            let now = budget.used();
            let of_length = (budget.tried() - first) as f64 / length as f64;
            let share = of_length.max((now - start) / (until - start));
            if now >= until.min(1.0) || share.is_nan() || share >= 1.0 {
                break;
            }
            #[allow(clippy::cast_possible_truncation, reason = "the search needs no more")]
            let temperature = (temperatures.hot * (cooling * share).exp()) as f32;
            for _ in 0..budget.take_block(u64::MAX) {
                self.step(temperature);
            }
        }
        self.descend(budget);
        (before, self.evaluator.total(self.seats))
    }

    /// Temperatures by the differences that exchanges make where none gains: their lower quartile, not counting those
    /// that make none.
    pub(crate) fn measure(&mut self, budget: &mut Budget<'_>) -> Temperatures {
        let sample = SAMPLE.min(budget.left() / 16);
        self.descend(budget);
        let mut differences = Vec::new();
        let mut proposed = 0;
        while proposed < sample && budget.used() < 1.0 {
            let block = budget.take_block(sample - proposed);
            proposed += block;
            for _ in 0..block {
                if self.propose(0.0)
                    && let Some(gain) = self.evaluator.gain(self.seats, &self.exchange, f32::NEG_INFINITY)
                    && gain != 0.0
                {
                    differences.push(gain.abs());
                }
            }
        }
        differences.sort_unstable_by(f32::total_cmp);
        let typical = f64::from(
            differences
                .get(differences.len() / 4)
                .copied()
                .unwrap_or(f32::MIN_POSITIVE),
        );
        Temperatures {
            hot: HOT * typical,
            cold: COLD * typical,
        }
    }

    /// Draws an exchange; false if it would change nothing.
    #[inline]
    fn propose(&mut self, temperature: f32) -> bool {
        let (seats, bits) = (&*self.seats, &mut *self.bits);
        let coins = bits.next();
        let mut one = seats.at(bits.quick_below(seats.len()));
        if coins & 1 == 0 {
            // A player who fits badly has more to gain elsewhere; half of the time, all have the same chance.
            let second = seats.at(bits.quick_below(seats.len()));
            if self.evaluator.insertion_gain(seats, second) < self.evaluator.insertion_gain(seats, one) {
                one = second;
            }
        }
        let team = seats.team_of(one);
        let kind = coins >> 56;
        let other = if kind < WITHIN && team != seats.bench() {
            let opponents = seats.team(seats.opponents(team, coins >> 1));
            opponents[bits.quick_below(opponents.len())]
        } else {
            let partner = (kind < WITHIN + GUIDED)
                .then(|| self.partners.draw_elsewhere(one, seats, bits))
                .flatten();
            match partner {
                Some(partner) => {
                    let target = seats.team_of(partner);
                    self.evaluator
                        .sample_swap(seats, one, target, temperature, (bits, self.noise))
                }
                None => seats.at(bits.quick_below(seats.len())),
            }
        };
        seats.propose(one, other, bits, &mut self.exchange)
    }

    /// Proposes one exchange, and carries it out if it gains enough; what it gained.
    #[inline]
    fn step(&mut self, temperature: f32) -> f32 {
        if !self.propose(temperature) {
            return 0.0;
        }
        let least = temperature * self.noise.logarithm(self.bits);
        let Some(gain) = self.evaluator.gain(self.seats, &self.exchange, least) else {
            return 0.0;
        };
        self.seats.apply(&self.exchange);
        self.evaluator.apply(self.seats, &self.exchange);
        gain
    }

    /// Takes what gains, until a few proposals a seat find nothing.
    fn descend(&mut self, budget: &mut Budget<'_>) {
        let patience = PATIENCE * self.seats.len() as u64;
        let mut best = self.evaluator.total(self.seats);
        let mut idle = 0;
        while idle < patience && budget.used() < 1.0 {
            let mut gained = false;
            for _ in 0..budget.take_block(patience) {
                idle += 1;
                gained |= self.step(0.0) > 0.0;
            }
            // Ties are taken, and so is what only rounding calls a gain: neither may go on for ever, so that nothing
            // counts but a value not reached before.
            if gained {
                let value = self.evaluator.total(self.seats);
                if value
                    > best
                        + f64::from(ROUNDING) * best.abs().max(f64::MIN_POSITIVE)
                            / self.seats.matches() as f64
                {
                    (best, idle) = (value, 0);
                }
            }
        }
    }
}
