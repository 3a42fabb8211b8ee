//! The queue of "Dota 2: Matchmaking" on its page: criteria, threshold, balance, accounts.

use matchwright_report::{Axis, Column, Plot, Point, Section, Series, Table};
use matchwright_scoring::{experience_level, lead_balance};

use super::claims::{accounts, lobbies, streaks, worlds};
use super::matching::{AfterGames, Criterion, Threshold};
use super::printed::EXPERIENCE_STEPS;
use super::reproduction::DotaReproduction;
use crate::check::verdict::{Statement, evidence, told};
use crate::reproduction::estimate;

/// What the page says of the queue in short.
pub(crate) fn statements(all: &DotaReproduction) -> [Statement; 4] {
    let inputs = &all.inputs;
    [
        told(
            "A match starts if the weighted mean of seven criteria exceeds a threshold.",
            lobbies::score(inputs),
        ),
        told(
            "A higher threshold makes closer matches, by the area under the gold lead, and is paid for in waits.",
            worlds::tune(inputs),
        ),
        told(
            "Players should not have to wait too long: here a longest wait stands beside the falling threshold.",
            worlds::overdue(inputs),
        ),
        told(
            "Win rate is not a meaningful measure of skill.",
            worlds::win_rate(inputs),
        ),
    ]
}

/// The sections about matches, before those about ratings.
pub(crate) fn sections(all: &DotaReproduction) -> Vec<Section> {
    let matching = &all.matching;
    vec![
        Section::new("The seven criteria")
            .paragraph("A match is judged by seven criteria, each from 0 to 1. On the published match those that its numbers tell; beside it what they come to on the mean over all matches of generated worlds, under the policy and in random matches.")
            .table(criteria(&matching.criteria))
            .paragraph("Experience counts by doublings: from 40 to 120 games as much as from 120 to 280.")
            .plot(experience()),
        Section::new("The threshold and what it costs")
            .paragraph("The article measures matches by the area under the gold lead since it was last level. The same worlds, with the threshold that a match must exceed set lower and higher; it falls with waiting in each.")
            .plot(thresholds_plot(&matching.thresholds))
            .table(thresholds(&matching.thresholds)),
        evidence(
            Section::new("How close a game was")
                .paragraph("The area under the lead counts from the last moment at which both sides were level: a game that swings by ten thousand and back is closer than one with a small lead that stays.")
                .plot(leads()),
            ("Areas by the library, worked out by hand too", "lead-balance"),
            told(
                "The integral of the lead tells close games from one-sided ones.",
                streaks::balance(lead_balance),
            ),
        ),
        evidence(
            Section::new("Four ratings and their calibration")
                .paragraph("A player has four ratings: normal or ranked, alone or in a party. Those of normal games are never shown; a ranked one after ten games, to the player and to friends.")
                .table(account(&matching.account)),
            ("Every cell of the table", "visibility"),
            told(
                "Calibrated ranked MMR is seen by the player and by friends alone.",
                accounts::visible(&all.inputs),
            ),
        ),
        matching.scene.section(),
    ]
}

fn criteria(rows: &[Criterion]) -> Table {
    Table::of("The seven criteria", rows)
        .column(Column::text("Criterion"), |row| row.name.as_str())
        .column(Column::percent("Weight, ours", 0), |row| row.share)
        .column(Column::number("Published match", 3), |row| row.published)
        .column(Column::number("Policy's matches", 3), |row| row.policy.map(estimate))
        .column(Column::number("Random matches", 3), |row| row.random.map(estimate))
        .build()
        .note("1 is best. Means over worlds with their standard errors; waits have a section of their own. Experience, languages and waits of the published match are not printed.")
        .file("criteria")
}

fn experience() -> Plot {
    let unit = EXPERIENCE_STEPS[0] as f64;
    let level = |games: u64| Point::new(games as f64, experience_level(games as f64, unit));
    Plot::new("Experience by games")
        .caption("log2(1 + games / 40): the three published steps are one level apart.")
        .x(Axis::new("Games played"))
        .y(Axis::new("Level"))
        .series(Series::line("level", (0..=400).step_by(4).map(level)))
        .series(Series::points("published steps", EXPERIENCE_STEPS.map(level)))
        .file("experience")
}

fn thresholds(rows: &[Threshold]) -> Table {
    Table::of("Thresholds of quality", rows)
        .column(Column::number("Threshold", 1), |row| row.quality)
        .column(Column::number("Mean area, gold min", 0), |row| estimate(row.area))
        .column(Column::number("90 % do not exceed", 0), |row| {
            estimate(row.area_90)
        })
        .column(Column::number("Mean wait", 1).unit("s"), |row| estimate(row.wait))
        .column(Column::number("90 % had a match within", 0).unit("s"), |row| {
            row.wait_90.map(estimate)
        })
        .build()
        .note("Means over worlds with their standard errors.")
        .file("thresholds")
}

fn thresholds_plot(rows: &[Threshold]) -> Plot {
    let points = rows
        .iter()
        .map(|row| Point::with_error(row.wait.mean, row.area.mean, row.area.standard_error));
    Plot::new("Closer matches for longer waits")
        .caption("Each point is a threshold. Bars: standard errors over worlds.")
        .x(Axis::new("Mean wait").unit("s"))
        .y(Axis::new("Mean area under the gold lead").unit("gold min"))
        .series(
            Series::line_and_points("threshold", points)
                .labels(rows.iter().map(|row| row.quality.to_string())),
        )
        .file("thresholds")
}

fn leads() -> Plot {
    let plot = Plot::new("Two leads")
        .caption("The swing was level at 41 minutes: what counts of it is the small lead after that.")
        .x(Axis::new("Time").unit("min"))
        .y(Axis::new("Gold that one side is ahead"))
        .file("leads");
    streaks::LINES
        .iter()
        .take(2)
        .fold(plot, |plot, (name, samples, ..)| {
            let points = samples
                .iter()
                .map(|(seconds, gold)| Point::new(seconds / 60.0, *gold));
            plot.series(Series::line(*name, points))
        })
}

fn account(rows: &[AfterGames]) -> Table {
    let shown = rows.iter().filter(|row| row.games <= 12);
    Table::of("An account over its first ranked games alone", shown)
        .column(Column::integer("Games"), |row| row.games)
        .column(Column::number("MMR", 0), |row| row.mmr)
        .column(Column::number("Uncertainty", 0), |row| row.uncertainty)
        .column(Column::text("The player sees"), |row| row.seen[0].as_str())
        .column(Column::text("A friend"), |row| row.seen[1].as_str())
        .column(Column::text("Others"), |row| row.seen[2].as_str())
        .column(Column::text("Of the rating in parties the player sees"), |row| {
            row.in_parties.as_str()
        })
        .build()
        .note("The mean of the newcomers of “A skilled player's new account”.")
        .file("account")
}
