//! The page of DomiNations' "World War Matchmaking - Design Spotlight 2019".
use crate::check::verdict::{InShort, Statement, in_short, says};
use crate::dominations::claims::inputs::DominationsInputs;
use crate::dominations::printed::DEFENCE_LEAD;
use crate::reproduction::Reproduction;
use anyhow::Context;
use matchwright_report::{Headline, Page, Section, decimal};

use super::claims::{bases, points, schedule};
use super::reproduction::DominationsReproduction;
use super::{matching_page, plots, tables};

impl Reproduction for DominationsReproduction {
    fn content(&self) -> Page {
        let short = short_section(self);
        let page = Page::new("DomiNations' war matching and ratings, reproduced")
            .answer(short.sentence)
            .headlines(headlines(self))
            .picture(plots::newcomers(&self.newcomers))
            .lead("“World War Matchmaking - Design Spotlight 2019” and its authors' answers in the forum describe which alliances meet in a war, how long they wait, and how they are rated: DOM MMR, an Elo whose K changes, with a pull of all ratings at the start of a season.")
            .lead("Everything on this page was computed by the program that wrote it. The document prints very few numbers; what it claims in words was measured on generated alliances.")
            .section(short.section)
            .section(silent_section(self))
            .section(Section::new("What is printed").table(tables::printed(self)));
        let page = matching_page::sections(self)
            .into_iter()
            .fold(page, Page::section);
        page
            .section(
                Section::new("Offence and defence of a base")
                    .paragraph("A base has one rating for each, and two bases are compared by percent. One point of that curve is printed.")
                    .plot(plots::bases(&self.bases))
                    .table(tables::bases(self)),
            )
            .section(k_section(self))
            .section(
                Section::new("New alliances")
                    .paragraph("A higher K at first should take strong newcomers out of the low pool, and help new alliances to a win.")
                    .table(tables::newcomers(&self.newcomers))
                    .paragraph("One K of that size for all would do the same, and settled alliances would keep moving:")
                    .table(tables::wander(&self.newcomers)),
            )
            .section(
                Section::new("The season's pull")
                    .plot(plots::pull(&self.pulls))
                    .table(tables::pull(&self.pulls)),
            )
            .section(
                Section::new("Points made and destroyed")
                    .paragraph("Elo moves points from one side to the other. With a K for each side it does not: newcomers who are stronger than where they start make points, weaker ones destroy them, until all ratings have moved.")
                    .table(tables::inflation(&self.inflation)),
            )
    }
}

fn headlines(all: &DominationsReproduction) -> impl Iterator<Item = Headline> {
    let lead = all.bases.iter().find(|lead| lead.share == DEFENCE_LEAD);
    let base = lead.map(|lead| {
        let wins = format!("{:.0}", 100.0 * lead.win);
        Headline::new(
            wins,
            "%",
            "wins of a base whose defence is 10 % higher, as published",
        )
    });
    let newcomers = all.newcomers.rows.last().map(|row| {
        let line = format!(
            "until a new alliance of strength {} is half way there; {:.0} under a constant K",
            decimal(row.strength, 0),
            row.half_constant.mean
        );
        Headline::new(decimal(row.half_scheduled.mean, 0), "wars", line)
    });
    let pull = all.pulls.first().map(|pull| {
        let range = |(low, high): (f64, f64)| format!("{} to {}", decimal(low, 0), decimal(high, 0));
        let before = range(pull.top_before);
        let line = format!("glory of a top hundred of {before} after the season's pull");
        Headline::new(range(pull.top_after), "", line)
    });
    [base, newcomers, pull].into_iter().flatten()
}

fn k_section(all: &DominationsReproduction) -> Section {
    let streak = "Wars won (or lost, if negative) in a row";
    Section::new("K")
        .paragraph("K is the most that one war can move. It looks at how new an alliance is, at its streak, and at its glory.")
        .plot(plots::k("K by number of wars", "Wars before", &all.k_by_wars, "k-by-wars"))
        .table(tables::by_wars(all))
        .plot(plots::k("K by streak", streak, &all.k_by_streak, "k-by-streak"))
        .table(tables::by_streak(all))
        .plot(plots::k("K by glory", "Glory", &all.k_by_glory, "k-by-glory"))
        .table(tables::by_glory(all))
}

fn short_section(all: &DominationsReproduction) -> InShort {
    let lead = all.bases.iter().find(|lead| lead.share == DEFENCE_LEAD);
    let naive = 100.0 * lead.map_or(f64::NAN, |lead| lead.naive_sum);
    let newcomers = &all.newcomers;
    let strong = says(
        "Strong new alliances leave the low pool in fewer wars under the schedule of K than under a constant K, for each strength.",
        schedule::strong_newcomers(newcomers),
    );
    let weak = says(
        "Weak new alliances find their first win in fewer wars, likewise.",
        schedule::weak_newcomers(newcomers),
    );
    let ratings = [base(all), strong, weak, pull(all)];
    in_short(matching_page::statements(all).into_iter().chain(ratings)).map(|section| {
        section.paragraph("Where the document needs correction:")
        .list([format!(
            "A difference in percent depends on which side is 100 %: as (A-B)/B it is +10 % from one side and -9.1 % from the other, and the two sides' chances sum to {naive:.2} %. The logarithm of A/B has no such problem."
        )])
    })
}

fn base(all: &DominationsReproduction) -> Statement {
    let lead = all.bases.iter().find(|lead| lead.share == DEFENCE_LEAD);
    let lead = lead.context("no base has the printed defence")?;
    let text = format!(
        "A defence 10 % higher wins {:.1} %, and that is {} good match.",
        100.0 * lead.win,
        if lead.good { "a" } else { "no" }
    );
    let library = DominationsInputs::default();
    let found = bases::ten_percent(&library)?;
    says(text, found.and(bases::not_good(&library)?))
}

fn pull(all: &DominationsReproduction) -> Statement {
    let pull = all.pulls.first().context("no pull was computed")?;
    let text = format!(
        "The pull keeps the order and takes a top hundred of {:.0} to {:.0} to {:.0} to {:.0}.",
        pull.top_before.0, pull.top_before.1, pull.top_after.0, pull.top_after.1
    );
    says(text, points::pull(&DominationsInputs::default())?)
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
            "The widths of the windows, how fast they widen, and who plays: all alliances here are generated.".to_owned(),
        ])
}
