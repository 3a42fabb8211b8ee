//! Tables as HTML.

use maud::{Markup, PreEscaped, html};

use super::cell::range;
use super::{Align, Cell, Column, Table};
use crate::text::for_markup;

impl Table {
    /// The table as an HTML fragment that is well-formed XML too: caption, header cells with scope and unit, numbers
    /// in cells of class `mw-number`, notes as a list below. Every string is escaped. Where rounding or thousands
    /// separators show a number otherwise than it is, `data-sort` holds it in full.
    ///
    /// The box around the table scrolls sideways by itself, so that a wide table does not widen the page. The
    /// fragment carries no style and no script; [`Page`](crate::Page) has both: there a table is sorted by a click on
    /// a column's name, and one of more than twelve rows shows ten of them until it is unfolded or filtered.
    #[must_use]
    pub fn to_html(&self) -> String {
        self.markup().into_string()
    }

    pub(crate) fn markup(&self) -> Markup {
        let (columns, notes) = (self.shown_columns(), self.visible_notes());
        html! {
            div class="mw-table" {
                div class="mw-scroll" role="region" tabindex="0" aria-label=(for_markup(&self.caption)) {
                    table {
                        caption { span { (for_markup(&self.caption)) } }
                        thead { tr { @for column in &columns { (header_cell(column)) } } }
                        tbody {
                            @for (row, shown) in self.visible_rows().iter().zip(self.displayed_rows(&columns)) {
                                (PreEscaped("\n")) tr {
                                    @for (index, (column, text)) in columns.iter().zip(&shown).enumerate() {
                                        (body_cell(index, column, row.get(index), text))
                                    }
                                }
                            }
                        }
                    }
                }
                @if !notes.is_empty() {
                    ul class="mw-notes" { @for note in &notes { li { (for_markup(note)) } } }
                }
            }
        }
    }
}

fn header_cell(column: &Column) -> Markup {
    html! {
        th scope="col" class=[number_class(column)] {
            (for_markup(column.name()))
            @if !column.unit_text().is_empty() {
                " " span class="mw-unit" { "(" (for_markup(column.unit_text())) ")" }
            }
        }
    }
}

/// A first cell of words names its row; every other cell is data.
fn body_cell(index: usize, column: &Column, cell: Option<&Cell>, text: &str) -> Markup {
    let number = cell.and_then(|cell| column.scaled(cell).sort_key());
    let number = number.filter(|number| number != text);
    html! {
        @if index == 0 && matches!(cell, Some(Cell::Text(_))) && column.alignment() == Align::Left {
            th scope="row" { (for_markup(text)) }
        } @else {
            td class=[number_class(column)] data-sort=[number] {
                @match cell {
                    Some(Cell::Sparkline(values)) => (sparkline(values, column)),
                    _ => (for_markup(text)),
                }
            }
        }
    }
}

/// Width and height of a sparkline, pixels.
const SPARK: (f64, f64) = (140.0, 22.0);

/// A small line in the colour of the text, with its ends and its range for those who point at it.
fn sparkline(values: &[f64], column: &Column) -> Markup {
    let Some((low, high)) = range(values) else {
        return html! {};
    };
    let (width, height) = SPARK;
    let step = (width - 2.0) / (values.len().max(2) - 1) as f64;
    let share = |value: f64| {
        if high > low {
            (value - low) / (high - low)
        } else {
            0.5
        }
    };
    let finite = values.iter().enumerate().filter(|(_, value)| value.is_finite());
    let points = finite.map(|(place, &value)| {
        let (x, y) = (
            1.0 + step * place as f64,
            height - 2.0 - (height - 4.0) * share(value),
        );
        format!("{x:.1},{y:.1}")
    });
    let points: Vec<String> = points.collect();
    let shown = |value: f64| Cell::Number(value).display(column.notation());
    let ends = [values.first(), values.last()].map(|value| shown(value.copied().unwrap_or(f64::NAN)));
    let title = format!(
        "from {} to {}, between {} and {}",
        ends[0],
        ends[1],
        shown(low),
        shown(high)
    );
    html! {
        svg class="mw-spark" role="img" style="display:block" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}")) {
            title { (for_markup(&title)) }
            polyline points=(points.join(" ")) fill="none" stroke="currentColor" stroke-width="1.2" {}
        }
    }
}

fn number_class(column: &Column) -> Option<&'static str> {
    (column.alignment() == Align::Right).then_some("mw-number")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What an XML parser gives back: line ends become line feeds, forbidden characters are replaced.
    fn as_read(text: &str) -> String {
        for_markup(text).replace("\r\n", "\n").replace('\r', "\n")
    }

    proptest! {
        #[test]
        fn any_string_is_escaped(text in any::<String>(), value in proptest::num::f64::ANY) {
            let html = Table::new(text.clone())
                .column(Column::text(text.clone()).unit(text.clone()))
                .column(Column::number("x", 3))
                .row([text.as_str().into(), value.into()])
                .note(text.clone())
                .to_html();
            let document = roxmltree::Document::parse(&html).unwrap();
            let texts_of = |name: &str| -> Vec<String> {
                let nodes = document.descendants().filter(|node| node.has_tag_name(name));
                nodes.map(|node| node.descendants().filter_map(|inner| if inner.is_text() { inner.text() } else { None }).collect()).collect()
            };
            prop_assert_eq!(&texts_of("caption")[0], &as_read(&text));
            prop_assert_eq!(&texts_of("li")[0], &as_read(&text));
            // Column header, number header, row header.
            prop_assert_eq!(&texts_of("th")[2], &as_read(&text));
            prop_assert_eq!(document.descendants().filter(roxmltree::Node::is_element).count(), if text.is_empty() { 15 } else { 16 });
        }
    }

    #[test]
    fn a_number_that_is_shown_otherwise_than_it_is_carries_what_it_sorts_by() {
        let html = Table::new("t")
            .column(Column::percent("x", 1))
            .row([0.125.into()])
            .row([0.12625.into()])
            .row([Cell::estimate(-0.5, 0.25)])
            .row([f64::NAN.into()])
            .row(["0.1254".into()])
            .row([12_000.into()])
            .row([9_000.into()])
            .to_html();
        let document = roxmltree::Document::parse(&html).unwrap();
        let cells = document.descendants().filter(|node| node.has_tag_name("td"));
        let keys: Vec<_> = cells
            .map(|cell| (cell.text().unwrap(), cell.attribute("data-sort")))
            .collect();
        assert_eq!(
            keys,
            [
                ("12.5", None),
                ("12.6", Some("12.625")),
                ("−50.0 ± 25.0", Some("-50")),
                ("-", None),
                ("0.1254", None),
                ("12,000", Some("12000")),
                ("9000", None),
            ]
        );
    }

    #[test]
    fn markup_in_a_cell_stays_text() {
        let html = Table::new("t")
            .column(Column::text("a"))
            .row(["<script>alert('x')</script> & \"q\"".into()])
            .to_html();
        assert!(
            html.contains("&lt;script&gt;alert('x')&lt;/script&gt; &amp; &quot;q&quot;"),
            "{html}"
        );
        assert!(!html.contains("<script"));
    }
}
