//! The page of the reproduction: the paper's tables, figures and theory beside ours, for a reader who was not there.

mod plots;
mod tables;

use crate::eomm::Method;
use crate::eomm::study::Comparison;
use crate::eomm::theory::Statement;
use matchwright_report::{Callout, Page, Plot, Section, Table, count};
use matchwright_sim::population::GeneratorParams;
use matchwright_sim::statistics::MeanTest;

use crate::eomm::reproduction::EommReproduction;
use crate::eomm::study_page::{
    churn_section, data_section, departures_section, limits, ratings_section, study_plots, study_tables,
    tests_section,
};
use crate::reproduction::{Named, Reproduction, files_section, with};

/// All tables, the most wanted first.
pub(crate) fn reproduction_tables(all: &EommReproduction) -> Vec<(String, Table)> {
    let mut tables = tables::own_tables(all);
    tables.extend(study_tables(&all.study));
    tables
}

/// All plots, the most wanted first.
pub(crate) fn reproduction_plots(all: &EommReproduction) -> Vec<(String, Plot)> {
    let mut plots = plots::own_plots(all);
    plots.extend(study_plots(&all.study));
    plots
}

/// The page as HTML.
pub(crate) fn reproduction_page(all: &EommReproduction, command: &str) -> String {
    let tables = reproduction_tables(all);
    let named = |name: &str| {
        let found = tables.iter().find(|(n, _)| n == name);
        found.map(|(_, table)| table.clone())
    };
    let page = Page::new("EOMM, reproduced")
        .lead(lead(all))
        .lead("Everything on this page was worked out by the program that wrote it. What the paper prints stands beside it, and where the paper is in error the page says so.")
        .section(short_section(all))
        .section(what_was_done_section(all))
        .section(Section::new("What this does not show").list(limits(&all.study)))
        .section(table2_section(all, &named))
        .section(gains_section(all, &named))
        .section(significance_section(&named))
        .section(pool_size_section(all, &named))
        .section(truth_section(all, &named))
        .section(table1_section(all, &named))
        .section(theory_section(all, &named))
        .section(gain_law_section(all, &named))
        .section(ratings_section(&all.study, &named))
        .section(churn_section(&all.study, &named))
        .section(tests_section(&named))
        .section(departures_section(&all.study))
        .section(fitted_section(all))
        .section(data_section(&all.study, &all.source))
        .section(files_section(&tables, &reproduction_plots(all), EommReproduction::JSON));
    page.footer(format!("matchwright {} · {command}", env!("CARGO_PKG_VERSION")))
        .to_html()
}

fn lead(all: &EommReproduction) -> String {
    format!(
        "“EOMM: An Engagement Optimized Matchmaking Framework” (Chen et al., WWW 2017) pairs waiting players so that as few as possible stop playing, instead of pairing equals. Its data are private. Here {} generated players who played {} matches take their place, {} rounds of matchmaking for each pool size were simulated, and section 4's theory was held against every pairing of small pools.",
        count(all.study.data.players as u64),
        count(all.study.data.matches as u64),
        count(all.study.config.rounds.into())
    )
}

/// What a reader takes away.
fn short_section(all: &EommReproduction) -> Section {
    let mut section = Section::new("In short");
    for (holds, text) in [order(all), level(all), patterns(all)] {
        let kind = if holds { Callout::Success } else { Callout::Failure };
        section = section.callout(kind, text);
    }
    section
        .paragraph("Where the paper needs correction (each with figures below):")
        .list(corrections(all))
}

/// What the paper says and its own figures, or every pairing of small pools, contradict.
fn corrections(all: &EommReproduction) -> Vec<String> {
    let mut found = vec![
        "The gains that the text gives as those over SkillMM are those over RandomMM, by the paper's own Table 2."
            .to_owned(),
    ];
    let t = |first, second, pool| tables::printed_test(first, second, pool).map_or(f64::NAN, |test| test.t);
    found.push(format!(
        "With 10,000 rounds RandomMM and SkillMM cannot be told apart at P = 200 (t = {:.1}) and 300 (t = {:.1}), though the paper calls these differences significant; and SkillMM's lead over EOMM at P = 100 is {:.0} standard errors, no accident of sampling.",
        t(Method::Random, Method::Skill, 200),
        t(Method::Random, Method::Skill, 300),
        t(Method::Skill, Method::Eomm, 100),
    ));
    for (statement, text) in [
        (
            Statement::Th1,
            "Equal-skill matching is not always EOMM when draws lose fewer players than decided matches, only while the gaps are small enough",
        ),
        (Statement::Th2, "Nor is it always the worst when draws lose more"),
        (
            Statement::Th4,
            "Random matching is never the worst on average, but a single random pairing can be",
        ),
    ] {
        let checks = all
            .theory
            .statements
            .iter()
            .filter(|check| check.statement == statement);
        // The setting in which it fails most often.
        let failed = checks
            .filter(|check| !check.holds())
            .min_by_key(|check| check.held);
        found.extend(failed.map(|check| {
            format!(
                "{text}: of {} pools it held in {} ({}).",
                check.pools, check.held, check.setting
            )
        }));
    }
    found
}

/// EOMM ahead of all, WorstMM behind all, at every P from 200 on.
fn order(all: &EommReproduction) -> (bool, String) {
    let pools = all.study.pools.iter().filter(|pool| pool.size >= 200);
    let meant = |c: &&Comparison| c.first == Method::Eomm || c.second == Method::Worst;
    let comparisons = pools.flat_map(|pool| &pool.fitted.comparisons).filter(meant);
    let (holds, least) = clear(comparisons.map(|c| &c.paired_expected));
    let verb = if holds { "retains" } else { "should retain" };
    let text = format!(
        "EOMM {verb} more than SkillMM and RandomMM, and these more than WorstMM, for P = 200 and more: the least clear of these differences is {least:.0} standard errors (more than 4 are asked for, and rounds enough for p below 0.001)."
    );
    (holds, text)
}

/// Whether all differences are above 0 beyond doubt, and the smallest in standard errors. Of few rounds four standard
/// errors are no proof, since the errors are guessed themselves: hence p as well.
fn clear<'a>(tests: impl Iterator<Item = &'a MeanTest>) -> (bool, f64) {
    let (mut holds, mut least) = (true, f64::INFINITY);
    for test in tests {
        holds &= test.t > 4.0 && test.p < 0.001;
        least = least.min(test.t);
    }
    (holds && least.is_finite(), least)
}

/// Every cell of Table 2 from P = 200 on within half a percentage point.
fn level(all: &EommReproduction) -> (bool, String) {
    let printed = &crate::eomm::printed::TABLE_2;
    let mut farthest = 0.0_f64;
    for pool in all.study.pools.iter().filter(|pool| pool.size >= 200) {
        let size = u32::try_from(pool.size).unwrap_or(u32::MAX);
        for result in &pool.fitted.methods {
            if let Some(retained) = printed.retained(result.method, size) {
                farthest = farthest.max((result.expected.mean - retained).abs() / f64::from(size));
            }
        }
    }
    let text = format!(
        "The share of players retained is that of Table 2 to {:.2} percentage points at most, for P = 200 and more (within 0.5 is asked for).",
        100.0 * farthest
    );
    (farthest <= 0.005, text)
}

/// Table 1's patterns within 0.15 percentage points.
fn patterns(all: &EommReproduction) -> (bool, String) {
    let mut farthest = 0.0_f64;
    for printed in &crate::eomm::printed::TABLE_1 {
        for &pattern in printed.patterns {
            let ours = all.stream.table.rows.iter().find(|row| row.pattern == pattern);
            let off = ours.map_or(f64::INFINITY, |row| (100.0 * row.churn - printed.middle()).abs());
            farthest = farthest.max(off);
        }
    }
    if farthest.is_infinite() {
        let text = "Some pattern of outcomes in Table 1 was never seen: give more players, days or regions.";
        return (false, text.to_owned());
    }
    let text = format!(
        "Churn by the last three outcomes is that of Table 1 to {farthest:.2} percentage points at most (within 0.15 is asked for)."
    );
    (farthest <= 0.15, text)
}

/// From the first match to the last.
fn days(all: &EommReproduction) -> f64 {
    let data = &all.study.data;
    data.last.saturating_sub(data.first) as f64 / 86_400.0
}

fn what_was_done_section(all: &EommReproduction) -> Section {
    let population = format!(
        "A population was generated: players with a skill, a habit of leaving, and matches over {:.0} days. How likely each is to leave after a win, a draw or a loss is known to the generator alone.",
        days(all)
    );
    Section::new("What was done").list(
        [
            population.as_str(),
            "Glicko rated all players from their matches. A logistic regression learnt from the same matches how likely a player is to stop for eight hours, by his last ten matches and the outcome of the next.",
            "Pools of P waiting players were drawn, and paired in four ways: RandomMM at random, SkillMM by sorting by skill, EOMM for the least expected churn by those models (an exact optimum), WorstMM for the most.",
            "Outcomes and churn were simulated for every pair, and the players who stay were counted: this is Table 2. All four ways share a round's pool and luck, so that differences are clearer than in the paper, and the same on average.",
            "The same pairs were judged a second time by the generator's truth, which no method has seen.",
        ]
        .map(str::to_owned)
        .to_vec(),
    )
}

fn table2_section(all: &EommReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("Table 2: players retained per round").paragraph(format!(
        "Mean number of players, of P, who play again within {} hours.",
        all.study.config.horizon_hours
    ));
    with(section, named("table2-beside-the-paper"))
}

fn gains_section(all: &EommReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("The gain of EOMM").plot(plots::gains(&all.study));
    with(section, named("gains-beside-the-paper"))
}

fn significance_section(named: &Named<'_>) -> Section {
    let section = Section::new("The paper's significance, rechecked").paragraph("The paper reports Welch's t-test between every two methods, but no errors. If each player stays or leaves for himself, the counts of Table 2 have nearly the errors of binomial counts (that two players share a result, and that pools differ, changes them by a percent or two), and the test can be repeated from the printed means:");
    with(section, named("significance-rechecked"))
}

fn pool_size_section(all: &EommReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("The gain and the pool size").plot(plots::by_pool_size(&all.study));
    with(section, named("gain-by-pool-size"))
}

fn truth_section(all: &EommReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("Fitted models and the truth");
    if !all.study.truth_known {
        return section.paragraph("These data come without a truth.");
    }
    let section = section.paragraph("In the paper churn is simulated from the very model that EOMM optimises, so that its lead cannot but show. Here the same pairs are judged by the generator's true skills and churn. A model that judges itself says nothing of the real gain, which may be smaller or larger:");
    with(section, named("fitted-and-truth"))
}

fn table1_section(all: &EommReproduction, named: &Named<'_>) -> Section {
    let section = Section::new("Table 1: churn by the last three outcomes")
        .paragraph("Which share of players stops for seven days after a match, by the match and the two before it. The default population's effects of these patterns were chosen to give the printed figures, so this shows that the pipeline counts what was put in, not that players are like this.")
        .plot(plots::table1(all));
    let section = with(section, named("table1-beside-the-paper"));
    with(section, named("table1-all-patterns"))
}

fn theory_section(all: &EommReproduction, named: &Named<'_>) -> Section {
    let four = &all.theory.example;
    let skills = four.skills.map(|skill| format!("{skill:.0}")).join(", ");
    let section = Section::new("The theory of section 4")
        .paragraph("If churn depends on the outcome of the next match alone, EOMM makes draws as many as possible where these lose fewer players than decided matches (Th1), and as few where they lose more (Th2). The paper says that equal-skill matching does the first and is worst at the second. That needs a draw to be less likely the larger the gap, and more: two gaps must never cost more draws together than one gap as long as both. No chance of a draw that falls with the gap does that for gaps of any size. If the chance of a draw is the same for all gaps, all pairings tie.")
        .paragraph(format!(
            "An example where it fails: skills {skills}, a draw with probability 0.3 exp(-(gap / 100)^2). Neighbours draw {:.3} matches on average, the outer two and the inner two {:.3}.",
            four.adjacent, four.nested
        ));
    let section = with(section, named("theory-statements"));
    let section = section.paragraph(
        "How much that matters depends on how the chance of a draw falls, and on the spread of skills:",
    );
    with(with(section, named("theory-widths")), named("theory-adjacent"))
}

fn gain_law_section(all: &EommReproduction, named: &Named<'_>) -> Section {
    let law = &all.gain_law;
    let section = Section::new("How much there is to gain")
        .paragraph(format!(
            "With a constant chance d of a draw, a pair's expected churn is a part of each player's own, which no pairing changes, and (1 - d)(q - 1/2)(D_j - D_i), where q is the expected score of i among decided matches and D = c(loss) - c(win) how much more a loss drives a player away than a win. So equal sensitivities make all pairings tie, pairing equals gains nothing, and the gain per player over random pairing is at most (1 - d) ln(10) / 1600 sd(skill) sd(D). Of {} pools {} kept to the bounds.",
            law.pools, law.in_bounds
        ))
        .plot(plots::gain_law(all))
        .paragraph(format!(
            "Measured gains are {:.2} times the bound (correlation {:.3}): strong players' odds saturate, which the bound leaves out. With the slope averaged over the gaps that occur, they are {:.2} times the prediction (correlation {:.3}). EOMM's lead over RandomMM should be as large as RandomMM's over WorstMM: they are {:.3} and {:.3} of the bound (p of a difference {:.2}).",
            law.bound_fit.slope,
            law.bound_fit.correlation,
            law.curved_fit.slope,
            law.curved_fit.correlation,
            law.mirror.gain.mean,
            law.mirror.loss.mean,
            law.mirror.test.p
        ));
    with(section, named("gain-law"))
}

/// Which parameters of the generator were chosen with the paper's figures in sight, and why.
fn fitted_section(all: &EommReproduction) -> Section {
    let defaults = GeneratorParams::default();
    let chosen = [
        format!(
            "The intercept of eight-hour churn, {}, so that pools keep the share of players that Table 2 gives. Players who stay play more, and so weigh more in a history: an intercept that fits the mean player would be far too low.",
            defaults.intercept
        ),
        format!(
            "The intercept of seven-day churn, {}, and the effects of the ten printed patterns, so that Table 1 comes out.",
            defaults.seven_day.intercept
        ),
        format!(
            "{} players in regions of {}: the more players, the less chance decides the level.",
            defaults.players, defaults.region_players
        ),
        format!(
            "{} days of play, the paper's half year. Ratings spread slowly where equals meet, and EOMM's gain grows with that spread, so a shorter history gives less.",
            defaults.days
        ),
        "The spreads of skill and habit and the effects of outcomes, so that EOMM's gain is of the paper's size. That EOMM gains as much among the paper's players is the paper's finding, not ours.".to_owned(),
    ];
    Section::new("What was chosen to fit the paper")
        .paragraph(format!(
            "Figures are the defaults of the program. In this run {} players played over {:.0} days.",
            count(all.study.data.players as u64),
            days(all)
        ))
        .list(chosen.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::statistics::paired_test;

    #[test]
    fn a_difference_of_two_rounds_is_never_clear() {
        let many = paired_test((0..100).map(|k| 1.0 + f64::from(k % 2)));
        let few = paired_test([1.0, 1.5]);
        assert!(many.t > 4.0 && few.t > 4.0 && few.p > 0.05);
        assert!(clear([many].iter()).0);
        assert!(!clear([many, few].iter()).0);
        assert!(!clear([many, paired_test([1.0, -1.0])].iter()).0);
        assert!(!clear([many, MeanTest { t: f64::NAN, ..many }].iter()).0);
        assert!(!clear([].iter()).0);
    }
}
