//! [`likely_tier`]: posterior probabilities of a division's tiers.

use super::is_active;
use crate::answer::Answer;
use crate::error::{ForensicsError, within};
use crate::numeric::{ln_erfc, ln_sum_exp};
use crate::season::{Division, LadderSeason};
use crate::snapshot::DivisionSnapshot;

/// What [`likely_tier`] takes for granted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct TierSettings {
    /// How much later than the pool's total the players may have been read, hours, 0 to 1,000. Default 10.
    pub late_hours: f64,
    /// How many times as frequent as any other tier the one of offset 0 is, 1 to 1,000. Default 3: the source finds
    /// it by far the most common.
    pub usual: f64,
    /// How far below the edge the crowd of players begins, points, 0 to 1,000. Who comes closer is soon over it with
    /// the mean of ten ratings, and gone: about the standard deviation of a settled Elo rating, sqrt(k scale
    /// / (2 ln 10)), 46 for 24 and 400. Default 60, chosen by what it found on generated ladders, where all from 40
    /// to 75 told at least 96 % of tiers; how far the crowd stays away on real ladders is not known.
    pub gap: f64,
}

impl Default for TierSettings {
    fn default() -> Self {
        Self {
            late_hours: 10.0,
            usual: 3.0,
            gap: 60.0,
        }
    }
}

/// A tier and how likely it is.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TierProbability {
    /// Its name.
    pub tier: String,
    /// K.
    pub offset: f64,
    /// M - K.
    pub edge: f64,
    /// From 0 to 1; all tiers' sum to 1.
    pub chance: f64,
}

/// What a division's players say of its tier.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TierReading {
    /// The most likely tier.
    pub tier: String,
    /// All tiers, likeliest first.
    pub tiers: Vec<TierProbability>,
    /// Active players, whose ratings were used.
    pub active: usize,
    /// All players.
    pub members: usize,
}

/// Active players that it takes; fewer say next to nothing of an edge.
const LEAST_ACTIVE: usize = 5;
/// Widths of the blur around where the crowd begins, and lengths of its tail downwards, that are averaged over.
const BLURS: [f64; 3] = [25.0, 35.0, 50.0];
const TAILS: [f64; 5] = [30.0, 60.0, 120.0, 240.0, 480.0];
/// Players who fit no edge: smurfs, expired bonus, errors of reading.
const STRAY_SHARE: f64 = 0.02;
const STRAY_WIDTH: f64 = 2_000.0;

/// The chances of all tiers of a division's league.
///
/// Let x be points less bonus spent (P + U - B) of an active player, E = M - K the edge of a tier, y = E - x. Then y
/// is taken to be `gap` + an exponential tail + normal blur, but for 2 % strays; tail and blur are averaged over
/// grids. How many players are active is beta-binomial: about one in four idle, but three in four in tiers of
/// inactive players. The chance of a tier is its likelihood times how common it is.
///
/// Not identifiable: in the highest league, from which nobody is promoted; with fewer than five active players.
///
/// # Errors
/// [`ForensicsError`] for a league that the season does not have, and settings out of range.
///
/// Cost: players times tiers times 15.
pub fn likely_tier(
    snapshot: &DivisionSnapshot,
    season: &LadderSeason,
    settings: &TierSettings,
) -> Result<Answer<TierReading>, ForensicsError> {
    let late = within("hours of delay", settings.late_hours, 0.0..=1e3)?;
    let usual = within("how usual a tier is", settings.usual, 1.0..=1e3)?;
    let gap = within("the gap", settings.gap, 0.0..=1e3)?;
    let tiers = season.divisions(&snapshot.league)?;
    // What accrued in half of the delay, on average.
    let accrued = late / 2.0 * 60.0 / season.params().minutes_per_point;
    let of_active = snapshot
        .members
        .iter()
        .filter(|member| is_active(snapshot, member));
    let ratings: Vec<f64> = of_active
        .map(|member| snapshot.differential(member) - accrued)
        .collect();
    let members = snapshot.members.len();
    if let Some(unknown) = not_identifiable(snapshot, &tiers, ratings.len()) {
        return Ok(unknown);
    }
    let weigh = |tier: &Division<'_>| {
        let edge = tier.edge().unwrap_or(f64::NAN);
        let prior = if tier.offset() == 0.0 { usual.ln() } else { 0.0 };
        prior
            + ln_of_ratings(&ratings, edge, gap)
            + ln_of_activity(members - ratings.len(), ratings.len(), tier.tier().inactive)
    };
    let weights: Vec<f64> = tiers.iter().map(weigh).collect();
    let all = ln_sum_exp(&weights);
    let chance = |(tier, weight): (&Division<'_>, &f64)| TierProbability {
        tier: tier.tier().name.clone(),
        offset: tier.offset(),
        edge: tier.edge().unwrap_or(f64::NAN),
        chance: (weight - all).exp(),
    };
    let mut chances: Vec<TierProbability> = tiers.iter().zip(&weights).map(chance).collect();
    chances.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    Ok(Answer::Found(TierReading {
        tier: chances
            .first()
            .map(|first| first.tier.clone())
            .unwrap_or_default(),
        tiers: chances,
        active: ratings.len(),
        members,
    }))
}

/// Why no tier can be told, if so.
fn not_identifiable(
    snapshot: &DivisionSnapshot,
    tiers: &[Division<'_>],
    active: usize,
) -> Option<Answer<TierReading>> {
    if tiers.iter().any(|tier| tier.edge().is_none()) {
        return Some(Answer::unknown(
            format!(
                "nobody is promoted out of {}, so its players have no edge to gather at",
                snapshot.league
            ),
            "a division of a lower league",
        ));
    }
    if active < LEAST_ACTIVE && tiers.len() > 1 {
        return Some(Answer::unknown(
            format!(
                "{active} of {} players are active, and the others may stand anywhere",
                snapshot.members.len()
            ),
            format!(
                "a snapshot with at least {LEAST_ACTIVE} players who have spent most of their bonus pool"
            ),
        ));
    }
    None
}

/// ln of the chance of the ratings below an edge, averaged over blurs and tails.
fn ln_of_ratings(ratings: &[f64], edge: f64, gap: f64) -> f64 {
    let mut cases = Vec::with_capacity(BLURS.len() * TAILS.len());
    for blur in BLURS {
        for tail in TAILS {
            let one = |rating: &f64| {
                let crowd = (1.0 - STRAY_SHARE).ln() + ln_blurred_tail(edge - rating - gap, blur, tail);
                ln_sum_exp(&[crowd, (STRAY_SHARE / STRAY_WIDTH).ln()])
            };
            cases.push(ratings.iter().map(one).sum());
        }
    }
    ln_sum_exp(&cases) - (cases.len() as f64).ln()
}

/// ln density of an exponential with mean `tail` plus a normal of deviation `blur`.
fn ln_blurred_tail(y: f64, blur: f64, tail: f64) -> f64 {
    let ratio = blur / tail;
    let z = (ratio - y / blur) * std::f64::consts::FRAC_1_SQRT_2;
    0.5 * ratio * ratio - y / tail + ln_erfc(z) - (2.0 * tail).ln()
}

/// ln of the chance of this many idle and active players, beta-binomial.
fn ln_of_activity(idle: usize, active: usize, of_inactive: bool) -> f64 {
    let (a, b) = if of_inactive { (6.0, 2.0) } else { (2.0, 6.0) };
    let ln_beta = |a: f64, b: f64| libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    ln_beta(a + idle as f64, b + active as f64) - ln_beta(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_density_of_a_blurred_tail_sums_to_one_and_has_its_mean() {
        for (blur, tail) in [(25.0, 30.0), (50.0, 480.0), (35.0, 60.0)] {
            let (mut mass, mut mean) = (0.0, 0.0);
            for step in -2_000..40_000 {
                let y = 0.25 * f64::from(step);
                let density = 0.25 * ln_blurred_tail(y, blur, tail).exp();
                mass += density;
                mean += density * y;
            }
            assert!((mass - 1.0).abs() < 1e-4, "{blur} {tail}: {mass}");
            assert!((mean / tail - 1.0).abs() < 1e-3, "{blur} {tail}: {mean}");
        }
    }
}
