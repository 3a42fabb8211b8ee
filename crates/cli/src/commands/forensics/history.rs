//! `matchwright forensics history`.

use matchwright_mmr_forensics::{
    AfterGame, Division, EloFit, ForensicsError, LadderSeason, LadderState, PoolKnowledge, PromotionForecast,
    ShownGame, VisibleGame, WinRate, fit_elo, play_backward, predict_promotion,
};
use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use serde_json::json;

use super::rating::{division, standing};
use super::{Findings, why_not};
use crate::arguments::HistoryOptions;
use crate::failure::Failure;
use crate::input::PastedTable;

/// Games of a table in a terminal: the last ones.
const MOST_ROWS: usize = 20;

pub(super) fn history(options: &HistoryOptions, season: &LadderSeason) -> Result<Findings, Failure> {
    let params = season.params();
    let division = division(season, &options.division)?;
    let table = PastedTable::read(&options.table)?;
    let games = games(&table)?;
    let share = options.win_rate.unwrap_or(WinRate::HALF);
    let now = standing(&options.standing, share)?;
    let end = LadderState::new(now.points(), now.unspent(), now.total());
    let pool = if options.pool_may_be_empty {
        PoolKnowledge::MayBeEmpty
    } else {
        PoolKnowledge::NeverEmpty
    };
    let after =
        play_backward(end, &games, pool, options.expired, season).map_err(|error| table.refuse(&error))?;
    let ratings: Vec<f64> = after
        .iter()
        .map(|game| division.mmr(game.differential.middle() + division.offset()))
        .collect();
    let averages = params.average.after_each(&ratings);
    let forecast = match division.threshold() {
        Some(threshold) => Some(
            predict_promotion(
                &ratings,
                threshold,
                &params.average,
                share,
                params.game,
                options.ahead,
            )
            .map_err(|error| table.refuse(&error))?,
        ),
        None => None,
    };
    let opponents = opponents(&table)?;
    let changes: Vec<VisibleGame> = games
        .iter()
        .zip(&after)
        .zip(&opponents)
        .map(|((game, after), opponent)| VisibleGame {
            change: game.change - after.bonus.middle(),
            opponent: *opponent,
        })
        .collect();
    let elo = match fit_elo(&changes) {
        Ok(elo) => Some(elo),
        // What a K-factor takes more of, the rest of the answer does not.
        Err(ForensicsError::Few { .. }) => None,
        Err(error) => return Err(table.refuse(&error)),
    };
    let average_name = params.average.name();
    let value = json!({
        "forecast": forecast,
        "threshold": division.threshold(),
        "average": average_name,
        "games": after,
        "ratings": ratings,
        "averages": averages,
        "elo": elo,
    });
    Ok(Findings {
        words: answer(
            &after,
            &ratings,
            &averages,
            forecast.as_ref(),
            elo.as_ref(),
            &average_name,
        ),
        results: Section::new("Game by game")
            .table(game_table(
                &after,
                &ratings,
                &averages,
                &average_name,
                elo.as_ref(),
            ))
            .plot(plot(&ratings, &averages, &division, &average_name)),
        value,
        inputs: vec![table.facts.clone()],
    })
}

/// Oldest first: `change`, or `won` and `lost` points in two columns.
fn games(table: &PastedTable) -> Result<Vec<ShownGame>, Failure> {
    let change = table.column(&["change", "points", "result"]);
    let parts = table.column(&["won"]).zip(table.column(&["lost"]));
    let bonus = table.column(&["bonus"]);
    let minutes = table.column(&["minutes before", "minutes"]);
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
        return Err(table.refuse(&"the table has no game"));
    }
    Ok(games)
}

/// The ratings of opponents, where the table has a column of them.
fn opponents(table: &PastedTable) -> Result<Vec<Option<f64>>, Failure> {
    let column = table.column(&["opponent"]);
    (0..table.len())
        .map(|row| table.number_if_any(row, column))
        .collect()
}

fn answer(
    after: &[AfterGame],
    ratings: &[f64],
    averages: &[f64],
    forecast: Option<&PromotionForecast>,
    elo: Option<&EloFit>,
    average: &str,
) -> Vec<String> {
    let (rating, mean) = (ratings[ratings.len() - 1], averages[averages.len() - 1]);
    let mut lines = vec![match forecast {
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
    lines.push(format!("MMR {rating:.0} after {} games", after.len()));
    let widest = after
        .iter()
        .map(|game| game.differential.width())
        .fold(0.0, f64::max);
    if widest > 0.5 {
        lines.push(format!(
            "The pool may have run out: earlier ratings are known to within {widest:.0} points only (columns bonus and minutes narrow that)"
        ));
    }
    if let Some(elo) = elo {
        match elo.k.found() {
            Some(k) => {
                // Opponents' ratings tell it however right the player's own is.
                let provided = if elo.in_points {
                    ""
                } else {
                    ", if the rating is right on average"
                };
                lines.push(format!(
                    "The changes are those of a K-factor of {:.1} ({:.1} to {:.1}){provided}",
                    k.value, k.low, k.high
                ));
            }
            None => lines.extend(why_not(&elo.k).map(|why| format!("K-factor {why}"))),
        }
        if let Some(scale) = elo.scale.found() {
            lines.push(format!(
                "Opponents' ratings fit a scale of {:.0} points ({:.0} to {:.0}): so far ahead, a favourite wins ten games for each that is lost",
                scale.value, scale.low, scale.high
            ));
        }
    }
    lines
}

fn game_table(
    after: &[AfterGame],
    ratings: &[f64],
    averages: &[f64],
    average: &str,
    elo: Option<&EloFit>,
) -> Table {
    let rated = after.iter().enumerate();
    // A player's games, by the rule of Elo, also say how far ahead each opponent was.
    let ahead = elo.filter(|elo| !elo.ahead.is_empty());
    let in_points = ahead.is_none_or(|elo| elo.in_points);
    let (unit, decimals) = if in_points {
        ("points", 0)
    } else {
        ("x 400 points", 2)
    };
    let gap = |name| Column::number(name, decimals);
    Table::of("Games, oldest first", rated)
        .column(Column::integer("Game"), |(place, _)| place + 1)
        .column(Column::number("Points", 0), |(_, game)| game.points)
        .column(Column::number("Bonus", 1), |(_, game)| game.bonus.middle())
        .column(Column::number("MMR", 1), |(place, _)| ratings[place])
        .column(Column::number("MMR +/-", 1), |(_, game)| game.differential.width() / 2.0)
        .column(Column::number(average, 1), |(place, _)| averages[place])
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

fn plot(ratings: &[f64], averages: &[f64], division: &Division<'_>, average: &str) -> Plot {
    let line = |values: &[f64]| -> Vec<Point> {
        (1..)
            .zip(values)
            .map(|(game, value)| Point::new(f64::from(game), *value))
            .collect()
    };
    let plot = Plot::new("Rating after each game")
        .file("ratings")
        .x(Axis::new("Game"))
        .y(Axis::new("MMR").unit("points"))
        .series(Series::line("MMR", line(ratings)))
        .series(Series::line(average, line(averages)));
    match division.threshold() {
        Some(threshold) => {
            let ends = [
                Point::new(1.0, threshold),
                Point::new(ratings.len() as f64, threshold),
            ];
            plot.series(Series::line("promotion", ends).guide())
        }
        None => plot,
    }
}
