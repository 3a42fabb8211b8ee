//! Tables, SVG plots and one-file offline HTML pages for numbers of any origin.
//!
//! This crate takes numbers and knows no domain. Give it a table once and show it in a terminal, a README, a
//! spreadsheet and a browser; give it points and get a plot that any browser opens, today and in ten years. Equal
//! input gives equal bytes on every machine: nothing here reads a clock, a locale or a font.
//!
//! | You have | You want | Take |
//! |---|---|---|
//! | rows of numbers, with or without standard errors | text, Markdown, CSV, JSON, HTML | [`Table`] |
//! | points, lines, error bars, bands | an SVG file, or a picture for a terminal | [`Plot`] |
//! | one number for each of two categories | a grid of shaded cells | [`HeatMap`] |
//! | shares from 0 to 1 of one thing after another | labelled bars on a page | [`Bars`] |
//! | values of several things with intervals | marks on one scale on a page | [`Intervals`] |
//! | tables, plots and words | one HTML file to send to somebody | [`Page`] |
//! | a run that others shall repeat | a record of it | [`Manifest`] |
//!
//! ```
//! use matchwright_report::{Axis, Cell, Column, Headline, Page, Plot, Point, Section, Series, Table};
//!
//! let table = Table::new("Mean wait by policy")
//!     .column(Column::text("Policy"))
//!     .column(Column::number("Wait", 1).unit("s"))
//!     .row(["first come".into(), Cell::estimate(31.44, 0.52)])
//!     .row(["widening window".into(), Cell::estimate(18.03, 0.31)]);
//! assert_eq!(
//!     table.to_text(),
//!     "\
//! Mean wait by policy
//! ──────────────────────────────
//!  Policy              Wait (s)
//! ──────────────────────────────
//!  first come        31.4 ± 0.5
//!  widening window   18.0 ± 0.3
//! ──────────────────────────────
//! "
//! );
//!
//! let plot = Plot::new("Wait by time of day")
//!     .x(Axis::new("Time").unit("h").range(0.0, 24.0))
//!     .y(Axis::new("Mean wait").unit("s"))
//!     .series(Series::line("first come", (0..24).map(|hour| Point::new(f64::from(hour), 30.0 + f64::from(hour % 7)))));
//!
//! let html = Page::new("Waiting")
//!     .headlines([Headline::new("18", "s", "mean wait of a player with a widening window")])
//!     .lead("How long players wait.")
//!     .section(Section::new("Means").table(table))
//!     .section(Section::new("Over the day").plot(plot))
//!     .to_html();
//! assert!(html.contains("<th scope=\"row\">first come</th>"));
//! ```
//!
//! Numbers that are not finite are data, not accidents: a table shows `-`, a plot leaves the point out, breaks the
//! line there and says how many it left out. Nothing in this crate panics on any number or string.

mod heat;
mod manifest;
mod number;
mod page;
mod plot;
mod table;
mod text;
mod time;

pub use heat::HeatMap;
pub use manifest::{FileRecord, Manifest};
pub use number::{brief, count, counted, decimal, rounded};
pub use page::{Bars, Callout, FileError, Headline, Intervals, Page, Section};
pub use plot::{
    Axis, GREATEST_SIZE, GREATEST_TERMINAL_SIZE, LEAST_SIZE, LEAST_TERMINAL_SIZE, Plot, PlotError, Point,
    Scale, Series,
};
pub use table::{Align, Cell, Column, Table, TableBuilder};
pub use text::{steers, visible, visible_line};
pub use time::utc_time;

/// The code of the README, run as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
