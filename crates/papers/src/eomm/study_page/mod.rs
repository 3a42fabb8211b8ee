//! The page of the EOMM study: one file, offline, for a reader who was not there.

mod limits;
mod plots;
mod tables;

use crate::eomm::Method;
use crate::eomm::study::StudyReport;
use matchwright_report::{Callout, Page, Plot, Section, Table, count, utc_time};
use serde::{Deserialize, Serialize};

use crate::reproduction::{Named, Reproduction, files_section, with};
pub(crate) use limits::limits;
pub use plots::reliability;
pub(crate) use plots::study_plots;
use plots::{churn_reliability, gain, win_reliability};
pub(crate) use tables::study_tables;

/// Where the matches come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StudyOrigin {
    /// A file of real matches, and how many of its rows were dropped.
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

    fn tables(&self) -> Vec<(String, Table)> {
        study_tables(self.report)
    }

    fn plots(&self) -> Vec<(String, Plot)> {
        study_plots(self.report)
    }

    fn page(&self, command: &str) -> String {
        study_page(self.report, self.source, command)
    }
}

/// The page as HTML.
pub(crate) fn study_page(report: &StudyReport, origin: &StudyOrigin, command: &str) -> String {
    let tables = study_tables(report);
    let named = |name: &str| {
        tables
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, table)| table.clone())
    };
    let mut page = Page::new("EOMM: who stays under which matchmaking")
        .lead(lead(report, origin))
        .section(result_section(report, &named))
        .section(limits_section(report, origin))
        .section(departures_section(report))
        .section(tests_section(&named))
        .section(patterns_section(&tables))
        .section(ratings_section(report, &named))
        .section(churn_section(report, &named))
        .section(data_section(report, origin));
    page = page.section(files_section(&tables, &study_plots(report), EommStudy::JSON));
    page.footer(format!("matchwright {} · {command}", env!("CARGO_PKG_VERSION")))
        .to_html()
}

fn lead(report: &StudyReport, origin: &StudyOrigin) -> String {
    let players = match origin {
        StudyOrigin::File { name, .. } => {
            format!(
                "{} players of {} real matches ({name})",
                count(report.data.players as u64),
                count(report.data.matches as u64)
            )
        }
        StudyOrigin::Generated { .. } => {
            format!(
                "{} generated players who played {} matches",
                count(report.data.players as u64),
                count(report.data.matches as u64)
            )
        }
    };
    format!(
        "The case study of “EOMM: An Engagement Optimized Matchmaking Framework” (Chen et al., WWW 2017, section 5), run on {players}. Pools of waiting players are paired in four ways: at random (RandomMM), by skill (SkillMM), for the least expected churn (EOMM) and for the most (WorstMM). We count who plays again within {} hours.",
        report.config.horizon_hours
    )
}

fn result_section(report: &StudyReport, named: &Named<'_>) -> Section {
    let mut section =
        Section::new("Table 2: players retained per round").callout(Callout::Note, verdict(report));
    section = with(section, named("table2"));
    section = section.paragraph("A simulated count carries the luck of every outcome and every decision to stay. Its expectation, given who was paired with whom, is known exactly and shows the same means with far less noise:");
    section = with(section, named("table2-expected"));
    if report.truth_known {
        section = section.paragraph("Because these players are generated, the same pairs can be judged by the true skills and the true churn function, which no method was shown:");
        section = with(section, named("table2-truth"));
        section = with(section, named("table2-truth-expected"));
    }
    with(section, named("gains")).plot(gain(report))
}

/// The one thing that a reader takes away.
fn verdict(report: &StudyReport) -> String {
    let mut parts = Vec::new();
    for pool in &report.pools {
        for (k, gain) in pool
            .fitted
            .gains
            .iter()
            .enumerate()
            .filter(|(_, gain)| gain.over == Method::Skill)
        {
            let percent = |mean: f64| format!("{:+.2} %", 100.0 * mean);
            let truth = pool
                .truth
                .as_ref()
                .map(|truth| percent(truth.gains[k].expected.mean));
            let truth = truth.map_or(String::new(), |truth| format!(", {truth} under the truth"));
            parts.push(format!(
                "{} at P = {}{truth}",
                percent(gain.expected.mean),
                pool.size
            ));
        }
    }
    format!(
        "Expected retention under EOMM, against SkillMM: {}.",
        parts.join("; ")
    )
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
        "The strength of the penalty is chosen on the earlier part of the data, and the later part judges the model. The paper does not say what its Fig. 3 was drawn on.".to_owned(),
        "The paper's Fig. 2 shows the probability of a win among all matches; here draws are left out, so that the skill model alone is judged.".to_owned(),
        "All methods of a round share its pool and its luck. Means stay the same, and differences become clearer.".to_owned(),
        "WorstMM maximises churn. The paper says that it minimises the objective, which is EOMM itself.".to_owned(),
    ])
}

pub(crate) fn tests_section(named: &Named<'_>) -> Section {
    let section = Section::new("Are the differences real?").paragraph("The paper compares every two methods with Welch's t-test, as if their rounds had nothing in common. Here all methods of a round share its pool and its luck, so their difference can also be tested round by round.");
    let section = with(with(section, named("welch")), named("paired"));
    with(with(section, named("welch-truth")), named("paired-truth"))
}

fn patterns_section(tables: &[(String, Table)]) -> Section {
    let section = Section::new("Churn by the last three outcomes").paragraph("The paper's Table 1 looks at the state that matters most: what a player has just been through. Rows are sorted by churn.");
    let patterns = tables
        .iter()
        .filter(|(name, _)| name.starts_with("churn-by-last-three"));
    patterns.fold(section, |section, (_, table)| section.table(table.clone()))
}

pub(crate) fn ratings_section(report: &StudyReport, named: &Named<'_>) -> Section {
    let ratings = &report.ratings;
    let section = Section::new("The skill model")
        .paragraph("Glicko, in one pass over the sorted matches. Each match was predicted before the ratings learnt from it.")
        .key_values(vec![
            ("Final ratings".to_owned(), format!("{:.0} ± {:.0} (mean ± standard deviation)", ratings.mean, ratings.deviation)),
            ("Draw rate in the simulation".to_owned(), format!("{:.3}", ratings.draw_rate)),
            ("Correlation of a draw with the rating gap".to_owned(), format!("{:+.3} (the paper: -0.05)", report.data.draw_gap_correlation)),
        ])
        .plot(win_reliability(report));
    with(section, named("reliability-win"))
}

pub(crate) fn churn_section(report: &StudyReport, named: &Named<'_>) -> Section {
    let churn = &report.churn;
    let mut section = Section::new("The churn model").paragraph(format!(
        "Logistic regression on the paper's 67 inputs and flags for missing history: {} player-matches, the earlier {} of them for the choice of strength, the later {} for the figures below; then fitted again on all.",
        churn.rows, churn.training_rows, churn.holdout.n
    ));
    if churn.holdout.log_loss >= churn.holdout.constant_log_loss {
        section = section.callout(
            Callout::Warning,
            "On later matches this model predicts no better than a constant.",
        );
    }
    section = with(
        section.plot(churn_reliability(report)),
        named("reliability-churn"),
    );
    with(with(section, named("cross-validation")), named("churn-model"))
}

pub(crate) fn data_section(report: &StudyReport, origin: &StudyOrigin) -> Section {
    let data = &report.data;
    let labels = &report.labels;
    let mut facts = vec![
        ("Matches".to_owned(), count(data.matches as u64)),
        ("Players".to_owned(), count(data.players as u64)),
        ("First match".to_owned(), utc_time(data.first)),
        ("Last match".to_owned(), utc_time(data.last)),
        ("Draws".to_owned(), format!("{:.2} %", 100.0 * data.draw_rate)),
        (
            format!(
                "Player-matches that churned within {} h",
                report.config.horizon_hours
            ),
            format!(
                "{} of {} ({} ended too late to tell)",
                labels.churned,
                labels.labelled(),
                labels.censored
            ),
        ),
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
            let late = "Matches that began later than drawn, for want of opponents".to_owned();
            facts.push((late, late_matches.to_string()));
            Section::new("Data and assumptions")
                .key_values(facts)
                .paragraph("The generator assumes:")
                .list(assumptions.clone())
        }
    }
}
