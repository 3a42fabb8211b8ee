//! What a service learns from players who were paired at random: who leaves after which outcome, and how many
//! matches those who stayed have still played.

use anyhow::{Context, Result};
use matchwright_churn::{ChurnModel, Dataset, LogisticModel, LogisticParams, Outcome};
use matchwright_scoring::ChurnByOutcome;
use matchwright_sim::random::derived_seed;

use super::config::{CohortsConfig, Setting};
use super::run::{Bench, Strategy, play_round};
use super::world::{Turn, World};
use crate::random::Purpose;

/// Players are divided into this many bins of predicted churn.
const BINS: usize = 10;
const COLUMNS: [&str; 4] = ["signal", "signal squared", "draw", "loss"];

/// What was learnt.
pub(super) struct Service {
    model: LogisticModel,
    draw: f64,
    /// Upper ends of the bins but the last, by predicted churn.
    ends: Vec<f64>,
    /// Expected matches of the next `rounds` of one who stays, by bin.
    values: Vec<f64>,
}

/// A player's record: its signal, and outcome, of each round, and whether it left in the end.
#[derive(Default)]
struct Record {
    played: Vec<(f64, Outcome)>,
    has_left: bool,
}

impl Service {
    /// Learns from pools of their own players.
    pub(super) fn learn(config: &CohortsConfig, setting: Setting, intercept: f64, seed: u64) -> Result<Self> {
        let mut records = Vec::new();
        for pool in 0..config.record_pools {
            let seed = derived_seed(seed, Purpose::Cohorts, u64::MAX, pool.into());
            records.extend(record(config, setting, intercept, seed)?);
        }
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for record in &records {
            for (round, (signal, outcome)) in record.played.iter().enumerate() {
                rows.extend(columns(*signal, *outcome));
                labels.push(record.has_left && round + 1 == record.played.len());
            }
        }
        let data = Dataset::new(COLUMNS.map(str::to_owned).to_vec(), rows, labels)?;
        let model = LogisticParams::default().build()?.fit(&data)?.model;
        let mut service = Self {
            model,
            draw: config.population.draw_rate,
            ends: Vec::new(),
            values: Vec::new(),
        };
        service.learn_values(config, &records)?;
        Ok(service)
    }

    /// Of those who stayed, by bin of predicted churn: leavers s a match played afterwards, counted to the end of the
    /// record, so that those who were still there count for what was seen of them; then
    /// (1 - (1 - s)^rounds) / s matches.
    fn learn_values(&mut self, config: &CohortsConfig, records: &[Record]) -> Result<()> {
        let mut all = Vec::new();
        for record in records {
            for (round, (signal, _)) in record.played.iter().enumerate() {
                let later = record.played.len() - round - 1;
                if later > 0 {
                    all.push((
                        self.mean_churn(*signal)?,
                        later as f64,
                        f64::from(u8::from(record.has_left)),
                    ));
                }
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        for bin in 0..BINS {
            let part = &all[bin * all.len() / BINS..(bin + 1) * all.len() / BINS];
            let (matches, left) = part
                .iter()
                .fold((0.0, 0.0), |sum, one| (sum.0 + one.1, sum.1 + one.2));
            // Half a leaver more keeps a bin without one from being worth infinitely much.
            let rate = (left + 0.5) / (matches + 1.0);
            let rounds = f64::from(config.rounds);
            self.values.push((1.0 - (1.0 - rate).powf(rounds)) / rate);
            if bin + 1 < BINS {
                self.ends.push(part.last().map_or(0.0, |last| last.0));
            }
        }
        Ok(())
    }

    /// Predicted churn after each outcome.
    pub(super) fn churn(&self, turn: &Turn) -> Result<ChurnByOutcome> {
        self.churn_by(turn.signal)
    }

    fn churn_by(&self, signal: f64) -> Result<ChurnByOutcome> {
        let after = |outcome| self.model.churn_probability(&columns(signal, outcome)[..]);
        let [win, draw, loss] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(after);
        ChurnByOutcome::new(win, draw, loss).context("predicted churn")
    }

    /// Against an equal.
    fn mean_churn(&self, signal: f64) -> Result<f64> {
        let churn = self.churn_by(signal)?;
        let decided = (1.0 - self.draw) / 2.0;
        Ok(decided * (churn.win() + churn.loss()) + self.draw * churn.draw())
    }

    /// Expected matches of the next rounds of a player like this, if it stays.
    pub(super) fn value(&self, turn: &Turn) -> Result<f64> {
        let churn = self.mean_churn(turn.signal)?;
        let bin = self.ends.iter().filter(|end| churn > **end).count();
        Ok(self.values[bin])
    }
}

fn columns(signal: f64, outcome: Outcome) -> [f64; COLUMNS.len()] {
    let is = |one| f64::from(u8::from(outcome == one));
    [signal, signal * signal, is(Outcome::Draw), is(Outcome::Loss)]
}

/// A pool under random matchmaking.
fn record(config: &CohortsConfig, setting: Setting, intercept: f64, seed: u64) -> Result<Vec<Record>> {
    let (mut world, mut bench) = (World::new(config, setting, intercept, seed), Bench::default());
    let mut done = Vec::new();
    let mut open: Vec<Record> = (0..config.players).map(|_| Record::default()).collect();
    for round in 0..config.rounds {
        let turns = world.turns();
        let played = play_round(
            &mut world,
            Strategy::Random,
            &turns,
            None,
            round,
            seed,
            &mut bench,
        )?;
        for (place, (outcome, stays)) in played.into_iter().enumerate() {
            open[place].played.push((turns[place].signal, outcome));
            if !stays {
                open[place].has_left = true;
                done.push(std::mem::take(&mut open[place]));
            }
        }
    }
    done.extend(open);
    Ok(done)
}
