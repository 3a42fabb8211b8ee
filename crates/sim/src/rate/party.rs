//! Party bonus, fitted to a history's games before the evaluated part.

use matchwright_rating::history::{History, PlayerIndex};
use matchwright_rating::{
    PartyBonus, PartyBonusFit, PartyBonusParams, PartyFitOptions, RatingEstimate, RatingParams, SystemName,
    SystemSettings, TeamGame, Unsupported, fit_party_bonus,
};
use serde::Serialize;

use super::error::RateError;
use super::evaluation::sides_follow_result;
use super::rated::{Estimate, Rated};
use super::rater::{Rater, rate_with, rater_of};
use super::systems::{is_online, rate_online};
use crate::statistics::share_of;

/// How a party bonus is learnt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PartyFitChoice {
    /// The spread without effect, in rating points. Default 0: all of it counts.
    pub free_spread: f64,
    /// The share of the games before the evaluated part that are used for training ratings only, in \[0, 1). Default a quarter.
    pub warm_up: f64,
}

impl Default for PartyFitChoice {
    fn default() -> Self {
        Self {
            free_spread: 0.0,
            warm_up: 0.25,
        }
    }
}

/// What was learnt of parties.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartyLearnt {
    /// Coefficients, their errors, and what the games cannot tell. The errors are those of the regression, with
    /// ratings taken as they are.
    pub fit: PartyBonusFit,
    /// Games of two sides before those in the fit, used for training ratings only.
    pub warm_up_games: usize,
    /// How much of the variation between seats in a party and seats alone is between games of one player, in
    /// \[0, 1\]: 1 if all queue together as often, 0 if each player always does or never. The rest passes for skill.
    pub within_players: f64,
}

impl PartyLearnt {
    /// The bonus, for [`RatingParams::party_bonus`]; none where an estimate is beyond what a bonus may be.
    #[must_use]
    pub fn bonus(&self) -> Option<PartyBonusParams> {
        self.fit.bonus.as_ref().map(PartyBonus::params).copied()
    }
}

/// Below this, who plays determines who queues together, and a bonus cannot be told from skill.
const LEAST_WITHIN: f64 = 0.05;

/// Learns party bonuses under a system: rates the players as if they had queued alone, and fits the bonus to the
/// games as they looked before they were played.
///
/// Such ratings take part of a bonus for skill, namely of those who queue together more often than others; so
/// estimates lean towards 0, the more the smaller [`PartyLearnt::within_players`] is. (To rate again under what was
/// learnt is no way out: where the same friends always play together, that runs off.) A point's worth in log odds is
/// that of the curve for Elo and DOM MMR, and estimated with the rest for systems whose forecasts depend on
/// deviations.
///
/// Only games before the share `evaluate_from` are looked at, so that forecasts under the bonus are honest on the rest.
/// The home advantage is estimated along, unless all games name the winners first. Cost: one pass.
///
/// # Errors
/// [`RateError`] where there is no party, no player who queues now alone and now together, or no fit.
pub fn learn_parties(
    params: &RatingParams,
    history: &History,
    evaluate_from: f64,
    how: &PartyFitChoice,
) -> Result<PartyLearnt, RateError> {
    params.check()?;
    if !is_online(&params.system) {
        let is_online = |name: SystemName| is_online(&name.params());
        return Err(Unsupported::but_for("a fitted party bonus", is_online).into());
    }
    let params = RatingParams {
        party_bonus: None,
        ladder: None,
        ..params.clone()
    };
    let has_deviations = rater_of(&params)?
        .estimate(PlayerIndex::MAX)
        .deviation()
        .is_some();
    let options = PartyFitOptions {
        free_spread: how.free_spread,
        skill: params.skill_of_teams(),
        log_odds_per_point: (!has_deviations).then(|| params.system.points_per_log_odds().recip()),
        first_side: has_first_side(history),
    };
    let rated = rate_online(&params, history, evaluate_from, &[], true)?;
    learn_from(rated, history, evaluate_from, how.warm_up, &options)
}

/// [`learn_parties`] under any rater that has no games and no bonus yet.
///
/// # Errors
/// As [`learn_parties`].
pub fn learn_parties_by(
    rater: &mut dyn Rater,
    history: &History,
    evaluate_from: f64,
    warm_up: f64,
    options: &PartyFitOptions,
) -> Result<PartyLearnt, RateError> {
    let rated = rate_with(rater, history, &[], true)?;
    learn_from(rated, history, evaluate_from, warm_up, options)
}

/// Whether the position of a side may tell something: where winners come first, it is the result.
fn has_first_side(history: &History) -> bool {
    !sides_follow_result(history)
}

fn learn_from(
    rated: Rated,
    history: &History,
    evaluate_from: f64,
    warm_up: f64,
    options: &PartyFitOptions,
) -> Result<PartyLearnt, RateError> {
    let learnt = share_of(history.len(), evaluate_from);
    let mut before = rated.before;
    before.truncate(before.partition_point(|(index, _)| *index < learnt));
    let warm_up_games = share_of(before.len(), warm_up).min(before.len());
    before.drain(..warm_up_games);
    let Some(within_players) = within_players(history, &before) else {
        return Err(RateError::NobodyQueuedTogether);
    };
    if within_players < LEAST_WITHIN {
        return Err(RateError::AlwaysTogether);
    }
    let games: Vec<_> = before.into_iter().map(|(_, game)| game).collect();
    let fit = fit_party_bonus(&games, options).map_err(|source| RateError::Party {
        games: games.len(),
        source,
    })?;
    Ok(PartyLearnt {
        fit,
        warm_up_games,
        within_players,
    })
}

/// The part of the variance of "this seat is in a party" that is not between players; none if all seats are alike.
fn within_players(history: &History, games: &[(usize, TeamGame<Estimate>)]) -> Option<f64> {
    // Seats, and those of them in a party, by player.
    let mut counts = vec![(0_u32, 0_u32); history.players().len()];
    for (index, _) in games {
        for side in history.game(*index).sides() {
            for seat in side.seats() {
                let same = side.seats().filter(|other| other.party == seat.party);
                let together = seat.party.is_some() && same.count() > 1;
                let count = &mut counts[seat.player as usize];
                count.0 += 1;
                count.1 += u32::from(together);
            }
        }
    }
    let (seats, together) = counts.iter().fold((0.0, 0.0), |sum, &(seats, together)| {
        (sum.0 + f64::from(seats), sum.1 + f64::from(together))
    });
    let all = together * (seats - together) / seats;
    let within = counts.iter().filter(|(seats, _)| *seats > 0);
    let within: f64 = within
        .map(|&(seats, together)| f64::from(together) * f64::from(seats - together) / f64::from(seats))
        .sum();
    if together == 0.0 {
        return None;
    }
    // Where everybody is always in a party, nothing varies at all.
    Some(if all > 0.0 { within / all } else { 0.0 })
}
