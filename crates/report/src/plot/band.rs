//! Error bands: the outline of the area around a line, clipped to the axes.

use super::Series;
use super::axis::Span;

/// A place on the two axes; 0 and 1 are their ends.
type Place = (f64, f64);

/// The outlines of a series' band inside the axes, one for each stretch without a gap: along the upper ends of the
/// error bars and back along the lower ones.
pub(crate) fn outlines(series: &Series, x: Span, y: Span) -> Vec<Vec<Place>> {
    let ends = |point: &super::Point| {
        let error = point.bar()?;
        let across = x.position(point.x);
        let (upper, lower) = (y.position(point.y + error), y.position(point.y - error));
        // A logarithmic axis has no place below zero: there the band runs out of the picture.
        let lower = if lower.is_finite() { lower } else { -1.0 };
        (across.is_finite() && upper.is_finite()).then_some([(across, upper), (across, lower)])
    };
    let ends: Vec<Option<[Place; 2]>> = series.path().iter().map(ends).collect();
    ends.split(Option::is_none)
        .filter(|run| run.len() > 1)
        .map(|run| {
            let upper = run.iter().flatten().map(|[upper, _]| *upper);
            let lower = run.iter().flatten().rev().map(|[_, lower]| *lower);
            clip(upper.chain(lower).collect())
        })
        .filter(|outline| outline.len() > 2)
        .collect()
}

/// The share of a band's points that may lie in bands drawn before it.
const MOST_COVERED: f64 = 0.2;

/// Which series' bands are drawn: each that is not covered by those drawn before it.
pub(crate) fn drawn(series: &[Series], x: Span, y: Span) -> Vec<bool> {
    let mut kept: Vec<usize> = Vec::new();
    for (index, one) in series
        .iter()
        .enumerate()
        .filter(|(_, series)| series.is_banded && !series.is_guide)
    {
        let bars = || {
            one.points.iter().filter(|point| {
                point.bar().is_some() && x.position(point.x).is_finite() && y.position(point.y).is_finite()
            })
        };
        let is_covered = |point: &&super::Point| kept.iter().any(|&other| covers(&series[other], point));
        let covered = bars().filter(is_covered).count();
        if covered as f64 <= MOST_COVERED * bars().count() as f64 {
            kept.push(index);
        }
    }
    (0..series.len()).map(|index| kept.contains(&index)).collect()
}

/// Whether the band of a series, whose points are taken to rise in x, meets the error bar of a point.
fn covers(series: &Series, point: &super::Point) -> bool {
    let path = series.path();
    let is_around = |pair: &&[super::Point]| pair[0].x <= point.x && point.x <= pair[1].x;
    let Some([before, after]) = path
        .windows(2)
        .find(is_around)
        .and_then(|pair| pair.first_chunk())
    else {
        return false;
    };
    let (Some(from), Some(to), Some(own)) = (before.bar(), after.bar(), point.bar()) else {
        return false;
    };
    let way = if after.x > before.x {
        (point.x - before.x) / (after.x - before.x)
    } else {
        0.0
    };
    let (middle, error) = (before.y + way * (after.y - before.y), from + way * (to - from));
    (middle - point.y).abs() < error + own
}

/// The part of a polygon inside the unit square, edge by edge.
///
/// Sutherland and Hodgman, "Reentrant polygon clipping", Communications of the ACM 17(1), 1974, DOI
/// 10.1145/360767.360802. A band that leaves and comes back keeps a line along the edge, which no area shows.
fn clip(polygon: Vec<Place>) -> Vec<Place> {
    // How far inside each of the four edges a place is.
    let inside: [fn(Place) -> f64; 4] = [|p| p.0, |p| 1.0 - p.0, |p| p.1, |p| 1.0 - p.1];
    inside.into_iter().fold(polygon, |polygon, inside| {
        let mut kept = Vec::with_capacity(polygon.len());
        for (index, &to) in polygon.iter().enumerate() {
            let from = polygon[(index + polygon.len() - 1) % polygon.len()];
            let (before, after) = (inside(from), inside(to));
            if (before < 0.0) != (after < 0.0) {
                let t = before / (before - after);
                kept.push((from.0 + t * (to.0 - from.0), from.1 + t * (to.1 - from.1)));
            }
            if after >= 0.0 {
                kept.push(to);
            }
        }
        kept
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Point};

    fn span(low: f64, high: f64) -> Span {
        Axis::new("a").range(low, high).span(std::iter::empty()).unwrap()
    }

    #[test]
    fn a_band_goes_up_and_comes_back_and_breaks_where_the_data_do() {
        let point = |x, y| Point::with_error(x, y, 1.0);
        let gap = Point::new(2.0, 5.0);
        let series = Series::line(
            "s",
            [
                point(0.0, 5.0),
                point(1.0, 6.0),
                gap,
                point(3.0, 5.0),
                point(4.0, 5.0),
            ],
        );
        let outlines = super::outlines(&series, span(0.0, 4.0), span(0.0, 10.0));
        assert_eq!(outlines.len(), 2);
        assert_eq!(outlines[0], [(0.0, 0.6), (0.25, 0.7), (0.25, 0.5), (0.0, 0.4)]);
    }

    #[test]
    fn of_bands_that_cover_each_other_the_first_is_drawn() {
        let band = |height: f64| {
            Series::line("s", (0..9).map(|k| Point::with_error(f64::from(k), height, 1.0))).banded()
        };
        let (x, y) = (span(0.0, 8.0), span(0.0, 10.0));
        let drawn = |heights: [f64; 3]| super::drawn(&heights.map(band), x, y);
        assert_eq!(drawn([1.0, 2.5, 8.0]), [true, false, true]);
        assert_eq!(drawn([1.0, 4.0, 8.0]), [true, true, true]);
        assert_eq!(drawn([5.0, 5.5, 4.5]), [true, false, false]);
        let plot = |other| {
            crate::Plot::new("p")
                .series(band(5.0))
                .series(band(other))
                .to_svg()
                .unwrap()
        };
        assert!(plot(5.5).contains("1 band not drawn"));
        assert!(!plot(9.0).contains("not drawn"));
    }

    #[test]
    fn a_band_is_cut_at_the_edges_of_the_axes() {
        let series = Series::line(
            "s",
            [
                Point::with_error(-1.0, 5.0, 100.0),
                Point::with_error(9.0, 5.0, 100.0),
            ],
        );
        let outline = &super::outlines(&series, span(0.0, 4.0), span(0.0, 10.0))[0];
        for &(across, up) in outline {
            assert!((-1e-12..=1.0 + 1e-12).contains(&across) && (-1e-12..=1.0 + 1e-12).contains(&up));
        }
        assert!(outline.len() >= 4);
        let outside = Series::line(
            "s",
            [Point::with_error(7.0, 5.0, 1.0), Point::with_error(9.0, 5.0, 1.0)],
        );
        assert!(super::outlines(&outside, span(0.0, 4.0), span(0.0, 10.0)).is_empty());
    }
}
