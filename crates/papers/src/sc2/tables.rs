//! The tables of the ladder of StarCraft II, each by the name of its CSV file.

use crate::sc2::WorldReport;
use matchwright_report::{Cell, Column, Table};

use super::reproduction::Sc2Reproduction;

pub(crate) fn sc2_tables(all: &Sc2Reproduction) -> Vec<(String, Table)> {
    let named = |name: &str, table| (name.to_owned(), table);
    vec![
        named("worked", worked(all)),
        named("ladders", ladders(all)),
        named("leagues", leagues(all)),
        named("tiers", tiers(all)),
        named("corrected", corrected(all)),
        named("debts", debts(all)),
        named("pool", pool(all)),
        named("visible", visible(all)),
    ]
}

fn worked(all: &Sc2Reproduction) -> Table {
    let table = Table::new("Worked numbers")
        .column(Column::text("Number"))
        .column(Column::significant("Seed", 6))
        .column(Column::significant("Ours", 6))
        .column(Column::text("Rounded alike"));
    all.worked.iter().fold(table, |table, row| {
        let alike = if row.agrees() { "yes" } else { "no" };
        table.row([row.what.into(), row.seed.into(), row.ours.into(), alike.into()])
    })
}

fn leagues(all: &Sc2Reproduction) -> Table {
    let table = Table::new("Leagues")
        .column(Column::text("League"))
        .column(Column::number("C", 0))
        .column(Column::number("M", 0))
        .column(Column::number("C + M", 0));
    let leagues = &all.season.params().leagues;
    let row = |table: Table, league: &matchwright_mmr_forensics::LeagueParams| {
        let next = league.magic.map(|magic| league.conversion + magic);
        table.row([
            (&*league.name).into(),
            league.conversion.into(),
            league.magic.into(),
            next.into(),
        ])
    };
    leagues
        .iter()
        .fold(table, row)
        .note("C + M is the C of the next league. The source gives its sum an error of 25 points, and expects Master at 2250.")
}

fn tiers(all: &Sc2Reproduction) -> Table {
    let mut table = Table::new("Tiers")
        .column(Column::text("League"))
        .column(Column::text("Tier"))
        .column(Column::number("K", 0))
        .column(Column::number("M - K", 0));
    for league in &all.season.params().leagues {
        for tier in &league.tiers {
            let edge = league
                .magic
                .zip(tier.offset)
                .map(|(magic, offset)| magic - offset);
            table = table.row([
                (&*league.name).into(),
                (&*tier.name).into(),
                tier.offset.into(),
                edge.into(),
            ]);
        }
    }
    table.note("Of Rank F the source knows nothing. M - K is what the best of such a division cluster at.")
}

fn corrected(all: &Sc2Reproduction) -> Table {
    let table = Table::new("What 1,000 unspent points are worth")
        .column(Column::number("Won", 0).unit("%"))
        .column(Column::number("Seed: 2 U W", 0))
        .column(Column::number("Spent, win = loss", 0))
        .column(Column::number("Spent, 13 and 11", 0))
        .column(Column::number("24 W - 11", 2));
    all.corrected.iter().fold(table, |table, row| {
        table.row([
            (100.0 * row.share).into(),
            row.seed.into(),
            row.equal.into(),
            row.observed.into(),
            row.per_game.into(),
        ])
    })
}

/// A figure of one kind of ladders; a share of nothing is no number.
type Value = fn(&WorldReport, fn(f64, f64) -> f64) -> f64;

fn ladders(all: &Sc2Reproduction) -> Table {
    let mut table = Table::new("Found out on generated ladders")
        .column(Column::text("What"))
        .column(Column::text("Bar"))
        .column(Column::number("As assumed", 3))
        .column(Column::number("Broken", 3));
    let share = |part: f64, of: f64| if of > 0.0 { part / of } else { f64::NAN };
    let rows: [(&str, &str, Value); 11] = [
        (
            "Divisions whose tier is found",
            "at least 0.95",
            |world, share| share(world.tiers.right.into(), world.tiers.divisions.into()),
        ),
        ("by the source's method", "", |world, share| {
            share(world.tiers.right_by_cluster.into(), world.tiers.divisions.into())
        }),
        ("as sure as was claimed", "", |world, share| {
            share(world.tiers.claimed, world.tiers.divisions.into())
        }),
        ("Intervals that hold C", "0.90 to 0.98", |world, _| {
            world.conversion.share()
        }),
        ("Intervals that hold M", "0.90 to 0.98", |world, _| {
            world.magic.share()
        }),
        ("Intervals that hold K", "0.90 to 0.98", |world, _| {
            world.offset.share()
        }),
        (
            "the same, where promotions and moves agree on K",
            "",
            |world, _| world.offset_trusted.share(),
        ),
        (
            "Ladders whose average is told",
            "at least 0.95",
            |world, share| share(world.averages_told.into(), world.averages_compared.into()),
        ),
        (
            "Brier score, promotion to Master",
            "below the rule's",
            |world, share| share(world.brier_top.ours, world.brier_top.forecasts.into()),
        ),
        (
            "Brier score, other promotions",
            "below the rule's",
            |world, share| share(world.brier.ours, world.brier.forecasts.into()),
        ),
        ("of the rule “Pp above M”, all", "", |world, share| {
            share(
                world.brier.rule + world.brier_top.rule,
                f64::from(world.brier.forecasts) + f64::from(world.brier_top.forecasts),
            )
        }),
    ];
    for (what, bar, value) in rows {
        let (usual, broken) = (
            value(&all.ladders.usual, share),
            value(&all.ladders.broken, share),
        );
        table = table.row([what.into(), bar.into(), usual.into(), broken.into()]);
    }
    let ladders = f64::from(all.ladders.config.ladders);
    table.note(format!(
        "{ladders} ladders of each kind, {:.0} promotions a ladder with a history. Tiers: {} divisions with at least twenty active players.",
        all.ladders.usual.promotions as f64 / ladders,
        all.ladders.usual.tiers.divisions
    ))
}

fn debts(all: &Sc2Reproduction) -> Table {
    let table = Table::new("Games that a week of absence costs")
        .column(Column::text("League"))
        .column(Column::number("Truth", 1))
        .column(Column::number("Median found", 2))
        .column(Column::integer("Ladders that tell"))
        .column(Column::integer("with the truth within bounds"));
    let row = |table: Table, debt: &crate::sc2::LeagueDebt| {
        let mut sorted = debt.estimates.clone();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied();
        table.row([
            Cell::from(&*debt.league),
            debt.truth.into(),
            median.into(),
            debt.estimates.len().into(),
            debt.held.into(),
        ])
    };
    all.ladders
        .usual
        .debts
        .iter()
        .fold(table, row)
        .note("The source says that absence delays promotion, more so in higher leagues, and not by how much: the truth is the generator's. On most ladders no history shows it, and nothing is claimed.")
}

fn visible(all: &Sc2Reproduction) -> Table {
    let table = Table::new("Found out from a player's visible changes of an Elo-like ladder")
        .column(Column::text("95 % intervals that hold"))
        .column(Column::integer("Intervals"))
        .column(Column::number("As assumed", 3))
        .column(Column::number("Newcomers count double", 3));
    let (usual, broken) = (&all.ladders.visible, &all.ladders.visible_broken);
    [
        ("the K-factor", usual.k, broken.k),
        ("the scale, where opponents' ratings are shown", usual.scale, broken.scale),
        ("hidden opponents' ratings, in scales", usual.opponents, broken.opponents),
    ]
    .into_iter()
    .fold(table, |table, (what, usual, broken)| {
        table.row([
            what.into(),
            usual.intervals.into(),
            usual.share().into(),
            broken.share().into(),
        ])
    })
    .note("Without opponents' ratings the scale is not identifiable, and no interval is given. Opponents' ends are bounds, so they hold more often than 95 %.")
}

fn pool(all: &Sc2Reproduction) -> Table {
    let table = Table::new("Error of the source's Pp by unspent bonus")
        .column(Column::number("Unspent, up to", 0))
        .column(Column::integer("Players"))
        .column(Column::number("Root mean square error", 1).unit("points"));
    all.ladders.usual.pool.iter().fold(table, |table, row| {
        let up_to = if row.up_to < 1e9 {
            Cell::from(row.up_to)
        } else {
            Cell::Empty
        };
        let root = (row.squares / f64::from(row.players)).sqrt();
        table.row([up_to, u64::from(row.players).into(), root.into()])
    })
}
