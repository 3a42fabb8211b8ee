//! [`Total`]: what the qualities of many matches make together, a power mean or a quantile.

use std::fmt;

use crate::error::{ScoringError, within};
use crate::mean::PowerMean;

/// What the qualities of the matches of a round make together.
///
/// In a policy document `total = { exponent = -1 }`, `total = { quantile = 0.1 }` or `total = "median"`; by default
/// the average. Ronimo Games, "The Awesomenauts matchmaking algorithm", 16 September 2018, averages; a reader proposes
/// there "RMS, median, or some percentile".
///
/// Lineups are searched for by a sum over matches, which the average is. Another power mean is a sum of powers; a
/// quantile is none, so that no search is exact for it and no bound on it is known but 1.
///
/// ```
/// use matchwright_scoring::{PowerMean, Total};
///
/// let qualities = [0.9, 0.5, 1.0, 0.8];
/// assert_eq!(Total::default().of(&qualities), 0.8);
/// assert_eq!(Total::from(PowerMean::new(f64::NEG_INFINITY)?).of(&qualities), 0.5);
/// assert!((Total::MEDIAN.of(&qualities) - 0.85).abs() < 1e-12);
/// assert_eq!(Total::quantile(0.0)?.of(&qualities), 0.5);
/// # Ok::<(), matchwright_scoring::ScoringError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Total {
    /// A power mean.
    PowerMean(PowerMean),
    /// A quantile.
    Quantile(Quantile),
}

/// A share of matches, in \[0, 1\], that [`Total::quantile`] has checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantile {
    share: f64,
}

impl Quantile {
    /// The share of the matches that the quality is to be above, from 0, the worst match, to 1, the best one.
    #[must_use]
    pub const fn share(&self) -> f64 {
        self.share
    }
}

impl Total {
    /// The average.
    pub const AVERAGE: Self = Self::PowerMean(PowerMean::AVERAGE);

    /// The quality that half of the matches exceed.
    pub const MEDIAN: Self = Self::Quantile(Quantile { share: 0.5 });

    /// The quality below which this share of the matches lies.
    ///
    /// # Errors
    /// [`ScoringError`] unless the share is from 0 to 1.
    pub fn quantile(share: f64) -> Result<Self, ScoringError> {
        let share = within("quantile", share, 0.0..=1.0)?;
        Ok(Self::Quantile(Quantile { share }))
    }

    /// Whether it is the average, under which qualities add up.
    #[must_use]
    pub fn is_average(&self) -> bool {
        matches!(self, Self::PowerMean(mean) if mean.is_average())
    }

    /// The total of `qualities` in \[0, 1\], in any order; 1 of nothing.
    ///
    /// ```text
    /// quantile p of n qualities, rising:  x_h,  h = 1 + p (n - 1),  interpolated between neighbours
    /// ```
    ///
    /// (Hyndman and Fan, "Sample quantiles in statistical packages", 1996, type 7.) O(n), for a quantile O(n log n).
    #[must_use]
    pub fn of(&self, qualities: &[f64]) -> f64 {
        let share = match self {
            Self::PowerMean(mean) => return mean.of(qualities),
            Self::Quantile(quantile) => quantile.share,
        };
        let mut rising = qualities.to_vec();
        rising.sort_unstable_by(f64::total_cmp);
        let Some(last) = rising.len().checked_sub(1) else {
            return 1.0;
        };
        let place = share * last as f64;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to the last place"
        )]
        let below = (place.floor() as usize).min(last);
        let (low, high) = (rising[below], rising[(below + 1).min(last)]);
        low + (place - below as f64) * (high - low)
    }
}

impl Default for Total {
    fn default() -> Self {
        Self::AVERAGE
    }
}

impl From<PowerMean> for Total {
    fn from(mean: PowerMean) -> Self {
        Self::PowerMean(mean)
    }
}

/// In words: "arithmetic mean", "power mean of exponent -1", "median", "quantile 0.1".
impl fmt::Display for Total {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PowerMean(mean) if mean.is_average() => formatter.write_str("arithmetic mean"),
            Self::PowerMean(mean) => write!(formatter, "power mean of exponent {}", mean.exponent()),
            Self::Quantile(quantile) if quantile.share == 0.5 => formatter.write_str("median"),
            Self::Quantile(quantile) => write!(formatter, "quantile {}", quantile.share),
        }
    }
}

#[cfg(feature = "serde")]
mod written {
    use std::fmt;

    use serde::de::value::MapAccessDeserializer;
    use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    use super::{PowerMean, Total};

    /// A [`Total`] as a table: one of the two keys.
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    #[serde(remote = "Self", default, deny_unknown_fields)]
    struct TotalParams {
        #[serde(skip_serializing_if = "Option::is_none")]
        exponent: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        quantile: Option<f64>,
    }

    crate::policy::strict::strictly!(TotalParams);

    const FORMS: &str = "\"median\", { exponent = ... } or { quantile = ... }";

    impl Serialize for Total {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let params = match self {
                Self::PowerMean(mean) => TotalParams {
                    exponent: Some(mean.exponent()),
                    quantile: None,
                },
                Self::Quantile(quantile) => TotalParams {
                    exponent: None,
                    quantile: Some(quantile.share()),
                },
            };
            Serialize::serialize(&params, serializer)
        }
    }

    impl<'de> Deserialize<'de> for Total {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(Form)
        }
    }

    struct Form;

    impl<'de> Visitor<'de> for Form {
        type Value = Total;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str(FORMS)
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<Total, E> {
            match word {
                "median" => Ok(Total::MEDIAN),
                _ => Err(E::custom(format!("unknown total `{word}`: write {FORMS}"))),
            }
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Total, A::Error> {
            let params: TotalParams = Deserialize::deserialize(MapAccessDeserializer::new(map))?;
            match (params.exponent, params.quantile) {
                (Some(exponent), None) => PowerMean::new(exponent).map(Total::from),
                (None, Some(share)) => Total::quantile(share),
                _ => return Err(A::Error::custom(format!("a total is one of: {FORMS}"))),
            }
            .map_err(A::Error::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles_lie_between_neighbours_in_any_order() {
        let of = |share: f64, qualities: &[f64]| Total::quantile(share).unwrap().of(qualities);
        let qualities = [0.8, 0.2, 1.0, 0.4, 0.6];
        for (share, expected) in [
            (0.0, 0.2),
            (0.25, 0.4),
            (0.5, 0.6),
            (0.625, 0.7),
            (0.9, 0.92),
            (1.0, 1.0),
        ] {
            assert!((of(share, &qualities) - expected).abs() < 1e-12, "{share}");
        }
        assert_eq!([of(0.3, &[]), of(0.3, &[0.4])], [1.0, 0.4]);
        for share in [-0.1, 1.1, f64::NAN] {
            assert_eq!(Total::quantile(share).unwrap_err().name(), "quantile");
        }
    }

    #[test]
    fn a_total_is_told_in_words() {
        let harmonic = Total::from(PowerMean::new(-1.0).unwrap());
        let tenth = Total::quantile(0.1).unwrap();
        let words = [Total::default(), harmonic, Total::MEDIAN, tenth].map(|total| total.to_string());
        assert_eq!(
            words,
            [
                "arithmetic mean",
                "power mean of exponent -1",
                "median",
                "quantile 0.1"
            ]
        );
        assert!(Total::default().is_average() && !harmonic.is_average() && !tenth.is_average());
    }

    proptest! {
        #[test]
        fn a_total_lies_between_its_qualities_and_rises_with_each(
            qualities in prop::collection::vec(0.0..=1.0_f64, 1..9),
            (share, which, more) in (0.0..=1.0_f64, any::<prop::sample::Index>(), 0.0..=1.0_f64),
        ) {
            let total = Total::quantile(share).unwrap();
            let (least, most) = (Total::quantile(0.0).unwrap(), Total::quantile(1.0).unwrap());
            let value = total.of(&qualities);
            prop_assert!(least.of(&qualities) <= value && value <= most.of(&qualities));
            let mut better = qualities.clone();
            let place = which.index(better.len());
            better[place] = better[place].max(more);
            prop_assert!(total.of(&better) >= value);
        }
    }
}
