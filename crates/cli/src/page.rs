//! What a study found, as tables, plots and one offline page.

mod awesomenauts;
mod dominations;
mod dota;
mod files;
mod limits;
mod lobby;
mod plots;
mod reproduction;
mod sc2;
mod study;
mod tables;

pub(crate) use awesomenauts::{
    awesomenauts_page, awesomenauts_plots, awesomenauts_tables, equal_time_page, equal_time_table,
};
pub(crate) use dominations::{dominations_page, dominations_plots, dominations_tables};
pub(crate) use dota::{dota_page, dota_plots, dota_tables};
pub(crate) use lobby::lobby_page;
pub(crate) use plots::{reliability, study_plots};
pub(crate) use reproduction::{reproduction_page, reproduction_plots, reproduction_tables};
pub(crate) use sc2::{sc2_page, sc2_plots, sc2_tables};
pub(crate) use study::{StudyOrigin, study_page};
pub(crate) use tables::study_tables;
