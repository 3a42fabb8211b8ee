//! What a study found, as tables, plots and one offline page.

mod limits;
mod plots;
mod reproduction;
mod study;
mod tables;

pub(crate) use plots::{reliability, study_plots};
pub(crate) use reproduction::{reproduction_page, reproduction_plots, reproduction_tables};
pub(crate) use study::{StudyOrigin, study_page};
pub(crate) use tables::study_tables;
