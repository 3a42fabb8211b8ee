//! The tables of "Dota 2: Matchmaking".

use crate::dota::printed::{CALIBRATION_GAMES, GAMES_TO_UNLOCK, SIDES, TOTALS};
use crate::reproduction::estimate;
use matchwright_rating::MmrTrack;
use matchwright_report::{Cell, Column, Table, count};
use matchwright_sim::statistics::Estimate;

use super::PerformanceReport;
use super::fractions::spread_of;
use super::reproduction::{DotaReproduction, Newcomer, Percentiles, Step};

pub(crate) fn percentiles(of: &Percentiles) -> Table {
    Table::of("MMR by percentile, published and ours", of.rows.iter().copied())
        .column(Column::number("Percentile", 0).unit("%"), |[percent, ..]| percent)
        .column(Column::number("Published", 0), |[_, published, ..]| published)
        .column(Column::number("Ours", 0), |[_, _, ours, _]| ours)
        .column(Column::number("Difference", 0), |[_, published, ours, _]| ours - published)
        .column(Column::number("Nearest normal", 0), |[.., normal]| normal)
        .column(Column::number("Its difference", 0), |[_, published, _, normal]| normal - published)
        .build()
        .note(format!(
            "Ours: a function that rises everywhere and meets all eight rows. Nearest normal: the one with mean {:.0} and standard deviation {:.0}, whose largest error, {:.0}, is smaller than that of any other.",
            of.normal_mean, of.normal_deviation, of.normal_misfit
        ))
        .file("percentiles")
}

/// A player of the printed match, or a side's total.
#[derive(Clone)]
struct Row {
    side: &'static str,
    party: String,
    mmr: Option<f64>,
    published: f64,
    ours: f64,
    hidden: Option<f64>,
    from_hidden: Option<f64>,
}

pub(crate) fn party_match(all: &DotaReproduction) -> Table {
    let rows = SIDES.iter().zip(TOTALS).flat_map(|(side, total)| {
        let mut rows = players_of(all, side);
        rows.sort_by(|a, b| b.published.total_cmp(&a.published));
        rows.push(Row {
            side,
            party: "total".to_owned(),
            mmr: None,
            published: total,
            ours: rows.iter().map(|row| row.ours).sum(),
            hidden: None,
            from_hidden: rows.iter().map(|row| row.from_hidden.map(f64::round)).sum(),
        });
        rows
    });
    Table::of("The published match, row by row", &rows.collect::<Vec<_>>())
        .column(Column::text("Side"), |row| row.side)
        .column(Column::text("Party"), |row| &row.party)
        .column(Column::number("MMR", 0), |row| row.mmr)
        .column(Column::number("Published", 0), |row| row.published)
        .column(Column::number("Ours", 2), |row| row.ours)
        .column(Column::number("Difference", 2), |row| row.ours - row.published)
        .column(Column::number("Hidden, e.g.", 3), |row| row.hidden)
        .column(Column::number("Ours from hidden", 3), |row| row.from_hidden)
        .column(Column::number("Rounded less published", 0), |row| {
            row.from_hidden.map(|ours| ours.round() - row.published)
        })
        .build()
        .note(format!(
            "Ours: {} points for each point of spread beyond {}, for every member of a party. Hidden: fractions that round to the printed MMR and, with their bonus, to the printed adjusted MMR; the total there is of rounded rows.",
            all.bonus.spread_points, all.bonus.free_spread
        ))
        .file("party-match")
}

fn players_of(all: &DotaReproduction, side: &'static str) -> Vec<Row> {
    let parties = all.parties.iter().filter(|party| party.side == side);
    let rows = parties.flat_map(|party| {
        let hidden = party.found.hidden.as_deref();
        let bonus = hidden.map(|ratings| bonus_of(all, ratings));
        party.players.iter().enumerate().map(move |(k, player)| {
            let own = hidden.map(|ratings| ratings[k]);
            Row {
                side,
                party: party.letter.to_string(),
                mmr: Some(player.mmr),
                published: player.adjusted,
                ours: party.found.from_printed[k],
                hidden: own,
                from_hidden: own.zip(bonus).map(|(rating, bonus)| rating + bonus),
            }
        })
    });
    rows.collect()
}

/// What the library gives a party with these ratings.
fn bonus_of(all: &DotaReproduction, ratings: &[f64]) -> f64 {
    let bonus = all.bonus.build();
    bonus.map_or(f64::NAN, |bonus| bonus.points(ratings.len(), spread_of(ratings)))
}

pub(crate) fn bonuses(all: &DotaReproduction) -> Table {
    let interval = |(low, high): (f64, f64)| {
        if low < high {
            format!("{low} to {high}")
        } else {
            "none".to_owned()
        }
    };
    let parties = all.parties.iter().filter(|party| party.players.len() > 1);
    Table::of("Bonuses by party", parties)
        .column(Column::text("Party"), |party| party.letter.to_string())
        .column(Column::integer("Players"), |party| party.players.len())
        .column(Column::number("Spread", 0), |party| spread_of(&party.mmr()))
        .column(Column::text("Published"), |party| party.bonuses().join(", "))
        .column(Column::number("Ours", 2), |party| bonus_of(all, &party.mmr()))
        .column(Column::text("Possible, whole MMR"), |party| interval(party.found.exact_bonus))
        .column(Column::text("Possible, with fractions"), |party| interval(party.found.common_bonus))
        .build()
        .note("Possible: bonuses common to all members that give the printed numbers, if printed MMR were whole numbers, and if they have fractions that printing rounds away.")
        .file("party-bonuses")
}

pub(crate) fn rules(all: &DotaReproduction) -> Table {
    let (unlock, calibration) = (all.rules.min_games as usize, all.calibration.games as usize);
    let rows = [
        ("games that unlock ranked matchmaking", GAMES_TO_UNLOCK, unlock),
        ("games of a calibration", CALIBRATION_GAMES, calibration),
        ("ratings of a player", 4, MmrTrack::ALL.len()),
        ("modes", 3, all.rules.modes.len()),
    ];
    Table::of("Numbers of the text", rows)
        .column(Column::text("What"), |(what, ..)| what)
        .column(Column::number("Published", 0), |(_, published, _)| published)
        .column(Column::number("Ours", 0), |(.., ours)| ours)
        .column(Column::number("Difference", 0), |(_, published, ours)| {
            ours as f64 - f64::from(published)
        })
        .build()
        .file("rules")
}

pub(crate) fn steps(steps: &[Step]) -> Table {
    Table::of("What one game does, by uncertainty", steps)
        .column(Column::number("Uncertainty", 0), |step| step.uncertainty)
        .column(Column::number("Points for an even win", 1), |step| step.even_win)
        .column(Column::number("uncertainty then", 0), |step| step.after_even)
        .column(Column::number("after an expected win", 0), |step| step.after_expected)
        .column(Column::number("after an upset", 0), |step| step.after_upset)
        .build()
        .note("Against opponents at the floor. Expected and upset: a win and a loss at nine to one. The document says that uncertainty sets the step, shrinks with expected results to a floor and grows with unexpected ones, and gives no numbers: these are defaults.")
        .file("steps")
}

pub(crate) fn newcomer(newcomer: &Newcomer) -> Table {
    let shown = (0..newcomer.known.len()).filter(|games| *games <= 10 || games % 5 == 0);
    let caption = format!("A newcomer who plays like {:.0}, game by game", newcomer.strength);
    Table::of(caption, shown)
        .column(Column::integer("Games"), |games| games)
        .column(Column::number("MMR, as a newcomer", 0), |games| newcomer.uncertain[games])
        .column(Column::number("MMR, if known from the start", 0), |games| newcomer.known[games])
        .column(Column::number("Difference", 0), |games| newcomer.uncertain[games] - newcomer.known[games])
        .column(Column::number("Newcomer's uncertainty", 0), |games| newcomer.uncertainty[games])
        .build()
        .note(format!(
            "Means over {} generated newcomers, who meet settled players rated like themselves in duels. Calibration is ten games.",
            count(newcomer.newcomers.into())
        ))
        .file("newcomer")
}

pub(crate) fn performance(report: &PerformanceReport) -> Table {
    let percent = |of: Estimate| Cell::estimate(100.0 * of.mean, 100.0 * of.standard_error);
    let (fell, rose) = (percent(report.winners_down), percent(report.losers_up));
    let (winners, losers) = (estimate(report.winners_mean), estimate(report.losers_mean));
    let against = (report.teams_against as f64).into();
    let measured = [
        ("winners whose MMR fell, %", "possible", fell),
        ("losers whose MMR rose, %", "possible", rose),
        ("winning team's mean, points", "rises in general", winners),
        ("losing team's mean, points", "falls in general", losers),
        ("teams whose mean went against the result", "", against),
    ];
    let shares = ["low", "middle", "high"].into_iter().zip(report.individual_share);
    let by_uncertainty = shares.map(|(name, share)| {
        let what = format!("points for performance as % of those for the result, {name} uncertainty");
        (what, "more when uncertain", (100.0 * share).into())
    });
    let measured = measured.map(|(what, published, ours)| (what.to_owned(), published, ours));
    let rows: Vec<(String, &str, Cell)> = measured.into_iter().chain(by_uncertainty).collect();
    Table::of("Individual performance beside the result", &rows)
        .column(Column::text("What"), |(what, ..)| what)
        .column(Column::text("Published"), |(_, published, _)| *published)
        .column(Column::number("Ours", 2), |(.., ours)| ours.clone())
        .build()
        .note(format!(
            "{} generated games of five against five, ± standard error over games.",
            count(report.config.games.into())
        ))
        .file("performance")
}

pub(crate) fn regression(all: &DotaReproduction) -> Table {
    let report = &all.regression;
    Table::of("Logistic regression recovers the party bonus", &report.terms)
        .column(Column::text("Coefficient"), |term| &term.term)
        .column(Column::significant("True value", 4), |term| term.truth)
        .column(Column::significant("Estimate", 4), |term| estimate(term.estimate))
        .column(Column::number("off by, standard errors", 1), |term| {
            (term.estimate.mean - term.truth) / term.estimate.standard_error
        })
        .column(Column::significant("Error of one data set", 3), |term| term.mean_standard_error)
        .column(Column::percent("95 % intervals that cover it", 1), |term| estimate(term.coverage))
        .build()
        .note(format!(
            "{} data sets of {} generated games each; in points, the rating in log odds a point. To know the slope of {} that goes through the printed match to a tenth would take some {} such games.",
            count(report.config.data_sets.into()),
            count(report.config.games.into()),
            all.bonus.spread_points,
            count(rounded(report.games_for_printed_slope))
        ))
        .file("party-regression")
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
