//! [`Places`]: what the teams of a match require of their members, and matches of whole parties that fill it.

use std::collections::{BTreeSet, HashSet};

use matchwright_scoring::{Pool, TeamScorer};

/// Roles that are told apart: more are left to the scoring.
const ROLES: usize = 32;

/// Of up to this many roles every set is counted, of more each by itself.
const IN_SETS: usize = 5;

/// The roles of a player as bits, of those that teams require.
type Roles = u32;

/// What a party can fill: the roles of its members, rising.
pub(super) type Kind = Vec<Roles>;

/// The roles that each team must fill.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    /// The factor that requires them.
    by: &'static str,
    roles: Vec<(String, usize)>,
    /// The sets of roles whose players are counted.
    sets: Vec<Roles>,
}

/// Where a party may play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seat {
    /// In any team or not at all.
    May,
    /// In any team.
    Must,
    /// In this one.
    In(usize),
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Filled {
    /// The parties of each team.
    Teams(Vec<Vec<usize>>),
    /// No match of these parties fills the places.
    None,
    /// None that passes was found, as steps or tests were spent or some did not pass.
    Unknown,
}

/// What a team still lacks: members without a place, and then members for each role.
type Room = Vec<usize>;

impl Places {
    pub(super) fn of(scoring: &dyn TeamScorer) -> Self {
        let Some((by, required)) = scoring.required_roles() else {
            return Self::default();
        };
        let roles: Vec<(String, usize)> = required
            .iter()
            .map(|(role, &count)| (role.clone(), count))
            .take(ROLES)
            .collect();
        let sets = if roles.len() <= IN_SETS {
            (1..1 << roles.len()).collect()
        } else {
            (0..roles.len()).map(|role| 1 << role).collect()
        };
        Self { by, roles, sets }
    }

    /// Whether nothing is required.
    pub(super) const fn is_empty(&self) -> bool {
        self.roles.is_empty()
    }

    /// The name of the factor that requires them.
    pub(super) const fn by(&self) -> &'static str {
        self.by
    }

    fn roles_of(&self, pool: &Pool, player: usize) -> Roles {
        let can = |&(place, _): &(usize, &(String, usize))| pool.can_fill(player, &self.roles[place].0);
        self.roles
            .iter()
            .enumerate()
            .filter(can)
            .map(|one| 1 << one.0)
            .sum()
    }

    /// Parties of one kind and size fill the same places.
    pub(super) fn kind(&self, pool: &Pool, party: &[usize]) -> Kind {
        let mut kind: Kind = party.iter().map(|&player| self.roles_of(pool, player)).collect();
        kind.sort_unstable();
        kind
    }

    /// A role that too few of these players fill for this many teams.
    pub(super) fn missing(&self, pool: &Pool, players: &[usize], teams: usize) -> Option<&str> {
        let lacks = |(role, count): &&(String, usize)| {
            let can = players.iter().filter(|&&player| pool.can_fill(player, role));
            can.count() < teams * count
        };
        self.roles.iter().find(lacks).map(|one| one.0.as_str())
    }

    /// Teams of these sizes of whole parties that fill the places and pass a test, each party in its seat; those that are
    /// not `May` come first. The earlier parties are preferred.
    ///
    /// Complete within `steps` parties placed and `tests` asked: an exhaustive search that counts, for each set of roles,
    /// the players left who fill one of them, so that with single players no step is in vain, and that remembers from
    /// which rooms nothing could be filled.
    pub(super) fn fill(
        &self,
        pool: &Pool,
        sizes: &[usize],
        parties: &[(Vec<usize>, Seat)],
        [steps, tests]: [u64; 2],
        passes: &dyn Fn(&[Vec<usize>]) -> bool,
    ) -> Filled {
        let places: usize = self.roles.iter().map(|one| one.1).sum();
        let room = |&size: &usize| {
            let free = size.checked_sub(places)?;
            Some(
                std::iter::once(free)
                    .chain(self.roles.iter().map(|one| one.1))
                    .collect(),
            )
        };
        let Some(mut rooms) = sizes.iter().map(room).collect::<Option<Vec<Room>>>() else {
            return Filled::None;
        };
        let kinds: Vec<Kind> = parties.iter().map(|party| self.kind(pool, &party.0)).collect();
        let mut walk = Walk {
            supply: self.supply(&kinds),
            sets: &self.sets,
            kinds,
            seats: parties.iter().map(|party| party.1).collect(),
            teams: vec![Vec::new(); sizes.len()],
            dead: HashSet::new(),
            tested: BTreeSet::new(),
            filled: 0,
            steps,
            tests,
            passes,
        };
        if walk.from(0, &mut rooms) {
            Filled::Teams(walk.teams)
        } else if walk.is_spent() || !walk.tested.is_empty() {
            Filled::Unknown
        } else {
            Filled::None
        }
    }

    /// From each party on, the players who fill one role of each set, and all players last.
    fn supply(&self, kinds: &[Kind]) -> Vec<Vec<usize>> {
        let mut counts = vec![vec![0; self.sets.len() + 1]; kinds.len() + 1];
        for (from, kind) in kinds.iter().enumerate().rev() {
            let mut count = counts[from + 1].clone();
            for (count, set) in count.iter_mut().zip(&self.sets) {
                *count += kind.iter().filter(|&roles| roles & set != 0).count();
            }
            count[self.sets.len()] += kind.len();
            counts[from] = count;
        }
        counts
    }
}

/// A depth-first search over the parties in their order.
struct Walk<'a> {
    sets: &'a [Roles],
    supply: Vec<Vec<usize>>,
    kinds: Vec<Kind>,
    seats: Vec<Seat>,
    teams: Vec<Vec<usize>>,
    /// Rooms that the parties from one on cannot fill.
    dead: HashSet<(usize, Vec<Room>)>,
    /// Teams that did not pass.
    tested: BTreeSet<Vec<Vec<usize>>>,
    /// How often the rooms were filled.
    filled: u64,
    steps: u64,
    tests: u64,
    passes: &'a dyn Fn(&[Vec<usize>]) -> bool,
}

impl Walk<'_> {
    const fn is_spent(&self) -> bool {
        self.steps == 0 || self.tests == 0
    }

    /// Whether the parties from one on fill the rooms; `teams` are then full.
    fn from(&mut self, at: usize, rooms: &mut Vec<Room>) -> bool {
        let is_free = self.seats.get(at).is_none_or(|&seat| seat == Seat::May);
        if is_free && rooms.iter().flatten().all(|&room| room == 0) {
            self.filled += 1;
            if self.tested.contains(&self.teams) {
                return false;
            }
            if (self.passes)(&self.teams) {
                return true;
            }
            self.tests = self.tests.saturating_sub(1);
            self.tested.insert(self.teams.clone());
            return false;
        }
        if at == self.kinds.len() || self.is_spent() || self.lacks(at, rooms) {
            return false;
        }
        let mut key = (at, rooms.clone());
        key.1.sort_unstable();
        if self.dead.contains(&key) {
            return false;
        }
        self.steps -= 1;
        let filled = self.filled;
        let mut order: Vec<usize> = (0..rooms.len()).collect();
        // The emptier team first, so that neighbours are shared out.
        order.sort_by_key(|&team| std::cmp::Reverse(rooms[team].iter().sum::<usize>()));
        for (place, &team) in order.iter().enumerate() {
            let is_same = |&other: &usize| {
                self.teams[other].is_empty() && self.teams[team].is_empty() && rooms[other] == rooms[team]
            };
            let is_barred = matches!(self.seats[at], Seat::In(only) if only != team);
            if is_barred || order[..place].iter().any(is_same) {
                continue;
            }
            for after in seated(&rooms[team], &self.kinds[at]) {
                let before = std::mem::replace(&mut rooms[team], after);
                self.teams[team].push(at);
                if self.from(at + 1, rooms) {
                    return true;
                }
                self.teams[team].pop();
                rooms[team] = before;
            }
        }
        if is_free && self.from(at + 1, rooms) {
            return true;
        }
        if self.filled == filled && !self.is_spent() {
            self.dead.insert(key);
        }
        false
    }

    /// Whether too few players are left for a set of roles, or for all.
    fn lacks(&self, at: usize, rooms: &[Room]) -> bool {
        let supply = &self.supply[at];
        let needs = |set: Roles| -> usize {
            let of = |room: &Room| -> usize {
                let roles = room[1..].iter().enumerate();
                roles
                    .filter(|(role, _)| set >> role & 1 == 1)
                    .map(|one| one.1)
                    .sum()
            };
            rooms.iter().map(of).sum()
        };
        let all: usize = rooms.iter().flatten().sum();
        let lacks = |(&set, &supply): (&Roles, &usize)| needs(set) > supply;
        all > supply[self.sets.len()] || self.sets.iter().zip(supply).any(lacks)
    }
}

/// What a team lacks after a party has joined it, in each way in which its members can take places. Whoever can fill a role
/// that is open fills one: what it leaves to another it could do itself.
fn seated(room: &Room, kind: &[Roles]) -> BTreeSet<Room> {
    let mut ways = BTreeSet::from([room.clone()]);
    for roles in kind {
        let mut next = BTreeSet::new();
        for way in ways {
            let open = (1..way.len()).filter(|&role| roles >> (role - 1) & 1 == 1 && way[role] > 0);
            let mut places: Vec<usize> = open.collect();
            if places.is_empty() && way[0] > 0 {
                places.push(0);
            }
            for place in places {
                let mut after = way.clone();
                after[place] -= 1;
                next.insert(after);
            }
        }
        ways = next;
    }
    ways
}
