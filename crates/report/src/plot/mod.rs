//! Line and point plots as standalone SVG and as text for a terminal.

mod apart;
mod axis;
mod band;
mod canvas;
mod dates;
mod draw;
mod error;
mod frame;
mod hover;
mod labels;
mod layout;
mod look;
mod omitted;
mod segment;
mod series;
mod terminal;
mod theme;
mod tick;

pub use axis::{Axis, Scale};
pub use error::{GREATEST_SIZE, LEAST_SIZE, PlotError};
pub(crate) use frame::Frame;
pub(crate) use layout::{BOLD, LABEL_SIZE, PADDING, TICK_SIZE, TITLE_SIZE, fit, width_of, wrap};
pub use series::{Point, Series};
pub use terminal::{GREATEST_TERMINAL_SIZE, LEAST_TERMINAL_SIZE};
pub(crate) use theme::style_sheet;
#[cfg(test)]
pub(crate) use theme::tests::assert_text_stands_out_over_the_first_colour;

use apart::merged;
use axis::Span;
use layout::{Layout, Texts};
use omitted::{Fault, Omitted, fault_of};
use segment::is_inside;

use crate::text::for_markup;

/// Narrower pictures are for phones, which have no pointer to answer.
const HOVER_FROM: u32 = 400;

/// A plot of one or more series over two axes.
///
/// The SVG is one file without outside references: it follows the reader's light or dark colour scheme, scales to its
/// container, names itself to screen readers, answers a pointer over a point with its values, and has unique ids, so
/// that several fit in one page. Series that look the same are drawn once, under both names; series whose points lie
/// under another's are set side by side, and the picture says so. Points that are
/// not finite, not positive on a logarithmic axis, or outside a fixed range are left out, and the picture says how
/// many.
///
/// ```
/// use matchwright_report::{Axis, Plot, Point, Series};
///
/// let svg = Plot::new("Calibration")
///     .caption("Observed against predicted churn, ten bins.")
///     .x(Axis::new("Predicted").range(0.0, 1.0))
///     .y(Axis::new("Observed").range(0.0, 1.0))
///     .series(Series::line("ideal", [Point::new(0.0, 0.0), Point::new(1.0, 1.0)]).guide())
///     .series(Series::points("fitted", [Point::with_error(0.2, 0.24, 0.03), Point::new(0.7, f64::NAN)]))
///     .to_svg()?;
/// assert!(svg.starts_with("<svg "));
/// assert!(svg.contains("1 point not drawn (not finite)"));
/// # Ok::<(), matchwright_report::PlotError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    title: String,
    caption: String,
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    size: (u32, u32),
    file: Option<String>,
}

impl Plot {
    /// A plot without series, 720 by 440 pixels.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            caption: String::new(),
            x: Axis::default(),
            y: Axis::default(),
            series: Vec::new(),
            size: (720, 440),
            file: None,
        }
    }

    /// What the plot shows and how to read it, error bars included: the description for screen readers, and the
    /// caption under the plot in a page.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// The horizontal axis.
    #[must_use]
    pub fn x(mut self, axis: Axis) -> Self {
        self.x = axis;
        self
    }

    /// The vertical axis.
    #[must_use]
    pub fn y(mut self, axis: Axis) -> Self {
        self.y = axis;
        self
    }

    /// Adds a series. With two or more there is a legend.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The natural size in pixels; the picture scales down from it. A plot whose title and legend need more room than
    /// that becomes taller.
    #[must_use]
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width, height);
        self
    }

    /// Names the file that the plot is written to: `gain` for `gain.svg`.
    ///
    /// [`Page::files`](crate::Page::files) writes the plots that have a name.
    #[must_use]
    pub fn file(mut self, stem: impl Into<String>) -> Self {
        self.file = Some(stem.into());
        self
    }

    /// The stem of the plot's file, if it has a name.
    #[must_use]
    pub fn file_stem(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The plot as an SVG file. Its id is derived from its content.
    ///
    /// # Errors
    /// [`PlotError`] when no point can be drawn, or a range or the size is impossible.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        Ok(self.draw(self.size)?.file())
    }

    /// The plot for inside a page that holds [`style_sheet`]; drawn for `size` where given.
    pub(crate) fn to_inline_svg(&self, id: &str, size: Option<(u32, u32)>) -> Result<String, PlotError> {
        Ok(self.draw(size.unwrap_or(self.size))?.inline(id))
    }

    pub(crate) fn natural_size(&self) -> (u32, u32) {
        self.size
    }

    pub(crate) fn caption_text(&self) -> &str {
        &self.caption
    }

    fn draw(&self, (width, height): (u32, u32)) -> Result<Frame, PlotError> {
        if width < LEAST_SIZE.0 || height < LEAST_SIZE.1 || width.max(height) > GREATEST_SIZE {
            return Err(PlotError::Size { width, height });
        }
        let (x, y, omitted) = self.spans(true)?;
        let series = merged(&self.series, x, y);
        let names: Vec<String> = series
            .iter()
            .map(|series| for_markup(&series.name).into_owned())
            .collect();
        let (x_heading, y_heading) = (self.x.heading(), self.y.heading());
        let (title, x_heading, y_heading) = (
            for_markup(&self.title),
            for_markup(&x_heading),
            for_markup(&y_heading),
        );
        let mut texts = Texts {
            title: &title,
            x_heading: &x_heading,
            y_heading: &y_heading,
            note: "",
            legend: if names.len() > 1 {
                names.iter().map(String::as_str).collect()
            } else {
                Vec::new()
            },
        };
        let layout = |texts: &Texts<'_>| Layout::new((width.into(), height.into()), texts, x, y);
        let offsets = apart::offsets(&series, &layout(&texts), x, y);
        let note = note(omitted, &series, &offsets, (x, y));
        texts.note = &note;
        let layout = layout(&texts);
        let drawn = draw::draw(&layout, &series, &offsets, x, y)?;
        // Without the element around it, which is the first line and the end.
        let body = drawn.split_once('\n').map_or("", |(_, body)| body);
        let mut body = theme::apply(body.trim_end().trim_end_matches("</svg>"));
        if width >= HOVER_FROM {
            body += &hover::areas(&series, &offsets, &layout, (&self.x, &self.y), (x, y));
        }
        Ok(Frame {
            title: self.title.clone(),
            description: self.description(&note),
            size: (layout.width, layout.height),
            units: draw::UNITS,
            body,
        })
    }

    /// The ranges of both axes, with room for errors if they are drawn, and what will be missing.
    fn spans(&self, with_errors: bool) -> Result<(Span, Span, Omitted), PlotError> {
        let kept = || {
            self.series
                .iter()
                .flat_map(|series| &series.points)
                .filter(|point| self.fault(point).is_none())
        };
        if kept().next().is_none() {
            return Err(self.empty(self.omitted(None)));
        }
        let x = self.x.span(kept().map(|point| point.x))?;
        let ends = |point: &Point| {
            let error = point.bar().filter(|_| with_errors).unwrap_or(0.0);
            [point.y, point.y - error, point.y + error]
        };
        let y = self.y.span(
            kept()
                .flat_map(ends)
                .filter(|&value| fault_of(value, &self.y).is_none()),
        )?;
        let omitted = self.omitted(Some((x, y)));
        if omitted.total() >= self.judged().count() {
            return Err(self.empty(omitted));
        }
        Ok((x, y, omitted))
    }

    /// Why no point can be drawn, if none can.
    pub(crate) fn nothing_to_draw(&self) -> Option<String> {
        match self.spans(false) {
            Err(PlotError::Empty { reason, .. }) => Some(reason),
            _ => None,
        }
    }

    /// Caption, axes, series and what is missing, in sentences.
    fn description(&self, note: &str) -> String {
        let mut sentences = Vec::new();
        if !self.caption.is_empty() {
            sentences.push(self.caption.clone());
        }
        sentences.push(format!(
            "Horizontal axis: {}. Vertical axis: {}.",
            self.x.heading(),
            self.y.heading()
        ));
        let names: Vec<String> = self
            .series
            .iter()
            .map(|series| format!("{} ({} points)", series.name, series.points.len()))
            .collect();
        sentences.push(format!("Series: {}.", names.join(", ")));
        if !note.is_empty() {
            sentences.push(format!("{note}."));
        }
        sentences.join(" ")
    }

    fn fault(&self, point: &Point) -> Option<Fault> {
        // Both are looked at: not being finite is the graver fault.
        [fault_of(point.x, &self.x), fault_of(point.y, &self.y)]
            .into_iter()
            .flatten()
            .min()
    }

    /// The points that make a plot worth drawing: those of the data, or of the references where there is nothing
    /// else.
    fn judged(&self) -> impl Iterator<Item = &Point> {
        let only_guides = self.series.iter().all(|series| series.is_guide);
        self.series
            .iter()
            .filter(move |series| only_guides || !series.is_guide)
            .flat_map(|series| &series.points)
    }

    /// What will be missing; references may lie outside the axes.
    fn omitted(&self, spans: Option<(Span, Span)>) -> Omitted {
        let mut omitted = Omitted::default();
        let is_outside = |point: &Point| {
            spans.is_some_and(|(x, y)| !(is_inside(x.position(point.x)) && is_inside(y.position(point.y))))
        };
        for point in self.judged() {
            match self.fault(point) {
                Some(Fault::NotFinite) => omitted.not_finite += 1,
                Some(Fault::NotPositive) => omitted.not_positive += 1,
                None if is_outside(point) => omitted.outside += 1,
                None => {}
            }
        }
        omitted
    }

    fn empty(&self, omitted: Omitted) -> PlotError {
        let reason = if omitted.total() == 0 {
            "it has no points".to_owned()
        } else {
            omitted.sentence()
        };
        PlotError::Empty {
            title: self.title.clone(),
            reason,
        }
    }
}

/// What the reader of a picture must know of it.
fn note(omitted: Omitted, series: &[Series], offsets: &[f64], (x, y): (Span, Span)) -> String {
    let bands = series
        .iter()
        .filter(|series| series.is_banded && !series.is_guide)
        .count();
    let drawn = band::drawn(series, x, y)
        .into_iter()
        .filter(|is_drawn| *is_drawn)
        .count();
    let hidden = (bands > drawn).then(|| {
        let noun = if bands - drawn == 1 { "band" } else { "bands" };
        format!("{} {noun} not drawn (under another)", bands - drawn)
    });
    let is_apart = offsets.iter().any(|offset| *offset != 0.0);
    let apart = is_apart.then(|| "hidden points moved sideways".to_owned());
    let parts = [Some(omitted.sentence()), hidden, apart].into_iter().flatten();
    parts
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reason_of(plot: &Plot) -> String {
        match plot.to_svg() {
            Err(PlotError::Empty { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }

    fn any_point() -> impl Strategy<Value = Point> {
        let number = proptest::num::f64::ANY;
        (number, number, proptest::option::of(number)).prop_map(|(x, y, error)| Point { x, y, error })
    }

    fn any_axis() -> impl Strategy<Value = Axis> {
        let number = proptest::num::f64::ANY;
        (
            any::<String>(),
            any::<String>(),
            proptest::option::of((number, number)),
            0..3_usize,
        )
            .prop_map(|(label, unit, range, scale)| Axis {
                label,
                unit,
                range,
                scale: [Scale::Linear, Scale::Log10, Scale::Dates][scale],
            })
    }

    #[test]
    fn an_empty_plot_says_why() {
        let plot = Plot::new("p").y(Axis::new("y").log10());
        assert_eq!(reason_of(&plot), "it has no points");
        let guide = Series::line("g", [Point::new(1.0, 1.0), Point::new(2.0, 2.0)]).guide();
        let data = Series::points(
            "s",
            [
                Point::new(f64::NAN, 1.0),
                Point::new(1.0, -1.0),
                Point::new(1.0, 0.0),
            ],
        );
        let plot = plot.series(guide).series(data);
        assert_eq!(
            reason_of(&plot),
            "3 points not drawn (1 not finite, 2 not positive on a logarithmic axis)"
        );
        let outside = Plot::new("p")
            .x(Axis::new("x").range(0.0, 1.0))
            .series(Series::line("s", [Point::new(2.0, 1.0)]));
        assert_eq!(reason_of(&outside), "1 point not drawn (outside the axes)");
    }

    #[test]
    fn a_size_or_range_out_of_bounds_is_refused() {
        let plot = Plot::new("p").series(Series::line("s", [Point::new(2.0, 1.0)]));
        assert_eq!(
            plot.clone().size(100, 400).to_svg(),
            Err(PlotError::Size {
                width: 100,
                height: 400
            })
        );
        assert!(matches!(
            plot.clone().size(400, 20_000).to_svg(),
            Err(PlotError::Size { .. })
        ));
        assert!(matches!(
            plot.x(Axis::new("x").range(1.0, 0.0)).to_svg(),
            Err(PlotError::Range { .. })
        ));
    }

    #[test]
    fn different_plots_have_different_ids_and_equal_ones_the_same_text() {
        let plot = |y| Plot::new("p").series(Series::line("s", [Point::new(0.0, 1.0), Point::new(1.0, y)]));
        let id = |svg: String| {
            svg.split("id=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap()
                .to_owned()
        };
        assert_ne!(id(plot(1.5).to_svg().unwrap()), id(plot(1.7).to_svg().unwrap()));
        assert_eq!(plot(1.5).to_svg(), plot(1.5).to_svg());
    }

    #[test]
    fn an_error_bar_reaches_as_far_up_as_down() {
        let y = Axis::new("y").range(0.0, 10.0);
        let svg = Plot::new("p")
            .y(y)
            .series(Series::points("s", [Point::with_error(1.0, 4.0, 2.0)]))
            .to_svg()
            .unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let centre: i32 = document
            .descendants()
            .find_map(|node| node.attribute("cy"))
            .and_then(|text| text.parse().ok())
            .unwrap();
        let line = |class| {
            document
                .descendants()
                .find(move |node| node.attribute("class") == Some(class))
                .unwrap()
        };
        let heights = |class| -> Vec<i32> {
            let points = line(class).attribute("points").unwrap().split_whitespace();
            points
                .map(|point| point.split_once(',').unwrap().1.parse().unwrap())
                .collect()
        };
        // The first two corners of the axes are their top and bottom, ten units apart.
        let (bar, axes) = (heights("mw-s-c0"), heights("mw-s-axis"));
        let unit = (axes[1] - axes[0]) / 10;
        assert!(
            (bar[0] - centre - 2 * unit).abs() <= 10 && (centre - bar[1] - 2 * unit).abs() <= 10,
            "{bar:?} {centre}"
        );
    }

    #[test]
    fn a_lone_point_of_a_line_is_seen() {
        let points = [
            Point::new(0.0, 1.0),
            Point::new(1.0, 2.0),
            Point::new(2.0, f64::NAN),
            Point::new(3.0, 4.0),
        ];
        let svg = Plot::new("p").series(Series::line("s", points)).to_svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 1);
    }

    #[test]
    fn a_gap_in_the_data_breaks_the_line() {
        let points = [0.0, 1.0, f64::NAN, 3.0, 4.0]
            .map(|y| Point::new(y.max(0.0) + if y.is_nan() { 2.0 } else { 0.0 }, y));
        let svg = Plot::new("p").series(Series::line("s", points)).to_svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let lines = document
            .descendants()
            .filter(|node| node.attribute("class") == Some("mw-s-c0"))
            .count();
        assert_eq!(lines, 2);
    }

    proptest! {
        #[test]
        fn any_plot_is_an_error_or_well_formed_and_inside_its_canvas(
            texts in prop::array::uniform4(any::<String>()), x in any_axis(), y in any_axis(),
            points in prop::collection::vec(any_point(), 0..8), size in (0_u32..1500, 0_u32..1500),
        ) {
            let [title, caption, first, second] = texts;
            for (x, y) in [(x.clone(), y.clone()), (Axis { range: None, ..x }, Axis { range: None, ..y })] {
                let plot = Plot::new(title.clone()).caption(caption.clone()).x(x).y(y).size(size.0, size.1)
                    .series(Series::line_and_points(first.clone(), points.clone()))
                    .series(Series::points(second.clone(), points.clone()).dashed().guide());
                let Ok(svg) = plot.to_svg() else { continue };
                let document = roxmltree::Document::parse(&svg).unwrap();
                let root = document.root_element();
                let view: Vec<f64> = root.attribute("viewBox").unwrap().split(' ').map(|part| part.parse().unwrap()).collect();
                for line in document.descendants().filter(|node| node.has_tag_name("polyline")) {
                    for pair in line.attribute("points").unwrap().split_whitespace() {
                        let (x, y) = pair.split_once(',').unwrap();
                        prop_assert!((-60.0..=view[2] + 60.0).contains(&x.parse().unwrap()), "{}", pair);
                        prop_assert!((-60.0..=view[3] + 60.0).contains(&y.parse().unwrap()), "{}", pair);
                    }
                }
                prop_assert!(!svg.contains("#A7"), "a sentinel colour is left");
            }
        }

        #[test]
        fn ordinary_data_are_always_drawn(values in prop::collection::vec((-1e9..1e9_f64, -1e9..1e9_f64, 0.0..1e8_f64), 1..8)) {
            let points = values.iter().map(|&(x, y, error)| Point::with_error(x, y, error));
            let svg = Plot::new("p").series(Series::points("s", points)).to_svg().unwrap();
            prop_assert_eq!(svg.matches("<circle").count(), values.len());
            prop_assert!(!svg.contains("not drawn"));
        }
    }
}
