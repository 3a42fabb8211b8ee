//! [`Intervals`]: values with their intervals, one under the other on one scale.

use maud::{Markup, html};

use crate::number::{MISSING, fixed};
use crate::text::for_markup;

/// Values of several things, each with an interval, drawn to one scale; a line goes down at a reference.
///
/// The scale reaches from the least to the greatest number that is shown. A value that is no number has no mark and shows as `-`,
/// an interval with an end that is none is left out. The numbers beside the marks say the same.
///
/// ```
/// use matchwright_report::{Intervals, Page, Section};
///
/// let losses = Intervals::new("Log loss", 4)
///     .reference(0.6012)
///     .row("glicko", 0.6012, None)
///     .row("elo", 0.6040, Some((0.6021, 0.6059)));
/// let html = Page::new("Systems").section(Section::new("Losses").intervals(losses)).to_html();
/// assert!(html.contains("0.6040") && html.contains("0.6021 to 0.6059"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Intervals {
    title: String,
    note: String,
    decimals: usize,
    reference: Option<f64>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq)]
struct Row {
    label: String,
    value: f64,
    interval: Option<(f64, f64)>,
}

impl Intervals {
    /// No values yet; numbers are shown with this many decimals.
    #[must_use]
    pub fn new(title: impl Into<String>, decimals: usize) -> Self {
        Self {
            title: title.into(),
            decimals,
            ..Self::default()
        }
    }

    /// A line under the title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Where the line goes down that values are compared with.
    #[must_use]
    pub fn reference(mut self, value: f64) -> Self {
        self.reference = Some(value);
        self
    }

    /// Adds a value with its interval, the lower end first.
    #[must_use]
    pub fn row(mut self, label: impl Into<String>, value: f64, interval: Option<(f64, f64)>) -> Self {
        let label = label.into();
        let interval = interval.filter(|(low, high)| low.is_finite() && high.is_finite() && low <= high);
        self.rows.push(Row {
            label,
            value,
            interval,
        });
        self
    }

    pub(super) fn markup(&self) -> Markup {
        let shown = self.rows.iter().flat_map(Row::numbers).chain(self.reference);
        let ends = shown.filter(|number| number.is_finite());
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        // In per cent of the width, with two per cent of room at both ends; one decimal is finer than a pixel.
        let place = |number: f64| {
            let share = (number / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
            let share = if share.is_finite() {
                share.clamp(0.0, 1.0)
            } else {
                0.5
            };
            (10.0 * (2.0 + 96.0 * share)).round() / 10.0
        };
        html! {
            table class="mw-bars mw-intervals" {
                caption {
                    (for_markup(&self.title))
                    @if !self.note.is_empty() { span class="mw-bars-note" { (for_markup(&self.note)) } }
                }
                tbody { @for row in &self.rows { (row.markup(&place, self)) } }
            }
        }
    }
}

impl Row {
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let ends = self.interval.into_iter().flat_map(|(low, high)| [low, high]);
        std::iter::once(self.value).chain(ends)
    }

    fn markup(&self, place: &dyn Fn(f64) -> f64, all: &Intervals) -> Markup {
        let number = |number: f64| fixed(number, all.decimals);
        let value = if self.value.is_finite() {
            number(self.value)
        } else {
            MISSING.to_owned()
        };
        html! {
            tr {
                th scope="row" { (for_markup(&self.label)) }
                td class="mw-interval" {
                    div {
                        @if let Some(at) = all.reference.filter(|at| at.is_finite()) {
                            span class="mw-reference" style={ "left:" (place(at)) "%" } {}
                        }
                        @if let Some((low, high)) = self.interval {
                            span class="mw-span" style={ "left:" (place(low)) "%;right:" (round(100.0 - place(high))) "%" } {}
                        }
                        @if self.value.is_finite() { span class="mw-dot" style={ "left:" (place(self.value)) "%" } {} }
                    }
                }
                td class="mw-number" {
                    (value)
                    @if let Some((low, high)) = self.interval {
                        span class="mw-bars-note" { (number(low)) " to " (number(high)) }
                    }
                }
            }
        }
    }
}

/// To one decimal.
fn round(number: f64) -> f64 {
    (10.0 * number).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_numbers_have_places_within_the_track(
            rows in prop::collection::vec((proptest::num::f64::ANY, proptest::num::f64::ANY, proptest::num::f64::ANY), 0..5),
            reference in proptest::num::f64::ANY,
            text in any::<String>(),
        ) {
            let all = Intervals::new(text.clone(), 3).note(text.clone()).reference(reference);
            let all = rows.iter().fold(all, |all, (value, low, high)| all.row(text.clone(), *value, Some((*low, *high))));
            let html = all.markup().into_string();
            let document = roxmltree::Document::parse(&html).unwrap();
            let styles = document.descendants().filter_map(|node| node.attribute("style"));
            for part in styles.flat_map(|style| style.split(';')) {
                let percent = part.split_once(':').unwrap().1.strip_suffix('%').unwrap();
                let percent: f64 = percent.parse().unwrap();
                prop_assert!((0.0..=100.0).contains(&percent), "{html}");
            }
        }
    }

    #[test]
    fn marks_stand_where_their_numbers_are() {
        let html = Intervals::new("t", 2)
            .reference(1.0)
            .row("a", 2.0, Some((1.5, 3.0)))
            .markup()
            .into_string();
        for place in [
            "left:2%",
            "left:50%",
            "left:26%;right:2%",
            ">2.00<",
            "1.50 to 3.00",
        ] {
            assert!(html.contains(place), "{place} in {html}");
        }
    }
}
