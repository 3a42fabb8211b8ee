//! The plots of the EOMM study, each by the name of its SVG file.

use crate::eomm::study::StudyReport;
use matchwright_churn::Evaluation;
use matchwright_report::{Axis, Plot, Point, Series};

/// All plots, the most wanted first.
pub(crate) fn study_plots(report: &StudyReport) -> Vec<(String, Plot)> {
    vec![
        ("gain".to_owned(), gain(report)),
        ("reliability-win".to_owned(), win_reliability(report)),
        ("reliability-churn".to_owned(), churn_reliability(report)),
    ]
}

pub(crate) fn gain(report: &StudyReport) -> Plot {
    let mut plot = Plot::new("What EOMM gains, by pool size")
        .caption(
            "Expected retention given the pairs, relative to each other method; bars are one standard error.",
        )
        .x(Axis::new("Players in the pool, P"))
        .y(Axis::new("Gain of EOMM").unit("%"));
    let first = report.pools.first().map_or(&[][..], |pool| &pool.fitted.gains);
    for (k, gain) in first.iter().enumerate() {
        let points = report.pools.iter().map(|pool| {
            let gain = pool.fitted.gains[k].expected;
            Point::with_error(pool.size as f64, 100.0 * gain.mean, 100.0 * gain.standard_error)
        });
        plot = plot.series(Series::line_and_points(
            format!("over {}", gain.over.name()),
            points.collect::<Vec<_>>(),
        ));
    }
    plot
}

pub(crate) fn win_reliability(report: &StudyReport) -> Plot {
    reliability(
        "Predicted and observed wins",
        "win probability",
        &report.ratings.decided,
    )
    .caption("Decided matches of the last fifth of the history, each predicted before it was learnt from.")
}

pub(crate) fn churn_reliability(report: &StudyReport) -> Plot {
    reliability(
        "Predicted and observed churn",
        "churn probability",
        &report.churn.holdout,
    )
    .caption(
        "The latest fifth of the sampled player-matches, which took no part in fit or choice of strength.",
    )
}

/// Predicted against observed shares, with standard errors, beside perfect calibration.
#[must_use]
pub fn reliability(title: &str, what: &str, evaluation: &Evaluation) -> Plot {
    let seen = evaluation.reliability.iter().filter(|bin| bin.count > 0);
    let points = seen.map(|bin| Point::with_error(bin.mean_predicted, bin.observed, bin.standard_error));
    Plot::new(title)
        .x(Axis::new(format!("Predicted {what}")).range(0.0, 1.0))
        .y(Axis::new("Observed share").range(0.0, 1.0))
        .series(
            Series::line(
                "perfect calibration",
                [Point::new(0.0, 0.0), Point::new(1.0, 1.0)],
            )
            .guide(),
        )
        .series(Series::line_and_points("observed", points.collect::<Vec<_>>()))
}
