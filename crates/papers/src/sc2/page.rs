//! The page of "Understanding The Matchmaking System in Starcraft II".
use crate::check::verdict::{Finding, InShort, Statement, in_short, says};
use crate::reproduction::Reproduction;
use crate::sc2::claims::inputs::Sc2Inputs;
use matchwright_report::{Headline, Page, Section};

use super::Held;
use super::claims::{self, forensics, ladders};
use super::reproduction::Sc2Reproduction;
use super::{plots, tables};

impl Reproduction for Sc2Reproduction {
    fn content(&self) -> Page {
        let short = short_section(self);
        Page::new("The ladder of StarCraft II, reproduced")
            .answer(short.sentence)
            .headlines(headlines(self))
            .picture(plots::spent(&self.corrected))
            .lead("“Understanding The Matchmaking System in Starcraft II” (2011) works back from points, bonus pool and wins to the rating behind them, and to what promotes. Its readers wrote spreadsheets for it; this page checks its arithmetic, and tries it on ladders whose constants are known.")
            .lead("Everything on this page was computed by the program that wrote it. The ladders are generated; the inference sees only what a ladder shows.")
            .section(short.section)
            .section(Section::new("Worked numbers").table(tables::worked(&self.worked)))
            .section(
                Section::new("The season")
                    .table(tables::leagues(&self.season))
                    .table(tables::tiers(&self.season)),
            )
            .section(
                Section::new("What unspent bonus is worth")
                    .paragraph("2 U W is a rule of thumb. A player who wins a share W and spends the pool with it gains U (3 W - 1) / W where a win brings as much as a loss costs: less than 2 U W for all who lose more than they win, more for those who win more.")
                    .table(tables::corrected(&self.corrected)),
            )
            .section(
                Section::new("Inferred from generated ladders")
                    .paragraph("Each ladder is played forwards by Elo with a bonus pool, tiers and promotions. Its constants are drawn around the printed ones; the inference knows the printed season alone, for the names of tiers. The broken kind is one whose players stand anywhere, move in larger steps and let bonus expire: intervals and tiers assume otherwise.")
                    .table(tables::ladders(&self.ladders)),
            )
            .section(Section::new("What absence costs").table(tables::debts(&self.ladders.usual)))
            .section(
                Section::new("Any Elo-like ladder")
                    .paragraph("Other ladders show a rating, and nothing else but by how much each game changes it. The sizes of wins and losses show the K-factor, and so how strong each hidden opponent was; the scale shows only where opponents' ratings do.")
                    .table(tables::visible(&self.ladders)),
            )
            .section(
                Section::new("Small pools make good estimates")
                    .paragraph("The source's Pp counts on a share of wins for bonus points that are not spent yet. With few of them it foretells the rating of twenty games later as well as the hidden rating of now does; with many it is worse, and P + U - B is not. Until the pool is spent more games go by the larger it is, so that every estimate is then further off.")
                    .table(tables::pool(&self.ladders.usual))
                    .plot(plots::pool(self)),
            )
    }
}

fn headlines(all: &Sc2Reproduction) -> [Headline; 3] {
    let agree = all.worked.iter().filter(|worked| worked.agrees()).count();
    let usual = &all.ladders.usual;
    let tiers = &usual.tiers;
    let right = 100.0 * f64::from(tiers.right) / f64::from(tiers.divisions.max(1));
    let forecasts = f64::from(usual.brier.forecasts + usual.brier_top.forecasts);
    [
        Headline::new(
            format!("{agree} of {}", all.worked.len()),
            "",
            "worked numbers of the source come out as printed",
        ),
        Headline::new(
            format!("{right:.1}"),
            "%",
            format!(
                "of {} generated divisions: their tier is found from what the ladder shows",
                tiers.divisions
            ),
        ),
        Headline::new(
            format!("{:.4}", (usual.brier.ours + usual.brier_top.ours) / forecasts),
            "Brier score",
            format!(
                "of forecast promotions within ten games; the source's rule has {:.4}",
                (usual.brier.rule + usual.brier_top.rule) / forecasts
            ),
        ),
    ]
}

fn short_section(all: &Sc2Reproduction) -> InShort {
    in_short([worked(all), tiers(all), intervals(all), average(all), promotions(all)]).map(|section| {
        section.paragraph("Where the document is corrected, or made precise:")
        .list(vec![
            "Corrected: 2 U W for unspent bonus is exact at a share of wins of one half and of one alone.".to_owned(),
            "Made precise: the letter B is the pool's total in one formula and the points of a loss in another; points a game are W A + (W - 1) L with L positive.".to_owned(),
            "Made precise: a mean of ten games lags 4.5 games, where five are added without a reason.".to_owned(),
            "Made precise: it is 2 U W that a large pool spoils; P + U - B is as good an estimate at any pool.".to_owned(),
        ])
    })
}

fn worked(all: &Sc2Reproduction) -> Statement {
    let agree = all.worked.iter().filter(|worked| worked.agrees()).count();
    let number = all.worked.len();
    let text = format!("{agree} of {number} worked numbers come out as printed.");
    let library = Sc2Inputs::default();
    let found = [
        forensics::worked_pair,
        forensics::best_of_bronze,
        forensics::games,
        forensics::per_game,
        claims::rate,
    ];
    let mut all_agree = Finding::new().require(agree == number, "all worked numbers");
    for check in found {
        all_agree = all_agree.and(check(&library)?);
    }
    says(text, all_agree)
}

fn tiers(all: &Sc2Reproduction) -> Statement {
    let tiers = &all.ladders.usual.tiers;
    let share = |part: u32| 100.0 * f64::from(part) / f64::from(tiers.divisions.max(1));
    let text = format!(
        "The tier of a division with twenty active players is identified in {:.1} % of {}; by the source's method in {:.1} %.",
        share(tiers.right),
        tiers.divisions,
        share(tiers.right_by_cluster)
    );
    let (usual, broken) = (all.ladders.usual.tiers, all.ladders.broken.tiers);
    says(text, ladders::detect(&all.season, usual, broken)?)
}

/// No claim of the source: ours of our own inference.
fn intervals(all: &Sc2Reproduction) -> Statement {
    let usual = &all.ladders.usual;
    let held = [("C", usual.conversion), ("M", usual.magic), ("K", usual.offset)];
    let [c, m, k] = held.map(|(_, held)| 100.0 * held.share());
    let text = format!("95 % intervals hold the true value in {c:.1} % (C), {m:.1} % (M) and {k:.1} % (K).");
    let mut found = Finding::new().samples(all.ladders.count, "ladders");
    for (name, Held { intervals, held }) in held {
        found = found
            .require_enough(intervals >= 100, format!("a hundred intervals of {name}"))
            .require_share(
                (held, intervals),
                &(0.90..=0.98),
                format!("90 to 98 % of {name}'s {intervals}"),
            );
    }
    says(text, found)
}

/// No claim of the source, which leaves it open.
fn average(all: &Sc2Reproduction) -> Statement {
    let usual = &all.ladders.usual;
    let compared = f64::from(usual.averages_compared.max(1));
    let text = format!(
        "The moving average that promotes is told from its alternatives on {:.0} % of the ladders.",
        100.0 * f64::from(usual.averages_told) / compared
    );
    let (told, compared) = (usual.averages_told, usual.averages_compared);
    let found = Finding::new()
        .samples(all.ladders.count, "ladders")
        .require(compared == all.ladders.count, "compared on each ladder")
        .require_share((told, compared), &(0.95..=1.0), "identified on 95 of 100");
    says(text, found)
}

fn promotions(all: &Sc2Reproduction) -> Statement {
    let usual = &all.ladders.usual;
    let forecasts = f64::from(usual.brier.forecasts + usual.brier_top.forecasts);
    let text = format!(
        "Promotion within ten games is forecast with a Brier score of {:.4}; the rule “Pp above M” has {:.4}.",
        (usual.brier.ours + usual.brier_top.ours) / forecasts,
        (usual.brier.rule + usual.brier_top.rule) / forecasts
    );
    says(text, ladders::forecasts(usual))
}
