//! What a policy came to over all worlds: curves are averaged, counts summed, means weighted by what they are of.

use std::collections::BTreeMap;

use matchwright_sim::replay::GroupWaits;
use matchwright_sim::simulate::{ForecastBin, GroupGames, GroupMatches, HourMeans, Measured, World};
use matchwright_sim::statistics::Summary;

/// One policy's worlds.
pub(crate) struct Pooled<'a>(Vec<&'a Measured>);

impl<'a> Pooled<'a> {
    pub(super) fn of(worlds: &'a [World], policy: usize) -> Self {
        Self(
            worlds
                .iter()
                .filter_map(|world| world.policies.get(policy))
                .collect(),
        )
    }

    /// The mean of each point of a curve.
    pub(crate) fn curve(&self, curve: impl Fn(&'a Measured) -> &'a [f64]) -> Vec<f64> {
        let curves: Vec<&[f64]> = self
            .0
            .iter()
            .map(|one| curve(one))
            .filter(|curve| !curve.is_empty())
            .collect();
        let points = curves.iter().map(|curve| curve.len()).min().unwrap_or(0);
        let mean = |point: usize| Summary::of(curves.iter().map(|curve| curve[point])).mean();
        (0..points).map(mean).collect()
    }

    /// How the values of a curve of quantiles fall into bins of a width, as shares of all: lower ends and shares.
    pub(crate) fn histogram(
        &self,
        curve: impl Fn(&'a Measured) -> &'a [f64],
        width: f64,
        bins: usize,
    ) -> Vec<(f64, f64)> {
        let curves: Vec<&[f64]> = self
            .0
            .iter()
            .map(|one| curve(one))
            .filter(|curve| curve.len() > 1)
            .collect();
        let up_to = |value: f64| Summary::of(curves.iter().map(|curve| share_up_to(curve, value))).mean();
        let bin = |bin: usize| {
            let low = bin as f64 * width;
            let before = if bin == 0 { 0.0 } else { up_to(low) };
            (low, up_to(low + width) - before)
        };
        if curves.is_empty() {
            Vec::new()
        } else {
            (0..bins).map(bin).collect()
        }
    }

    /// Seconds within which 0, 1, ... % of all tickets had a match: the mean over the worlds, as far as all of them go.
    pub(crate) fn wait_curve(&self) -> Vec<f64> {
        let is_open = |one: &&Measured| one.wait_curve.is_empty() && !one.waits.is_empty();
        if self.0.iter().any(is_open) {
            return Vec::new();
        }
        self.curve(|one| &one.wait_curve)
    }

    /// Waits by group; means and quantiles are means of the worlds', weighted by tickets, and open where one of these is.
    pub(crate) fn waits(&self) -> Vec<GroupWaits> {
        let groups = grouped(self.0.iter().map(|one| &one.waits[..]), |waits| &waits.group);
        let pooled = |(group, all): (&str, Vec<&GroupWaits>)| {
            let tickets: usize = all.iter().map(|waits| waits.tickets).sum();
            let sum = |of: fn(&GroupWaits) -> usize| all.iter().map(|waits| of(waits)).sum();
            let mean = |of: fn(&GroupWaits) -> Option<f64>| {
                let one = |waits: &&GroupWaits| Some(of(waits)? * waits.tickets as f64);
                let sum: Option<f64> = all.iter().map(one).sum();
                sum.map(|sum| sum / tickets.max(1) as f64)
            };
            GroupWaits {
                group: group.to_owned(),
                tickets,
                left: sum(|waits| waits.left),
                declined: sum(|waits| waits.declined),
                waiting: sum(|waits| waits.waiting),
                refused: sum(|waits| waits.refused),
                mean: mean(|waits| waits.mean),
                median: mean(|waits| waits.median),
                q90: mean(|waits| waits.q90),
                q99: mean(|waits| waits.q99),
                longest: all.iter().map(|waits| waits.longest).fold(0.0, f64::max),
            }
        };
        groups.into_iter().map(pooled).collect()
    }

    /// Matches by group; means are weighted by players.
    pub(crate) fn by_group(&self) -> Vec<GroupMatches> {
        let groups = grouped(self.0.iter().map(|one| &one.by_group[..]), |of| &of.group);
        let pooled = |(group, all): (&str, Vec<&GroupMatches>)| {
            let mean = |of: fn(&GroupMatches) -> Option<f64>| {
                let values = all.iter().filter_map(|one| Some((of(one)?, one.players as f64)));
                let (sum, weight) = values.fold((0.0, 0.0), |(sum, all), (value, weight)| {
                    (sum + value * weight, all + weight)
                });
                (weight > 0.0).then(|| sum / weight)
            };
            GroupMatches {
                group: group.to_owned(),
                players: all.iter().map(|one| one.players).sum(),
                mismatch: mean(|one| one.mismatch),
                ping: mean(|one| one.ping),
            }
        };
        groups.into_iter().map(pooled).collect()
    }

    /// Means of each hour of the day, weighted by the tickets that came.
    pub(crate) fn hours(&self) -> Vec<HourMeans> {
        let hours = self.0.iter().map(|one| one.by_hour.len()).max().unwrap_or(0);
        let hour = |hour: usize| {
            let all: Vec<HourMeans> = self
                .0
                .iter()
                .filter_map(|one| one.by_hour.get(hour).copied())
                .collect();
            let came: u64 = all.iter().map(|hour| hour.came).sum();
            let mean = |of: fn(&HourMeans) -> Option<f64>| {
                let values = all
                    .iter()
                    .filter_map(|hour| Some((of(hour)?, hour.came.max(1) as f64)));
                let (sum, weight) = values.fold((0.0, 0.0), |(sum, all), (value, weight)| {
                    (sum + value * weight, all + weight)
                });
                (weight > 0.0).then(|| sum / weight)
            };
            HourMeans {
                came,
                wait: mean(|hour| hour.wait),
                mismatch: mean(|hour| hour.mismatch),
            }
        };
        (0..hours).map(hour).collect()
    }

    /// Matches of like forecasts, the least forecasts first.
    pub(crate) fn forecasts(&self) -> Vec<ForecastBin> {
        let mut bins: BTreeMap<i64, [f64; 4]> = BTreeMap::new();
        for bin in self.0.iter().flat_map(|one| &one.forecast.bins) {
            #[expect(clippy::cast_possible_truncation, reason = "a tenth")]
            let sums = bins.entry((10.0 * bin.predicted) as i64).or_default();
            let matches = bin.matches as f64;
            for (sum, value) in sums
                .iter_mut()
                .zip([1.0, bin.predicted, bin.true_chance, bin.won])
            {
                *sum += matches * value;
            }
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of matches"
        )]
        let bin = |[matches, predicted, true_chance, won]: [f64; 4]| ForecastBin {
            matches: matches as u64,
            predicted: predicted / matches,
            true_chance: true_chance / matches,
            won: won / matches,
        };
        bins.into_values().map(bin).collect()
    }

    /// Matches, wins and losses by true skill, summed.
    pub(crate) fn games(&self) -> Vec<GroupGames> {
        let mut groups: Vec<GroupGames> = Vec::new();
        for games in self.0.iter().flat_map(|one| &one.games) {
            match groups.iter_mut().find(|group| group.group == games.group) {
                Some(group) => {
                    group.players += games.players;
                    group.games += games.games;
                    group.wins += games.wins;
                    group.losses += games.losses;
                }
                None => groups.push(games.clone()),
            }
        }
        groups
    }

    /// The factors of what judges, each with its mean quality.
    pub(crate) fn factors(&self) -> BTreeMap<&'a str, f64> {
        let mut factors: BTreeMap<&str, Summary> = BTreeMap::new();
        for factor in self.0.iter().flat_map(|one| &one.factors) {
            factors.entry(&factor.factor).or_default().add(factor.mean);
        }
        factors
            .into_iter()
            .map(|(name, values)| (name, values.mean()))
            .collect()
    }
}

/// What the worlds have of each group, in the order of their lists, whichever worlds have it.
fn grouped<'g, T>(worlds: impl Iterator<Item = &'g [T]>, name: fn(&T) -> &str) -> Vec<(&'g str, Vec<&'g T>)> {
    let mut groups: Vec<(&str, Vec<&T>)> = Vec::new();
    for world in worlds {
        let mut next = 0;
        for one in world {
            match groups.iter().position(|(group, _)| *group == name(one)) {
                Some(known) => {
                    groups[known].1.push(one);
                    next = known;
                }
                None => groups.insert(next, (name(one), vec![one])),
            }
            next += 1;
        }
    }
    groups
}

/// The share of values that do not exceed one, by their quantiles at equal steps.
fn share_up_to(quantiles: &[f64], value: f64) -> f64 {
    let steps = (quantiles.len() - 1) as f64;
    let above = quantiles.partition_point(|quantile| *quantile <= value);
    if above == 0 {
        return 0.0;
    }
    let Some(&next) = quantiles.get(above) else {
        return 1.0;
    };
    let last = quantiles[above - 1];
    let part = if next > last {
        (value - last) / (next - last)
    } else {
        0.0
    };
    ((above - 1) as f64 + part) / steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_keep_the_order_of_the_lists_that_have_them() {
        let worlds: [&[&str]; 3] = [&["all", "b", "d"], &["all", "a", "d", "e"], &["b", "c"]];
        let groups = grouped(worlds.into_iter(), |name| name);
        let found: Vec<(&str, usize)> = groups.iter().map(|(name, all)| (*name, all.len())).collect();
        assert_eq!(
            found,
            [("all", 2), ("a", 1), ("b", 2), ("c", 1), ("d", 2), ("e", 1)]
        );
    }

    #[test]
    fn quantiles_give_the_shares_that_they_are_of() {
        let quantiles = [0.0, 1.0, 1.0, 3.0, 7.0];
        for (value, share) in [
            (-1.0, 0.0),
            (0.0, 0.0),
            (0.5, 0.125),
            (1.0, 0.5),
            (2.0, 0.625),
            (7.0, 1.0),
            (9.0, 1.0),
        ] {
            assert!((share_up_to(&quantiles, value) - share).abs() < 1e-12, "{value}");
        }
    }
}
