//! [`TeamMatch`]: the candidate match that team factors score.

use super::error::TeamMatchError;
use super::pool::Pool;

/// Teams of players of one pool, perhaps to meet in a match.
///
/// Two teams as a rule; factors that compare two teams look at the largest difference among more. Sizes may differ.
///
/// ```
/// use matchwright_scoring::{Player, Pool, TeamMatch};
///
/// let pool = Pool::new(["a", "b", "c", "d"].map(Player::new).into())?;
/// let teams: [&[usize]; 2] = [&[0, 1], &[2, 3]];
/// assert_eq!(TeamMatch::new(&pool, &teams)?.players().count(), 4);
/// let twice: [&[usize]; 2] = [&[0, 1], &[1, 3]];
/// assert!(TeamMatch::new(&pool, &twice).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TeamMatch<'a> {
    pool: &'a Pool,
    teams: &'a [&'a [usize]],
}

/// Up to this many players, comparing all of them is quicker than sorting.
const FEW: usize = 32;

impl<'a> TeamMatch<'a> {
    /// The teams, as indices of players in `pool`. O(n log n).
    ///
    /// # Errors
    /// [`TeamMatchError`] if there are fewer than two teams, an empty one, a player whom the pool does not have,
    /// or one who has two places.
    pub fn new(pool: &'a Pool, teams: &'a [&'a [usize]]) -> Result<Self, TeamMatchError> {
        if teams.len() < 2 {
            return Err(TeamMatchError::TooFewTeams { teams: teams.len() });
        }
        if let Some(team) = teams.iter().position(|team| team.is_empty()) {
            return Err(TeamMatchError::EmptyTeam { team });
        }
        let candidate = Self { pool, teams };
        if let Some(player) = candidate.players().find(|player| !pool.contains(*player)) {
            return Err(TeamMatchError::NotInPool {
                player,
                pool: pool.len(),
            });
        }
        match candidate.twice() {
            Some(player) => Err(TeamMatchError::Twice { player }),
            None => Ok(candidate),
        }
    }

    fn twice(&self) -> Option<usize> {
        if self.players().count() <= FEW {
            let mut players = self.players();
            while let Some(player) = players.next() {
                if players.clone().any(|other| other == player) {
                    return Some(player);
                }
            }
            return None;
        }
        let mut players: Vec<usize> = self.players().collect();
        players.sort_unstable();
        players
            .windows(2)
            .find(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
    }

    /// The pool.
    #[must_use]
    pub const fn pool(&self) -> &'a Pool {
        self.pool
    }

    /// The teams: two or more, none empty.
    #[must_use]
    pub const fn teams(&self) -> &'a [&'a [usize]] {
        self.teams
    }

    /// All players, team by team.
    pub fn players(&self) -> impl Iterator<Item = usize> + Clone + use<'a> {
        self.teams.iter().flat_map(|team| team.iter().copied())
    }

    /// How far the teams differ: greatest less least of `measure` over the teams; NaN if one is NaN.
    pub fn difference(&self, measure: impl Fn(&[usize]) -> f64) -> f64 {
        range_of(self.teams.iter().map(|team| measure(team)))
    }

    /// How far the teams' means of `level` differ; NaN if one player's is.
    pub fn difference_of_means(&self, level: impl Fn(usize) -> f64) -> f64 {
        self.difference(|team| mean(team.iter().map(|&player| level(player))))
    }

    /// The mean of `quality(a, b, whether they are team mates)` over the pairs of `kinds`; 1 without such pairs.
    pub(crate) fn mean_over_pairs(
        &self,
        kinds: PairKinds,
        quality: impl Fn(usize, usize, bool) -> f64,
    ) -> f64 {
        let (mut sum, mut count) = (0.0, 0_usize);
        let mut add = |a: usize, b: usize, together: bool| {
            sum += quality(a, b, together);
            count += 1;
        };
        for (place, team) in self.teams.iter().enumerate() {
            if kinds.together {
                for (seat, &a) in team.iter().enumerate() {
                    team[seat + 1..].iter().for_each(|&b| add(a, b, true));
                }
            }
            if kinds.against {
                for other in &self.teams[place + 1..] {
                    team.iter()
                        .for_each(|&a| other.iter().for_each(|&b| add(a, b, false)));
                }
            }
        }
        if count == 0 { 1.0 } else { sum / count as f64 }
    }

    /// The first pair of which `broken(a, b, whether they are team mates)` holds.
    pub(crate) fn find_pair(
        &self,
        broken: impl Fn(usize, usize, bool) -> bool,
    ) -> Option<(usize, usize, bool)> {
        for (place, team) in self.teams.iter().enumerate() {
            for (seat, &a) in team.iter().enumerate() {
                if let Some(&b) = team[seat + 1..].iter().find(|&&b| broken(a, b, true)) {
                    return Some((a, b, true));
                }
                let others = self.teams[place + 1..].iter().flat_map(|other| other.iter());
                if let Some(&b) = others.clone().find(|&&b| broken(a, b, false)) {
                    return Some((a, b, false));
                }
            }
        }
        None
    }

    /// The members of each party among `team`, solo players as parties of one; in the order of their first member.
    #[must_use]
    pub fn parties_of(&self, team: &[usize]) -> Vec<Vec<usize>> {
        let mut parties: Vec<Vec<usize>> = Vec::with_capacity(team.len());
        for &player in team {
            let party = self.pool.party_of(player);
            let known = party.and_then(|_| {
                parties
                    .iter_mut()
                    .find(|members| self.pool.party_of(members[0]) == party)
            });
            match known {
                Some(members) => members.push(player),
                None => parties.push(vec![player]),
            }
        }
        parties
    }

    /// The number of parties on `team`, solo players as parties of one.
    #[must_use]
    pub fn count_parties(&self, team: &[usize]) -> usize {
        let first = |place: usize| {
            let party = self.pool.party_of(team[place]);
            party.is_none()
                || team[..place]
                    .iter()
                    .all(|&other| self.pool.party_of(other) != party)
        };
        (0..team.len()).filter(|&place| first(place)).count()
    }

    /// A player's id, for messages.
    pub(crate) fn name(&self, player: usize) -> &'a str {
        &self.pool[player].id
    }
}

/// Which pairs of a match count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PairKinds {
    /// Team mates.
    pub(crate) together: bool,
    /// Opponents.
    pub(crate) against: bool,
}

impl PairKinds {
    pub(crate) const ALL: Self = Self {
        together: true,
        against: true,
    };
    pub(crate) const TOGETHER: Self = Self {
        together: true,
        against: false,
    };
    pub(crate) const AGAINST: Self = Self {
        together: false,
        against: true,
    };
}

/// The greatest; NaN if one is NaN, -inf of nothing. (`f64::max` passes over NaN.)
pub(crate) fn greatest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, |most, value| {
        if most.is_nan() || value.is_nan() {
            f64::NAN
        } else {
            most.max(value)
        }
    })
}

/// Greatest less least; NaN if one is NaN, 0 of nothing.
pub(crate) fn range_of(values: impl Iterator<Item = f64>) -> f64 {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut is_known = true;
    // Without branches, as searches ask for millions of ranges.
    for value in values {
        least = if value < least { value } else { least };
        most = if value > most { value } else { most };
        is_known &= !value.is_nan();
    }
    if !is_known {
        f64::NAN
    } else if least > most {
        0.0
    } else {
        most - least
    }
}

/// The mean; NaN of nothing.
pub(crate) fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    values.sum::<f64>() / count
}
