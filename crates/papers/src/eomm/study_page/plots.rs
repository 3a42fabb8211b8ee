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
        .x(sizes_axis(report))
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

/// Logarithmic where sizes differ much: small pools would lie on each other.
fn sizes_axis(report: &StudyReport) -> Axis {
    let axis = Axis::new("Players in the pool, P");
    let sizes = || report.pools.iter().map(|pool| pool.size);
    let is_wide = sizes().max() >= sizes().min().map(|least| 10 * least);
    if is_wide { axis.log10() } else { axis }
}

pub(crate) fn win_reliability(report: &StudyReport) -> Plot {
    let caption = "All games of the last fifth of the history, draws among them as in the paper's Fig. 2, each predicted before it was learnt from.";
    reliability(
        "Predicted and observed wins",
        "win probability",
        &report.ratings.wins,
    )
    .caption(caption)
    .file("reliability-win")
}

pub(crate) fn churn_reliability(report: &StudyReport) -> Plot {
    reliability("Predicted and observed churn", "churn probability", &report.churn.holdout)
        .caption("The latest fifth of the sampled player-matches, used neither to fit nor to choose the regularisation.")
        .file("reliability-churn")
}

/// The coefficients of outcomes, then of gaps, by how many matches ago.
pub(crate) fn coefficients(report: &StudyReport) -> [Plot; 2] {
    let outcomes = [("win", "win"), ("draw", "draw"), ("loss", "loss")];
    let gaps = [
        ("gap_to_previous", "to the match before it"),
        ("gap_to_upcoming", "to the upcoming match"),
    ];
    let caption = "Below 0 the input makes the player likelier to stay.";
    [
        by_lag(report, "What outcomes do to churn, by lag", &outcomes)
            .y(Axis::new("Change of the logit"))
            .caption(caption)
            .file("churn-model-outcomes"),
        by_lag(report, "What gaps between matches do to churn, by lag", &gaps)
            .y(Axis::new("Change of the logit per ln(1 + seconds)"))
            .caption(caption)
            .file("churn-model-gaps"),
    ]
}

/// A series for each input, by its name in the model and its name here.
fn by_lag(report: &StudyReport, title: &str, inputs: &[(&str, &str)]) -> Plot {
    let zero = [1.0, 10.0].map(|lag| Point::new(lag, 0.0));
    let plot = Plot::new(title)
        .x(Axis::new("Matches ago"))
        .series(Series::line("no change", zero).guide());
    inputs.iter().fold(plot, |plot, (input, name)| {
        let points = (1..=10_u8).filter_map(|lag| {
            let name = format!("match{lag}_{input}");
            let found = report.churn.coefficients.iter().find(|of| of.name == name)?;
            Some(Point::new(f64::from(lag), found.per_unit))
        });
        plot.series(Series::line_and_points(*name, points))
    })
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
