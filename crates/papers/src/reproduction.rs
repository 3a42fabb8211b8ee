//! What every document's reproduction can show: tables, plots and one page.

use matchwright_report::{Plot, Section, Table};
use serde::Serialize;

/// What was reproduced of a document, ready to be written: each table and plot by the name of its file.
pub trait Reproduction: Serialize {
    /// How many of the tables a terminal shows; the others are in the folder alone.
    const TABLES_PRINTED: usize = usize::MAX;

    /// The name of the file with everything as JSON.
    const JSON: &'static str = "reproduction.json";

    /// The tables, the most wanted first, each by the name of its CSV file.
    fn tables(&self) -> Vec<(String, Table)>;

    /// The plots, each by the name of its SVG file.
    fn plots(&self) -> Vec<(String, Plot)>;

    /// The page as HTML, which tells the command that makes it.
    fn page(&self, command: &str) -> String;
}

/// Links to every table and plot, to `json` with everything, and to the manifest.
pub(crate) fn files_section(tables: &[(String, Table)], plots: &[(String, Plot)], json: &str) -> Section {
    let mut section =
        Section::new("Files").paragraph("Beside this page, with the same numbers in full precision:");
    for (name, table) in tables {
        section = section.download(table.caption().to_owned(), format!("{name}.csv"));
    }
    for (name, plot) in plots {
        section = section.download(plot.title().to_owned(), format!("{name}.svg"));
    }
    section
        .download("Everything, as JSON", json)
        .download("Version, command, seed, configuration, hashes", "manifest.json")
}

/// A table by the name of its file.
pub(crate) type Named<'a> = dyn Fn(&str) -> Option<Table> + 'a;

pub(crate) fn with(section: Section, table: Option<Table>) -> Section {
    match table {
        Some(table) => section.table(table),
        None => section,
    }
}
