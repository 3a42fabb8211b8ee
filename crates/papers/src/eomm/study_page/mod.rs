//! The page of the EOMM study: one file, offline, for a reader who was not there.

mod headlines;
mod limits;
mod plots;
mod tables;

use crate::eomm::Method;
use crate::eomm::study::{Gain, StudyReport};
use matchwright_report::{Callout, Page, Section, count, utc_time};
use serde::{Deserialize, Serialize};

use self::tables::{Count, Judge};
use crate::reproduction::Reproduction;
pub(crate) use headlines::{headlines, published};
pub(crate) use limits::limits;
pub use plots::reliability;
pub use tables::pattern_churn;

/// Where the matches come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StudyOrigin {
    /// A file of matches, and how many of its rows were dropped.
    File {
        /// Its name.
        name: String,
        /// Rows that were dropped.
        skipped_rows: u64,
    },
    /// A generated population, and how many matches began later than drawn for want of opponents.
    Generated {
        /// What the generator assumes.
        assumptions: Vec<String>,
        /// Matches delayed because no opponent was available.
        late_matches: u64,
    },
}

/// A study and where its matches come from.
#[derive(Serialize)]
pub struct EommStudy<'a> {
    /// Where the matches come from.
    pub source: &'a StudyOrigin,
    /// What was found.
    #[serde(flatten)]
    pub report: &'a StudyReport,
}

impl Reproduction for EommStudy<'_> {
    const TABLES_PRINTED: usize = 3;
    const JSON: &'static str = "study.json";

    fn content(&self) -> Page {
        let (report, origin) = (self.report, self.source);
        Page::new("EOMM: who stays under which matchmaking")
            .answer(answer(report))
            .headlines(headlines(report))
            .picture(plots::gain(report))
            .lead(lead(report, origin))
            .section(result_section(report))
            .section(limits_section(report, origin))
            .section(departures_section(report))
            .section(tests_section(report))
            .section(patterns_section(report))
            .section(ratings_section(report))
            .section(churn_section(report))
            .section(data_section(report, origin))
    }
}

fn lead(report: &StudyReport, origin: &StudyOrigin) -> String {
    let players = count(report.data.players as u64);
    let matches = count(report.data.matches as u64);
    let players = match origin {
        StudyOrigin::File { name, .. } => format!("{players} players of {matches} matches from {name}"),
        StudyOrigin::Generated { .. } => format!("{players} generated players who played {matches} matches"),
    };
    format!(
        "The case study of “EOMM: An Engagement Optimized Matchmaking Framework” (Chen et al., WWW 2017, section 5), run on {players}. Pools of waiting players are paired in four ways: at random (RandomMM), by skill (SkillMM), for the least expected churn (EOMM) and for the most (WorstMM). We count who plays again within {} hours.",
        report.config.horizon_hours
    )
}

fn result_section(report: &StudyReport) -> Section {
    let section = Section::new("Table 2: players retained per round")
        .callout(Callout::Note, summary(report))
        .table(tables::retained(report, Judge::Fitted, Count::Expected))
        .table(tables::gains(report))
        .paragraph("A simulated count carries the luck of every outcome and every decision to stay. Its expectation, given who was paired with whom, is known exactly and shows the same means with far less noise:")
        .table(tables::retained(report, Judge::Fitted, Count::Simulated));
    if !report.truth_known {
        return section;
    }
    section
        .paragraph("Because these players are generated, the same pairs can be judged by the true skills and the true churn function, which no method was shown:")
        .table(tables::retained(report, Judge::Truth, Count::Expected))
        .table(tables::retained(report, Judge::Truth, Count::Simulated))
}

/// The tables of retained players and of churn by outcomes, and the gain over every method, beside the page.
pub(crate) fn study_tables_section(report: &StudyReport) -> Section {
    let judges = if report.truth_known {
        &[Judge::Fitted, Judge::Truth][..]
    } else {
        &[Judge::Fitted]
    };
    let retained = judges.iter().flat_map(|judge| {
        [Count::Simulated, Count::Expected].map(|count| tables::retained(report, *judge, count))
    });
    let patterns = report.patterns.iter().map(tables::pattern_churn);
    let section = Section::new("The study's other tables")
        .paragraph("As `matchwright study eomm` shows them; those of retained players and of churn by the last three outcomes are files beside this page.")
        .table(tables::gains(report))
        .plot(plots::gain(report));
    retained.chain(patterns).fold(section, Section::attach)
}

/// The main result in a sentence.
/// What EOMM retains beyond matching by skill, in the largest pools.
pub(crate) fn answer(report: &StudyReport) -> String {
    let pool = report.pools.iter().max_by_key(|pool| pool.size);
    let gain = pool.and_then(|pool| Some((pool.size, pool.fitted.gain_over(Method::Skill)?.expected)));
    let Some((size, gain)) = gain else {
        return "No pools were simulated under EOMM and SkillMM.".to_owned();
    };
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let margin = 1.96 * gain.standard_error;
    let (low, high) = (gain.mean - margin, gain.mean + margin);
    let ends = format!("95 % interval {} to {}", percent(low), percent(high));
    match (low > 0.0, high < 0.0) {
        (false, false) => format!(
            "In pools of {size} EOMM and SkillMM retain as many players, as far as is clear: EOMM {} % more ({ends}).",
            percent(gain.mean)
        ),
        (is_more, _) => format!(
            "In pools of {size} EOMM retains {} % {} players than SkillMM ({ends}).",
            percent(gain.mean.abs()),
            if is_more { "more" } else { "fewer" }
        ),
    }
}

fn summary(report: &StudyReport) -> String {
    let percent = |gain: &Gain| format!("{:+.2} %", 100.0 * gain.expected.mean);
    let parts = report.pools.iter().filter_map(|pool| {
        let truth = pool.truth.as_ref();
        let truth = truth.and_then(|truth| truth.gain_over(Method::Skill));
        let words = |gain| format!(", {} under the true model", percent(gain));
        let truth = truth.map_or(String::new(), words);
        let gain = pool.fitted.gain_over(Method::Skill)?;
        Some(format!("{} at P = {}{truth}", percent(gain), pool.size))
    });
    let parts = parts.collect::<Vec<_>>().join("; ");
    format!("Expected retention under EOMM, against SkillMM: {parts}.")
}

fn limits_section(report: &StudyReport, origin: &StudyOrigin) -> Section {
    let title = match origin {
        StudyOrigin::File { .. } => "What these data cannot show",
        StudyOrigin::Generated { .. } => "What this does not show",
    };
    Section::new(title).list(limits(report))
}

/// What was done otherwise than in section 5 of the paper.
pub(crate) fn departures_section(report: &StudyReport) -> Section {
    let draws = format!(
        "The paper draws 20 % of all matches, the share in its data; here it is {:.1} %, fitted to these data unless given.",
        100.0 * report.ratings.draw_rate
    );
    Section::new("Where this departs from the paper").list(vec![
        draws,
        "Pools are sampled from states, not from people, as in the paper; here the same person may wait in a pool more than once, in different states.".to_owned(),
        "Times between matches and counts of matches enter the churn model as ln(1 + x), and flags say where a player's history is too short for an input.".to_owned(),
        "The regularisation is chosen on the earlier part of the data, and the later part judges the model. The paper does not say what its Fig. 3 was drawn on.".to_owned(),
        "The paper's Fig. 2 shows the probability of a win among all matches; here draws are left out, so that the skill model alone is judged.".to_owned(),
        "All methods of a round share its pool and its luck. Means stay the same, and differences become clearer.".to_owned(),
        "WorstMM maximises churn. The paper says that it minimises the objective, which is EOMM itself.".to_owned(),
    ])
}

pub(crate) fn tests_section(report: &StudyReport) -> Section {
    let section = Section::new("Are the differences real?")
        .paragraph("The paper compares every two methods with Welch's t-test, as if their rounds had nothing in common. Here all methods of a round share its pool and its luck, so their difference can also be tested round by round.")
        .table(tables::welch(report, Judge::Fitted))
        .table(tables::paired(report, Judge::Fitted));
    if !report.truth_known {
        return section;
    }
    section
        .table(tables::welch(report, Judge::Truth))
        .table(tables::paired(report, Judge::Truth))
}

fn patterns_section(report: &StudyReport) -> Section {
    Section::new("Churn by the last three outcomes")
        .paragraph("The paper's Table 1 looks at the state that matters most: what a player has just been through. Rows are sorted by churn.")
        .tables(report.patterns.iter().map(tables::pattern_churn))
}

pub(crate) fn ratings_section(report: &StudyReport) -> Section {
    let ratings = &report.ratings;
    Section::new("The skill model")
        .paragraph("Glicko, in one pass over the sorted matches. Each match was predicted before the ratings learnt from it.")
        .key_values(vec![
            ("Final ratings".to_owned(), format!("{:.0} ± {:.0} (mean ± standard deviation)", ratings.mean, ratings.deviation)),
            ("Draw rate in the simulation".to_owned(), format!("{:.3}", ratings.draw_rate)),
            ("Correlation of a draw with the rating gap".to_owned(), format!("{:+.3} (the paper: -0.05)", report.data.draw_gap_correlation)),
        ])
        .plot(plots::win_reliability(report))
        .table(tables::reliability("win", "Win probability, draws among the matches", &ratings.wins))
}

pub(crate) fn churn_section(report: &StudyReport) -> Section {
    let churn = &report.churn;
    let mut section = Section::new("The churn model").paragraph(format!(
        "Logistic regression on the paper's 67 inputs and flags for missing history: {} player-matches, the earlier {} of them to choose the regularisation, the later {} for the figures below; then fitted again on all.",
        churn.rows, churn.training_rows, churn.holdout.n
    ));
    if churn.holdout.log_loss >= churn.holdout.constant_log_loss {
        section = section.callout(
            Callout::Warning,
            "On later matches this model predicts no better than a constant.",
        );
    }
    let what = "Churn probability, on held-out matches";
    section
        .plot(plots::churn_reliability(report))
        .table(tables::reliability("churn", what, &churn.holdout))
        .table(tables::calibrated(report))
        .table(tables::cross_validation(report))
        .plots(plots::coefficients(report))
        .table(tables::coefficients(report))
}

pub(crate) fn data_section(report: &StudyReport, origin: &StudyOrigin) -> Section {
    let data = &report.data;
    let labels = &report.labels;
    let hours = report.config.horizon_hours;
    let churned = format!(
        "{} of {} ({} ended too late to tell)",
        labels.churned,
        labels.labelled(),
        labels.censored
    );
    let mut facts = vec![
        ("Matches".to_owned(), count(data.matches as u64)),
        ("Players".to_owned(), count(data.players as u64)),
        ("First match".to_owned(), utc_time(data.first)),
        ("Last match".to_owned(), utc_time(data.last)),
        ("Draws".to_owned(), format!("{:.2} %", 100.0 * data.draw_rate)),
        (format!("Player-matches that churned within {hours} h"), churned),
        (
            "Player states in the collection".to_owned(),
            report.states.to_string(),
        ),
        ("Seed".to_owned(), report.config.seed.to_string()),
    ];
    match origin {
        StudyOrigin::File { name, skipped_rows } => {
            facts.insert(0, ("File".to_owned(), name.clone()));
            if *skipped_rows > 0 {
                facts.push(("Rows skipped".to_owned(), skipped_rows.to_string()));
            }
            Section::new("Data").key_values(facts)
        }
        StudyOrigin::Generated {
            assumptions,
            late_matches,
        } => {
            let late = "Matches delayed: no opponent available".to_owned();
            facts.push((late, late_matches.to_string()));
            Section::new("Data and assumptions")
                .key_values(facts)
                .paragraph("The generator assumes:")
                .list(assumptions.clone())
        }
    }
}
