//! Rating a history under a system by its name, whatever its kind.

use matchwright_rating::history::{History, PlayerIndex, Side};
use matchwright_rating::{
    AdvantageChoice, AdvantageError, AnyParams, ContextBlend, HomeAdvantage, RatingParams, SystemKind,
    SystemName, SystemSettings, Unsupported,
};

use super::advantage::fit_advantage;
use super::comparisons::{check_duels, rate_at_once};
use super::contexts::{InContext, Known, ratings_of, scaled, split};
use super::draws::refuse_draws;
use super::error::RateError;
use super::rated::Rated;
use super::rater::{rate_with, rater_of};
use super::team_pass::predicted_pairs;
use super::through_time::rate_through_time;
use crate::statistics::share_of;

/// Rates a history of games, and follows the players in `watch`.
///
/// Systems that learn game by game go through it as [`rate`](super::rate()) does. Bradley-Terry compares single players: its predictions are
/// those of strengths fitted to the games before the share `evaluate_from`, its ratings those of all games. TrueSkill Through
/// Time's ratings, too, are of all games; its forecasts never look ahead: they come from ten fits, each to the games
/// before it, and from learning forward from there to the next.
///
/// With [`RatingParams::context_games`] a player has a rating in each context besides, by its games there alone. Log odds of
/// forecasts are then (1 - w) times those of all games and w times those of the context, as a [`ContextBlend`] has it of the games
/// there that the ratings know. [`RatingParams::log_odds_scale`] multiplies them at last.
///
/// # Errors
/// [`RateError`] names the parameter that is out of range, or the game that the system cannot take.
pub fn rate_games(
    params: &RatingParams,
    history: &History,
    evaluate_from: f64,
    watch: &[PlayerIndex],
) -> Result<Rated, RateError> {
    params.check()?;
    refuse_draws(params.draw_kind(), history, 0)?;
    let has_course = |system: &AnyParams| !matches!(system, AnyParams::BradleyTerry(_));
    if !watch.is_empty() && !has_course(&params.system) {
        let what = "a course of ratings over time";
        return Err(Unsupported::but_for(what, |name| has_course(&name.params())).into());
    }
    check_games(params, history, evaluate_from)?;
    let mut rated = rate_plainly(params, history, evaluate_from, watch)?;
    if let Some(games) = params.context_games.filter(|_| !history.contexts().is_empty()) {
        let split = split(history)?;
        let own = rate_plainly(params, &split.history, evaluate_from, &[])?;
        let known = Known::of(params, share_of(history.len(), evaluate_from))?;
        InContext::of(history, &split, (&rated, &own), known)
            .blend(&mut rated.predictions, ContextBlend::new(games)?);
        rated.contexts = ratings_of(history, &split, &own);
    }
    for prediction in &mut rated.predictions {
        *prediction = scaled(*prediction, params.log_odds_scale);
    }
    Ok(rated)
}

/// As [`rate_games`], of what was checked, by the system alone.
pub(super) fn rate_plainly(
    params: &RatingParams,
    history: &History,
    evaluate_from: f64,
    watch: &[PlayerIndex],
) -> Result<Rated, RateError> {
    let learnt = share_of(history.len(), evaluate_from);
    match &params.system {
        AnyParams::BradleyTerry(own) => rate_at_once(own, params.home_advantage, history, learnt),
        AnyParams::ThroughTime(own) => rate_through_time(&own.build()?, params.period, history, watch),
        _ => rate_online(params, history, evaluate_from, watch, false),
    }
}

/// Refuses what a system cannot do with a history, before any of it is rated. O(n).
///
/// # Errors
/// As [`rate_games`], but for what shows only as games are rated.
pub fn check_games(params: &RatingParams, history: &History, evaluate_from: f64) -> Result<(), RateError> {
    params.check()?;
    refuse_draws(params.draw_kind(), history, 0)?;
    if history.has_starts() && !is_online(&params.system) {
        let online = |name: SystemName| name.kind() != SystemKind::Whole;
        return Err(Unsupported::but_for("ratings to start with", online).into());
    }
    if matches!(params.system, AnyParams::BradleyTerry(_)) {
        check_duels(params.home_advantage, history)?;
    }
    if params.home_advantage != AdvantageChoice::Fit {
        return Ok(());
    }
    let learnt = share_of(history.len(), evaluate_from);
    let duels = history
        .games()
        .take(learnt)
        .filter(|game| game.sides().len() == 2);
    let mut orders = duels.map(|game| {
        let mut ranks = game.sides().map(Side::rank);
        ranks.next().cmp(&ranks.next())
    });
    let Some(first) = orders.next() else {
        return Err(RateError::Advantage(AdvantageError::NoGames));
    };
    if first.is_ne() && orders.clone().all(|order| order == first) {
        let games = 1 + orders.count();
        return Err(RateError::Advantage(AdvantageError::OneWay { games }));
    }
    Ok(())
}

/// As [`rate_games`], for a system that learns game by game, with the games as they looked before them if `with_games`.
pub(super) fn rate_online(
    params: &RatingParams,
    history: &History,
    evaluate_from: f64,
    watch: &[PlayerIndex],
    with_games: bool,
) -> Result<Rated, RateError> {
    let pass = |first: HomeAdvantage, watch, with_games| {
        let home_advantage = AdvantageChoice::Points(first.points());
        let params = RatingParams {
            home_advantage,
            ..params.clone()
        };
        rate_with(&mut *rater_of(&params)?, history, watch, with_games)
    };
    let first = match params.home_advantage {
        AdvantageChoice::Points(points) => HomeAdvantage::new(points)?,
        AdvantageChoice::Fit => {
            let learnt = share_of(history.len(), evaluate_from);
            let pairs = predicted_pairs(history);
            fit_advantage(params.system.points_per_log_odds(), |first| {
                let mut rated = pass(first, &[], false)?;
                rated
                    .predictions
                    .truncate(pairs.partition_point(|pair| pair.game < learnt));
                let both = rated.predictions.into_iter().zip(&pairs);
                Ok(both
                    .filter(|(_, pair)| history.game(pair.game).sides().len() == 2)
                    .map(|(prediction, _)| prediction)
                    .collect())
            })?
        }
    };
    Ok(Rated {
        home_advantage: first.points(),
        ..pass(first, watch, with_games)?
    })
}

/// Whether a system learns game by game.
pub(super) fn is_online(system: &AnyParams) -> bool {
    system.name().kind() != SystemKind::Whole
}
