//! Tables as terminal text and Markdown.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, LineStyle, TableStyle};

use super::{Align, Table};
use crate::text::{for_markdown, for_terminal};

impl Table {
    /// The table for a terminal: caption, rules above and below, then the notes. Ends with a line feed.
    ///
    /// Lines are as wide as their content; control characters in it are escaped, so that data cannot steer the
    /// terminal.
    #[must_use]
    pub fn to_text(&self) -> String {
        let columns = self.shown_columns();
        let mut drawn = comfy_table::Table::new();
        let rule = LineStyle::none().fill('─').junction('─');
        drawn.load_style(
            TableStyle::new()
                .top_border(rule)
                .header_separator(rule)
                .bottom_border(rule),
        );
        drawn.set_header(columns.iter().map(|column| for_terminal(&column.heading())));
        for row in self.displayed_rows(&columns) {
            drawn.add_row(row.iter().map(|text| for_terminal(text)));
        }
        for (index, column) in columns.iter().enumerate() {
            if let (Align::Right, Some(drawn)) = (column.alignment(), drawn.column_mut(index)) {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut text = for_terminal(&self.caption);
        for line in drawn.lines() {
            text.push('\n');
            text.push_str(line.trim_end());
        }
        for note in &self.visible_notes() {
            text.push('\n');
            text.push_str(&for_terminal(note));
        }
        text.push('\n');
        text
    }

    /// The table as GitHub-flavoured Markdown: bold caption, table, notes in italics. Ends with a line feed.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let columns = self.shown_columns();
        let mut lines = vec![format!("**{}**", for_markdown(&self.caption)), String::new()];
        if !columns.is_empty() {
            let header: Vec<String> = columns
                .iter()
                .map(|column| for_markdown(&column.heading()))
                .collect();
            let rows: Vec<Vec<String>> = self
                .displayed_rows(&columns)
                .map(|row| row.iter().map(|text| for_markdown(text)).collect())
                .collect();
            // Padded, so that the source reads as a table too; three dashes are the least that Markdown accepts.
            let width_of = |index: usize| {
                let cells = std::iter::once(&header)
                    .chain(&rows)
                    .map(|row| row[index].chars().count());
                cells.fold(3, usize::max)
            };
            let widths: Vec<usize> = (0..columns.len()).map(width_of).collect();
            let aligns: Vec<Align> = columns.iter().map(super::Column::alignment).collect();
            let rules: Vec<String> = widths
                .iter()
                .zip(&aligns)
                .map(|(&width, align)| match align {
                    Align::Left => "-".repeat(width),
                    Align::Right => "-".repeat(width - 1) + ":",
                })
                .collect();
            lines.push(markdown_line(&header, &widths, &aligns));
            lines.push(markdown_line(&rules, &widths, &aligns));
            lines.extend(rows.iter().map(|row| markdown_line(row, &widths, &aligns)));
        }
        for note in &self.visible_notes() {
            lines.push(String::new());
            lines.push(format!("*{}*", for_markdown(note)));
        }
        lines.join("\n") + "\n"
    }
}

fn markdown_line(cells: &[String], widths: &[usize], aligns: &[Align]) -> String {
    let mut line = String::from("|");
    for ((cell, &width), align) in cells.iter().zip(widths).zip(aligns) {
        let _ = match align {
            Align::Left => write!(line, " {cell:<width$} |"),
            Align::Right => write!(line, " {cell:>width$} |"),
        };
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Column};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_keeps_one_line_per_row(text in any::<String>(), value in proptest::num::f64::ANY) {
            let table = Table::new(text.clone())
                .column(Column::text(text.clone()))
                .column(Column::number("x", 3))
                .row([text.as_str().into(), value.into()])
                .row([text.as_str().into(), Cell::estimate(value, value)])
                .note(text.clone());
            // Caption, rule, header, rule, two rows, rule, note.
            prop_assert_eq!(table.to_text().lines().count(), 8);
            prop_assert!(!table.to_text().chars().any(|character| character.is_control() && character != '\n'));
            let markdown = table.to_markdown();
            prop_assert_eq!(markdown.trim_end_matches('\n').matches('\n').count(), 7);
            for line in markdown.lines().skip(2).take(4) {
                let bars = line.replace("\\\\", "").replace("\\|", "").matches('|').count();
                prop_assert_eq!(bars, 3, "{}", line);
            }
        }
    }

    #[test]
    fn a_table_without_columns_is_its_caption_and_notes() {
        let table = Table::new("Nothing yet").note("Run it first.");
        assert!(table.to_text().starts_with("Nothing yet\n"));
        assert_eq!(table.to_markdown(), "**Nothing yet**\n\n\n*Run it first.*\n");
    }
}
