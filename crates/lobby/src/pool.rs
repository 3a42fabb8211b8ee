//! The players who wait for a match: their parties, unmatched penalties and order.

use super::error::LobbyError;
use super::teams::SplitError;

/// The most players of a pool, and of a team: indices have 32 bits, and sums of sizes must fit.
const MOST_PLAYERS: usize = 1 << 24;

/// Who is to be put into matches of two or more teams: players 0, 1, 2, ..., their parties, and their unmatched penalties.
///
/// ```
/// use matchwright_lobby::LobbyPool;
///
/// // Seven players for 3 against 3; players 1 and 4 came together, player 6 was unmatched the last time.
/// let pool = LobbyPool::new(7, [3, 3])?
///     .with_parties(&[vec![1, 4]])?
///     .with_unmatched_penalties(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0])?;
/// assert_eq!(pool.party_of(4), [1, 4]);
/// assert_eq!(pool.party_of(0), [0]);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LobbyPool {
    sizes: Vec<usize>,
    match_size: usize,
    /// All parties, those of one included, each in rising order, by their first members.
    parties: Vec<Vec<usize>>,
    /// The party of each player.
    party_of: Vec<usize>,
    /// What each player costs who is unmatched.
    penalties: Vec<f64>,
    order: Vec<usize>,
}

impl LobbyPool {
    /// `players` who came alone, for teams of `sizes`. An unmatched player costs 1, a perfect match.
    ///
    /// # Errors
    /// [`LobbyError`] if there are fewer than two teams, one is empty or the players do not fill one match.
    pub fn new(players: usize, sizes: impl Into<Vec<usize>>) -> Result<Self, LobbyError> {
        let sizes = sizes.into();
        let mut numbers = vec![("the number of players", players.max(1))];
        numbers.extend(sizes.iter().map(|&size| ("a team", size)));
        for (what, given) in numbers {
            if !(1..=MOST_PLAYERS).contains(&given) {
                return Err(LobbyError::Size {
                    what,
                    given,
                    most: MOST_PLAYERS,
                });
            }
        }
        if sizes.len() < 2 {
            return Err(SplitError::TooFewTeams { teams: sizes.len() }.into());
        }
        let match_size = sizes.iter().fold(0_usize, |sum, &size| sum.saturating_add(size));
        if players < match_size {
            return Err(LobbyError::TooFewPlayers { players, sizes });
        }
        Ok(Self {
            sizes,
            match_size,
            parties: (0..players).map(|player| vec![player]).collect(),
            party_of: (0..players).collect(),
            penalties: vec![1.0; players],
            order: (0..players).collect(),
        })
    }

    /// Keeps the members of each party in one team. Players in none came alone; empty parties are ignored.
    ///
    /// # Errors
    /// [`LobbyError`] names the party that is larger than every team, or whose member is no player or is named twice.
    pub fn with_parties(mut self, parties: &[Vec<usize>]) -> Result<Self, LobbyError> {
        let (players, team) = (self.players(), self.largest_team());
        let mut taken = vec![false; players];
        self.parties.clear();
        for (party, members) in parties.iter().enumerate() {
            if members.len() > team {
                return Err(LobbyError::PartyTooLarge {
                    party,
                    size: members.len(),
                    team,
                });
            }
            for &player in members {
                if player >= players {
                    return Err(LobbyError::UnknownPlayer {
                        party,
                        player,
                        players,
                    });
                }
                if std::mem::replace(&mut taken[player], true) {
                    return Err(LobbyError::DuplicateMember { party, player });
                }
            }
            if !members.is_empty() {
                let mut members = members.clone();
                members.sort_unstable();
                self.parties.push(members);
            }
        }
        let alone = (0..players).filter(|&player| !taken[player]);
        self.parties.extend(alone.map(|player| vec![player]));
        self.parties.sort_unstable();
        for (party, members) in self.parties.iter().enumerate() {
            for &player in members {
                self.party_of[player] = party;
            }
        }
        Ok(self)
    }

    /// What each player costs who is unmatched, in qualities of a match: more for players who were unmatched before.
    ///
    /// # Errors
    /// [`LobbyError`] if there is not one finite penalty of 0 or more a player.
    pub fn with_unmatched_penalties(mut self, penalties: &[f64]) -> Result<Self, LobbyError> {
        if penalties.len() != self.players() {
            return Err(LobbyError::Size {
                what: "the number of unmatched penalties",
                given: penalties.len(),
                most: self.players(),
            });
        }
        let wrong = |&player: &usize| !(penalties[player].is_finite() && penalties[player] >= 0.0);
        if let Some(player) = (0..penalties.len()).find(wrong) {
            return Err(LobbyError::UnmatchedPenalty {
                player,
                penalty: penalties[player],
            });
        }
        self.penalties.copy_from_slice(penalties);
        Ok(self)
    }

    /// An order in which neighbours are likely to make a good match, such as by region and skill: where searches
    /// start, and how large pools are cut into parts. By number if not given.
    ///
    /// # Errors
    /// [`LobbyError::Order`] if it does not name each player once.
    pub fn with_order(mut self, order: &[usize]) -> Result<Self, LobbyError> {
        let players = self.players();
        let mut named = vec![false; players];
        let once = |&player: &usize| player < players && !std::mem::replace(&mut named[player], true);
        if order.len() != players || !order.iter().all(once) {
            return Err(LobbyError::Order {
                given: order.len(),
                players,
            });
        }
        self.order.copy_from_slice(order);
        Ok(self)
    }

    /// The pool of some of the players, numbered in the order of `numbers`, which name whole parties.
    ///
    /// # Errors
    /// [`LobbyError::TooFewPlayers`] if they fill no match.
    pub(crate) fn part(&self, numbers: &[usize]) -> Result<Self, LobbyError> {
        let mut place = vec![usize::MAX; self.players()];
        for (at, &number) in numbers.iter().enumerate() {
            place[number] = at;
        }
        let whole = numbers
            .iter()
            .filter(|&&number| self.party_of(number)[0] == number);
        let parties: Vec<Vec<usize>> = whole
            .map(|&number| self.party_of(number).iter().map(|&mate| place[mate]).collect())
            .collect();
        let penalties: Vec<f64> = numbers.iter().map(|&number| self.penalties[number]).collect();
        Self::new(numbers.len(), self.sizes.clone())?
            .with_parties(&parties)?
            .with_unmatched_penalties(&penalties)
    }

    /// How many players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.party_of.len()
    }

    /// Players of each team of a match.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Players of the first and of the second team, if matches are of two.
    #[must_use]
    pub const fn two_teams(&self) -> Option<(usize, usize)> {
        match self.sizes.as_slice() {
            &[a, b] => Some((a, b)),
            _ => None,
        }
    }

    /// Players of the first two teams: of all, where there are terms.
    pub(crate) fn first_two(&self) -> (usize, usize) {
        (self.sizes[0], self.sizes[1])
    }

    pub(crate) fn largest_team(&self) -> usize {
        self.sizes.iter().copied().max().unwrap_or(0)
    }

    /// Players of a match.
    #[must_use]
    pub const fn match_size(&self) -> usize {
        self.match_size
    }

    /// All parties, players who came alone included, each in rising order.
    #[must_use]
    pub fn parties(&self) -> &[Vec<usize>] {
        &self.parties
    }

    /// The members of the party of `player`, that player included.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn party_of(&self, player: usize) -> &[usize] {
        &self.parties[self.party_of[player]]
    }

    /// The place in [`parties`](Self::parties) of the party of `player`.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn party_index(&self, player: usize) -> usize {
        self.party_of[player]
    }

    /// What each player costs who is unmatched.
    #[must_use]
    pub fn unmatched_penalties(&self) -> &[f64] {
        &self.penalties
    }

    /// What these players cost together if they are unmatched.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn penalty(&self, players: &[usize]) -> f64 {
        players.iter().map(|&player| self.penalties[player]).sum()
    }

    /// The order in which neighbours are likely to make a good match.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }
}
