//! The reproduction's own plots.

use crate::eomm::Method;
use crate::eomm::gain_law::{GainCell, GainLawReport};
use crate::eomm::printed::{TABLE_1, TABLE_2};
use crate::eomm::study::{Judgement, PatternTable, PoolResult, StudyReport};
use crate::eomm::theory::{AdjacentRow, TheoryReport};
use crate::reproduction::percent_point;
use matchwright_report::{Axis, HeatMap, Plot, Point, Series};

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
    let rows = patterns.rows.iter();
    let shown: Vec<_> = rows
        .filter_map(|row| Some((row, printed(&row.pattern)?.middle())))
        .collect();
    let points = shown
        .iter()
        .map(|(row, published)| percent_point(*published, row.estimate()));
    let names = shown.iter().map(|(row, _)| &*row.pattern);
    Plot::new("Churn by the last three outcomes, published and ours")
        .caption("The ten patterns that Table 1 prints, oldest outcome first (W win, D draw, L loss); bars are one standard error. On the line both agree.")
        .x(Axis::new("Published churn over seven days")
            .unit("%")
            .range(2.0, 6.0))
        .y(Axis::new("Ours").unit("%").range(2.0, 6.0))
        .series(Series::line("equal", [Point::new(2.0, 2.0), Point::new(6.0, 6.0)]).guide())
        .series(Series::points("patterns", points).labels(names))
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

/// In how many pools equal-skill matching is the best there is, over the theory's grid.
pub(crate) fn adjacent(theory: &TheoryReport) -> HeatMap {
    let rows = &theory.adjacent;
    let mut sizes: Vec<usize> = rows.iter().map(|row| row.players).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let names = sizes.iter().map(ToString::to_string);
    let map = HeatMap::new("Pools in which equal-skill matching has the most draws", "Draw law, spread of skill", "Players in a pool", names)
        .unit("%")
        .caption("Darker: in more pools. Where draws lose fewer players than decided matches, these are the pools in which equal-skill matching is EOMM.")
        .file("theory-adjacent");
    let is_same = |one: &AdjacentRow, other: &AdjacentRow| {
        (one.law, one.skill_spread) == (other.law, other.skill_spread)
    };
    rows.chunk_by(is_same).fold(map, |map, rows| {
        let share = |size: &usize| {
            let row = rows.iter().find(|row| row.players == *size);
            row.map_or(f64::NAN, |row| 100.0 * row.optimal as f64 / row.pools as f64)
        };
        map.row(
            format!("{}, {:.0} points", rows[0].law, rows[0].skill_spread),
            sizes.iter().map(share),
        )
    })
}

/// The measured gain over the grid of spreads.
pub(crate) fn gain_grid(law: &GainLawReport) -> HeatMap {
    let is_same = |one: &GainCell, other: &GainCell| one.skill_spread == other.skill_spread;
    let rows = law.cells.chunk_by(is_same);
    let columns = rows.clone().next().unwrap_or_default();
    let names = columns.iter().map(|cell| cell.sensitivity_spread.to_string());
    let map = HeatMap::new(
        "Gain per player over RandomMM",
        "Spread of skill",
        "Spread of sensitivity",
        names,
    )
    .unit("%")
    .decimals(2)
    .caption("Measured, in percentage points of churn probability. Darker: more to gain, with either spread.")
    .file("gain-grid");
    rows.fold(map, |map, cells| {
        map.row(
            format!("{:.0} points", cells[0].skill_spread),
            cells.iter().map(|cell| 100.0 * cell.gain.mean),
        )
    })
}
