//! What a pointer over a point of a plot says: its series, its values and its error.

use std::fmt::Write as _;

use maud::html;

use super::axis::Span;
use super::draw::units;
use super::layout::Layout;
use super::segment::is_inside;
use super::{Axis, Series};
use crate::number::brief;
use crate::text::for_markup;

/// Half the side of the area that answers for a point, in pixels.
const REACH: f64 = 8.0;
/// Points that are closer answer together.
const CLOSE: f64 = 4.0;
/// A picture has no more areas than these: of a longer course every n-th point answers.
const MOST: usize = 300;

/// A point that is seen, and what is said of it.
struct Answer {
    x: f64,
    y: f64,
    words: String,
}

/// Areas that are not seen, over the points, each with its answer as a `title`.
pub(crate) fn areas(
    series: &[Series],
    offsets: &[f64],
    layout: &Layout,
    axes: (&Axis, &Axis),
    spans: (Span, Span),
) -> String {
    let data = || series.iter().zip(offsets).filter(|(series, _)| !series.is_guide);
    let every = data()
        .map(|(series, _)| series.points.len())
        .sum::<usize>()
        .div_ceil(MOST)
        .max(1);
    let mut answers: Vec<Answer> = Vec::new();
    for (series, offset) in data() {
        // The last point is always among them.
        let first = series.points.len().saturating_sub(1) % every;
        for (index, point) in series.points.iter().enumerate().skip(first).step_by(every) {
            let (across, up) = (spans.0.position(point.x), spans.1.position(point.y));
            if is_inside(across) && is_inside(up) {
                answers.push(Answer {
                    x: layout.across(across) + offset,
                    y: layout.up(up),
                    words: words(series, index, axes, spans),
                });
            }
        }
    }
    let mut areas = String::new();
    for answer in &answers {
        let is_close =
            |other: &&Answer| (other.x - answer.x).abs() < CLOSE && (other.y - answer.y).abs() < CLOSE;
        let words: Vec<&str> = answers
            .iter()
            .filter(is_close)
            .map(|other| other.words.as_str())
            .collect();
        let title = html! { title { (for_markup(&words.join("\n\n"))) } }.into_string();
        let _ = writeln!(
            areas,
            "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"none\" pointer-events=\"all\">{title}</rect>",
            units(answer.x - REACH),
            units(answer.y - REACH),
            side = units(2.0 * REACH)
        );
    }
    areas
}

/// Name, then both values, a line each.
fn words(series: &Series, index: usize, axes: (&Axis, &Axis), spans: (Span, Span)) -> String {
    let point = &series.points[index];
    let label = series.labels.get(index).map_or("", String::as_str);
    let name = [label, &series.name].into_iter().filter(|name| !name.is_empty());
    let heading = |axis: &Axis, otherwise: &str| {
        let heading = axis.heading();
        if heading.is_empty() {
            otherwise.to_owned()
        } else {
            heading
        }
    };
    let error = point
        .bar()
        .map_or(String::new(), |error| format!(" ± {}", brief(error, 2)));
    [
        name.collect::<Vec<_>>().join(", "),
        format!("{}: {}", heading(axes.0, "x"), spans.0.value(point.x)),
        format!("{}: {}{error}", heading(axes.1, "y"), spans.1.value(point.y)),
    ]
    .into_iter()
    .filter(|line| !line.is_empty())
    .collect::<Vec<_>>()
    .join("\n")
}

#[cfg(test)]
mod tests {
    use crate::{Axis, Plot, Point, Series};

    fn titles(svg: &str) -> Vec<String> {
        let document = roxmltree::Document::parse(svg).unwrap();
        let titles = document.descendants().filter(|node| node.has_tag_name("title"));
        titles
            .filter(|node| node.parent().unwrap().has_tag_name("rect"))
            .map(|node| node.text().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn every_point_says_what_it_is() {
        let plot = Plot::new("p")
            .x(Axis::new("Players"))
            .y(Axis::new("Gain").unit("%"))
            .series(Series::line("guide", [Point::new(0.0, 0.0), Point::new(500.0, 1.0)]).guide())
            .series(
                Series::points(
                    "ours",
                    [
                        Point::with_error(100.0, 0.25, 0.0123),
                        Point::new(12_500.0, f64::NAN),
                    ],
                )
                .labels(["first"]),
            )
            .series(Series::line("theirs", [Point::new(500.0, 1.0)]));
        assert_eq!(
            titles(&plot.to_svg().unwrap()),
            [
                "first, ours\nPlayers: 100\nGain (%): 0.25 ± 0.012",
                "theirs\nPlayers: 500\nGain (%): 1"
            ]
        );
    }

    #[test]
    fn points_at_one_place_answer_together_and_a_long_course_at_some() {
        let at = |name: &str| Series::line(name, [Point::new(1.0, 1.0), Point::new(2.0, 2.0)]);
        let plot = Plot::new("p").series(at("a")).series(at("b").dashed());
        for title in titles(&plot.to_svg().unwrap()) {
            assert!(title.contains("a\n") && title.contains("\n\nb\n"), "{title}");
        }
        let long = Series::line(
            "l",
            (0..5_000).map(|k| Point::new(f64::from(k), f64::from(k % 7))),
        );
        let titles = titles(&Plot::new("p").series(long).to_svg().unwrap());
        assert!((200..=300).contains(&titles.len()), "{}", titles.len());
        assert!(
            titles.last().unwrap().contains("x: 4999"),
            "the last point answers"
        );
    }
}
