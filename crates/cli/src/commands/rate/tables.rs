//! What rating a file found, as tables.

use std::collections::{HashMap, HashSet};

use matchwright_rating::BradleyTerryPrior;
use matchwright_rating::history::History;
use matchwright_rating::{DrawKind, RatingParams, SystemName};
use matchwright_report::{Column, Table, TableBuilder, count};
use matchwright_sim::rate::{
    ALL_PAIRS_UP_TO, AccountTrack, ContextRatings, Forecast, Rated, RatedPlayer, RatingEvaluation, SidePair,
    Smoothed, TwoWay, WITHIN_95,
};

use super::Order;
use crate::arguments::{RankName, RateOptions};
use crate::input::time_cell;
use matchwright_import::TimeUnit;

/// Whether a game has more than two sides.
pub(super) fn has_many_sides(history: &History) -> bool {
    history.games().any(|game| game.sides().len() > 2)
}

/// How well forecasts were, with draws and without.
pub(super) fn quality_table(has_many_sides: bool, evaluation: &RatingEvaluation, rated: &Rated) -> Table {
    let (three, two) = (&evaluation.three_way, &evaluation.two_way);
    let decisive = &two.evaluation;
    let rows = [
        (
            "win/draw/loss",
            three.n,
            [
                three.accuracy,
                three.log_loss,
                three.constant_log_loss,
                three.brier,
                three.ece,
            ],
        ),
        (
            "decisive games only",
            decisive.n,
            [
                two.accuracy,
                decisive.log_loss,
                decisive.constant_log_loss,
                decisive.brier,
                decisive.ece,
            ],
        ),
    ];
    let figures = ["Accuracy", "Log loss", "of a constant", "Brier", "ECE"];
    Table::of("Forecasts of the evaluated matches", rows)
        .column(Column::text("Evaluated on"), |(what, ..)| what)
        .column(Column::integer("n"), |(_, n, _)| n)
        .columns(
            0..figures.len(),
            |k| Column::number(figures[k], 4),
            |(.., values), k| values[k],
        )
        .build()
        .note(format!(
            "{} matches; the first {} used for training only. {} ECE: \
             expected calibration error. Of a constant: the least log loss of any forecast that is the same for all matches.",
            evaluation.matches, evaluation.evaluated_from, draws_of(evaluation)
        ))
        .notes(sureness(two).map(|(words, slope)| format!(
            "Forecasts of decisive games are {words}: {slope}."
        )))
        .notes(has_many_sides.then(|| format!(
            "Matches of more than two sides count by their pairs of sides: all up to {ALL_PAIRS_UP_TO} sides, neighbours in the ranking beyond."
        )))
        .notes(rated.smoothed.map(|_| {
            "No forecast looks ahead: they come from fits to the matches before, unlike the skills below."
        }))
        .notes((rated.home_advantage != 0.0).then(|| {
            format!("Home advantage (of the first side): {:.2} points.", rated.home_advantage)
        }))
}

/// How sure forecasts of decisive games are, in words and in figures.
pub(super) fn sureness(two: &TwoWay) -> Option<(&'static str, String)> {
    let (slope, error) = (two.log_odds_slope?, two.log_odds_slope_error?);
    let (low, high) = (slope - WITHIN_95 * error, slope + WITHIN_95 * error);
    let words = match () {
        () if high < 1.0 => "too sure",
        () if low > 1.0 => "less sure than they could be",
        () => "about as sure as they should be",
    };
    let figures = format!(
        "the slope of what happened on their log odds is {slope:.2}, 95 % interval {low:.2} to {high:.2}, where 1 would be right"
    );
    Some((words, figures))
}

/// How draws got their probability.
fn draws_of(evaluation: &RatingEvaluation) -> String {
    match evaluation.draws {
        DrawKind::Never => "Draw probability: 0.".to_owned(),
        _ => format!(
            "Draw rate between equals, fitted on the latest of those (65,536 at most): {:.4}.",
            evaluation.draw_rate
        ),
    }
}

/// All that is known of the players, for a file.
pub(super) fn ratings_table(players: &[RatedPlayer], unit: Option<TimeUnit>) -> Table {
    let table = Table::of("Ratings, best first", players)
        .column(Column::text("player"), |player| &player.player)
        .column(Column::number("rating", 1), |player| player.rating)
        .column(Column::number("deviation", 1), |player| player.deviation)
        .column(Column::number("volatility", 5), |player| player.volatility);
    results(table, unit)
        .column(Column::integer("games"), RatedPlayer::games)
        .column(Column::number("low95", 1), |player| Some(player.interval()?.0))
        .column(Column::number("high95", 1), |player| Some(player.interval()?.1))
        .column(Column::number("conservative", 1), RatedPlayer::conservative)
        .optional_column(Column::number("points", 1), |player| Some(player.ladder?.points))
        .optional_column(Column::number("bonus_spent", 1), |player| {
            Some(player.ladder?.spent)
        })
        .optional_column(Column::number("bonus_left", 1), |player| {
            Some(player.ladder?.unspent)
        })
        .optional_column(Column::number("average", 1), |player| {
            Some(player.ladder?.average)
        })
        .optional_column(Column::integer("tier"), |player| Some(player.ladder?.tier))
        .optional_column(Column::text("account"), |player| {
            Some(&player.track.as_ref()?.account)
        })
        .optional_column(Column::text("kind"), |player| {
            Some(player.track.as_ref()?.kind.to_string())
        })
        .optional_column(Column::text("queue"), |player| {
            Some(player.track.as_ref()?.queue.to_string())
        })
        .optional_column(Column::integer("calibration_games_left"), |player| {
            Some(player.track.as_ref()?.calibration_games_left)
        })
        .optional_column(Column::number("visible", 1), |player| {
            player.track.as_ref()?.visible
        })
        .build()
}

/// What the player and friends see of a rating of an account.
fn visible(track: &AccountTrack) -> String {
    match (track.visible, track.calibration_games_left) {
        (Some(points), _) => format!("{points:.0}"),
        (None, 0) => "hidden".to_owned(),
        (None, left) => format!("calibrating, {left} to go"),
    }
}

/// Adds what players played.
fn results(table: TableBuilder<&RatedPlayer>, unit: Option<TimeUnit>) -> TableBuilder<&RatedPlayer> {
    table
        .column(Column::integer("wins"), |player| player.wins)
        .column(Column::integer("draws"), |player| player.draws)
        .column(Column::integer("losses"), |player| player.losses)
        .column(Column::text("last_time"), |player| {
            player.last_time.map(|time| time_cell(unit, time))
        })
}

/// Decimals that tell ratings apart: three where they are a few dozen points, not thousands.
pub(super) fn decimals(system: SystemName) -> usize {
    if RatingParams::of(system).points_for_ten_to_one() < 100.0 {
        3
    } else {
        1
    }
}

/// That some players come last for want of games.
fn note_of_few(order: Order, rated: &Rated) -> Option<String> {
    let few = rated
        .players
        .iter()
        .filter(|player| order.has_few(player))
        .count();
    let min = order.min_games;
    (few > 0).then(|| {
        let few = count(few as u64);
        format!("Players of fewer than {min} games, {few} of them, come after all others (--min-games).")
    })
}

/// What a list of players shows, and how it is sorted.
pub(super) fn caption(by: RankName, rated: &Rated) -> &'static str {
    match (by, rated.smoothed) {
        (RankName::Rating, None) => "Ratings, best first",
        (RankName::Rating, Some(_)) => {
            "Skills at each player's last match, estimated from all matches, best first"
        }
        (RankName::Conservative, None) => "Ratings, best first by rating less three deviations",
        (RankName::Conservative, Some(_)) => {
            "Skills at each player's last match, estimated from all matches, best first by skill less three deviations"
        }
        (RankName::Points, _) => "Ratings, best first by the ladder's points",
    }
}

/// What there is to say of a list of players.
pub(super) fn notes_of_players(order: Order, rated: &Rated) -> Vec<String> {
    let notes = note_of_few(order, rated).into_iter();
    notes
        .chain(notes_of_strengths(rated))
        .chain(notes_of_sweeps(rated))
        .collect()
}

/// The leaderboard; columns that the system leaves empty are left out.
pub(super) fn shown_ratings(
    options: &RateOptions,
    order: Order,
    players: &[RatedPlayer],
    rated: &Rated,
) -> Table {
    let decimals = decimals(options.system);
    let by = order.by;
    let caption = caption(by, rated);
    let number = |name| Column::number(name, decimals);
    let table = Table::of(caption, players)
        .column(Column::text("player"), |player| &player.player)
        .column(number("rating"), |player| player.rating)
        .optional_column(number("deviation"), |player| player.deviation)
        .optional_column(number("95 % low"), |player| Some(player.interval()?.0))
        .optional_column(number("95 % high"), |player| Some(player.interval()?.1))
        .when(by == RankName::Conservative, |table| {
            table.column(number("conservative"), RatedPlayer::conservative)
        })
        .optional_column(Column::number("volatility", 5), |player| player.volatility)
        .column(Column::integer("games"), RatedPlayer::games)
        .optional_column(Column::text("owner and friends see"), |player| {
            Some(visible(player.track.as_ref()?))
        });
    results(table, options.reading.time_unit)
        .build()
        .notes(notes_of_players(order, rated))
        .notes(options.accounts.accounts.then_some(
            "An account has four ratings, which never mix: normal and ranked, queued for alone and with a party. Normal ones \
             are never shown, ranked ones after their calibration and to the owner and friends alone.",
        ))
}

/// As many contexts have a column.
const MOST_CONTEXTS: usize = 8;

/// The ratings of these players in each context, those that they played most first; none where contexts do not count.
pub(super) fn contexts_table(system: SystemName, players: &[RatedPlayer], rated: &Rated) -> Option<Table> {
    let mut contexts: Vec<&ContextRatings> = rated.contexts.iter().collect();
    let shown: HashSet<&str> = players.iter().map(|player| &*player.player).collect();
    let games = |context: &ContextRatings| {
        let own = context.players.iter().filter(|one| shown.contains(&*one.player));
        own.map(RatedPlayer::games).sum::<u64>()
    };
    contexts.retain(|context| games(context) > 0);
    contexts.sort_by_key(|context| std::cmp::Reverse(games(context)));
    let more = contexts.len().saturating_sub(MOST_CONTEXTS);
    contexts.truncate(MOST_CONTEXTS);
    let known: Vec<HashMap<&str, &RatedPlayer>> = contexts
        .iter()
        .map(|context| context.players.iter().map(|one| (&*one.player, one)).collect())
        .collect();
    let table = Table::of("Ratings in each context", players)
        .column(Column::text("player"), |player| &player.player)
        .columns(
            0..contexts.len(),
            |k| Column::text(contexts[k].context.clone()),
            |player, k| {
                let own = known[k].get(&*player.player)?;
                let (digits, games) = (decimals(system), own.games());
                Some(format!("{:.digits$} ({games})", own.rating))
            },
        )
        .build()
        .note("By the matches of the context alone, with their number.")
        .notes((more > 0).then(|| format!("{more} contexts that these players played less are not shown.")));
    (!contexts.is_empty()).then_some(table)
}

/// What there is to say where skills were fitted at all times.
fn notes_of_sweeps(rated: &Rated) -> Vec<String> {
    let Some(Smoothed {
        sweeps,
        last_change,
        converged,
        log_evidence,
    }) = rated.smoothed
    else {
        return Vec::new();
    };
    let ending = if converged {
        "converged"
    } else {
        "not converged: read the skills with care"
    };
    let evidence = format!(
        "Log evidence {log_evidence:.2}: of two settings (--beta, --c, --draw-probability) the higher explains the \
         matches better."
    );
    let sweeps = format!(
        "{sweeps} sweeps; the last moved no skill by more than {last_change:.1e} of its deviation: {ending}."
    );
    vec![sweeps, evidence]
}

/// What there is to say where strengths were fitted at once.
fn notes_of_strengths(rated: &Rated) -> Vec<String> {
    let Some(at_once) = &rated.at_once else {
        return Vec::new();
    };
    let prior = at_once.prior_precision.map(|precision| match at_once.prior {
        BradleyTerryPrior::Always => {
            format!("Strengths are drawn towards each other by a prior of precision {precision}.")
        }
        BradleyTerryPrior::WhenNeeded if at_once.groups.len() > 1 => {
            let (groups, largest) = (count(at_once.groups.len() as u64), count(at_once.groups[0] as u64));
            format!(
                "Results connect the players both ways only within {groups} groups, the largest of {largest}: how far \
                 apart groups lie (players who only won or only lost are groups of one) is decided by a prior of \
                 precision {precision} too."
            )
        }
        BradleyTerryPrior::WhenNeeded => format!(
            "The results do not tell the home advantage from strength: a prior of precision {precision} draws it to 0."
        ),
    });
    let deviations = (!at_once.has_deviations)
        .then(|| "No deviations: for this many players they take too long to compute.".to_owned());
    prior.into_iter().chain(deviations).collect()
}

/// Each pair of sides with its forecast and result.
pub(super) fn predictions_table(
    history: &History,
    pairs: &[SidePair],
    forecasts: &[Forecast],
    unit: Option<TimeUnit>,
) -> Table {
    let side = |pair: &SidePair, side: usize| {
        let game = history.game(pair.game);
        let players = game.side(side).players().iter();
        let names: Vec<&str> = players
            .map(|&player| history.players()[player as usize].as_str())
            .collect();
        names.join(" + ")
    };
    let probabilities = ["p_win", "p_draw", "p_loss"];
    Table::of("Forecasts", pairs.iter().zip(forecasts))
        .column(Column::text("time"), |(pair, _)| {
            time_cell(unit, history.game(pair.game).time())
        })
        .column(Column::text("player1"), |(pair, _)| side(pair, pair.side))
        .column(Column::text("player2"), |(pair, _)| side(pair, pair.other))
        .columns(
            0..probabilities.len(),
            |k| Column::number(probabilities[k], 6),
            |(_, forecast), k| forecast.probabilities[k],
        )
        .column(Column::number("score", 6), |(_, forecast)| {
            matchwright_sim::adapt::score_of(forecast.outcome).value()
        })
        .build()
}
