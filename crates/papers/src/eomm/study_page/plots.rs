//! The plots of the EOMM study.

use crate::eomm::study::StudyReport;
use crate::reproduction::percent_point;
use matchwright_churn::Evaluation;
use matchwright_report::{Axis, Plot, Point, Series};

pub(crate) fn gain(report: &StudyReport) -> Plot {
    let plot = Plot::new("What EOMM gains, by pool size")
        .caption(
            "Expected retention given the pairs, relative to each other method; bars are one standard error.",
        )
        .x(Axis::new("Players in the pool, P"))
        .y(Axis::new("Gain of EOMM").unit("%"))
        .file("gain");
    let first = report.pools.first().map_or(&[][..], |pool| &pool.fitted.gains);
    first.iter().enumerate().fold(plot, |plot, (k, gain)| {
        let pools = report.pools.iter();
        let points = pools.map(|pool| percent_point(pool.size as f64, pool.fitted.gains[k].expected));
        let name = format!("over {}", gain.over.name());
        plot.series(Series::line_and_points(name, points))
    })
}

pub(crate) fn win_reliability(report: &StudyReport) -> Plot {
    let decided = &report.ratings.decided;
    let caption =
        "Decisive games only, of the last fifth of the history, each predicted before it was learnt from.";
    reliability("Predicted and observed wins", "win probability", decided)
        .caption(caption)
        .file("reliability-win")
}

pub(crate) fn churn_reliability(report: &StudyReport) -> Plot {
    reliability("Predicted and observed churn", "churn probability", &report.churn.holdout)
        .caption("The latest fifth of the sampled player-matches, used neither to fit nor to choose the regularisation.")
        .file("reliability-churn")
}

/// Predicted against observed shares, with standard errors, beside perfect calibration.
#[must_use]
pub fn reliability(title: &str, what: &str, evaluation: &Evaluation) -> Plot {
    let seen = evaluation.reliability.iter().filter(|bin| bin.count > 0);
    let points = seen.map(|bin| Point::with_error(bin.mean_predicted, bin.observed, bin.standard_error));
    let diagonal = [Point::new(0.0, 0.0), Point::new(1.0, 1.0)];
    Plot::new(title)
        .x(Axis::new(format!("Predicted {what}")).range(0.0, 1.0))
        .y(Axis::new("Observed share").range(0.0, 1.0))
        .series(Series::line("perfect calibration", diagonal).guide())
        .series(Series::line_and_points("observed", points))
}
