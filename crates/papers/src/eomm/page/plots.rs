//! The reproduction's own plots.

use crate::eomm::Method;
use crate::eomm::gain_law::{GainCell, GainLawReport};
use crate::eomm::printed::{TABLE_1, TABLE_2};
use crate::eomm::study::{Judgement, PatternTable, PoolResult, StudyReport};
use crate::reproduction::percent_point;
use matchwright_report::{Axis, Plot, Point, Series};

use super::tables::printed_pools;

/// EOMM over the two usual methods: what the paper's table gives, and ours.
pub(crate) fn gains(study: &StudyReport) -> Plot {
    let plot = Plot::new("EOMM's gain by pool size, published and ours")
        .caption("Ours: expected given the pairs, bars are one standard error. Published: ratios of the paper's Table 2; one standard error of 10,000 rounds is near 0.1 percentage points.")
        .x(Axis::new("Players in the pool, P"))
        .y(Axis::new("Gain of EOMM").unit("%"))
        .file("table2-gains");
    [Method::Skill, Method::Random]
        .into_iter()
        .fold(plot, |plot, over| {
            let ours = printed_pools(study).filter_map(|(pool, size)| {
                let gain = pool.fitted.gain_over(over)?;
                Some(percent_point(f64::from(size), gain.expected))
            });
            let published = TABLE_2.pools.into_iter().filter_map(|pool| {
                let gain = TABLE_2.gain(Method::Eomm, over, pool)?;
                Some(Point::new(f64::from(pool), 100.0 * gain))
            });
            let name = over.name();
            plot.series(Series::line_and_points(format!("ours, over {name}"), ours))
                .series(Series::line_and_points(format!("published, over {name}"), published).dashed())
        })
}

pub(crate) fn table1(patterns: &PatternTable) -> Plot {
    let printed = |pattern: &str| TABLE_1.iter().find(|row| row.patterns.contains(&pattern));
    let points = patterns
        .rows
        .iter()
        .filter_map(|row| Some(percent_point(printed(&row.pattern)?.middle(), row.estimate())));
    Plot::new("Churn by the last three outcomes, published and ours")
        .caption("The ten patterns that Table 1 prints; bars are one standard error. On the line both agree.")
        .x(Axis::new("Published churn over seven days")
            .unit("%")
            .range(2.0, 6.0))
        .y(Axis::new("Ours").unit("%").range(2.0, 6.0))
        .series(Series::line("equal", [Point::new(2.0, 2.0), Point::new(6.0, 6.0)]).guide())
        .series(Series::points("patterns", points))
        .file("table1")
}

/// Under whose models of skill and churn a pool is judged.
type Judge = fn(&PoolResult) -> Option<&Judgement>;

pub(crate) fn by_pool_size(study: &StudyReport) -> Plot {
    let plot = Plot::new("EOMM's gain from four players on")
        .caption("Expected given the pairs; bars are one standard error.")
        .x(Axis::new("Players in the pool, P").log10())
        .y(Axis::new("Gain of EOMM over RandomMM").unit("%"))
        .file("gain-by-pool-size");
    let judges: [(&str, Judge); 2] = [
        ("under the fitted models", |pool| Some(&pool.fitted)),
        ("under the true model", |pool| pool.truth.as_ref()),
    ];
    judges.into_iter().fold(plot, |plot, (name, judged)| {
        let points = study.pools.iter().filter_map(|pool| {
            let gain = judged(pool)?.gain_over(Method::Random)?;
            Some(percent_point(pool.size as f64, gain.expected))
        });
        let points: Vec<Point> = points.collect();
        if points.is_empty() {
            return plot;
        }
        plot.series(Series::line_and_points(name, points))
    })
}

pub(crate) fn gain_law(law: &GainLawReport) -> Plot {
    let largest = law.cells.iter().map(|cell| cell.bound).fold(0.0, f64::max);
    let against = |predicted: fn(&GainCell) -> f64| {
        let cells = law.cells.iter();
        cells.map(move |cell| percent_point(100.0 * predicted(cell), cell.gain))
    };
    let (end, curved) = (100.0 * largest, against(|cell| cell.curved));
    Plot::new("Predicted and measured gain")
        .caption("Each point is one skill and one sensitivity spread; bars are one standard error.")
        .x(Axis::new("Predicted gain per player").unit("%"))
        .y(Axis::new("Measured gain per player").unit("%"))
        .series(Series::line("equal", [Point::new(0.0, 0.0), Point::new(end, end)]).guide())
        .series(Series::points("the bound", against(|cell| cell.bound)))
        .series(Series::points("with the averaged slope", curved))
        .file("gain-law")
}
