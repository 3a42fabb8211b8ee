//! Players in teams of fixed sizes, a bench for unmatched players, and exchanges that keep parties whole.

use std::cmp::Ordering;

use crate::pool::LobbyPool;
use crate::random::SplitMix64;

/// Teams come match by match; the last one is the bench.
#[derive(Debug, Clone)]
pub(crate) struct Seats {
    /// Teams of a match.
    each: usize,
    /// The player of each seat.
    players: Vec<u32>,
    /// The seat and the team of each player.
    place_of: Vec<(u32, u32)>,
    /// The first seat of each team, and the number of seats.
    starts: Vec<u32>,
    /// The members of each party, one after the other.
    members: Vec<u32>,
    /// For each player, where the members of the own party begin and end.
    party_of: Vec<(u32, u32)>,
}

/// Parties of two teams that change places: as many players either way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchange {
    /// One team.
    pub(crate) from: usize,
    /// The other.
    pub(crate) to: usize,
    /// Players who leave `from` for `to`.
    pub(crate) out: Vec<u32>,
    /// Players who leave `to` for `from`.
    pub(crate) back: Vec<u32>,
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a pool has at most 2^24 players, and as many seats"
)]
impl Seats {
    /// These teams, the last of which is the bench.
    pub(crate) fn new(pool: &LobbyPool, teams: &[Vec<u32>]) -> Self {
        let players = teams.concat();
        let mut seats = Self {
            each: pool.sizes().len(),
            place_of: vec![(0, 0); players.len()],
            starts: vec![0],
            members: Vec::with_capacity(players.len()),
            party_of: vec![(0, 0); players.len()],
            players,
        };
        for (team, members) in teams.iter().enumerate() {
            let start = seats.starts[team] as usize;
            for (at, &player) in members.iter().enumerate() {
                seats.place_of[player as usize] = ((start + at) as u32, team as u32);
            }
            seats.starts.push((start + members.len()) as u32);
        }
        for party in pool.parties() {
            let start = seats.members.len() as u32;
            seats.members.extend(party.iter().map(|&player| player as u32));
            for &player in party {
                seats.party_of[player] = (start, start + party.len() as u32);
            }
        }
        seats
    }

    /// One match of these players, team by team; all others on the bench.
    pub(crate) fn of_match(pool: &LobbyPool, players: &[u32]) -> Self {
        let (mut teams, mut rest) = (Vec::with_capacity(pool.sizes().len() + 1), players);
        for &size in pool.sizes() {
            let (team, others) = rest.split_at(size);
            teams.push(team.to_vec());
            rest = others;
        }
        let unmatched = (0..pool.players() as u32).filter(|player| !players.contains(player));
        teams.push(unmatched.collect());
        Self::new(pool, &teams)
    }

    /// How many matches.
    pub(crate) const fn matches(&self) -> usize {
        self.match_of(self.bench())
    }

    /// How many teams a match has.
    pub(crate) const fn each(&self) -> usize {
        self.each
    }

    /// The match of a team; that of the bench is one behind the last.
    #[inline]
    pub(crate) const fn match_of(&self, team: usize) -> usize {
        // Two is what almost all have, and a shift is quicker than a division.
        if self.each == 2 {
            team / 2
        } else {
            team / self.each
        }
    }

    /// The team of the unmatched players.
    pub(crate) const fn bench(&self) -> usize {
        self.starts.len() - 2
    }

    /// The players of a team.
    #[inline]
    pub(crate) fn team(&self, team: usize) -> &[u32] {
        &self.players[self.starts[team] as usize..self.starts[team + 1] as usize]
    }

    /// A team that plays against this one, of more than two one by `chance`; the first if there is no such team.
    #[inline]
    pub(crate) const fn opponents(&self, team: usize, chance: u64) -> usize {
        let other = if self.each == 2 {
            team ^ 1
        } else {
            let first = team - team % self.each;
            let step = 1 + (chance % (self.each as u64 - 1)) as usize;
            first + (team - first + step) % self.each
        };
        if other < self.bench() { other } else { 0 }
    }

    /// The players of all teams of a match.
    #[inline]
    pub(crate) fn all(&self, index: usize) -> &[u32] {
        let (from, to) = (self.each * index, self.each * (index + 1));
        &self.players[self.starts[from] as usize..self.starts[to] as usize]
    }

    /// The players of the match of this team, or of the bench.
    #[inline]
    pub(crate) fn around(&self, team: usize) -> &[u32] {
        if team == self.bench() {
            self.team(team)
        } else {
            self.all(self.match_of(team))
        }
    }

    /// The team of a player.
    #[inline]
    pub(crate) fn team_of(&self, player: u32) -> usize {
        self.place_of[player as usize].1 as usize
    }

    /// The player of a seat, seats being counted through all teams.
    #[inline]
    pub(crate) fn at(&self, seat: usize) -> u32 {
        self.players[seat]
    }

    /// How many seats, the bench included.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.players.len()
    }

    /// All teams, the bench last.
    pub(crate) fn teams(&self) -> Vec<Vec<u32>> {
        (0..=self.bench()).map(|team| self.team(team).to_vec()).collect()
    }

    /// The members of the party of a player.
    #[inline]
    pub(crate) fn party(&self, player: u32) -> &[u32] {
        let (start, end) = self.party_of[player as usize];
        &self.members[start as usize..end as usize]
    }

    /// The exchange of one player's party against another's, the smaller filled up with parties of its team, from a
    /// random seat on; false if they are of one team, no parties fill it, or nothing would change.
    #[inline]
    pub(crate) fn propose(
        &self,
        one: u32,
        other: u32,
        bits: &mut SplitMix64,
        exchange: &mut Exchange,
    ) -> bool {
        (exchange.from, exchange.to) = (self.team_of(one), self.team_of(other));
        if exchange.from == exchange.to {
            return false;
        }
        let Exchange { from, to, out, back } = exchange;
        out.clear();
        back.clear();
        out.extend_from_slice(self.party(one));
        back.extend_from_slice(self.party(other));
        let is_found = match out.len().cmp(&back.len()) {
            Ordering::Equal => true,
            Ordering::Less => self.fill_up(*from, back.len(), bits, out),
            Ordering::Greater => self.fill_up(*to, out.len(), bits, back),
        };
        // Two teams of a match in each other's place are the same match.
        let is_same = self.match_of(*from) == self.match_of(*to)
            && [*from, *to].map(|team| self.team(team).len()) == [out.len(); 2];
        is_found && !is_same
    }

    /// Adds parties of `team` to `chosen` until it has `wanted` players; false if it cannot from where it began.
    fn fill_up(&self, team: usize, wanted: usize, bits: &mut SplitMix64, chosen: &mut Vec<u32>) -> bool {
        let seats = self.team(team);
        if seats.len() < wanted {
            return false;
        }
        let (before, after) = seats.split_at(bits.quick_below(seats.len()));
        for &player in after.iter().chain(before) {
            let party = self.party(player);
            // Each party comes up once for each member: the first one counts.
            if party[0] == player && chosen.len() + party.len() <= wanted && !chosen.contains(&player) {
                chosen.extend_from_slice(party);
                if chosen.len() == wanted {
                    return true;
                }
            }
        }
        false
    }

    /// Carries the exchange out, or undoes it if it was carried out last.
    pub(crate) fn apply(&mut self, exchange: &Exchange) {
        for (&one, &other) in exchange.out.iter().zip(&exchange.back) {
            let (place_one, place_other) = (self.place_of[one as usize], self.place_of[other as usize]);
            self.players.swap(place_one.0 as usize, place_other.0 as usize);
            self.place_of[one as usize] = place_other;
            self.place_of[other as usize] = place_one;
        }
    }
}
