//! The tables of the ladder of StarCraft II.

use crate::sc2::WorldReport;
use matchwright_mmr_forensics::LadderSeason;
use matchwright_report::{Column, Table};

use super::reproduction::{Corrected, Worked};
use super::{ForensicsReport, PoolErrors, PoolRow};

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

/// What is inferred, and how good it should be.
const INFERRED: [(&str, &str); 11] = [
    ("Divisions whose tier is found", "at least 0.95"),
    ("by the source's method", ""),
    ("as sure as was claimed", ""),
    ("Intervals that hold C", "0.90 to 0.98"),
    ("Intervals that hold M", "0.90 to 0.98"),
    ("Intervals that hold K", "0.90 to 0.98"),
    ("the same, where promotions and moves agree on K", ""),
    ("Ladders whose moving average is identified", "at least 0.95"),
    ("Brier score, promotion to Master", "below the rule's"),
    ("Brier score, other promotions", "below the rule's"),
    ("of the rule “Pp above M”, all", ""),
];

/// How good it is on these ladders.
fn inferred(world: &WorldReport) -> [f64; 11] {
    let WorldReport {
        tiers,
        brier_top,
        brier,
        ..
    } = world;
    let divisions = |part: f64| part / f64::from(tiers.divisions);
    let forecasts = f64::from(brier.forecasts) + f64::from(brier_top.forecasts);
    [
        divisions(tiers.right.into()),
        divisions(tiers.right_by_cluster.into()),
        divisions(tiers.claimed),
        world.conversion.share(),
        world.magic.share(),
        world.offset.share(),
        world.offset_trusted.share(),
        f64::from(world.averages_told) / f64::from(world.averages_compared),
        brier_top.ours / f64::from(brier_top.forecasts),
        brier.ours / f64::from(brier.forecasts),
        (brier.rule + brier_top.rule) / forecasts,
    ]
}

pub(crate) fn ladders(report: &ForensicsReport) -> Table {
    let (ladders, usual) = (f64::from(report.count), &report.usual);
    let (as_assumed, broken) = (inferred(usual), inferred(&report.broken));
    Table::of("Inferred from generated ladders", 0..INFERRED.len())
        .column(Column::text("What"), |k| INFERRED[k].0)
        .column(Column::text("Bar"), |k| INFERRED[k].1)
        .column(Column::number("As assumed", 3), |k| as_assumed[k])
        .column(Column::number("Assumptions broken", 3), |k| broken[k])
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
    let scale = "the scale, where opponents' ratings are shown";
    let opponents = "hidden opponents' ratings, in scales";
    let rows = [
        ("the K-factor", usual.k, broken.k),
        (scale, usual.scale, broken.scale),
        (opponents, usual.opponents, broken.opponents),
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
    let points = |name| Column::number(name, 1).unit("points");
    let mean = |error: fn(&PoolErrors) -> f64| move |row: &PoolRow| row.mean(error).mean;
    Table::of("Root mean square error by unspent bonus", &report.pool)
        .column(Column::number("Unspent, up to", 0), |row| {
            (row.up_to < 1e9).then_some(row.up_to)
        })
        .column(Column::integer("Players"), |row| row.players)
        .column(points("Pp, 20 games later"), |row| mean(|off| off.published)(row))
        .column(points("P + U - B, 20 games later"), |row| mean(|off| off.now)(row))
        .column(points("Pp, pool spent"), |row| mean(|off| off.published_when_spent)(row))
        .column(points("P + U - B, pool spent"), |row| mean(|off| off.now_when_spent)(row))
        .build()
        .note("Each estimate, with the division's K and C, less the generator's hidden rating of that time: twenty games after the snapshot, or once wins have brought as many points as were unspent. P + U - B is the hidden rating of the snapshot itself.")
        .file("pool")
}
