//! The page of "Dota 2: Matchmaking" (Valve, 7 December 2013).
use crate::check::verdict::{InShort, Statement, in_short, says};
use crate::dota::claims::inputs::DotaInputs;
use crate::reproduction::Reproduction;
use matchwright_report::{Headline, Page, Section};

use super::claims::{parties, percentiles, rating};
use super::reproduction::{DotaReproduction, Party};
use super::{matching_page, plots, tables};

impl Reproduction for DotaReproduction {
    fn content(&self) -> Page {
        let short = short_section(self);
        let page = Page::new("Dota 2's matchmaking and ratings, reproduced")
            .answer(short.sentence)
            .headlines(headlines(self))
            .picture(plots::percentiles(&self.percentiles))
            .lead("“Dota 2: Matchmaking” (Valve, 7 December 2013) describes what makes a good match, how long players wait for one, what their ratings are and how parties change them. It prints eight percentiles, one match and a few rules.")
            .lead("Everything on this page was computed by the program that wrote it. The published figures stand beside ours, and where the document needs correction the page says so.")
            .section(short.section)
            .section(silent_section());
        let page = matching_page::sections(self)
            .into_iter()
            .fold(page, Page::section);
        page.section(
                Section::new("Percentiles").table(tables::percentiles(&self.percentiles)),
            )
            .section(
                Section::new("The match with parties")
                    .paragraph("Adjusted MMR of a match that was formed on the day of writing. Single players keep their MMR; members of a party get a bonus that grows with its spread.")
                    .plot(plots::bonuses(self))
                    .table(tables::party_match(self))
                    .table(tables::bonuses(self)),
            )
            .section(Section::new("Rules").table(tables::rules(self)))
            .section(
                Section::new("Uncertainty")
                    .paragraph("MMR and uncertainty are mean and standard deviation of the next game's performance. Uncertainty sets the step; expected results lower it to a floor, unexpected ones raise it.")
                    .plot(plots::steps(&self.steps))
                    .table(tables::steps(&self.steps)),
            )
            .section(
                Section::new("A skilled player's new account")
                    .paragraph("The document says that the MMR of skilled players on new accounts rises quickly. High uncertainty does that:")
                    .plot(plots::newcomer(&self.newcomer))
                    .table(tables::newcomer(&self.newcomer)),
            )
            .section(
                Section::new("Individual performance")
                    .paragraph("The result is the primary criterion; individual performance counts as well, the more the less is known. A player who outdoes a losing team far enough gains, though the team's mean falls.")
                    .table(tables::performance(&self.performance)),
            )
            .section(
                Section::new("Where the party bonus comes from")
                    .paragraph("The document says: from a logistic regression on the results of matches. Here the true (generating) model is known, and the regression sees the results alone.")
                    .table(tables::regression(self)),
            )
    }
}

fn headlines(all: &DotaReproduction) -> [Headline; 3] {
    let players =
        |parties: &mut dyn Iterator<Item = &Party>| parties.map(|party| party.players.len()).sum::<usize>();
    let explained = players(&mut all.parties.iter().filter(|party| party.found.hidden.is_some()));
    let losers = 100.0 * all.performance.losers_up.mean;
    [
        Headline::new(
            format!("{:.0}", all.percentiles.normal_misfit.floor()),
            "points",
            "by which every normal distribution misses one of the eight published percentiles: MMR is not spread like a bell curve",
        ),
        Headline::new(
            format!("{explained} of {}", players(&mut all.parties.iter())),
            "players",
            "of the published match come out as printed with one line of party bonuses",
        ),
        Headline::new(
            format!("{losers:.1}"),
            "%",
            "of the losers of generated games gain MMR by their individual performance",
        ),
    ]
}

fn short_section(all: &DotaReproduction) -> InShort {
    let ratings = [
        percentiles(all),
        published_match(),
        performance(all),
        regression(all),
    ];
    in_short(matching_page::statements(all).into_iter().chain(ratings)).map(|section| {
        section
            .paragraph("Where the document needs correction:")
            .list(corrections(all))
    })
}

fn percentiles(all: &DotaReproduction) -> Statement {
    let rows = all.percentiles.rows.iter();
    let off = rows.map(|row| (row[2] - row[1]).abs()).fold(0.0, f64::max);
    let text = format!(
        "One rising function goes through the eight percentiles: its largest error there is {off} points."
    );
    says(text, percentiles::percentiles(&DotaInputs::default())?)
}

fn published_match() -> Statement {
    let text =
        "One line of bonuses gives the published match, row by row, for ratings that round to those printed.";
    says(text, parties::published_match(&DotaInputs::default())?)
}

fn performance(all: &DotaReproduction) -> Statement {
    let report = &all.performance;
    let text = format!(
        "Single players can gain by losing and lose by winning ({:.1} and {:.1} % did), and {} teams' means went against the result.",
        100.0 * report.losers_up.mean,
        100.0 * report.winners_down.mean,
        report.teams_against
    );
    says(text, rating::anomalies(report).and(rating::team_means(report)))
}

fn regression(all: &DotaReproduction) -> Statement {
    let coverage = || all.regression.terms.iter().map(|term| 100.0 * term.coverage.mean);
    let text = format!(
        "A logistic regression recovers the coefficients of parties: its 95 % intervals cover the true values in {:.1} to {:.1} % of {} data sets.",
        coverage().fold(100.0, f64::min),
        coverage().fold(0.0, f64::max),
        all.regression.config.data_sets
    );
    says(text, parties::regression(&all.regression))
}

fn corrections(all: &DotaReproduction) -> Vec<String> {
    let mut found = vec![format!(
        "MMR is not spread like a bell curve: every normal distribution misses one of the eight rows by {:.0} points or more, though they are rounded to 50 at most.",
        all.percentiles.normal_misfit.floor()
    )];
    for party in &all.parties {
        if party.players.len() > 1 && party.found.exact_bonus.0 >= party.found.exact_bonus.1 {
            found.push(format!(
                "Party {} gets {}: no bonus that its members share does that to whole numbers. MMR has fractions that are not shown; with them any bonus between {} and {} can.",
                party.letter,
                party.bonuses().join(" and "),
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
        .list([
            "A newcomer starts at the median with the standard deviation of a normal curve through the quartiles.",
            "The floor of uncertainty is Elo's deviation of one player's performance, and the step is Elo's K over it.",
            "What shrinks and grows uncertainty, and what performance weighs, are choices: the properties that the text names hold, their sizes are ours.",
            "The bonus of a party is a line through three parties of one match. Size and spread cannot be told apart in it.",
            "All players of the tables below the match are generated; nothing is known here of Dota's own.",
        ])
}
