//! Tickets that arrive at a queue: a Poisson process whose rate may swing, normal ratings, exponential patience.

use rand::{Rng, RngExt};
use rand_distr::{Distribution, Exp1};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::random::{Purpose, standard_normal, stream};

/// A larger swing would reject nearly all that thinning draws.
const LARGEST_AMPLITUDE: f64 = 10.0;
/// Times in milliseconds stay whole numbers as floats.
const LATEST_MS: f64 = 9_007_199_254_740_992.0;

/// The arrivals of single players at one queue, unchecked until [`build`](Self::build).
///
/// ```text
/// rate(t) = rate_per_second * exp(amplitude * sin(2 pi t / period))     t in seconds from 0
/// rating ~ Normal(rating_mean, rating_deviation^2),   patience ~ Exponential(mean_patience_seconds)
/// ```
///
/// Arrivals are an exact Poisson process of that rate, by thinning: candidates come at the largest rate, and each stays
/// with probability rate(t) / largest. Lewis and Shedler, "Simulation of nonhomogeneous Poisson processes by thinning",
/// Naval Research Logistics Quarterly 26 (1979), doi:10.1002/nav.3800260304.
///
/// Times, ratings and patience have streams of their own: patience changes no time, and more tickets begin with the
/// same ones.
///
/// ```
/// use matchwright_sim::arrivals::ArrivalsParams;
///
/// let arrivals = ArrivalsParams::one_a_second(1_000, 7).build()?;
/// assert_eq!(arrivals.len(), 1_000);
/// assert!(arrivals.windows(2).all(|two| two[0].at_ms <= two[1].at_ms));
/// assert!(arrivals.iter().all(|ticket| ticket.leaves_at_ms.is_none()));
/// # Ok::<(), matchwright_sim::arrivals::ArrivalsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArrivalsParams {
    /// How many tickets arrive.
    pub tickets: usize,
    /// The rate of arrivals, a second, where it does not swing. Default 1.
    #[serde(default = "one")]
    pub rate_per_second: f64,
    /// The mean of the ratings, points. Default 1500.
    #[serde(default = "middle")]
    pub rating_mean: f64,
    /// Their standard deviation, points, 0 or more. Default 300.
    #[serde(default = "spread")]
    pub rating_deviation: f64,
    /// How the rate changes over time. Default: not at all.
    #[serde(default)]
    pub swing: Option<Swing>,
    /// The mean of the exponential time after which a ticket leaves, seconds. Default: no ticket leaves.
    #[serde(default)]
    pub mean_patience_seconds: Option<f64>,
    /// Seed of all that is random. Default 1.
    #[serde(default = "first")]
    pub seed: u64,
}

/// A rate of arrivals that rises and falls by turns: a factor exp(amplitude sin(2 pi t / period)).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swing {
    /// The logarithm of the largest factor, from -10 to 10.
    pub amplitude: f64,
    /// Seconds from one peak to the next, above 0.
    pub period_seconds: f64,
}

/// One ticket of one player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// When it comes, milliseconds.
    pub at_ms: i64,
    /// The player's rating, points.
    pub rating: f64,
    /// When it leaves if it has no match by then, milliseconds; `None`: never.
    pub leaves_at_ms: Option<i64>,
}

/// Parameters of which no arrivals can be made.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ArrivalsError {
    /// A number that is out of its range.
    #[error("`{name}` is {value}: give {wanted}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: f64,
        /// Its range.
        wanted: &'static str,
    },
    /// Times beyond what milliseconds can count.
    #[error("ticket {ticket} comes or leaves after 2^53 milliseconds: raise the rate or lower the patience")]
    TooLate {
        /// The first such ticket, from 0.
        ticket: usize,
    },
}

impl ArrivalsParams {
    /// Ratings Normal(1500, 300), one arrival a second, no ticket leaves.
    #[must_use]
    pub const fn one_a_second(tickets: usize, seed: u64) -> Self {
        Self {
            tickets,
            rate_per_second: one(),
            rating_mean: middle(),
            rating_deviation: spread(),
            swing: None,
            mean_patience_seconds: None,
            seed,
        }
    }

    /// The same with a rate that swings tenfold in 2,000 seconds: exp(1.15 sin(2 pi t / 2,000 s)) a second.
    #[must_use]
    pub const fn swinging(tickets: usize, seed: u64) -> Self {
        Self {
            swing: Some(Swing {
                amplitude: 1.15,
                period_seconds: 2000.0,
            }),
            ..Self::one_a_second(tickets, seed)
        }
    }

    /// The arrivals, in order of time. The same for the same parameters, to the bit. O(tickets exp(|amplitude|)) at
    /// most.
    ///
    /// # Errors
    /// [`ArrivalsError::Parameter`] for the first number out of range; [`ArrivalsError::TooLate`].
    pub fn build(&self) -> Result<Vec<Arrival>, ArrivalsError> {
        self.check()?;
        let random = |which| stream(self.seed, Purpose::Arrivals, which, 0);
        let (mut times, mut ratings, mut patience) = (random(0), random(1), random(2));
        let mut seconds = 0.0;
        let arrival = |ticket| {
            seconds = self.next_time(seconds, &mut times);
            let at_ms = whole(1000.0 * seconds).ok_or(ArrivalsError::TooLate { ticket })?;
            let leaves_at_ms = match self.mean_patience_seconds {
                None => None,
                Some(mean) => {
                    let drawn: f64 = Exp1.sample(&mut patience);
                    let stays = whole(1000.0 * mean * drawn);
                    let leaves = stays.and_then(|stays| whole((at_ms + stays) as f64));
                    Some(leaves.ok_or(ArrivalsError::TooLate { ticket })?)
                }
            };
            Ok(Arrival {
                at_ms,
                rating: self.rating_mean + self.rating_deviation * standard_normal(&mut ratings),
                leaves_at_ms,
            })
        };
        (0..self.tickets).map(arrival).collect()
    }

    /// When the next ticket comes after `seconds`.
    fn next_time(&self, mut seconds: f64, random: &mut impl Rng) -> f64 {
        let amplitude = self.swing.map_or(0.0, |swing| swing.amplitude.abs());
        let largest = self.rate_per_second * amplitude.exp();
        loop {
            let gap: f64 = Exp1.sample(random);
            seconds += gap / largest;
            let Some(swing) = self.swing else { return seconds };
            let phase = std::f64::consts::TAU * (seconds / swing.period_seconds).fract();
            // Of a time beyond all floats the phase is NaN.
            let rejected = random.random::<f64>() >= (swing.amplitude * phase.sin() - amplitude).exp();
            if !rejected || !seconds.is_finite() {
                return seconds;
            }
        }
    }

    fn check(&self) -> Result<(), ArrivalsError> {
        const POSITIVE: &str = "a finite number above 0";
        const FINITE: &str = "a finite number";
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let (rate, mean, deviation) = (self.rate_per_second, self.rating_mean, self.rating_deviation);
        let patience = self.mean_patience_seconds.unwrap_or(1.0);
        let Swing {
            amplitude,
            period_seconds: period,
        } = self.swing.unwrap_or(Swing {
            amplitude: 0.0,
            period_seconds: 1.0,
        });
        let checks = [
            ("rate_per_second", rate, positive(rate), POSITIVE),
            ("rating_mean", mean, mean.is_finite(), FINITE),
            (
                "rating_deviation",
                deviation,
                deviation >= 0.0 && deviation.is_finite(),
                "a finite number, 0 or more",
            ),
            (
                "amplitude",
                amplitude,
                amplitude.abs() <= LARGEST_AMPLITUDE,
                "a number from -10 to 10",
            ),
            ("period_seconds", period, positive(period), POSITIVE),
            ("mean_patience_seconds", patience, positive(patience), POSITIVE),
        ];
        let wrong = checks.into_iter().find(|&(_, _, holds, _)| !holds);
        wrong.map_or(Ok(()), |(name, value, _, wanted)| {
            Err(ArrivalsError::Parameter { name, value, wanted })
        })
    }
}

/// The milliseconds rounded down, unless they are too many.
fn whole(ms: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "below 2^53")]
    (0.0..LATEST_MS).contains(&ms).then_some(ms as i64)
}

const fn one() -> f64 {
    1.0
}

const fn middle() -> f64 {
    1500.0
}

const fn spread() -> f64 {
    300.0
}

const fn first() -> u64 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::quantile;

    #[test]
    fn gaps_ratings_and_patience_have_their_distributions() {
        let params = ArrivalsParams {
            rate_per_second: 2.0,
            mean_patience_seconds: Some(40.0),
            ..ArrivalsParams::one_a_second(20_000, 3)
        };
        let arrivals = params.build().unwrap();
        let count = arrivals.len() as f64;
        let mean = |of: &dyn Fn(&Arrival) -> f64| arrivals.iter().map(of).sum::<f64>() / count;
        let four_errors = 4.0 / count.sqrt();
        let rate = 1000.0 * count / arrivals[arrivals.len() - 1].at_ms as f64;
        assert!((rate / 2.0 - 1.0).abs() < four_errors, "{rate}");
        let rating = mean(&|ticket| ticket.rating);
        assert!((rating - 1500.0).abs() < 300.0 * four_errors, "{rating}");
        let variance = mean(&|ticket| (ticket.rating - 1500.0).powi(2)) / 9e4;
        assert!((variance - 1.0).abs() < 2_f64.sqrt() * four_errors, "{variance}");
        let stays = |ticket: &Arrival| (ticket.leaves_at_ms.unwrap() - ticket.at_ms) as f64 / 1000.0;
        let patience = mean(&stays);
        assert!((patience / 40.0 - 1.0).abs() < four_errors, "{patience}");
        let mut stays: Vec<f64> = arrivals.iter().map(stays).collect();
        stays.sort_by(f64::total_cmp);
        let median = quantile(&stays, 0.5) / (40.0 * 2_f64.ln());
        assert!((median - 1.0).abs() < 1.45 * four_errors, "{median}");
    }

    #[test]
    fn the_rate_swings_as_stated() {
        let params = ArrivalsParams::swinging(40_000, 5);
        let arrivals = params.build().unwrap();
        // By the eighth of the period: the share of arrivals is that of the integral of the rate.
        let mut seen = [0.0; 8];
        let last = arrivals[arrivals.len() - 1].at_ms / 2_000_000 * 2_000_000;
        let whole_periods = arrivals.iter().filter(|ticket| ticket.at_ms < last);
        let mut count = 0.0;
        for ticket in whole_periods {
            seen[usize::try_from(ticket.at_ms % 2_000_000 / 250_000).unwrap()] += 1.0;
            count += 1.0;
        }
        let rate = |k: usize| (1.15 * (std::f64::consts::TAU * k as f64 / 8000.0).sin()).exp();
        let total: f64 = (0..8000).map(rate).sum();
        for (eighth, &seen) in seen.iter().enumerate() {
            let share: f64 = (eighth * 1000..(eighth + 1) * 1000).map(rate).sum::<f64>() / total;
            let error = (share * (1.0 - share) / count).sqrt();
            assert!(
                (seen / count - share).abs() < 4.0 * error + 1e-4,
                "{eighth} {}",
                seen / count
            );
        }
    }

    #[test]
    fn the_first_arrivals_of_a_seed_are_a_promise() {
        let params = ArrivalsParams::swinging(3, 1);
        let more = ArrivalsParams {
            tickets: 100,
            mean_patience_seconds: Some(30.0),
            ..params
        };
        let (few, more) = (params.build().unwrap(), more.build().unwrap());
        for (one, other) in few.iter().zip(&more) {
            assert_eq!((one.at_ms, one.rating), (other.at_ms, other.rating));
        }
        let seen: Vec<(i64, f64)> = few.iter().map(|t| (t.at_ms, t.rating.round())).collect();
        assert_eq!(seen, PROMISED);
    }

    const PROMISED: [(i64, f64); 3] = [(1013, 1652.0), (1408, 1542.0), (1949, 2024.0)];

    #[test]
    fn numbers_out_of_range_are_named() {
        let good = ArrivalsParams::swinging(5, 1);
        let swing = |amplitude, period_seconds| ArrivalsParams {
            swing: Some(Swing {
                amplitude,
                period_seconds,
            }),
            ..good
        };
        let cases = [
            (
                "rate_per_second",
                ArrivalsParams {
                    rate_per_second: 0.0,
                    ..good
                },
            ),
            (
                "rating_mean",
                ArrivalsParams {
                    rating_mean: f64::NAN,
                    ..good
                },
            ),
            (
                "rating_deviation",
                ArrivalsParams {
                    rating_deviation: -1.0,
                    ..good
                },
            ),
            ("amplitude", swing(11.0, 1.0)),
            ("period_seconds", swing(1.0, f64::INFINITY)),
            (
                "mean_patience_seconds",
                ArrivalsParams {
                    mean_patience_seconds: Some(f64::NAN),
                    ..good
                },
            ),
        ];
        for (wrong, params) in cases {
            let error = params.build().unwrap_err();
            assert!(matches!(error, ArrivalsError::Parameter { name, .. } if name == wrong));
        }
        let slow = ArrivalsParams {
            rate_per_second: 1e-300,
            ..good
        };
        assert_eq!(slow.build(), Err(ArrivalsError::TooLate { ticket: 0 }));
        let patient = ArrivalsParams {
            mean_patience_seconds: Some(1e300),
            ..good
        };
        assert_eq!(patient.build(), Err(ArrivalsError::TooLate { ticket: 0 }));
    }
}
