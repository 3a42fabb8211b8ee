//! What a logistic regression finds out about parties from results.

use matchwright_rating::{
    EloRating, Member, PartyBonus, PartyBonusParams, PartyFitOptions, PartyTerm, Side, TeamGame,
    fit_party_bonus,
};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use serde::Serialize;

use crate::random::Purpose;
use crate::settings::within;
use matchwright_sim::random::stream;
use matchwright_sim::statistics::{Estimate, Summary};

/// The log odds of one point of a team's mean MMR, near Elo's ln 10 / 400.
const LOG_ODDS_PER_POINT: f64 = 0.006;
/// What being the first side is worth, points.
const FIRST_SIDE: f64 = 12.0;
/// Team-mates' MMR are even within this distance of their game's level, points.
const HALF_WIDTH: f64 = 600.0;
/// Points for two to five players together.
const SIZE_POINTS: [f64; 4] = [25.0, 40.0, 70.0, 100.0];
/// Points for each point of spread beyond 136.6. The true bonus is larger than the printed match shows, so that 3,000
/// games can tell.
const SPREAD_POINTS: f64 = 0.05;

/// What decides [`run_parties`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartiesConfig {
    /// Data sets; 2 to 100,000. Default 200.
    pub data_sets: u32,
    /// Games in each; 100 to 10,000,000. Default 3,000.
    pub games: u32,
}

impl Default for PartiesConfig {
    fn default() -> Self {
        Self {
            data_sets: 200,
            games: 3_000,
        }
    }
}

/// One coefficient over all data sets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermRecovery {
    /// Which, in words.
    pub term: String,
    /// Its true value.
    pub truth: f64,
    /// The mean of its estimates.
    pub estimate: Estimate,
    /// The mean of the standard errors that the fits gave.
    pub mean_standard_error: f64,
    /// The share of 95 % intervals that cover the truth; its standard error is binomial.
    pub coverage: Estimate,
}

/// What the regression found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartiesReport {
    /// What decided it.
    pub config: PartiesConfig,
    /// One row a coefficient.
    pub terms: Vec<TermRecovery>,
    /// Games of this kind after which the standard error of the spread's coefficient would be a tenth of 0.01972, the
    /// default that goes through the printed match.
    pub games_for_printed_slope: f64,
}

/// Generates data sets with known coefficients, fits each, and compares.
///
/// Two teams of five queue in groups of random size; the log odds of the first are `log_odds_per_point` times the
/// difference of their mean adjusted MMR, plus the first side's advantage.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range, or data that cannot be fitted.
///
/// ```
/// use matchwright_papers::dota::{PartiesConfig, run_parties};
///
/// let small = PartiesConfig { data_sets: 4, ..PartiesConfig::default() };
/// let report = run_parties(&small, 1)?;
/// assert_eq!(report.terms.len(), 7);
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn run_parties(config: &PartiesConfig, seed: u64) -> anyhow::Result<PartiesReport> {
    within("data sets", config.data_sets, &(2..=100_000))?;
    within("games", config.games, &(100..=10_000_000))?;
    let params = PartyBonusParams {
        spread_points: SPREAD_POINTS,
        size_points: SIZE_POINTS,
        ..PartyBonusParams::default()
    };
    let bonus = params.build()?;
    let mut truth = vec![
        (PartyTerm::Rating, LOG_ODDS_PER_POINT),
        (PartyTerm::FirstSide, FIRST_SIDE),
        (PartyTerm::Spread, SPREAD_POINTS),
    ];
    truth.extend((2..=5).map(PartyTerm::Size).zip(SIZE_POINTS));
    let options = PartyFitOptions {
        free_spread: params.free_spread,
        ..PartyFitOptions::default()
    };
    let fit = |number: u32| {
        let mut rng = stream(seed, Purpose::Parties, number.into(), 0);
        let games = games(config.games, &bonus, &mut rng)?;
        Ok(fit_party_bonus(&games, &options)?)
    };
    let fits = (0..config.data_sets).into_par_iter().map(fit);
    let fits = fits.collect::<anyhow::Result<Vec<_>>>()?;
    let term = |&(term, truth): &(PartyTerm, f64)| {
        let estimates = fits.iter().filter_map(|fit| fit.coefficient(term)?.estimate);
        let estimates: Vec<_> = estimates.collect();
        let covered = estimates.iter().filter(|estimate| {
            let (low, high) = estimate.interval();
            low <= truth && truth <= high
        });
        let count = estimates.len() as f64;
        let share = covered.count() as f64 / count;
        TermRecovery {
            term: term.to_string(),
            truth,
            estimate: Summary::of(estimates.iter().map(|one| one.value)).estimate(),
            mean_standard_error: Summary::of(estimates.iter().map(|one| one.standard_error)).mean(),
            coverage: (share, (share * (1.0 - share) / count).sqrt()).into(),
        }
    };
    let terms: Vec<TermRecovery> = truth.iter().map(term).collect();
    let printed = 0.1 * PartyBonusParams::default().spread_points;
    let times = (terms[2].mean_standard_error / printed).powi(2);
    Ok(PartiesReport {
        config: config.clone(),
        games_for_printed_slope: times * f64::from(config.games),
        terms,
    })
}

fn games(count: u32, bonus: &PartyBonus, rng: &mut impl Rng) -> anyhow::Result<Vec<TeamGame<EloRating>>> {
    let strength = |side: &[Member<EloRating>]| {
        let adjusted = bonus.adjusted(side);
        adjusted.iter().map(|one| one.rating.value()).sum::<f64>() / side.len() as f64
    };
    let game = |_| {
        let level = rng.random_range(1_000.0..4_000.0);
        let (a, b) = (team(level, rng)?, team(level, rng)?);
        let lead = strength(&a) - strength(&b) + FIRST_SIDE;
        let chance = 1.0 / (1.0 + (-LOG_ODDS_PER_POINT * lead).exp());
        let won = rng.random::<f64>() < chance;
        let (first, second) = if won { (1, 2) } else { (2, 1) };
        let sides = vec![Side::of_members(first, a), Side::of_members(second, b)];
        Ok(TeamGame::new(sides)?)
    };
    (0..count).map(game).collect()
}

/// Five players in groups, each of a size drawn evenly from those that still fit.
fn team(level: f64, rng: &mut impl Rng) -> anyhow::Result<Vec<Member<EloRating>>> {
    let mut members = Vec::with_capacity(5);
    let mut party = 0;
    while members.len() < 5 {
        let size = rng.random_range(1..=5 - members.len());
        party += 1;
        for _ in 0..size {
            let mmr = level + rng.random_range(-HALF_WIDTH..HALF_WIDTH);
            let member = Member::new(EloRating::new(mmr)?);
            members.push(if size > 1 { member.in_party(party) } else { member });
        }
    }
    Ok(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_lie_around_the_truth_and_no_seed_is_special() {
        let config = PartiesConfig {
            data_sets: 40,
            ..PartiesConfig::default()
        };
        let report = run_parties(&config, 1).unwrap();
        for term in &report.terms {
            let off = (term.estimate.mean - term.truth) / term.estimate.standard_error;
            assert!(off.abs() < 4.0, "{term:?}");
            assert!(term.coverage.mean > 0.8, "{term:?}");
        }
        assert_ne!(report, run_parties(&config, 2).unwrap());
        assert!((1e5..1e7).contains(&report.games_for_printed_slope));
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let config = PartiesConfig {
            data_sets: 1,
            ..PartiesConfig::default()
        };
        let error = run_parties(&config, 1).unwrap_err().to_string();
        assert!(error.starts_with("data sets"), "{error}");
    }
}
