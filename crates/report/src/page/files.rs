//! The tables and plots of a page, and the files that they are written to.

use std::collections::BTreeSet;

use super::section::Block;
use super::{Page, Section};
use crate::{HeatMap, Plot, PlotError, Table};

/// Why the files of a page could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Two tables or two plots have one name, and one file would replace the other.
    #[error("two parts of the page would be written to {name}; name one of them differently")]
    Duplicate {
        /// The file's name.
        name: String,
    },
    /// A plot cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

impl Page {
    /// The tables that the page shows, from top to bottom.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The plots that the page shows, from top to bottom.
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        let in_sections = self.blocks().filter_map(|block| match block {
            Block::Plot(plot) => Some(plot),
            _ => None,
        });
        self.picture.iter().chain(in_sections)
    }

    /// Name and content of a CSV file for each table with a [file name](Table::file), shown or attached, then of an
    /// SVG file for each plot and each heat map with one; a plot without a point to show has none.
    ///
    /// ```
    /// use matchwright_report::{Column, Page, Section, Table};
    ///
    /// let squares = Table::of("Squares", 1..=2).column(Column::integer("n²"), |n| n * n).build().file("squares");
    /// let page = Page::new("Numbers").section(Section::new("Squares").table(squares)).files_section([("This page", "index.html")]);
    /// assert_eq!(page.files()?, [("squares.csv".to_owned(), "n²\n1\n4\n".to_owned())]);
    /// assert!(page.to_html().contains("<a href=\"./squares.csv\" download>Squares</a>"));
    /// # Ok::<(), matchwright_report::FileError>(())
    /// ```
    ///
    /// # Errors
    /// [`FileError::Duplicate`] where two files have one name, [`FileError::Plot`] for a plot that cannot be drawn.
    pub fn files(&self) -> Result<Vec<(String, String)>, FileError> {
        let tables = self
            .named_tables()
            .map(|(stem, table)| Ok((format!("{stem}.csv"), table.to_csv())));
        let plots = self
            .named_plots()
            .map(|(stem, plot)| Ok((format!("{stem}.svg"), plot.to_svg()?)));
        let maps = self
            .named_maps()
            .map(|(stem, map)| Ok((format!("{stem}.svg"), map.to_svg())));
        let files = tables
            .chain(plots)
            .chain(maps)
            .collect::<Result<Vec<_>, FileError>>()?;
        let mut names = BTreeSet::new();
        match files.iter().find(|(name, _)| !names.insert(name)) {
            Some((name, _)) => Err(FileError::Duplicate { name: name.clone() }),
            None => Ok(files),
        }
    }

    /// Adds a section with a link to each of the page's [files](Self::files), then to `others`, each a label and a
    /// file name.
    #[must_use]
    pub fn files_section<'a>(self, others: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let start =
            Section::new("Files").paragraph("Beside this page, with the same numbers in full precision:");
        let section = self.named_tables().fold(start, |section, (stem, table)| {
            section.download(table.caption(), format!("{stem}.csv"))
        });
        let section = self.named_plots().fold(section, |section, (stem, plot)| {
            section.download(plot.title(), format!("{stem}.svg"))
        });
        let section = self.named_maps().fold(section, |section, (stem, map)| {
            section.download(map.title(), format!("{stem}.svg"))
        });
        let section = others
            .into_iter()
            .fold(section, |section, (label, name)| section.download(label, name));
        self.section(section)
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// Plots with a file; one without a point to show is a sentence on the page alone.
    fn named_plots(&self) -> impl Iterator<Item = (&str, &Plot)> {
        let drawn = self.plots().filter(|plot| plot.nothing_to_draw().is_none());
        drawn.filter_map(|plot| Some((plot.file_stem()?, plot)))
    }

    fn named_maps(&self) -> impl Iterator<Item = (&str, &HeatMap)> {
        self.blocks().filter_map(|block| match block {
            Block::HeatMap(map) => Some((map.file_stem()?, map)),
            _ => None,
        })
    }

    /// Tables with a file, shown or attached.
    fn named_tables(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.blocks().filter_map(|block| match block {
            Block::Table(table) | Block::Attached(table) => Some((table.file_stem()?, table)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Column, Point, Series};

    fn table(caption: &str) -> Table {
        Table::of(caption, [1])
            .column(Column::integer("n"), |n| n)
            .build()
    }

    #[test]
    fn files_are_those_of_named_tables_and_plots_and_all_are_linked() {
        let plot =
            Plot::new("Growth").series(Series::line("s", [Point::new(0.0, 0.0), Point::new(1.0, 1.0)]));
        let page = Page::new("p")
            .section(
                Section::new("a")
                    .table(table("Shown").file("shown"))
                    .plot(plot.clone().file("growth")),
            )
            .section(
                Section::new("b")
                    .attach(table("Attached").file("attached"))
                    .table(table("Nameless"))
                    .plot(plot),
            )
            .section(
                Section::new("c").heat_map(HeatMap::new("Grid", "", "", ["a"]).row("r", [1.0]).file("grid")),
            )
            .files_section([("Everything", "all.json")]);
        let names: Vec<String> = page.files().unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["shown.csv", "attached.csv", "growth.svg", "grid.svg"]);
        let html = page.to_html();
        for name in names.iter().map(String::as_str).chain(["all.json"]) {
            assert!(
                html.contains(&format!("<a href=\"./{name}\" download>")),
                "{name}"
            );
        }
        assert!(
            !html.contains("<caption><span>Attached"),
            "an attached table is not shown"
        );
        let shown: Vec<&str> = page.tables().map(Table::caption).collect();
        assert_eq!(shown, ["Shown", "Nameless"]);
        assert_eq!(page.plots().count(), 2);
    }

    #[test]
    fn two_files_of_one_name_are_refused() {
        let section = Section::new("s")
            .table(table("a").file("x"))
            .attach(table("b").file("x"));
        let error = Page::new("p").section(section).files().unwrap_err();
        assert_eq!(error, FileError::Duplicate { name: "x.csv".into() });
    }

    #[test]
    fn a_plot_that_cannot_be_drawn_is_an_error_of_the_files() {
        let turned = Plot::new("turned")
            .file("turned")
            .x(Axis::new("x").range(1.0, 0.0));
        let turned = turned.series(Series::line("s", [Point::new(0.5, 1.0)]));
        let section = Section::new("s").plot(turned);
        assert!(matches!(
            Page::new("p").section(section).files(),
            Err(FileError::Plot(_))
        ));
    }
}
