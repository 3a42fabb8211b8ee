//! Time against the number of vertices.

use matchwright_report::{Axis, Plot, PlotError, Point, Series};

use super::contender::{Contender, Family, Role};
use super::results::Results;
use super::tables::legend;

/// Log-log: a power law is a straight line, and the same ratio the same distance. Floors are muted.
pub(crate) fn scaling(results: &Results, family: Family) -> Result<String, PlotError> {
    let plot = Plot::new(format!("Exact pairing on {family}"))
        .caption("Median time of a solve, one thread unless it says otherwise, both axes logarithmic. Grey: what no solver that looks at every pair can be faster than.")
        .x(Axis::new("vertices").log10())
        .y(Axis::new("time").unit("s").log10())
        .size(860, 560);
    let sizes = results.sizes(family);
    let line = |contender| {
        let points = sizes.iter().filter_map(|&n| {
            let cells = results.cells(family, n);
            let cell = cells.iter().find(|cell| cell.contender == contender)?;
            Some(Point::new(n as f64, cell.seconds))
        });
        (contender, points.collect::<Vec<_>>())
    };
    Contender::ALL
        .map(line)
        .into_iter()
        .filter(|(_, points)| !points.is_empty())
        .fold(plot, |plot, (contender, points)| {
            plot.series(series(contender, points))
        })
        .to_svg()
}

fn series(contender: Contender, points: Vec<Point>) -> Series {
    let name = legend(contender);
    match (contender.role(), contender) {
        (Role::Floor, Contender::MatrixPass) => Series::line(name, points).guide(),
        // With markers, to be told from the other floor.
        (Role::Floor, _) => Series::line_and_points(name, points).guide(),
        _ => Series::line_and_points(name, points),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::measured;

    #[test]
    fn each_contender_is_a_line_and_who_has_no_time_is_left_out() {
        let times = [
            (Contender::Matchwright, 0.01),
            (Contender::Mwmatching, 0.1),
            (Contender::AllPairs, 0.001),
        ];
        let at = |n: usize| times.map(|(contender, seconds)| measured(contender, n, 1, seconds * n as f64));
        let results = Results {
            measurements: [100, 300].map(at).concat(),
            drop_outs: Vec::new(),
        };
        let svg = scaling(&results, Family::Eomm).unwrap();
        let series =
            "Series: matchwright (2 points), mwmatching (2 points), the cost of every pair (2 points).";
        assert!(svg.contains(series), "{svg}");
        assert!(scaling(&results, Family::Euclid).is_err());
    }
}
