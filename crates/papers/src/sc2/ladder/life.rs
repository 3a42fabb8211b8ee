//! One player of a ladder, game by game.

use matchwright_mmr_forensics::{Averaging, Member, PoolTotal, RankPoints, Unspent};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};

use super::params::{DAYS, LadderWorldParams, Levels, SCALE};
use matchwright_sim::random::standard_normal;

/// The longest that an average looks back.
const MEMORY: usize = 400;
/// Games in which about two thirds of what a player learns is learnt.
const LEARNING: f64 = 80.0;
/// Games that were played before anybody looks, at the level of the entry.
const EARLIER: usize = 20;
/// Games after the later snapshot at whose end hidden ratings are taken down.
pub(crate) const GAMES_LATER: u32 = 20;
/// The longest that a pool takes to be spent, games.
const MOST_LATER: u32 = 5_000;

/// A player's hidden rating some time after the later snapshot, had it been without pauses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaterRating {
    /// After 20 more games.
    pub in_20_games: f64,
    /// After the first game by which wins have brought as many points as were unspent.
    pub pool_spent: f64,
}

/// The division that a player is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// C + K: what its points less bonus are short of the rating.
    pub(crate) offset: f64,
    /// C.
    pub(crate) bottom: f64,
    /// Where entries lie.
    pub(crate) entry: (f64, f64),
    /// C + M, if there is a league above.
    pub(crate) threshold: Option<f64>,
    /// Games of debt for each week of absence.
    pub(crate) debt: f64,
}

/// A player's state.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    pub(crate) day: f64,
    pub(crate) rating: f64,
    /// Ratings after each game, oldest first.
    pub(crate) trail: Vec<f64>,
    /// Games before which the player was away, and for how many weeks.
    pub(crate) away: Vec<(usize, f64)>,
    potential: f64,
    entry: f64,
    games: f64,
    wins: u32,
    losses: u32,
    spent: f64,
    expired: f64,
    debt: f64,
    per_week: f64,
    /// When games stop or pause, and until when.
    pause: (f64, f64),
}

impl Life {
    /// A player who entered a division some time ago.
    pub(crate) fn begin(place: &Place, params: &LadderWorldParams, active: bool, rng: &mut impl Rng) -> Self {
        let entry = rng.random_range(place.entry.0..=place.entry.1);
        let top = place.threshold.unwrap_or(place.entry.1);
        let potential = match params.levels {
            _ if !active => rng.random_range(entry.min(top)..=top),
            Levels::Hovering if rng.random::<f64>() < 0.7 => top - 60.0 * exponential(rng),
            Levels::Hovering => rng.random_range(entry.min(top)..=top),
            Levels::Spread => rng.random_range((entry - 100.0).min(top)..=top),
        };
        let day = rng.random_range(0.0..0.6 * DAYS[1]);
        let given = day * POINTS_A_DAY;
        let share = if active { 0.85..1.0 } else { 0.0..0.6 };
        let normal = standard_normal(rng);
        let stop = if active && rng.random::<f64>() < 0.15 {
            let start = rng.random_range(day..DAYS[1]);
            (start, start + rng.random_range(14.0..50.0))
        } else if active {
            (f64::INFINITY, f64::INFINITY)
        } else {
            let start = day + 14.0 * exponential(rng);
            // Some come back, and owe games.
            let back = rng.random::<f64>() < 0.15;
            let until = if back { start + 60.0 } else { f64::INFINITY };
            (start, until)
        };
        let before = rng.random_range(20..120);
        let mut life = Self {
            day,
            rating: entry,
            trail: Vec::new(),
            away: Vec::new(),
            potential,
            entry,
            games: 0.0,
            wins: before / 2,
            losses: before / 2,
            spent: given * rng.random_range(share),
            expired: 0.0,
            debt: 0.0,
            per_week: 15.0 * (0.5 * normal).exp(),
            pause: stop,
        };
        if rng.random::<f64>() < params.expiring {
            life.expired = (given - life.spent).min(200.0) * rng.random::<f64>();
        }
        for _ in 0..EARLIER {
            life.play(params, rng);
        }
        // They end at the entry.
        let shift = entry - life.rating;
        life.trail.iter_mut().for_each(|rating| *rating += shift);
        life.rating = entry;
        life.games = 0.0;
        life
    }

    /// When the next game is.
    pub(crate) fn next_day(&self, rng: &mut impl Rng) -> f64 {
        let next = self.day + 7.0 / self.per_week * exponential(rng);
        if next > self.pause.0 && next < self.pause.1 {
            self.pause.1
        } else {
            next
        }
    }

    /// Plays a game on this day; true if it leads to promotion.
    pub(crate) fn play_on(
        &mut self,
        day: f64,
        place: &Place,
        params: &LadderWorldParams,
        rng: &mut impl Rng,
    ) -> bool {
        let weeks = (day - self.day) / 7.0;
        if weeks >= 1.0 {
            self.away.push((self.trail.len(), weeks));
            if weeks >= 2.0 {
                self.debt = (self.debt + (weeks * place.debt).round()).min(100.0);
            }
        }
        self.day = day;
        let earned = self.play(params, rng);
        let unspent = day * POINTS_A_DAY - self.spent - self.expired;
        self.spent += earned.min(unspent).max(0.0);
        if self.debt > 0.0 {
            self.debt -= 1.0;
            return false;
        }
        let recent = &self.trail[self.trail.len().saturating_sub(MEMORY)..];
        let reached = place.threshold.zip(params.average.average(recent));
        reached.is_some_and(|(threshold, average)| average > threshold)
    }

    /// A game against an opponent of about the same rating, by Elo; points without bonus.
    fn play(&mut self, params: &LadderWorldParams, rng: &mut impl Rng) -> f64 {
        let distance = standard_normal(rng);
        let opponent = self.rating + 50.0 * distance;
        let learnt = 1.0 - (-self.games / LEARNING).exp();
        let skill = self.entry + (self.potential - self.entry) * learnt;
        let expected = |rating: f64| 1.0 / (1.0 + 10_f64.powf((opponent - rating) / SCALE));
        let won = rng.random::<f64>() < expected(skill);
        let score = if won { 1.0 } else { 0.0 };
        let earned = params.k * (score - expected(self.rating));
        self.rating += earned;
        self.games += 1.0;
        self.wins += u32::from(won);
        self.losses += u32::from(!won);
        self.trail.push(self.rating);
        earned
    }

    /// Plays on until the unspent points that a page showed are spent, and at least [`GAMES_LATER`] games.
    pub(crate) fn play_on_until_spent(
        mut self,
        unspent: f64,
        params: &LadderWorldParams,
        rng: &mut impl Rng,
    ) -> LaterRating {
        let (mut in_20_games, mut pool_spent) = (None, None);
        let mut left = unspent;
        for game in 1..=MOST_LATER {
            left -= self.play(params, rng).max(0.0);
            if left <= 0.0 {
                pool_spent.get_or_insert(self.rating);
            }
            if game == GAMES_LATER {
                in_20_games = Some(self.rating);
            }
            if game >= GAMES_LATER && pool_spent.is_some() {
                break;
            }
        }
        LaterRating {
            in_20_games: in_20_games.unwrap_or(self.rating),
            pool_spent: pool_spent.unwrap_or(self.rating),
        }
    }

    /// The row that a division's page shows on a day; `None` where points would be below 0.
    pub(crate) fn member(&self, name: &str, day: f64, place: &Place) -> Option<Member> {
        let unspent = day * POINTS_A_DAY - self.spent - self.expired;
        let points = self.rating - place.offset + self.spent;
        Some(Member {
            name: name.to_owned(),
            points: RankPoints::new(points.round()).ok()?,
            unspent: Unspent::new(unspent.max(0.0).round()).ok()?,
            wins: self.wins,
            losses: self.losses,
        })
    }
}

/// The pool's points a day: one each 112 minutes.
pub(crate) const POINTS_A_DAY: f64 = 1_440.0 / 112.0;

/// B as a page shows it on a day.
pub(crate) fn total_on(day: f64) -> PoolTotal {
    PoolTotal::new((day * POINTS_A_DAY).floor().max(0.0)).unwrap_or(PoolTotal::NONE)
}

fn exponential(rng: &mut impl Rng) -> f64 {
    Exp1.sample(rng)
}
