//! Names beside points: those of points on each other share a label, and no label covers another or a point.

use super::Series;
use super::axis::Span;
use super::layout::{Layout, Placed, TICK_SIZE, whole, width_of};
use super::segment::{MARKER_RADIUS, clip, is_inside};

const HEIGHT: f64 = 15.0;
const GAP: f64 = 3.0;

/// A place in pixels, or on the axes.
type Place = (f64, f64);

/// A rectangle: left, top, right, bottom.
type Area = [f64; 4];

/// Points of one series that touch each other, and the names of those that have one.
struct Blob {
    area: Area,
    names: Vec<String>,
}

/// The labels that have room, anchored left; beside lines rather than on them, where that can be.
pub(crate) fn place(series: &[Series], offsets: &[f64], layout: &Layout, x: Span, y: Span) -> Vec<Placed> {
    if series.iter().all(|series| series.labels.is_empty()) {
        return Vec::new();
    }
    let shifted = || series.iter().zip(offsets);
    let dots: Vec<_> = shifted()
        .map(|(series, offset)| dots(series, *offset, layout, (x, y)))
        .collect();
    let lines: Vec<Place> = shifted()
        .flat_map(|(series, offset)| along(series, *offset, layout, (x, y)))
        .collect();
    let mut taken: Vec<Area> = dots.iter().flatten().map(|(_, area)| *area).collect();
    let inside = [layout.left, layout.top, layout.right, layout.bottom];
    let is_clear = |area: &&Area| !lines.iter().any(|&(x, y)| contains(area, &[x, y, x, y]));
    let mut placed = Vec::new();
    for (series, dots) in series
        .iter()
        .zip(&dots)
        .filter(|(series, _)| !series.labels.is_empty())
    {
        for blob in blobs(series, dots) {
            let text = blob.names.join(", ");
            let is_free =
                |area: &Area| contains(&inside, area) && !taken.iter().any(|other| overlap(area, other));
            let mut free = around(&blob.area, width_of(&text, TICK_SIZE)).to_vec();
            free.retain(is_free);
            if let Some(area) = free.iter().find(is_clear).or(free.first()) {
                taken.push(*area);
                placed.push(Placed {
                    x: area[0],
                    y: f64::midpoint(area[1], area[3]),
                    text,
                });
            }
        }
    }
    placed
}

/// The area of each marker that is seen, by point.
fn dots(series: &Series, offset: f64, layout: &Layout, (x, y): (Span, Span)) -> Vec<(usize, Area)> {
    let places = series
        .points
        .iter()
        .map(|point| (x.position(point.x), y.position(point.y)));
    let seen = places
        .enumerate()
        .filter(|(_, (across, up))| is_inside(*across) && is_inside(*up));
    seen.map(|(index, (across, up))| {
        let (x, y, radius) = (layout.across(across) + offset, layout.up(up), MARKER_RADIUS);
        (index, [x - radius, y - radius, x + radius, y + radius])
    })
    .collect()
}

/// Places along the line of a series, no further from each other than a label is high.
fn along(series: &Series, offset: f64, layout: &Layout, (x, y): (Span, Span)) -> Vec<Place> {
    let path: Vec<Place> = series
        .path()
        .iter()
        .map(|point| (x.position(point.x), y.position(point.y)))
        .collect();
    let is_drawn = |pair: &&[Place]| {
        series.has_line()
            && pair
                .iter()
                .all(|(across, up)| across.is_finite() && up.is_finite())
    };
    let visible = path
        .windows(2)
        .filter(is_drawn)
        .filter_map(|pair| clip(pair[0], pair[1]));
    let pixel = |(across, up): Place| (layout.across(across) + offset, layout.up(up));
    visible
        .map(|(from, to)| (pixel(from), pixel(to)))
        .flat_map(|(from, to)| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let steps = whole(dx.hypot(dy) / (HEIGHT / 3.0)) + 1;
            (0..=steps).map(move |step| {
                let way = step as f64 / steps as f64;
                (from.0 + way * dx, from.1 + way * dy)
            })
        })
        .collect()
}

/// Points that touch a point of a blob belong to it.
fn blobs(series: &Series, dots: &[(usize, Area)]) -> Vec<Blob> {
    let mut blobs: Vec<Blob> = Vec::new();
    for (index, area) in dots {
        let names = series.labels.get(*index).filter(|name| !name.is_empty()).cloned();
        let mut joined = Blob {
            area: *area,
            names: names.into_iter().collect(),
        };
        let (touched, others) = blobs
            .into_iter()
            .partition(|blob: &Blob| overlap(&blob.area, area));
        blobs = others;
        for blob in touched.into_iter().rev() {
            joined.area = union(&blob.area, &joined.area);
            joined.names.splice(0..0, blob.names);
        }
        blobs.push(joined);
    }
    blobs.retain(|blob| !blob.names.is_empty());
    blobs
}

/// Where a label of this width can stand beside an area, the best place first.
fn around(area: &Area, width: f64) -> [Area; 8] {
    let [left, top, right, bottom] = *area;
    let (middle, centre) = (
        f64::midpoint(top, bottom) - HEIGHT / 2.0,
        f64::midpoint(left, right) - width / 2.0,
    );
    let (before, after) = (left - GAP - width, right + GAP);
    let (above, below) = (top - GAP - HEIGHT, bottom + GAP);
    [
        (after, middle),
        (before, middle),
        (centre, above),
        (centre, below),
        (after, above),
        (after, below),
        (before, above),
        (before, below),
    ]
    .map(|(x, y)| [x, y, x + width, y + HEIGHT])
}

fn overlap(one: &Area, other: &Area) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

fn contains(outer: &Area, inner: &Area) -> bool {
    outer[0] <= inner[0] && outer[1] <= inner[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

fn union(one: &Area, other: &Area) -> Area {
    [
        one[0].min(other[0]),
        one[1].min(other[1]),
        one[2].max(other[2]),
        one[3].max(other[3]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Plot, Point};
    use proptest::prelude::*;

    fn texts(svg: &str) -> Vec<(String, f64, f64)> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        let number = |node: &roxmltree::Node<'_, '_>, name| {
            node.attribute(name).unwrap().parse::<f64>().unwrap() / 10.0
        };
        texts
            .map(|node| {
                (
                    node.text().unwrap().trim().to_owned(),
                    number(&node, "x"),
                    number(&node, "y"),
                )
            })
            .collect()
    }

    fn labelled(points: &[(f64, f64)], names: &[String]) -> String {
        let axis = || Axis::new("").range(0.0, 1.0);
        let series = Series::points("", points.iter().map(|&place| Point::from(place))).labels(names);
        Plot::new("").x(axis()).y(axis()).series(series).to_svg().unwrap()
    }

    #[test]
    fn points_on_each_other_share_a_label_and_lone_ones_have_their_own() {
        let names = ["WWW", "LLL", "DDD", "LLW"].map(str::to_owned);
        let svg = labelled(&[(0.5, 0.5), (0.2, 0.8), (0.501, 0.503), (0.99, 0.1)], &names);
        let found: Vec<String> = texts(&svg).into_iter().map(|(text, ..)| text).collect();
        for label in ["WWW, DDD", "LLL", "LLW"] {
            assert!(found.iter().any(|text| text == label), "{label} in {found:?}");
        }
        // Near the right edge a label stands on the left.
        let (_, x, _) = texts(&svg).into_iter().find(|(text, ..)| text == "LLW").unwrap();
        assert!(x < 680.0, "{x}");
    }

    #[test]
    fn a_label_stands_beside_a_line_rather_than_on_it() {
        let axis = || Axis::new("").range(0.0, 1.0);
        let line = |height: f64| Series::line("", [Point::new(0.0, height), Point::new(1.0, height)]).guide();
        let height_of = |line: Series| {
            let svg = Plot::new("")
                .x(axis())
                .y(axis())
                .series(line)
                .series(Series::points("", [Point::new(0.5, 0.5)]).labels(["WWW"]));
            let found = texts(&svg.to_svg().unwrap())
                .into_iter()
                .find(|(text, ..)| text == "WWW")
                .unwrap();
            found.2
        };
        let (beside, above) = (height_of(line(0.9)), height_of(line(0.5)));
        assert!(
            (beside - above - HEIGHT / 2.0 - MARKER_RADIUS - GAP).abs() < 0.2,
            "{beside} {above}"
        );
    }

    proptest! {
        #[test]
        fn labels_never_cover_each_other(points in prop::collection::vec((0.0..1.0_f64, 0.0..1.0_f64), 1..40)) {
            let names: Vec<String> = (0..points.len()).map(|k| format!("name{k:02}")).collect();
            let svg = labelled(&points, &names);
            let labels: Vec<_> = texts(&svg).into_iter().filter(|(text, ..)| text.starts_with("name")).collect();
            prop_assert!(!labels.is_empty());
            for (index, (one, x1, y1)) in labels.iter().enumerate() {
                for (other, x2, y2) in &labels[index + 1..] {
                    let apart = (y1 - y2).abs() >= HEIGHT - 0.2 || *x1 + width_of(one, TICK_SIZE) <= x2 + 0.2 || *x2 + width_of(other, TICK_SIZE) <= x1 + 0.2;
                    prop_assert!(apart, "{one} {x1} {y1}, {other} {x2} {y2}");
                }
            }
        }
    }
}
