//! [`LearnedPrices`]: what prices learned, for snapshots and for the policy that comes next.

use super::{Prices, Waits};
#[cfg(feature = "journal")]
use crate::journal::{from_saved, to_saved};
#[cfg(feature = "journal")]
use crate::policy::Adopted;
use crate::time::Time;

/// What [`Prices`] learned, as data.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LearnedPrices {
    gap: f64,
    last: Option<Time>,
    arrivals: u64,
    waits: Waits,
    /// Level, band, price and matches.
    bands: Vec<(u8, i64, f64, f64)>,
    /// For what: the attribute, K, C, P and the width of the bands.
    of: String,
    mismatch: f64,
    waiting: Vec<(f64, f64)>,
    lost: f64,
    band: f64,
}

/// The version of what one policy tells the next.
#[cfg(feature = "journal")]
const VERSION: u32 = 1;

impl Prices {
    /// What was learned, as data for a snapshot.
    #[must_use]
    pub fn learned(&self) -> LearnedPrices {
        let bands = self.learned.iter();
        LearnedPrices {
            gap: self.gap,
            last: self.last,
            arrivals: self.arrivals,
            waits: self.waits,
            bands: bands
                .map(|(&(level, band), &(mean, count))| (level, band, mean, count))
                .collect(),
            of: self.params.of.clone(),
            mismatch: self.params.mismatch,
            waiting: self.params.waiting.clone(),
            lost: self.params.lost,
            band: self.params.band,
        }
    }

    /// Takes what other prices [learned](Self::learned), if it was for the same objective, in bands of the same width.
    ///
    /// # Errors
    /// What differs, in words; the prices are then as they were.
    #[expect(clippy::float_cmp, reason = "as they were written")]
    pub fn adopt(&mut self, learned: LearnedPrices) -> Result<(), String> {
        let params = &self.params;
        if params.learn.is_none() {
            return Err("these prices do not learn".to_owned());
        }
        let same = [
            ("of", params.of == learned.of),
            ("mismatch", params.mismatch == learned.mismatch),
            ("waiting", params.waiting == learned.waiting),
            ("lost", params.lost == learned.lost),
            ("band", params.band == learned.band),
        ];
        match same.iter().find(|entry| !entry.1) {
            Some((name, _)) => Err(format!("`{name}` of the prices is another one")),
            None => self.take(learned),
        }
    }

    /// Takes what was [learned](Self::learned), of the same attribute in bands of the same width.
    ///
    /// # Errors
    /// What is wrong with it, in words; the prices are then as they were.
    pub fn take(&mut self, learned: LearnedPrices) -> Result<(), String> {
        let LearnedPrices {
            gap,
            last,
            arrivals,
            waits,
            bands,
            ..
        } = learned;
        if !(gap > 0.0 && gap.is_finite()) {
            return Err(format!("{gap} seconds between arrivals"));
        }
        let Waits { count, left, seconds } = waits;
        if ![count, left, seconds]
            .iter()
            .all(|sum| (0.0..=f64::MAX).contains(sum))
        {
            return Err(format!(
                "{count} waits of {seconds} seconds, of which {left} ended without a match"
            ));
        }
        let is_good = |&&(_, _, mean, count): &&(u8, i64, f64, f64)| {
            mean.is_finite() && count > 0.0 && count.is_finite()
        };
        if let Some((_, _, mean, count)) = bands.iter().find(|band| !is_good(band)) {
            return Err(format!("a learned price of {mean} from {count} matches"));
        }
        let bands = bands.into_iter();
        self.learned = bands
            .map(|(level, band, mean, count)| ((level, band), (mean, count)))
            .collect();
        (self.gap, self.last, self.arrivals, self.waits) = (gap, last, arrivals, waits);
        Ok(())
    }

    /// What a policy that may have prices [tells](crate::MatchPolicy::learned) the one that takes its place.
    #[cfg(feature = "journal")]
    #[must_use]
    pub fn tell(prices: Option<&Self>) -> Vec<u8> {
        prices.map_or_else(Vec::new, |prices| to_saved(VERSION, &prices.learned()))
    }

    /// Takes what the policy before [told](Self::tell), where there are prices on both sides.
    #[cfg(feature = "journal")]
    #[must_use]
    pub fn hear(prices: Option<&mut Self>, told: &[u8]) -> Adopted {
        let Some(prices) = prices else {
            return Adopted::Nothing("this policy has no prices".to_owned());
        };
        if told.is_empty() {
            return Adopted::Nothing("the policy before had no prices".to_owned());
        }
        match from_saved(VERSION, told).and_then(|learned| prices.adopt(learned)) {
            Ok(()) => Adopted::All,
            Err(reason) => Adopted::Nothing(reason),
        }
    }
}
