//! [`ForensicsError`]: what can be wrong with an input.

use std::ops::RangeInclusive;

use thiserror::Error;

/// A number, a name or a table that the arithmetic cannot be done with.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ForensicsError {
    /// A number outside its range; NaN always is.
    #[error("{name} is {value}: give a number from {} to {}", .range.start(), .range.end())]
    Number {
        /// Which number.
        name: &'static str,
        /// What it was.
        value: f64,
        /// What it may be.
        range: RangeInclusive<f64>,
    },
    /// A share of wins above 1, as percent are.
    #[error("a share of wins of {value} looks like percent: write {share} or {value}%", share = value / 100.0)]
    Percent {
        /// What was given.
        value: f64,
    },
    /// More unspent bonus points than were ever given.
    #[error(
        "{unspent} bonus points are unspent of a pool of {total} in all: the pool's total was read earlier, or the two \
         were exchanged"
    )]
    Pool {
        /// U.
        unspent: f64,
        /// B.
        total: f64,
    },
    /// A league that the season does not have.
    #[error("no league is called `{name}`; this season has {known}")]
    League {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A tier that the league does not have.
    #[error("{league} has no tier `{name}`; it has {known}")]
    Tier {
        /// The league.
        league: String,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A tier whose offset nobody knows.
    #[error("the offset of {league}, {tier}, is not known, so nothing can be worked out for its divisions")]
    Offset {
        /// The league.
        league: String,
        /// The tier.
        tier: String,
    },
    /// A season whose parts do not agree.
    #[error("the season {season}: {what}")]
    Season {
        /// Its name.
        season: String,
        /// What does not agree.
        what: String,
    },
    /// A list of games that no pool allows.
    #[error(
        "before game {game} the pool would have held less than nothing: check the unspent bonus, the points and the \
         times of the games from there on"
    )]
    History {
        /// From 1, oldest first.
        game: usize,
    },
    /// A table that is too small for any answer.
    #[error("{what}: {rows} rows; at least {needed} are needed")]
    Few {
        /// Which table.
        what: &'static str,
        /// How many there are.
        rows: usize,
        /// How many it takes.
        needed: usize,
    },
}

/// `value` if it lies in `range`, which NaN never does.
pub(crate) fn within(
    name: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
) -> Result<f64, ForensicsError> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(ForensicsError::Number { name, value, range })
    }
}
