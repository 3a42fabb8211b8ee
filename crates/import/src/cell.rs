//! What single cells say: numbers, times, names, lists.

pub(crate) mod case_twins;
pub(crate) mod cell_list;
pub(crate) mod composed;
pub(crate) mod date_and_time;
pub(crate) mod date_order;
pub(crate) mod decimals;
pub(crate) mod names;
pub(crate) mod nobody;
pub(crate) mod numbers;
pub(crate) mod seeds;
mod spelling;
pub(crate) mod time;
pub(crate) mod time_format;
pub(crate) mod time_unit;
pub(crate) mod unplayed;
pub(crate) mod value;
pub(crate) mod written_date;
