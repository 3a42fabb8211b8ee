//! [`Series`] and [`Point`]: points with error bars, joined or not.

use std::borrow::Cow;

/// One point of a series, with an optional error bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Position along the horizontal axis.
    pub x: f64,
    /// Position along the vertical axis.
    pub y: f64,
    /// Half the height of the error bar or band, in the unit of `y`: one standard error, or whatever the caption
    /// says.
    pub error: Option<f64>,
}

impl Point {
    /// A point without an error bar.
    #[must_use]
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, error: None }
    }

    /// A point whose bar reaches from `y - error` to `y + error`. A bar that is not finite or not positive is not
    /// drawn.
    #[must_use]
    pub fn with_error(x: f64, y: f64, error: f64) -> Self {
        Self {
            x,
            y,
            error: Some(error),
        }
    }

    /// The half-height of the bar, if there is one to draw.
    pub(crate) fn bar(&self) -> Option<f64> {
        self.error.filter(|error| error.is_finite() && *error > 0.0)
    }
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self::new(x, y)
    }
}

/// How the points of a series are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Line,
    Step,
    Points,
    LineAndPoints,
}

/// Points that belong together, under one name in the legend.
///
/// Series differ by colour and also by dash (lines) or marker (points), so that they can be told apart without
/// colour. A point that cannot be drawn breaks the line: nothing is drawn across a gap in the data.
///
/// ```
/// use matchwright_report::{Point, Series};
///
/// let diagonal = Series::line("perfect calibration", [Point::new(0.0, 0.0), Point::new(1.0, 1.0)]).guide();
/// let measured = Series::points("fitted model", [Point::with_error(0.12, 0.15, 0.02)]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
    /// By point; empty or missing where there is none.
    pub(crate) labels: Vec<String>,
    mark: Mark,
    pub(crate) is_dashed: bool,
    pub(crate) is_guide: bool,
    pub(crate) is_banded: bool,
}

impl Series {
    /// Points joined by a line, in the order given.
    #[must_use]
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Self {
            name: name.into(),
            points: points.into_iter().collect(),
            labels: Vec::new(),
            mark: Mark::Line,
            is_dashed: false,
            is_guide: false,
            is_banded: false,
        }
    }

    /// Points joined by steps: each value holds until the next point, as a rating does between two games.
    ///
    /// ```
    /// use matchwright_report::{Plot, Point, Series};
    ///
    /// let svg = Plot::new("K").series(Series::step("K", [(0.0, 256.0), (10.0, 128.0), (15.0, 128.0)].map(Point::from))).to_svg()?;
    /// // Three points, and a corner before the second and the third.
    /// assert_eq!(svg.split("class=\"mw-s-c0\" ").nth(1).unwrap().split('/').next().unwrap().matches(',').count(), 5);
    /// # Ok::<(), matchwright_report::PlotError>(())
    /// ```
    #[must_use]
    pub fn step(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Self {
            mark: Mark::Step,
            ..Self::line(name, points)
        }
    }

    /// Markers alone.
    #[must_use]
    pub fn points(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Self {
            mark: Mark::Points,
            ..Self::line(name, points)
        }
    }

    /// Markers joined by a line, in the order given.
    #[must_use]
    pub fn line_and_points(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Self {
        Self {
            mark: Mark::LineAndPoints,
            ..Self::line(name, points)
        }
    }

    /// Names the points, in their order. Names stand beside their points where there is room; points that lie on each
    /// other share a label.
    #[must_use]
    pub fn labels<L: Into<String>>(mut self, labels: impl IntoIterator<Item = L>) -> Self {
        self.labels = labels.into_iter().map(Into::into).collect();
        self
    }

    /// Draws the line dashed.
    #[must_use]
    pub fn dashed(mut self) -> Self {
        self.is_dashed = true;
        self
    }

    /// Marks a reference, such as the diagonal of a reliability diagram: muted, behind the data, outside the palette.
    #[must_use]
    pub fn guide(mut self) -> Self {
        self.is_guide = true;
        self
    }

    /// Shows the errors as a band around the line instead of as bars. Of bands that would cover each other the first is
    /// drawn, and the plot says so.
    #[must_use]
    pub fn banded(mut self) -> Self {
        self.is_banded = true;
        self
    }

    pub(crate) fn has_line(&self) -> bool {
        self.mark != Mark::Points
    }

    pub(crate) fn has_markers(&self) -> bool {
        matches!(self.mark, Mark::Points | Mark::LineAndPoints)
    }

    /// Whether both are drawn alike, but for their points.
    pub(crate) fn is_drawn_like(&self, other: &Self) -> bool {
        let style = |series: &Self| (series.mark, series.is_dashed, series.is_guide, series.is_banded);
        style(self) == style(other)
    }

    /// The points that the line goes through: those of the series, with the corners of steps.
    pub(crate) fn path(&self) -> Cow<'_, [Point]> {
        if self.mark != Mark::Step {
            return Cow::Borrowed(&self.points);
        }
        let corners = self.points.windows(2).map(|pair| Point {
            x: pair[1].x,
            ..pair[0]
        });
        let rest = corners.zip(&self.points[1.min(self.points.len())..]);
        let first = self.points.first().copied().into_iter();
        Cow::Owned(
            first
                .chain(rest.flat_map(|(corner, point)| [corner, *point]))
                .collect(),
        )
    }
}
