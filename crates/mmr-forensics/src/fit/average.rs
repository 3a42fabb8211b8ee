//! Which moving average promotions follow, and at which threshold: Bayesian comparison of candidates.

use std::collections::BTreeMap;

use crate::answer::{Answer, Interval};
use crate::average::MovingAverage;
use crate::error::{ForensicsError, within};
use crate::numeric::ln_sum_exp;
use crate::snapshot::PromotionHistory;

/// Absences of at least this many weeks may have cost something, so the games after them say nothing here.
pub(super) const AWAY_WEEKS: f64 = 2.0;
/// Softness of the threshold, points: from none but the rounding of displayed points to a rule that is quite another.
const SOFTNESS: [f64; 8] = [0.05, 0.1, 0.2, 0.5, 1.5, 5.0, 15.0, 40.0];
/// Games whose average is this far below those at promotion are no evidence, and left out.
const FAR: f64 = 120.0;

/// One average, and how well promotions follow it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct AverageFit {
    /// Which.
    pub average: MovingAverage,
    /// ln likelihood of all promotions and of all games without one.
    pub ln_likelihood: f64,
    /// Its probability among those compared, all taken for equally likely beforehand.
    pub chance: f64,
}

/// The differentials at which the averages of groups of players are promoted.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Thresholds {
    /// By group: M - K, with its interval; only of groups whose promotions follow the average clearly.
    pub by_group: BTreeMap<String, Interval>,
    /// Promotions of each group.
    pub promotions: BTreeMap<String, usize>,
}

/// A threshold that is known no better than this is as good as not known: neighbouring tiers lie as far apart.
const UNCLEAR: f64 = 60.0;

/// An average at a game that could have led to promotion, and whether it did.
#[derive(Clone, Copy)]
struct Trial {
    average: f64,
    promoted: bool,
}

/// All candidates, likeliest first, and the thresholds under the likeliest. `group` names the group of a history,
/// whose players share M - K: their division, or its league and tier.
///
/// A game leads to promotion with chance 1 / (1 + exp(-(average - threshold) / s)); each group has a threshold of its
/// own, all share s, which is averaged over a grid, so that rules which follow the average exactly, up to the
/// rounding of points, win over those that follow it somewhat. Games after an absence of two weeks are left out.
///
/// Not identifiable: with fewer than ten promotions.
///
/// # Errors
/// [`ForensicsError::Number`] for a candidate whose games or alpha are out of range, and for a differential or a number
/// of weeks away that is NaN or beyond 1e9: one such number would decide all.
///
/// Cost: candidates times games.
pub fn compare_averages(
    histories: &[PromotionHistory],
    group: &dyn Fn(&PromotionHistory) -> String,
    candidates: &[MovingAverage],
) -> Result<Answer<(Vec<AverageFit>, Thresholds)>, ForensicsError> {
    for candidate in candidates {
        candidate.check()?;
    }
    for history in histories {
        for &differential in &history.differentials {
            within("a differential after a game", differential, -1e9..=1e9)?;
        }
        for &(_, weeks) in &history.away {
            within("the weeks of an absence", weeks, 0.0..=1e9)?;
        }
    }
    let promotions = histories.iter().filter(|history| history.promoted).count();
    if promotions < 10 || candidates.is_empty() {
        return Ok(Answer::unknown(
            format!("{promotions} promotions are too few to tell averages apart"),
            "the histories of at least ten players up to their promotion; 200 tell the usual candidates apart",
        ));
    }
    let groups: Vec<String> = histories.iter().map(group).collect();
    let mut fits = Vec::new();
    for &average in candidates {
        let trials = trials(histories, &groups, average);
        let per_softness: Vec<f64> = SOFTNESS
            .iter()
            .map(|&softness| trials.values().map(|group| marginal(group, softness).0).sum())
            .collect();
        fits.push((
            AverageFit {
                average,
                ln_likelihood: ln_sum_exp(&per_softness) - (SOFTNESS.len() as f64).ln(),
                chance: 0.0,
            },
            per_softness,
            trials,
        ));
    }
    let all = ln_sum_exp(&fits.iter().map(|(fit, ..)| fit.ln_likelihood).collect::<Vec<_>>());
    for (fit, ..) in &mut fits {
        fit.chance = (fit.ln_likelihood - all).exp();
    }
    fits.sort_by(|(a, ..), (b, ..)| b.ln_likelihood.total_cmp(&a.ln_likelihood));
    let mut thresholds = Thresholds::default();
    if let Some((_, per_softness, trials)) = fits.first() {
        let most = per_softness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = per_softness.iter().map(|value| (value - most).exp()).collect();
        for (name, group) in trials {
            let threshold = posterior(group, &weights);
            if threshold.high - threshold.low > UNCLEAR {
                continue;
            }
            thresholds.by_group.insert(name.clone(), threshold);
            let count = group.iter().filter(|trial| trial.promoted).count();
            thresholds.promotions.insert(name.clone(), count);
        }
    }
    let fits = fits.into_iter().map(|(fit, ..)| fit).collect();
    Ok(Answer::Found((fits, thresholds)))
}

/// Trials by group; groups without a promotion say nothing of their threshold and are left out.
fn trials(
    histories: &[PromotionHistory],
    groups: &[String],
    average: MovingAverage,
) -> BTreeMap<String, Vec<Trial>> {
    let mut by_group: BTreeMap<String, Vec<Trial>> = BTreeMap::new();
    for (history, group) in histories.iter().zip(groups) {
        let trials = by_group.entry(group.clone()).or_default();
        let last = history.differentials.len();
        let absent = history.away.iter().find(|(_, weeks)| *weeks >= AWAY_WEEKS);
        let until = absent.map_or(last, |(game, _)| *game).min(last);
        let after = average.after_each(&history.differentials[..until]);
        trials.extend(
            after
                .into_iter()
                .enumerate()
                .skip(history.from)
                .map(|(at, value)| Trial {
                    average: value,
                    promoted: history.promoted && at + 1 == last,
                }),
        );
    }
    by_group.retain(|_, trials| {
        let least = trials
            .iter()
            .filter(|trial| trial.promoted)
            .map(|trial| trial.average);
        let least = least.fold(f64::INFINITY, f64::min);
        trials.retain(|trial| trial.promoted || trial.average > least - FAR);
        least.is_finite()
    });
    by_group
}

/// ln likelihood of a group at one threshold: the sum of -ln(1 + e^-z), without overflow.
fn ln_likelihood(group: &[Trial], threshold: f64, softness: f64) -> f64 {
    let mut sum = 0.0;
    for some in group.chunks(TOGETHER) {
        let mut product = 1.0;
        for trial in some {
            let z = (trial.average - threshold) / softness;
            let z = if trial.promoted { z } else { -z };
            sum += z.min(0.0);
            // Beyond, 1 + e^-|z| is 1.
            if z.abs() < 40.0 {
                product *= 1.0 + (-z.abs()).exp();
            }
        }
        sum -= product.ln();
    }
    sum
}

/// Factors of at most 2 whose product is finite: one logarithm for all of them.
const TOGETHER: usize = 512;

/// Trials that may tell something under one softness: without promotion and far below all promotions they do not.
fn near(group: &[Trial], softness: f64) -> Vec<Trial> {
    let promoted = group.iter().filter(|trial| trial.promoted);
    let least = promoted.map(|trial| trial.average).fold(f64::INFINITY, f64::min);
    let from = least - (30.0 * softness).max(3.0);
    let tells = |trial: &&Trial| trial.promoted || trial.average > from;
    group.iter().filter(tells).copied().collect()
}

/// Thresholds worth looking at under one softness: around the place of the greatest likelihood, a few times as far as
/// it falls off.
fn places(group: &[Trial], softness: f64) -> Vec<f64> {
    let averages = || group.iter().map(|trial| trial.average);
    let first = averages().fold(f64::INFINITY, f64::min) - 8.0 * softness;
    let last = averages().fold(f64::NEG_INFINITY, f64::max) + 8.0 * softness;
    let (mut low, mut high) = (first, last);
    // ln likelihood is concave in the threshold.
    let of = |threshold| ln_likelihood(group, threshold, softness);
    let golden = 0.381_966;
    let (mut left, mut right) = (low + golden * (high - low), high - golden * (high - low));
    let (mut at_left, mut at_right) = (of(left), of(right));
    for _ in 0..40 {
        if at_left >= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = low + golden * (high - low);
            at_left = of(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = high - golden * (high - low);
            at_right = of(right);
        }
    }
    let best = f64::midpoint(low, high);
    let top = of(best);
    let reach = |direction: f64| {
        let mut step = 0.25 * softness;
        while top - of(best + direction * step) < 12.0 && step < 1e4 {
            step *= 1.5;
        }
        step
    };
    let (down, up) = (reach(-1.0), reach(1.0));
    (0..=POINTS)
        .map(|k| best - down + (down + up) * f64::from(k) / f64::from(POINTS))
        .collect()
}

/// Points of a grid of thresholds.
const POINTS: u32 = 60;

/// ln of the likelihood averaged over thresholds, flat beforehand; and the grid.
fn marginal(group: &[Trial], softness: f64) -> (f64, Vec<(f64, f64)>) {
    let group = &near(group, softness)[..];
    let places = places(group, softness);
    let width = (places[places.len() - 1] - places[0]) / f64::from(POINTS);
    let grid: Vec<(f64, f64)> = places
        .iter()
        .map(|&place| (place, ln_likelihood(group, place, softness) + width.ln()))
        .collect();
    let values: Vec<f64> = grid.iter().map(|(_, value)| *value).collect();
    (ln_sum_exp(&values), grid)
}

/// Mean and central 95 % of the threshold, over all softnesses.
fn posterior(group: &[Trial], weights: &[f64]) -> Interval {
    let mut points = Vec::new();
    for (&softness, &weight) in SOFTNESS.iter().zip(weights) {
        if weight > 1e-6 {
            let (all, grid) = marginal(group, softness);
            points.extend(
                grid.into_iter()
                    .map(|(place, value)| (place, weight * (value - all).exp())),
            );
        }
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = points.iter().map(|(_, weight)| weight).sum();
    let at = |share: f64| {
        let mut sum = 0.0;
        let reached = points.iter().find(|(_, weight)| {
            sum += weight;
            sum >= share * total
        });
        reached.or(points.last()).map_or(f64::NAN, |(place, _)| *place)
    };
    Interval {
        value: points.iter().map(|(place, weight)| place * weight).sum::<f64>() / total,
        low: at(0.025),
        high: at(0.975),
    }
}
