//! The tables of the EOMM study.

use crate::eomm::Method;
use crate::eomm::study::{Comparison, Judgement, PatternTable, PoolResult, StudyReport};
use crate::reproduction::{difference, estimate};
use matchwright_churn::Evaluation;
use matchwright_report::{Cell, Column, Table, TableBuilder};

/// Under whose models of skill and churn the methods are judged.
#[derive(Clone, Copy)]
pub(crate) enum Judge {
    Fitted,
    Truth,
}

impl Judge {
    /// None for the true model of matches from a file.
    fn of(self, pool: &PoolResult) -> Option<&Judgement> {
        match self {
            Self::Fitted => Some(&pool.fitted),
            Self::Truth => pool.truth.as_ref(),
        }
    }

    /// What the captions of its tables, and the names of their files, end with.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Fitted => ("", ""),
            Self::Truth => (" under the true (generating) model", "-truth"),
        }
    }
}

/// Which retained players: those counted in a simulation, or their expectation given the pairs.
#[derive(Clone, Copy)]
pub(crate) enum Count {
    Simulated,
    Expected,
}

pub(crate) fn retained(report: &StudyReport, judge: Judge, count: Count) -> Table {
    let (words, suffix) = judge.words();
    let (what, file) = match count {
        Count::Simulated => ("simulated", ""),
        Count::Expected => ("expected given the pairs", "-expected"),
    };
    let caption = format!("Table 2: retained players per round, {what}{words}");
    let rounds = report.config.rounds;
    Table::of(caption, Method::ALL.into_iter().enumerate())
        .column(Column::text("Method"), |(_, method)| method.name())
        .columns(
            &report.pools,
            |pool| Column::number(format!("P={}", pool.size), 2),
            |(k, _), pool| {
                let result = judge.of(pool)?.methods.get(k)?;
                Some(estimate(match count {
                    Count::Simulated => result.simulated,
                    Count::Expected => result.expected,
                }))
            },
        )
        .build()
        .note(format!("Mean ± standard error over {rounds} rounds for each P."))
        .file(format!("table2{suffix}{file}"))
}

pub(crate) fn gains(report: &StudyReport) -> Table {
    let pools = report.pools.iter();
    let rows = pools.flat_map(|pool| (0..pool.fitted.gains.len()).map(move |k| (pool, k)));
    Table::of("What EOMM retains beyond the other methods", rows)
        .column(Column::integer("P"), |(pool, _)| pool.size)
        .column(Column::text("Over"), |(pool, k)| pool.fitted.gains[k].over.name())
        .column(Column::percent("Expected", 3), |(pool, k)| {
            estimate(pool.fitted.gains[k].expected)
        })
        .when(report.truth_known, |table| {
            table.column(
                Column::percent("Expected under the true model", 3),
                |(pool, k)| pool.truth.as_ref().map(|truth| estimate(truth.gains[k].expected)),
            )
        })
        .column(Column::percent("Simulated", 2), |(pool, k)| {
            estimate(pool.fitted.gains[k].simulated)
        })
        .build()
        .note("Share of what the other method retains; errors are those of the paired difference.")
        .file("gains")
}

/// One row for every two methods at every pool size.
fn pairs<'a>(report: &'a StudyReport, judge: Judge, caption: &str) -> TableBuilder<(usize, &'a Comparison)> {
    let pools = report.pools.iter();
    let judged = pools.filter_map(|pool| Some((pool.size, judge.of(pool)?)));
    let rows = judged.flat_map(|(size, judged)| judged.comparisons.iter().map(move |pair| (size, pair)));
    Table::of(format!("{caption}{}", judge.words().0), rows)
        .column(Column::integer("P"), |(size, _)| size)
        .column(Column::text("First"), |(_, pair)| pair.first.name())
        .column(Column::text("Second"), |(_, pair)| pair.second.name())
}

pub(crate) fn welch(report: &StudyReport, judge: Judge) -> Table {
    let caption = "Welch's t-test between every two methods, simulated counts";
    pairs(report, judge, caption)
        .column(Column::number("Difference", 3).unit("players"), |(_, pair)| {
            difference(pair.welch)
        })
        .column(Column::number("t", 2), |(_, pair)| pair.welch.t)
        .column(Column::number("Degrees of freedom", 0), |(_, pair)| {
            pair.welch.degrees
        })
        .column(Column::significant("p", 3), |(_, pair)| pair.welch.p)
        .build()
        .note("Unpaired, as in the paper. First minus second, ± standard error of the difference.")
        .file(format!("welch{}", judge.words().1))
}

pub(crate) fn paired(report: &StudyReport, judge: Judge) -> Table {
    let players = |name: &str| Column::number(name, 3).unit("players");
    let caption = "Paired tests between every two methods, common random numbers";
    pairs(report, judge, caption)
        .column(players("Simulated"), |(_, pair)| {
            difference(pair.paired_simulated)
        })
        .column(Column::number("t, simulated", 1), |(_, pair)| {
            pair.paired_simulated.t
        })
        .column(players("Expected"), |(_, pair)| difference(pair.paired_expected))
        .column(Column::number("t, expected", 1), |(_, pair)| {
            pair.paired_expected.t
        })
        .build()
        .note(
            "All methods of a round share its pool and its luck, so the errors are far smaller than Welch's.",
        )
        .file(format!("paired{}", judge.words().1))
}

/// Churn by the last three outcomes, a pattern a row, lowest churn first.
#[must_use]
pub fn pattern_churn(patterns: &PatternTable) -> Table {
    let hours = patterns.horizon_hours;
    let caption = format!("Churn by the last three outcomes: no match within {hours} h");
    Table::of(caption, &patterns.rows)
        .column(Column::text("Last three"), |row| &row.pattern)
        .column(Column::percent("Churn", 2), |row| estimate(row.estimate()))
        .column(Column::integer("n"), |row| row.n)
        .build()
        .note("Outcomes from oldest to newest; W win, D draw, L loss. ± binomial standard error.")
        .file(format!("churn-by-last-three-{hours}h"))
}

pub(crate) fn reliability(file: &str, what: &str, evaluation: &Evaluation) -> Table {
    let seen = evaluation.reliability.iter().filter(|bin| bin.count > 0);
    let shown = |area: Option<f64>| area.map_or("-".to_owned(), |area| format!("{area:.4}"));
    let (auc, precision) = (shown(evaluation.auc), shown(evaluation.average_precision));
    Table::of(format!("{what}: predicted against observed"), seen)
        .column(Column::number("From", 1), |bin| bin.lower)
        .column(Column::number("To", 1), |bin| bin.upper)
        .column(Column::integer("n"), |bin| bin.count)
        .column(Column::number("Mean predicted", 4), |bin| bin.mean_predicted)
        .column(Column::number("Observed", 4), |bin| Cell::estimate(bin.observed, bin.standard_error))
        .build()
        .note(format!(
            "n {}, area under the ROC curve {auc}, average precision {precision} (at random: {:.4}), log loss {:.4} (a constant: {:.4}), Brier {:.4}, expected calibration error {:.4}.",
            evaluation.n, evaluation.base_rate, evaluation.log_loss, evaluation.constant_log_loss, evaluation.brier, evaluation.ece
        ))
        .file(format!("reliability-{file}"))
}

/// The churn model's forecasts of held-out matches, as they are and calibrated.
pub(crate) fn calibrated(report: &StudyReport) -> Table {
    let churn = &report.churn;
    let calibrated = churn.calibrated.iter().map(|of| (of.name.as_str(), &of.holdout));
    let rows = std::iter::once(("none", &churn.holdout)).chain(calibrated);
    Table::of("Calibration of the churn model, on held-out matches", rows)
        .column(Column::text("Calibration"), |(name, _)| name)
        .column(Column::number("Log loss", 5), |(_, of)| of.log_loss)
        .column(Column::number("Brier", 5), |(_, of)| of.brier)
        .column(Column::number("Expected calibration error", 5), |(_, of)| of.ece)
        .column(Column::number("Area under the ROC curve", 4), |(_, of)| of.auc)
        .column(Column::number("Average precision", 4), |(_, of)| {
            of.average_precision
        })
        .build()
        .note("Fitted to out-of-fold predictions of the earlier matches. The study's rounds use the model as it is.")
        .file("churn-calibration")
}

pub(crate) fn cross_validation(report: &StudyReport) -> Table {
    Table::of("Choosing the regularisation: L2 penalty by cross-validation", &report.churn.cross_validation.scores)
        .column(Column::significant("C (inverse penalty)", 3), |score| score.c)
        .column(Column::number("Mean log loss", 5), |score| {
            Cell::estimate(score.mean_log_loss, score.standard_error)
        })
        .column(Column::text("Chosen"), |score| if score.c == report.churn.chosen_c { "yes" } else { "" })
        .build()
        .note("Penalty |w|^2 / 2 against C times the sum of log losses, on standardised inputs; smaller C is stronger.")
        .file("cross-validation")
}

pub(crate) fn coefficients(report: &StudyReport) -> Table {
    let churn = &report.churn;
    let inputs = churn.coefficients.iter();
    let inputs = inputs.map(|of| (of.name.as_str(), of.unit.as_str(), of.per_unit, of.standard_error));
    let intercept = ("intercept", "logit", churn.intercept, churn.intercept_error);
    let rows = std::iter::once(intercept).chain(inputs);
    let caption = "The churn model: change of the logit per unit of each input";
    Table::of(caption, rows)
        .column(Column::text("Input"), |(name, ..)| name)
        .column(Column::text("Unit"), |(_, unit, ..)| unit)
        .column(Column::number("Coefficient", 5), |(.., value, error)| {
            error.map_or(Cell::Number(value), |error| Cell::estimate(value, error))
        })
        .build()
        .note(
            "± standard error under the penalty as a prior. Player-matches count as independent; those of one player are not, so that true errors are larger.",
        )
        .file("churn-model")
}
