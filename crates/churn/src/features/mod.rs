//! Features of a player's history: one pass in time order, nothing of the future.

mod eomm;
mod extended;
mod history;
#[cfg(feature = "serde")]
mod saved;

pub use eomm::{EOMM_COLUMNS, EOMM_INPUTS, EommState, eomm_feature_specs, eomm_raw_feature_specs};
pub use extended::{EXTENDED_COLUMNS, ExtendedHistory, ExtendedState, extended_feature_specs};
pub use history::{HistoryError, MatchObserved, PlayerHistory, Scale, states_before};

/// What one column of a feature row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FeatureSpec {
    /// The column's name: letters, digits and underscores, unique within its row.
    pub name: &'static str,
    /// The unit of the numbers in it: `0 or 1`, `ln(1 + s)`, `s`, `points`, ...
    pub unit: &'static str,
    /// One sentence: what it measures and what it is when the history does not know.
    pub description: &'static str,
}

/// A player's history that can be asked for rows of features, as `Dataset::from_matches` does (feature `fit`).
///
/// Implemented by [`PlayerHistory`] and [`ExtendedHistory`]; write your own for features of your game.
///
/// # Contract
///
/// - A row depends on the matches pushed so far and on its arguments alone: nothing of the match or of any later one.
/// - Every row has one finite number per column.
/// - A clone of a history goes on as the history would.
pub trait FeatureHistory: Clone {
    /// The columns' names in order, each once.
    fn columns(&self) -> Vec<String>;

    /// Writes the row of a match at `time` (Unix seconds) that ends with `outcome` into `row`, one number per column.
    ///
    /// # Errors
    ///
    /// [`HistoryError::TimeBackwards`] for a time before the latest match pushed.
    fn write_row(&self, time: i64, outcome: crate::Outcome, row: &mut [f64]) -> Result<(), HistoryError>;

    /// Adds the next match.
    ///
    /// # Errors
    ///
    /// [`HistoryError`] for a match that does not fit; the history stays as it was.
    fn push(&mut self, observed: &MatchObserved) -> Result<(), HistoryError>;
}

/// The names of columns.
fn names(specs: &[FeatureSpec]) -> Vec<String> {
    specs.iter().map(|spec| spec.name.to_owned()).collect()
}

/// The one-hot of an outcome in the order win, draw, loss.
pub(crate) fn one_hot(outcome: crate::Outcome) -> [f64; 3] {
    let mut hot = [0.0; 3];
    hot[outcome.index()] = 1.0;
    hot
}

/// 1 for true and 0 for false.
pub(crate) fn flag(condition: bool) -> f64 {
    f64::from(u8::from(condition))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_feature_has_a_unique_plain_name_a_unit_and_a_description() {
        for specs in [
            eomm_feature_specs(),
            eomm_raw_feature_specs(),
            extended_feature_specs(),
        ] {
            let names: BTreeSet<&str> = specs.iter().map(|spec| spec.name).collect();
            assert_eq!(names.len(), specs.len());
            for spec in specs {
                assert!(
                    spec.name
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
                    "{spec:?}"
                );
                assert!(!spec.unit.is_empty() && spec.description.len() > 15, "{spec:?}");
            }
        }
    }
}
