//! The tables of Awesomenauts' search, each by the name of its CSV file.

use matchwright_report::{Cell, Column, Table, count};
use matchwright_sim::statistics::{Estimate, MeanTest};

use super::reproduction::{AwesomenautsReproduction, EqualTime};

/// The most wanted first.
pub(crate) fn awesomenauts_tables(all: &AwesomenautsReproduction) -> Vec<(String, Table)> {
    let named = |name: &str, table| (name.to_owned(), table);
    vec![
        named("equal-evaluations", race(all)),
        named("forced-swaps", forced(all)),
        named("restarts", restarts(all)),
        named("batches", batches(all)),
        named("batch-steps", steps(all)),
        named("sorted-start", starts(all)),
        named("port", port(all)),
        named("totals", totals(all)),
    ]
}

fn estimate(value: &Estimate) -> Cell {
    Cell::estimate(value.mean, value.standard_error)
}

fn difference(test: &MeanTest) -> Cell {
    Cell::estimate(test.difference, test.standard_error)
}

fn race(all: &AwesomenautsReproduction) -> Table {
    let config = &all.race.config;
    let mut table = Table::new("Searches at equal evaluations")
        .column(Column::integer("Evaluations"))
        .column(Column::text("Search"))
        .column(Column::number("Total", 4))
        .column(Column::integer("Best on"))
        .column(Column::number("Over starting anew", 4))
        .column(Column::number("Below the bound, %", 2));
    for row in &all.race.rows {
        table = table.row([
            row.evaluations.into(),
            row.contender.words().into(),
            estimate(&row.total),
            row.best.into(),
            difference(&row.over_starting_anew),
            Cell::estimate(100.0 * row.gap.mean, 100.0 * row.gap.standard_error),
        ]);
    }
    table.note(format!(
        "Means over {} pools of {} players, with standard errors; differences pool by pool. An evaluation: the quality of one match judged once. Best on: pools where no other search has a better total, ties included. The bound is proven, and the search for it ends within {} % of the best.",
        config.pools, config.players, 100.0 * config.gap
    ))
}

fn forced(all: &AwesomenautsReproduction) -> Table {
    let forced = &all.race.forced;
    let rows = [
        ("a dozen forced swaps", &forced.gain, &forced.work),
        ("a second start", &forced.second_start, &forced.second_work),
    ];
    let mut table = Table::new("What can follow the first local optimum")
        .column(Column::text("What"))
        .column(Column::number("It adds", 4))
        .column(Column::number("Evaluations, as a multiple", 2));
    for (what, gain, work) in rows {
        table = table.row([what.into(), difference(gain), estimate(work)]);
    }
    table.note(format!(
        "The first local optimum: {:.4}. Forced swaps go on while each round ends higher than the one before.",
        forced.without.mean
    ))
}

fn restarts(all: &AwesomenautsReproduction) -> Table {
    let report = &all.restarts;
    let mut table = Table::new("The best of so many starts")
        .column(Column::integer("Starts"))
        .column(Column::number("Total", 4))
        .column(Column::number("Below the bound", 4));
    for point in &report.by_number {
        table = table.row([
            point.starts.into(),
            estimate(&point.total),
            (report.bound.mean - point.total.mean).into(),
        ]);
    }
    table.note(format!(
        "{} starts in each of {} pools of {} players: expected best of those many, whichever they are. A semi-random lineup has {:.4} before the first swap.",
        count(report.config.starts as u64),
        report.config.pools,
        report.config.players,
        report.before.mean
    ))
}

fn batches(all: &AwesomenautsReproduction) -> Table {
    let config = &all.batches.config;
    let mut table = Table::new("Batches of different sizes, by where players live")
        .column(Column::integer("Batch"))
        .column(Column::text("Players"))
        .column(Column::number("Ping factor", 3))
        .column(Column::number("Quality", 3))
        .column(Column::number("Ping with enemies", 0).unit("ms"))
        .column(Column::number("Left over, times a player", 3));
    for row in &all.batches.rows {
        for group in &row.groups {
            table = table.row([
                row.size.into(),
                group.group.into(),
                estimate(&group.ping_factor),
                estimate(&group.quality),
                estimate(&group.ping),
                estimate(&group.left_over),
            ]);
        }
        let empty = || Cell::Empty;
        table = table.row([
            row.size.into(),
            "all matches".into(),
            empty(),
            estimate(&row.total),
            empty(),
            empty(),
        ]);
    }
    table.note(format!(
        "{} streams of {} players, the same for each size; {} exchanges of our annealing for each player. Batches that are no whole matches leave some over, most often who lives far away: 300 fills whole matches, the other sizes do not.",
        config.streams,
        count(config.players as u64),
        count(config.moves_per_player)
    ))
}

fn steps(all: &AwesomenautsReproduction) -> Table {
    let mut table = Table::new("What a larger batch brings")
        .column(Column::text("From, to"))
        .column(Column::text("Players"))
        .column(Column::number("Ping factor", 4))
        .column(Column::number("Quality", 4));
    for step in &all.batches.steps {
        let name = format!("{} to {}", step.sizes.0, step.sizes.1);
        for (place, group) in crate::awesomenauts::BATCH_GROUPS.iter().enumerate() {
            table = table.row([
                name.as_str().into(),
                (*group).into(),
                difference(&step.ping_factor[place]),
                difference(&step.quality[place]),
            ]);
        }
        table = table.row([
            name.into(),
            "all matches".into(),
            Cell::Empty,
            difference(&step.total),
        ]);
    }
    table.note("Stream by stream, with standard errors.")
}

fn starts(all: &AwesomenautsReproduction) -> Table {
    let mut table = Table::new("Sorted by skill, and the end of the search, factor by factor")
        .column(Column::text("Factor"))
        .column(Column::number("Random", 3))
        .column(Column::number("Sorted", 3))
        .column(Column::number("End", 3))
        .column(Column::number("Sorted less end", 3))
        .column(Column::number("For skill alone", 3));
    for row in &all.starts.rows {
        let cells = [&row.random, &row.sorted, &row.end].map(estimate);
        let [random, sorted, end] = cells;
        // Under weights of skill alone, the total would be another one.
        table = table.row([
            row.factor.replace('_', " ").into(),
            random,
            sorted,
            end,
            difference(&row.sorted_over_end),
            estimate(&row.skill_alone),
        ]);
    }
    table.note("Random and sorted: parties in that order, each into the first match with room, and the best split of each match. End: the first local optimum. For skill alone: our annealing for the two factors of skill, whose total counts these alone.")
}

fn port(all: &AwesomenautsReproduction) -> Table {
    let report = &all.port;
    let mut table = Table::new("The port of the search, counted")
        .column(Column::text("What"))
        .column(Column::text("Article"))
        .column(Column::significant("Ours", 5));
    let players = report.config.players / 6 * 6;
    let printed = |number: &str| {
        if players == 96 {
            number.to_owned()
        } else {
            String::new()
        }
    };
    let rows = [
        (
            format!("swaps of {players} players who came alone"),
            printed("4,320"),
            report.count.swaps as f64,
        ),
        (
            "splits of a step over all of them".to_owned(),
            printed("86,400"),
            report.count.splits as f64,
        ),
        (
            "swaps that one ascent carries out".to_owned(),
            String::new(),
            report.swaps.mean,
        ),
        (
            "splits that it tries".to_owned(),
            String::new(),
            report.splits.mean,
        ),
        (
            "gain of the best swap at the start".to_owned(),
            String::new(),
            report.best_at_start.mean,
        ),
        (
            "most that a swap gains at the end".to_owned(),
            "none improves".to_owned(),
            report.best_at_end,
        ),
    ];
    for (what, article, ours) in rows {
        table = table.row([what.into(), article.into(), ours.into()]);
    }
    table.note("Swaps and splits of a step are counted by whom the search asks for qualities; swaps at start and end are tried by code of their own.")
}

fn totals(all: &AwesomenautsReproduction) -> Table {
    let mut table = Table::new("Lineups made for other totals")
        .column(Column::text("Made for"))
        .column(Column::number("Mean", 3))
        .column(Column::number("Root mean square", 3))
        .column(Column::number("Median", 3))
        .column(Column::number("10th percentile", 3))
        .column(Column::number("Worst match", 3))
        .column(Column::number("Worst, less that for the mean", 3));
    for row in &all.totals.rows {
        table = table.row([
            row.made_for.words().into(),
            estimate(&row.mean),
            estimate(&row.root_mean_square),
            estimate(&row.median),
            estimate(&row.tenth),
            estimate(&row.worst),
            difference(&row.worst_over_first),
        ]);
    }
    table.note(format!(
        "Annealing of {} exchanges for each; for quantiles as many again each time that a limit is raised.",
        count(all.totals.config.moves)
    ))
}

/// The table of what a clock decided.
#[must_use]
pub fn equal_time_table(timed: &EqualTime) -> Table {
    let mut table = Table::new(format!(
        "Searches at equal time: {} s each, on this machine",
        timed.seconds
    ))
    .column(Column::text("Search"))
    .column(Column::number("Total", 4))
    .column(Column::integer("Best on"));
    for row in &timed.rows {
        table = table.row([
            row.contender.words().into(),
            estimate(&row.total),
            row.best.into(),
        ]);
    }
    table.note(format!(
        "{} pools of {} players, one thread. Depends on the machine: no two runs need be alike.",
        timed.pools, timed.players
    ))
}
