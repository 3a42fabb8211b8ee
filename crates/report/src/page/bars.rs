//! [`Bars`]: labelled horizontal bars from 0 to 1.

use maud::{Markup, html};

use crate::number::MISSING;
use crate::text::for_markup;

/// Shares or qualities of one thing, each as a bar with a label and its number.
///
/// A share is cut to \[0, 1\]; one that is no number has no bar and shows as `-`. Bars are drawn as borders, so that
/// they are printed even where backgrounds are not, and the numbers beside them say the same to readers who cannot see
/// them.
///
/// ```
/// use matchwright_report::{Bars, Page, Section};
///
/// let bars = Bars::new("Match 3").note("ann, bob against cat, dan").bar("balance", "weight 2", 0.875, 3).bar("ping", "", 1.0, 3);
/// let html = Page::new("Matches").section(Section::new("Worst first").bars(bars)).to_html();
/// assert!(html.contains("width:87.5%") && html.contains(">0.875<"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bars {
    title: String,
    note: String,
    rows: Vec<Bar>,
}

#[derive(Debug, Clone, PartialEq)]
struct Bar {
    label: String,
    detail: String,
    share: f64,
    decimals: usize,
}

impl Bars {
    /// No bars yet.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// A line under the title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Adds a bar of this share of the full width, its number shown with this many decimals.
    #[must_use]
    pub fn bar(
        mut self,
        label: impl Into<String>,
        detail: impl Into<String>,
        share: f64,
        decimals: usize,
    ) -> Self {
        self.rows.push(Bar {
            label: label.into(),
            detail: detail.into(),
            share,
            decimals,
        });
        self
    }

    pub(super) fn markup(&self) -> Markup {
        html! {
            table class="mw-bars" {
                caption {
                    (for_markup(&self.title))
                    @if !self.note.is_empty() { span class="mw-bars-note" { (for_markup(&self.note)) } }
                }
                tbody { @for bar in &self.rows { (bar.markup()) } }
            }
        }
    }
}

impl Bar {
    fn markup(&self) -> Markup {
        let known = self.share.is_finite();
        // One decimal of a percent is finer than a pixel.
        let width = if known {
            (1000.0 * self.share.clamp(0.0, 1.0)).round() / 10.0
        } else {
            0.0
        };
        let number = if known {
            format!("{:.*}", self.decimals, self.share)
        } else {
            MISSING.to_owned()
        };
        html! {
            tr {
                th scope="row" {
                    (for_markup(&self.label))
                    @if !self.detail.is_empty() { " " span class="mw-unit" { (for_markup(&self.detail)) } }
                }
                td class="mw-bar" { div { div style={ "width:" (width) "%" } {} } }
                td class="mw-number" { (number) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_share_has_a_width_within_the_bar(share in proptest::num::f64::ANY, text in any::<String>()) {
            let html = Bars::new(text.clone()).note(text.clone()).bar(text.clone(), text, share, 2).markup().into_string();
            let document = roxmltree::Document::parse(&html).unwrap();
            let styles: Vec<&str> = document.descendants().filter_map(|node| node.attribute("style")).collect();
            let width: f64 = styles[0].strip_prefix("width:").unwrap().strip_suffix('%').unwrap().parse().unwrap();
            prop_assert!((0.0..=100.0).contains(&width), "{width}");
            prop_assert!(share.is_finite() || width == 0.0);
        }
    }
}
