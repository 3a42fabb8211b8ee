//! Who sits where: teams of fixed sizes, a bench for those left out, and exchanges that keep parties whole.

use crate::pool::LobbyPool;
use crate::random::SplitMix64;

/// Seats in teams 0 and 1 of match 0, teams 2 and 3 of match 1, and so on; the last team is the bench.
///
/// Or in teams each of which is a whole match, whose players somebody else divides.
#[derive(Debug, Clone)]
pub(crate) struct Seats {
    /// The player of each seat.
    players: Vec<u32>,
    /// The seat and the team of each player.
    place_of: Vec<(u32, u32)>,
    /// The first seat of each team, and the number of seats.
    starts: Vec<u32>,
    /// The members of each party, one after the other.
    members: Vec<u32>,
    /// For each player, where the members of his party begin and end.
    party_of: Vec<(u32, u32)>,
    /// 2, or 1 if teams are whole matches.
    teams_a_match: usize,
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
            place_of: vec![(0, 0); players.len()],
            starts: vec![0],
            members: Vec::with_capacity(players.len()),
            party_of: vec![(0, 0); players.len()],
            players,
            teams_a_match: 2,
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

    /// These teams, the last of which is the bench, each but that one a whole match.
    pub(super) fn of_matches(pool: &LobbyPool, matches: &[Vec<u32>]) -> Self {
        Self {
            teams_a_match: 1,
            ..Self::new(pool, matches)
        }
    }

    /// How many matches.
    pub(crate) const fn matches(&self) -> usize {
        (self.starts.len() - 2) / self.teams_a_match
    }

    /// The team that does not play.
    pub(crate) const fn bench(&self) -> usize {
        self.starts.len() - 2
    }

    /// The players of a team.
    #[inline]
    pub(crate) fn team(&self, team: usize) -> &[u32] {
        &self.players[self.starts[team] as usize..self.starts[team + 1] as usize]
    }

    /// The players of both teams of a match.
    #[inline]
    pub(crate) fn both(&self, index: usize) -> &[u32] {
        &self.players[self.starts[2 * index] as usize..self.starts[2 * index + 2] as usize]
    }

    /// The players of the match in which a player is, or of the bench.
    #[inline]
    pub(crate) fn around(&self, player: u32) -> &[u32] {
        let team = self.team_of(player);
        if team == self.bench() || self.teams_a_match == 1 {
            self.team(team)
        } else {
            self.both(team / 2)
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
        exchange.out.clear();
        exchange.back.clear();
        let (party, partners) = (self.party(one), self.party(other));
        let is_found = if party.len() == 1 && partners.len() == 1 {
            // What happens most, and costs least so.
            exchange.out.push(one);
            exchange.back.push(other);
            true
        } else {
            exchange.out.extend_from_slice(party);
            exchange.back.extend_from_slice(partners);
            match party.len().cmp(&partners.len()) {
                std::cmp::Ordering::Equal => true,
                std::cmp::Ordering::Less => {
                    self.fill_up(exchange.from, partners.len(), bits, &mut exchange.out)
                }
                std::cmp::Ordering::Greater => {
                    self.fill_up(exchange.to, party.len(), bits, &mut exchange.back)
                }
            }
        };
        // Both teams of a match in each other's place are the same match.
        let is_whole = self.teams_a_match == 2
            && exchange.from / 2 == exchange.to / 2
            && [exchange.from, exchange.to].map(|team| self.team(team).len()) == [exchange.out.len(); 2];
        is_found && !is_whole
    }

    /// Adds parties of `team` to `chosen` until it has `wanted` players; false if it cannot from where it began.
    fn fill_up(&self, team: usize, wanted: usize, bits: &mut SplitMix64, chosen: &mut Vec<u32>) -> bool {
        let seats = self.team(team);
        if seats.len() < wanted {
            return false;
        }
        let start = bits.quick_below(seats.len());
        let (before, after) = seats.split_at(start);
        for &player in after.iter().chain(before) {
            let party = self.party(player);
            // Each party comes up once for each of its members: its first one speaks for it.
            if party[0] == player && chosen.len() + party.len() <= wanted && !chosen.contains(&player) {
                chosen.extend_from_slice(party);
                if chosen.len() == wanted {
                    return true;
                }
            }
        }
        false
    }

    /// Carries the exchange out.
    pub(crate) fn apply(&mut self, exchange: &Exchange) {
        for (&one, &other) in exchange.out.iter().zip(&exchange.back) {
            let (place_one, place_other) = (self.place_of[one as usize], self.place_of[other as usize]);
            self.players.swap(place_one.0 as usize, place_other.0 as usize);
            self.place_of[one as usize] = place_other;
            self.place_of[other as usize] = place_one;
        }
    }
}
