//! [`Section`]: the parts of a page.

use super::{Bars, Intervals};
use crate::{HeatMap, Plot, Table};

/// What a callout says about its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callout {
    /// Good to know.
    Note,
    /// A check that passed.
    Success,
    /// Read the numbers with care: assumptions, limits, data that are missing.
    Warning,
    /// A check that failed.
    Failure,
}

impl Callout {
    /// The word in front of the text, which carries the meaning without colour.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Note => "Note",
            Self::Success => "Passed",
            Self::Warning => "Caution",
            Self::Failure => "Failed",
        }
    }

    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Note => "mw-callout mw-note",
            Self::Success => "mw-callout mw-success",
            Self::Warning => "mw-callout mw-warning",
            Self::Failure => "mw-callout mw-failure",
        }
    }
}

/// One part of a section, in the order of the page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Paragraph(String),
    List(Vec<String>),
    Table(Table),
    /// Listed with a link to its file.
    Attached(Table),
    Plot(Plot),
    HeatMap(HeatMap),
    Bars(Bars),
    Intervals(Intervals),
    KeyValues(Vec<(String, String)>),
    /// Kind, label and text.
    Callout(Callout, String, String),
    Preformatted(String),
    Download {
        label: String,
        file_name: String,
    },
}

/// A heading and what stands under it, built in the order in which it is read.
///
/// ```
/// use matchwright_report::{Callout, Section};
///
/// let section = Section::new("Data")
///     .paragraph("Where the matches come from.")
///     .key_values(vec![("matches".into(), "6227".into())])
///     .callout(Callout::Warning, "Sessions are not recorded.")
///     .download("The table as CSV", "table2.csv");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub(crate) heading: String,
    /// Open from the start, on a page that folds its sections.
    pub(crate) is_open: bool,
    pub(crate) blocks: Vec<Block>,
}

impl Section {
    /// A section with nothing in it yet.
    #[must_use]
    pub fn new(heading: impl Into<String>) -> Self {
        Self {
            heading: heading.into(),
            is_open: false,
            blocks: Vec::new(),
        }
    }

    /// Is open from the start, also on a page that folds its sections.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.is_open = true;
        self
    }

    /// Adds a paragraph of plain text.
    #[must_use]
    pub fn paragraph(self, text: impl Into<String>) -> Self {
        self.block(Block::Paragraph(text.into()))
    }

    /// Adds a bulleted list.
    #[must_use]
    pub fn list(self, items: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.block(Block::List(items.into_iter().map(Into::into).collect()))
    }

    /// Adds a table.
    #[must_use]
    pub fn table(self, table: Table) -> Self {
        self.block(Block::Table(table))
    }

    /// Adds several tables; an [`Option`] is one table or none.
    #[must_use]
    pub fn tables(self, tables: impl IntoIterator<Item = Table>) -> Self {
        tables.into_iter().fold(self, Self::table)
    }

    /// Adds a table that is a file beside the page: only a link to it is shown, if it has a
    /// [file name](Table::file).
    #[must_use]
    pub fn attach(self, table: Table) -> Self {
        self.block(Block::Attached(table))
    }

    /// Adds values with intervals.
    #[must_use]
    pub fn intervals(self, intervals: Intervals) -> Self {
        self.block(Block::Intervals(intervals))
    }

    /// Adds labelled bars.
    #[must_use]
    pub fn bars(self, bars: Bars) -> Self {
        self.block(Block::Bars(bars))
    }

    /// Adds a plot. One that cannot be drawn leaves its error message in its place.
    #[must_use]
    pub fn plot(self, plot: Plot) -> Self {
        self.block(Block::Plot(plot))
    }

    /// Adds several plots; an [`Option`] is one plot or none.
    #[must_use]
    pub fn plots(self, plots: impl IntoIterator<Item = Plot>) -> Self {
        plots.into_iter().fold(self, Self::plot)
    }

    /// Adds a grid of shaded cells.
    #[must_use]
    pub fn heat_map(self, map: HeatMap) -> Self {
        self.block(Block::HeatMap(map))
    }

    /// Adds a list of names with their values.
    #[must_use]
    pub fn key_values(self, pairs: Vec<(String, String)>) -> Self {
        self.block(Block::KeyValues(pairs))
    }

    /// Adds a box that stands out.
    #[must_use]
    pub fn callout(self, kind: Callout, text: impl Into<String>) -> Self {
        self.labelled_callout(kind, kind.word(), text)
    }

    /// Adds a box that stands out, with a label of its own in front of the text.
    #[must_use]
    pub fn labelled_callout(self, kind: Callout, label: &str, text: impl Into<String>) -> Self {
        self.block(Block::Callout(kind, label.to_owned(), text.into()))
    }

    /// Adds text whose spaces and line breaks count: a command, a configuration.
    #[must_use]
    pub fn preformatted(self, text: impl Into<String>) -> Self {
        self.block(Block::Preformatted(text.into()))
    }

    /// Adds a link to a file in the page's own folder.
    #[must_use]
    pub fn download(self, label: impl Into<String>, file_name: impl Into<String>) -> Self {
        self.block(Block::Download {
            label: label.into(),
            file_name: file_name.into(),
        })
    }

    fn block(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }
}
