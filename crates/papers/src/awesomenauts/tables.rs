//! The tables of Awesomenauts' search.

use crate::reproduction::{difference, estimate};
use matchwright_report::{Column, Table, count};

use super::BATCH_GROUPS;
use super::reproduction::EqualTime;
use super::search::{BatchesReport, PortReport, RaceReport, RestartsReport, StartsReport, TotalsReport};

pub(crate) fn race(report: &RaceReport) -> Table {
    let config = &report.config;
    Table::of("Searches at equal evaluations", &report.rows)
        .column(Column::integer("Evaluations"), |row| row.evaluations)
        .column(Column::text("Search"), |row| row.contender.words())
        .column(Column::number("Mean quality", 4), |row| estimate(row.total))
        .column(Column::integer("Best on"), |row| row.best)
        .column(Column::number("Over starting anew", 4), |row| difference(row.over_starting_anew))
        .column(Column::percent("Below the bound", 2), |row| estimate(row.gap))
        .build()
        .note(format!(
            "Means over {} pools of {} players, with standard errors; differences pool by pool. An evaluation: the quality of one match computed once. Best on: pools where no other search has a better mean quality, ties included. The upper bound is proven, and the search for it ends within {} % of the best.",
            config.pools, config.players, 100.0 * config.gap
        ))
        .file("equal-evaluations")
}

pub(crate) fn forced(report: &RaceReport) -> Table {
    let forced = &report.forced;
    let rows = [
        ("a dozen forced swaps", forced.gain, forced.work),
        ("a second start", forced.second_start, forced.second_work),
    ];
    Table::of("What can follow the first local optimum", rows)
        .column(Column::text("What"), |(what, ..)| what)
        .column(Column::number("It adds", 4), |(_, gain, _)| difference(gain))
        .column(Column::number("Evaluations, as a multiple", 2), |(.., work)| estimate(work))
        .build()
        .note(format!(
            "The first local optimum: {:.4}. Forced swaps go on while each round ends higher than the one before.",
            forced.without.mean
        ))
        .file("forced-swaps")
}

pub(crate) fn restarts(report: &RestartsReport) -> Table {
    Table::of("The best of n starts", &report.by_number)
        .column(Column::integer("Starts"), |point| point.starts)
        .column(Column::number("Mean quality", 4), |point| estimate(point.total))
        .column(Column::number("Below the bound", 4), |point| report.bound.mean - point.total.mean)
        .build()
        .note(format!(
            "{} starts in each of {} pools of {} players: expected best of n of them drawn at random. A semi-random lineup has {:.4} before the first swap.",
            count(report.config.starts as u64),
            report.config.pools,
            report.config.players,
            report.before.mean
        ))
        .file("restarts")
}

pub(crate) fn batches(report: &BatchesReport) -> Table {
    let config = &report.config;
    let rows = report.rows.iter();
    let rows: Vec<_> = rows
        .flat_map(|row| {
            let groups = row.groups.iter().map(Some).chain([None]);
            groups.map(move |group| (row, group))
        })
        .collect();
    Table::of("Batches of different sizes, by where players live", rows)
        .column(Column::integer("Batch"), |(row, _)| row.size)
        .column(Column::text("Players"), |(_, group)| group.map_or("all matches", |group| group.group))
        .column(Column::number("Ping factor", 3), |(_, group)| group.map(|group| estimate(group.ping_factor)))
        .column(Column::number("Quality", 3), |(row, group)| {
            estimate(group.map_or(row.total, |group| group.quality))
        })
        .column(Column::number("Ping with opponents", 0).unit("ms"), |(_, group)| {
            group.map(|group| estimate(group.ping))
        })
        .column(Column::number("Unmatched, times a player", 3), |(_, group)| {
            group.map(|group| estimate(group.unmatched))
        })
        .build()
        .note(format!(
            "{} streams of {} players, the same for each size; {} exchanges of our annealing for each player. Batches that are no whole matches leave some players unmatched, most often those who live far away: 300 fills whole matches, the other sizes do not.",
            config.streams,
            count(config.players as u64),
            count(config.moves_per_player)
        ))
        .file("batches")
}

pub(crate) fn steps(report: &BatchesReport) -> Table {
    let steps = report.steps.iter();
    let rows: Vec<_> = steps
        .flat_map(|step| (0..=BATCH_GROUPS.len()).map(move |group| (step, group)))
        .collect();
    Table::of("What a larger batch brings", rows)
        .column(Column::text("From, to"), |(step, _)| {
            format!("{} to {}", step.sizes.0, step.sizes.1)
        })
        .column(Column::text("Players"), |(_, group)| {
            *BATCH_GROUPS.get(group).unwrap_or(&"all matches")
        })
        .column(Column::number("Ping factor", 4), |(step, group)| {
            step.ping_factor.get(group).copied().map(difference)
        })
        .column(Column::number("Quality", 4), |(step, group)| {
            difference(*step.quality.get(group).unwrap_or(&step.total))
        })
        .build()
        .note("Stream by stream, with standard errors.")
        .file("batch-steps")
}

pub(crate) fn starts(report: &StartsReport) -> Table {
    Table::of("Sorted by skill, and the end of the search, factor by factor", &report.rows)
        .column(Column::text("Factor"), |row| row.factor.replace('_', " "))
        .column(Column::number("Random", 3), |row| estimate(row.random))
        .column(Column::number("Sorted", 3), |row| estimate(row.sorted))
        .column(Column::number("End", 3), |row| estimate(row.end))
        .column(Column::number("Sorted less end", 3), |row| difference(row.sorted_over_end))
        .column(Column::number("For skill alone", 3), |row| estimate(row.skill_alone))
        .build()
        .note("Random and sorted: parties in that order, each into the first match with room, and the best split of each match. End: the first local optimum. For skill alone: our annealing for the two factors of skill, whose mean quality counts these alone.")
        .file("sorted-start")
}

pub(crate) fn port(report: &PortReport) -> Table {
    let players = report.config.players / 6 * 6;
    let of_96 = |number: &'static str| if players == 96 { number } else { "" };
    let swaps = format!("swaps of {players} players without parties");
    let (splits, at_start) = (report.count.splits as f64, report.best_at_start.mean);
    let rows = [
        (swaps.as_str(), of_96("4,320"), report.count.swaps as f64),
        ("splits of a step over all of them", of_96("86,400"), splits),
        ("swaps that one ascent carries out", "", report.swaps.mean),
        ("splits that it tries", "", report.splits.mean),
        ("gain of the best swap at the start", "", at_start),
        (
            "most that a swap gains at the end",
            "none improves",
            report.best_at_end,
        ),
    ];
    Table::of("The port of the search, counted", rows)
        .column(Column::text("What"), |(what, ..)| what)
        .column(Column::text("Published"), |(_, published, _)| published)
        .column(Column::significant("Ours", 5), |(.., ours)| ours)
        .build()
        .note("Swaps and splits of a step are counted where the search requests qualities; swaps at start and end are tried by code of their own.")
        .file("port")
}

pub(crate) fn totals(report: &TotalsReport) -> Table {
    Table::of("Lineups made for other totals", &report.rows)
        .column(Column::text("Made for"), |row| row.made_for.to_string())
        .column(Column::number("Mean", 3), |row| estimate(row.mean))
        .column(Column::number("Root mean square", 3), |row| estimate(row.root_mean_square))
        .column(Column::number("Median", 3), |row| estimate(row.median))
        .column(Column::number("10th percentile", 3), |row| estimate(row.tenth))
        .column(Column::number("Worst match", 3), |row| estimate(row.worst))
        .column(Column::number("Worst, less that for the mean", 3), |row| difference(row.worst_over_first))
        .build()
        .note(format!(
            "Annealing of {} exchanges for each; for another total than the mean eight times as many after that.",
            count(report.config.moves)
        ))
        .file("totals")
}

pub(crate) fn equal_time(timed: &EqualTime) -> Table {
    let seconds = timed.seconds;
    let caption = format!("Searches at equal time: {seconds} s each, on this machine");
    Table::of(caption, &timed.rows)
        .column(Column::text("Search"), |row| row.contender.words())
        .column(Column::number("Mean quality", 4), |row| estimate(row.total))
        .column(Column::integer("Best on"), |row| row.best)
        .build()
        .note(format!(
            "{} pools of {} players, one thread. Depends on the machine: no two runs need be alike.",
            timed.pools, timed.players
        ))
        .file("equal-time")
}
