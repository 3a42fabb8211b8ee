//! The page of "Dota 2: Matchmaking" (Valve, 7 December 2013).

use matchwright_report::{Callout, Page, Section};

use super::plots::{self, dota_plots};
use super::reproduction::DotaReproduction;
use super::tables::dota_tables;
use crate::reproduction::files_section;
use crate::reproduction::{Named, with};

/// The page as HTML.
pub(crate) fn dota_page(all: &DotaReproduction, command: &str) -> String {
    let tables = dota_tables(all);
    let named = |name: &str| {
        let found = tables.iter().find(|(n, _)| n == name);
        found.map(|(_, table)| table.clone())
    };
    Page::new("Dota 2's ratings, reproduced")
        .lead("“Dota 2: Matchmaking” (Valve, 7 December 2013) describes what players' ratings are and how parties change them. It prints eight percentiles, one match and a few rules.")
        .lead("Everything on this page was worked out by the program that wrote it. What the document prints stands beside it, and where it cannot be taken at its word the page says so.")
        .section(short_section(all))
        .section(silent_section())
        .section(with(Section::new("Percentiles").plot(plots::percentiles(all)), named("percentiles")))
        .section(match_section(all, &named))
        .section(with(Section::new("Rules"), named("rules")))
        .section(uncertainty_section(all, &named))
        .section(newcomer_section(all, &named))
        .section(with(
            Section::new("Individual performance").paragraph("The result is the primary criterion; how one played counts as well, the more the less is known. A player who outdoes a losing team far enough gains, though the team's mean falls."),
            named("performance"),
        ))
        .section(with(
            Section::new("Where the bonus of a party comes from").paragraph("The document says: from a logistic regression on the results of matches. Here the truth is known, and the regression sees the results alone."),
            named("party-regression"),
        ))
        .section(files_section(&tables, &dota_plots(all), "reproduction.json"))
        .footer(format!("matchwright {} · {command}", env!("CARGO_PKG_VERSION")))
        .to_html()
}

fn short_section(all: &DotaReproduction) -> Section {
    let rows = &all.percentiles.rows;
    let off = rows.iter().map(|row| (row[2] - row[1]).abs()).fold(0.0, f64::max);
    let unexplained: Vec<String> = all
        .parties
        .iter()
        .filter(|party| party.found.hidden.is_none())
        .map(|party| party.letter.to_string())
        .collect();
    let regression = &all.regression;
    let covered = regression
        .terms
        .iter()
        .map(|term| term.coverage.mean)
        .fold((1.0_f64, 0.0_f64), |(low, high), share| {
            (low.min(share), high.max(share))
        });
    // Four standard errors of a share of 95 %, and of the means.
    let slack = 4.0 * (0.95 * 0.05 / f64::from(regression.config.data_sets)).sqrt();
    let recovered = regression.terms.iter().all(|term| {
        (term.estimate.mean - term.truth).abs() <= 4.0 * term.estimate.standard_error
            && (term.coverage.mean - 0.95).abs() <= slack
    });
    let performance = &all.performance;
    let both = performance.winners_down.mean > 0.0 && performance.losers_up.mean > 0.0;
    let verdict = |holds: bool| if holds { Callout::Success } else { Callout::Failure };
    Section::new("In short")
        .callout(
            verdict(off == 0.0),
            format!("One rising function goes through the eight percentiles: it misses them by {off} points at most."),
        )
        .callout(
            verdict(unexplained.is_empty()),
            if unexplained.is_empty() {
                "One line of bonuses gives the printed match, row by row, for ratings that round to those printed.".to_owned()
            } else {
                format!("No ratings that round to those printed give the printed bonuses of {}.", unexplained.join(", "))
            },
        )
        .callout(
            verdict(both && performance.teams_against == 0),
            format!(
                "Single players can gain by losing and lose by winning ({:.1} and {:.1} % did), and {} teams' means went against the result.",
                100.0 * performance.losers_up.mean,
                100.0 * performance.winners_down.mean,
                performance.teams_against
            ),
        )
        .callout(
            verdict(recovered),
            format!(
                "A logistic regression finds the coefficients of parties again: its 95 % intervals cover the truth in {:.1} to {:.1} % of {} data sets.",
                100.0 * covered.0,
                100.0 * covered.1,
                regression.config.data_sets
            ),
        )
        .paragraph("Where the document cannot be taken at its word:")
        .list(corrections(all))
}

fn corrections(all: &DotaReproduction) -> Vec<String> {
    let mut found = vec![format!(
        "MMR is not spread like a bell curve: every normal distribution misses one of the eight rows by {:.0} points or more, though they are rounded to 50 at most.",
        all.percentiles.normal_misfit.floor()
    )];
    for party in &all.parties {
        if party.players.len() > 1 && party.found.exact_bonus.0 >= party.found.exact_bonus.1 {
            let shown = party
                .players
                .iter()
                .map(|one| format!("+{}", one.adjusted - one.mmr));
            found.push(format!(
                "Party {} gets {}: no bonus that its members share does that to whole numbers. MMR has fractions that are not shown; with them any bonus between {} and {} can.",
                party.letter,
                shown.collect::<Vec<_>>().join(" and "),
                party.found.common_bonus.0,
                party.found.common_bonus.1
            ));
        }
    }
    found
}

fn silent_section() -> Section {
    Section::new("What the document does not say")
        .paragraph("No step, floor or weight is printed. Ours are the library's defaults, each with its reason there:")
        .list(
            [
                "A newcomer starts at the median with the standard deviation of a normal curve through the quartiles.",
                "The floor of uncertainty is Elo's deviation of one player's performance, and the step is his K over it.",
                "What shrinks and grows uncertainty, and what performance weighs, are choices: the properties that the text names hold, their sizes are ours.",
                "The bonus of a party is a line through three parties of one match. Size and spread cannot be told apart in it.",
                "All players of the tables below the match are generated; nothing is known here of Dota's own.",
            ]
            .map(str::to_owned)
            .to_vec(),
        )
}

fn match_section(all: &DotaReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("The match with parties")
        .paragraph("Adjusted MMR of a match that was formed on the day of writing. Single players keep their MMR; members of a party get a bonus that grows with its spread.")
        .plot(plots::bonuses(all));
    with(with(section, named("party-match")), named("party-bonuses"))
}

fn uncertainty_section(all: &DotaReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("Uncertainty").paragraph("MMR and uncertainty are mean and standard deviation of the next game's performance. Uncertainty sets the step; what was expected lowers it to a floor, a surprise raises it.").plot(plots::steps(all));
    with(section, named("steps"))
}

fn newcomer_section(all: &DotaReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("A skilled player's new account")
        .paragraph("The document says that the MMR of skilled players on new accounts rises quickly. High uncertainty does that:")
        .plot(plots::newcomer(all));
    with(section, named("newcomer"))
}
