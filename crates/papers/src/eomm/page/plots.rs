//! The reproduction's own plots, each by the name of its SVG file.

use crate::eomm::Method;
use crate::eomm::printed::{TABLE_1, TABLE_2};
use crate::eomm::study::StudyReport;
use matchwright_report::{Axis, Plot, Point, Series};

use crate::eomm::reproduction::EommReproduction;

const PERCENT: f64 = 100.0;

pub(crate) fn own_plots(all: &EommReproduction) -> Vec<(String, Plot)> {
    let named = |name: &str, plot| (name.to_owned(), plot);
    vec![
        named("table2-gains", gains(&all.study)),
        named("table1", table1(all)),
        named("gain-by-pool-size", by_pool_size(&all.study)),
        named("gain-law", gain_law(all)),
    ]
}

/// EOMM over the two usual methods: what the paper's table gives, and ours.
pub(crate) fn gains(study: &StudyReport) -> Plot {
    let mut plot = Plot::new("EOMM's gain by pool size, the paper's and ours")
        .caption("Ours: expected given the pairs, bars are one standard error. The paper's: ratios of its Table 2; one standard error of 10,000 rounds is near 0.1 percentage points.")
        .x(Axis::new("Players in the pool, P"))
        .y(Axis::new("Gain of EOMM").unit("%"));
    for over in [Method::Skill, Method::Random] {
        let ours = study.pools.iter().filter_map(|pool| {
            let printed = u32::try_from(pool.size).ok()?;
            TABLE_2.pools.contains(&printed).then_some(())?;
            let gain = pool.fitted.gains.iter().find(|gain| gain.over == over)?.expected;
            Some(Point::with_error(
                pool.size as f64,
                PERCENT * gain.mean,
                PERCENT * gain.standard_error,
            ))
        });
        plot = plot.series(Series::line_and_points(
            format!("ours, over {}", over.name()),
            ours.collect::<Vec<_>>(),
        ));
        let printed = TABLE_2.pools.into_iter().filter_map(|pool| {
            let gain = TABLE_2.gain(Method::Eomm, over, pool)?;
            Some(Point::new(f64::from(pool), PERCENT * gain))
        });
        let name = format!("the paper, over {}", over.name());
        plot = plot.series(Series::line_and_points(name, printed.collect::<Vec<_>>()).dashed());
    }
    plot
}

pub(crate) fn table1(all: &EommReproduction) -> Plot {
    let printed = |pattern: &str| TABLE_1.iter().find(|row| row.patterns.contains(&pattern));
    let points = all.stream.table.rows.iter().filter_map(|row| {
        let middle = printed(&row.pattern)?.middle();
        Some(Point::with_error(
            middle,
            PERCENT * row.churn,
            PERCENT * row.standard_error,
        ))
    });
    Plot::new("Churn by the last three outcomes, the paper's and ours")
        .caption("The ten patterns that Table 1 prints; bars are one standard error. On the line both agree.")
        .x(Axis::new("Printed churn over seven days")
            .unit("%")
            .range(2.0, 6.0))
        .y(Axis::new("Ours").unit("%").range(2.0, 6.0))
        .series(Series::line("equal", [Point::new(2.0, 2.0), Point::new(6.0, 6.0)]).guide())
        .series(Series::points("patterns", points.collect::<Vec<_>>()))
}

pub(crate) fn by_pool_size(study: &StudyReport) -> Plot {
    let mut plot = Plot::new("EOMM's gain from four players on")
        .caption("Expected given the pairs; bars are one standard error.")
        .x(Axis::new("Players in the pool, P").log10())
        .y(Axis::new("Gain of EOMM over RandomMM").unit("%"));
    let judges: [(&str, bool); 2] = [("under the fitted models", false), ("under the truth", true)];
    for (name, by_truth) in judges {
        let points = study.pools.iter().filter_map(|pool| {
            let judged = if by_truth {
                pool.truth.as_ref()?
            } else {
                &pool.fitted
            };
            let gain = judged
                .gains
                .iter()
                .find(|gain| gain.over == Method::Random)?
                .expected;
            Some(Point::with_error(
                pool.size as f64,
                PERCENT * gain.mean,
                PERCENT * gain.standard_error,
            ))
        });
        let points: Vec<Point> = points.collect();
        if !points.is_empty() {
            plot = plot.series(Series::line_and_points(name, points));
        }
    }
    plot
}

pub(crate) fn gain_law(all: &EommReproduction) -> Plot {
    let cells = || all.gain_law.cells.iter();
    let largest = cells().map(|cell| cell.bound).fold(0.0, f64::max);
    let against = |predicted: fn(&crate::eomm::gain_law::GainCell) -> f64| {
        let points = cells().map(|cell| {
            let gain = cell.gain;
            Point::with_error(
                PERCENT * predicted(cell),
                PERCENT * gain.mean,
                PERCENT * gain.standard_error,
            )
        });
        points.collect::<Vec<_>>()
    };
    let end = PERCENT * largest;
    Plot::new("The law of the gain, predicted and measured")
        .caption(
            "Each point is a cell of the grid of skill and sensitivity spreads; bars are one standard error.",
        )
        .x(Axis::new("Predicted gain per player").unit("%"))
        .y(Axis::new("Measured gain per player").unit("%"))
        .series(Series::line("equal", [Point::new(0.0, 0.0), Point::new(end, end)]).guide())
        .series(Series::points("the bound", against(|cell| cell.bound)))
        .series(Series::points(
            "the law with the averaged slope",
            against(|cell| cell.curved),
        ))
}
