//! The layout of a plot: where title, legend, axes and labels go, in pixels.
//!
//! An SVG has no fonts of its own and plotters without a font library guesses 0.7 em for every byte, so widths are
//! estimated here, a little generously, for the sans-serif faces of common systems. From them follow the margins, the
//! number of ticks, the rows of the legend and the lines of the title; what does not fit its line ends in an
//! ellipsis.

use super::axis::Span;
use super::tick::Tick;

pub(crate) const TITLE_SIZE: f64 = 16.0;
pub(crate) const LABEL_SIZE: f64 = 13.5;
pub(crate) const TICK_SIZE: f64 = 12.5;

/// Length of the line or room of the marker in front of a name in the legend.
pub(crate) const SWATCH: f64 = 26.0;
const SWATCH_GAP: f64 = 7.0;
const LEGEND_GAP: f64 = 20.0;
pub(crate) const PADDING: f64 = 14.0;
const TITLE_LINES: usize = 3;
const TITLE_HEIGHT: f64 = 21.0;
const ROW_HEIGHT: f64 = 20.0;
/// The least height of the drawing itself; a crowded plot grows taller than asked for instead of losing it.
const LEAST_INNER: f64 = 140.0;

/// A text and where it is anchored: the left, middle or right of its line by context, vertically centred.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) text: String,
}

/// The texts that a layout needs.
pub(crate) struct Texts<'a> {
    pub(crate) title: &'a str,
    pub(crate) x_heading: &'a str,
    pub(crate) y_heading: &'a str,
    pub(crate) note: &'a str,
    /// Empty where no legend is wanted.
    pub(crate) legend: Vec<&'a str>,
}

/// The places of all parts of one plot.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layout {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    /// Anchored left.
    pub(crate) title: Vec<Placed>,
    /// One per series; `x` is where its swatch starts.
    pub(crate) legend: Vec<Placed>,
    /// Anchored left, above the drawing.
    pub(crate) y_heading: Placed,
    /// Anchored in the middle, below the ticks.
    pub(crate) x_heading: Placed,
    /// Anchored left, at the foot.
    pub(crate) note: Placed,
    /// Each tick's position and its label, anchored in the middle; the label is empty where it would touch its
    /// neighbour.
    pub(crate) x_ticks: Vec<(f64, Placed)>,
    /// Each tick's position and its label, anchored right.
    pub(crate) y_ticks: Vec<(f64, Placed)>,
}

impl Layout {
    /// The pixel of a position along the horizontal axis, 0 to 1.
    pub(crate) fn across(&self, position: f64) -> f64 {
        self.left + position * (self.right - self.left)
    }

    /// The pixel of a position along the vertical axis, 0 to 1.
    pub(crate) fn up(&self, position: f64) -> f64 {
        self.bottom - position * (self.bottom - self.top)
    }

    pub(crate) fn new((width, height): (f64, f64), texts: &Texts<'_>, x: Span, y: Span) -> Self {
        let room = width - 2.0 * PADDING;
        let Head {
            title,
            legend,
            y_heading,
            height: top,
        } = Head::new(texts, room);

        let row_for = |text: &str| if text.is_empty() { 0.0 } else { ROW_HEIGHT };
        let below = 24.0 + row_for(texts.x_heading) + row_for(texts.note) + PADDING / 2.0;
        let height = height.max(top + LEAST_INNER + below);
        let bottom = height - below;

        let y_ticks = y.ticks(whole((bottom - top) / 34.0).clamp(2, 8));
        let widest = y_ticks
            .iter()
            .map(|tick| width_of(&tick.label, TICK_SIZE))
            .fold(0.0, f64::max);
        let left = PADDING + widest.min(width * 0.4) + 8.0;
        let right = width - PADDING - 4.0;
        let across = |value: f64| left + x.position(value) * (right - left);
        let up = |value: f64| bottom - y.position(value) * (bottom - top);
        let x_heading = fit(texts.x_heading, LABEL_SIZE, room);
        let half = width_of(&x_heading, LABEL_SIZE) / 2.0;
        let place_y_tick = |tick: Tick| {
            let y = up(tick.at);
            (
                y,
                Placed {
                    x: left - 8.0,
                    y,
                    text: tick.label,
                },
            )
        };
        Self {
            width,
            height,
            left,
            right,
            top,
            bottom,
            title,
            legend,
            y_heading,
            x_heading: Placed {
                x: within(f64::midpoint(left, right), half, width),
                y: bottom + 34.0,
                text: x_heading,
            },
            note: Placed {
                x: PADDING,
                y: height - PADDING / 2.0 - 8.0,
                text: fit(texts.note, TICK_SIZE, room),
            },
            x_ticks: place_x_ticks(x, across, width),
            y_ticks: y_ticks.into_iter().map(place_y_tick).collect(),
        }
    }
}

/// Everything above the drawing: title, legend, and the name of the vertical axis, which is written flat above it
/// because sideways text is hard to read and easily cut.
struct Head {
    title: Vec<Placed>,
    legend: Vec<Placed>,
    y_heading: Placed,
    height: f64,
}

impl Head {
    fn new(texts: &Texts<'_>, room: f64) -> Self {
        let mut cursor = PADDING;
        let mut middle_of_next = |height: f64| {
            cursor += height;
            cursor - height / 2.0
        };
        let mut title = Vec::new();
        for text in wrap(texts.title, TITLE_SIZE * BOLD, room, TITLE_LINES) {
            title.push(Placed {
                x: PADDING,
                y: middle_of_next(TITLE_HEIGHT),
                text,
            });
        }
        if !title.is_empty() {
            middle_of_next(4.0);
        }
        let legend = place_legend(&texts.legend, room, || middle_of_next(ROW_HEIGHT));
        let text = fit(texts.y_heading, LABEL_SIZE, room);
        let y = middle_of_next(if text.is_empty() { 0.0 } else { ROW_HEIGHT + 2.0 });
        let y_heading = Placed { x: PADDING, y, text };
        // Half a tick label and a little air.
        Self {
            title,
            legend,
            y_heading,
            height: cursor + 10.0,
        }
    }
}

/// Rows of swatches and names, filled from the left.
fn place_legend(names: &[&str], room: f64, mut next_row: impl FnMut() -> f64) -> Vec<Placed> {
    let mut placed = Vec::with_capacity(names.len());
    let (mut x, mut y) = (f64::INFINITY, 0.0);
    for name in names {
        let text = fit(name, LABEL_SIZE, room - SWATCH - SWATCH_GAP);
        let needed = SWATCH + SWATCH_GAP + width_of(&text, LABEL_SIZE);
        if x + needed > PADDING + room {
            x = PADDING;
            y = next_row();
        }
        placed.push(Placed { x, y, text });
        x += needed + LEGEND_GAP;
    }
    placed
}

/// Where a name in the legend starts, given where its swatch does.
pub(crate) fn legend_text_x(swatch_x: f64) -> f64 {
    swatch_x + SWATCH + SWATCH_GAP
}

/// As many ticks as have room for their labels.
fn place_x_ticks(span: Span, across: impl Fn(f64) -> f64, width: f64) -> Vec<(f64, Placed)> {
    let place = |tick: Tick| {
        let (x, half) = (across(tick.at), width_of(&tick.label, TICK_SIZE) / 2.0);
        // Anchored in the middle, yet never beyond the edge of the picture.
        (x, half, within(x, half, width), tick.label)
    };
    let candidates = |count: usize| -> Vec<_> { span.ticks(count).into_iter().map(place).collect() };
    let is_airy = |ticks: &[(f64, f64, f64, String)]| {
        ticks
            .windows(2)
            .all(|pair| pair[0].2 + pair[0].1 + 12.0 <= pair[1].2 - pair[1].1)
    };
    let ticks = (2..=10)
        .rev()
        .map(candidates)
        .find(|ticks| is_airy(ticks))
        .unwrap_or_else(|| candidates(2));
    let mut free_from = f64::NEG_INFINITY;
    ticks
        .into_iter()
        .map(|(x, half, middle, label)| {
            let text = if middle - half >= free_from {
                label
            } else {
                String::new()
            };
            if !text.is_empty() {
                free_from = middle + half + 6.0;
            }
            (
                x,
                Placed {
                    x: middle,
                    y: 0.0,
                    text,
                },
            )
        })
        .collect()
}

/// `middle` moved so that `half` on both sides of it stays inside a picture of this `width`.
fn within(middle: f64, half: f64, width: f64) -> f64 {
    let (low, high) = (half + 3.0, width - half - 3.0);
    if low > high {
        width / 2.0
    } else {
        middle.clamp(low, high)
    }
}

/// Bold letters are wider.
pub(crate) const BOLD: f64 = 1.12;

/// An estimate of the width of `text` in pixels at the given font size, from the widest of the common sans-serif
/// faces (Verdana, `DejaVu` Sans), so that narrower ones leave a little room.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    let em: f64 = text
        .chars()
        .map(|character| match character {
            'i' | 'j' | 'l' | 'I' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | ' ' => 0.34,
            'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' | '"' => 0.42,
            'm' | 'M' | 'W' | '@' | '%' => 1.0,
            'A'..='Z' | 'w' | '&' | '+' | '=' | '<' | '>' | '~' | '±' | '×' | '−' => 0.8,
            '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '⁻' => 0.46,
            '\u{0}'..='\u{FF}' => 0.64,
            '\u{100}'..='\u{10FF}' | '\u{2000}'..='\u{206F}' => 0.76,
            _ => 1.1,
        })
        .sum();
    em * size
}

/// `text` on one line of at most `room` pixels, shortened with an ellipsis where needed.
pub(crate) fn fit(text: &str, size: f64, room: f64) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if width_of(&flat, size) <= room {
        return flat;
    }
    let mut shortened = String::new();
    for character in flat.chars() {
        shortened.push(character);
        if width_of(&shortened, size) + size > room {
            shortened.pop();
            break;
        }
    }
    shortened.trim_end().to_owned() + "…"
}

/// `text` on at most `most` lines of at most `room` pixels, broken between words.
pub(crate) fn wrap(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_last_line = lines.len() == most;
        match lines.last_mut() {
            Some(line) if is_last_line || !is_full(line, word, size, room) => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().map(|line| fit(&line, size, room)).collect()
}

fn is_full(line: &str, word: &str, size: f64, room: f64) -> bool {
    width_of(line, size) + width_of(" ", size) + width_of(word, size) > room
}

/// The whole part of a small number that is not negative.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "lengths are at most 20,000 pixels; the cast saturates"
)]
pub(crate) fn whole(value: f64) -> usize {
    value as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::axis::Axis;
    use proptest::prelude::*;

    fn span(low: f64, high: f64) -> Span {
        Axis::new("a").range(low, high).span(std::iter::empty()).unwrap()
    }

    fn overlap(one: (f64, f64), other: (f64, f64)) -> bool {
        one.0 < other.1 && other.0 < one.1
    }

    proptest! {
        #[test]
        fn labels_neither_overlap_nor_leave_the_picture(
            low in -1e7..1e7_f64, width in 1e-5..1e9_f64, canvas in 240.0..1200.0_f64, height in 180.0..800.0_f64,
            names in prop::collection::vec("[a-zA-Z ]{0,60}", 0..9), title in "[a-zA-Z ]{0,300}",
        ) {
            let texts = Texts {
                title: &title, x_heading: &title, y_heading: "Share (%)", note: &title,
                legend: names.iter().map(String::as_str).collect(),
            };
            let layout = Layout::new((canvas, height), &texts, span(low, low + width), span(low, low + width));
            let extent = |placed: &Placed| {
                let half = width_of(&placed.text, TICK_SIZE) / 2.0;
                (placed.x - half, placed.x + half)
            };
            let shown: Vec<_> = layout.x_ticks.iter().filter(|tick| !tick.1.text.is_empty()).map(|tick| extent(&tick.1)).collect();
            prop_assert!(!shown.is_empty());
            prop_assert!(shown.windows(2).all(|pair| !overlap(pair[0], pair[1])));
            prop_assert!(shown.iter().all(|extent| extent.0 >= 0.0 && extent.1 <= canvas));
            for (index, one) in layout.legend.iter().enumerate() {
                let extent = |placed: &Placed| (placed.x, legend_text_x(placed.x) + width_of(&placed.text, LABEL_SIZE));
                prop_assert!(extent(one).1 <= canvas);
                for other in &layout.legend[index + 1..] {
                    prop_assert!(one.y != other.y || !overlap(extent(one), extent(other)));
                }
            }
            prop_assert!(layout.title.iter().all(|line| line.x + width_of(&line.text, TITLE_SIZE) <= canvas));
            prop_assert!(layout.bottom - layout.top >= LEAST_INNER - 1e-9);
            prop_assert!(layout.left < layout.right && layout.height >= height);
        }
    }

    #[test]
    fn a_long_title_wraps_and_then_ends_in_an_ellipsis() {
        let lines = wrap(&"word ".repeat(60), TITLE_SIZE, 200.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].ends_with('…'));
        assert!(lines.iter().all(|line| width_of(line, TITLE_SIZE) <= 200.0));
    }
}
