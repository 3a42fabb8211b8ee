//! The answer of `matchwright lobby`, in words and numbers that no longer need the pool.

use matchwright_lobby::{BoundSource, Lineups, LobbyPool, LobbyVerdict};
use matchwright_rating::SystemName;
use matchwright_report::{count, counted};
use matchwright_scoring::{Explanation, Pool, ScoringPolicy, TeamMatch, Total};
use matchwright_sim::adapt::{LobbyScoring, NoTerms, UnmatchedReason, unmatched_reasons};
use matchwright_solver::Status;
use serde::Serialize;

use super::odds::Odds;
use crate::arguments::TeamSizes;

/// Matches, worst first, how good they are together, and the unmatched players.
#[derive(Serialize)]
pub(crate) struct LobbyAnswer {
    pub(crate) players: usize,
    /// Players of each team of a match.
    pub(crate) teams: TeamSizes,
    /// The policy's total of the matches' qualities, which the search maximises; none without a match.
    pub(crate) mean_quality: Option<f64>,
    /// Which total that is.
    pub(crate) mean_quality_is: String,
    /// The arithmetic mean of the qualities.
    pub(crate) arithmetic_mean: Option<f64>,
    /// An upper bound on the arithmetic mean of all lineups with as many matches and the same unmatched penalties.
    pub(crate) upper_bound: Option<f64>,
    /// Where the upper bound comes from.
    pub(crate) bound_source: Option<BoundSource>,
    /// (upper bound - arithmetic mean) / upper bound.
    pub(crate) gap: Option<f64>,
    /// How the search ended; optimal if a search through all that could be better found nothing.
    pub(crate) status: Status,
    /// Why there is no upper bound but the trivial one, 1, if there is none.
    pub(crate) no_bound_because: Option<String>,
    /// Sum of the qualities less the unmatched penalties, which the search maximises where the total is the mean.
    pub(crate) value: f64,
    /// An upper bound on the value of all lineups.
    pub(crate) value_upper_bound: Option<f64>,
    /// The result of the check, if one was asked for.
    pub(crate) verdict: Option<Verdict>,
    /// Units of work of the search: exchanges tried, and nodes of the proof.
    pub(crate) work: u64,
    /// Whether another run gives the same bytes.
    pub(crate) reproducible: bool,
    /// The system that wrote the ratings, by the manifest beside the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rated_by: Option<SystemName>,
    /// Columns or keys of the players that mean nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_used: Vec<String>,
    /// What players have that the policy does not look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_looked_at: Vec<&'static str>,
    pub(crate) notes: Vec<String>,
    pub(crate) matches: Vec<LobbyMatch>,
    pub(crate) unmatched: Vec<UnmatchedPlayer>,
}

/// The result of code that shares nothing with the search: the value added up anew, and what is proven of it.
#[derive(Serialize)]
pub(crate) struct Verdict {
    pub(crate) value: f64,
    /// None without a certificate.
    pub(crate) upper_bound: Option<f64>,
    pub(crate) status: Status,
    pub(crate) says: String,
}

impl Verdict {
    fn of(verdict: &LobbyVerdict) -> Self {
        Self {
            value: verdict.value,
            upper_bound: Some(verdict.bound).filter(|bound| bound.is_finite()),
            status: verdict.status,
            says: verdict.to_string(),
        }
    }
}

/// One match.
#[derive(Serialize)]
pub(crate) struct LobbyMatch {
    /// From 1, worst first.
    pub(crate) number: usize,
    pub(crate) quality: f64,
    pub(crate) teams: Vec<Vec<Seat>>,
    /// The mean skill of each team; none if a player's skill is unknown.
    pub(crate) mean_skills: Option<Vec<f64>>,
    /// The chance of the first of two teams to win, by the policy's factor of that name, or by the system that rated the players where
    /// teams are of unequal sizes; none without it.
    pub(crate) win_probability: Option<f64>,
    pub(crate) score: Explanation,
}

impl LobbyMatch {
    /// Its teams, each with what is known of it.
    pub(crate) fn sides(&self) -> impl Iterator<Item = Team<'_>> {
        self.teams.iter().enumerate().map(|(place, seats)| Team {
            number: place + 1,
            seats,
            mean_skill: self.mean_skills.as_ref().map(|skills| skills[place]),
            win_probability: self
                .win_probability
                .map(|win| if place == 0 { win } else { 1.0 - win }),
        })
    }
}

/// One team of a match.
#[derive(Clone, Copy)]
pub(crate) struct Team<'a> {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) seats: &'a [Seat],
    pub(crate) mean_skill: Option<f64>,
    pub(crate) win_probability: Option<f64>,
}

/// A player in a match.
#[derive(Serialize)]
pub(crate) struct Seat {
    pub(crate) id: String,
    pub(crate) party: Option<String>,
    pub(crate) region: Option<String>,
    pub(crate) skill: Option<f64>,
    pub(crate) wait_seconds: f64,
    /// The mean round trip to the opponents, milliseconds, over those that are known.
    pub(crate) ping: Option<f64>,
}

/// An unmatched player.
#[derive(Serialize)]
pub(crate) struct UnmatchedPlayer {
    pub(crate) id: String,
    pub(crate) party: Option<String>,
    pub(crate) skill: Option<f64>,
    pub(crate) wait_seconds: f64,
    /// In qualities of a match.
    pub(crate) unmatched_penalty: f64,
    /// The factor or rule that forbids what it could have played, if that is why.
    pub(crate) forbidden_by: Option<&'static str>,
    pub(crate) why: String,
}

impl LobbyAnswer {
    pub(super) fn new(
        policy: &ScoringPolicy,
        scoring: &LobbyScoring<'_>,
        odds: &Odds<'_>,
        pool: &LobbyPool,
        lineups: &Lineups,
        by_clock: bool,
        verdict: Option<LobbyVerdict>,
    ) -> Self {
        let matches = matches(scoring, odds, lineups);
        let qualities: Vec<f64> = matches.iter().map(|one| one.quality).collect();
        let some = !matches.is_empty();
        let penalty = pool.penalty(&lineups.unmatched);
        let mean = some.then(|| lineups.mean_quality());
        // Rounding may put the sum of the qualities a bit above their bound.
        let of_mean = |bound: f64| {
            let bound = (bound + penalty) / matches.len() as f64;
            mean.map_or(bound, |mean| bound.clamp(mean, 1.0))
        };
        // No quality exceeds 1, whatever else is known.
        let upper_bound = mean.map(|mean| match lineups.bound() {
            _ if lineups.is_optimal() => mean,
            Some(bound) => of_mean(bound),
            None => 1.0,
        });
        let is_trivial = !lineups.is_optimal() && upper_bound.is_some_and(|bound| bound >= 1.0 - TRIVIAL);
        let bound_source = if is_trivial {
            Some(BoundSource::Trivial)
        } else {
            upper_bound.and(lineups.bound_source())
        };
        let gap = mean.zip(upper_bound).map(
            |(mean, bound)| {
                if bound > 0.0 { (bound - mean) / bound } else { 0.0 }
            },
        );
        let no_bound_because = no_bound(scoring, pool, lineups);
        let mut answer = Self {
            players: pool.players(),
            teams: TeamSizes(pool.sizes().to_vec()),
            mean_quality: some.then(|| policy.total().of(&qualities)),
            mean_quality_is: policy.total().to_string(),
            arithmetic_mean: mean,
            upper_bound,
            bound_source,
            gap,
            status: lineups.status,
            no_bound_because,
            value: lineups.value,
            value_upper_bound: if lineups.is_optimal() {
                Some(lineups.value)
            } else {
                lineups.bound()
            },
            verdict: verdict.as_ref().map(Verdict::of),
            work: lineups.work,
            reproducible: !by_clock,
            rated_by: None,
            not_used: Vec::new(),
            not_looked_at: Vec::new(),
            notes: Vec::new(),
            matches,
            unmatched: unmatched(scoring, pool, &lineups.unmatched),
        };
        answer.notes = answer.notes(policy);
        answer
    }

    /// Whether the total is the arithmetic mean.
    pub(crate) fn is_by_mean(&self) -> bool {
        self.mean_quality_is == Total::AVERAGE.to_string()
    }

    /// Whether the matches are proven to be the best.
    pub(crate) fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }

    /// Whether the upper bound is one that holds for any players.
    pub(crate) fn is_bound_trivial(&self) -> bool {
        self.bound_source == Some(BoundSource::Trivial)
    }

    /// All in one line.
    pub(crate) fn summary(&self) -> String {
        let mut words = vec![
            counted(self.players, "player", "players"),
            format!(
                "{} of {}",
                counted(self.matches.len(), "match", "matches"),
                self.teams
            ),
        ];
        match self.mean_quality.zip(self.arithmetic_mean) {
            Some((mean, _)) if self.is_by_mean() => words.push(format!("mean quality {mean:.4}")),
            Some((total, mean)) => words.push(format!(
                "{} of the qualities {total:.4}, arithmetic mean {mean:.4}",
                self.mean_quality_is
            )),
            None => {}
        }
        match (self.upper_bound, self.gap) {
            (Some(_), _) if self.is_optimal() => words.push("proven optimal".to_owned()),
            (Some(_), Some(gap)) if self.is_bound_trivial() => {
                words.push(format!("no upper bound below 1 (gap {:.2} %)", 100.0 * gap));
            }
            (Some(bound), Some(gap)) => {
                words.push(format!("upper bound {bound:.4} (gap {:.2} %)", 100.0 * gap));
            }
            _ => {}
        }
        words.push(format!("{} unmatched", count(self.unmatched.len() as u64)));
        words.join(", ")
    }

    fn notes(&self, policy: &ScoringPolicy) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.is_by_mean() {
            let has_bound = self.upper_bound.is_some() && !self.is_bound_trivial();
            let below = matches!(policy.total(), Total::PowerMean(mean) if mean.exponent() < 1.0);
            let bound = match (has_bound, below) {
                (true, true) => {
                    " The upper bound, of the arithmetic mean, holds for it as well: such a mean is never above that."
                }
                (true, false) => {
                    " Upper bound and gap are those of the arithmetic mean: none are known of this total."
                }
                (false, _) => "",
            };
            notes.push(format!(
                "The search maximises the policy's total, the {} of the qualities.{bound}",
                self.mean_quality_is
            ));
        }
        if let Some(why) = &self.no_bound_because {
            notes.push(format!("No bound below 1, which no quality exceeds: {why}."));
        }
        if self.is_bound_trivial() && self.no_bound_because.is_none() {
            notes.push(TRIVIAL_BOUND.to_owned());
        }
        if let Some(verdict) = &self.verdict {
            notes.push(format!(
                "Checked by code that shares nothing with the search (sum of qualities less unmatched penalties): {}.",
                verdict.says
            ));
        }
        if !self.reproducible {
            notes.push(
                "Where the search stopped depends on the machine: another run may give other matches (--iterations \
                 gives the same ones)."
                    .to_owned(),
            );
        }
        notes
    }
}

/// An upper bound this near to 1 says nothing.
const TRIVIAL: f64 = 1e-9;

/// What a trivial bound means.
pub(crate) const TRIVIAL_BOUND: &str = "The upper bound is the trivial one, 1, which no quality exceeds: no better one was \
    found within the limits. The best matches may be nearer to these than the gap says.";

fn no_bound(scoring: &LobbyScoring<'_>, pool: &LobbyPool, lineups: &Lineups) -> Option<String> {
    if lineups.certificate.is_some() || lineups.is_optimal() {
        return None;
    }
    let all: Vec<usize> = (0..pool.players()).collect();
    let terms = pool
        .two_teams()
        .ok_or_else(|| NoTerms::ManyTeams(pool.sizes().len()))
        .and_then(|sizes| scoring.lobby_terms(&all, sizes));
    Some(match terms {
        Err(why) => why.to_string(),
        Ok(_) => "the search ended before there was one".to_owned(),
    })
}

fn matches(scoring: &LobbyScoring<'_>, odds: &Odds<'_>, lineups: &Lineups) -> Vec<LobbyMatch> {
    let mut lobbies: Vec<_> = lineups.lobbies.iter().collect();
    // Ties keep the order of the lineups.
    lobbies.sort_by(|one, other| one.quality.total_cmp(&other.quality));
    let numbered = (1..).zip(lobbies).filter_map(|(number, lobby)| {
        let teams: Vec<&[usize]> = lobby.teams.iter().map(Vec::as_slice).collect();
        let candidate = TeamMatch::new(scoring.pool, &teams).ok()?;
        Some(LobbyMatch {
            number,
            quality: lobby.quality,
            teams: (0..teams.len())
                .map(|place| seats(scoring.pool, &teams, place))
                .collect(),
            mean_skills: mean_skills(scoring.pool, &teams),
            win_probability: odds.of(&candidate),
            score: scoring.policy.explain(&candidate),
        })
    });
    numbered.collect()
}

/// The unmatched players, each with the reason.
fn unmatched(scoring: &LobbyScoring<'_>, pool: &LobbyPool, players: &[usize]) -> Vec<UnmatchedPlayer> {
    let one = |(&player, reason): (&usize, UnmatchedReason)| {
        let who = &scoring.pool[player];
        UnmatchedPlayer {
            id: who.id.clone(),
            party: who.party.clone(),
            skill: who.skill,
            wait_seconds: scoring.pool.wait_seconds(player),
            unmatched_penalty: pool.unmatched_penalties()[player],
            forbidden_by: reason.forbidden_by(),
            why: reason.to_string(),
        }
    };
    let reasons = unmatched_reasons(scoring, pool, players);
    players.iter().zip(reasons).map(one).collect()
}

fn mean_skills(pool: &Pool, teams: &[&[usize]]) -> Option<Vec<f64>> {
    let mean = |team: &[usize]| {
        let sum: f64 = team.iter().map(|&player| pool.skill(player)).sum();
        sum / team.len() as f64
    };
    let means: Vec<f64> = teams.iter().map(|team| mean(team)).collect();
    Some(means).filter(|means| means.iter().all(|mean| mean.is_finite()))
}

/// One team's, party by party, in the order of the file.
fn seats(pool: &Pool, teams: &[&[usize]], place: usize) -> Vec<Seat> {
    let mut team = teams[place].to_vec();
    let others = teams.iter().enumerate().filter(|&(other, _)| other != place);
    let opponents: Vec<usize> = others.flat_map(|(_, team)| team.iter().copied()).collect();
    let first = |player: usize| {
        pool.party_of(player)
            .map_or(player, |party| pool.parties()[party][0])
    };
    team.sort_by_key(|&player| (first(player), player));
    let seat = |&place: &usize| {
        let player = &pool[place];
        let pings = opponents.iter().map(|&opponent| pool.ping(place, opponent));
        let pings: Vec<f64> = pings.filter(|ping| ping.is_finite()).collect();
        Seat {
            id: player.id.clone(),
            party: player.party.clone(),
            region: player.region.clone(),
            skill: player.skill,
            wait_seconds: pool.wait_seconds(place),
            ping: (!pings.is_empty()).then(|| pings.iter().sum::<f64>() / pings.len() as f64),
        }
    };
    team.iter().map(seat).collect()
}
