//! [`Prices`]: what a match is worth to a ticket, from the density of tickets, learned from matches, or given.

mod learned;

use std::collections::BTreeMap;

use thiserror::Error;

pub use self::learned::LearnedPrices;
use crate::time::{Time, millis};
use crate::window::Window;

/// The number of widths of bands, each twice the one before; the coarsest tells what no finer one knows yet.
const LEVELS: u8 = 7;

/// The weight of the last arrival in the rate of arrivals.
const ARRIVAL: f64 = 0.02;

/// The weight of the last ticket in what is known of how soon tickets give up, and how many must have come to their end
/// for it to count half.
const LEAVER: f64 = 0.001;
const LEAVERS: f64 = 20.0;

/// A coarser band counts as this many matches of a finer one.
const PRIOR: f64 = 4.0;

/// Where prices begin.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PriceStart {
    /// From the matches made, from the first one on.
    #[default]
    Learn,
    /// The same price for all.
    Flat(f64),
    /// From the density of the tickets, normal in their number: (1/2) sqrt(c K / (l f(r))) for l arrivals a second.
    Density {
        /// The mean of the number.
        mean: f64,
        /// Its standard deviation, above 0.
        deviation: f64,
        /// Arrivals a second, above 0.
        per_second: f64,
    },
    /// A table, such as the duals of a hindsight optimum.
    Table {
        /// (number, price), numbers rising: straight lines between, flat outside.
        points: Vec<(f64, f64)>,
        /// The arrivals a second for which the prices are; `None`: for any.
        per_second: Option<f64>,
    },
}

/// Prices as they are written, checked by [`build`](Self::build).
///
/// ```text
/// K |x_a - x_b|  <=  a (p(x_a) + p(x_b)) + g (C(w_a) + C(w_b))
/// p(x)  =  q(x) / sqrt(l)
/// q(x)  <-  q(x) + eta (sqrt(l) (C(w) + K d / 2) - q(x))           after each match, for both its tickets
/// ```
///
/// A match of teams has a cost of its own, and the prices and waits of all its players cover it, each player by its
/// ticket's number and wait:
///
/// ```text
/// K (1 - quality)  <=  sum over players of  a p(x) + g C(w')          w' = max(0, w - (m - 1) / (2 l))
/// q(x)  <-  q(x) + eta (sqrt(l) (C(w') + K (1 - quality) / players) - q(x))
/// ```
///
/// for a match of m tickets: until that many have come, there is no choice, and the time spent waiting for them says
/// nothing about what a better match is worth.
///
/// with the mismatch's weight K and the cost C of a wait of the objective, the share a of the price that a ticket pays
/// at once, and the share g of its cost of waiting that is added; l is the rate of arrivals of late, to whose square
/// root prices are inverse in equilibrium, so that what was learned in the evening holds in the morning. A ticket keeps the
/// price of the moment when it came. With g = 0 and no longest wait one without near neighbours may wait for ever.
///
/// Nobody is matched at any cost. After the longest wait T of [`PairsParams`](crate::PairsParams) each further second of a
/// wait pays in full, g C(T) + C(w) - C(T) in place of g C(w), so that no match lacks more than the prices and the waits of
/// its tickets come to. A wait has the bound by which its own payment covers `range`, if that is given, and none otherwise.
///
/// Against widening windows tuned on the same logs prices cost 3 to 7 % less with normal skills, 5 to 10 % less with Cauchy
/// skills, and from .4 % more to .7 % less with uniform ones: the table of worlds is in `docs/prices.md`.
///
/// Where a lost player costs P, waiting costs more than C: with the rate h at which tickets give up, learned as those who
/// left by the time that all waited, prices are learned of C(w) + P h w in place of C(w), and a wait covers as much more of
/// lobbies. Patience without a memory makes that exact.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PricesParams {
    /// The attribute.
    pub of: String,
    /// K, the cost of one unit of difference.
    pub mismatch: f64,
    /// C as (seconds, cost), rising, from (0, 0): straight lines, and the slope of the last one after it.
    pub waiting: Vec<(f64, f64)>,
    /// P, the cost of a player who gave up, 0 or more.
    pub lost: f64,
    /// a, in \[0, 1\].
    pub share: f64,
    /// g, in \[0, 1\].
    pub waiting_share: f64,
    /// The least weight of a new match in what is learned, in (0, 1\]; `None`: prices stay as they begin.
    pub learn: Option<f64>,
    /// The width of the finest band of numbers that have one price, above 0.
    pub band: f64,
    /// Where prices begin.
    pub start: PriceStart,
    /// The greatest difference that can occur, if it is known, for liveness.
    pub range: Option<f64>,
}

/// Why prices cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "every field is named in the message of its variant")]
pub enum PricesError {
    /// A number out of its range.
    #[error("`prices.{key}` is {value}: give {wanted}")]
    Number {
        key: &'static str,
        value: f64,
        wanted: &'static str,
    },
    /// Points out of order.
    #[error("point {place} of `{key}` does not rise: give finite points, the first number rising")]
    Order { key: &'static str, place: usize },
    /// A cost of waiting that falls, or none, or one that no number holds.
    #[error(
        "the cost of waiting must rise from 0, at least once, never fall, and be finite in units of a mismatch"
    )]
    Waiting,
}

impl PricesParams {
    /// Prices that are learned of this attribute, for K a unit and c a second; a = .85, g = .3, bands of 25 units.
    #[must_use]
    pub fn of(attribute: &str, mismatch: f64, per_second: f64) -> Self {
        Self {
            of: attribute.to_owned(),
            mismatch,
            waiting: vec![(1.0, per_second)],
            lost: 0.0,
            share: 0.85,
            waiting_share: 0.3,
            learn: Some(0.02),
            band: 25.0,
            start: PriceStart::Learn,
            range: None,
        }
    }

    /// The prices, if they can be used.
    ///
    /// # Errors
    /// [`PricesError`] names the key.
    pub fn build(&self) -> Result<Prices, PricesError> {
        const ABOVE: &str = "a finite number above 0";
        const SHARE: &str = "a share from 0 to 1";
        let number = |key, value: f64, is_good: bool, wanted| {
            if is_good {
                Ok(())
            } else {
                Err(PricesError::Number { key, value, wanted })
            }
        };
        let above = |value: f64| value > 0.0 && value.is_finite();
        let share = |value: f64| (0.0..=1.0).contains(&value);
        number("mismatch", self.mismatch, above(self.mismatch), ABOVE)?;
        number("band", self.band, above(self.band), ABOVE)?;
        let zero_up = (0.0..=f64::MAX).contains(&self.lost);
        number("lost", self.lost, zero_up, "a finite number of 0 or more")?;
        number("share", self.share, share(self.share), SHARE)?;
        number(
            "waiting_share",
            self.waiting_share,
            share(self.waiting_share),
            SHARE,
        )?;
        if let Some(learn) = self.learn {
            number(
                "learn",
                learn,
                learn > 0.0 && learn <= 1.0,
                "a weight above 0, up to 1",
            )?;
        }
        let mut last = (0.0, 0.0);
        for (place, &point) in self.waiting.iter().enumerate() {
            let is_finite = point.0.is_finite() && point.1.is_finite();
            if !is_finite || point.0 <= last.0 || point.1 < last.1 {
                return Err(PricesError::Order {
                    key: "waiting",
                    place,
                });
            }
            last = point;
        }
        let (per_second, cost) = (self.slope() / self.mismatch, last.1 / self.mismatch);
        if last.1 <= 0.0 || !self.slope().is_finite() || !(per_second + cost).is_finite() {
            return Err(PricesError::Waiting);
        }
        match &self.start {
            PriceStart::Learn => {}
            &PriceStart::Flat(price) => {
                let is_good = (0.0..=f64::MAX).contains(&price);
                number("start", price, is_good, "a finite price of 0 or more")?;
            }
            &PriceStart::Density {
                mean,
                deviation,
                per_second,
            } => {
                number("start.mean", mean, mean.is_finite(), "a finite number")?;
                number("start.deviation", deviation, above(deviation), ABOVE)?;
                number("start.per_second", per_second, above(per_second), ABOVE)?;
            }
            PriceStart::Table { points, per_second } => {
                let rate = per_second.unwrap_or(1.0);
                number("start.per_second", rate, above(rate), ABOVE)?;
                let mut before = f64::NEG_INFINITY;
                for (place, &(at, price)) in points.iter().enumerate() {
                    if !(at > before && at.is_finite() && (0.0..=f64::MAX).contains(&price)) {
                        return Err(PricesError::Order {
                            key: "prices.start",
                            place,
                        });
                    }
                    before = at;
                }
                if points.is_empty() {
                    return Err(PricesError::Order {
                        key: "prices.start",
                        place: 0,
                    });
                }
            }
        }
        Ok(Prices {
            cost: Window::growing(&self.of, self.slope(), self.points(), None),
            params: self.clone(),
            learned: BTreeMap::new(),
            gap: match self.start {
                PriceStart::Density { per_second, .. } => 1.0 / per_second,
                PriceStart::Table { per_second, .. } => 1.0 / per_second.unwrap_or(1.0),
                PriceStart::Learn | PriceStart::Flat(_) => 1.0,
            },
            last: None,
            arrivals: 0,
            waits: Waits::default(),
        })
    }

    /// What the last second costs.
    fn slope(&self) -> f64 {
        let last = self.waiting.len();
        let point = |at: usize| {
            at.checked_sub(1)
                .and_then(|at| self.waiting.get(at))
                .copied()
                .unwrap_or((0.0, 0.0))
        };
        let (one, other) = (point(last), point(last.saturating_sub(1)));
        (one.1 - other.1) / (one.0 - other.0).max(f64::MIN_POSITIVE)
    }

    fn points(&self) -> Vec<(i64, f64)> {
        let points = self.waiting.iter().map(|&(at, cost)| (millis(at), cost));
        std::iter::once((0, 0.0)).chain(points).collect()
    }
}

/// What a match is worth to a ticket, by its number: see [`PricesParams`].
///
/// Learned in bands of several widths at once: `p = (n mean + 4 p') / (n + 4)` for a band with n matches, where p' is the
/// price of the band twice as wide, so that a band without matches has the price of its surroundings.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    params: PricesParams,
    /// C, as a width.
    cost: Window,
    /// By level and band: what a ticket cost, and from how many matches that is known.
    learned: BTreeMap<(u8, i64), (f64, f64)>,
    /// Seconds between arrivals, of late.
    gap: f64,
    last: Option<Time>,
    arrivals: u64,
    waits: Waits,
}

/// Waits that ended, the later ones counting more.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Waits {
    count: f64,
    /// Those without a match.
    left: f64,
    seconds: f64,
}

impl Prices {
    /// As they were written.
    #[must_use]
    pub const fn params(&self) -> &PricesParams {
        &self.params
    }

    /// What waiting this many milliseconds costs.
    #[must_use]
    pub fn waiting_cost(&self, waited: i64) -> f64 {
        self.cost.width(0.0, waited)
    }

    /// The price of a ticket with this number.
    #[must_use]
    pub fn price(&self, number: f64) -> f64 {
        let start = self.start(number);
        let mut price = start;
        for level in (0..LEVELS).rev() {
            let Some(&(mean, count)) = self.learned.get(&(level, self.band(level, number))) else {
                continue;
            };
            // Without a start the coarsest band is all that is known.
            price = Some(price.map_or(mean, |price| (count * mean + PRIOR * price) / (count + PRIOR)));
        }
        let price = price.unwrap_or(0.0) * self.gap.sqrt();
        self.most().map_or(price, |most| price.min(most))
    }

    /// A price beyond which the formula of the density says nothing: that of a match as far as the tickets spread.
    fn most(&self) -> Option<f64> {
        match self.params.start {
            PriceStart::Density { deviation, .. } => Some(self.params.mismatch * deviation),
            _ => None,
        }
    }

    /// Where prices begin, for one arrival a second.
    fn start(&self, number: f64) -> Option<f64> {
        match &self.params.start {
            PriceStart::Learn => None,
            &PriceStart::Flat(price) => Some(price / self.gap.sqrt()),
            &PriceStart::Density { mean, deviation, .. } => {
                let away = (number - mean) / deviation;
                let density = (-0.5 * away * away).exp() / (deviation * std::f64::consts::TAU.sqrt());
                let cost = self.params.slope() * self.params.mismatch / density;
                // Beyond all others the price is that of a match as far as the tickets spread.
                Some(0.5 * cost.sqrt())
            }
            PriceStart::Table { points, per_second } => {
                let scale = per_second.map_or(self.gap, |rate| 1.0 / rate).sqrt();
                let next = points.partition_point(|point| point.0 <= number);
                let (before, after) = (next.checked_sub(1).map(|at| points[at]), points.get(next));
                let price = match (before, after) {
                    (Some(before), Some(after)) => {
                        let share = (number - before.0) / (after.0 - before.0);
                        Some(before.1 + share * (after.1 - before.1))
                    }
                    (Some(end), None) => Some(end.1),
                    (None, end) => end.map(|end| end.1),
                };
                price.map(|price| price / scale)
            }
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float becomes the nearest integer there is"
    )]
    fn band(&self, level: u8, number: f64) -> i64 {
        (number / (self.params.band * f64::from(1_u32 << level))).floor() as i64
    }

    /// A ticket came: what is known of the rate of arrivals changes by a fiftieth, of the first ones more.
    pub fn arrive(&mut self, now: Time) {
        let Some(last) = self.last.replace(now) else {
            return;
        };
        self.arrivals += 1;
        let is_told = match self.params.start {
            PriceStart::Density { .. } => true,
            PriceStart::Table { per_second, .. } => per_second.is_some(),
            PriceStart::Learn | PriceStart::Flat(_) => false,
        };
        let weight = if is_told {
            ARRIVAL
        } else {
            ARRIVAL.max(1.0 / self.arrivals as f64)
        };
        let gap = now.seconds_since(last).max(0.0);
        // Arrivals at one moment are as frequent as milliseconds can tell.
        self.gap = (self.gap + weight * (gap - self.gap)).max(1e-4);
    }

    /// 1 / l, seconds between arrivals of late.
    #[must_use]
    pub const fn gap(&self) -> f64 {
        self.gap
    }

    /// A ticket ended a wait of this many milliseconds, in which it could have given up: it left, unless
    /// [`stay`](Self::stay) or [`learn`](Self::learn) follows.
    pub fn leave(&mut self, waited: i64) {
        let Waits { count, left, seconds } = &mut self.waits;
        for (sum, one) in [
            (count, 1.0),
            (left, 1.0),
            (seconds, waited.max(0) as f64 / 1000.0),
        ] {
            *sum += one - LEAVER * *sum;
        }
    }

    /// A ticket that ended its wait did not leave.
    pub fn stay(&mut self) {
        self.waits.left = (self.waits.left - 1.0).max(0.0);
    }

    /// P h, what a second of waiting costs beside C because some give up.
    fn losing(&self) -> f64 {
        let Waits { count, left, seconds } = self.waits;
        if left > 0.0 && seconds > 0.0 {
            self.params.lost * left / seconds * (count / (count + LEAVERS))
        } else {
            0.0
        }
    }

    /// How much more mismatch each second of a wait pays for than [`window`](Self::window) says, because some give up:
    /// g P h / K.
    #[must_use]
    pub fn patience_allowance(&self) -> f64 {
        self.params.waiting_share * self.losing() / self.params.mismatch
    }

    /// How much mismatch the price of a ticket with this number pays for at once: a p / K.
    #[must_use]
    pub fn allowance(&self, number: f64) -> f64 {
        self.params.share * self.price(number) / self.params.mismatch
    }

    /// How much mismatch a wait pays for: g C / K, a width that grows with it; after `longest_wait` milliseconds T, if given,
    /// (g C(T) + C - C(T)) / K.
    #[must_use]
    pub fn window(&self, longest_wait: Option<i64>) -> Window {
        let PricesParams {
            mismatch,
            waiting_share: share,
            ..
        } = self.params;
        let lift = longest_wait.filter(|&lift| (self.waiting_cost(lift) / mismatch).is_finite());
        let lifted = lift.map_or(f64::INFINITY, |lift| self.waiting_cost(lift));
        let width = |at: i64| {
            let cost = self.waiting_cost(at);
            (share / mismatch) * cost + (1.0 - share) / mismatch * (cost - lifted).max(0.0)
        };
        let points = self.params.waiting.iter().map(|point| millis(point.0));
        let mut points: Vec<i64> = points.chain([0]).chain(lift).collect();
        points.sort_unstable();
        let last = lift.map_or(share, |_| 1.0) / mismatch;
        Window::growing(
            &self.params.of,
            last * self.params.slope(),
            points.into_iter().map(|at| (at, width(at))).collect(),
            self.params.range,
        )
    }

    /// Learns from a match of a ticket with this number, its wait in milliseconds until it was matched, whenever its players
    /// accepted, and its share of the match's mismatch.
    pub fn learn(&mut self, number: f64, waited: i64, mismatch: f64) {
        self.stay();
        let Some(least) = self.params.learn else { return };
        let lost = self.losing() * (waited.max(0) as f64 / 1000.0);
        let cost = self.waiting_cost(waited) + lost + self.params.mismatch * mismatch;
        if !cost.is_finite() {
            return;
        }
        let cost = cost / self.gap.sqrt();
        let most = 1.0 / least;
        for level in 0..LEVELS {
            let entry = self
                .learned
                .entry((level, self.band(level, number)))
                .or_insert((cost, 0.0));
            entry.1 = (entry.1 + 1.0).min(most);
            entry.0 += (cost - entry.0) / entry.1;
        }
    }

    /// The learned price of each finest band, by the middle of the band, for tables and plots.
    pub fn table(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let bands = self.learned.keys().take_while(|key| key.0 == 0);
        bands.map(|key| {
            let middle = (key.1 as f64 + 0.5) * self.params.band;
            (middle, self.price(middle))
        })
    }
}
