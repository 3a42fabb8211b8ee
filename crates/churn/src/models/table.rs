//! [`TableModel`]: churn by the last K outcomes, Table 1 of the EOMM paper.

use super::ModelError;
use crate::{ChurnModel, Outcome};

/// The longest pattern a table can hold: 3^10 = 59,049 cells.
pub const MAX_TABLE_OUTCOMES: usize = 10;

/// What was seen after one pattern of outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PatternCounts {
    /// Matches that ended the pattern and have a label.
    pub matches: u64,
    /// Those of them followed by churn.
    pub churned: u64,
}

impl PatternCounts {
    /// churned / matches, in [0, 1]; `None` without a match.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.matches > 0).then(|| self.churned as f64 / self.matches as f64)
    }

    /// sqrt(r (1 - r) / n), the binomial standard error of the rate r over n matches; `None` without a match.
    ///
    /// 0 when all or none churned: then it says little, the pattern is rare.
    #[must_use]
    pub fn standard_error(self) -> Option<f64> {
        self.rate()
            .map(|rate| (rate * (1.0 - rate) / self.matches as f64).sqrt())
    }

    fn add(&mut self, other: Self) -> Option<()> {
        self.matches = self.matches.checked_add(other.matches)?;
        self.churned = self.churned.checked_add(other.churned)?;
        Some(())
    }
}

/// Counts of churn by the last 0, 1, ..., K outcomes, to be made a [`TableModel`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SavedCounts"))]
pub struct TableCounts {
    /// `levels[k][cell]`: patterns of length k; the oldest outcome is the most significant ternary digit.
    levels: Vec<Vec<PatternCounts>>,
}

impl TableCounts {
    /// Empty counts for patterns of up to `outcomes` outcomes (K).
    ///
    /// # Errors
    ///
    /// [`ModelError::TableSize`] unless 1 <= K <= [`MAX_TABLE_OUTCOMES`].
    pub fn new(outcomes: usize) -> Result<Self, ModelError> {
        if !(1..=MAX_TABLE_OUTCOMES).contains(&outcomes) {
            return Err(ModelError::TableSize { outcomes });
        }
        let mut size = 1;
        let levels = (0..=outcomes)
            .map(|_| {
                let level = vec![PatternCounts::default(); size];
                size *= Outcome::ALL.len();
                level
            })
            .collect();
        Ok(Self { levels })
    }

    /// Counts one labelled match: `last` are the player's outcomes up to and with this match, oldest to newest.
    ///
    /// # Errors
    ///
    /// [`ModelError::Counts`] beyond 2^64 matches.
    pub fn add(&mut self, last: &[Outcome], churned: bool) -> Result<(), ModelError> {
        self.add_counts(
            last,
            PatternCounts {
                matches: 1,
                churned: u64::from(churned),
            },
        )
    }

    /// Counts many matches that ended the same pattern, as published tables give them.
    ///
    /// They count for each suffix of the pattern too, which is what the model backs off to.
    ///
    /// # Errors
    ///
    /// [`ModelError::Counts`] if more churned than there were, or beyond 2^64 matches.
    pub fn add_counts(&mut self, pattern: &[Outcome], counts: PatternCounts) -> Result<(), ModelError> {
        let refused = ModelError::Counts {
            matches: counts.matches,
            churned: counts.churned,
        };
        let total = self
            .levels
            .first()
            .and_then(|level| level.first())
            .copied()
            .unwrap_or_default();
        if counts.churned > counts.matches || total.matches.checked_add(counts.matches).is_none() {
            return Err(refused);
        }
        for (length, level) in self.levels.iter_mut().enumerate().take(pattern.len() + 1) {
            let cell = level.get_mut(cell_of(&pattern[pattern.len() - length..]));
            // Every cell is at most the total, which was just checked.
            cell.and_then(|cell| cell.add(counts))
                .ok_or_else(|| refused.clone())?;
        }
        Ok(())
    }

    /// What was seen after exactly this pattern (oldest to newest), however long the history before it.
    ///
    /// Nothing for a pattern longer than the table's.
    #[must_use]
    pub fn get(&self, pattern: &[Outcome]) -> PatternCounts {
        self.levels
            .get(pattern.len())
            .and_then(|level| level.get(cell_of(pattern)))
            .copied()
            .unwrap_or_default()
    }
}

/// What a file may hold, before it is counts.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct SavedCounts {
    levels: Vec<Vec<PatternCounts>>,
}

#[cfg(feature = "serde")]
impl TryFrom<SavedCounts> for TableCounts {
    type Error = ModelError;

    /// Level k has 3^k patterns; no pattern has more churned than matches; and the three patterns that put an outcome
    /// before a shorter one have no more matches together than it has.
    fn try_from(SavedCounts { levels }: SavedCounts) -> Result<Self, ModelError> {
        let refused = |what: String| ModelError::SavedTable { what };
        let counted =
            |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        if !(2..=MAX_TABLE_OUTCOMES + 1).contains(&levels.len()) {
            let most = MAX_TABLE_OUTCOMES + 1;
            return Err(refused(format!(
                "it has {}, not 2 to {most}",
                counted(levels.len(), "level")
            )));
        }
        let mut shorter: &[PatternCounts] = &[];
        let mut size = 1;
        for (length, level) in levels.iter().enumerate() {
            if level.len() != size {
                let patterns = counted(level.len(), "pattern");
                return Err(refused(format!(
                    "it has {patterns} of length {length}, not {size}"
                )));
            }
            if let Some(cell) = level.iter().find(|cell| cell.churned > cell.matches) {
                return Err(refused(format!(
                    "{} of {} matches churned",
                    cell.churned, cell.matches
                )));
            }
            for (suffix, whole) in shorter.iter().enumerate() {
                let longer = || level.iter().skip(suffix).step_by(shorter.len());
                let stayed = |cell: &PatternCounts| cell.matches - cell.churned;
                // Their sum may be beyond 2^64.
                let sum = |of: &dyn Fn(&PatternCounts) -> u64| {
                    longer().map(|cell| u128::from(of(cell))).sum::<u128>()
                };
                for (sum, of_whole, noun) in [
                    (sum(&|cell| cell.matches), whole.matches, "matches"),
                    (sum(&|cell| cell.churned), whole.churned, "churned"),
                    (sum(&stayed), stayed(whole), "stayed"),
                ] {
                    if sum > u128::from(of_whole) {
                        return Err(refused(format!(
                            "of the {of_whole} {noun} of a pattern of length {} longer patterns count {sum} {noun}",
                            length - 1
                        )));
                    }
                }
            }
            (shorter, size) = (level, size * Outcome::ALL.len());
        }
        Ok(Self { levels })
    }
}

/// The patterns of a length as ternary numbers: WWW is 0, LLL is 3^K - 1.
fn cell_of(pattern: &[Outcome]) -> usize {
    pattern
        .iter()
        .fold(0, |cell, outcome| cell * Outcome::ALL.len() + outcome.index())
}

/// Churn by the last K outcomes, read **oldest to newest**: `DLW` is a draw, then a loss, then a win just now.
///
/// c(o^K) = churned(o^K) / matches(o^K)        EOMM, Table 1 with K = 3
///
/// A pattern without data backs off to its longest suffix with data (the oldest outcome is forgotten first), in the
/// end to the overall rate. A state shorter than K is looked up among all matches that end so.
///
/// ```
/// use matchwright_churn::{ChurnModel, Outcome::{Draw, Loss, Win}, PatternCounts, TableCounts, TableModel};
///
/// let mut counts = TableCounts::new(3)?;
/// counts.add_counts(&[Draw, Loss, Win], PatternCounts { matches: 1_000, churned: 26 })?;
/// counts.add_counts(&[Loss, Loss, Loss], PatternCounts { matches: 1_000, churned: 51 })?;
/// let model = TableModel::new(counts)?;
/// assert_eq!(model.churn_probability(&[Win, Draw, Loss, Win][..]), 0.026);        // the last three count
/// assert_eq!(model.churn_probability(&[Win, Win, Loss][..]), 0.051);              // WWL unseen, WL unseen: all that end in L
/// # Ok::<(), matchwright_churn::ModelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "TableCounts", into = "TableCounts")
)]
pub struct TableModel {
    counts: TableCounts,
}

impl TableModel {
    /// The table of these counts.
    ///
    /// # Errors
    ///
    /// [`ModelError::EmptyTable`] without a single match.
    pub fn new(counts: TableCounts) -> Result<Self, ModelError> {
        if counts.get(&[]).matches == 0 {
            return Err(ModelError::EmptyTable);
        }
        Ok(Self { counts })
    }

    /// K, the length of the longest pattern.
    #[must_use]
    pub fn outcomes(&self) -> usize {
        self.counts.levels.len().saturating_sub(1)
    }

    /// What was seen after exactly this pattern, without back-off.
    #[must_use]
    pub fn pattern(&self, pattern: &[Outcome]) -> PatternCounts {
        self.counts.get(pattern)
    }

    /// What the model answers from: the longest suffix of `last`, up to K, that has data, and its counts.
    #[must_use]
    pub fn backed_off<'a>(&self, last: &'a [Outcome]) -> (&'a [Outcome], PatternCounts) {
        let longest = last.len().min(self.outcomes());
        (0..=longest)
            .rev()
            .map(|length| {
                let suffix = &last[last.len() - length..];
                (suffix, self.pattern(suffix))
            })
            .find(|(_, counts)| counts.matches > 0)
            .unwrap_or((&[], self.pattern(&[])))
    }

    /// The 3^K patterns of length K in the order WW..W, WW..D, ..., LL..L, each with its counts.
    pub fn patterns(&self) -> impl Iterator<Item = (Vec<Outcome>, PatternCounts)> + '_ {
        let length = self.outcomes();
        self.counts
            .levels
            .last()
            .into_iter()
            .flatten()
            .enumerate()
            .map(move |(cell, &counts)| {
                let mut pattern = vec![Outcome::Win; length];
                let mut rest = cell;
                for outcome in pattern.iter_mut().rev() {
                    *outcome = Outcome::ALL[rest % Outcome::ALL.len()];
                    rest /= Outcome::ALL.len();
                }
                (pattern, counts)
            })
    }
}

impl TryFrom<TableCounts> for TableModel {
    type Error = ModelError;

    fn try_from(counts: TableCounts) -> Result<Self, ModelError> {
        Self::new(counts)
    }
}

impl From<TableModel> for TableCounts {
    fn from(model: TableModel) -> Self {
        model.counts
    }
}

impl ChurnModel<[Outcome]> for TableModel {
    fn churn_probability(&self, state: &[Outcome]) -> f64 {
        // A checked table has a match, so that the empty suffix always answers.
        self.backed_off(state).1.rate().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Draw, Loss, Win};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn patterns_are_read_oldest_to_newest() {
        let mut counts = TableCounts::new(2).unwrap();
        counts.add(&[Loss, Win], false).unwrap();
        counts.add(&[Win, Loss], true).unwrap();
        let model = TableModel::new(counts).unwrap();
        assert_eq!(model.churn_probability(&[Loss, Win][..]), 0.0);
        assert_eq!(model.churn_probability(&[Win, Loss][..]), 1.0);
        assert_eq!(model.churn_probability(&[][..]), 0.5);
    }

    #[test]
    fn a_pattern_without_data_forgets_its_oldest_outcome_first() {
        let mut counts = TableCounts::new(3).unwrap();
        counts
            .add_counts(
                &[Draw, Draw, Win],
                PatternCounts {
                    matches: 10,
                    churned: 1,
                },
            )
            .unwrap();
        counts
            .add_counts(
                &[Loss, Win, Win],
                PatternCounts {
                    matches: 10,
                    churned: 5,
                },
            )
            .unwrap();
        let model = TableModel::new(counts).unwrap();
        let state = [Loss, Draw, Win];
        assert_eq!(
            model.backed_off(&state),
            (
                &state[1..],
                PatternCounts {
                    matches: 10,
                    churned: 1
                }
            )
        );
        assert_eq!(
            model.backed_off(&[Loss]),
            (
                &[][..],
                PatternCounts {
                    matches: 20,
                    churned: 6
                }
            )
        );
        assert_eq!(model.pattern(&state), PatternCounts::default());
        assert_eq!(model.pattern(&[Win; 4]).rate(), None);
    }

    #[test]
    fn the_standard_error_is_the_binomial_one() {
        let counts = PatternCounts {
            matches: 400,
            churned: 80,
        };
        assert!((counts.standard_error().unwrap() - 0.02).abs() < 1e-15);
    }

    #[test]
    fn impossible_tables_are_refused() {
        assert_eq!(TableCounts::new(0), Err(ModelError::TableSize { outcomes: 0 }));
        assert_eq!(TableCounts::new(11), Err(ModelError::TableSize { outcomes: 11 }));
        let mut counts = TableCounts::new(1).unwrap();
        assert!(TableModel::new(counts.clone()).is_err());
        assert!(
            counts
                .add_counts(
                    &[Win],
                    PatternCounts {
                        matches: 1,
                        churned: 2
                    }
                )
                .is_err()
        );
        counts
            .add_counts(
                &[Win],
                PatternCounts {
                    matches: u64::MAX,
                    churned: 2,
                },
            )
            .unwrap();
        let before = counts.clone();
        assert!(counts.add(&[Loss], true).is_err());
        assert_eq!(counts, before);
    }

    proptest! {
        #[test]
        fn every_rate_is_the_share_among_matches_with_that_suffix(
            rows in prop::collection::vec((prop::collection::vec(0_usize..3, 0..5), any::<bool>()), 1..60),
        ) {
            let rows: Vec<(Vec<Outcome>, bool)> = rows
                .into_iter()
                .map(|(row, churned)| (row.into_iter().map(|index| Outcome::ALL[index]).collect(), churned))
                .collect();
            let mut counts = TableCounts::new(3).unwrap();
            for (last, churned) in &rows {
                counts.add(last, *churned).unwrap();
            }
            let model = TableModel::new(counts).unwrap();
            prop_assert_eq!(model.patterns().count(), 27);
            for (pattern, found) in model.patterns() {
                for start in 0..=3 {
                    let ending: Vec<bool> = rows.iter().filter(|(last, _)| last.ends_with(&pattern[start..]))
                        .map(|&(_, churned)| churned).collect();
                    let counted = model.pattern(&pattern[start..]);
                    prop_assert_eq!(counted.matches, ending.len() as u64);
                    prop_assert_eq!(counted.churned, ending.iter().filter(|&&churned| churned).count() as u64);
                }
                prop_assert_eq!(found, model.pattern(&pattern));
            }
        }
    }
}
