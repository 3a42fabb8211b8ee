//! The tables of the EOMM study, each by the name of its CSV file.

use crate::eomm::Method;
use crate::eomm::study::{Comparison, Judgement, MethodResult, PatternTable, PoolResult, StudyReport};
use matchwright_report::{Cell, Column, Table};
use matchwright_sim::statistics::{Estimate, MeanTest};

/// Under whose models of skill and churn the methods are judged.
#[derive(Clone, Copy)]
enum Judge {
    Fitted,
    Truth,
}

impl Judge {
    /// None for the truth of real players.
    fn of(self, pool: &PoolResult) -> Option<&Judgement> {
        match self {
            Self::Fitted => Some(&pool.fitted),
            Self::Truth => pool.truth.as_ref(),
        }
    }
}

/// All tables, the most wanted first.
pub(crate) fn study_tables(report: &StudyReport) -> Vec<(String, Table)> {
    let mut tables = vec![
        (
            "table2".to_owned(),
            retained(
                report,
                "Table 2. Retained players per round, simulated",
                Judge::Fitted,
                |m| m.simulated,
            ),
        ),
        (
            "table2-expected".to_owned(),
            retained(
                report,
                "Retained players per round, expected given the pairs",
                Judge::Fitted,
                |m| m.expected,
            ),
        ),
        ("gains".to_owned(), gains(report)),
    ];
    let welch_title = "Welch's t-test between every two methods, simulated counts";
    tables.push(("welch".to_owned(), welch(report, welch_title, Judge::Fitted)));
    let paired_title = "Paired tests between every two methods, common random numbers";
    tables.push(("paired".to_owned(), paired(report, paired_title, Judge::Fitted)));
    if report.truth_known {
        let title = "Retained players per round, simulated under the generator's true skills and churn";
        tables.push((
            "table2-truth".to_owned(),
            retained(report, title, Judge::Truth, |m| m.simulated),
        ));
        let title = "Retained players per round, expected under the generator's true skills and churn";
        tables.push((
            "table2-truth-expected".to_owned(),
            retained(report, title, Judge::Truth, |m| m.expected),
        ));
        let title = "Welch's t-test between every two methods, counts simulated under the truth";
        tables.push(("welch-truth".to_owned(), welch(report, title, Judge::Truth)));
        let title = "Paired tests between every two methods, under the truth";
        tables.push(("paired-truth".to_owned(), paired(report, title, Judge::Truth)));
    }
    for table in &report.patterns {
        tables.push((
            format!("churn-by-last-three-{}h", table.horizon_hours),
            patterns(table),
        ));
    }
    tables.push((
        "reliability-win".to_owned(),
        reliability("Win probability of decided matches", &report.ratings.decided),
    ));
    tables.push((
        "reliability-churn".to_owned(),
        reliability("Churn probability, on held-out matches", &report.churn.holdout),
    ));
    tables.push(("cross-validation".to_owned(), cross_validation(report)));
    tables.push(("churn-model".to_owned(), coefficients(report)));
    tables
}

fn estimate(estimate: Estimate) -> Cell {
    Cell::estimate(estimate.mean, estimate.standard_error)
}

fn retained(report: &StudyReport, title: &str, judge: Judge, read: fn(&MethodResult) -> Estimate) -> Table {
    let mut table = Table::new(title).column(Column::text("Method"));
    for pool in &report.pools {
        table = table.column(Column::number(format!("P={}", pool.size), 2));
    }
    for (k, method) in Method::ALL.into_iter().enumerate() {
        let result = |pool| judge.of(pool).and_then(|judged| judged.methods.get(k));
        let figures = report
            .pools
            .iter()
            .map(|pool| result(pool).map_or(Cell::Empty, |m| estimate(read(m))));
        table = table.row(
            std::iter::once(method.name().into())
                .chain(figures)
                .collect::<Vec<Cell>>(),
        );
    }
    table.note(format!(
        "Mean ± standard error over {} rounds for each P.",
        report.config.rounds
    ))
}

fn gains(report: &StudyReport) -> Table {
    let mut table = Table::new("What EOMM retains beyond the other methods")
        .column(Column::integer("P"))
        .column(Column::text("Over"))
        .column(Column::number("Simulated", 2).unit("%"))
        .column(Column::number("Expected", 3).unit("%"));
    if report.truth_known {
        table = table.column(Column::number("Expected under the truth", 3).unit("%"));
    }
    let percent = |gain: Estimate| Cell::estimate(100.0 * gain.mean, 100.0 * gain.standard_error);
    for pool in &report.pools {
        for (k, gain) in pool.fitted.gains.iter().enumerate() {
            let mut cells = vec![pool.size.into(), gain.over.name().into()];
            cells.extend([percent(gain.simulated), percent(gain.expected)]);
            cells.extend(pool.truth.iter().map(|truth| percent(truth.gains[k].expected)));
            table = table.row(cells);
        }
    }
    table.note("Share of what the other method retains; errors are those of the paired difference.")
}

fn pairs_table(title: &str) -> Table {
    Table::new(title)
        .column(Column::integer("P"))
        .column(Column::text("First"))
        .column(Column::text("Second"))
}

fn welch(report: &StudyReport, title: &str, judge: Judge) -> Table {
    let mut table = pairs_table(title)
        .column(Column::number("Difference", 3).unit("players"))
        .column(Column::number("t", 2))
        .column(Column::number("Degrees of freedom", 0))
        .column(Column::significant("p", 3));
    for pool in &report.pools {
        for comparison in judge.of(pool).iter().flat_map(|judged| &judged.comparisons) {
            let welch = &comparison.welch;
            let mut cells = start(pool, comparison);
            cells.extend([
                difference(welch),
                welch.t.into(),
                welch.degrees.into(),
                welch.p.into(),
            ]);
            table = table.row(cells);
        }
    }
    table.note("Unpaired, as in the paper. First minus second, ± standard error of the difference.")
}

fn paired(report: &StudyReport, title: &str, judge: Judge) -> Table {
    let mut table = pairs_table(title);
    for kind in ["Simulated", "Expected"] {
        table = table
            .column(Column::number(kind, 3).unit("players"))
            .column(Column::number(format!("t, {}", kind.to_lowercase()), 1));
    }
    for pool in &report.pools {
        for comparison in judge.of(pool).iter().flat_map(|judged| &judged.comparisons) {
            let mut cells = start(pool, comparison);
            for test in [&comparison.paired_simulated, &comparison.paired_expected] {
                cells.extend([difference(test), test.t.into()]);
            }
            table = table.row(cells);
        }
    }
    table.note(
        "All methods of a round share its pool and its luck, so the errors are far smaller than Welch's.",
    )
}

fn difference(test: &MeanTest) -> Cell {
    Cell::estimate(test.difference, test.standard_error)
}

fn start(pool: &PoolResult, comparison: &Comparison) -> Vec<Cell> {
    vec![
        pool.size.into(),
        comparison.first.name().into(),
        comparison.second.name().into(),
    ]
}

fn patterns(patterns: &PatternTable) -> Table {
    let title = format!(
        "Churn by the last three outcomes: no match within {} h",
        patterns.horizon_hours
    );
    let mut table = Table::new(title)
        .column(Column::text("Last three"))
        .column(Column::number("Churn", 2).unit("%"))
        .column(Column::integer("n"));
    for row in &patterns.rows {
        let churn = Cell::estimate(100.0 * row.churn, 100.0 * row.standard_error);
        table = table.row([row.pattern.as_str().into(), churn, row.n.into()]);
    }
    table.note("Outcomes from oldest to newest; W win, D draw, L loss. ± binomial standard error.")
}

fn reliability(what: &str, evaluation: &matchwright_churn::Evaluation) -> Table {
    let mut table = Table::new(format!("{what}: predicted against observed"))
        .column(Column::number("From", 1))
        .column(Column::number("To", 1))
        .column(Column::integer("n"))
        .column(Column::number("Mean predicted", 4))
        .column(Column::number("Observed", 4));
    for bin in evaluation.reliability.iter().filter(|bin| bin.count > 0) {
        let observed = Cell::estimate(bin.observed, bin.standard_error);
        table = table.row([
            bin.lower.into(),
            bin.upper.into(),
            bin.count.into(),
            bin.mean_predicted.into(),
            observed,
        ]);
    }
    let auc = evaluation.auc.map_or("-".to_owned(), |auc| format!("{auc:.4}"));
    table.note(format!(
        "n {}, AUC {auc}, log loss {:.4} (a constant: {:.4}), Brier {:.4}, ECE {:.4}.",
        evaluation.n, evaluation.log_loss, evaluation.constant_log_loss, evaluation.brier, evaluation.ece
    ))
}

fn cross_validation(report: &StudyReport) -> Table {
    let mut table = Table::new("Strength of the L2 penalty by cross-validation")
        .column(Column::significant("C", 3))
        .column(Column::number("Mean log loss", 5))
        .column(Column::text("Chosen"));
    for score in &report.churn.cross_validation.scores {
        let chosen = if score.c == report.churn.chosen_c {
            "yes"
        } else {
            ""
        };
        let loss = Cell::estimate(score.mean_log_loss, score.standard_error);
        table = table.row([score.c.into(), loss, chosen.into()]);
    }
    table.note("Penalty |w|^2 / 2 against C times the sum of log losses, on standardised inputs; smaller C is stronger.")
}

fn coefficients(report: &StudyReport) -> Table {
    let mut table = Table::new("The churn model: change of the logit per unit of each input")
        .column(Column::text("Input"))
        .column(Column::text("Unit"))
        .column(Column::number("Coefficient", 5))
        .row(["intercept".into(), "logit".into(), report.churn.intercept.into()]);
    for coefficient in &report.churn.coefficients {
        table = table.row([
            coefficient.name.as_str().into(),
            coefficient.unit.as_str().into(),
            coefficient.per_unit.into(),
        ]);
    }
    table
}
