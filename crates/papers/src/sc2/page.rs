//! The page of "Understanding The Matchmaking System in Starcraft II".

use matchwright_report::{Callout, Page, Section};

use super::plots::sc2_plots;
use super::reproduction::Sc2Reproduction;
use super::tables::sc2_tables;
use crate::reproduction::files_section;
use crate::reproduction::with;

/// The page as HTML.
pub(crate) fn sc2_page(all: &Sc2Reproduction, command: &str) -> String {
    let (tables, plots) = (sc2_tables(all), sc2_plots(all));
    let named = |name: &str| {
        tables
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, table)| table.clone())
    };
    let mut pools = with(
        Section::new("Small pools make good estimates").paragraph("The source's Pp counts on a share of wins for bonus points that are not spent yet. The more of them, the further it is off the rating of now."),
        named("pool"),
    );
    if let Some((_, plot)) = plots.first() {
        pools = pools.plot(plot.clone());
    }
    Page::new("The ladder of StarCraft II, seen through again")
        .lead("“Understanding The Matchmaking System in Starcraft II” (2011) works back from points, bonus pool and wins to the rating behind them, and to what promotes. Its readers wrote spreadsheets for it; this page checks its arithmetic, and tries it on ladders whose constants are known.")
        .lead("Everything on this page was worked out by the program that wrote it. The ladders are generated: what they hide was kept from whatever looked for it.")
        .section(short_section(all))
        .section(with(Section::new("Worked numbers"), named("worked")))
        .section(with(with(Section::new("The season"), named("leagues")), named("tiers")))
        .section(with(
            Section::new("What unspent bonus is worth").paragraph("2 U W is a rule of thumb. Who wins a share W and spends the pool with it gains U (3 W - 1) / W where a win brings as much as a loss costs: less than 2 U W for all who lose more than they win, more for those who win more."),
            named("corrected"),
        ))
        .section(with(
            Section::new("Found out on generated ladders").paragraph("Each ladder is played forwards by Elo with a bonus pool, tiers and promotions. Its constants are drawn around the printed ones; who looks at it knows the printed season alone, for the names of tiers. The broken kind is one whose players stand anywhere, move in larger steps and let bonus expire: intervals and tiers assume otherwise."),
            named("ladders"),
        ))
        .section(with(Section::new("What absence costs"), named("debts")))
        .section(with(
            Section::new("Any Elo-like ladder").paragraph("Other ladders show a rating, and nothing else but by how much each game changes it. The sizes of wins and losses tell the K-factor, and so how strong each hidden opponent was; the scale shows only where opponents' ratings do."),
            named("visible"),
        ))
        .section(pools)
        .section(files_section(&tables, &plots, "reproduction.json"))
        .footer(format!("matchwright {} · {command}", env!("CARGO_PKG_VERSION")))
        .to_html()
}

fn short_section(all: &Sc2Reproduction) -> Section {
    let verdict = |holds: bool| if holds { Callout::Success } else { Callout::Failure };
    let usual = &all.ladders.usual;
    let share = |part: u32, of: u32| f64::from(part) / f64::from(of.max(1));
    let right = share(usual.tiers.right, usual.tiers.divisions);
    let by_cluster = share(usual.tiers.right_by_cluster, usual.tiers.divisions);
    let told = share(usual.averages_told, usual.averages_compared);
    let held = [usual.conversion, usual.magic, usual.offset].map(|held| held.share());
    let (brier, rule) = (
        usual.brier.ours + usual.brier_top.ours,
        usual.brier.rule + usual.brier_top.rule,
    );
    let forecasts = f64::from(usual.brier.forecasts + usual.brier_top.forecasts);
    let agree = all.worked.iter().filter(|worked| worked.agrees()).count();
    Section::new("In short")
        .callout(
            verdict(agree == all.worked.len()),
            format!("{agree} of {} worked numbers come out as printed.", all.worked.len()),
        )
        .callout(
            verdict(right >= 0.95),
            format!(
                "The tier of a division with twenty active players is found in {:.1} % of {}; by the source's method in {:.1} %.",
                100.0 * right,
                usual.tiers.divisions,
                100.0 * by_cluster
            ),
        )
        .callout(
            verdict(held.iter().all(|share| (0.90..=0.98).contains(share))),
            format!(
                "95 % intervals hold the truth in {:.1} % (C), {:.1} % (M) and {:.1} % (K).",
                100.0 * held[0],
                100.0 * held[1],
                100.0 * held[2]
            ),
        )
        .callout(
            verdict(told >= 0.95),
            format!("The moving average that promotes is told from its rivals on {:.0} % of the ladders.", 100.0 * told),
        )
        .callout(
            verdict(brier < rule),
            format!(
                "Promotion within ten games is forecast with a Brier score of {:.4}; the rule “Pp above M” has {:.4}.",
                brier / forecasts,
                rule / forecasts
            ),
        )
        .paragraph("Where the document needs correction:")
        .list(vec![
            "The letter B is the pool's total in one formula and the points of a loss in another; points a game are W A + (W - 1) L with L positive.".to_owned(),
            "2 U W for unspent bonus is exact at a share of wins of one half and of one alone.".to_owned(),
            "The five games added for a mean of ten are its lag, which is 4.5.".to_owned(),
        ])
}
