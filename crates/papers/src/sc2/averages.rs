//! Which moving average promotes, on ladders that promote by each candidate in turn.

use anyhow::Result;
use matchwright_mmr_forensics::{AverageFit, MovingAverage, PromotionHistory, compare_averages};
use matchwright_sim::random::derived_seed;
use rayon::prelude::*;
use serde::Serialize;

use super::ladder::{LadderWorldParams, ladder_world};
use crate::random::Purpose;
use crate::settings::within;

/// What decides [`run_averages`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AveragesConfig {
    /// The averages that promote, one after another; those compared are always
    /// [`MovingAverage::CANDIDATES`]. Default the same.
    pub rules: Vec<MovingAverage>,
    /// Ladders for each; 1 to 10,000. Default 4.
    pub ladders: u32,
    /// Divisions of each ladder. Default 2.
    pub divisions: u32,
    /// Promotions whose histories are at hand, the first of each ladder. Default 10 and 30.
    pub promotions: Vec<u32>,
}

impl Default for AveragesConfig {
    fn default() -> Self {
        Self {
            rules: MovingAverage::CANDIDATES.to_vec(),
            ladders: 4,
            divisions: 2,
            promotions: vec![10, 30],
        }
    }
}

/// The ladders that promote by one average, looked at with this many promotions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AverageRow {
    /// The rule.
    pub rule: MovingAverage,
    /// Promotions at hand.
    pub promotions: u32,
    /// The candidate that each ladder's histories make likeliest, and its probability; none with fewer promotions.
    pub likeliest: Vec<(MovingAverage, f64)>,
}

impl AverageRow {
    /// Ladders on which the rule itself is the likeliest.
    #[must_use]
    pub fn identified(&self) -> u32 {
        let right = self.likeliest.iter().filter(|(average, _)| *average == self.rule);
        u32::try_from(right.count()).unwrap_or(u32::MAX)
    }
}

/// Generates ladders that promote by each rule, all players handing in their histories, and compares the candidates.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_averages(
    config: &AveragesConfig,
    world: &LadderWorldParams,
    seed: u64,
) -> Result<Vec<AverageRow>> {
    within("ladders", config.ladders, &(1..=10_000))?;
    let all = |rule: &MovingAverage| -> Result<Vec<AverageRow>> {
        let params = LadderWorldParams {
            divisions: config.divisions,
            average: *rule,
            hand_in: 1.0,
            ..world.clone()
        };
        let row = |promotions: &u32| AverageRow {
            rule: *rule,
            promotions: *promotions,
            likeliest: Vec::new(),
        };
        let mut rows: Vec<AverageRow> = config.promotions.iter().map(row).collect();
        for number in 0..config.ladders {
            let seed = derived_seed(seed, Purpose::Ladders, number.into(), 0);
            let histories = ladder_world(&params, seed)?.0.histories;
            for row in &mut rows {
                let found = likeliest(first_promotions(&histories, row.promotions))?;
                row.likeliest.extend(found.map(|fit| (fit.average, fit.chance)));
            }
        }
        Ok(rows)
    };
    let rows = config.rules.par_iter().map(all).collect::<Result<Vec<_>>>()?;
    Ok(rows.concat())
}

/// The histories up to the one with this promotion, counted from 1.
fn first_promotions(histories: &[PromotionHistory], promotions: u32) -> &[PromotionHistory] {
    let promoted = histories
        .iter()
        .enumerate()
        .filter(|(_, history)| history.promoted);
    let last = (1..=promotions).zip(promoted).last();
    last.map_or(&[], |(_, (at, _))| &histories[..=at])
}

fn likeliest(histories: &[PromotionHistory]) -> Result<Option<AverageFit>> {
    let by_division = |history: &PromotionHistory| history.division.clone();
    let compared = compare_averages(histories, &by_division, &MovingAverage::CANDIDATES)?;
    let fits = compared.found().and_then(|(fits, _)| fits.first().cloned());
    Ok(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_promotions_are_looked_at_and_too_few_tell_nothing() {
        let config = AveragesConfig {
            rules: vec![MovingAverage::Simple { games: 5 }],
            ladders: 2,
            promotions: vec![9, 10],
            ..AveragesConfig::default()
        };
        let rows = run_averages(&config, &LadderWorldParams::default(), 1).unwrap();
        let counts: Vec<usize> = rows.iter().map(|row| row.likeliest.len()).collect();
        assert_eq!((counts, rows[1].identified()), (vec![0, 2], 2));
    }
}
