//! The page of DomiNations' "World War Matchmaking - Design Spotlight 2019".

use crate::dominations::printed::{DEFENCE_LEAD, DEFENCE_WIN, TOP_AFTER};
use matchwright_report::{Callout, Page, Section};

use super::plots::{self, dominations_plots};
use super::reproduction::DominationsReproduction;
use super::tables::dominations_tables;
use crate::reproduction::files_section;
use crate::reproduction::{Named, with};

/// The page as HTML.
pub(crate) fn dominations_page(all: &DominationsReproduction, command: &str) -> String {
    let tables = dominations_tables(all);
    let named = |name: &str| {
        let found = tables.iter().find(|(n, _)| n == name);
        found.map(|(_, table)| table.clone())
    };
    Page::new("DomiNations' ratings, reproduced")
        .lead("“World War Matchmaking - Design Spotlight 2019” and its authors' answers in the forum describe how alliances are compared and rated: DOM MMR, an Elo whose K changes, with a pull of all ratings at the start of a season.")
        .lead("Everything on this page was worked out by the program that wrote it. The document prints very few numbers; what it claims in words was measured on generated alliances.")
        .section(short_section(all))
        .section(silent_section(all))
        .section(with(Section::new("What is printed"), named("printed")))
        .section(bases_section(all, &named))
        .section(k_section(all, &named))
        .section(newcomer_section(all, &named))
        .section(pull_section(all, &named))
        .section(with(
            Section::new("Points out of nothing").paragraph("Elo moves points from one side to the other. With a K for each side it does not: newcomers who are stronger than where they start make points, weaker ones destroy them, until all ratings have moved."),
            named("inflation"),
        ))
        .section(files_section(&tables, &dominations_plots(all), "reproduction.json"))
        .footer(format!("matchwright {} · {command}", env!("CARGO_PKG_VERSION")))
        .to_html()
}

fn short_section(all: &DominationsReproduction) -> Section {
    let verdict = |holds: bool| if holds { Callout::Success } else { Callout::Failure };
    let mut section = Section::new("In short");
    if let Some(lead) = all.bases.iter().find(|lead| lead.share == DEFENCE_LEAD) {
        section = section.callout(
            verdict((lead.win - DEFENCE_WIN).abs() < 0.005 && !lead.good),
            format!(
                "A defence 10 % higher wins {:.1} %, and that is {} good match.",
                100.0 * lead.win,
                if lead.good { "a" } else { "no" }
            ),
        );
    }
    let start = all.newcomers.config.dom.initial;
    let rows = || all.newcomers.rows.iter();
    // Four standard errors of fewer than some dozens would be no proof, which p says.
    let clear = |test: &matchwright_sim::statistics::MeanTest| test.t < -4.0 && test.p < 0.001;
    let strong = rows()
        .filter(|row| row.strength > start)
        .all(|row| clear(&row.half_difference));
    let weak = rows()
        .filter(|row| row.strength < start)
        .all(|row| clear(&row.win_difference));
    section = section
        .callout(
            verdict(strong),
            "Strong new alliances leave the low pool in fewer wars under the schedule of K than under a constant K, for each strength by more than four standard errors.",
        )
        .callout(
            verdict(weak),
            "Weak new alliances find their first win in fewer wars, likewise.",
        );
    if let Some(pull) = all.pulls.first() {
        let ordered = pull.curve.windows(2).all(|pair| pair[0].1 < pair[1].1);
        let lands = pull.top_after.0 >= TOP_AFTER.0 && pull.top_after.1 <= TOP_AFTER.1;
        section = section.callout(
            verdict(ordered && lands),
            format!(
                "The pull keeps the order and takes a top hundred of {:.0} to {:.0} to {:.0} to {:.0}.",
                pull.top_before.0, pull.top_before.1, pull.top_after.0, pull.top_after.1
            ),
        );
    }
    let naive = all.bases.iter().find(|lead| lead.share == DEFENCE_LEAD);
    section
        .paragraph("Where the document needs correction:")
        .list(vec![format!(
            "A difference in percent depends on who is 100 %: as (A-B)/B it is +10 % from one side and -9.1 % from the other, and the two sides' chances sum to {:.2} %. The logarithm of A/B has no such trouble.",
            100.0 * naive.map_or(f64::NAN, |lead| lead.naive_sum)
        )])
}

fn silent_section(all: &DominationsReproduction) -> Section {
    let dom = &all.dom;
    Section::new("What the document does not say")
        .paragraph("These are the library's defaults, each with its reason there:")
        .list(vec![
            format!(
                "K: {} when settled, {} in the first {} wars, {} from {} glory on.",
                dom.k, dom.newcomer_k, dom.newcomer_games, dom.high_k, dom.high_from
            ),
            format!(
                "A streak counts from {} results on and adds {} % of K each, up to {} times K.",
                dom.streak_from,
                100.0 * dom.streak_step,
                dom.streak_max
            ),
            "The width of the curve: four times that of chess, since glory is counted in thousands."
                .to_owned(),
            "What offence is worth beside defence: as much, since both sides of a war attack.".to_owned(),
            "What the top hundred had before the pull, and so how strong it was.".to_owned(),
        ])
}

fn bases_section(all: &DominationsReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("Offence and defence of a base")
        .paragraph("A base has one rating for each, and two bases are compared by percent. One point of that curve is printed.")
        .plot(plots::bases(all));
    with(section, named("bases"))
}

fn k_section(all: &DominationsReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("K")
        .paragraph("K is the most that one war can move. It looks at how new an alliance is, at its streak, and at its glory.")
        .plot(plots::by_wars(all));
    let section = with(section, named("k-by-wars")).plot(plots::by_streak(all));
    let section = with(section, named("k-by-streak")).plot(plots::by_glory(all));
    with(section, named("k-by-glory"))
}

fn newcomer_section(all: &DominationsReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("New alliances")
        .paragraph("A higher K at first should take strong newcomers out of the low pool, and help new alliances to a win.")
        .plot(plots::newcomers(all));
    let section = with(section, named("newcomers"));
    with(
        section.paragraph(
            "One K of that size for all would do the same, and settled alliances would never rest:",
        ),
        named("wander"),
    )
}

fn pull_section(all: &DominationsReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("The season's pull").plot(plots::pull(all));
    with(section, named("pull"))
}
