//! A scenario of the repository on the page of its document: its policies in the same worlds, and what it says of itself.

use anyhow::Result;
use matchwright_report::{Cell, Column, Section, Table};
use matchwright_sim::policy::PolicyDocument;
use matchwright_sim::simulate::{ClaimResult, Compared, Figure, ScenarioParams, compare};
use serde::Serialize;

use crate::check::simulated::{WorldsConfig, WorldsReport};
use crate::reproduction::estimate;

/// What became of a scenario.
#[derive(Serialize)]
pub(crate) struct Scene {
    about: String,
    worlds: usize,
    hours: f64,
    warm_up_hours: f64,
    policies: Vec<String>,
    figures: Vec<Compared>,
    claims: Vec<ClaimResult>,
}

/// The figures of the table, in its order.
const SHOWN: [Figure; 11] = [
    Figure::WaitMean,
    Figure::Wait90,
    Figure::Lost,
    Figure::Mismatch,
    Figure::RatingGap,
    Figure::Favourite,
    Figure::WinGap,
    Figure::Balance,
    Figure::Ping,
    Figure::Cost,
    Figure::Matches,
];

impl Scene {
    /// Of worlds that were simulated by this configuration.
    pub(crate) fn of(config: &WorldsConfig, report: &WorldsReport) -> Result<Self> {
        let params: ScenarioParams = toml::from_str(&config.scenario)?;
        let (hours, warm_up_hours) = config.hours.unwrap_or((params.hours, params.warm_up_hours));
        let name = |document: &String| -> Result<String> {
            let policy = toml::from_str::<PolicyDocument>(document)?;
            Ok(policy.name.unwrap_or_default())
        };
        let policies: Vec<String> = config.policies.iter().map(name).collect::<Result<_>>()?;
        let names: Vec<&str> = policies.iter().map(String::as_str).collect();
        let claims = params.claims.iter();
        let claims = claims.map(|claim| claim.judge(&names, &report.worlds)).collect();
        Ok(Self {
            about: params.about,
            worlds: report.worlds.len(),
            hours,
            warm_up_hours,
            figures: compare(&report.worlds),
            claims,
            policies,
        })
    }

    /// What came out, and what is said of this world.
    pub(crate) fn section(&self) -> Section {
        let warm_up = match self.warm_up_hours {
            0.0 => String::new(),
            hours => format!(", of which the first {hours} count for nothing"),
        };
        Section::new("In its world")
            .paragraph(&self.about)
            .paragraph(format!(
                "{} generated worlds, the same for every policy, {} hours each{warm_up}.",
                self.worlds, self.hours
            ))
            .table(self.figures())
            .table(self.claims())
    }

    fn figures(&self) -> Table {
        let found = |figure: &Figure| self.figures.iter().find(|one| one.figure == *figure);
        let value = |one: &Compared, policy: usize| match one.means.get(policy) {
            Some(Some(mean)) => estimate(*mean),
            _ => Cell::from(one.open.get(policy).cloned().flatten()),
        };
        Table::of("What came out", SHOWN.iter().filter_map(found))
            .column(Column::text("Figure"), |one| {
                let (words, unit) = (one.figure.words(), one.figure.unit());
                if unit.is_empty() {
                    words.to_owned()
                } else {
                    format!("{words}, {unit}")
                }
            })
            .columns(
                0..self.policies.len(),
                |policy| Column::significant(&self.policies[policy], 4),
                value,
            )
            .build()
            .note("Means over the worlds with their standard errors.")
            .file("scenario")
    }

    fn claims(&self) -> Table {
        let interval = |one: &ClaimResult, end: usize| Some(one.difference?.interval?[end]);
        Table::of("What is said of this world", &self.claims)
            .column(Column::text("Claim"), |one| one.claim.says.as_str())
            .column(Column::significant("Difference", 3), |one| {
                one.difference.map(|found| found.mean)
            })
            .column(Column::significant("from", 3), |one| interval(one, 0))
            .column(Column::significant("to", 3), |one| interval(one, 1))
            .column(Column::text("Verdict"), |one| one.verdict.words())
            .build()
            .note("The figure of the claim less what it is compared with, paired by worlds, with 95 % intervals of Student's t.")
            .file("scenario-claims")
    }
}
