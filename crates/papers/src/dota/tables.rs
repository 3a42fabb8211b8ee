//! The tables of "Dota 2: Matchmaking", each by the name of its CSV file.

use crate::dota::printed::{CALIBRATION_GAMES, GAMES_TO_UNLOCK, TOTALS};
use matchwright_rating::MmrTrack;
use matchwright_report::{Cell, Column, Table, count};
use matchwright_sim::statistics::Estimate;

use super::reproduction::DotaReproduction;

/// The most wanted first.
pub(crate) fn dota_tables(all: &DotaReproduction) -> Vec<(String, Table)> {
    let named = |name: &str, table| (name.to_owned(), table);
    vec![
        named("percentiles", percentiles(all)),
        named("party-match", party_match(all)),
        named("party-bonuses", bonuses(all)),
        named("rules", rules(all)),
        named("steps", steps(all)),
        named("newcomer", newcomer(all)),
        named("performance", performance(all)),
        named("party-regression", regression(all)),
    ]
}

fn percentiles(all: &DotaReproduction) -> Table {
    let mut table = Table::new("MMR by percentile, the seed's and ours")
        .column(Column::number("Percentile", 0).unit("%"))
        .column(Column::number("Seed", 0))
        .column(Column::number("Ours", 0))
        .column(Column::number("Difference", 0))
        .column(Column::number("Nearest normal", 0))
        .column(Column::number("Its difference", 0));
    for &[percent, seed, ours, normal] in &all.percentiles.rows {
        table = table.row([
            percent.into(),
            seed.into(),
            ours.into(),
            (ours - seed).into(),
            normal.into(),
            (normal - seed).into(),
        ]);
    }
    table.note(format!(
        "Ours: a function that rises everywhere and meets all eight rows. Nearest normal: the one with mean {:.0} and deviation {:.0}, whose largest miss, {:.0}, is smaller than that of any other.",
        all.percentiles.normal_mean, all.percentiles.normal_deviation, all.percentiles.normal_misfit
    ))
}

fn party_match(all: &DotaReproduction) -> Table {
    let mut table = Table::new("The printed match, row by row")
        .column(Column::text("Side"))
        .column(Column::text("Party"))
        .column(Column::number("MMR", 0))
        .column(Column::number("Seed", 0))
        .column(Column::number("Ours", 2))
        .column(Column::number("Difference", 2))
        .column(Column::number("Hidden, e.g.", 3))
        .column(Column::number("Ours from hidden", 3))
        .column(Column::number("Rounded less seed", 0));
    for (side, total) in crate::dota::printed::SIDES.iter().zip(TOTALS) {
        let mut rows = rows_of(all, side);
        rows.sort_by(|a, b| b.seed.total_cmp(&a.seed));
        for row in &rows {
            table = table.row([
                (*side).into(),
                row.party.to_string().into(),
                row.mmr.into(),
                row.seed.into(),
                row.ours.into(),
                (row.ours - row.seed).into(),
                row.hidden.into(),
                row.from_hidden.into(),
                row.from_hidden.map(|ours| ours.round() - row.seed).into(),
            ]);
        }
        let sum: f64 = rows.iter().map(|row| row.ours).sum();
        let hidden: Option<f64> = rows.iter().map(|row| row.from_hidden.map(f64::round)).sum();
        table = table.row([
            (*side).into(),
            "total".into(),
            Cell::Empty,
            total.into(),
            sum.into(),
            (sum - total).into(),
            Cell::Empty,
            hidden.into(),
            hidden.map(|sum| sum - total).into(),
        ]);
    }
    table.note(format!(
        "Ours: {} points for each point of spread beyond {}, for every member of a party. Hidden: fractions that round to the printed MMR and, with their bonus, to the printed adjusted MMR; the total there is of rounded rows.",
        all.bonus.spread_points, all.bonus.free_spread
    ))
}

struct Row {
    party: char,
    mmr: f64,
    seed: f64,
    ours: f64,
    hidden: Option<f64>,
    from_hidden: Option<f64>,
}

fn rows_of(all: &DotaReproduction, side: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for party in all.parties.iter().filter(|party| party.side == side) {
        let hidden = party.found.hidden.as_deref();
        let bonus = hidden.map(|ratings| bonus_of(all, ratings));
        for (k, player) in party.players.iter().enumerate() {
            let own = hidden.map(|ratings| ratings[k]);
            rows.push(Row {
                party: party.letter,
                mmr: player.mmr,
                seed: player.adjusted,
                ours: party.found.from_printed[k],
                hidden: own,
                from_hidden: own.zip(bonus).map(|(rating, bonus)| rating + bonus),
            });
        }
    }
    rows
}

/// What the library gives a party with these ratings.
fn bonus_of(all: &DotaReproduction, ratings: &[f64]) -> f64 {
    let best = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let worst = ratings.iter().copied().fold(f64::INFINITY, f64::min);
    let bonus = all.bonus.check();
    bonus.map_or(f64::NAN, |bonus| bonus.points(ratings.len(), best - worst))
}

fn bonuses(all: &DotaReproduction) -> Table {
    let mut table = Table::new("Bonuses by party")
        .column(Column::text("Party"))
        .column(Column::integer("Players"))
        .column(Column::number("Spread", 0))
        .column(Column::text("Seed"))
        .column(Column::number("Ours", 2))
        .column(Column::text("Possible, whole MMR"))
        .column(Column::text("Possible, with fractions"));
    for party in all.parties.iter().filter(|party| party.players.len() > 1) {
        let mmr: Vec<f64> = party.players.iter().map(|player| player.mmr).collect();
        let seed = party
            .players
            .iter()
            .map(|player| format!("+{}", player.adjusted - player.mmr));
        let interval = |(low, high): (f64, f64)| {
            if low < high {
                format!("{low} to {high}")
            } else {
                "none".to_owned()
            }
        };
        let best = mmr.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = mmr.iter().copied().fold(f64::INFINITY, f64::min);
        table = table.row([
            party.letter.to_string().into(),
            party.players.len().into(),
            (best - worst).into(),
            seed.collect::<Vec<_>>().join(", ").into(),
            bonus_of(all, &mmr).into(),
            interval(party.found.exact_bonus).into(),
            interval(party.found.common_bonus).into(),
        ]);
    }
    table.note("Possible: bonuses common to all members that give the printed numbers, if printed MMR were whole numbers, and if they have fractions that printing rounds away.")
}

fn rules(all: &DotaReproduction) -> Table {
    let row = |what: &str, seed: u32, ours: u32| -> [Cell; 4] {
        let difference = f64::from(ours) - f64::from(seed);
        [
            what.into(),
            f64::from(seed).into(),
            f64::from(ours).into(),
            difference.into(),
        ]
    };
    let ratings = u32::try_from(MmrTrack::ALL.len()).unwrap_or(u32::MAX);
    let modes = u32::try_from(all.rules.modes.len()).unwrap_or(u32::MAX);
    Table::new("Numbers of the text")
        .column(Column::text("What"))
        .column(Column::number("Seed", 0))
        .column(Column::number("Ours", 0))
        .column(Column::number("Difference", 0))
        .row(row(
            "games that unlock ranked matchmaking",
            GAMES_TO_UNLOCK,
            all.rules.min_games,
        ))
        .row(row(
            "games of a calibration",
            CALIBRATION_GAMES,
            all.calibration.games,
        ))
        .row(row("ratings of a player", 4, ratings))
        .row(row("modes", 3, modes))
}

fn steps(all: &DotaReproduction) -> Table {
    let mut table = Table::new("What one game does, by uncertainty")
        .column(Column::number("Uncertainty", 0))
        .column(Column::number("Points for an even win", 1))
        .column(Column::number("then", 0))
        .column(Column::number("after an expected win", 0))
        .column(Column::number("after an upset", 0));
    for step in &all.steps {
        table = table.row([
            step.uncertainty.into(),
            step.even_win.into(),
            step.after_even.into(),
            step.after_expected.into(),
            step.after_upset.into(),
        ]);
    }
    table.note("Against opponents at the floor. Expected and upset: a win and a loss at nine to one. The document says that uncertainty sets the step, shrinks by expected results to a floor and grows by surprises, and gives no numbers: these are defaults.")
}

fn newcomer(all: &DotaReproduction) -> Table {
    let newcomer = &all.newcomer;
    let mut table = Table::new(format!(
        "A newcomer who plays like {:.0}, game by game",
        newcomer.strength
    ))
    .column(Column::integer("Games"))
    .column(Column::number("MMR, as a newcomer", 0))
    .column(Column::number("MMR, if known from the start", 0))
    .column(Column::number("Difference", 0))
    .column(Column::number("Newcomer's uncertainty", 0));
    let both = newcomer.uncertain.iter().zip(&newcomer.known);
    for (games, ((uncertain, known), u)) in both.zip(&newcomer.uncertainty).enumerate() {
        if games <= 10 || games % 5 == 0 {
            table = table.row([
                games.into(),
                (*uncertain).into(),
                (*known).into(),
                (uncertain - known).into(),
                (*u).into(),
            ]);
        }
    }
    table.note(format!(
        "Means over {} generated newcomers, who meet settled players rated like themselves in duels. Calibration is ten games.",
        count(newcomer.newcomers.into())
    ))
}

fn performance(all: &DotaReproduction) -> Table {
    let report = &all.performance;
    let row =
        |what: &str, seed: &str, Estimate { mean, standard_error }: Estimate, factor: f64| -> [Cell; 3] {
            [
                what.into(),
                seed.into(),
                Cell::estimate(factor * mean, factor * standard_error),
            ]
        };
    let mut table = Table::new("Individual performance beside the result")
        .column(Column::text("What"))
        .column(Column::text("Seed"))
        .column(Column::number("Ours", 2))
        .row(row(
            "winners whose MMR fell, %",
            "possible",
            report.winners_down,
            100.0,
        ))
        .row(row(
            "losers whose MMR rose, %",
            "possible",
            report.losers_up,
            100.0,
        ))
        .row(row(
            "winning team's mean, points",
            "rises in general",
            report.winners_mean,
            1.0,
        ))
        .row(row(
            "losing team's mean, points",
            "falls in general",
            report.losers_mean,
            1.0,
        ))
        .row([
            "teams whose mean went against the result".into(),
            "".into(),
            (report.teams_against as f64).into(),
        ]);
    for (name, share) in ["low", "middle", "high"].into_iter().zip(report.individual_share) {
        table = table.row([
            format!("points for performance as % of those for the result, {name} uncertainty").into(),
            "more when uncertain".into(),
            (100.0 * share).into(),
        ]);
    }
    table.note(format!(
        "{} generated games of five against five, ± standard error over games.",
        count(report.config.games.into())
    ))
}

fn regression(all: &DotaReproduction) -> Table {
    let report = &all.regression;
    let mut table = Table::new("Logistic regression finds what parties are worth")
        .column(Column::text("Coefficient"))
        .column(Column::significant("Truth", 4))
        .column(Column::significant("Estimate", 4))
        .column(Column::number("off by, standard errors", 1))
        .column(Column::significant("Error of one data set", 3))
        .column(Column::number("95 % intervals that cover it", 1).unit("%"));
    for term in &report.terms {
        let Estimate { mean, standard_error } = term.estimate;
        table = table.row([
            term.term.as_str().into(),
            term.truth.into(),
            Cell::estimate(mean, standard_error),
            ((mean - term.truth) / standard_error).into(),
            term.mean_standard_error.into(),
            Cell::estimate(100.0 * term.coverage.mean, 100.0 * term.coverage.standard_error),
        ]);
    }
    table.note(format!(
        "{} data sets of {} generated games each; in points, the rating in log odds a point. To know the slope of {} that goes through the printed match to a tenth would take some {} such games.",
        count(report.config.data_sets.into()),
        count(report.config.games.into()),
        all.bonus.spread_points,
        count(rounded(report.games_for_printed_slope))
    ))
}

/// To two digits: it is itself an estimate.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count of games"
)]
fn rounded(games: f64) -> u64 {
    let unit = 10_f64.powf((games.log10().floor() - 1.0).max(0.0));
    ((games / unit).round() * unit) as u64
}
