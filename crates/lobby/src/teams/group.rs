//! A group of players to split: sizes of teams, and parties that stay together.

use std::collections::{BTreeMap, BTreeSet};

use super::SplitError;
use super::pack::pack;

/// The most players of a group: a recursion over its parties fits on any stack.
const MOST_PLAYERS: usize = 1 << 12;

/// A group of players to split, the sizes of its teams, and the parties that stay together.
///
/// What has been made has at least one split: sizes add up to the players, parties fit.
///
/// ```
/// use matchwright_lobby::{BestSplit, Group, SplitError, TeamSplitter};
///
/// let skills = [5.0, 4.0, 3.0, 3.0, 2.0, 1.0];
/// let sum = |team: &[usize]| team.iter().map(|&player| skills[player]).sum::<f64>();
/// let balance = |a: &[usize], b: &[usize]| Some(1.0 - (sum(a) - sum(b)).abs() / 18.0);
/// let group = Group::equal([0, 1, 2, 3, 4, 5], 2)?;
/// assert_eq!(BestSplit::new().split(&group, &balance)?.teams, [[0, 2, 5], [1, 3, 4]]);
///
/// // The two best are friends.
/// let group = group.with_parties(&[vec![0, 1]])?;
/// assert_eq!(BestSplit::new().split(&group, &balance)?.teams, [[0, 1, 5], [2, 3, 4]]);
/// let four = group.with_parties(&[vec![0, 1, 2, 3]]).unwrap_err();
/// assert_eq!(four, SplitError::PartyTooLarge { party: vec![0, 1, 2, 3], largest: 3 });
/// # Ok::<(), SplitError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    players: Vec<usize>,
    sizes: Vec<usize>,
    /// Places of players who stay together, ascending, in order of the first; players alone are units of one.
    units: Vec<Vec<usize>>,
}

impl Group {
    /// These players in teams of these sizes. The order of players decides ties, and is where a search without terms
    /// starts: best first, if there is such an order.
    ///
    /// # Errors
    /// [`SplitError::TooManyPlayers`] above 4,096, [`SplitError::TooFewTeams`], [`SplitError::WrongSize`] or
    /// [`SplitError::DuplicatePlayer`].
    pub fn new(players: impl Into<Vec<usize>>, sizes: impl Into<Vec<usize>>) -> Result<Self, SplitError> {
        let (players, sizes) = (players.into(), sizes.into());
        if sizes.len() < 2 {
            return Err(SplitError::TooFewTeams { teams: sizes.len() });
        }
        if players.len() > MOST_PLAYERS {
            return Err(SplitError::TooManyPlayers {
                players: players.len(),
                limit: MOST_PLAYERS,
            });
        }
        let sum = sizes.iter().try_fold(0_usize, |sum, &size| sum.checked_add(size));
        if sum != Some(players.len()) {
            return Err(SplitError::WrongSize {
                players: players.len(),
                sizes,
            });
        }
        let mut seen = BTreeSet::new();
        if let Some(&player) = players.iter().find(|&&player| !seen.insert(player)) {
            return Err(SplitError::DuplicatePlayer { player });
        }
        let units = (0..players.len()).map(|place| vec![place]).collect();
        Ok(Self {
            players,
            sizes,
            units,
        })
    }

    /// These players in `teams` teams of one size.
    ///
    /// # Errors
    /// [`SplitError::UnequalTeams`] if their number is no multiple, or 0 for more than two teams; those of
    /// [`new`](Self::new).
    pub fn equal(players: impl Into<Vec<usize>>, teams: usize) -> Result<Self, SplitError> {
        let players = players.into();
        let count = players.len();
        if teams < 2 {
            return Err(SplitError::TooFewTeams { teams });
        }
        if !count.is_multiple_of(teams) || (count == 0 && teams > 2) {
            return Err(SplitError::UnequalTeams {
                players: count,
                teams,
            });
        }
        Self::new(players, vec![count / teams; teams])
    }

    /// Keeps the members of each of these parties together, instead of any given before. Who is in none is alone;
    /// parties of one or none change nothing. Parties that may part are not named here: their worth, if any, is the
    /// objective's.
    ///
    /// # Errors
    /// [`SplitError::NotInGroup`], [`SplitError::TwoParties`], [`SplitError::PartyTooLarge`], or
    /// [`SplitError::PartiesDoNotFit`]; [`SplitError::NotFound`] if a million ways to fit them were not enough to
    /// tell.
    pub fn with_parties(mut self, parties: &[Vec<usize>]) -> Result<Self, SplitError> {
        let places: BTreeMap<usize, usize> = self.players.iter().zip(0..).map(|(&p, at)| (p, at)).collect();
        let largest = self.sizes.iter().copied().max().unwrap_or(0);
        let mut taken = vec![false; self.players.len()];
        let mut units = Vec::new();
        for party in parties.iter().filter(|party| !party.is_empty()) {
            let mut unit = Vec::with_capacity(party.len());
            for &player in party {
                let place = *places.get(&player).ok_or_else(|| SplitError::NotInGroup {
                    player,
                    party: party.clone(),
                })?;
                if std::mem::replace(&mut taken[place], true) {
                    return Err(SplitError::TwoParties { player });
                }
                unit.push(place);
            }
            if unit.len() > largest {
                let party = party.clone();
                return Err(SplitError::PartyTooLarge { party, largest });
            }
            unit.sort_unstable();
            units.push(unit);
        }
        units.extend(
            (0..taken.len())
                .filter(|&place| !taken[place])
                .map(|place| vec![place]),
        );
        units.sort_unstable();
        self.units = units;
        if pack(&self.units, &self.sizes)?.is_some() {
            return Ok(self);
        }
        let mut sizes = self.unit_sizes();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.retain(|&size| size > 1);
        Err(SplitError::PartiesDoNotFit {
            parties: sizes,
            sizes: self.sizes,
        })
    }

    /// The players.
    #[must_use]
    pub fn players(&self) -> &[usize] {
        &self.players
    }

    /// The sizes of the teams.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The parties that stay together, those alone included, each in the group's order.
    pub fn parties(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let names = |unit: &Vec<usize>| unit.iter().map(|&place| self.players[place]).collect();
        self.units.iter().map(names)
    }

    /// Places of who stays together.
    pub(super) fn units(&self) -> &[Vec<usize>] {
        &self.units
    }

    pub(super) fn unit_sizes(&self) -> Vec<usize> {
        self.units.iter().map(Vec::len).collect()
    }

    /// The teams of players when unit u is in team `team_of[u]`, teams of one size in order of their first players.
    pub(crate) fn teams(&self, team_of: &[usize]) -> Vec<Vec<usize>> {
        let mut places: Vec<Vec<usize>> = self.sizes.iter().map(|&size| Vec::with_capacity(size)).collect();
        for (unit, &team) in self.units.iter().zip(team_of) {
            places[team].extend(unit);
        }
        for team in &mut places {
            team.sort_unstable();
        }
        let distinct: BTreeSet<usize> = self.sizes.iter().copied().collect();
        for size in distinct {
            let at: Vec<usize> = (0..places.len()).filter(|&t| self.sizes[t] == size).collect();
            let mut same: Vec<_> = at.iter().map(|&t| std::mem::take(&mut places[t])).collect();
            same.sort_unstable();
            for (t, team) in at.into_iter().zip(same) {
                places[t] = team;
            }
        }
        let names = |team: Vec<usize>| team.into_iter().map(|place| self.players[place]).collect();
        places.into_iter().map(names).collect()
    }

    /// How many splits there are, sides told apart, up to the largest integer, which also stands for more than are
    /// worth counting.
    pub(crate) fn splits(&self) -> u64 {
        const UNITS: usize = 40;
        const STATES: usize = 20_000;
        if self.units.len() > UNITS {
            return u64::MAX;
        }
        // Room left in each team, sorted among teams of one size: what can follow depends on no more than that.
        let mut order: Vec<usize> = (0..self.sizes.len()).collect();
        order.sort_by_key(|&t| self.sizes[t]);
        let full: Vec<usize> = order.iter().map(|&t| self.sizes[t]).collect();
        let mut states = BTreeMap::from([(full.clone(), 1_u64)]);
        for unit in &self.units {
            let mut next: BTreeMap<Vec<usize>, u64> = BTreeMap::new();
            for (room, ways) in states {
                for t in 0..room.len() {
                    if room[t] < unit.len() {
                        continue;
                    }
                    let mut room = room.clone();
                    room[t] -= unit.len();
                    for same in full.chunk_by(|a, b| a == b).scan(0, |at, run| {
                        *at += run.len();
                        Some(*at - run.len()..*at)
                    }) {
                        room[same].sort_unstable();
                    }
                    let count = next.entry(room).or_default();
                    *count = count.saturating_add(ways);
                }
            }
            if next.len() > STATES {
                return u64::MAX;
            }
            states = next;
        }
        states.into_values().fold(0, u64::saturating_add)
    }
}
