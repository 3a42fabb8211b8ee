//! Rating more matches than memory holds: a population's regions, one after another.

use std::ops::Range;

use matchwright_churn::Outcome;
use matchwright_rating::{Glicko, PeriodChoice};
use serde::{Deserialize, Serialize};

use super::error::RateError;
use super::prediction::Prediction;
use super::rater::{PairRater, rate};
use crate::population::{GeneratorParams, generate_region};
use crate::progress::Progress;
use crate::threads::try_each;

/// How well the matches of one region were predicted while its players were rated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedRegion {
    /// Which region of its population.
    pub region: u32,
    /// Its players who played.
    pub players: u64,
    /// Its matches.
    pub matches: u64,
    /// Those with a winner.
    pub decided: u64,
    /// Those of them that the higher rated player won; half of those between equals.
    pub foretold: f64,
}

/// Plays regions of a population one after another, rates their players in one pass with `system`, and forgets them:
/// memory for one region a thread, whatever their number.
///
/// Regions are those of [`generate_region`]; the same numbers for any number of threads.
///
/// # Errors
/// [`RateError`] for parameters that make no population.
pub fn rate_regions(
    system: &Glicko,
    period: PeriodChoice,
    params: &GeneratorParams,
    seed: u64,
    regions: Range<u32>,
    progress: &dyn Progress,
) -> Result<Vec<RatedRegion>, RateError> {
    progress.begin(
        "rating the players of many regions",
        u64::from(regions.end.saturating_sub(regions.start)),
    );
    let rate = |&region: &u32| {
        let history = generate_region(params, seed, region)?.history;
        let duels = history.duels().ok_or(RateError::NotDuels)?;
        let mut rater = PairRater::new(*system, period)?;
        let rated = rate(&mut rater, &history, &[])?;
        let decided = rated
            .predictions
            .iter()
            .filter(|one| one.outcome != Outcome::Draw);
        let credit = |one: &Prediction| match one.gap {
            0.0 => 0.5,
            gap => f64::from((gap > 0.0) == (one.outcome == Outcome::Win)),
        };
        let played = rater.standings().iter().filter(|one| one.last_time.is_some());
        progress.advance(1);
        Ok(RatedRegion {
            region,
            players: played.count() as u64,
            matches: duels.len() as u64,
            decided: decided.clone().count() as u64,
            foretold: decided.map(credit).sum(),
        })
    };
    try_each(&regions.collect::<Vec<_>>(), 1, rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::generate;
    use crate::progress::Quiet;
    use matchwright_rating::GlickoParams;

    #[test]
    fn regions_rated_one_after_another_are_the_population_rated_at_once() {
        let params = GeneratorParams {
            players: 120,
            region_players: 40,
            days: 30.0,
            ..GeneratorParams::default()
        };
        let system = GlickoParams::default().build().unwrap();
        let day = PeriodChoice::default();
        let regions = rate_regions(&system, day, &params, 3, 0..3, &Quiet).unwrap();
        let world = generate(&params, 3).unwrap();
        let duels = world.history.duels().unwrap();
        let mut rater = PairRater::new(system, day).unwrap();
        let whole = rate(&mut rater, &world.history, &[]).unwrap();
        let total = |f: fn(&RatedRegion) -> u64| regions.iter().map(f).sum::<u64>();
        assert_eq!(total(|one| one.matches), duels.len() as u64);
        assert_eq!(total(|one| one.players), duels.players().len() as u64);
        let decided = whole
            .predictions
            .iter()
            .filter(|one| one.outcome != Outcome::Draw)
            .count();
        assert_eq!(total(|one| one.decided), decided as u64);
        let foretold: f64 = regions.iter().map(|one| one.foretold).sum();
        assert!(foretold > 0.5 * decided as f64 && foretold < decided as f64);
    }
}
