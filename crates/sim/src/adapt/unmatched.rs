//! Why players are unmatched, found by trying matches among the unmatched.

use std::collections::BTreeMap;

use matchwright_lobby::LobbyPool;
use matchwright_scoring::TeamMatch;
use thiserror::Error;

use super::LobbyScoring;

/// At most this many matches are judged for each unmatched party.
const MOST_MATCHES: usize = 50;
/// At most this many teams, whole or in part, are tried for each unmatched party.
const MOST_STEPS: usize = 2_000;

/// Why a player is unmatched.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnmatchedReason {
    /// Fewer are unmatched than a match needs.
    #[error(
        "too few to fill a match: {} make {} of {match_size}, and the solver left out {}",
        counted(*players, "player", "players"),
        counted(*matches, "match", "matches"),
        if *unmatched == 1 { "this one" } else { "these" }
    )]
    TooFew {
        /// Players of the pool, matched or not.
        players: usize,
        /// Matches made of them.
        matches: usize,
        /// Players of a match.
        match_size: usize,
        /// How many are unmatched.
        unmatched: usize,
    },
    /// The policy forbids the matches that were judged.
    #[error(
        "forbidden by `{by}` in {times} of {} judged with other unmatched players; in one {example}",
        counted(*matches, "match", "matches")
    )]
    Forbidden {
        /// The rule or factor that forbids most of them.
        by: &'static str,
        /// How many it forbids.
        times: usize,
        /// How many were judged.
        matches: usize,
        /// Why it forbids one of them.
        example: String,
    },
    /// No match of whole parties was found: their sizes do not fit, or not within the steps of the search.
    #[error("party sizes: no {} of whole unmatched parties was found", versus(teams))]
    PartySizes {
        /// Players of each team.
        teams: Vec<usize>,
    },
    /// A match of unmatched players is allowed: the lobby solver ended before it made one.
    #[error(
        "the lobby solver ended before it made a match of unmatched players, which is allowed: give it more time"
    )]
    Unfinished,
}

impl UnmatchedReason {
    /// The rule or factor of the policy that forbids, if that is why.
    #[must_use]
    pub fn forbidden_by(&self) -> Option<&'static str> {
        match self {
            Self::Forbidden { by, .. } => Some(by),
            _ => None,
        }
    }
}

/// "3v3".
fn versus(teams: &[usize]) -> String {
    teams
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("v")
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// For each player of `pool` in `unmatched`, in that order, why no match has it.
///
/// For each party, matches with the other unmatched parties are put together, those that are near in the pool's order
/// first, until one is allowed or 50 were judged: O(parties) searches of at most 2,000 steps.
#[must_use]
pub fn unmatched_reasons(
    scoring: &LobbyScoring<'_>,
    pool: &LobbyPool,
    unmatched: &[usize],
) -> Vec<UnmatchedReason> {
    if unmatched.len() < pool.match_size() {
        let reason = UnmatchedReason::TooFew {
            players: pool.players(),
            matches: (pool.players() - unmatched.len()) / pool.match_size(),
            match_size: pool.match_size(),
            unmatched: unmatched.len(),
        };
        return vec![reason; unmatched.len()];
    }
    // Neighbours in the pool's order are likely to be allowed to play each other.
    let mut place_in_order = vec![0; pool.players()];
    for (place, &player) in pool.order().iter().enumerate() {
        place_in_order[player] = place;
    }
    let mut parties: Vec<usize> = unmatched.iter().map(|&player| pool.party_index(player)).collect();
    parties.sort_unstable_by_key(|&party| (place_in_order[pool.parties()[party][0]], party));
    parties.dedup();
    let reasons: BTreeMap<usize, UnmatchedReason> = (0..parties.len())
        .map(|at| (parties[at], reason_for_party(scoring, pool, &parties, at)))
        .collect();
    unmatched
        .iter()
        .map(|&player| reasons[&pool.party_index(player)].clone())
        .collect()
}

/// Why `parties[at]` is in no match with the other unmatched parties.
fn reason_for_party(
    scoring: &LobbyScoring<'_>,
    pool: &LobbyPool,
    parties: &[usize],
    at: usize,
) -> UnmatchedReason {
    let mut tried = Tried {
        scoring,
        steps: 0,
        matches: 0,
        allowed: false,
        forbidden: BTreeMap::new(),
    };
    // This party first, then the others in the pool's order, from the last to the first again.
    let line: Vec<&[usize]> = (0..parties.len())
        .map(|k| pool.parties()[parties[(at + k) % parties.len()]].as_slice())
        .collect();
    let sizes = pool.sizes();
    let mut teams = vec![Vec::new(); sizes.len()];
    for team in 0..sizes.len() {
        // Another team of the same size would have the same matches once more.
        if line[0].len() <= sizes[team] && !sizes[..team].contains(&sizes[team]) {
            teams[team].extend_from_slice(line[0]);
            tried.fill(&line[1..], &mut teams, sizes);
            teams[team].clear();
        }
    }
    tried.verdict(pool.sizes())
}

/// What was found in the matches that were judged.
struct Tried<'a> {
    scoring: &'a LobbyScoring<'a>,
    steps: usize,
    matches: usize,
    allowed: bool,
    /// How often each rule or factor forbids, and why the first time.
    forbidden: BTreeMap<&'static str, (usize, String)>,
}

impl Tried<'_> {
    /// Fills the teams from the line in every way, until a match is allowed or a limit is reached.
    fn fill(&mut self, line: &[&[usize]], teams: &mut [Vec<usize>], sizes: &[usize]) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.matches >= MOST_MATCHES || self.allowed {
            return;
        }
        if teams.iter().map(Vec::len).eq(sizes.iter().copied()) {
            return self.judge(teams);
        }
        for (at, party) in line.iter().enumerate() {
            for team in 0..sizes.len() {
                if teams[team].len() + party.len() <= sizes[team] {
                    teams[team].extend_from_slice(party);
                    self.fill(&line[at + 1..], teams, sizes);
                    let before = teams[team].len() - party.len();
                    teams[team].truncate(before);
                }
            }
        }
    }

    fn judge(&mut self, teams: &[Vec<usize>]) {
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        // Dropped: teams that form no match are not counted.
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

    fn verdict(self, teams: &[usize]) -> UnmatchedReason {
        if self.allowed {
            return UnmatchedReason::Unfinished;
        }
        // Of equals the alphabetically first.
        let most = self
            .forbidden
            .into_iter()
            .max_by(|one, other| one.1.0.cmp(&other.1.0).then(other.0.cmp(one.0)));
        match most {
            Some((by, (times, example))) => UnmatchedReason::Forbidden {
                by,
                times,
                matches: self.matches,
                example,
            },
            None => UnmatchedReason::PartySizes {
                teams: teams.to_vec(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapt::lobby_pool;
    use matchwright_scoring::{Player, PolicyDocument, Pool};

    /// The reasons of all players from number `matched` on.
    fn reasons(players: Vec<Player>, matched: usize, more: &str, teams: &[usize]) -> Vec<UnmatchedReason> {
        let text = format!("[scoring.factors.team_skill]\nweight = 1\n{more}");
        let document: PolicyDocument = toml::from_str(&text).unwrap();
        let policy = document.scoring.unwrap().build().unwrap();
        let pool = Pool::new(players).unwrap();
        let unmatched: Vec<usize> = (matched..pool.len()).collect();
        let scoring = LobbyScoring {
            pool: &pool,
            policy: &policy,
        };
        unmatched_reasons(&scoring, &lobby_pool(&pool, teams).unwrap(), &unmatched)
    }

    fn player(number: usize) -> Player {
        Player {
            skill: Some(1500.0),
            ..Player::new(format!("p{number}"))
        }
    }

    #[test]
    fn each_reason_is_found_where_it_holds() {
        let plain = reasons((0..4).map(player).collect(), 0, "", &[2, 2]);
        assert_eq!(plain, vec![UnmatchedReason::Unfinished; 4]);

        let few = reasons((0..5).map(player).collect(), 4, "", &[2, 2]);
        assert_eq!(few.len(), 1);
        assert_eq!(
            few[0].to_string(),
            "too few to fill a match: 5 players make 1 match of 4, and the solver left out this one"
        );

        let in_twos = |number: usize| Player {
            party: Some((number / 2).to_string()),
            ..player(number)
        };
        let odd = reasons((0..6).map(in_twos).collect(), 0, "", &[3, 3]);
        assert_eq!(odd, vec![UnmatchedReason::PartySizes { teams: vec![3, 3] }; 6]);

        let griefers = |number: usize| Player {
            griefer: number < 2,
            ..player(number)
        };
        let forbidden = reasons(
            (0..4).map(griefers).collect(),
            0,
            "[scoring.rules.griefers]\n",
            &[2, 2],
        );
        assert!(
            forbidden.iter().all(|one| one.forbidden_by() == Some("griefers")),
            "{forbidden:?}"
        );
        assert!(
            forbidden[0]
                .to_string()
                .starts_with("forbidden by `griefers` in 3 of 3 matches judged"),
            "{}",
            forbidden[0]
        );
    }
}
