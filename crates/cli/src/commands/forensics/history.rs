//! `matchwright forensics history`.

use matchwright_mmr_forensics::{
    AfterGame, EloFit, ForensicsError, LadderSeason, LadderState, PoolKnowledge, PromotionForecast,
    ShownGame, VisibleGame, WinRate, fit_elo, play_backward, predict_promotion,
};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use serde::Serialize;
use serde_json::json;

use super::rating::{division, standing};
use super::{Findings, by_place, why_not, with_ends};
use crate::arguments::HistoryOptions;
use crate::failure::Failure;
use crate::input::PastedTable;

/// Games of a table in a terminal: the last ones.
const MOST_ROWS: usize = 20;

/// What a history tells, game by game.
#[derive(Serialize)]
struct Course {
    forecast: Option<PromotionForecast>,
    threshold: Option<f64>,
    /// The name of the moving average.
    average: String,
    games: Vec<AfterGame>,
    ratings: Vec<f64>,
    averages: Vec<f64>,
    elo: Option<EloFit>,
}

pub(super) fn history(options: &HistoryOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let params = season.params();
    let division = division(season, &options.division)?;
    let table = PastedTable::read(&options.table, &options.columns)?;
    let refuse = |error: ForensicsError| table.name.refuse(error);
    let played = games(&table)?;
    let rate = options.win_rate.unwrap_or(WinRate::HALF);
    let now = standing(&options.standing, rate)?;
    let end = LadderState::new(now.points(), now.unspent(), now.total());
    let pool = if options.pool_may_be_empty {
        PoolKnowledge::MayBeEmpty
    } else {
        PoolKnowledge::NeverEmpty
    };
    let games = play_backward(end, &played, pool, options.expired, season).map_err(refuse)?;
    let ratings: Vec<f64> = games
        .iter()
        .map(|game| division.mmr(game.differential.middle() + division.offset()))
        .collect();
    let (average, threshold) = (&params.average, division.threshold());
    let forecast = threshold
        .map(|threshold| predict_promotion(&ratings, threshold, average, rate, params.game, options.ahead));
    let course = Course {
        forecast: forecast.transpose().map_err(refuse)?,
        threshold,
        average: average.name(),
        averages: average.after_each(&ratings),
        elo: elo(&table, &played, &games)?,
        games,
        ratings,
    };
    Ok(Findings {
        words: answer(&course),
        results: Section::new("Game by game")
            .table(game_table(&course))
            .plot(plot(&course)),
        value: json!(course),
        inputs: vec![table.facts.clone()],
    })
}

/// The K-factor and scale behind the changes; none of too few games, which the rest of the answer does not mind.
fn elo(table: &PastedTable, played: &[ShownGame], games: &[AfterGame]) -> Result<Option<EloFit>, Failure> {
    let column = table.column(&["opponent"]);
    let changes = played.iter().zip(games).enumerate().map(|(row, (game, after))| {
        Ok(VisibleGame {
            change: game.change - after.bonus.middle(),
            opponent: table.number_if_any(row, column)?,
        })
    });
    match fit_elo(&changes.collect::<Result<Vec<_>, Failure>>()?) {
        Ok(elo) => Ok(Some(elo)),
        Err(ForensicsError::Few { .. }) => Ok(None),
        Err(error) => Err(table.name.refuse(error)),
    }
}

/// Oldest first: `change`, or `won` and `lost` points in two columns.
fn games(table: &PastedTable) -> Result<Vec<ShownGame>, Failure> {
    let change = table.column(&["change", "points", "result"]);
    let parts = || table.column(&["won"]).zip(table.column(&["lost"]));
    let parts = change.is_none().then(parts).flatten();
    let bonus = table.column(&["bonus"]);
    let minutes = table.column(&["minutes before", "minutes"]);
    // For the Elo fit of all games.
    let _ = table.column(&["opponent"]);
    table.tell_unused();
    if change.is_none() && parts.is_none() {
        table.needed(&["change"])?;
    }
    let mut games = Vec::with_capacity(table.len());
    for row in 0..table.len() {
        let value = match (change, parts) {
            (Some(column), _) => table.number(row, column)?,
            (None, Some((won, lost))) => {
                let won = table.number_if_any(row, Some(won))?.unwrap_or(0.0);
                won - table.number_if_any(row, Some(lost))?.unwrap_or(0.0).abs()
            }
            (None, None) => 0.0,
        };
        games.push(ShownGame {
            change: value,
            bonus: table.number_if_any(row, bonus)?,
            minutes_before: table.number_if_any(row, minutes)?,
        });
    }
    if games.is_empty() {
        return Err(table.name.refuse("the table has no game"));
    }
    Ok(games)
}

fn answer(course: &Course) -> Vec<String> {
    let last = course.ratings.len() - 1;
    let (rating, mean, average) = (course.ratings[last], course.averages[last], &course.average);
    let mut lines = vec![match &course.forecast {
        Some(forecast) if forecast.distance < 0.0 => {
            format!(
                "{average} {mean:.0}: over the threshold by {:.0}; promotion with the next game",
                -forecast.distance
            )
        }
        Some(forecast) => format!(
            "{average} {mean:.0}: {:.0} points below promotion; within {} games with a chance of {:.0} %",
            forecast.distance,
            forecast.ahead,
            100.0 * forecast.chance
        ),
        None => format!("{average} {mean:.0}: there is no promotion out of this league"),
    }];
    lines.push(format!("MMR {rating:.0} after {} games", course.games.len()));
    let widths = course.games.iter().map(|game| game.differential.width());
    let widest = widths.fold(0.0, f64::max);
    if widest > 0.5 {
        lines.push(format!(
            "The pool may have run out: earlier ratings are known to within {widest:.0} points only (columns bonus and minutes narrow that)"
        ));
    }
    if let Some(elo) = &course.elo {
        match elo.k.found() {
            Some(k) => {
                // Opponents' ratings tell it however right the player's own is.
                let provided = if elo.in_points {
                    ""
                } else {
                    ", if the rating is right on average"
                };
                let k = with_ends(k, 1);
                lines.push(format!("The changes are those of a K-factor of {k}{provided}"));
            }
            None => lines.extend(why_not(&elo.k).map(|why| format!("K-factor {why}"))),
        }
        if let Some(scale) = elo.scale.found() {
            lines.push(format!(
                "Opponents' ratings fit a scale, in points, of {}: a favourite this far ahead wins ten games for each that is lost",
                with_ends(scale, 0)
            ));
        }
    }
    lines
}

fn game_table(course: &Course) -> Table {
    let (ratings, averages) = (&course.ratings, &course.averages);
    // A player's games, by the rule of Elo, also say how far ahead each opponent was.
    let ahead = course.elo.as_ref().filter(|elo| !elo.ahead.is_empty());
    let in_points = ahead.is_none_or(|elo| elo.in_points);
    let (unit, decimals) = if in_points {
        ("points", 0)
    } else {
        ("x 400 points", 2)
    };
    let gap = |name| Column::number(name, decimals);
    Table::of("Games, oldest first", course.games.iter().enumerate())
        .column(Column::integer("Game"), |(place, _)| place + 1)
        .column(Column::number("Points", 0), |(_, game)| game.points)
        .column(Column::number("Bonus", 1), |(_, game)| game.bonus.middle())
        .column(Column::number("MMR", 1), |(place, _)| ratings[place])
        .column(Column::number("MMR +/-", 1), |(_, game)| game.differential.width() / 2.0)
        .column(Column::number(&course.average, 1), |(place, _)| averages[place])
        .when(ahead.is_some(), |table| {
            let of = |place: usize| ahead.map(|elo| &elo.ahead[place]);
            table
                .column(gap("Opponent's rating gap").unit(unit), |(place, _)| of(place).map(|gap| gap.value))
                .column(gap("95 % low"), |(place, _)| of(place).map(|gap| gap.low))
                .column(gap("95 % high"), |(place, _)| of(place).map(|gap| gap.high))
        })
        .build()
        .notes((!in_points).then_some("A gap of 1, which is 400 points of Elo's scale: the opponent wins ten games for each one lost. How many points of this ladder that is shows only where opponents' ratings do (column opponent)."))
        .show_last(MOST_ROWS)
        .file("games")
}

fn plot(course: &Course) -> Plot {
    let plot = Plot::new("Rating after each game")
        .file("ratings")
        .x(Axis::new("Game"))
        .y(Axis::new("MMR").unit("points"))
        .series(Series::line("MMR", by_place(&course.ratings)))
        .series(Series::line(&course.average, by_place(&course.averages)));
    match course.threshold {
        Some(threshold) => {
            let last = course.ratings.len() as f64;
            let ends = [Point::new(1.0, threshold), Point::new(last, threshold)];
            plot.series(Series::line("promotion", ends).guide())
        }
        None => plot,
    }
}
