//! [`Measures`]: waits, matches, costs and players of a simulation, counted as it goes.

use std::collections::BTreeMap;

use matchwright_queue::Time;
use serde::Serialize;

use super::engine::PlayerEnd;
use super::record::{Fate, PlayedMatch, Record, TicketEnd};
use super::scenario::Scenario;
use crate::replay::{Costs, GroupWaits, Judge, of_waits};
use crate::statistics::{Summary, quantile};

/// Players' ratings are told apart in bands of so many points.
const BAND: f64 = 200.0;

/// Counts what happens after the warm-up.
///
/// Tickets count if they came after it, matches if they were made after it. Costs are those of `judge`: of matches by
/// their players, of waits, and of tickets that were lost.
pub struct Measures<'a> {
    judge: &'a Judge,
    regions: Vec<String>,
    from: Time,
    fates: BTreeMap<Fate, u64>,
    players: u64,
    /// Waits of matched tickets: region, band of rating, players, seconds.
    waits: Vec<(u16, i16, u16, f32)>,
    costs: Costs,
    matches: u64,
    mismatch: Summary,
    rating_gap: Vec<f32>,
    /// The true chance of the team that is favoured by true skill.
    favourite: Vec<f32>,
    gone: u64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Tickets by what became of them.
    pub tickets: BTreeMap<Fate, u64>,
    /// Players of all these tickets but the refused.
    pub players: u64,
    /// Waits of matched tickets: all, and by region, rating and party where there are several.
    pub waits: Vec<GroupWaits>,
    /// Matches.
    pub matches: u64,
    /// Costs a player.
    pub costs: Costs,
    /// Mean mismatch of a match by the objective.
    pub mismatch: f64,
    /// Between the first two teams' mean ratings, points: the median and the gap that nine in ten matches do not exceed.
    pub rating_gap: [f64; 2],
    /// The true chance of the better team, draws left out: its mean, and what nine in ten matches do not exceed.
    pub favourite: [f64; 2],
    /// Players who went for good.
    pub gone: u64,
    /// What ratings are off true skill by, of players who played.
    pub rating_error: RatingError,
}

/// How far ratings are from true skill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingError {
    /// Mean rating less mean skill, points: what ratings are inflated by.
    pub inflation: f64,
    /// Root mean square of the rest.
    pub root_mean_square: f64,
}

impl<'a> Measures<'a> {
    /// With nothing counted yet.
    #[must_use]
    pub fn new(scenario: &Scenario, judge: &'a Judge) -> Self {
        let params = scenario.params();
        Self {
            judge,
            regions: params.regions.iter().map(|region| region.name.clone()).collect(),
            from: Time::default().plus(super::engine::millis(3600.0 * params.warm_up_hours)),
            fates: BTreeMap::new(),
            players: 0,
            waits: Vec::new(),
            costs: Costs::default(),
            matches: 0,
            mismatch: Summary::default(),
            rating_gap: Vec::new(),
            favourite: Vec::new(),
            gone: 0,
        }
    }

    /// All measures of a world whose players ended so.
    #[must_use]
    pub fn finish(mut self, players: &[PlayerEnd]) -> Measured {
        let both = |values: &mut Vec<f32>| {
            let mut values: Vec<f64> = values.drain(..).map(f64::from).collect();
            values.sort_by(f64::total_cmp);
            values
        };
        let (gaps, favourites) = (both(&mut self.rating_gap), both(&mut self.favourite));
        let at = |rising: &[f64], share| {
            if rising.is_empty() {
                f64::NAN
            } else {
                quantile(rising, share)
            }
        };
        Measured {
            waits: self.waits_by_group(),
            tickets: self.fates,
            players: self.players,
            matches: self.matches,
            costs: self.costs.times(1.0 / self.players.max(1) as f64),
            mismatch: self.mismatch.mean(),
            rating_gap: [at(&gaps, 0.5), at(&gaps, 0.9)],
            favourite: [
                Summary::of(favourites.iter().copied()).mean(),
                at(&favourites, 0.9),
            ],
            gone: self.gone,
            rating_error: rating_error(players),
        }
    }

    fn waits_by_group(&self) -> Vec<GroupWaits> {
        let mut kinds: [BTreeMap<i64, Vec<f64>>; 4] = Default::default();
        for &(region, band, size, wait) in &self.waits {
            for (kind, key) in kinds.iter_mut().zip([0, region.into(), band.into(), size.into()]) {
                kind.entry(key).or_insert_with(Vec::new).push(wait.into());
            }
        }
        let name = |kind: usize, key: i64| match kind {
            0 => "all".to_owned(),
            1 => {
                let region = usize::try_from(key).ok().and_then(|key| self.regions.get(key));
                format!("region {}", region.map_or("", String::as_str))
            }
            2 => {
                let low = key as f64 * BAND;
                format!("rating {low} to {}", low + BAND)
            }
            _ => format!("party of {key}"),
        };
        let mut groups = Vec::new();
        for (kind, found) in kinds.into_iter().enumerate() {
            if kind == 0 || found.len() > 1 {
                groups.extend(
                    found
                        .into_iter()
                        .map(|(key, waits)| of_waits(name(kind, key), waits)),
                );
            }
        }
        groups
    }
}

/// Of those who played.
fn rating_error(players: &[PlayerEnd]) -> RatingError {
    let played = players.iter().filter(|player| player.games > 0);
    let errors = Summary::of(played.map(|player| player.rating - player.skill));
    let n = errors.n() as f64;
    RatingError {
        inflation: errors.mean(),
        root_mean_square: (errors.variance() * (n - 1.0).max(0.0) / n).sqrt(),
    }
}

impl Record for Measures<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a band of ratings; seconds to some millionths"
    )]
    fn ticket(&mut self, end: &TicketEnd) {
        if end.came < self.from {
            return;
        }
        *self.fates.entry(end.fate).or_default() += 1;
        if end.fate == Fate::Refused {
            return;
        }
        let (players, waited) = (end.players.len(), end.waited());
        self.players += players as u64;
        self.costs.waiting += self.judge.waiting_cost(waited, players);
        if end.fate == Fate::Matched {
            let band = (end.rating / BAND).floor().clamp(-1e4, 1e4) as i16;
            let small = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
            self.waits
                .push((small(end.region), band, small(players), waited as f32));
        } else {
            self.costs.lost += self.judge.objective().lost().unwrap_or(0.0) * players as f64;
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "points and chances to some millionths"
    )]
    fn played(&mut self, made: &PlayedMatch) {
        if made.at < self.from {
            return;
        }
        self.matches += 1;
        let tickets: Vec<Vec<_>> = made
            .tickets
            .iter()
            .map(|team| team.iter().map(|ticket| &**ticket).collect())
            .collect();
        if let Some(mismatch) = self.judge.mismatch(&tickets) {
            self.mismatch.add(mismatch);
            self.costs.mismatch += self.judge.objective().mismatch_cost(mismatch);
        }
        if let [first, second, ..] = made.ratings[..] {
            self.rating_gap.push((first - second).abs() as f32);
        }
        self.favourite
            .push(made.true_chance.max(1.0 - made.true_chance) as f32);
    }

    fn gone(&mut self, players: &[u32], at: Time) {
        if at >= self.from {
            self.gone += players.len() as u64;
        }
    }
}
