//! [`Measured`]: what came out of a simulated world.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{BinSums, HourSums};
use crate::replay::{Costs, GroupWaits};
use crate::simulate::engine::PlayerEnd;
use crate::simulate::record::{Fate, TicketEnd};
use crate::simulate::regret::Regret;
use crate::statistics::Summary;

/// What came out. A figure of nothing, such as a mean wait without a match, is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// Tickets by what became of them.
    pub tickets: BTreeMap<Fate, u64>,
    /// Players of all these tickets, once for each, but of refused ones only where they have a price.
    pub players: u64,
    /// Refused tickets, if the objective has no price of lost ones: then there is no cost that could be compared.
    #[serde(default)]
    pub unpriced: u64,
    /// Tickets without a match within [`OVERDUE`](super::OVERDUE).
    pub overdue: u64,
    /// Waits of all tickets, and by region, rating and party where there are several.
    pub waits: Vec<GroupWaits>,
    /// Seconds within which 0, 1, ... % of all tickets had a match, up to the share that had one.
    pub wait_curve: Vec<f64>,
    /// Matches.
    pub matches: u64,
    /// Costs a player.
    pub costs: Costs,
    /// Mean mismatch of a match by the objective.
    pub mismatch: Option<f64>,
    /// What 0, 1, ... 100 % of the mismatches do not exceed.
    pub mismatch_curve: Vec<f64>,
    /// The factors of what judges, each with its mean over the matches; they see no waits, which have costs of their own.
    pub factors: Vec<FactorMean>,
    /// Between the first two teams' mean ratings, points: the median and the gap that nine in ten matches do not exceed.
    pub rating_gap: [Option<f64>; 2],
    /// The true chance of the better team, draws left out: its mean, and what nine in ten matches do not exceed.
    pub favourite: [Option<f64>; 2],
    /// Elo's forecast by mean ratings against what is true.
    pub forecast: Forecast,
    /// Mean area under the gold difference since it was last 0, gold times minutes; none without gold.
    pub balance: Option<f64>,
    /// What 0, 1, ... 100 % of these areas do not exceed.
    pub balance_curve: Vec<f64>,
    /// Matches as the players of all tickets had them, and those of each region, rating and party where there are several.
    pub by_group: Vec<GroupMatches>,
    /// By hour of the day, 0 to 23.
    pub by_hour: Vec<HourMeans>,
    /// Hours that were measured.
    pub hours: f64,
    /// How often the wait that was promised was kept.
    pub coverage: Coverage,
    /// Matches, wins and losses of the fourths of the players by true skill.
    pub games: Vec<GroupGames>,
    /// Players who went for good.
    pub gone: u64,
    /// What ratings are off true skill by, of players who played.
    pub rating_error: RatingError,
    /// Costs beside those of hindsight, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regret: Option<Regret>,
}

/// What matches were to the players of a group; a player counts once for each match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupMatches {
    /// Which: named as the waits of the same group are.
    pub group: String,
    /// Players in matches.
    pub players: u64,
    /// Mean mismatch of their matches.
    pub mismatch: Option<f64>,
    /// Their mean ping to where they play, or to their opponents where matches run on players' machines, milliseconds;
    /// that of a party is the worst of its players' to where they play. None without pings.
    pub ping: Option<f64>,
}

/// A factor of the scoring policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactorMean {
    /// Its key in the policy document.
    pub factor: String,
    /// Its mean quality in \[0, 1\]; 0 counts where it would have forbidden a match.
    pub mean: f64,
}

/// Forecasts of the first team's win against what was true, of matches of two teams; a draw counts half.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// Mean log loss of the forecasts.
    pub log_loss: Option<f64>,
    /// The same of the true chances: the least that is possible.
    pub true_log_loss: Option<f64>,
    /// By forecast, in tenths; tenths without matches are left out.
    pub bins: Vec<ForecastBin>,
}

/// Matches of like forecasts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForecastBin {
    /// How many.
    pub matches: u64,
    /// Mean forecast.
    pub predicted: f64,
    /// Mean true chance.
    pub true_chance: f64,
    /// Share that was won.
    pub won: f64,
}

/// Tickets that came in one hour of the day, and matches that were made in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HourMeans {
    /// Tickets that came.
    pub came: u64,
    /// Mean time that they waited, with a match or without, seconds.
    pub wait: Option<f64>,
    /// Mean mismatch of the hour's matches.
    pub mismatch: Option<f64>,
}

/// Promised waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Tickets that were promised a wait, and whose patience lasts longer than that.
    pub promised: u64,
    /// Those of them that were matched within it.
    pub kept: u64,
}

impl Coverage {
    /// One that would have left before the promise was due says nothing of it: patience is drawn without regard to it.
    pub(super) fn add(&mut self, end: &TicketEnd) {
        let Some(promised) = end.promised else { return };
        let is_due = |until: matchwright_queue::Time| until.seconds_since(end.came) > promised;
        let lasts = end.patience.is_none_or(is_due);
        let seen = end.fate != Fate::Waits || is_due(end.found());
        if lasts && seen && end.fate != Fate::Declined {
            self.promised += 1;
            self.kept += u64::from(end.fate == Fate::Matched && !is_due(end.found()));
        }
    }

    /// kept / promised.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.promised > 0).then(|| self.kept as f64 / self.promised as f64)
    }
}

/// Matches of a group of players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupGames {
    /// Which.
    pub group: String,
    /// Its players.
    pub players: u64,
    /// Matches that they played, summed over them.
    pub games: u64,
    /// Those that they won.
    pub wins: u64,
    /// Those that they lost.
    pub losses: u64,
}

impl GroupGames {
    /// wins / games.
    #[must_use]
    pub fn win_share(&self) -> Option<f64> {
        (self.games > 0).then(|| self.wins as f64 / self.games as f64)
    }
}

/// How far ratings are from true skill.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingError {
    /// Mean rating less mean skill, points: what ratings are inflated by.
    pub inflation: Option<f64>,
    /// Root mean square of the rest.
    pub root_mean_square: Option<f64>,
}

/// Of those who played, in points of true skill, of which a point of a rating is `unit`.
pub(super) fn rating_error(players: &[PlayerEnd], unit: f64) -> RatingError {
    let played = players.iter().filter(|player| player.games > 0);
    let errors = Summary::of(played.map(|player| unit * player.rating - player.skill));
    let n = errors.n() as f64;
    let square = errors.variance() * (n - 1.0) / n;
    RatingError {
        inflation: (errors.n() > 0).then(|| errors.mean()),
        root_mean_square: (errors.n() > 1).then(|| square.sqrt()),
    }
}

pub(super) fn factors(factors: BTreeMap<&'static str, Summary>) -> Vec<FactorMean> {
    let one = |(name, values): (&str, Summary)| FactorMean {
        factor: name.to_owned(),
        mean: values.mean(),
    };
    factors.into_iter().map(one).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of matches"
)]
pub(super) fn forecast(bins: &[BinSums], log_loss: [Summary; 2]) -> Forecast {
    let seen = bins.iter().filter(|bin| bin.matches > 0.0);
    let bin = |bin: &BinSums| ForecastBin {
        matches: bin.matches as u64,
        predicted: bin.predicted / bin.matches,
        true_chance: bin.true_chance / bin.matches,
        won: bin.won / bin.matches,
    };
    let [log_loss, true_log_loss] = log_loss.map(|loss| (loss.n() > 0).then(|| loss.mean()));
    Forecast {
        log_loss,
        true_log_loss,
        bins: seen.map(bin).collect(),
    }
}

pub(super) fn by_hour(hours: &[HourSums]) -> Vec<HourMeans> {
    let one = |hour: &HourSums| HourMeans {
        came: hour.came,
        wait: (hour.admitted > 0).then(|| hour.waited / hour.admitted as f64),
        mismatch: (hour.mismatch.n() > 0).then(|| hour.mismatch.mean()),
    };
    hours.iter().map(one).collect()
}
