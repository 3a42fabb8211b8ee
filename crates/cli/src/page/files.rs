//! The files beside a page, listed on it.

use matchwright_report::{Plot, Section, Table};

/// Links to every table and plot, to `json` with everything, and to the manifest.
pub(super) fn files_section(tables: &[(String, Table)], plots: &[(String, Plot)], json: &str) -> Section {
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
