//! The page of "The Awesomenauts matchmaking algorithm" (Ronimo Games, 16 September 2018).

use matchwright_report::{Page, Section};

use super::plots::{self, awesomenauts_plots};
use super::reproduction::{AwesomenautsReproduction, EqualTime};
use super::tables::{awesomenauts_tables, equal_time_table};
use super::verdicts;
use crate::reproduction::files_section;
use crate::reproduction::{Named, with};

/// The page as HTML.
pub(crate) fn awesomenauts_page(all: &AwesomenautsReproduction, command: &str) -> String {
    let tables = awesomenauts_tables(all);
    let named = |name: &str| {
        let found = tables.iter().find(|(n, _)| n == name);
        found.map(|(_, table)| table.clone())
    };
    Page::new("Awesomenauts' search for lobbies, reproduced")
        .lead("“The Awesomenauts matchmaking algorithm” (Ronimo Games, 16 September 2018) tells how a game put everybody who waited into matches of three against three at once: by six factors, and by swapping players until no swap helps.")
        .lead("Everything on this page was worked out by the program that wrote it, on generated players. What the author says of his search is held against a port of it, a reader's proposal, our own search, and a bound that no lineup exceeds.")
        .section(verdicts::short_section(all))
        .section(silent_section(all))
        .section(race_section(all, &named))
        .section(restart_section(all, &named))
        .section(batch_section(all, &named))
        .section(with(
            Section::new("The sorted start").paragraph("The search begins with players sorted by skill and cut into sixes. The author calls its skill the best that can be had, and its pings and premades bad."),
            named("sorted-start"),
        ))
        .section(with(
            Section::new("Steps of the search").paragraph("All swaps are tried, the best is made, until none improves."),
            named("port"),
        ))
        .section(with(
            Section::new("Other totals").paragraph("A reader asks for root mean square, median or a percentile in place of the mean, for the sake of the worst matches; the author answers that these are mostly beyond help."),
            named("totals"),
        ))
        .section(files_section(&tables, &awesomenauts_plots(all), "reproduction.json"))
        .footer(footer(command))
        .to_html()
}

fn footer(command: &str) -> String {
    format!("matchwright {} · {command}", env!("CARGO_PKG_VERSION"))
}

fn silent_section(all: &AwesomenautsReproduction) -> Section {
    let world = &all.race.config.world;
    Section::new("What the article does not say").list(vec![
        format!(
            "Who plays. Here {:.0} % live in Europe, {:.0} % far away in three regions, the rest in North America; {:.0} % come in parties of two or three.",
            100.0 * world.europe,
            100.0 * world.far,
            100.0 * world.in_parties
        ),
        "The weights, curves and caps of the six factors: those of the policy in examples/policies/awesomenauts.toml.".to_owned(),
        "What happens to parties when players are sorted and swapped: here they stay together, and change places with as many players.".to_owned(),
        "How semi-random a new start is: here a fifth of the order by skill.".to_owned(),
        "Which swaps are forced: here each of the twelve worst matches, in turn, into its least bad swap.".to_owned(),
        "The reader gives no temperatures: those of our own annealing, over the swaps of the article.".to_owned(),
    ])
}

fn race_section(all: &AwesomenautsReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("Searches beside each other")
        .paragraph("Forced swaps were given up for new starts. A reader proposes simulated annealing. All are given the same pools, objective and number of evaluations.")
        .plot(plots::race(all));
    let section = with(section, named("equal-evaluations")).paragraph("At the first local optimum:");
    with(section, named("forced-swaps"))
}

fn restart_section(all: &AwesomenautsReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("A few starts against many")
        .paragraph("The author let his computer start anew for a night, tens of thousands of times, and found surprisingly little.")
        .plot(plots::restarts(all));
    with(section, named("restarts"))
}

fn batch_section(all: &AwesomenautsReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("Batches and far regions")
        .paragraph("In a batch of a hundred there are a few players from far away, who get bad pings; around 300 would be ideal, says the author.")
        .plot(plots::batches_ping(all))
        .plot(plots::batches_quality(all));
    with(with(section, named("batches")), named("batch-steps"))
}

/// The page of what a clock decided.
#[must_use]
pub fn equal_time_page(timed: &EqualTime, command: &str) -> String {
    Page::new("Awesomenauts' search for lobbies at equal time")
        .lead("This page depends on the machine that it was made on and on what else that did; the other pages do not.")
        .section(
            Section::new("Searches beside each other")
                .table(equal_time_table(timed))
                .download("The table", "equal-time.csv")
                .download("Everything, as JSON", "equal-time.json")
                .download("Version, command, seed, configuration, hashes", "manifest.json"),
        )
        .footer(footer(command))
        .to_html()
}
