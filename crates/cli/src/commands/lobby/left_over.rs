//! Why somebody waits on: what those who are left over could have played among themselves.

use std::collections::BTreeMap;

use matchwright_lobby::LobbyPool;
use matchwright_scoring::TeamMatch;
use matchwright_sim::adapt::LobbyScoring;

use super::answer::{LeftOver, counted};

/// How reasons begin that are about parties.
pub(super) const PARTY_SIZES: &str = "party sizes";
/// Matches of the left over that are looked at for each player.
const MOST_MATCHES: usize = 50;
/// Steps of the search for them, for each player.
const MOST_STEPS: usize = 2_000;

/// Everybody who is left over, with the reason.
pub(super) fn left_over(scoring: &LobbyScoring<'_>, pool: &LobbyPool, left: &[usize]) -> Vec<LeftOver> {
    // Neighbours in the pool's order are likely to be allowed to play each other.
    let mut place = vec![0; pool.players()];
    for (at, &player) in pool.order().iter().enumerate() {
        place[player] = at;
    }
    let mut parties: Vec<usize> = left.iter().map(|&player| pool.party_index(player)).collect();
    parties.sort_unstable_by_key(|&party| (place[pool.parties()[party][0]], party));
    parties.dedup();
    let reasons: BTreeMap<usize, Reason> = if left.len() < pool.match_size() {
        let few = |&party: &usize| (party, too_few(pool, left.len()));
        parties.iter().map(few).collect()
    } else {
        let reason = |at: usize| (parties[at], reason(scoring, pool, &parties, at));
        (0..parties.len()).map(reason).collect()
    };
    let told = |&player: &usize| {
        let reason = reasons.get(&pool.party_index(player))?;
        let who = &scoring.pool[player];
        Some(LeftOver {
            id: who.id.clone(),
            party: who.party.clone(),
            wait_seconds: scoring.pool.wait_seconds(player),
            price: pool.prices()[player],
            forbidden_by: reason.by,
            why: reason.why.clone(),
        })
    };
    left.iter().filter_map(told).collect()
}

struct Reason {
    by: Option<&'static str>,
    why: String,
}

fn too_few(pool: &LobbyPool, left: usize) -> Reason {
    let played = (pool.players() - left) / pool.match_size();
    Reason {
        by: None,
        why: format!(
            "does not fill a match: {} in {} of {}, and leaving out {} costs least",
            counted(pool.players(), "player", "players"),
            counted(played, "match", "matches"),
            pool.match_size(),
            if left == 1 { "this one" } else { "these" }
        ),
    }
}

/// Why the party at that place of those left over plays with none of the others.
fn reason(scoring: &LobbyScoring<'_>, pool: &LobbyPool, parties: &[usize], at: usize) -> Reason {
    let mut looks = Looks {
        scoring,
        steps: 0,
        matches: 0,
        allowed: false,
        forbidden: BTreeMap::new(),
    };
    // From this party on, and around.
    let line: Vec<&[usize]> = (0..parties.len())
        .map(|k| pool.parties()[parties[(at + k) % parties.len()]].as_slice())
        .collect();
    let mut teams = [Vec::new(), Vec::new()];
    let sizes = [pool.sizes().0, pool.sizes().1];
    // With teams of two sizes the party may only fit the second.
    for team in 0..2 {
        if line[0].len() <= sizes[team] {
            teams[team].extend_from_slice(line[0]);
            looks.fill(&line[1..], &mut teams, sizes);
            teams[team].clear();
        }
    }
    looks.reason(pool)
}

/// What was found in the matches that were looked at.
struct Looks<'a> {
    scoring: &'a LobbyScoring<'a>,
    steps: usize,
    matches: usize,
    allowed: bool,
    /// How often each rule or factor forbids, and its first words.
    forbidden: BTreeMap<&'static str, (usize, String)>,
}

impl Looks<'_> {
    /// Fills both teams from the line, in all ways until there were enough.
    fn fill(&mut self, line: &[&[usize]], teams: &mut [Vec<usize>; 2], sizes: [usize; 2]) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.matches >= MOST_MATCHES || self.allowed {
            return;
        }
        if teams[0].len() == sizes[0] && teams[1].len() == sizes[1] {
            return self.look(teams);
        }
        for (at, party) in line.iter().enumerate() {
            for team in 0..2 {
                if teams[team].len() + party.len() <= sizes[team] {
                    teams[team].extend_from_slice(party);
                    self.fill(&line[at + 1..], teams, sizes);
                    let before = teams[team].len() - party.len();
                    teams[team].truncate(before);
                }
            }
        }
    }

    fn look(&mut self, teams: &[Vec<usize>; 2]) {
        let teams: [&[usize]; 2] = [&teams[0], &teams[1]];
        let Ok(candidate) = TeamMatch::new(self.scoring.pool, &teams) else {
            return;
        };
        self.matches += 1;
        let score = self.scoring.policy.explain(&candidate);
        self.allowed |= score.forbidden.is_empty();
        for one in score.forbidden {
            self.forbidden.entry(one.by).or_insert((0, one.why)).0 += 1;
        }
    }

    fn reason(self, pool: &LobbyPool) -> Reason {
        let (a, b) = pool.sizes();
        if self.allowed {
            let why = "the search ended before it made a match of those left over, which is allowed: give it more time";
            return Reason {
                by: None,
                why: why.to_owned(),
            };
        }
        // The first of equals, by name.
        let most = self
            .forbidden
            .into_iter()
            .max_by(|one, other| one.1.0.cmp(&other.1.0).then(other.0.cmp(one.0)));
        match most {
            Some((by, (times, why))) => Reason {
                by: Some(by),
                why: format!(
                    "forbidden by `{by}` in {times} of {} looked at with others left over; in one {why}",
                    counted(self.matches, "match", "matches")
                ),
            },
            None => Reason {
                by: None,
                why: format!(
                    "party sizes: no {a}v{b} was found that those left over fill with whole parties"
                ),
            },
        }
    }
}
