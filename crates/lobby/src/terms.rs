//! A quality that adds up: from pairs, from differences between the teams, from players linked to all.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

/// Rows and columns of pairs that are worked on at a time.
const BLOCK: usize = 32;

/// A quality of two teams that is a sum of terms.
///
/// ```text
/// quality(A, B) =  sum over pairs {i, j} of one team       together_ij
///                + sum over i in A, j in B                 against_ij
///                + sum over balances k                     worth_k(|mean of A's levels_k - mean of B's levels_k|)
///                + links(number of players linked with all others of the match)
/// ```
///
/// clamped to [0, 1]; a match with a forbidden pair is forbidden. Most of what matchmakers weigh has this form:
/// skill, ping and acquaintance of pairs, balance of skill and of parties, hosts. Weights are part of the terms: the
/// mean over the 15 pairs of six players with weight w is w / 15 for each pair.
///
/// Memory: 16 bytes a pair of players, both orders.
///
/// ```
/// use matchwright_lobby::{Balance, LobbyObjective, LobbyTerms};
///
/// // Half for mates who speak one language, half for teams of equal skill.
/// let (skills, languages) = ([10.0, 30.0, 20.0, 40.0], [0, 0, 1, 1]);
/// let terms = LobbyTerms::new(4)?
///     .with_pairs(|i, j| Some(if languages[i] == languages[j] { 0.25 } else { 0.0 }), |_, _| Some(0.0))?
///     .with_balance(Balance::new(skills.to_vec(), 0.5, |gap| 0.5 * (1.0 - gap / 50.0).max(0.0)))?;
/// assert_eq!(terms.quality(&[0, 1], &[2, 3]), Some(0.9));
/// assert_eq!(terms.quality(&[0, 3], &[1, 2]), Some(0.5));
/// # Ok::<(), matchwright_lobby::TermsError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LobbyTerms {
    players: usize,
    /// Row by row: [together, against], minus infinity where forbidden.
    pairs: Vec<[f64; 2]>,
    balances: Vec<Balance>,
    /// Row by row, symmetric: whether two players are linked; empty if links do not count.
    linked: Vec<bool>,
    /// The worth of 0, 1, 2, ... players linked with all others, more counting as the last; empty if links do not count.
    worth_of_links: Vec<f64>,
}

/// What a difference between two teams is worth: worth(|mean level of A - mean level of B|).
#[derive(Clone)]
pub struct Balance {
    levels: Vec<f64>,
    most: f64,
    worth: Arc<dyn Fn(f64) -> f64 + Send + Sync>,
}

impl Balance {
    /// Of each player's level, a bound that `worth` never exceeds, and what a difference of 0 or more is worth.
    ///
    /// A `worth` above `most` counts as `most`, one below 0 or no number as 0.
    pub fn new(levels: Vec<f64>, most: f64, worth: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self {
            levels,
            most,
            worth: Arc::new(worth),
        }
    }

    /// Each player's level.
    #[must_use]
    pub fn levels(&self) -> &[f64] {
        &self.levels
    }

    /// What no difference exceeds.
    #[must_use]
    pub const fn most(&self) -> f64 {
        self.most
    }

    /// What this difference of the teams' means is worth, in [0, most].
    #[must_use]
    pub fn worth(&self, difference: f64) -> f64 {
        let worth = (self.worth)(difference.abs());
        // NaN becomes 0: `max` returns its other argument.
        worth.max(0.0).min(self.most)
    }
}

impl fmt::Debug for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Balance")
            .field("levels", &self.levels)
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

/// Why numbers are no terms.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TermsError {
    /// More players than a table of all pairs is made for.
    #[error(
        "{players} players have too many pairs for a table: ask for {most} at most, such as part of a pool"
    )]
    TooManyPlayers {
        /// Players asked for.
        players: usize,
        /// How many there may be.
        most: usize,
    },
    /// A pair's term that is no finite number.
    #[error(
        "the {kind} term of players {i} and {j} is {value}: give a finite number, or None to forbid the pair"
    )]
    Pair {
        /// "together" or "against".
        kind: &'static str,
        /// One player.
        i: usize,
        /// The other.
        j: usize,
        /// What was given.
        value: f64,
    },
    /// A pair whose term depends on the order.
    #[error("the {kind} terms of players {i} and {j} differ with their order: {there} and {back}")]
    Asymmetric {
        /// "together" or "against".
        kind: &'static str,
        /// One player.
        i: usize,
        /// The other.
        j: usize,
        /// The term of (i, j).
        there: f64,
        /// The term of (j, i).
        back: f64,
    },
    /// A list that is not one entry a player.
    #[error("{what} has {given} entries for {players} players: give one a player")]
    Length {
        /// Which list.
        what: &'static str,
        /// Its entries.
        given: usize,
        /// The players.
        players: usize,
    },
    /// A level, or the most that a balance is worth, that is no finite number.
    #[error("a balance has {what} {value}: give finite numbers, and at most a worth of 0 or more")]
    Balance {
        /// Which number.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// What links are worth.
    #[error("links are worth {value}: give one or more finite numbers of 0 or more")]
    Links {
        /// What was given; NaN for none at all.
        value: f64,
    },
}

impl LobbyTerms {
    /// The most players that terms are kept for: 16,384, whose pairs take 4 GB.
    pub const MOST_PLAYERS: usize = 1 << 14;

    /// No terms yet: all matches among `players` have quality 0.
    ///
    /// # Errors
    /// [`TermsError::TooManyPlayers`] above [`MOST_PLAYERS`](Self::MOST_PLAYERS).
    pub fn new(players: usize) -> Result<Self, TermsError> {
        if players > Self::MOST_PLAYERS {
            return Err(TermsError::TooManyPlayers {
                players,
                most: Self::MOST_PLAYERS,
            });
        }
        Ok(Self {
            players,
            pairs: vec![[0.0; 2]; players * players],
            balances: Vec::new(),
            linked: Vec::new(),
            worth_of_links: Vec::new(),
        })
    }

    /// Adds a term for each pair of one team, and one for each pair of opponents; `None` forbids the pair as such.
    ///
    /// Called once for each ordered pair.
    ///
    /// # Errors
    /// [`TermsError`] if a term is no finite number or differs by more than 1e-12 with the order.
    pub fn with_pairs(
        mut self,
        together: impl Fn(usize, usize) -> Option<f64>,
        against: impl Fn(usize, usize) -> Option<f64>,
    ) -> Result<Self, TermsError> {
        let n = self.players;
        let mut add = |i: usize, j: usize| {
            for (side, kind) in [(0, "together"), (1, "against")] {
                let term = |i, j| if side == 0 { together(i, j) } else { against(i, j) };
                let (there, back) = (checked(kind, i, j, term(i, j))?, checked(kind, j, i, term(j, i))?);
                // Two infinities have a difference that is no number, and are equal.
                let apart = (there - back).abs() > 1e-12 || there.is_infinite() != back.is_infinite();
                if apart {
                    return Err(TermsError::Asymmetric {
                        kind,
                        i,
                        j,
                        there,
                        back,
                    });
                }
                self.pairs[i * n + j][side] += there;
                self.pairs[j * n + i][side] += there;
            }
            Ok(())
        };
        // Block by block, so that callers who look terms up in tables stay in the cache.
        for rows in (0..n).step_by(BLOCK) {
            for columns in (rows..n).step_by(BLOCK) {
                for i in rows..n.min(rows + BLOCK) {
                    for j in columns.max(i + 1)..n.min(columns + BLOCK) {
                        add(i, j)?;
                    }
                }
            }
        }
        Ok(self)
    }

    /// Adds what a difference between the teams is worth.
    ///
    /// # Errors
    /// [`TermsError`] if there is not one finite level a player, or the most is no finite number of 0 or more.
    pub fn with_balance(mut self, balance: Balance) -> Result<Self, TermsError> {
        if balance.levels.len() != self.players {
            return Err(TermsError::Length {
                what: "a balance",
                given: balance.levels.len(),
                players: self.players,
            });
        }
        if let Some(&value) = balance.levels.iter().find(|level| !level.is_finite()) {
            return Err(TermsError::Balance { what: "level", value });
        }
        if !(balance.most.is_finite() && balance.most >= 0.0) {
            return Err(TermsError::Balance {
                what: "most",
                value: balance.most,
            });
        }
        self.balances.push(balance);
        Ok(self)
    }

    /// Sets what the number of players is worth who are `linked` with all others of their match: `by_count[0]` for
    /// none, `by_count[1]` for one, the last for more.
    ///
    /// # Errors
    /// [`TermsError`] if `by_count` is empty or has a number that is not finite or below 0.
    pub fn with_links(
        mut self,
        linked: impl Fn(usize, usize) -> bool,
        by_count: Vec<f64>,
    ) -> Result<Self, TermsError> {
        if by_count.is_empty() {
            return Err(TermsError::Links { value: f64::NAN });
        }
        if let Some(&value) = by_count
            .iter()
            .find(|worth| !(worth.is_finite() && **worth >= 0.0))
        {
            return Err(TermsError::Links { value });
        }
        let players = || 0..self.players;
        let pairs = players().flat_map(|i| players().map(move |j| (i, j)));
        self.linked = pairs.map(|(i, j)| linked(i, j) && linked(j, i)).collect();
        self.worth_of_links = by_count;
        Ok(self)
    }

    /// How many players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// The term of two players of one team; `None` if they must not be in one.
    #[must_use]
    pub fn together(&self, i: usize, j: usize) -> Option<f64> {
        let term = self.pairs[i * self.players + j][0];
        (term > f64::NEG_INFINITY).then_some(term)
    }

    /// The term of two opponents; `None` if they must not be.
    #[must_use]
    pub fn against(&self, i: usize, j: usize) -> Option<f64> {
        let term = self.pairs[i * self.players + j][1];
        (term > f64::NEG_INFINITY).then_some(term)
    }

    /// What differences between the teams are worth.
    #[must_use]
    pub fn balances(&self) -> &[Balance] {
        &self.balances
    }

    /// What 0, 1, 2, ... players linked with all others of their match are worth, more as the last; empty if links do
    /// not count.
    #[must_use]
    pub fn worth_of_links(&self) -> &[f64] {
        &self.worth_of_links
    }

    /// Whether two players are linked; false if links do not count.
    #[must_use]
    pub fn linked(&self, i: usize, j: usize) -> bool {
        !self.linked.is_empty() && self.linked[i * self.players + j]
    }

    /// The worth of this many players who are linked with all others of their match; 0 if links do not count.
    pub(crate) fn links(&self, players: usize) -> f64 {
        let last = self.worth_of_links.len().saturating_sub(1);
        self.worth_of_links.get(players.min(last)).copied().unwrap_or(0.0)
    }

    /// The most that balances and links are worth.
    pub(crate) fn most_beyond_pairs(&self) -> f64 {
        let links = self.worth_of_links.iter().copied().fold(0.0, f64::max);
        self.balances.iter().map(Balance::most).sum::<f64>() + links
    }

    /// Whether some pair's term is below 0, so that a sum may be.
    #[cfg(feature = "bounds")]
    pub(crate) fn may_sum_below_zero(&self) -> bool {
        self.pairs
            .iter()
            .flatten()
            .any(|&term| term < 0.0 && term > f64::NEG_INFINITY)
    }

    /// [together, against] of player i with all others, minus infinity where forbidden.
    pub(crate) fn row(&self, i: usize) -> &[[f64; 2]] {
        &self.pairs[i * self.players..][..self.players]
    }

    /// How many of `match_players` are linked with all others of them; 0 if links do not count.
    #[must_use]
    pub fn linked_with_all(&self, match_players: &[usize]) -> usize {
        let with_all = |&&i: &&usize| match_players.iter().all(|&j| j == i || self.linked(i, j));
        match_players.iter().filter(with_all).count()
    }

    /// The quality; of a forbidden match minus the number of its forbidden pairs.
    pub(crate) fn search_value(&self, team_a: &[usize], team_b: &[usize]) -> f64 {
        self.quality(team_a, team_b).unwrap_or_else(|| {
            let forbidden = |side: usize, i: usize, others: &[usize]| {
                let terms = others.iter().map(|&j| self.row(i)[j][side]);
                terms.filter(|&term| term == f64::NEG_INFINITY).count()
            };
            let mates = [team_a, team_b].into_iter().flat_map(|team| {
                let seats = team.iter().enumerate();
                seats.map(move |(seat, &i)| forbidden(0, i, &team[..seat]))
            });
            let opponents = team_a.iter().map(|&i| forbidden(1, i, team_b));
            -((mates.sum::<usize>() + opponents.sum::<usize>()) as f64)
        })
    }

    /// The sum of the terms, in [0, 1]; `None` if a pair is forbidden.
    ///
    /// # Panics
    /// If a player is not among the terms' players.
    #[must_use]
    pub fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let within = |team: &[usize]| -> f64 {
            let pairs = team.iter().enumerate();
            pairs
                .map(|(k, &i)| team[..k].iter().map(|&j| self.row(i)[j][0]).sum::<f64>())
                .sum()
        };
        let across = team_a
            .iter()
            .map(|&i| team_b.iter().map(|&j| self.row(i)[j][1]).sum::<f64>());
        let mut quality = within(team_a) + within(team_b) + across.sum::<f64>();
        if quality == f64::NEG_INFINITY {
            return None;
        }
        let mean = |levels: &[f64], team: &[usize]| {
            team.iter().map(|&i| levels[i]).sum::<f64>() / team.len().max(1) as f64
        };
        for balance in &self.balances {
            quality += balance.worth(mean(&balance.levels, team_a) - mean(&balance.levels, team_b));
        }
        if !self.worth_of_links.is_empty() {
            quality += self.links(self.linked_with_all(&[team_a, team_b].concat()));
        }
        Some(quality.clamp(0.0, 1.0))
    }
}

/// The term as a number, minus infinity if forbidden.
fn checked(kind: &'static str, i: usize, j: usize, term: Option<f64>) -> Result<f64, TermsError> {
    match term {
        None => Ok(f64::NEG_INFINITY),
        Some(value) if value.is_finite() => Ok(value),
        Some(value) => Err(TermsError::Pair { kind, i, j, value }),
    }
}
