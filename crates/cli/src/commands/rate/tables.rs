//! What rating a file found, as tables.

use matchwright_rating::history::History;
use matchwright_report::{Cell, Column, Table};
use matchwright_sim::rate::{
    ALL_PAIRS_UP_TO, Forecast, Rated, RatedPlayer, RatingEvaluation, SidePair, Smoothed, SystemChoice,
};

use crate::arguments::RankName;
use matchwright_report::utc_time;

pub(super) fn quality_table(history: &History, evaluation: &RatingEvaluation, rated: &Rated) -> Table {
    let three = &evaluation.three_way;
    let two = &evaluation.two_way;
    let row = |name: &str, n: usize, figures: [f64; 4]| {
        let mut cells = vec![Cell::from(name), Cell::from(n)];
        cells.extend(figures.map(Cell::from));
        cells
    };
    let mut table = Table::new("Forecasts of the scored matches")
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
        ));
    if history.games().any(|game| game.sides().len() > 2) {
        table = table.note(format!(
            "Matches of more than two sides count by their pairs of sides: all up to {ALL_PAIRS_UP_TO} sides, neighbours in the ranking beyond."
        ));
    }
    if rated.smoothed.is_some() {
        table = table.note(
            "No forecast looks ahead: they come from fits to the matches before, unlike the skills below.",
        );
    }
    if rated.first_advantage != 0.0 {
        table = table.note(format!(
            "Being told first is worth {:.2} points.",
            rated.first_advantage
        ));
    }
    table
}

/// All that is known of the players, for a file.
pub(super) fn ratings_table(players: &[RatedPlayer]) -> Table {
    let mut table = Table::new("Ratings, best first").column(Column::text("player"));
    for (name, decimals) in [("rating", 1), ("deviation", 1), ("volatility", 5)] {
        table = table.column(Column::number(name, decimals));
    }
    for name in ["wins", "draws", "losses"] {
        table = table.column(Column::integer(name));
    }
    table = table
        .column(Column::text("last_time"))
        .column(Column::integer("games"));
    for name in ["low95", "high95", "conservative"] {
        table = table.column(Column::number(name, 1));
    }
    let has_ladder = players.iter().any(|player| player.ladder.is_some());
    if has_ladder {
        for name in ["points", "bonus_spent", "bonus_left", "average"] {
            table = table.column(Column::number(name, 1));
        }
        table = table.column(Column::integer("tier"));
    }
    for player in players {
        let (low, high) = player.interval().unzip();
        let mut cells: Vec<Cell> = vec![
            player.player.as_str().into(),
            player.rating.into(),
            player.deviation.into(),
            player.volatility.into(),
            player.wins.into(),
            player.draws.into(),
            player.losses.into(),
            last_time(player),
            player.games().into(),
            low.into(),
            high.into(),
            player.conservative().into(),
        ];
        if let Some(ladder) = player.ladder {
            cells.extend([
                ladder.points.into(),
                ladder.spent.into(),
                ladder.unspent.into(),
                ladder.average.into(),
                u64::from(ladder.tier).into(),
            ]);
        }
        table = table.row(cells);
    }
    table
}

fn last_time(player: &RatedPlayer) -> Cell {
    player.last_time.map_or(Cell::Empty, |time| utc_time(time).into())
}

/// Whose ratings are a few dozen points, not thousands.
const fn has_small_scale(system: SystemChoice) -> bool {
    matches!(
        system,
        SystemChoice::TrueSkill | SystemChoice::WengLin | SystemChoice::ThroughTime
    )
}

/// The leaderboard; columns that the system leaves empty are left out.
pub(super) fn shown_ratings(
    system: SystemChoice,
    players: &[RatedPlayer],
    by: RankName,
    rated: &Rated,
) -> Table {
    let decimals = if has_small_scale(system) { 3 } else { 1 };
    let has_deviation = players.iter().any(|player| player.deviation.is_some());
    let has_volatility = players.iter().any(|player| player.volatility.is_some());
    let is_conservative = by == RankName::Conservative;
    let mut table = Table::new(match (by, rated.smoothed) {
        (RankName::Rating, None) => "Ratings, best first",
        (RankName::Rating, Some(_)) => {
            "Skills at each player's last match, as all matches have them, best first"
        }
        (RankName::Conservative, _) => "Ratings, best first by rating less three deviations",
        (RankName::Points, _) => "Ratings, best first by the ladder's points",
    });
    table = table
        .column(Column::text("player"))
        .column(Column::number("rating", decimals));
    if has_deviation {
        for name in ["deviation", "low 95 %", "high 95 %"] {
            table = table.column(Column::number(name, decimals));
        }
    }
    if is_conservative {
        table = table.column(Column::number("conservative", decimals));
    }
    if has_volatility {
        table = table.column(Column::number("volatility", 5));
    }
    for name in ["games", "wins", "draws", "losses"] {
        table = table.column(Column::integer(name));
    }
    table = table.column(Column::text("last_time"));
    for player in players {
        let mut cells = vec![Cell::from(player.player.as_str()), player.rating.into()];
        if has_deviation {
            let (low, high) = player.interval().unzip();
            cells.extend([player.deviation.into(), low.into(), high.into()]);
        }
        if is_conservative {
            cells.push(player.conservative().into());
        }
        if has_volatility {
            cells.push(player.volatility.into());
        }
        cells.extend([
            player.games().into(),
            player.wins.into(),
            player.draws.into(),
            player.losses.into(),
        ]);
        cells.push(last_time(player));
        table = table.row(cells);
    }
    notes_of_sweeps(notes_of_strengths(table, rated), rated)
}

/// What there is to say where skills were fitted at all times.
fn notes_of_sweeps(table: Table, rated: &Rated) -> Table {
    let Some(smoothed) = &rated.smoothed else {
        return table;
    };
    let Smoothed {
        sweeps,
        last_change,
        converged,
        log_evidence,
    } = smoothed;
    let ending = if *converged {
        "settled"
    } else {
        "not settled: take them with care"
    };
    let evidence = if log_evidence.is_finite() {
        format!(
            "Log evidence {log_evidence:.2}: of two settings (--beta, --c, --draw-probability) the higher explains the \
             matches better."
        )
    } else {
        "No log evidence: there are draws, and under --draw-probability 0 there can be none.".to_owned()
    };
    table
        .note(format!(
            "{sweeps} sweeps; the last moved no skill by more than {last_change:.1e} of its deviation: {ending}."
        ))
        .note(evidence)
}

/// What there is to say where strengths were fitted at once.
fn notes_of_strengths(mut table: Table, rated: &Rated) -> Table {
    let Some(at_once) = &rated.at_once else {
        return table;
    };
    if let Some(precision) = at_once.prior_precision {
        let why = if at_once.connectivity.is_connected() {
            ""
        } else {
            ", since results do not lead from everyone to everyone"
        };
        table = table.note(format!(
            "Strengths are drawn towards each other with a precision of {precision}{why}."
        ));
    }
    if !at_once.has_deviations {
        table = table.note("No deviations: for so many players they take too long.");
    }
    table
}

pub(super) fn predictions_table(history: &History, pairs: &[SidePair], forecasts: &[Forecast]) -> Table {
    let mut table = Table::new("Forecasts");
    for name in ["time", "player1", "player2"] {
        table = table.column(Column::text(name));
    }
    for name in ["p_win", "p_draw", "p_loss", "score"] {
        table = table.column(Column::number(name, 6));
    }
    for (pair, forecast) in pairs.iter().zip(forecasts) {
        let game = history.game(pair.game);
        let side = |side: usize| {
            let players = game.side(side).players().iter();
            let names: Vec<&str> = players
                .map(|&player| history.players()[player as usize].as_str())
                .collect();
            names.join(" + ")
        };
        let [win, draw, loss] = forecast.probabilities;
        table = table.row([
            utc_time(game.time()).into(),
            side(pair.side).into(),
            side(pair.other).into(),
            win.into(),
            draw.into(),
            loss.into(),
            matchwright_sim::adapt::score_of(forecast.outcome).value().into(),
        ]);
    }
    table
}
