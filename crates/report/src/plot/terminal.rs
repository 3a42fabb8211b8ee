//! A plot drawn with characters: lines in braille dots, series by letter.

use super::apart::merged;
use super::axis::Span;
use super::canvas::{Canvas, Ink, nearest, sign};
use super::segment::{clip, is_inside};
use super::tick::Tick;
use super::{Plot, PlotError, Series};
use crate::text::for_terminal;

/// The least width and height of a plot in a terminal, in characters.
pub const LEAST_TERMINAL_SIZE: (usize, usize) = (24, 8);
/// The greatest width or height of a plot in a terminal, in characters.
pub const GREATEST_TERMINAL_SIZE: usize = 1_000;

/// Rows that a drawing has, however much stands around it.
const LEAST_ROWS: usize = 3;

impl Plot {
    /// The plot for a terminal, `width` by `height` characters with title, axes and legend. Ends with a line feed.
    ///
    /// Lines are drawn in braille dots, finer than characters, and where there are several series each has a letter:
    /// it stands at the last point of a line, or at every point of a series of markers, where `*` is several of them.
    /// References are dotted. Error
    /// bars and bands are left to [`to_svg`](Self::to_svg). With `colours` each series has an ANSI colour as well;
    /// without, the text is nothing but printable characters and line feeds. A legend that needs more room than
    /// `height` leaves makes the picture taller.
    ///
    /// ```
    /// use matchwright_report::{Plot, Point, Series};
    ///
    /// let squares = (0..20).map(|k| Point::new(f64::from(k), f64::from(k * k)));
    /// let text = Plot::new("Growth").series(Series::line("squares", squares)).to_terminal((40, 8), false)?;
    /// assert!(text.starts_with("Growth\n") && text.contains('⣀'));
    /// assert!(text.lines().all(|line| line.chars().count() <= 40));
    /// # Ok::<(), matchwright_report::PlotError>(())
    /// ```
    ///
    /// # Errors
    /// [`PlotError`] when no point can be drawn, or a range or the size is impossible.
    pub fn to_terminal(&self, (width, height): (usize, usize), colours: bool) -> Result<String, PlotError> {
        let least = LEAST_TERMINAL_SIZE;
        if width < least.0 || height < least.1 || width.max(height) > GREATEST_TERMINAL_SIZE {
            return Err(PlotError::TerminalSize { width, height });
        }
        let (x, y, omitted) = self.spans(false)?;
        let heading = |text: &str| cut(&for_terminal(text), width);
        let series = merged(&self.series, x, y);
        let mut lines = vec![heading(&self.title)];
        lines.extend(legend(&series, width, colours));
        lines.push(heading(&self.y.heading()));
        lines.retain(|line| !line.is_empty());
        let below = [heading(&self.x.heading()), heading(&omitted.sentence())];
        // The horizontal axis and its labels are two more.
        let around = lines.len() + below.iter().filter(|line| !line.is_empty()).count() + 2;
        let rows = height.saturating_sub(around).max(LEAST_ROWS);
        let ticks = y.ticks(rows.div_ceil(2).clamp(2, 8));
        let longest = ticks.iter().map(|tick| tick.label.chars().count()).max();
        let margin = longest.unwrap_or(0).min(width / 3);
        let columns = width - margin - 2;
        let mut canvas = Canvas::new(columns, rows);
        draw_on(&mut canvas, &series, x, y);
        let row_of = |tick: &Tick| nearest(1.0 - y.position(tick.at), rows);
        for row in 0..rows {
            let tick = ticks.iter().find(|tick| row_of(tick) == row);
            let (label, edge) = tick.map_or(("", '│'), |tick| (tick.label.as_str(), '┤'));
            let label = cut(label, margin);
            let line = format!("{label:>margin$} {edge}{}", canvas.row(row, colours));
            lines.push(line.trim_end().to_owned());
        }
        lines.extend(horizontal_axis(x, columns, margin));
        lines.extend(below);
        lines.retain(|line| !line.is_empty());
        Ok(lines.join("\n") + "\n")
    }
}

/// References first, so that data stand before them.
fn draw_on(canvas: &mut Canvas, series: &[Series], x: Span, y: Span) {
    for series in series.iter().filter(|series| series.is_guide) {
        draw_line(canvas, series, Ink::Guide, x, y);
    }
    let data = || series.iter().filter(|series| !series.is_guide).enumerate();
    for (number, series) in data().filter(|(_, series)| series.has_line()) {
        draw_line(canvas, series, Ink::Series(number), x, y);
    }
    let several = data().count() > 1;
    for (number, series) in data() {
        let places = series
            .points
            .iter()
            .map(|point| (x.position(point.x), y.position(point.y)));
        let seen: Vec<_> = places
            .filter(|&(across, up)| is_inside(across) && is_inside(up))
            .collect();
        let letter = if several { sign(number) } else { 'o' };
        if series.has_markers() {
            for &place in &seen {
                canvas.mark(place, letter, number, false);
            }
        } else if let (true, Some(&last)) = (several || seen.len() == 1, seen.last()) {
            canvas.mark(last, letter, number, true);
        }
    }
}

/// The letters and names of several series, in as many lines as they need.
fn legend(series: &[Series], width: usize, colours: bool) -> Vec<String> {
    let data: Vec<&Series> = series.iter().filter(|series| !series.is_guide).collect();
    if data.len() < 2 {
        return Vec::new();
    }
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (number, series) in data.into_iter().enumerate() {
        let name = cut(&for_terminal(&series.name), width - 2);
        let length = 2 + name.chars().count();
        let entry = format!("{} {name}", Ink::Series(number).paint(sign(number), colours));
        match lines.last_mut() {
            Some((used, line)) if *used + 3 + length <= width => {
                *used += 3 + length;
                *line += "   ";
                *line += &entry;
            }
            _ => lines.push((length, entry)),
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The visible parts of a line, broken at points without a place.
fn draw_line(canvas: &mut Canvas, series: &Series, ink: Ink, x: Span, y: Span) {
    for pair in series.path().windows(2) {
        let place = |point: &super::Point| (x.position(point.x), y.position(point.y));
        let (from, to) = (place(&pair[0]), place(&pair[1]));
        if [from.0, from.1, to.0, to.1]
            .iter()
            .all(|number| number.is_finite())
            && let Some((from, to)) = clip(from, to)
        {
            canvas.line(from, to, ink);
        }
    }
}

/// The axis with its ticks, and the labels under it; labels without room are left out.
fn horizontal_axis(x: Span, columns: usize, margin: usize) -> [String; 2] {
    let is_airy = |ticks: &[Tick]| {
        let room: usize = ticks.iter().map(|tick| tick.label.chars().count() + 2).sum();
        room <= columns
    };
    let ticks = (2..=8)
        .rev()
        .map(|count| x.ticks(count))
        .find(|ticks| is_airy(ticks))
        .unwrap_or_default();
    let mut axis: Vec<char> = vec!['─'; columns];
    let mut labels: Vec<char> = vec![' '; columns];
    let mut free_from = 0;
    for tick in ticks {
        let column = nearest(x.position(tick.at), columns);
        axis[column] = '┴';
        let label: Vec<char> = tick.label.chars().collect();
        let start = column
            .saturating_sub(label.len() / 2)
            .min(columns.saturating_sub(label.len()));
        if start >= free_from && label.len() <= columns {
            labels[start..start + label.len()].copy_from_slice(&label);
            free_from = start + label.len() + 1;
        }
    }
    let labels: String = labels.into_iter().collect();
    let axis: String = axis.into_iter().collect();
    [
        format!("{:margin$} └{axis}", ""),
        format!("{:margin$}  {labels}", "").trim_end().to_owned(),
    ]
}

/// `text` in at most `width` characters, shortened with an ellipsis where needed.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Point};
    use proptest::prelude::*;

    fn rising(name: &str, by: f64) -> Series {
        Series::line(name, (0..30).map(|k| Point::new(f64::from(k), by * f64::from(k))))
    }

    #[test]
    fn a_small_plot_looks_like_this() {
        let plot = Plot::new("Two lines")
            .x(Axis::new("Time").unit("s"))
            .y(Axis::new("Height").range(0.0, 60.0))
            .series(rising("slow", 1.0))
            .series(rising("fast", 2.0));
        let expected = "\
Two lines
a slow   b fast
Height
60 ┤                         ⢀⡠⠔b
   │                     ⣀⠤⠒⠉⠁
40 ┤                 ⣀⠤⠒⠉
   │            ⣀⠤⠤⠒⠉       ⢀⣀⡠⠤a
20 ┤        ⢀⠤⠒⠉    ⣀⣀⠤⠤⠤⠒⠒⠉⠁
   │   ⢀⣀⡠⠔⢊⣁⣀⠤⠤⠒⠒⠉⠉
 0 ┤⣠⡴⠮⠕⠒⠊⠉⠁
   └┴────┴────┴───┴────┴────┴────┴
    0    5   10  15   20   25   30
Time (s)
";
        let drawn = plot.to_terminal((34, 13), false).unwrap();
        assert_eq!(drawn, expected, "{drawn}");
    }

    #[test]
    fn colours_are_escapes_and_nothing_else_changes() {
        let plot = Plot::new("p")
            .series(rising("slow", 1.0))
            .series(rising("fast", 2.0));
        let (plain, coloured) = (
            plot.to_terminal((60, 12), false).unwrap(),
            plot.to_terminal((60, 12), true).unwrap(),
        );
        assert!(!plain.contains('\u{1b}') && coloured.contains("\u{1b}["));
        let mut stripped = String::new();
        for part in coloured.split('\u{1b}') {
            stripped += part
                .strip_prefix('[')
                .and_then(|part| part.split_once('m'))
                .map_or(part, |(_, rest)| rest);
        }
        let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        assert_eq!(trimmed(&stripped), trimmed(&plain));
    }

    #[test]
    fn a_size_out_of_bounds_is_refused_and_an_empty_plot_says_why() {
        let plot = Plot::new("p").series(rising("s", 1.0));
        assert_eq!(
            plot.to_terminal((10, 12), false),
            Err(PlotError::TerminalSize {
                width: 10,
                height: 12
            })
        );
        assert!(plot.to_terminal((60, 5_000), false).is_err());
        assert!(matches!(
            Plot::new("p").to_terminal((60, 12), false),
            Err(PlotError::Empty { .. })
        ));
    }

    #[test]
    fn markers_stand_at_their_points_and_references_are_dotted() {
        let plot = Plot::new("")
            .x(Axis::new("").range(0.0, 1.0))
            .y(Axis::new("").range(0.0, 1.0))
            .series(Series::line("even", [Point::new(0.0, 0.0), Point::new(1.0, 1.0)]).guide())
            .series(Series::points(
                "seen",
                [Point::new(0.0, 1.0), Point::new(1.0, 0.0)],
            ));
        let drawn = plot.to_terminal((30, 10), false).unwrap();
        let lines: Vec<&str> = drawn.lines().collect();
        assert!(lines[0].contains("┤o"), "{drawn}");
        assert!(lines[7].ends_with('o'), "{drawn}");
    }

    proptest! {
        #[test]
        fn whatever_is_drawn_stays_within_the_width_and_never_steers_the_terminal(
            points in prop::collection::vec((prop::num::f64::ANY, prop::num::f64::ANY), 0..20),
            name in any::<String>(),
            width in 24_usize..120,
            height in 8_usize..40,
            dates in any::<bool>(),
        ) {
            let axis = if dates { Axis::new(name.clone()).dates() } else { Axis::new(name.clone()) };
            let plot = Plot::new(name.clone())
                .x(axis)
                .y(Axis::new("y"))
                .series(Series::line(name.clone(), points.iter().map(|&(x, y)| Point::new(x, y))))
                .series(Series::line_and_points(name, points.iter().map(|&(x, y)| Point::new(y, x))));
            if let Ok(text) = plot.to_terminal((width, height), false) {
                prop_assert!(text.lines().all(|line| line.chars().count() <= width));
                prop_assert!(!text.chars().any(|character| character.is_control() && character != '\n'));
            }
        }
    }
}
