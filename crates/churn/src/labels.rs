//! Churn labels from time stamps, with censoring.

use thiserror::Error;

/// How long a player must stay away to count as a churner, in whole seconds.
///
/// EOMM uses two: seven days (Table 1) and eight hours (the model of section 5.2).
///
/// ```
/// use matchwright_churn::Horizon;
///
/// assert_eq!(Horizon::hours(8).seconds(), 28_800);
/// assert_eq!(Horizon::days(7).seconds(), 604_800);
/// assert!(Horizon::from_seconds(0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "i64", into = "i64")
)]
pub struct Horizon(i64);

impl Horizon {
    /// A horizon of this many seconds.
    ///
    /// # Errors
    ///
    /// [`LabelError::Horizon`] unless `seconds` is positive.
    pub const fn from_seconds(seconds: i64) -> Result<Self, LabelError> {
        if seconds > 0 {
            Ok(Self(seconds))
        } else {
            Err(LabelError::Horizon { seconds })
        }
    }

    /// A horizon of this many hours; 0 is read as the shortest horizon, one second.
    #[must_use]
    pub const fn hours(hours: u32) -> Self {
        Self::at_least_a_second(hours as i64 * 3_600)
    }

    /// A horizon of this many days of 24 hours; 0 is read as the shortest horizon, one second.
    #[must_use]
    pub const fn days(days: u32) -> Self {
        Self::at_least_a_second(days as i64 * 86_400)
    }

    const fn at_least_a_second(seconds: i64) -> Self {
        Self(if seconds > 0 { seconds } else { 1 })
    }

    /// The length in seconds, at least 1.
    #[must_use]
    pub const fn seconds(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Horizon {
    type Error = LabelError;

    fn try_from(seconds: i64) -> Result<Self, LabelError> {
        Self::from_seconds(seconds)
    }
}

impl From<Horizon> for i64 {
    fn from(horizon: Horizon) -> Self {
        horizon.0
    }
}

/// What became of a player after one match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Label {
    /// No further match within the horizon, and the whole horizon was observed.
    Churned,
    /// A further match within the horizon, and the whole horizon was observed.
    Returned,
    /// Observation stopped before the horizon had passed: say nothing.
    Censored,
}

/// A history that cannot be labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LabelError {
    /// A horizon of zero or fewer seconds.
    #[error("a churn horizon of {seconds} s is not a length of time: give at least 1 second")]
    Horizon {
        /// The length given.
        seconds: i64,
    },
    /// Time runs backwards.
    #[error(
        "match {index} at {time} is before the match before it at {previous}: sort the player's matches by time"
    )]
    Unsorted {
        /// Place in the slice, from 0.
        index: usize,
        /// Unix time of that match, seconds.
        time: i64,
        /// Unix time of the match before it, seconds.
        previous: i64,
    },
    /// A match after the end of the observation.
    #[error(
        "match {index} at {time} is after the end of the observation at {observed_until}: observe at least until the last match"
    )]
    AfterObservation {
        /// Place in the slice, from 0.
        index: usize,
        /// Unix time of that match, seconds.
        time: i64,
        /// Unix time up to which every match was recorded, seconds.
        observed_until: i64,
    },
}

/// Labels each match of one player by whether the player came back within the horizon.
///
/// With t the time of a match, t' the time of the same player's next match, h the horizon and T = `observed_until`:
///
/// - Censored if t + h > T: the horizon was not observed to its end;
/// - else Returned if t' exists and t' - t <= h (a match exactly h later is still a return);
/// - else Churned.
///
/// A match whose horizon ends exactly at T is labelled. **A match whose horizon reaches beyond T is censored even
/// when the player is seen to return before T**: near the end only returns can be seen, so that keeping them while
/// dropping the others would make the churn rate look too low.
///
/// `times` are one player's matches in Unix seconds, ascending; equal times are allowed and count as a return at
/// once. `observed_until` is the time up to which matches of *anyone* are known to be recorded, as a rule the last of
/// the file.
///
/// Complexity: O(n).
///
/// # Errors
///
/// [`LabelError::Unsorted`] and [`LabelError::AfterObservation`], each naming the match.
///
/// Source: EOMM (2017), section 5.2: "a player is labeled as an eight-hour churner if they do not play any 1-vs-1
/// match within the next eight hours after playing this match".
///
/// ```
/// use matchwright_churn::{Horizon, Label, LabelCounts, label_matches};
///
/// let noon = 1_091_793_600;
/// let times = [noon, noon + 600, noon + 600 + 28_801];
/// let labels = label_matches(&times, Horizon::hours(8), noon + 50_000)?;
/// assert_eq!(labels, [Label::Returned, Label::Churned, Label::Censored]);
///
/// let counts: LabelCounts = labels.iter().copied().collect();
/// assert_eq!(counts.churn_rate(), Some(0.5));
/// # Ok::<(), matchwright_churn::LabelError>(())
/// ```
pub fn label_matches(times: &[i64], horizon: Horizon, observed_until: i64) -> Result<Vec<Label>, LabelError> {
    let mut labels = Vec::with_capacity(times.len());
    for (index, &time) in times.iter().enumerate() {
        if time > observed_until {
            return Err(LabelError::AfterObservation {
                index,
                time,
                observed_until,
            });
        }
        let next = times.get(index + 1).copied();
        if let Some(next) = next.filter(|&next| next < time) {
            return Err(LabelError::Unsorted {
                index: index + 1,
                time: next,
                previous: time,
            });
        }
        // A deadline beyond the end of representable time is beyond any observation.
        let deadline = time
            .checked_add(horizon.seconds())
            .filter(|&deadline| deadline <= observed_until);
        labels.push(match (deadline, next) {
            (None, _) => Label::Censored,
            (Some(deadline), Some(next)) if next <= deadline => Label::Returned,
            (Some(_), _) => Label::Churned,
        });
    }
    Ok(labels)
}

/// How many matches got which label.
///
/// Collect labels into it, or [`add`](Self::add) one at a time. Report `censored` beside any rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LabelCounts {
    /// Matches after which the player stayed away for the whole horizon.
    pub churned: u64,
    /// Matches after which the player came back within the horizon.
    pub returned: u64,
    /// Matches whose horizon was not observed to its end.
    pub censored: u64,
}

impl LabelCounts {
    /// Counts one more label.
    pub fn add(&mut self, label: Label) {
        match label {
            Label::Churned => self.churned += 1,
            Label::Returned => self.returned += 1,
            Label::Censored => self.censored += 1,
        }
    }

    /// Matches with a label that says something: churned + returned.
    #[must_use]
    pub const fn labelled(self) -> u64 {
        self.churned + self.returned
    }

    /// churned / (churned + returned), in [0, 1]; `None` when nothing was labelled. Censored matches do not enter.
    #[must_use]
    pub fn churn_rate(self) -> Option<f64> {
        (self.labelled() > 0).then(|| self.churned as f64 / self.labelled() as f64)
    }
}

impl Extend<Label> for LabelCounts {
    fn extend<I: IntoIterator<Item = Label>>(&mut self, labels: I) {
        for label in labels {
            self.add(label);
        }
    }
}

impl FromIterator<Label> for LabelCounts {
    fn from_iter<I: IntoIterator<Item = Label>>(labels: I) -> Self {
        let mut counts = Self::default();
        counts.extend(labels);
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(times: &[i64], observed_until: i64) -> Vec<Label> {
        label_matches(times, Horizon::from_seconds(100).unwrap(), observed_until).unwrap()
    }

    #[test]
    fn a_return_at_the_very_end_of_the_horizon_is_a_return() {
        assert_eq!(labels(&[0, 100], 300), [Label::Returned, Label::Churned]);
        assert_eq!(labels(&[0, 101], 300), [Label::Churned, Label::Churned]);
    }

    #[test]
    fn a_horizon_that_ends_with_the_observation_is_labelled_and_one_second_more_is_censored() {
        assert_eq!(labels(&[0], 100), [Label::Churned]);
        assert_eq!(labels(&[1], 100), [Label::Censored]);
    }

    #[test]
    fn a_return_near_the_end_is_censored_like_an_absence_near_the_end() {
        assert_eq!(labels(&[50, 60], 100), [Label::Censored, Label::Censored]);
    }

    #[test]
    fn two_matches_in_one_second_are_a_return() {
        assert_eq!(labels(&[0, 0], 100), [Label::Returned, Label::Churned]);
    }

    #[test]
    fn extreme_times_neither_overflow_nor_panic() {
        let day = Horizon::days(u32::MAX);
        assert_eq!(
            label_matches(&[i64::MIN, i64::MAX], day, i64::MAX),
            Ok(vec![Label::Churned, Label::Censored])
        );
    }

    #[test]
    fn broken_histories_name_the_match_and_the_mend() {
        let error = label_matches(&[5, 3], Horizon::hours(8), 10).unwrap_err();
        assert_eq!(
            error,
            LabelError::Unsorted {
                index: 1,
                time: 3,
                previous: 5
            }
        );
        assert!(error.to_string().contains("sort the player's matches"), "{error}");
        let error = label_matches(&[5, 30], Horizon::hours(8), 10).unwrap_err();
        assert_eq!(
            error,
            LabelError::AfterObservation {
                index: 1,
                time: 30,
                observed_until: 10
            }
        );
        assert!(
            Horizon::from_seconds(-1)
                .unwrap_err()
                .to_string()
                .contains("-1 s")
        );
    }

    proptest! {
        /// The definition, written as a search over all later matches rather than a look at the next.
        #[test]
        fn labels_equal_the_definition_on_any_history(
            mut times in prop::collection::vec(0_i64..400, 0..30),
            horizon in 1_i64..120,
            extra in 0_i64..200,
        ) {
            times.sort_unstable();
            let end = times.last().copied().unwrap_or(0) + extra;
            let found = label_matches(&times, Horizon::from_seconds(horizon).unwrap(), end).unwrap();
            for (index, &label) in found.iter().enumerate() {
                let came_back = times[index + 1..].iter().any(|&later| later - times[index] <= horizon);
                let expected = if end - times[index] < horizon {
                    Label::Censored
                } else if came_back {
                    Label::Returned
                } else {
                    Label::Churned
                };
                prop_assert_eq!(label, expected);
            }
            let counts: LabelCounts = found.iter().copied().collect();
            prop_assert_eq!(counts.labelled() + counts.censored, times.len() as u64);
        }
    }
}
