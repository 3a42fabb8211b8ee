//! Series that would hide each other: equal ones share a name, others are set side by side.

use std::borrow::Cow;

use super::Series;
use super::axis::Span;
use super::layout::Layout;
use super::segment::{MARKER_RADIUS, is_inside};

/// Places that differ by less, as a share of an axis, look the same.
const SAME: f64 = 0.001;
/// The share of a series' points that lie under another's, from which on the two are set apart.
const HIDDEN: f64 = 1.0 / 3.0;
/// The first and the last of series that are set apart are no further from each other, in pixels.
const WIDEST: f64 = 24.0;
/// Of more points no arrangement shows all.
const MOST_POINTS: usize = 200;

/// The series to draw: of those that look the same one, named `A = B`.
pub(crate) fn merged(series: &[Series], x: Span, y: Span) -> Cow<'_, [Series]> {
    let mut kept: Vec<Series> = Vec::new();
    for one in series {
        match kept.iter_mut().find(|other| is_same(one, other, x, y)) {
            Some(other) => other.name = format!("{} = {}", other.name, one.name),
            None => kept.push(one.clone()),
        }
    }
    if kept.len() == series.len() {
        Cow::Borrowed(series)
    } else {
        Cow::Owned(kept)
    }
}

fn is_same(one: &Series, other: &Series, x: Span, y: Span) -> bool {
    // By their bits, so that two values without a place are the same.
    let near = |a: f64, b: f64| (a - b).abs() < SAME || a.to_bits() == b.to_bits();
    let ends = |point: &super::Point| {
        let error = point.bar().unwrap_or(0.0);
        [
            x.position(point.x),
            y.position(point.y - error),
            y.position(point.y),
            y.position(point.y + error),
        ]
    };
    let pairs = || one.points.iter().zip(&other.points);
    let is_drawn = pairs().any(|(a, _)| ends(a).iter().all(|end| end.is_finite()));
    one.points.len() == other.points.len()
        && !one.is_guide
        && one.is_drawn_like(other)
        && one.labels == other.labels
        && is_drawn
        && pairs().all(|(a, b)| ends(a).into_iter().zip(ends(b)).all(|(a, b)| near(a, b)))
}

/// How far each series is moved to the right, in pixels, so that no marker lies under another series' throughout.
pub(crate) fn offsets(series: &[Series], layout: &Layout, x: Span, y: Span) -> Vec<f64> {
    let places = |series: &Series| -> Vec<(f64, f64)> {
        if series.is_guide || !series.has_markers() || series.points.len() > MOST_POINTS {
            return Vec::new();
        }
        let points = series
            .points
            .iter()
            .map(|point| (x.position(point.x), y.position(point.y)));
        let seen = points.filter(|&(across, up)| is_inside(across) && is_inside(up));
        seen.map(|(across, up)| (layout.across(across), layout.up(up)))
            .collect()
    };
    let places: Vec<Vec<(f64, f64)>> = series.iter().map(places).collect();
    let mut group: Vec<usize> = (0..series.len()).collect();
    for second in 0..series.len() {
        for first in 0..second {
            if hide(&places[first], &places[second]) {
                let (from, to) = (group[second], group[first]);
                group
                    .iter_mut()
                    .filter(|group| **group == from)
                    .for_each(|group| *group = to);
            }
        }
    }
    let offset = |index: usize| {
        let members: Vec<usize> = (0..series.len())
            .filter(|&other| group[other] == group[index])
            .collect();
        let rank = members.iter().take_while(|&&member| member < index).count() as f64;
        let all = members
            .iter()
            .flat_map(|&member| &places[member])
            .map(|place| place.0);
        let gap = 0.6 * least_gap(all.collect()) / members.len() as f64;
        let step = gap
            .min(2.0 * MARKER_RADIUS + 1.0)
            .min(WIDEST / (members.len() - 1).max(1) as f64);
        step * (rank - (members.len() - 1) as f64 / 2.0)
    };
    (0..series.len()).map(offset).collect()
}

/// Whether enough of the markers at the first places lie under those at the second, which are drawn later.
fn hide(under: &[(f64, f64)], over: &[(f64, f64)]) -> bool {
    let is_hidden = |a: &&(f64, f64)| {
        over.iter()
            .any(|b| (a.0 - b.0).abs() < 1.0 && (a.1 - b.1).abs() < 1.5 * MARKER_RADIUS)
    };
    let hidden = under.iter().filter(is_hidden).count();
    hidden > 0 && hidden as f64 >= HIDDEN * under.len() as f64
}

/// The least distance of two columns of points.
fn least_gap(mut columns: Vec<f64>) -> f64 {
    columns.sort_by(f64::total_cmp);
    let gaps = columns.windows(2).map(|pair| pair[1] - pair[0]);
    gaps.filter(|gap| *gap >= 1.0).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use crate::{Plot, Point, Series};

    fn flat(name: &str, height: f64) -> Series {
        Series::line_and_points(name, (0..5).map(|k| Point::new(f64::from(k), height)))
    }

    fn markers(svg: &str, shape: &str, attribute: &str) -> Vec<i32> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let shapes = document.descendants().filter(|node| node.has_tag_name(shape));
        let number = |node: roxmltree::Node<'_, '_>| node.attribute(attribute)?.parse().ok();
        shapes
            .filter(|node| {
                node.attribute("class")
                    .is_some_and(|class| class.starts_with("mw-f-c"))
            })
            .filter_map(number)
            .collect()
    }

    #[test]
    fn equal_series_share_one_line_and_one_name() {
        let plot = Plot::new("p")
            .series(flat("a", 1.0))
            .series(flat("b", 2.0))
            .series(flat("c", 1.0));
        for drawn in [plot.to_svg().unwrap(), plot.to_terminal((60, 14), false).unwrap()] {
            assert!(drawn.contains("a = c"), "{drawn}");
        }
        let apart = Plot::new("p")
            .series(flat("a", 1.0))
            .series(flat("b", 2.0))
            .series(flat("c", 1.5));
        assert!(!apart.to_svg().unwrap().contains(" = "));
        let dashed = Plot::new("p")
            .series(flat("a", 1.0))
            .series(flat("b", 2.0))
            .series(flat("c", 1.0).dashed());
        assert!(
            !dashed.to_svg().unwrap().contains(" = "),
            "two looks are two series"
        );
    }

    #[test]
    fn series_under_each_other_stand_side_by_side_and_others_stay() {
        let plot = |second| {
            Plot::new("p")
                .series(flat("a", 1.0))
                .series(flat("b", second))
                .series(flat("c", 9.0))
        };
        let (near, far) = (plot(1.05).to_svg().unwrap(), plot(5.0).to_svg().unwrap());
        // The first series' markers are circles, the second's are squares.
        let (circles, squares) = (markers(&near, "circle", "cx"), markers(&near, "rect", "x"));
        assert_eq!(
            (circles.len(), squares.len()),
            (6, 6),
            "five points and the legend"
        );
        for (circle, square) in circles.iter().zip(&squares).take(5) {
            let right = square + 35 - circle;
            assert!((80..=100).contains(&right), "{right} tenths of a pixel");
        }
        assert!(near.contains("moved sideways") && !far.contains("moved sideways"));
        let (circles, squares) = (markers(&far, "circle", "cx"), markers(&far, "rect", "x"));
        assert!((squares[0] + 35 - circles[0]).abs() <= 1);
        // A single point over a curve hides little of it, and is itself seen.
        let over = Plot::new("p")
            .series(flat("a", 1.0))
            .series(Series::points("b", [Point::new(2.0, 1.0)]));
        assert!(!over.to_svg().unwrap().contains("moved sideways"));
        // The third keeps its place.
        let third = |svg: &str| {
            let document = roxmltree::Document::parse(svg).unwrap();
            let shape = document
                .descendants()
                .find(|node| node.has_tag_name("polygon"))
                .unwrap();
            shape
                .attribute("points")
                .unwrap()
                .split(',')
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!(third(&near), third(&far));
    }
}
