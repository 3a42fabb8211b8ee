//! [`HeatMap`]: a grid of numbers, each in a cell that is the darker the larger it is.

use std::fmt::Write as _;

use maud::{Markup, html};

use crate::number::{MISSING, Notation};
use crate::plot::{BOLD, Frame, LABEL_SIZE, PADDING, TICK_SIZE, TITLE_SIZE, fit, width_of, wrap};
use crate::text::{for_markup, for_terminal};

const CELL: (f64, f64) = (110.0, 26.0);
/// A share of the width that row names may take.
const NAMES: f64 = 0.45;
/// The opacity of the least and of the greatest value: text stands out from all between (see the test).
const OPACITY: (f64, f64) = (0.03, 0.58);
/// From the least value to the greatest, for a terminal.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];

/// A grid of numbers by two categories, each number in a cell that is the darker the larger it is.
///
/// Numbers that are not finite have no shade and show as `-`; a row that is too short ends in such cells.
///
/// ```
/// use matchwright_report::HeatMap;
///
/// let map = HeatMap::new("Optimal pairings", "Draw law", "Players", ["4", "6"])
///     .unit("%")
///     .row("constant", [100.0, 100.0])
///     .row("Gaussian", [58.0, 45.6]);
/// assert!(map.to_svg().contains("Gaussian, 6: 46 %"));
/// assert_eq!(
///     map.to_terminal(),
///     "Optimal pairings (%)\nDraw law      4      6\nconstant  █ 100  █ 100\nGaussian  ░  58     46\n"
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    title: String,
    caption: String,
    unit: String,
    decimals: usize,
    labels: (String, String),
    columns: Vec<String>,
    rows: Vec<(String, Vec<f64>)>,
    file: Option<String>,
}

impl HeatMap {
    /// A grid with these columns and no rows. The labels say what rows and columns stand for.
    #[must_use]
    pub fn new<C: Into<String>>(
        title: impl Into<String>,
        row_label: impl Into<String>,
        column_label: impl Into<String>,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        Self {
            title: title.into(),
            caption: String::new(),
            unit: String::new(),
            decimals: 0,
            labels: (row_label.into(), column_label.into()),
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            file: None,
        }
    }

    /// Adds a row at the bottom.
    #[must_use]
    pub fn row(mut self, name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        self.rows.push((name.into(), values.into_iter().collect()));
        self
    }

    /// The unit of the numbers, shown after the title.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// The decimals of the numbers; none unless set.
    #[must_use]
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.decimals = decimals;
        self
    }

    /// What the grid shows and how to read it.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Names the file that it is written to: `grid` for `grid.svg`.
    #[must_use]
    pub fn file(mut self, stem: impl Into<String>) -> Self {
        self.file = Some(stem.into());
        self
    }

    /// The stem of its file, if it has a name.
    #[must_use]
    pub fn file_stem(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    pub(crate) fn caption_text(&self) -> &str {
        &self.caption
    }

    /// The grid as an SVG file.
    #[must_use]
    pub fn to_svg(&self) -> String {
        self.draw(self.natural_width()).file()
    }

    /// The grid for inside a page, at most `width` pixels wide.
    pub(crate) fn to_inline_svg(&self, id: &str, width: Option<f64>) -> String {
        let natural = self.natural_width();
        self.draw(width.map_or(natural, |width| width.min(natural)))
            .inline(id)
    }

    /// The grid for a terminal: each number behind a block that is the darker the larger it is. Ends with a line feed.
    #[must_use]
    pub fn to_terminal(&self) -> String {
        let numbers = self
            .rows
            .iter()
            .map(|(_, values)| self.cells(values).map(|(value, text)| (self.shade(value), text)));
        let rows: Vec<(String, Vec<_>)> = self
            .rows
            .iter()
            .zip(numbers)
            .map(|((name, _), cells)| (for_terminal(name), cells.collect()))
            .collect();
        let columns: Vec<String> = self.columns.iter().map(|name| for_terminal(name)).collect();
        let texts = rows
            .iter()
            .flat_map(|(_, cells)| cells.iter().map(|(_, text)| text));
        let cell = texts
            .chain(&columns)
            .map(|text| text.chars().count())
            .max()
            .unwrap_or(0);
        let head = for_terminal(&self.labels.0);
        let names = rows
            .iter()
            .map(|(name, _)| name)
            .chain([&head])
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let mut text = format!("{}\n{head:names$}", for_terminal(&self.heading()));
        for column in &columns {
            let _ = write!(text, "    {column:>cell$}");
        }
        for (name, cells) in &rows {
            let _ = write!(text, "\n{name:names$}");
            for (shade, number) in cells {
                let block = shade.map_or(' ', |shade| SHADES[step(shade)]);
                let _ = write!(text, "  {block} {number:>cell$}");
            }
        }
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n") + "\n"
    }

    fn heading(&self) -> String {
        if self.unit.is_empty() {
            self.title.clone()
        } else {
            format!("{} ({})", self.title, self.unit)
        }
    }

    /// As many values as there are columns, each with its text.
    fn cells<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = (f64, String)> + 'a {
        let values = values.iter().copied().chain(std::iter::repeat(f64::NAN));
        values.take(self.columns.len()).map(|value| {
            let text = Notation::Fixed(self.decimals).format(value);
            (
                value,
                if value.is_finite() {
                    text
                } else {
                    MISSING.to_owned()
                },
            )
        })
    }

    /// Where a value lies between the least and the greatest, 0 to 1.
    fn shade(&self, value: f64) -> Option<f64> {
        let all = self
            .rows
            .iter()
            .flat_map(|(_, values)| values)
            .copied()
            .filter(|value| value.is_finite());
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        // In halves: the difference of two finite numbers can overflow.
        let span = high / 2.0 - low / 2.0;
        let part = (value / 2.0 - low / 2.0) / span;
        value
            .is_finite()
            .then(|| if span > 0.0 { part.clamp(0.0, 1.0) } else { 1.0 })
    }

    fn names_width(&self) -> f64 {
        let names = self.rows.iter().map(|(name, _)| name).chain([&self.labels.0]);
        names.map(|name| width_of(name, TICK_SIZE)).fold(0.0, f64::max) + 12.0
    }

    fn natural_width(&self) -> f64 {
        let columns = self.columns.len() as f64;
        (2.0 * PADDING + self.names_width() + columns * CELL.0).clamp(380.0, 1_140.0)
    }

    fn draw(&self, width: f64) -> Frame {
        let room = width - 2.0 * PADDING;
        let names = self.names_width().min(NAMES * width);
        let cell = (room - names) / self.columns.len().max(1) as f64;
        let title = wrap(&for_markup(&self.heading()), TITLE_SIZE * BOLD, room, 3);
        let top = PADDING + 21.0 * title.len() as f64 + 48.0;
        let bottom = top + CELL.1 * self.rows.len() as f64;
        let height = bottom + PADDING;
        let middle = PADDING + names + (room - names) / 2.0;
        let column_x = |index: usize| PADDING + names + cell * (index as f64 + 0.5);
        let body = html! {
            rect class="mw-f-surface" fill="#ffffff" width=(width) height=(height) {}
            @for (line, text) in title.iter().enumerate() {
                (text_at(PADDING, PADDING + 21.0 * line as f64 + 10.0, "start", TITLE_SIZE, Some("bold"), text))
            }
            (text_at(middle, top - 34.0, "middle", LABEL_SIZE, None, &fit(&for_markup(&self.labels.1), LABEL_SIZE, room - names)))
            (text_at(PADDING, top - 12.0, "start", TICK_SIZE, None, &fit(&for_markup(&self.labels.0), TICK_SIZE, names)))
            @for (index, name) in self.columns.iter().enumerate() {
                (text_at(column_x(index), top - 12.0, "middle", TICK_SIZE, None, &fit(&for_markup(name), TICK_SIZE, cell)))
            }
            @for (line, (name, values)) in self.rows.iter().enumerate() {
                @let y = top + CELL.1 * line as f64;
                (text_at(PADDING, y + CELL.1 / 2.0, "start", TICK_SIZE, None, &fit(&for_markup(name), TICK_SIZE, names - 6.0)))
                @for (index, (value, text)) in self.cells(values).enumerate() {
                    rect class="mw-f-c0" fill="#0955a7" fill-opacity=(opacity(self.shade(value)))
                        x=(column_x(index) - cell / 2.0 + 1.0) y=(y + 1.0) width=((cell - 2.0).max(1.0)) height=(CELL.1 - 2.0) {
                        title { (for_markup(&format!("{name}, {}: {text} {}", self.columns[index], self.unit))) }
                    }
                    g pointer-events="none" { (text_at(column_x(index), y + CELL.1 / 2.0, "middle", TICK_SIZE, None, &fit(&text, TICK_SIZE, cell))) }
                }
            }
        };
        let description = [
            self.caption.clone(),
            format!("Rows: {}. Columns: {}.", self.labels.0, self.labels.1),
        ];
        Frame {
            title: self.title.clone(),
            description: description.join(" ").trim().to_owned(),
            size: (width, height),
            units: 1.0,
            body: body.into_string(),
        }
    }
}

fn text_at(x: f64, y: f64, anchor: &str, size: f64, weight: Option<&str>, text: &str) -> Markup {
    html! {
        text class="mw-f-text" fill="#1b1f24" x=(x) y=(y) dy="0.35em" text-anchor=(anchor) font-size=(size) font-weight=[weight] { (text) }
    }
}

/// The opacity of a cell; 0 where there is no value.
fn opacity(shade: Option<f64>) -> f64 {
    let opacity = shade.map_or(0.0, |shade| OPACITY.0 + shade * (OPACITY.1 - OPACITY.0));
    (1000.0 * opacity).round() / 1000.0
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0 to the last shade; the cast saturates"
)]
fn step(shade: f64) -> usize {
    ((shade * (SHADES.len() - 1) as f64).round() as usize).min(SHADES.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_stands_out_from_the_darkest_cell_in_light_and_dark() {
        crate::plot::assert_text_stands_out_over_the_first_colour(OPACITY.1);
    }

    proptest! {
        #[test]
        fn any_grid_is_well_formed_and_has_a_cell_for_every_number(
            text in any::<String>(), rows in prop::collection::vec(prop::collection::vec(prop::num::f64::ANY, 0..5), 0..5),
        ) {
            let grid = HeatMap::new(text.clone(), text.clone(), text.clone(), [text.clone(), text.clone(), text.clone()]).unit(text.clone()).caption(text.clone());
            let map = rows.iter().fold(grid, |map, row| map.row(text.clone(), row.iter().copied()));
            let svg = map.to_svg();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let cells: Vec<f64> = document.descendants().filter_map(|node| node.attribute("fill-opacity")?.parse().ok()).collect();
            prop_assert_eq!(cells.len(), 3 * rows.len());
            let finite = rows.iter().flat_map(|row| row.iter().take(3)).filter(|value| value.is_finite()).count();
            prop_assert_eq!(cells.iter().filter(|cell| **cell > 0.0).count(), finite);
            prop_assert!(cells.iter().all(|cell| (0.0..=OPACITY.1).contains(cell)));
            prop_assert_eq!(map.to_terminal().lines().count(), 2 + rows.len());
        }
    }

    #[test]
    fn larger_values_are_darker() {
        let svg = HeatMap::new("", "", "", ["a", "b", "c"])
            .row("r", [2.0, 1.0, 3.0])
            .to_svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let cells: Vec<f64> = document
            .descendants()
            .filter_map(|node| node.attribute("fill-opacity")?.parse().ok())
            .collect();
        assert!(cells[1] < cells[0] && cells[0] < cells[2], "{cells:?}");
    }
}
