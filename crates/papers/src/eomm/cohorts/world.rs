//! The players of a world, their true churn, and their luck: the same under every strategy.

use matchwright_churn::Outcome;
use matchwright_scoring::{ChurnByOutcome, OutcomeChances};
use matchwright_sim::random::{standard_normal, stream};
use matchwright_sim::statistics::normal_quantile;
use rand::RngExt;

use super::config::{CohortsConfig, Setting};
use crate::random::Purpose;
use matchwright_sim::statistics::logistic;

/// A player of the pool.
#[derive(Clone, Debug)]
pub(super) struct Player {
    number: u64,
    /// Rounds played.
    pub(super) age: u32,
    skill: f64,
    /// What a rating system knows of the skill.
    pub(super) rating: f64,
    habit: f64,
}

/// A player's round, as truth and service have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// u in this round.
    habit: f64,
    /// What the service sees of it.
    pub(super) signal: f64,
    /// Decides the match of which the player is the first.
    playing: f64,
    /// Decides whether the player stays.
    staying: f64,
}

/// A world that goes on.
pub(super) struct World<'a> {
    config: &'a CohortsConfig,
    setting: Setting,
    intercept: f64,
    /// Fourths of u end here.
    quartiles: [f64; 3],
    seed: u64,
    /// The pool; players who leave are replaced in their places.
    pub(super) players: Vec<Player>,
    arrived: u64,
}

impl<'a> World<'a> {
    pub(super) fn new(config: &'a CohortsConfig, setting: Setting, intercept: f64, seed: u64) -> Self {
        let quartile = |share| normal_quantile(0.0, config.population.habit_deviation, share);
        let mut world = Self {
            config,
            setting,
            intercept,
            quartiles: [0.25, 0.5, 0.75].map(quartile),
            seed,
            players: Vec::new(),
            arrived: 0,
        };
        for _ in 0..config.players {
            let player = world.newcomer();
            world.players.push(player);
        }
        world
    }

    fn newcomer(&mut self) -> Player {
        let (number, of) = (self.arrived, &self.config.population);
        self.arrived += 1;
        let mut rng = stream(self.seed, Purpose::Cohorts, number, 0);
        let skill = of.skill_mean + of.skill_deviation * standard_normal(&mut rng);
        Player {
            number,
            age: 0,
            skill,
            rating: skill + self.config.rating_deviation * standard_normal(&mut rng),
            habit: of.habit_deviation * standard_normal(&mut rng),
        }
    }

    /// Every player's round: a function of the player and its age.
    pub(super) fn turns(&self) -> Vec<Turn> {
        let turn = |player: &Player| {
            let mut rng = stream(
                self.seed,
                Purpose::Cohorts,
                player.number,
                1 + u64::from(player.age),
            );
            let fresh = self.config.population.habit_deviation * standard_normal(&mut rng);
            let first = player.age == 0 || self.setting.persists;
            let habit = if first { player.habit } else { fresh };
            Turn {
                habit,
                signal: habit + self.config.signal_deviation * standard_normal(&mut rng),
                playing: rng.random(),
                staying: rng.random(),
            }
        };
        self.players.iter().map(turn).collect()
    }

    /// The true chances of the first player of a pair, by Elo's curve and EOMM's constant draws (Eq. 10-12).
    pub(super) fn chances(&self, i: usize, j: usize) -> Option<OutcomeChances> {
        chances(
            self.players[i].skill,
            self.players[j].skill,
            self.config.population.draw_rate,
        )
    }

    /// The same as the service has them, by ratings.
    pub(super) fn rated_chances(&self, i: usize, j: usize) -> Option<OutcomeChances> {
        chances(
            self.players[i].rating,
            self.players[j].rating,
            self.config.population.draw_rate,
        )
    }

    /// True churn after each outcome.
    pub(super) fn churn(&self, turn: &Turn) -> Option<ChurnByOutcome> {
        let after = |effect| logistic(self.intercept + turn.habit + effect);
        let [win, draw, loss] = self.config.effects().map(after);
        ChurnByOutcome::new(win, draw, loss).ok()
    }

    /// Which fourth of all newcomers a player is of by u, from the most loyal on.
    pub(super) fn fourth(&self, turn: &Turn) -> usize {
        self.quartiles.iter().filter(|end| turn.habit > **end).count()
    }

    /// The outcome for the first of a pair.
    pub(super) fn outcome(chances: &OutcomeChances, first: &Turn) -> Outcome {
        if first.playing < chances.win() {
            Outcome::Win
        } else if first.playing < chances.win() + chances.draw() {
            Outcome::Draw
        } else {
            Outcome::Loss
        }
    }

    /// Whether a player stays after an outcome; a newcomer takes the place of one who leaves.
    pub(super) fn stays(
        &mut self,
        place: usize,
        turn: &Turn,
        churn: &ChurnByOutcome,
        outcome: Outcome,
    ) -> bool {
        let churn = match outcome {
            Outcome::Win => churn.win(),
            Outcome::Draw => churn.draw(),
            Outcome::Loss => churn.loss(),
        };
        let stays = turn.staying >= churn;
        if stays {
            self.players[place].age += 1;
        } else {
            self.players[place] = self.newcomer();
        }
        stays
    }

    /// How many rounds are played.
    pub(super) const fn rounds(&self) -> u32 {
        self.config.rounds
    }

    /// Whether the player of this place was there from the beginning.
    pub(super) fn is_of_cohort(&self, place: usize) -> bool {
        self.players[place].number < self.config.players as u64
    }
}

fn chances(own: f64, other: f64, draw: f64) -> Option<OutcomeChances> {
    let win = (1.0 - draw) / (1.0 + 10.0_f64.powf((other - own) / 400.0));
    OutcomeChances::new(win, draw, 1.0 - draw - win).ok()
}
