//! [`Time`]: moments as whole milliseconds; spans are `i64` milliseconds, seconds only in documents and answers.

/// A moment, in whole milliseconds since any origin that the caller chooses, such as 1970 or the start of a run.
///
/// Sums that would overflow end at the last moment there is, which stands for never.
///
/// ```
/// use matchwright_queue::Time;
///
/// let noon = Time::from_millis(43_200_000);
/// assert_eq!(noon.plus(1500).since(noon), 1500);
/// assert_eq!(noon.plus(i64::MAX), Time::MAX);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Time(i64);

impl Time {
    /// The last moment.
    pub const MAX: Self = Self(i64::MAX);

    /// This many milliseconds after the origin.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds after the origin.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// This many milliseconds later.
    #[must_use]
    pub const fn plus(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds from `earlier` to this; negative if it is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Seconds from `earlier` to this.
    #[must_use]
    pub fn seconds_since(self, earlier: Self) -> f64 {
        seconds(self.since(earlier))
    }
}

/// Milliseconds as seconds.
#[must_use]
pub(crate) fn seconds(millis: i64) -> f64 {
    millis as f64 / 1000.0
}

/// Seconds as whole milliseconds, rounded up, at most the longest span there is; 0 for NaN.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a float becomes the nearest integer there is"
)]
pub(crate) fn millis(seconds: f64) -> i64 {
    // Less a part in 10^12, so that 0.3 s are 300 ms however 0.3 x 1000 rounds.
    let exact = seconds * 1000.0;
    (exact * (1.0 - exact.signum() * 1e-12)).ceil() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_become_whole_milliseconds_rounded_up() {
        for (given, expected) in [
            (0.0, 0),
            (0.3, 300),
            (1.0001, 1001),
            (f64::INFINITY, i64::MAX),
            (f64::NAN, 0),
            (1e300, i64::MAX),
        ] {
            assert_eq!(millis(given), expected, "{given}");
        }
        assert!((0..100_000).all(|span| millis(seconds(span)) == span));
    }
}
