//! [`Headline`]: a figure that a page begins with.

use maud::{Markup, html};

use crate::text::for_markup;

/// A figure that a page begins with: a value, its unit and one line that says what it is.
///
/// ```
/// use matchwright_report::{Headline, Page};
///
/// let html = Page::new("Waiting").headlines([Headline::new("18", "s", "mean wait of a player")]).to_html();
/// assert!(html.contains("<span class=\"mw-unit\">s</span>"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headline {
    pub(super) value: String,
    pub(super) unit: String,
    pub(super) line: String,
}

impl Headline {
    /// A figure as it is shown: the value already rounded, the unit empty where there is none.
    #[must_use]
    pub fn new(value: impl Into<String>, unit: impl Into<String>, line: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            unit: unit.into(),
            line: line.into(),
        }
    }

    pub(super) fn markup(&self) -> Markup {
        html! {
            li {
                strong {
                    (for_markup(&self.value))
                    @if !self.unit.is_empty() { " " span class="mw-unit" { (for_markup(&self.unit)) } }
                }
                " " span { (for_markup(&self.line)) }
            }
        }
    }
}
