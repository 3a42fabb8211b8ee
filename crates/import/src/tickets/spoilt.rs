//! Tickets that are lost with a bad row: none is left with fewer players than it had.

use std::collections::HashMap;

use super::draft::{Draft, Key};
use crate::error::RowError;

/// What bad rows spoil.
#[derive(Default)]
pub(super) struct Spoilt {
    /// By what the rows of a ticket have in common, the first error with the number of bad rows, and whether it is sure
    /// that its row has this in common.
    keys: HashMap<Key, (RowError, bool)>,
    /// Those of tickets of one row.
    alone: Vec<RowError>,
    /// The first of which it is not known what ticket it is of.
    unknown: Option<RowError>,
}

impl Spoilt {
    /// A row of the tickets with this key.
    pub(super) fn add(&mut self, key: Key, error: RowError, is_sure: bool) {
        let first = self
            .keys
            .entry(key)
            .or_insert((RowError { rows: 0, ..error }, is_sure));
        first.0.rows += 1;
    }

    /// A row that is a ticket of its own, unless it `is_unknown`.
    pub(super) fn add_alone(&mut self, error: RowError, is_unknown: bool) {
        if is_unknown {
            self.unknown.get_or_insert(error.clone());
        }
        self.alone.push(error);
    }

    /// The errors of all that is lost, with the rows of each; the rows of these tickets become none. Or the error of a row
    /// without which some ticket may be left with fewer players.
    pub(super) fn take(mut self, tickets: &mut [Draft]) -> Result<Vec<RowError>, RowError> {
        let are_parts = tickets.iter().any(|draft| draft.rows > 1);
        let mut errors = self.alone;
        for draft in tickets {
            let any_time = draft.key.as_ref().and_then(Key::at_any_time);
            let keys = draft.key.iter().chain(&any_time);
            let Some(key) = keys.into_iter().find(|key| self.keys.contains_key(*key)) else {
                continue;
            };
            if let Some((error, _)) = self.keys.get_mut(key) {
                // The bad rows count with the first ticket that they spoil.
                let rows = std::mem::take(&mut error.rows) + std::mem::take(&mut draft.rows);
                errors.push(RowError {
                    rows,
                    ..error.clone()
                });
            }
        }
        let left = self.keys.into_values().filter(|(error, _)| error.rows > 0);
        for (error, is_sure) in left {
            if !is_sure {
                self.unknown.get_or_insert(error.clone());
            }
            errors.push(error);
        }
        match self.unknown.filter(|_| are_parts) {
            Some(error) => Err(without_ticket(error)),
            None => Ok(errors),
        }
    }
}

/// The fault of a row whose ticket is not known: some ticket may lack it.
fn without_ticket(error: RowError) -> RowError {
    let (column, what) = error.fault;
    let what = format!("{what}; no ticket can be dropped for the row, as it is not known which it is of");
    RowError {
        fatal: true,
        fault: (column, what),
        ..error
    }
}
