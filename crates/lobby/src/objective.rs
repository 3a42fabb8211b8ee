//! How good a match of teams is, and answers of an objective that break its contract.

use thiserror::Error;

use super::pool::LobbyPool;
use super::terms::LobbyTerms;

/// How good a match between teams is.
///
/// In [0, 1], higher is better; `None` if the match is not allowed. Players are indices that mean whatever
/// the caller wants. Contract: the same teams always get the same quality, in whichever order their players
/// come; teams of one size get the same quality with sides swapped (but for rounding).
///
/// Closures are objectives:
///
/// ```
/// use matchwright_lobby::LobbyObjective;
///
/// let skills = [10.0, 30.0, 20.0, 40.0];
/// let sum = |team: &[usize]| team.iter().map(|&p| skills[p]).sum::<f64>();
/// let balance = |a: &[usize], b: &[usize]| Some(1.0 - (sum(a) - sum(b)).abs() / 100.0);
/// assert_eq!(balance.quality(&[0, 3], &[1, 2]), Some(1.0));
/// ```
///
/// Solvers call an objective from any number of threads. One whose quality is a sum of [`terms`](Self::terms) is
/// searched many times as fast, and its lineups can be proven good.
pub trait LobbyObjective: Sync {
    /// The quality of `team_a` against `team_b`.
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64>;

    /// The quality of a match of two or more teams: of two [`quality`](Self::quality). By default, of more the mean over
    /// all pairs of teams, and `None` if two of them may not meet: k (k - 1) / 2 calls for k teams.
    fn quality_of(&self, teams: &[Vec<usize>]) -> Option<f64> {
        if let [team_a, team_b] = teams {
            return self.quality(team_a, team_b);
        }
        let (mut sum, mut pairs) = (0.0, 0_u32);
        for (k, team_a) in teams.iter().enumerate() {
            for team_b in &teams[k + 1..] {
                sum += self.quality(team_a, team_b)?;
                pairs += 1;
            }
        }
        Some(sum / f64::from(pairs.max(1)))
    }

    /// The terms that the quality of matches among `players`, in two teams of `sizes`, is the sum of; `None`, the default,
    /// if it is no such sum.
    ///
    /// Player k of the terms is `players[k]`. Contract: [`LobbyTerms::quality`] is [`quality`](Self::quality) to
    /// within 1e-9, and forbids the same.
    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        let _ = (players, sizes);
        None
    }

    /// The quality of matches among `players`, in two teams of `sizes`, with everything computed beforehand that thousands of
    /// questions have in common. By default from [`terms`](Self::terms), or else by calls of
    /// [`quality`](Self::quality).
    ///
    /// Contract: see [`MatchEvaluator`].
    fn evaluator(&self, players: &[usize], sizes: (usize, usize)) -> MatchEvaluator<'_> {
        match self.terms(players, sizes) {
            Some(terms) => Box::new(move |team_a, team_b| terms.search_value(team_a, team_b)),
            None => evaluator_by_calls(self, players),
        }
    }
}

/// What a search of one match among a few players goes by ([`LobbyObjective::evaluator`]): player k of its teams is the
/// k-th of those players.
///
/// Of an allowed match it gives the quality, to within 1e-9; of a forbidden one a number below 0, which may rise as the
/// match comes nearer to being allowed. Parties are whole: it need not know matches that split one.
pub type MatchEvaluator<'a> = Box<dyn FnMut(&[usize], &[usize]) -> f64 + 'a>;

/// An evaluator that calls the objective each time; a forbidden match has the value -1.
pub fn evaluator_by_calls<'a, O: LobbyObjective + ?Sized>(
    objective: &'a O,
    players: &[usize],
) -> MatchEvaluator<'a> {
    let players = players.to_vec();
    let mut named = [Vec::new(), Vec::new()];
    Box::new(move |team_a, team_b| {
        for (named, team) in named.iter_mut().zip([team_a, team_b]) {
            named.clear();
            named.extend(team.iter().map(|&player| players[player]));
        }
        let quality = objective.quality(&named[0], &named[1]);
        quality
            .filter(|quality| (0.0..=1.0).contains(quality))
            .unwrap_or(-1.0)
    })
}

/// Some players of an objective under numbers of their own: player k is the k-th of them.
///
/// ```
/// use matchwright_lobby::{LobbyObjective, SomePlayers};
///
/// let skills = [10.0, 90.0, 20.0, 40.0];
/// let duel = |a: &[usize], b: &[usize]| Some(1.0 - f64::abs(skills[a[0]] - skills[b[0]]) / 100.0);
/// let some = SomePlayers { objective: &duel, players: &[3, 2] };
/// assert_eq!(some.quality(&[0], &[1]), duel.quality(&[3], &[2]));
/// ```
#[derive(Clone, Copy)]
pub struct SomePlayers<'a> {
    /// The objective of more players.
    pub objective: &'a dyn LobbyObjective,
    /// Those who have a number here, under the objective's numbers.
    pub players: &'a [usize],
}

impl SomePlayers<'_> {
    /// The objective's numbers of these players.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn names(&self, players: &[usize]) -> Vec<usize> {
        players.iter().map(|&player| self.players[player]).collect()
    }
}

impl LobbyObjective for SomePlayers<'_> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.objective.quality(&self.names(team_a), &self.names(team_b))
    }

    fn quality_of(&self, teams: &[Vec<usize>]) -> Option<f64> {
        let named: Vec<Vec<usize>> = teams.iter().map(|team| self.names(team)).collect();
        self.objective.quality_of(&named)
    }

    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        self.objective.terms(&self.names(players), sizes)
    }

    fn evaluator(&self, players: &[usize], sizes: (usize, usize)) -> MatchEvaluator<'_> {
        self.objective.evaluator(&self.names(players), sizes)
    }
}

impl<F: Fn(&[usize], &[usize]) -> Option<f64> + Sync> LobbyObjective for F {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self(team_a, team_b)
    }
}

/// A closure of all teams of a match as an objective, for matches of any number of teams.
///
/// ```
/// use matchwright_lobby::{LobbyObjective, WholeMatch};
///
/// // No team may be without a captain, players 0 to 2.
/// let captains = WholeMatch(|teams: &[Vec<usize>]| {
///     teams.iter().all(|team| team.iter().any(|&player| player < 3)).then_some(1.0)
/// });
/// assert_eq!(captains.quality_of(&[vec![0, 5], vec![1, 3], vec![2, 4]]), Some(1.0));
/// assert_eq!(captains.quality(&[0, 1], &[3, 4]), None);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct WholeMatch<F>(pub F);

impl<F: Fn(&[Vec<usize>]) -> Option<f64> + Sync> LobbyObjective for WholeMatch<F> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        self.0(&[team_a.to_vec(), team_b.to_vec()])
    }

    fn quality_of(&self, teams: &[Vec<usize>]) -> Option<f64> {
        self.0(teams)
    }
}

/// An answer of an objective that breaks its contract.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ObjectiveError {
    /// A quality outside of [0, 1].
    #[error("the objective gives the match of {teams:?} the quality {quality}: give a number from 0 to 1")]
    BadQuality {
        /// The teams.
        teams: Vec<Vec<usize>>,
        /// The number given.
        quality: f64,
    },
    /// Terms for another number of players.
    #[error("the objective's terms are for {given} players where {players} were asked for")]
    TermsOfOthers {
        /// Players of the terms.
        given: usize,
        /// Players asked for.
        players: usize,
    },
    /// Terms that do not sum to the quality; `None` is forbidden.
    #[error(
        "the match of {teams:?} has the quality {quality:?}, but its terms sum to {terms:?}: make them agree"
    )]
    TermsDisagree {
        /// The teams.
        teams: Vec<Vec<usize>>,
        /// The quality of the objective.
        quality: Option<f64>,
        /// The sum of the terms.
        terms: Option<f64>,
    },
}

/// By how much a quality and the sum of its terms may differ.
const AGREEMENT: f64 = 1e-9;

fn checked(
    quality: Option<f64>,
    teams: impl FnOnce() -> Vec<Vec<usize>>,
) -> Result<Option<f64>, ObjectiveError> {
    match quality {
        Some(quality) if !(0.0..=1.0).contains(&quality) => Err(ObjectiveError::BadQuality {
            teams: teams(),
            quality,
        }),
        quality => Ok(quality),
    }
}

impl dyn LobbyObjective + '_ {
    /// The quality of a match, for solvers: refused if it is no quality.
    ///
    /// # Errors
    /// [`ObjectiveError::BadQuality`].
    pub fn checked_quality(&self, teams: &[Vec<usize>]) -> Result<Option<f64>, ObjectiveError> {
        checked(self.quality_of(teams), || teams.to_vec())
    }

    /// The same of one player against another.
    ///
    /// # Errors
    /// As `checked_quality`.
    pub(crate) fn checked_duel(&self, one: usize, other: usize) -> Result<Option<f64>, ObjectiveError> {
        checked(self.quality(&[one], &[other]), || vec![vec![one], vec![other]])
    }

    /// The terms of matches of two teams, for solvers: refused if they are of another number of players.
    ///
    /// # Errors
    /// [`ObjectiveError::TermsOfOthers`].
    pub fn checked_terms(
        &self,
        players: &[usize],
        sizes: (usize, usize),
    ) -> Result<Option<LobbyTerms>, ObjectiveError> {
        match self.terms(players, sizes) {
            Some(terms) if terms.players() != players.len() => Err(ObjectiveError::TermsOfOthers {
                given: terms.players(),
                players: players.len(),
            }),
            terms => Ok(terms),
        }
    }

    /// The terms of all players of a pool; `None` also if its matches are of more than two teams.
    ///
    /// # Errors
    /// As `checked_terms`.
    pub fn terms_of_pool(&self, pool: &LobbyPool) -> Result<Option<LobbyTerms>, ObjectiveError> {
        let players: Vec<usize> = (0..pool.players()).collect();
        pool.two_teams()
            .map_or(Ok(None), |sizes| self.checked_terms(&players, sizes))
    }

    /// The quality of a match, refused if the evaluator gives it another one. What only one of them allows is not
    /// refused: a quality may be at a threshold but for rounding.
    ///
    /// # Errors
    /// [`ObjectiveError::BadQuality`] or [`ObjectiveError::TermsDisagree`].
    pub(crate) fn quality_near(
        &self,
        teams: &[Vec<usize>],
        value: f64,
    ) -> Result<Option<f64>, ObjectiveError> {
        let quality = self.checked_quality(teams)?;
        let differs = quality.is_some_and(|quality| (quality - value).abs() > AGREEMENT);
        if differs && value >= 0.0 {
            return Err(ObjectiveError::TermsDisagree {
                teams: teams.to_vec(),
                quality,
                terms: Some(value),
            });
        }
        Ok(quality)
    }

    /// The quality of a match, refused if it is not `by_terms`, the sum of its terms.
    ///
    /// # Errors
    /// [`ObjectiveError::BadQuality`] or [`ObjectiveError::TermsDisagree`].
    pub(crate) fn agreed_quality(
        &self,
        teams: &[Vec<usize>],
        by_terms: Option<f64>,
    ) -> Result<Option<f64>, ObjectiveError> {
        let quality = self.checked_quality(teams)?;
        let agree = match (quality, by_terms) {
            (Some(quality), Some(terms)) => (quality - terms).abs() <= AGREEMENT,
            (quality, terms) => quality.is_none() && terms.is_none(),
        };
        if agree {
            return Ok(quality);
        }
        Err(ObjectiveError::TermsDisagree {
            teams: teams.to_vec(),
            quality,
            terms: by_terms,
        })
    }
}
