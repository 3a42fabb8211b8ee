//! `matchwright rate`: one pass in time order, predict then update.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use matchwright_report::{Cell, Column, Table};
use matchwright_sim::history::MatchHistory;
use matchwright_sim::rate::{
    Forecast, RatedPlayer, RatingEvaluation, SystemChoice, SystemParams, evaluate, rate_history,
};
use matchwright_sim::study::Progress;
use serde::Serialize;

use crate::arguments::{RateOptions, SystemName};
use crate::failure::{Failure, tell};
use crate::input::{Imported, import_matches, show_time};
use crate::output::{Origin, check_places, print, print_json, write_file};
use crate::progress::Bar;

/// Everything as one object.
#[derive(Serialize)]
struct Answer<'a> {
    system: SystemChoice,
    players: usize,
    skipped_rows: u64,
    evaluation: &'a RatingEvaluation,
    leaderboard: &'a [RatedPlayer],
}

pub(crate) fn run(options: &RateOptions) -> Result<(), Failure> {
    let params = parameters(options)?;
    let outputs = options
        .out
        .iter()
        .chain(&options.predictions)
        .map(PathBuf::as_path)
        .collect::<Vec<_>>();
    check_places(&[&options.file], &outputs)?;
    let bar = Bar::new();
    bar.begin("reading the matches", 0);
    let imported = import_matches(&options.file, &options.reading.import())?;
    bar.begin("rating the players", 0);
    let (players, predictions) =
        rate_history(options.system.into(), &params, &imported.history).map_err(Failure::of)?;
    drop(bar);
    let origin = origin(options, &params, &imported)?;
    if let Some(path) = &options.out {
        write_file(path, ratings_table(&players).to_csv().as_bytes(), &origin)?;
    }
    // Ratings need no judging: they are written even if nothing can be scored.
    let (evaluation, forecasts) =
        evaluate(&predictions, options.score_from, options.draws.into()).map_err(Failure::of)?;
    if let Some(path) = &options.predictions {
        write_file(
            path,
            predictions_table(&imported.history, &forecasts)
                .to_csv()
                .as_bytes(),
            &origin,
        )?;
    }
    if let Some(first) = &imported.first_skipped {
        tell(&format!("skipped {} rows; the first: {first}", imported.skipped));
    }
    let top = &players[..options.top.min(players.len())];
    if options.json {
        return print_json(&Answer {
            system: options.system.into(),
            players: players.len(),
            skipped_rows: imported.skipped,
            evaluation: &evaluation,
            leaderboard: top,
        });
    }
    print(&format!(
        "{}\n{}",
        quality_table(&evaluation).to_text(),
        ratings_table(top).to_text()
    ))
}

/// The system's defaults with the user's changes; what makes no sense is refused before anything is read.
fn parameters(options: &RateOptions) -> Result<SystemParams, Failure> {
    if !(options.score_from > 0.0 && options.score_from < 1.0) {
        let message = format!(
            "--score-from is {}; choose a share between 0 and 1, such as 0.8",
            options.score_from
        );
        return Err(Failure::Usage(message));
    }
    let mut params = SystemParams {
        period_days: options.period,
        ..SystemParams::default()
    };
    let refuse = |flag: &str, owner: &str| {
        Err(Failure::Usage(format!(
            "{flag} is a parameter of {owner}; drop it or choose --system {owner}"
        )))
    };
    let system = options.system;
    match options.k {
        Some(k) if system == SystemName::Elo => params.elo.k = k,
        Some(_) => return refuse("--k", "elo"),
        None => {}
    }
    match options.c {
        Some(c) if system == SystemName::Glicko => params.glicko.c = c,
        Some(_) => return refuse("--c", "glicko"),
        None => {}
    }
    match options.tau {
        Some(tau) if system == SystemName::Glicko2 => params.glicko2.tau = tau,
        Some(_) => return refuse("--tau", "glicko2"),
        None => {}
    }
    params
        .check(system.into())
        .map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(params)
}

fn origin(options: &RateOptions, params: &SystemParams, imported: &Imported) -> Result<Origin, Failure> {
    let system = SystemChoice::from(options.system);
    let configuration = serde_json::json!({
        "system": system,
        "params": params,
        "reading": options.reading.shown(),
        "score_from": options.score_from,
        "draws": matchwright_sim::rate::DrawChoice::from(options.draws),
        "skipped_rows": imported.skipped,
    });
    let command = command(options, &imported.facts.name);
    let mut origin = Origin::new(command, &configuration)?;
    origin.inputs = vec![imported.facts.clone()];
    Ok(origin)
}

/// The command with everything that differs from its defaults.
fn command(options: &RateOptions, file: &str) -> String {
    let name =
        |value: Option<PossibleValue>| value.map(|value| value.get_name().to_owned()).unwrap_or_default();
    let mut command = format!(
        "matchwright rate --system {}",
        name(options.system.to_possible_value())
    );
    command += &options.reading.shown();
    for (flag, value) in [("--k", options.k), ("--c", options.c), ("--tau", options.tau)] {
        command += &value.map_or(String::new(), |value| format!(" {flag} {value}"));
    }
    let draws = name(options.draws.to_possible_value());
    command
        + &format!(
            " --period {} --score-from {} --draws {draws} {file}",
            options.period, options.score_from
        )
}

fn quality_table(evaluation: &RatingEvaluation) -> Table {
    let three = &evaluation.three_way;
    let two = &evaluation.two_way;
    let row = |name: &str, n: usize, figures: [f64; 4]| {
        let mut cells = vec![Cell::from(name), Cell::from(n)];
        cells.extend(figures.map(Cell::from));
        cells
    };
    Table::new("Forecasts of the scored matches")
        .column(Column::text("Scored on"))
        .column(Column::integer("n"))
        .column(Column::number("Accuracy", 4))
        .column(Column::number("Log loss", 4))
        .column(Column::number("Brier", 4))
        .column(Column::number("ECE", 4))
        .row(row(
            "win/draw/loss",
            three.n,
            [three.accuracy, three.log_loss, three.brier, three.ece],
        ))
        .row(row(
            "draws left out",
            two.evaluation.n,
            [
                two.accuracy,
                two.evaluation.log_loss,
                two.evaluation.brier,
                two.evaluation.ece,
            ],
        ))
        .note(format!(
            "{} matches; the first {} only taught. Draw rate between equals, fitted on those: {:.4}.",
            evaluation.matches, evaluation.scored_from, evaluation.draw_rate
        ))
}

fn ratings_table(players: &[RatedPlayer]) -> Table {
    let mut table = Table::new("Ratings, best first")
        .column(Column::text("player"))
        .column(Column::number("rating", 1))
        .column(Column::number("deviation", 1))
        .column(Column::number("volatility", 5))
        .column(Column::integer("wins"))
        .column(Column::integer("draws"))
        .column(Column::integer("losses"))
        .column(Column::text("last_time"));
    for player in players {
        table = table.row([
            player.player.as_str().into(),
            player.rating.into(),
            player.deviation.into(),
            player.volatility.into(),
            player.wins.into(),
            player.draws.into(),
            player.losses.into(),
            player
                .last_time
                .map_or(Cell::Empty, |time| show_time(time).into()),
        ]);
    }
    table
}

fn predictions_table(history: &MatchHistory, forecasts: &[Forecast]) -> Table {
    let mut table = Table::new("Forecasts");
    for name in ["time", "player1", "player2"] {
        table = table.column(Column::text(name));
    }
    for name in ["p_win", "p_draw", "p_loss", "score"] {
        table = table.column(Column::number(name, 6));
    }
    let name = |player: u32| history.players()[player as usize].as_str();
    for (game, forecast) in history.matches().iter().zip(forecasts) {
        let [win, draw, loss] = forecast.probabilities;
        table = table.row([
            show_time(game.time).into(),
            name(game.player1).into(),
            name(game.player2).into(),
            win.into(),
            draw.into(),
            loss.into(),
            matchwright_sim::adapt::score_of(forecast.outcome).value().into(),
        ]);
    }
    table
}
