//! [`Measures`]: waits, matches, costs and players of a simulation, counted as it goes.

mod figure;
mod groups;
mod measured;
mod pings;

use std::collections::{BTreeMap, HashMap};

use matchwright_queue::{TicketId, Time};

use super::engine::PlayerEnd;
use super::record::{Fate, PlayedMatch, Record, TicketEnd};
use super::scenario::Scenario;
use crate::replay::{Costs, Judge};
use crate::statistics::{Summary, censored_quantile, quantile};
pub use figure::Figure;
use groups::{Games, Groups, Matches, Member};
pub use measured::{
    Coverage, FactorMean, Forecast, ForecastBin, GroupGames, GroupMatches, HourMeans, Measured, RatingError,
};

/// A ticket without a match within this many seconds is overdue.
pub const OVERDUE: f64 = 300.0;
/// Forecasts are sorted into this many bins.
const BINS: usize = 10;
/// Points of a curve of quantiles, ends included.
const CURVE: usize = 101;

/// Counts what happens after the warm-up.
///
/// Tickets count if they came after it, matches if they were made after it. Costs are those of `judge`: of matches by
/// their players, of waits, and of tickets that were lost: that left, were declined or refused, or still wait at the end.
/// Memory: some 30 bytes a ticket and match.
pub struct Measures<'a> {
    judge: &'a Judge,
    groups: Groups,
    from: Time,
    end: Time,
    fates: BTreeMap<Fate, u64>,
    players: u64,
    unpriced: u64,
    overdue: u64,
    waits: Vec<(Member, Fate, f32)>,
    /// Tickets that came to their ends and whose match is not told yet.
    in_match: HashMap<TicketId, Member>,
    by_group: Matches,
    costs: Costs,
    matches: u64,
    mismatch: Vec<f32>,
    factors: BTreeMap<&'static str, Summary>,
    rating_gap: Vec<f32>,
    /// The true chance of the team that is favoured by true skill.
    favourite: Vec<f32>,
    forecast: [BinSums; BINS],
    log_loss: [Summary; 2],
    balance: Vec<f32>,
    by_hour: [HourSums; 24],
    coverage: Coverage,
    games: Games,
    gone: u64,
    /// Points of true skill that one point of a rating is.
    rating_unit: f64,
}

#[derive(Clone, Copy, Default)]
struct BinSums {
    matches: f64,
    predicted: f64,
    true_chance: f64,
    won: f64,
}

#[derive(Clone, Copy, Default)]
struct HourSums {
    came: u64,
    admitted: u64,
    waited: f64,
    mismatch: Summary,
}

impl<'a> Measures<'a> {
    /// With nothing counted yet.
    #[must_use]
    pub fn new(scenario: &Scenario, judge: &'a Judge) -> Self {
        let params = scenario.params();
        let rating_unit = params.play.points_for_ten_to_one / scenario.rating_points();
        let hours = |hours: f64| Time::default().plus(super::engine::millis(3600.0 * hours));
        Self {
            judge,
            groups: Groups::new(params, rating_unit),
            from: hours(params.warm_up_hours),
            end: hours(params.hours),
            fates: BTreeMap::new(),
            players: 0,
            unpriced: 0,
            overdue: 0,
            waits: Vec::new(),
            in_match: HashMap::new(),
            by_group: Matches::default(),
            costs: Costs::default(),
            matches: 0,
            mismatch: Vec::new(),
            factors: BTreeMap::new(),
            rating_gap: Vec::new(),
            favourite: Vec::new(),
            forecast: [BinSums::default(); BINS],
            log_loss: [Summary::default(); 2],
            balance: Vec::new(),
            by_hour: [HourSums::default(); 24],
            coverage: Coverage::default(),
            games: Games::default(),
            gone: 0,
            rating_unit,
        }
    }

    /// All measures of a world whose players ended so. O(n log n).
    #[must_use]
    pub fn finish(mut self, players: &[PlayerEnd]) -> Measured {
        let matched = self.waits.iter().filter(|wait| wait.1 == Fate::Matched);
        let waits = rising(matched.map(|wait| wait.2).collect());
        let gaps = rising(std::mem::take(&mut self.rating_gap));
        let favourites = rising(std::mem::take(&mut self.favourite));
        let mismatches = rising(std::mem::take(&mut self.mismatch));
        let balances = rising(std::mem::take(&mut self.balance));
        let hours = self.end.seconds_since(self.from) / 3600.0;
        Measured {
            waits: self.groups.waits(&self.waits),
            wait_curve: curve(&waits, self.waits.len()),
            tickets: self.fates,
            players: self.players,
            unpriced: self.unpriced,
            overdue: self.overdue,
            matches: self.matches,
            costs: self.costs.times(1.0 / self.players.max(1) as f64),
            mismatch: mean(&mismatches),
            mismatch_curve: curve(&mismatches, mismatches.len()),
            factors: measured::factors(self.factors),
            rating_gap: [at(&gaps, 0.5), at(&gaps, 0.9)],
            favourite: [mean(&favourites), at(&favourites, 0.9)],
            forecast: measured::forecast(&self.forecast, self.log_loss),
            balance: mean(&balances),
            balance_curve: curve(&balances, balances.len()),
            by_group: self.groups.matches(self.by_group),
            by_hour: measured::by_hour(&self.by_hour),
            hours,
            coverage: self.coverage,
            games: self.games.by_skill(players),
            gone: self.gone,
            rating_error: measured::rating_error(players, self.rating_unit),
            regret: None,
        }
    }
}

fn rising(values: Vec<f32>) -> Vec<f64> {
    let mut values: Vec<f64> = values.into_iter().map(f64::from).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| Summary::of(values.iter().copied()).mean())
}

fn at(rising: &[f64], share: f64) -> Option<f64> {
    (!rising.is_empty()).then(|| quantile(rising, share))
}

/// What 0, 1, 2, ... 100 % of `all` values do not exceed, as far as `rising`, the least of them, go; empty without values.
fn curve(rising: &[f64], all: usize) -> Vec<f64> {
    let share = |point: usize| point as f64 / (CURVE - 1) as f64;
    (0..CURVE)
        .map_while(|point| censored_quantile(rising, all, share(point)))
        .collect()
}

/// The hour of the day of a moment.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an hour of a day"
)]
fn hour(at: Time) -> usize {
    let hour = (at.seconds_since(Time::default()) / 3600.0).rem_euclid(24.0);
    (hour as usize).min(23)
}

impl Record for Measures<'_> {
    #[expect(clippy::cast_possible_truncation, reason = "seconds to some millionths")]
    fn ticket(&mut self, end: &TicketEnd) {
        let member = self.groups.of(end);
        if end.fate == Fate::Matched {
            self.in_match.insert(end.ticket.id, member);
        }
        if end.came < self.from {
            return;
        }
        *self.fates.entry(end.fate).or_default() += 1;
        let (players, waited) = (end.players.len(), end.waited());
        let (is_matched, is_admitted) = (end.fate == Fate::Matched, end.fate != Fate::Refused);
        let hour = &mut self.by_hour[hour(end.came)];
        hour.came += 1;
        self.overdue += u64::from(!is_matched || waited > OVERDUE);
        self.waits.push((member, end.fate, waited as f32));
        if is_admitted {
            hour.admitted += 1;
            hour.waited += waited;
            self.costs.waiting += self.judge.waiting_cost(waited, players);
            self.coverage.add(end);
        }
        let lost = self.judge.objective().lost();
        if !is_admitted && lost.is_none() {
            self.unpriced += 1;
            return;
        }
        self.players += players as u64;
        if !is_matched {
            self.costs.lost += lost.unwrap_or(0.0) * players as f64;
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "points, chances and a bin"
    )]
    fn played(&mut self, made: &PlayedMatch) {
        self.games.add(made, made.at >= self.from);
        let mut in_match = std::mem::take(&mut self.in_match);
        if made.at < self.from {
            return;
        }
        self.matches += 1;
        let tickets: Vec<Vec<_>> = made
            .tickets
            .iter()
            .map(|team| team.iter().map(|ticket| &**ticket).collect())
            .collect();
        let explained = self.judge.explain(&tickets);
        for factor in explained.iter().flat_map(|explained| &explained.factors) {
            let value = factor.value.unwrap_or(0.0);
            self.factors.entry(factor.name).or_default().add(value);
        }
        let by_quality = || explained.as_ref().map(|found| 1.0 - found.quality.unwrap_or(0.0));
        let mismatch = self.judge.difference(&tickets).or_else(by_quality);
        if let Some(mismatch) = mismatch {
            self.mismatch.push(mismatch as f32);
            self.by_hour[hour(made.at)].mismatch.add(mismatch);
            self.costs.mismatch += self.judge.objective().mismatch_cost(mismatch);
        }
        if let [first, second, ..] = made.ratings[..] {
            self.rating_gap.push((first - second).abs() as f32);
        }
        let region = made.made.lobby.region.as_deref();
        for (team, own) in tickets.iter().enumerate() {
            for ticket in own {
                let ping = match region {
                    Some(region) => ticket.regions.get(region).copied(),
                    None => pings::to_opponents(ticket, team, &tickets),
                };
                if let Some(member) = in_match.remove(&ticket.id) {
                    self.by_group.add(member, mismatch, ping);
                }
            }
        }
        self.balance.extend(made.balance.map(|area| area as f32));
        self.favourite
            .push(made.true_chance.max(1.0 - made.true_chance) as f32);
        if let [first, second] = made.places[..] {
            let won = if first == second {
                0.5
            } else {
                f64::from(u8::from(first < second))
            };
            let bin = &mut self.forecast[((made.predicted * BINS as f64) as usize).min(BINS - 1)];
            bin.matches += 1.0;
            bin.predicted += made.predicted;
            bin.true_chance += made.true_chance;
            bin.won += won;
            for (loss, chance) in self.log_loss.iter_mut().zip([made.predicted, made.true_chance]) {
                let chance = chance.clamp(1e-15, 1.0 - 1e-15);
                loss.add(-won * chance.ln() - (1.0 - won) * (1.0 - chance).ln());
            }
        }
    }

    fn gone(&mut self, players: &[u32], at: Time) {
        if at >= self.from {
            self.gone += players.len() as u64;
        }
    }
}
