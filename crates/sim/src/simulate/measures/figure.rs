//! [`Figure`]: the numbers by which worlds and policies are compared.

use serde::{Deserialize, Serialize};

use super::{GroupMatches, Measured};
use crate::replay::{Costs, GroupWaits};
use crate::simulate::record::Fate;

macro_rules! figures {
    ($($name:ident, $key:literal, $words:literal, $unit:literal, $better:expr;)*) => {
        /// A number of a simulated world by which policies are compared.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Figure {
            $(
                #[doc = $words]
                #[serde(rename = $key)]
                $name,
            )*
        }

        impl Figure {
            /// All.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Its name in files and on the command line.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                }
            }

            /// What it is.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }

            /// Its unit, if it has one.
            #[must_use]
            pub const fn unit(self) -> &'static str {
                match self {
                    $(Self::$name => $unit,)*
                }
            }

            /// Whether less of it is better (-1), more (1), or neither (0).
            #[must_use]
            pub const fn better(self) -> i8 {
                match self {
                    $(Self::$name => $better,)*
                }
            }
        }
    };
}

figures! {
    Cost, "cost", "Cost per player", "", -1;
    MismatchCost, "mismatch_cost", "Cost of mismatch per player", "", -1;
    WaitingCost, "waiting_cost", "Cost of waiting per player", "", -1;
    LostCost, "lost_cost", "Cost of lost tickets per player", "", -1;
    Paid, "paid", "Cost per player, all tickets", "", 0;
    Hindsight, "hindsight", "Cost per player in hindsight, all tickets", "", 0;
    Regret, "regret", "Regret: cost above hindsight, all tickets", "%", -1;
    Mismatch, "mismatch", "Mean mismatch of a match", "", -1;
    Mismatch90, "mismatch_90", "90th-percentile mismatch of a match", "", -1;
    RatingGap, "rating_gap", "Median gap of the teams' ratings", "points", -1;
    Favourite, "favourite", "True chance of the better team", "", -1;
    WaitMean, "wait_mean", "Mean time waited, with a match or without, unless refused", "s", -1;
    Wait50, "wait_50", "Median wait for a match", "s", -1;
    Wait90, "wait_90", "90th-percentile wait for a match", "s", -1;
    Wait99, "wait_99", "99th-percentile wait for a match", "s", -1;
    Overdue, "overdue", "Tickets without a match within 300 s", "%", -1;
    Lost, "lost", "Tickets without a match", "%", -1;
    Left, "left", "Tickets that left", "%", -1;
    Declined, "declined", "Tickets that declined a match", "%", -1;
    Waiting, "waiting", "Tickets that still waited at the end", "%", -1;
    Refused, "refused", "Tickets that were refused", "%", -1;
    Ping, "ping", "Mean ping", "ms", -1;
    Balance, "balance", "Mean area under the gold lead", "gold min", -1;
    Balance90, "balance_90", "90th-percentile area under the gold lead", "gold min", -1;
    Gone, "gone", "Players gone for good after a match, of 100 in matches", "", -1;
    Inflation, "inflation", "Mean rating less mean skill of those who played", "points", 0;
    RatingError, "rating_error", "Error of the ratings of those who played, root mean square", "points", -1;
    ForecastLoss, "forecast_loss", "Log loss of forecasts above the true chances'", "", -1;
    Promises, "promises", "Promised waits of 80 % that were kept", "%", 0;
    WaitGap, "wait_gap", "Longest less shortest mean time waited of bands of ratings with 100 tickets", "s", -1;
    RegionWaitGap, "region_wait_gap", "Longest less shortest mean time waited of regions with 100 tickets", "s", -1;
    PingGap, "ping_gap", "Largest less least mean ping of regions with 100 players in matches", "ms", -1;
    WinGap, "win_gap", "Largest less least win share of the fourths by skill", "%", -1;
    Matches, "matches", "Matches per hour", "", 1;
}

/// Differences of sums below this are none.
const ROUNDING: f64 = 1e-12;
/// A band of ratings, or a region, counts for a gap if it has at least this many tickets, or players in matches.
const ENOUGH: usize = 100;

impl Figure {
    /// Whether every group of tickets has it.
    pub(in crate::simulate) const fn has_groups(self) -> bool {
        matches!(
            self,
            Self::WaitMean | Self::Wait50 | Self::Wait90 | Self::Wait99 | Self::Mismatch | Self::Ping
        )
    }

    /// The share of tickets, in percent, that must have a match for it to be a number: it is the wait within which they had.
    #[must_use]
    pub const fn share(self) -> Option<u8> {
        match self {
            Self::Wait50 => Some(50),
            Self::Wait90 => Some(90),
            Self::Wait99 => Some(99),
            _ => None,
        }
    }

    /// Whether it is of matches or of time waited alone, so that it may get better as more tickets are lost.
    #[must_use]
    pub const fn forgets_the_lost(self) -> bool {
        matches!(
            self,
            Self::MismatchCost
                | Self::WaitingCost
                | Self::Mismatch
                | Self::Mismatch90
                | Self::RatingGap
                | Self::Favourite
                | Self::WaitMean
                | Self::Ping
                | Self::Balance
                | Self::Balance90
                | Self::WaitGap
                | Self::RegionWaitGap
                | Self::PingGap
        )
    }

    /// Its value in a world for the tickets of a group alone, if it has one there; of no group: of all. Infinite where it is
    /// open: where fewer tickets than its [`share`](Self::share) had a match.
    #[must_use]
    pub fn of_group(self, found: &Measured, group: Option<&str>) -> Option<f64> {
        let Some(group) = group else {
            return self.of(found);
        };
        let waits = || found.waits.iter().find(|waits| waits.group == group);
        let matches = || found.by_group.iter().find(|matches| matches.group == group);
        let open = |wait: Option<f64>| wait.unwrap_or(f64::INFINITY);
        match self {
            Self::WaitMean => waits()?.mean,
            Self::Wait50 => Some(open(waits()?.median)),
            Self::Wait90 => Some(open(waits()?.q90)),
            Self::Wait99 => Some(open(waits()?.q99)),
            Self::Mismatch => matches()?.mismatch,
            Self::Ping => matches()?.ping,
            _ => None,
        }
    }

    /// Its value in a world, if it has one there; infinite where it is open (see [`of_group`](Self::of_group)).
    #[must_use]
    pub fn of(self, found: &Measured) -> Option<f64> {
        let costs = (found.unpriced == 0 && found.players > 0).then_some(&found.costs);
        let value = match self {
            Self::Cost => costs.map(Costs::total),
            Self::MismatchCost => costs.map(|costs| costs.mismatch),
            Self::WaitingCost => costs.map(|costs| costs.waiting),
            Self::LostCost => costs.map(|costs| costs.lost),
            Self::Paid => found.regret.map(|regret| regret.paid),
            Self::Hindsight => found.regret.map(|regret| regret.hindsight),
            Self::Regret => found.regret.map(|regret| regret.percent()),
            Self::Mismatch => found.mismatch,
            Self::Mismatch90 => found.mismatch_curve.get(90).copied(),
            Self::RatingGap => found.rating_gap[0],
            Self::Favourite => found.favourite[0],
            Self::WaitMean | Self::Wait50 | Self::Wait90 | Self::Wait99 | Self::Ping => {
                return self.of_group(found, Some("all"));
            }
            Self::Overdue
            | Self::Lost
            | Self::Left
            | Self::Declined
            | Self::Waiting
            | Self::Refused
            | Self::Gone => {
                let counted = self.counted(found).filter(|[_, of]| *of > 0);
                counted.map(|[events, of]| 100.0 * events as f64 / of as f64)
            }
            Self::PingGap => {
                let counts =
                    |of: &&GroupMatches| of.group.starts_with("region ") && of.players >= ENOUGH as u64;
                range(found.by_group.iter().filter(counts).filter_map(|of| of.ping))
            }
            Self::Balance => found.balance,
            Self::Balance90 => found.balance_curve.get(90).copied(),
            Self::Inflation => found.rating_error.inflation,
            Self::RatingError => found.rating_error.root_mean_square,
            Self::ForecastLoss => {
                let forecast = &found.forecast;
                forecast
                    .log_loss
                    .zip(forecast.true_log_loss)
                    .map(|(ours, truth)| ours - truth)
                    .map(|above| if above.abs() < ROUNDING { 0.0 } else { above })
            }
            Self::Promises => found.coverage.share().map(|share| 100.0 * share),
            Self::WaitGap | Self::RegionWaitGap => {
                let kind = if self == Self::WaitGap {
                    "rating "
                } else {
                    "region "
                };
                let counts = |waits: &&GroupWaits| waits.group.starts_with(kind) && waits.tickets >= ENOUGH;
                range(found.waits.iter().filter(counts).filter_map(|waits| waits.mean))
            }
            Self::WinGap => range(
                found
                    .games
                    .iter()
                    .filter_map(|group| Some(100.0 * group.win_share()?)),
            ),
            Self::Matches => Some(found.matches as f64 / found.hours),
        };
        value.filter(|value| value.is_finite())
    }

    /// Of what it counts those with an event; none for a figure that counts no events. It is their share in percent, or
    /// [an amount for each event](Self::is_multiple).
    #[must_use]
    pub const fn counts(self) -> Option<&'static str> {
        match self {
            Self::Overdue
            | Self::Lost
            | Self::LostCost
            | Self::Left
            | Self::Declined
            | Self::Waiting
            | Self::Refused => Some("tickets"),
            Self::Gone => Some("players in matches"),
            Self::Promises => Some("promises"),
            Self::Matches => Some("worlds"),
            _ => None,
        }
    }

    /// Whether it is an amount for each event that it counts, not the share of events.
    #[must_use]
    pub const fn is_multiple(self) -> bool {
        matches!(self, Self::LostCost | Self::Matches)
    }

    /// The events in a world, and among how many, if it counts events.
    #[must_use]
    pub fn counted(self, found: &Measured) -> Option<[u64; 2]> {
        let tickets: u64 = found.tickets.values().sum();
        let fate = |fate| found.tickets.get(&fate).copied().unwrap_or(0);
        match self {
            Self::Overdue => Some([found.overdue, tickets]),
            Self::Lost => Some([tickets - fate(Fate::Matched), tickets]),
            // Lost tickets that cost nothing are not what it counts.
            Self::LostCost => Self::Lost
                .counted(found)
                .filter(|[lost, _]| (*lost > 0) == (found.costs.lost > 0.0)),
            Self::Left => Some([fate(Fate::Left), tickets]),
            Self::Declined => Some([fate(Fate::Declined), tickets]),
            Self::Waiting => Some([fate(Fate::Waits), tickets]),
            Self::Refused => Some([fate(Fate::Refused), tickets]),
            Self::Gone => Some([found.gone, found.games.iter().map(|group| group.games).sum()]),
            Self::Promises => Some([found.coverage.kept, found.coverage.promised]),
            Self::Matches => Some([found.matches, 1]),
            _ => None,
        }
    }

    /// The figure of that key.
    #[must_use]
    pub fn named(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|figure| figure.key() == key)
    }
}

/// The largest less the least, of two at least.
fn range(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut least, mut most, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0);
    for value in values {
        (least, most, count) = (least.min(value), most.max(value), count + 1);
    }
    (count > 1).then_some(most - least)
}
