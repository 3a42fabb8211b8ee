//! [`lead_balance`]: how close a played match was, by the area under its lead since the match was last level.

use thiserror::Error;

/// How close a played match was: the smaller the area, the closer.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeadBalance {
    /// The integral of the absolute lead since the match was last level, in units of the lead times seconds; 0 or more.
    pub area: f64,
    /// When the match was last level, in seconds; the time of the first sample if it never was.
    pub level_at: f64,
}

/// The time integral of the size of a lead since it was last zero, for a lead that is straight between samples.
///
/// ```text
/// area = integral from t0 to T of |lead(t)| dt       t0 = the last t with lead(t) = 0,  T = the last sample
/// ```
///
/// `samples` are (time in seconds, lead): times rise strictly, a lead is positive for one team and negative for the
/// other, in gold or any unit. Where the lead changes sign between two samples, the crossing of the straight line counts.
/// A lead that was never zero counts from the first sample on, and one that ends at zero has area 0: a large lead that is lost
/// again leaves nothing behind.
///
/// Valve, "Dota 2: Matchmaking", 7 December 2013, "Data Driven Process": the measure of balance, of the difference in gold
/// farmed. O(samples), from the last one backwards; no allocation.
///
/// # Errors
/// [`LeadError`] for fewer than two samples, a time or a lead that is not finite, times that do not rise, and an area beyond
/// the range of a number.
///
/// ```
/// use matchwright_scoring::lead_balance;
///
/// // Ten thousand ahead after 20 minutes, caught up after 40, a thousand behind at the end.
/// let swing = lead_balance(&[(0.0, 0.0), (1200.0, 10_000.0), (2400.0, 0.0), (2700.0, -1000.0)])?;
/// // Two thousand ahead from the second minute to the end.
/// let steady = lead_balance(&[(0.0, 0.0), (120.0, 2000.0), (2700.0, 2000.0)])?;
/// assert_eq!((swing.level_at, swing.area), (2400.0, 150_000.0));
/// assert_eq!((steady.level_at, steady.area), (0.0, 5_280_000.0));
/// # Ok::<(), matchwright_scoring::LeadError>(())
/// ```
pub fn lead_balance(samples: &[(f64, f64)]) -> Result<LeadBalance, LeadError> {
    check(samples)?;
    let mut balance = LeadBalance {
        area: 0.0,
        level_at: samples[samples.len() - 1].0,
    };
    for two in samples.windows(2).rev() {
        let [(start, from), (end, to)] = [two[0], two[1]];
        if to == 0.0 {
            break;
        }
        let seconds = end - start;
        if from * to.signum() < 0.0 {
            // The line crosses zero: what is left of it is a triangle.
            let share = 1.0 / (1.0 + (from / to).abs());
            balance.area += 0.5 * to.abs() * share * seconds;
            balance.level_at = end - share * seconds;
            break;
        }
        balance.area += (0.5 * from.abs() + 0.5 * to.abs()) * seconds;
        balance.level_at = start;
    }
    if balance.area.is_finite() {
        Ok(balance)
    } else {
        Err(LeadError::TooLarge)
    }
}

fn check(samples: &[(f64, f64)]) -> Result<(), LeadError> {
    if samples.len() < 2 {
        return Err(LeadError::TooFew { given: samples.len() });
    }
    let bad = |(time, lead): &(f64, f64)| !time.is_finite() || !lead.is_finite();
    if let Some(index) = samples.iter().position(bad) {
        let (time, lead) = samples[index];
        return Err(LeadError::NotFinite { index, time, lead });
    }
    match samples.windows(2).position(|two| two[0].0 >= two[1].0) {
        Some(before) => Err(LeadError::Order {
            index: before + 1,
            time: samples[before + 1].0,
            before: samples[before].0,
        }),
        None => Ok(()),
    }
}

/// Why samples of a lead have no [`LeadBalance`].
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum LeadError {
    /// Fewer than two samples.
    #[error("{given} samples of a lead: give two or more, at the start and at the end of the match at least")]
    TooFew {
        /// How many there are.
        given: usize,
    },
    /// A time or a lead that is NaN or infinite.
    #[error("sample {index} of a lead is ({time} s, {lead}): give finite numbers")]
    NotFinite {
        /// Which, from 0.
        index: usize,
        /// Its time, in seconds.
        time: f64,
        /// Its lead.
        lead: f64,
    },
    /// A time that is not after the one before.
    #[error("sample {index} of a lead is at {time} s, not after {before} s: give each time once, rising")]
    Order {
        /// Which, from 0.
        index: usize,
        /// Its time, in seconds.
        time: f64,
        /// That of the sample before.
        before: f64,
    },
    /// An area beyond the range of a number.
    #[error("the area under the lead is too large for a number: give times and leads in larger units")]
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(samples: &[(f64, f64)]) -> f64 {
        lead_balance(samples).unwrap().area
    }

    #[test]
    fn broken_lines_by_hand() {
        for (samples, area, level_at) in [
            // Never level: all of it, from the first sample.
            (&[(10.0, 4.0), (20.0, 4.0)][..], 40.0, 10.0),
            // A triangle up to the crossing does not count, the one after it does: 0.5 x 6 x 3.
            (&[(0.0, 2.0), (4.0, -6.0)], 9.0, 1.0),
            // Touches zero at a sample without crossing.
            (&[(0.0, 5.0), (2.0, 0.0), (4.0, 5.0)], 5.0, 2.0),
            // Level for a while: since its end.
            (&[(0.0, 9.0), (1.0, 0.0), (3.0, -0.0), (5.0, 4.0)], 4.0, 3.0),
            // Level at the end.
            (&[(0.0, 9e9), (1.0, 0.0)], 0.0, 1.0),
            (&[(-3.0, 0.0), (1.0, 0.0)], 0.0, 1.0),
        ] {
            assert_eq!(
                lead_balance(samples),
                Ok(LeadBalance { area, level_at }),
                "{samples:?}"
            );
        }
    }

    #[test]
    fn samples_that_are_no_lead_are_refused_by_name() {
        for (samples, message) in [
            (&[][..], "0 samples of a lead"),
            (&[(0.0, 1.0)], "1 samples of a lead"),
            (&[(0.0, 1.0), (f64::NAN, 1.0)], "sample 1 of a lead is (NaN s, 1)"),
            (
                &[(0.0, f64::INFINITY), (1.0, 1.0)],
                "sample 0 of a lead is (0 s, inf)",
            ),
            (
                &[(0.0, 1.0), (2.0, 1.0), (1.0, 1.0)],
                "sample 2 of a lead is at 1 s, not after 2 s",
            ),
            (
                &[(0.0, 1.0), (0.0, 2.0)],
                "sample 1 of a lead is at 0 s, not after 0 s",
            ),
            (&[(-1e308, 1e300), (1e308, 1e300)], "too large for a number"),
            (&[(-1e308, 1.0), (1e308, -1.0)], "too large for a number"),
        ] {
            let error = lead_balance(samples).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        // Neither the ratio of the leads nor their product overflows.
        assert_eq!(area(&[(0.0, -1e308), (1.0, 1e-300)]), 0.0);
        assert_eq!(area(&[(0.0, -1e-300), (2.0, 1e300)]), 1e300);
    }

    /// A match of 2 to 11 samples; leads of either sign, at times zero.
    fn matches() -> impl Strategy<Value = Vec<(f64, f64)>> {
        let lead = prop_oneof![1 => Just(0.0), 5 => -1e4..1e4_f64];
        prop::collection::vec((0.1..100.0_f64, lead), 2..12).prop_map(|steps| {
            let mut time = 0.0;
            let sample = |(seconds, lead)| {
                time += seconds;
                (time, lead)
            };
            steps.into_iter().map(sample).collect()
        })
    }

    /// The integral by the midpoints of many short pieces, back to the last piece at whose ends the lead differs in sign.
    fn by_pieces(samples: &[(f64, f64)]) -> f64 {
        const PIECES: u32 = 1000;
        let mut area = 0.0;
        for two in samples.windows(2).rev() {
            let seconds = two[1].0 - two[0].0;
            let lead = |pieces: f64| {
                let share = pieces / f64::from(PIECES);
                (1.0 - share) * two[0].1 + share * two[1].1
            };
            for piece in (0..PIECES).rev().map(f64::from) {
                if lead(piece) * lead(piece + 1.0) <= 0.0 {
                    return area;
                }
                area += lead(piece + 0.5).abs() * seconds / f64::from(PIECES);
            }
        }
        area
    }

    proptest! {
        #[test]
        fn the_area_is_the_integral_by_pieces(samples in matches()) {
            // The piece with the crossing is missing: at most a lead of one piece over its length.
            let error = (area(&samples) - by_pieces(&samples)).abs();
            prop_assert!(error <= 2e4 / 1000.0 * 100.0 / 1000.0 + 1e-6, "{error}");
        }

        #[test]
        fn the_other_team_s_lead_has_the_same_balance(samples in matches()) {
            let other: Vec<_> = samples.iter().map(|(time, lead)| (*time, -lead)).collect();
            prop_assert_eq!(lead_balance(&samples), lead_balance(&other));
        }

        #[test]
        fn the_area_scales_with_time_and_lead(samples in matches(), powers in (-20..20_i32, -20..20_i32)) {
            // Powers of two, which are exact.
            let (seconds, gold) = (2.0_f64.powi(powers.0), 2.0_f64.powi(powers.1));
            let scaled: Vec<_> = samples.iter().map(|(time, lead)| (time * seconds, lead * gold)).collect();
            let (ours, of_scaled) = (lead_balance(&samples).unwrap(), lead_balance(&scaled).unwrap());
            prop_assert_eq!(of_scaled.area, ours.area * seconds * gold);
            prop_assert_eq!(of_scaled.level_at, ours.level_at * seconds);
        }

        #[test]
        fn a_sample_on_the_line_between_two_others_changes_nothing(
            samples in matches(),
            (place, share) in (any::<prop::sample::Index>(), 0.01..0.99_f64),
        ) {
            let before = place.index(samples.len() - 1);
            let ((start, from), (end, to)) = (samples[before], samples[before + 1]);
            let mut split = samples.clone();
            split.insert(before + 1, (start + share * (end - start), from + share * (to - from)));
            let (ours, of_split) = (area(&samples), area(&split));
            prop_assert!((ours - of_split).abs() <= 1e-9 * (1.0 + ours), "{} {}", ours, of_split);
        }
    }
}
