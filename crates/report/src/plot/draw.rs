//! Paints a laid-out plot with plotters' elements on its SVG backend.
//!
//! The backend's coordinates are whole numbers, so the canvas has ten units per pixel and the `viewBox` scales it
//! back.

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, ShapeStyle, TextStyle};

use super::axis::Span;
use super::layout::{LABEL_SIZE, Layout, Placed, SWATCH, TICK_SIZE, TITLE_SIZE, legend_text_x};
use super::look::{Look, MARKERS, looks};
use super::segment::{MARKER_RADIUS, clip, is_inside};
use super::theme::Role;
use super::{PlotError, Series, band, labels};

/// Canvas units per pixel.
pub(crate) const UNITS: f64 = 10.0;
/// Plotters divides font sizes by this before it writes them; the layout's sizes are such that nothing is left of it.
const PLOTTERS_FONT_FACTOR: f64 = 1.24;
/// Several bands over each other must stay apart from the lines.
const BAND_OPACITY: f64 = 0.14;

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A point inside the axes, in pixels, with the ends of its error bar (clipped to the axes).
struct Dot {
    x: f64,
    y: f64,
    bar: Option<Bar>,
}

struct Bar {
    low: f64,
    high: f64,
    /// Whether an end is the bar's own rather than the edge of the axes.
    caps: (bool, bool),
}

/// Draws everything, each series moved by its offset; gives the raw SVG with sentinel colours.
pub(crate) fn draw(
    layout: &Layout,
    series: &[Series],
    offsets: &[f64],
    x: Span,
    y: Span,
) -> Result<String, PlotError> {
    let mut svg = String::new();
    {
        let size = (
            units(layout.width).unsigned_abs(),
            units(layout.height).unsigned_abs(),
        );
        let canvas = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let painter = Painter {
            canvas: &canvas,
            layout,
            x,
            y,
            offset: 0.0,
        };
        painter
            .draw_all(series, offsets)
            .map_err(|error| PlotError::Drawing(error.to_string()))?;
        canvas
            .present()
            .map_err(|error| PlotError::Drawing(error.to_string()))?;
    }
    Ok(svg)
}

type DrawResult = Result<(), Box<dyn std::error::Error>>;

#[derive(Clone, Copy)]
struct Painter<'a, 'b> {
    canvas: &'a Canvas<'b>,
    layout: &'a Layout,
    x: Span,
    y: Span,
    /// How far to the right series are drawn, in pixels.
    offset: f64,
}

impl Painter<'_, '_> {
    fn draw_all(&self, series: &[Series], offsets: &[f64]) -> DrawResult {
        let Layout { width, height, .. } = *self.layout;
        self.canvas.draw(&Rectangle::new(
            [canvas_point(0.0, 0.0), canvas_point(width, height)],
            Role::Surface.sentinel().filled(),
        ))?;
        self.draw_axes()?;
        let looks = looks(series);
        // Bands go behind all lines, so that none hides another's course.
        let is_drawn = band::drawn(series, self.x, self.y);
        for ((series, look), _) in series
            .iter()
            .zip(&looks)
            .zip(is_drawn)
            .filter(|(_, is_drawn)| *is_drawn)
        {
            self.draw_band(series, *look)?;
        }
        // References go behind the data, whatever their order.
        let (guides, data): (Vec<_>, Vec<_>) = series
            .iter()
            .zip(looks.iter().zip(offsets))
            .partition(|(series, _)| series.is_guide);
        for (series, (look, offset)) in guides.into_iter().chain(data) {
            let painter = Painter {
                offset: *offset,
                ..*self
            };
            painter.draw_series(series, *look)?;
        }
        for label in labels::place(series, offsets, self.layout, self.x, self.y) {
            self.text(&label, HPos::Left, TICK_SIZE, Role::Text)?;
        }
        self.draw_texts(series, &looks)
    }

    fn draw_axes(&self) -> DrawResult {
        let Layout {
            left,
            right,
            top,
            bottom,
            ..
        } = *self.layout;
        for (at, _) in &self.layout.x_ticks {
            self.line(&[(*at, top), (*at, bottom)], Role::Grid, 1.0)?;
        }
        for (at, _) in &self.layout.y_ticks {
            self.line(&[(left, *at), (right, *at)], Role::Grid, 1.0)?;
        }
        self.line(&[(left, top), (left, bottom), (right, bottom)], Role::Axis, 1.2)?;
        for (at, label) in &self.layout.x_ticks {
            self.line(&[(*at, bottom), (*at, bottom + 4.0)], Role::Axis, 1.2)?;
            let label = Placed {
                y: bottom + 14.0,
                ..label.clone()
            };
            self.text(&label, HPos::Center, TICK_SIZE, Role::Muted)?;
        }
        for (at, label) in &self.layout.y_ticks {
            self.line(&[(left - 4.0, *at), (left, *at)], Role::Axis, 1.2)?;
            self.text(label, HPos::Right, TICK_SIZE, Role::Muted)?;
        }
        Ok(())
    }

    fn draw_series(&self, series: &Series, look: Look) -> DrawResult {
        let dots: Vec<Dot> = series.points.iter().filter_map(|point| self.dot(point)).collect();
        for bar in dots
            .iter()
            .filter(|_| !series.is_banded)
            .filter_map(|dot| dot.bar.as_ref().map(|bar| (dot.x, bar)))
        {
            self.draw_bar(bar.0, bar.1, look.solid)?;
        }
        if series.has_line() {
            for line in self.runs(series).iter().flat_map(|run| self.lines_of(run)) {
                self.line(&line, look.line, look.line_width)?;
            }
        }
        if series.has_markers() {
            for dot in &dots {
                self.marker((dot.x, dot.y), look)?;
            }
        } else {
            // A line through one point alone would not show.
            for run in self.runs(series) {
                if let &[(x, y)] = &run[..]
                    && is_inside(x)
                    && is_inside(y)
                {
                    self.marker(self.pixel((x, y)), look)?;
                }
            }
        }
        Ok(())
    }

    fn draw_band(&self, series: &Series, look: Look) -> DrawResult {
        for outline in band::outlines(series, self.x, self.y) {
            let corners = outline
                .into_iter()
                .map(|(across, up)| canvas_point(self.pixel_x(across), self.pixel_y(up)));
            let area = look.solid.sentinel().mix(BAND_OPACITY).filled();
            self.canvas
                .draw(&Polygon::new(corners.collect::<Vec<_>>(), area))?;
        }
        Ok(())
    }

    fn draw_bar(&self, x: f64, bar: &Bar, role: Role) -> DrawResult {
        self.line(&[(x, bar.low), (x, bar.high)], role, 1.4)?;
        let ends = [(bar.low, bar.caps.0), (bar.high, bar.caps.1)];
        for (end, _) in ends.into_iter().filter(|(_, is_own_end)| *is_own_end) {
            self.line(&[(x - 3.5, end), (x + 3.5, end)], role, 1.4)?;
        }
        Ok(())
    }

    fn draw_texts(&self, series: &[Series], looks: &[Look]) -> DrawResult {
        for line in &self.layout.title {
            self.styled(line, HPos::Left, TITLE_SIZE, Role::Text, FontStyle::Bold)?;
        }
        for ((place, series), look) in self.layout.legend.iter().zip(series).zip(looks) {
            let middle = place.x + SWATCH / 2.0;
            if series.has_line() {
                self.line(
                    &[(place.x, place.y), (place.x + SWATCH, place.y)],
                    look.line,
                    look.line_width,
                )?;
            }
            if series.has_markers() {
                self.marker((middle, place.y), *look)?;
            }
            let name = Placed {
                x: legend_text_x(place.x),
                ..place.clone()
            };
            self.text(&name, HPos::Left, LABEL_SIZE, Role::Text)?;
        }
        self.text(&self.layout.y_heading, HPos::Left, LABEL_SIZE, Role::Text)?;
        self.text(&self.layout.x_heading, HPos::Center, LABEL_SIZE, Role::Text)?;
        self.text(&self.layout.note, HPos::Left, TICK_SIZE, Role::Muted)
    }

    /// Where a point and its bar are, if the point is inside the axes.
    fn dot(&self, point: &super::Point) -> Option<Dot> {
        let (across, up) = (self.x.position(point.x), self.y.position(point.y));
        if !(is_inside(across) && is_inside(up)) {
            return None;
        }
        let bar = point.bar().map(|error| {
            // Below zero a logarithmic axis has no place: such a bar runs into the edge.
            let end = |value: f64| Some(self.y.position(value)).filter(|position| position.is_finite());
            let (low, high) = (
                end(point.y - error).unwrap_or(-1.0),
                end(point.y + error).unwrap_or(2.0),
            );
            Bar {
                low: self.pixel_y(low.clamp(0.0, 1.0)),
                high: self.pixel_y(high.clamp(0.0, 1.0)),
                caps: (is_inside(low), is_inside(high)),
            }
        });
        Some(Dot {
            x: self.pixel_x(across),
            y: self.pixel_y(up),
            bar,
        })
    }

    /// The series' points as maximal runs of points that have a place on both axes.
    fn runs(&self, series: &Series) -> Vec<Vec<(f64, f64)>> {
        let place = |point: &super::Point| {
            let place = (self.x.position(point.x), self.y.position(point.y));
            (place.0.is_finite() && place.1.is_finite()).then_some(place)
        };
        let places: Vec<Option<(f64, f64)>> = series.path().iter().map(place).collect();
        let runs = places.split(Option::is_none);
        runs.map(|run| run.iter().flatten().copied().collect()).collect()
    }

    /// The visible parts of a run of points as lines in pixels: cut at the edge of the axes.
    fn lines_of(&self, run: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
        let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut end_of_last = None;
        for pair in run.windows(2) {
            let visible = clip(pair[0], pair[1]);
            if let Some((start, end)) = visible {
                match lines.last_mut() {
                    Some(line) if end_of_last == Some(start) => line.push(self.pixel(end)),
                    _ => lines.push(vec![self.pixel(start), self.pixel(end)]),
                }
            }
            end_of_last = visible.map(|(_, end)| end);
        }
        lines
    }

    fn marker(&self, (x, y): (f64, f64), look: Look) -> DrawResult {
        let radius = MARKER_RADIUS;
        let at = |dx: f64, dy: f64| canvas_point(x + dx * radius, y + dy * radius);
        let filled = look.solid.sentinel().filled();
        match look.marker % MARKERS {
            0 => self
                .canvas
                .draw(&Circle::new(canvas_point(x, y), units(radius), filled))?,
            1 => self
                .canvas
                .draw(&Rectangle::new([at(-0.88, -0.88), at(0.88, 0.88)], filled))?,
            2 => self.canvas.draw(&Polygon::new(
                vec![at(0.0, -1.2), at(1.1, 0.8), at(-1.1, 0.8)],
                filled,
            ))?,
            3 => self.canvas.draw(&Polygon::new(
                vec![at(0.0, -1.3), at(1.3, 0.0), at(0.0, 1.3), at(-1.3, 0.0)],
                filled,
            ))?,
            4 => self.canvas.draw(&Polygon::new(
                vec![at(0.0, 1.2), at(1.1, -0.8), at(-1.1, -0.8)],
                filled,
            ))?,
            _ => {
                let reach = 0.85 * radius;
                self.line(&[(x - reach, y - reach), (x + reach, y + reach)], look.solid, 2.2)?;
                self.line(&[(x - reach, y + reach), (x + reach, y - reach)], look.solid, 2.2)?;
            }
        }
        Ok(())
    }

    fn line(&self, points: &[(f64, f64)], role: Role, width: f64) -> DrawResult {
        let points: Vec<(i32, i32)> = points.iter().map(|&(x, y)| canvas_point(x, y)).collect();
        let style = ShapeStyle {
            color: role.sentinel().to_rgba(),
            filled: false,
            stroke_width: units(width).unsigned_abs(),
        };
        Ok(self.canvas.draw(&PathElement::new(points, style))?)
    }

    fn text(&self, placed: &Placed, anchor: HPos, size: f64, role: Role) -> DrawResult {
        self.styled(placed, anchor, size, role, FontStyle::Normal)
    }

    fn styled(
        &self,
        placed: &Placed,
        anchor: HPos,
        size: f64,
        role: Role,
        font_style: FontStyle,
    ) -> DrawResult {
        if placed.text.is_empty() {
            return Ok(());
        }
        let font = ("sans-serif", size * UNITS * PLOTTERS_FONT_FACTOR)
            .into_font()
            .style(font_style);
        let colour = role.sentinel();
        let style = TextStyle::from(font)
            .color(&colour)
            .pos(Pos::new(anchor, VPos::Center));
        Ok(self.canvas.draw(&Text::new(
            placed.text.as_str(),
            canvas_point(placed.x, placed.y),
            style,
        ))?)
    }

    fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.pixel_x(x), self.pixel_y(y))
    }

    fn pixel_x(&self, position: f64) -> f64 {
        self.layout.across(position) + self.offset
    }

    fn pixel_y(&self, position: f64) -> f64 {
        self.layout.up(position)
    }
}

fn canvas_point(x: f64, y: f64) -> (i32, i32) {
    (units(x), units(y))
}

/// Pixels in whole canvas units.
#[allow(
    clippy::cast_possible_truncation,
    reason = "pictures are at most 10,000 pixels wide; the cast saturates"
)]
pub(crate) fn units(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plotters_font_factor_cancels() {
        for size in [TITLE_SIZE, LABEL_SIZE, TICK_SIZE] {
            assert_eq!(
                size * UNITS * PLOTTERS_FONT_FACTOR / PLOTTERS_FONT_FACTOR,
                size * UNITS
            );
        }
    }

    #[test]
    fn a_segment_is_cut_at_the_edges_it_crosses() {
        assert_eq!(clip((-1.0, 0.5), (2.0, 0.5)), Some(((0.0, 0.5), (1.0, 0.5))));
        assert_eq!(clip((0.5, 0.5), (0.5, 1.5)), Some(((0.5, 0.5), (0.5, 1.0))));
        assert_eq!(clip((0.2, 0.3), (0.4, 0.1)), Some(((0.2, 0.3), (0.4, 0.1))));
        assert_eq!(clip((-1.0, 0.5), (0.5, 2.0)), None);
        assert_eq!(clip((2.0, 0.0), (2.0, 1.0)), None);
    }
}
