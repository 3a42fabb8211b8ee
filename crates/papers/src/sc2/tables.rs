//! The tables of the ladder of StarCraft II.

use crate::sc2::WorldReport;
use matchwright_mmr_forensics::LadderSeason;
use matchwright_report::{Column, Table};

use super::reproduction::{Corrected, Worked};
use super::{ForensicsReport, PoolRow};

pub(crate) fn worked(rows: &[Worked]) -> Table {
    Table::of("Worked numbers", rows)
        .column(Column::text("Number"), |row| row.what)
        .column(Column::significant("Published", 6), |row| row.published)
        .column(Column::significant("Ours", 6), |row| row.ours)
        .column(Column::text("Rounded alike"), |row| {
            if row.agrees() { "yes" } else { "no" }
        })
        .build()
        .file("worked")
}

pub(crate) fn leagues(season: &LadderSeason) -> Table {
    Table::of("Leagues", &season.params().leagues)
        .column(Column::text("League"), |league| &*league.name)
        .column(Column::number("C", 0), |league| league.conversion)
        .column(Column::number("M", 0), |league| league.magic)
        .column(Column::number("C + M", 0), |league| league.magic.map(|magic| league.conversion + magic))
        .build()
        .note("C, the conversion: points of Pp 0 as a rating; M, the magic number: the Pp that promotes. C + M is the C of the next league. The source gives its sum an error of 25 points, and expects Master at 2250.")
        .file("leagues")
}

pub(crate) fn tiers(season: &LadderSeason) -> Table {
    let leagues = season.params().leagues.iter();
    let rows: Vec<_> = leagues
        .flat_map(|league| league.tiers.iter().map(move |tier| (league, tier)))
        .collect();
    Table::of("Tiers", &rows)
        .column(Column::text("League"), |(league, _)| &*league.name)
        .column(Column::text("Tier"), |(_, tier)| &*tier.name)
        .column(Column::number("K", 0), |(_, tier)| tier.offset)
        .column(Column::number("M - K", 0), |(league, tier)| Some(league.magic? - tier.offset?))
        .build()
        .note("K: a tier's offset. Of Rank F the source knows nothing. M - K is what the best of such a division cluster at.")
        .file("tiers")
}

pub(crate) fn corrected(rows: &[Corrected]) -> Table {
    Table::of("What 1,000 unspent points are worth", rows)
        .column(Column::percent("Won", 0), |row| row.share)
        .column(Column::number("Published: 2 U W", 0), |row| row.published)
        .column(Column::number("Spent, win = loss", 0), |row| row.equal)
        .column(Column::number("Spent, 13 and 11", 0), |row| row.observed)
        .column(Column::number("24 W - 11", 2), |row| row.per_game)
        .build()
        .note("U: unspent bonus points; W: share of games won.")
        .file("corrected")
}

/// A figure of one kind of ladders: a part of a whole, or a share already.
type Value = fn(&WorldReport) -> (f64, f64);

pub(crate) fn ladders(report: &ForensicsReport) -> Table {
    let rows: [(&str, &str, Value); 11] = [
        ("Divisions whose tier is found", "at least 0.95", |world| {
            (world.tiers.right.into(), world.tiers.divisions.into())
        }),
        ("by the source's method", "", |world| {
            (world.tiers.right_by_cluster.into(), world.tiers.divisions.into())
        }),
        ("as sure as was claimed", "", |world| {
            (world.tiers.claimed, world.tiers.divisions.into())
        }),
        ("Intervals that hold C", "0.90 to 0.98", |world| {
            (world.conversion.share(), 1.0)
        }),
        ("Intervals that hold M", "0.90 to 0.98", |world| {
            (world.magic.share(), 1.0)
        }),
        ("Intervals that hold K", "0.90 to 0.98", |world| {
            (world.offset.share(), 1.0)
        }),
        ("the same, where promotions and moves agree on K", "", |world| {
            (world.offset_trusted.share(), 1.0)
        }),
        (
            "Ladders whose moving average is identified",
            "at least 0.95",
            |world| (world.averages_told.into(), world.averages_compared.into()),
        ),
        ("Brier score, promotion to Master", "below the rule's", |world| {
            (world.brier_top.ours, world.brier_top.forecasts.into())
        }),
        ("Brier score, other promotions", "below the rule's", |world| {
            (world.brier.ours, world.brier.forecasts.into())
        }),
        ("of the rule “Pp above M”, all", "", |world| {
            let forecasts = f64::from(world.brier.forecasts) + f64::from(world.brier_top.forecasts);
            (world.brier.rule + world.brier_top.rule, forecasts)
        }),
    ];
    // A share of nothing is no number.
    let share = |(part, of): (f64, f64)| if of > 0.0 { part / of } else { f64::NAN };
    let (ladders, usual) = (f64::from(report.count), &report.usual);
    Table::of("Inferred from generated ladders", rows)
        .column(Column::text("What"), |(what, ..)| what)
        .column(Column::text("Bar"), |(_, bar, _)| bar)
        .column(Column::number("As assumed", 3), |(.., value)| share(value(usual)))
        .column(Column::number("Assumptions broken", 3), |(.., value)| share(value(&report.broken)))
        .build()
        .note(format!(
            "{ladders} ladders of each kind, {:.0} promotions a ladder with a history. Tiers: {} divisions with at least twenty active players.",
            usual.promotions as f64 / ladders,
            usual.tiers.divisions
        ))
        .file("ladders")
}

pub(crate) fn debts(report: &WorldReport) -> Table {
    Table::of("Games that a week of absence costs", &report.debts)
        .column(Column::text("League"), |debt| &*debt.league)
        .column(Column::number("True value", 1), |debt| debt.truth)
        .column(Column::number("Median estimate", 2), |debt| {
            let mut sorted = debt.estimates.clone();
            sorted.sort_by(f64::total_cmp);
            sorted.get(sorted.len() / 2).copied()
        })
        .column(Column::integer("Ladders with an estimate"), |debt| debt.estimates.len())
        .column(Column::integer("whose bounds hold the true value"), |debt| debt.held)
        .build()
        .note("The source says that absence delays promotion, more so in higher leagues, and not by how much: the true value is the generator's. On most ladders no history shows it, and nothing is claimed.")
        .file("debts")
}

pub(crate) fn visible(report: &ForensicsReport) -> Table {
    let (usual, broken) = (&report.visible, &report.visible_broken);
    let rows = [
        ("the K-factor", usual.k, broken.k),
        (
            "the scale, where opponents' ratings are shown",
            usual.scale,
            broken.scale,
        ),
        (
            "hidden opponents' ratings, in scales",
            usual.opponents,
            broken.opponents,
        ),
    ];
    Table::of("Inferred from a player's visible changes of an Elo-like ladder", rows)
        .column(Column::text("95 % intervals that hold"), |(what, ..)| what)
        .column(Column::integer("Intervals"), |(_, usual, _)| usual.intervals)
        .column(Column::number("As assumed", 3), |(_, usual, _)| usual.share())
        .column(Column::number("Newcomers count double", 3), |(.., broken)| broken.share())
        .build()
        .note("Without opponents' ratings the scale is not identifiable, and no interval is given. Opponents' ends are bounds, so they hold more often than 95 %.")
        .file("visible")
}

pub(crate) fn pool(report: &WorldReport) -> Table {
    Table::of("Error of the source's Pp by unspent bonus", &report.pool)
        .column(Column::number("Unspent, up to", 0), |row| {
            (row.up_to < 1e9).then_some(row.up_to)
        })
        .column(Column::integer("Players"), |row| row.players)
        .column(
            Column::number("Root mean square error", 1).unit("points"),
            PoolRow::error,
        )
        .build()
        .file("pool")
}
