//! Bradley and Terry's model over a history: fitted to the games before the evaluated part, evaluated on the rest.

use std::f64::consts::LN_10;

use matchwright_rating::history::History;
use matchwright_rating::{AdvantageChoice, BradleyTerryFit, BradleyTerryParams, Comparison, HomeAdvantage};

use super::error::RateError;
use super::prediction::{Prediction, SidePair, Standing};
use super::rated::{AtOnce, Estimate, Extras, Rated, rank};
use super::team_pass::predicted_pairs;
use crate::adapt::outcome_of;

/// Elo's points for odds of e to 1: strengths are given on that scale.
const POINTS_PER_LOG_ODDS: f64 = 400.0 / LN_10;
/// The rating of mean strength.
const MEAN_RATING: f64 = 1500.0;
/// Standard errors cost the cube of the players, so they are left out for more than these.
const MOST_WITH_ERRORS: usize = 2000;

/// Refuses what strengths of single players cannot be fitted to: teams, an advantage that is given, or one in games of more than two sides.
pub(super) fn check_duels(home_advantage: AdvantageChoice, history: &History) -> Result<(), RateError> {
    let with_advantage = match home_advantage {
        AdvantageChoice::Fit => true,
        AdvantageChoice::Points(0.0) => false,
        AdvantageChoice::Points(points) => return Err(RateError::AdvantageGiven { points }),
    };
    for (game, record) in (1..).zip(history.games()) {
        if record.sides().any(|side| side.players().len() > 1) {
            return Err(RateError::Teams { game });
        }
        if with_advantage && record.sides().len() > 2 {
            return Err(RateError::NobodyFirst { game });
        }
    }
    Ok(())
}

/// Ratings from all games, predictions from the first `learnt` alone.
///
/// The `learnt` games themselves are predicted too: by strengths that know them.
pub(super) fn rate_at_once(
    own: &BradleyTerryParams,
    home_advantage: AdvantageChoice,
    history: &History,
    learnt: usize,
) -> Result<Rated, RateError> {
    check_duels(home_advantage, history)?;
    let with_advantage = home_advantage == AdvantageChoice::Fit;
    let pairs = predicted_pairs(history);
    let known = pairs.partition_point(|pair| pair.game < learnt);
    let settings = BradleyTerryParams {
        home_advantage: with_advantage,
        ..*own
    };
    let before = fit(&settings, history, &pairs[..known])?;
    let whole = fit(&settings, history, &pairs)?;
    let mut groups: Vec<usize> = whole.groups().iter().map(Vec::len).collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let has_deviations = history.players().len() <= MOST_WITH_ERRORS;
    let first = whole.home_advantage().map_or(0.0, |first| first.log_odds);
    let predict = |pair: &SidePair| predict(&before, history, pair);
    Ok(Rated {
        players: rank(
            history.players(),
            &standings(history, &whole, has_deviations),
            Extras::of,
        ),
        predictions: pairs.iter().map(predict).collect(),
        pairs,
        home_advantage: HomeAdvantage::new(first * POINTS_PER_LOG_ODDS)?.points(),
        at_once: Some(AtOnce {
            connectivity: whole.connectivity().clone(),
            prior_precision: whole.prior_precision(),
            prior: settings.prior,
            groups,
            has_deviations,
        }),
        ..Rated::default()
    })
}

fn players_of(history: &History, pair: &SidePair) -> (usize, usize) {
    let game = history.game(pair.game);
    let player = |side| game.side(side).players()[0] as usize;
    (player(pair.side), player(pair.other))
}

fn fit(
    settings: &BradleyTerryParams,
    history: &History,
    pairs: &[SidePair],
) -> Result<BradleyTerryFit, RateError> {
    let comparison = |pair: &SidePair| {
        let (first, second) = players_of(history, pair);
        let game = history.game(pair.game);
        let score = game.result_between(pair.side, pair.other);
        // As long as both were there.
        let share = |side: usize| game.side(side).seats().map(|seat| seat.share).fold(1.0, f64::min);
        Comparison::new(first, second, score).times(share(pair.side).min(share(pair.other)))
    };
    let comparisons: Vec<Comparison> = pairs.iter().map(comparison).collect();
    Ok(settings.build()?.fit(history.players().len(), &comparisons)?)
}

fn predict(fit: &BradleyTerryFit, history: &History, pair: &SidePair) -> Prediction {
    let (first, second) = players_of(history, pair);
    // Both are players of the history that was fitted.
    let expected = fit.home_win_probability(first, second).unwrap_or(0.5);
    let strengths = fit.log_strengths();
    Prediction {
        expected,
        expected_reverse: 1.0 - expected,
        gap: POINTS_PER_LOG_ODDS * (strengths[first] - strengths[second]),
        outcome: outcome_of(history.game(pair.game).result_between(pair.side, pair.other)),
    }
}

fn standings(history: &History, fit: &BradleyTerryFit, has_deviations: bool) -> Vec<Standing<Estimate>> {
    let errors = if has_deviations {
        fit.standard_errors()
    } else {
        Vec::new()
    };
    let strengths = fit.log_strengths().iter().enumerate();
    let mut standings: Vec<_> = strengths
        .map(|(player, strength)| {
            Standing::newcomer(Estimate::new(
                MEAN_RATING + POINTS_PER_LOG_ODDS * strength,
                errors.get(player).map(|error| POINTS_PER_LOG_ODDS * error),
            ))
        })
        .collect();
    for game in history.games() {
        for (position, side) in game.sides().enumerate() {
            for &player in side.players() {
                standings[player as usize].played(game.time(), outcome_of(game.result_of(position)));
            }
        }
    }
    standings
}
