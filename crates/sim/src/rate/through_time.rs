//! TrueSkill Through Time over a history: ratings from all games, forecasts from those before alone.

use matchwright_rating::history::{Game, History, PlayerIndex};
use matchwright_rating::{
    GaussianRating, PeriodChoice, SkillPoint, TeamRatingSystem, ThroughTime, ThroughTimeFit, TimeError,
    TimedGame,
};

use super::error::RateError;
use super::pass::greet;
use super::period::Clock;
use super::prediction::Standing;
use super::rated::{Course, CoursePoint, Extras, Rated, Smoothed, rank};
use super::team_pass::{Walk, predicted_pairs};
use super::told::Told;

/// How many pieces a history is cut into for the forecasts: one fit for each, to half of the history on average.
const PIECES: usize = 10;

/// Ratings from all games, as they were at each player's last one; forecasts that never look ahead.
///
/// The history is cut into [`PIECES`] of as many games. Before each piece all skills are fitted to the games before
/// it; from there TrueSkill with the same model learns forward, game by game, to the end of the piece. So a
/// forecast knows every game before it, the earlier pieces' smoothed, and none after it. Cost: five and a half fits
/// more than that of the ratings.
pub(super) fn rate_through_time(
    model: &ThroughTime,
    period: PeriodChoice,
    history: &History,
    watch: &[PlayerIndex],
) -> Result<Rated, RateError> {
    let clock = Clock::of(period)?;
    let timed = timed_games(clock, history)?;
    let (players, count) = (history.players().len(), timed.len());
    let system = model.system();
    let walk = Walk::new(system, &(), clock, history);
    let (mut standings, mut predictions) = (Vec::new(), Vec::with_capacity(count));
    greet(&system.initial(), history, &mut standings);
    let mut predicted = |_, prediction| predictions.push(prediction);
    let mut told = Told::new(&mut predicted);
    for piece in 0..PIECES {
        let games = count * piece / PIECES..count * (piece + 1) / PIECES;
        if games.start > 0 && !games.is_empty() {
            take_over(&model.fit(players, &timed[..games.start])?, &mut standings);
        }
        walk.over(games, &mut standings, &mut told)?;
    }
    let fit = model.fit(players.max(1), &timed)?;
    take_over(&fit, &mut standings);
    Ok(Rated {
        players: rank(history.players(), &standings, Extras::of),
        predictions,
        pairs: predicted_pairs(history),
        courses: courses(&fit, clock, history, watch),
        smoothed: Some(Smoothed {
            sweeps: fit.sweeps(),
            last_change: fit.last_change(),
            converged: fit.converged(),
            log_evidence: fit.log_evidence(),
        }),
        ..Rated::default()
    })
}

/// The games with players by index, in periods since the first.
fn timed_games(clock: Clock, history: &History) -> Result<Vec<TimedGame>, TimeError> {
    let start = history.span().map(|(first, _)| first);
    let timed = |game: Game<'_>| {
        let time = clock.elapsed(start, game.time())?;
        Ok(TimedGame::new(time, game.rated(|seat| Ok(seat.player as usize))?))
    };
    history.games().map(timed).collect()
}

/// Each player's skill as `fit` has it at the player's last game; newcomers stay what they are.
fn take_over(fit: &ThroughTimeFit, standings: &mut [Standing<GaussianRating>]) {
    let last = |player| fit.curve(player).and_then(|curve| curve.last());
    for (player, Standing { rating, .. }) in standings.iter_mut().enumerate() {
        if let Some(point) = last(player) {
            *rating = point.skill;
        }
    }
}

/// The skills of the watched players at the time of each of their games, as all games have them.
fn courses(fit: &ThroughTimeFit, clock: Clock, history: &History, watch: &[PlayerIndex]) -> Vec<Course> {
    let start = history.span().map_or(0, |(first, _)| first);
    let seconds = match clock {
        Clock::Games => 1.0,
        Clock::Fractions(period) | Clock::Whole(period) => period.seconds(),
    };
    #[allow(clippy::cast_possible_truncation, reason = "a length within the history")]
    let point = |point: &SkillPoint| CoursePoint {
        time: start.saturating_add((point.time * seconds).round() as i64),
        rating: point.skill.rating(),
        deviation: Some(point.skill.deviation()),
    };
    let curves = watch.iter().map(|&player| fit.curve(player as usize));
    curves
        .map(|curve| curve.unwrap_or_default().iter().map(point).collect())
        .collect()
}
