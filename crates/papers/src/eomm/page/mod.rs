//! The page of the reproduction: the paper's tables, figures and theory beside ours, for a reader who was not there.

mod other_worlds;
mod plots;
mod tables;

use crate::check::verdict::{InShort, Statement, in_short, says};
use crate::eomm::Method;
use crate::eomm::claims::{table1, table2};
use crate::eomm::printed::{TABLE_1, TABLE_2};
use crate::eomm::theory::Statement::{Th1, Th2};
use crate::reproduction::Reproduction;
use matchwright_report::{Page, Section, count};
use matchwright_sim::population::GeneratorParams;

use crate::eomm::reproduction::EommReproduction;
use crate::eomm::study_page::{
    self, churn_section, data_section, departures_section, headlines, limits, published, ratings_section,
    study_tables_section, tests_section,
};

impl Reproduction for EommReproduction {
    const TABLES_PRINTED: usize = 3;

    fn content(&self) -> Page {
        let short = short_section(self);
        Page::new("EOMM, reproduced")
            .answer(format!("{} {}", study_page::answer(&self.study), short.sentence))
            .headlines(headlines(&self.study))
            .headlines(published())
            .picture(plots::gains(&self.study))
            .lead(lead(self))
            .lead("Everything on this page was computed by the program that wrote it. The published figures stand beside ours, and where the paper is in error the page says so.")
            .section(short.section)
            .section(what_was_done_section(self))
            .section(Section::new("What this does not show").list(limits(&self.study)))
            .section(table2_section(self))
            .section(gains_section(self))
            .section(table1_section(self))
            .section(significance_section())
            .section(pool_size_section(self))
            .section(truth_section(self))
            .section(other_worlds::section(&self.other_worlds))
            .section(theory_section(self))
            .section(gain_law_section(self))
            .section(ratings_section(&self.study))
            .section(churn_section(&self.study))
            .section(tests_section(&self.study))
            .section(departures_section(&self.study))
            .section(fitted_section(self))
            .section(data_section(&self.study, &self.source))
            .section(study_tables_section(&self.study))
    }
}

fn lead(all: &EommReproduction) -> String {
    format!(
        "“EOMM: An Engagement Optimized Matchmaking Framework” (Chen et al., WWW 2017) pairs waiting players so that as few as possible stop playing, instead of pairing equals. Its data are private. Here {} generated players who played {} matches take their place, {} rounds of matchmaking for each pool size were simulated, and section 4's theory was held against every pairing of small pools.",
        count(all.study.data.players as u64),
        count(all.study.data.matches as u64),
        count(all.study.config.rounds.into())
    )
}

fn short_section(all: &EommReproduction) -> InShort {
    in_short([order(all), level(all), patterns(all)]).map(|section| {
        section
            .paragraph("Where the paper needs correction (each with figures below):")
            .list(corrections(all))
    })
}

/// What the paper says and its own figures, or every pairing of small pools, contradict.
fn corrections(all: &EommReproduction) -> Vec<String> {
    let mut found = vec![
        "The gains that the text gives as those over SkillMM are those over RandomMM, by the paper's own Table 2."
            .to_owned(),
    ];
    let t = |first, second, pool| tables::printed_test(first, second, pool).map(|test| test.t);
    let printed = (
        t(Method::Random, Method::Skill, 200),
        t(Method::Random, Method::Skill, 300),
        t(Method::Skill, Method::Eomm, 100),
    );
    if let (Some(at_200), Some(at_300), Some(lead)) = printed {
        found.push(format!(
            "With 10,000 rounds RandomMM and SkillMM cannot be told apart at P = 200 (t = {at_200:.1}) and 300 (t = {at_300:.1}), though the paper calls these differences significant; and SkillMM's lead over EOMM at P = 100 is {lead:.0} standard errors, no accident of sampling."
        ));
    }
    for (statement, text) in [
        (
            Th1,
            "Equal-skill matching is not always EOMM when draws lose fewer players than decided matches, only while the gaps are small enough",
        ),
        (Th2, "Nor is it always the worst when draws lose more"),
    ] {
        let checks = all.theory.statements.iter();
        let checks = checks.filter(|check| check.statement == statement);
        // The setting in which it fails most often.
        let failed = checks.filter(|check| !check.holds());
        let failed = failed.min_by_key(|check| check.held);
        found.extend(failed.map(|check| {
            let (pools, held, setting) = (check.pools, check.held, check.setting);
            format!("{text}: of {pools} pools it held in {held} ({setting}).")
        }));
    }
    found
}

fn order(all: &EommReproduction) -> Statement {
    let text = "EOMM retains more than SkillMM and RandomMM, and these more than WorstMM, at every pool size of Table 2.";
    says(text, table2::order(&TABLE_2, &all.study)?)
}

fn level(all: &EommReproduction) -> Statement {
    let text = "EOMM's lead over RandomMM is that of Table 2, size by size (the level of churn was chosen with the table in sight, the leads were not).";
    says(text, table2::level(&TABLE_2, &all.study, Method::Eomm)?)
}

fn patterns(all: &EommReproduction) -> Statement {
    let patterns: Vec<&str> = TABLE_1.iter().flat_map(|row| row.patterns).copied().collect();
    let table = &all.stream.table;
    let off = TABLE_1.iter().flat_map(|printed| {
        let ours = printed.patterns.iter().filter_map(|pattern| table.row(pattern));
        ours.map(|row| (100.0 * row.churn - printed.middle()).abs())
    });
    let text = format!(
        "Churn by the last three outcomes is that of Table 1 to {:.2} percentage points at most.",
        off.fold(0.0, f64::max)
    );
    let found = table1::near(&TABLE_1, table, &patterns)?;
    let n = count(all.stream.player_matches);
    says(text, found.samples(n, "player-matches"))
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
            "Glicko rated all players from their matches. A logistic regression learnt from the same matches how likely a player is to stop for eight hours, by the last ten matches and the outcome of the next.",
            "Pools of P waiting players were drawn, and paired in four ways: RandomMM at random, SkillMM by sorting by skill, EOMM for the least expected churn by those models (an exact optimum), WorstMM for the most.",
            "Outcomes and churn were simulated for every pair, and the players who stay were counted: this is Table 2. All four ways share a round's pool and luck, so that differences are clearer than in the paper, and the same on average.",
            "The same pairs were judged a second time by the generator's truth, which no method has seen.",
        ],
    )
}

fn table2_section(all: &EommReproduction) -> Section {
    Section::new("Table 2: players retained per round")
        .paragraph(format!(
            "Mean number of players, of P, who play again within {} hours.",
            all.study.config.horizon_hours
        ))
        .table(tables::table2(&all.study))
}

fn gains_section(all: &EommReproduction) -> Section {
    Section::new("The gain of EOMM").table(tables::gains(&all.study))
}

fn significance_section() -> Section {
    Section::new("The paper's significance, rechecked")
        .paragraph("The paper reports Welch's t-test between every two methods, but no errors. If each player stays or leaves independently, the counts of Table 2 have nearly the errors of binomial counts (that two players share a result, and that pools differ, changes them by a percent or two), and the test can be repeated from the printed means:")
        .table(tables::significance())
}

fn pool_size_section(all: &EommReproduction) -> Section {
    Section::new("The gain and the pool size")
        .plot(plots::by_pool_size(&all.study))
        .table(tables::by_pool_size(&all.study))
}

fn truth_section(all: &EommReproduction) -> Section {
    let section = Section::new("Fitted models and the true model");
    if !all.study.truth_known {
        return section.paragraph("These data come without a true model.");
    }
    section
        .paragraph("In the paper churn is simulated from the very model that EOMM optimises, so that its lead cannot but show. Here the same pairs are judged by the true (generating) skills and churn. A model that judges itself says nothing of the real gain, which may be smaller or larger:")
        .table(tables::fitted_and_truth(&all.study))
}

fn table1_section(all: &EommReproduction) -> Section {
    Section::new("Table 1: churn by the last three outcomes")
        .paragraph("Which share of players stops for seven days after a match, by the match and the two before it. The default population's effects of these patterns were chosen to give the printed figures, so this shows that the pipeline counts what was put in, not that players are like this.")
        .plot(plots::table1(&all.stream.table))
        .table(tables::table1(&all.stream))
        .table(tables::all_patterns(&all.stream.table))
}

fn theory_section(all: &EommReproduction) -> Section {
    let four = &all.theory.example;
    let skills = four.skills.map(|skill| format!("{skill:.0}")).join(", ");
    Section::new("The theory of section 4")
        .paragraph("If churn depends on the outcome of the next match alone, EOMM makes draws as many as possible where these lose fewer players than decided matches (Th1), and as few where they lose more (Th2). The paper says that equal-skill matching does the first and is worst at the second. That needs a draw to be less likely the larger the gap, and more: two gaps must never cost more draws together than one gap as long as both. No chance of a draw that falls with the gap does that for gaps of any size. If the chance of a draw is the same for all gaps, all pairings tie.")
        .paragraph(format!(
            "An example where it fails: skills {skills}, a draw with probability 0.3 exp(-(gap / 100)^2). Neighbours draw {:.3} matches on average, the outer two and the inner two {:.3}.",
            four.adjacent, four.nested
        ))
        .table(tables::statements(&all.theory))
        .paragraph("How much that matters depends on how the chance of a draw falls, and on the spread of skills:")
        .table(tables::widths(&all.theory))
        .heat_map(plots::adjacent(&all.theory))
        .table(tables::adjacent(&all.theory))
}

fn gain_law_section(all: &EommReproduction) -> Section {
    let law = &all.gain_law;
    Section::new("How much there is to gain")
        .paragraph(format!(
            "With a constant chance d of a draw, a pair's expected churn is a part of each player's own, which no pairing changes, and (1 - d)(q - 1/2)(D_j - D_i), where q is the expected score of i among decided matches and D = c(loss) - c(win) how much more a loss drives a player away than a win. So equal sensitivities make all pairings tie, pairing equals gains nothing, and the gain per player over random pairing is at most (1 - d) ln(10) / 1600 sd(skill) sd(D). Of {} pools {} kept to the bounds.",
            law.pools, law.in_bounds
        ))
        .plot(plots::gain_law(law))
        .paragraph(format!(
            "Measured gains are {:.2} times the bound (correlation {:.3}): strong players' odds saturate, which the bound leaves out. With the slope averaged over the gaps that occur, they are {:.2} times the prediction (correlation {:.3}). EOMM's lead over RandomMM should be as large as RandomMM's over WorstMM: they are {:.3} and {:.3} of the bound (p of a difference {:.2}).",
            law.bound_fit.slope,
            law.bound_fit.correlation,
            law.curved_fit.slope,
            law.curved_fit.correlation,
            law.mirror.gain.mean,
            law.mirror.loss.mean,
            law.mirror.test.p
        ))
        .heat_map(plots::gain_grid(law))
        .table(tables::gain_law(law))
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
        .list(chosen)
}
