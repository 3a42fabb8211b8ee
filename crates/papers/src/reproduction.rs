//! What every document's reproduction can show: one page, whose tables and plots are its files.

use matchwright_report::{Cell, Page, Point, decimal};
use matchwright_sim::statistics::{Estimate, MeanTest};
use serde::Serialize;

/// What was reproduced of a document, ready to be written.
pub trait Reproduction: Serialize {
    /// How many of the page's tables a terminal shows; the others are in the folder alone.
    const TABLES_PRINTED: usize = usize::MAX;

    /// The name of the file with everything as JSON.
    const JSON: &'static str = "reproduction.json";

    /// The page: what was found, with every table and plot, each with the name of its file.
    fn content(&self) -> Page;

    /// The page with links to all its files, and with the command that makes it.
    fn page(&self, command: &str) -> Page {
        let others = [
            ("Everything, as JSON", Self::JSON),
            ("Version, command, seed, configuration, hashes", "manifest.json"),
        ];
        self.content()
            .files_section(others)
            .footer(format!("matchwright {} · {command}", env!("CARGO_PKG_VERSION")))
    }
}

/// A mean with its standard error.
pub(crate) fn estimate(of: Estimate) -> Cell {
    Cell::estimate(of.mean, of.standard_error)
}

/// The difference of two means with its standard error.
pub(crate) fn difference(test: MeanTest) -> Cell {
    Cell::estimate(test.difference, test.standard_error)
}

/// A mean above `x`, with a bar of one standard error.
pub(crate) fn point(x: f64, y: Estimate) -> Point {
    Point::with_error(x, y.mean, y.standard_error)
}

/// A share above `x` in percent, with a bar of one standard error.
pub(crate) fn percent_point(x: f64, share: Estimate) -> Point {
    Point::with_error(x, 100.0 * share.mean, 100.0 * share.standard_error)
}

/// A number with its sign, as a headline shows it.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let plus = if value > 0.0 { "+" } else { "" };
    format!("{plus}{}", decimal(value, decimals))
}

/// Values after 0, 1, 2, ... games.
pub(crate) fn by_game(values: &[f64]) -> Vec<Point> {
    let games = values.iter().enumerate();
    games
        .map(|(game, value)| Point::new(game as f64, *value))
        .collect()
}
