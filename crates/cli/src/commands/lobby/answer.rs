//! All that is said of lineups, in words and numbers that no longer need the pool.

use matchwright_lobby::{Lineups, LobbyPool, LobbyVerdict};
use matchwright_report::count;
use matchwright_scoring::{Explanation, ScoringPolicy, TeamMatch};
use matchwright_sim::adapt::{LobbyScoring, UnmatchedReason, unmatched_reasons};
use serde::Serialize;

/// Matches, worst first, how good they are together, and who is left over.
#[derive(Serialize)]
pub(crate) struct LobbyAnswer {
    pub(crate) players: usize,
    /// Players of the two teams of a match.
    pub(crate) teams: (usize, usize),
    /// The policy's mean of the matches' qualities; none without a match.
    pub(crate) total: Option<f64>,
    /// Which mean that is.
    pub(crate) total_is: String,
    /// The arithmetic mean of the qualities, which the search makes as large as it can.
    pub(crate) mean: Option<f64>,
    /// What the mean of no other lineup exceeds that makes as many matches and leaves out players of the same price.
    pub(crate) bound: Option<f64>,
    /// (bound - mean) / bound.
    pub(crate) gap: Option<f64>,
    /// Whether a search through all that could be better found nothing.
    pub(crate) optimal: bool,
    /// Why there is no bound, if there is none.
    pub(crate) no_bound_because: Option<String>,
    /// Sum of the qualities less the prices of who is left over: what the search makes as large as it can.
    pub(crate) value: f64,
    /// What the value of no lineup exceeds.
    pub(crate) value_bound: Option<f64>,
    /// What the check found, if one was asked for.
    pub(crate) verdict: Option<Verdict>,
    /// Exchanges tried.
    pub(crate) tried: u64,
    /// Whether another run gives the same bytes.
    pub(crate) reproducible: bool,
    pub(crate) notes: Vec<String>,
    pub(crate) matches: Vec<LobbyMatch>,
    pub(crate) left_over: Vec<LeftOver>,
}

/// What code that shares nothing with the search found of the lineups: their value anew, and what is proven of it.
#[derive(Serialize)]
pub(crate) struct Verdict {
    pub(crate) value: f64,
    /// None without a certificate.
    pub(crate) bound: Option<f64>,
    pub(crate) optimal: bool,
    pub(crate) says: String,
}

impl Verdict {
    fn of(verdict: &LobbyVerdict) -> Self {
        Self {
            value: verdict.value,
            bound: Some(verdict.bound).filter(|bound| bound.is_finite()),
            optimal: verdict.optimal,
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
    pub(crate) team1: Vec<Seat>,
    pub(crate) team2: Vec<Seat>,
    pub(crate) score: Explanation,
}

/// A player in a match.
#[derive(Serialize)]
pub(crate) struct Seat {
    pub(crate) id: String,
    pub(crate) party: Option<String>,
    pub(crate) region: Option<String>,
    pub(crate) skill: Option<f64>,
}

/// A player who waits on.
#[derive(Serialize)]
pub(crate) struct LeftOver {
    pub(crate) id: String,
    pub(crate) party: Option<String>,
    pub(crate) wait_seconds: f64,
    /// What leaving it out cost, in qualities of a match.
    pub(crate) price: f64,
    /// The factor or rule that forbids what it could have played, if that is why.
    pub(crate) forbidden_by: Option<&'static str>,
    pub(crate) why: String,
}

impl LobbyAnswer {
    pub(super) fn new(
        scoring: &LobbyScoring<'_>,
        pool: &LobbyPool,
        lineups: &Lineups,
        by_clock: bool,
        verdict: Option<LobbyVerdict>,
    ) -> Self {
        let matches = matches(scoring, lineups);
        let qualities: Vec<f64> = matches.iter().map(|one| one.quality).collect();
        let some = !matches.is_empty();
        let price: f64 = lineups.left_out.iter().map(|&player| pool.prices()[player]).sum();
        let mean = some.then(|| lineups.mean_quality());
        // Rounding may put the sum of the qualities a bit above their bound.
        let of_mean = |bound: f64| {
            let bound = (bound + price) / matches.len() as f64;
            mean.map_or(bound, |mean| bound.clamp(mean, 1.0))
        };
        let bound = match mean {
            Some(mean) if lineups.optimal => Some(mean),
            _ => lineups.bound().filter(|_| some).map(of_mean),
        };
        let gap = mean.zip(bound).map(
            |(mean, bound)| {
                if bound > 0.0 { (bound - mean) / bound } else { 0.0 }
            },
        );
        let no_bound_because = no_bound(scoring, pool, lineups);
        let mut answer = Self {
            players: pool.players(),
            teams: pool.sizes(),
            total: some.then(|| scoring.policy.total().of(&qualities)),
            total_is: total_is(scoring.policy),
            mean,
            bound,
            gap,
            optimal: lineups.optimal,
            no_bound_because,
            value: lineups.value,
            value_bound: lineups.bound(),
            verdict: verdict.as_ref().map(Verdict::of),
            tried: lineups.tried,
            reproducible: !by_clock,
            notes: Vec::new(),
            matches,
            left_over: left_over(scoring, pool, &lineups.left_out),
        };
        answer.notes = answer.notes(scoring.policy);
        answer
    }

    /// All in one line.
    pub(crate) fn summary(&self) -> String {
        let (a, b) = self.teams;
        let mut words = vec![
            counted(self.players, "player", "players"),
            format!("{} of {a}v{b}", counted(self.matches.len(), "match", "matches")),
        ];
        if let Some(total) = self.total {
            words.push(format!("mean quality {total:.4}"));
        }
        if self.total_is != AVERAGE
            && let Some(mean) = self.mean
        {
            words.push(format!("arithmetic mean {mean:.4}"));
        }
        match (self.bound, self.gap) {
            (Some(_), _) if self.optimal => words.push("proven optimal".to_owned()),
            (Some(bound), Some(gap)) => {
                words.push(format!("upper bound {bound:.4} (gap {:.2} %)", 100.0 * gap));
            }
            _ if self.matches.is_empty() => {}
            _ => words.push("no upper bound".to_owned()),
        }
        words.push(format!("{} unmatched", count(self.left_over.len() as u64)));
        words.join(", ")
    }

    fn notes(&self, policy: &ScoringPolicy) -> Vec<String> {
        let mut notes = Vec::new();
        if self.total_is != AVERAGE {
            let exponent = policy.total().exponent();
            let bound = if exponent < 1.0 && self.bound.is_some() {
                " The upper bound holds for it as well, as such a mean is never above the arithmetic one."
            } else if self.bound.is_some() {
                " The upper bound is one of the arithmetic mean, not of this one."
            } else {
                ""
            };
            notes.push(format!(
                "The policy's mean quality is a {}. It is reported, but the search maximises the arithmetic mean.{bound}",
                self.total_is
            ));
        }
        if let Some(why) = &self.no_bound_because {
            notes.push(format!("No bound: {why}."));
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

const AVERAGE: &str = "arithmetic mean";

fn total_is(policy: &ScoringPolicy) -> String {
    let total = policy.total();
    if total.is_average() {
        AVERAGE.to_owned()
    } else {
        format!("power mean of exponent {}", total.exponent())
    }
}

/// `1 match`, `16 matches`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        count(number as u64),
        if number == 1 { one } else { many }
    )
}

fn no_bound(scoring: &LobbyScoring<'_>, pool: &LobbyPool, lineups: &Lineups) -> Option<String> {
    if lineups.certificate.is_some() || lineups.optimal {
        return None;
    }
    let all: Vec<usize> = (0..pool.players()).collect();
    Some(match scoring.lobby_terms(&all, pool.sizes()) {
        Err(why) => why.to_string(),
        Ok(_) => "the search ended before there was one".to_owned(),
    })
}

fn matches(scoring: &LobbyScoring<'_>, lineups: &Lineups) -> Vec<LobbyMatch> {
    let mut lobbies: Vec<_> = lineups.lobbies.iter().collect();
    // Ties keep the order of the lineups.
    lobbies.sort_by(|one, other| one.quality.total_cmp(&other.quality));
    let numbered = (1..).zip(lobbies).filter_map(|(number, lobby)| {
        let teams: [&[usize]; 2] = [&lobby.team_a, &lobby.team_b];
        let candidate = TeamMatch::new(scoring.pool, &teams).ok()?;
        Some(LobbyMatch {
            number,
            quality: lobby.quality,
            team1: seats(scoring, &lobby.team_a),
            team2: seats(scoring, &lobby.team_b),
            score: scoring.policy.explain(&candidate),
        })
    });
    numbered.collect()
}

/// Everybody who is left over, with the reason.
fn left_over(scoring: &LobbyScoring<'_>, pool: &LobbyPool, left: &[usize]) -> Vec<LeftOver> {
    let one = |(&player, reason): (&usize, UnmatchedReason)| {
        let who = &scoring.pool[player];
        LeftOver {
            id: who.id.clone(),
            party: who.party.clone(),
            wait_seconds: scoring.pool.wait_seconds(player),
            price: pool.prices()[player],
            forbidden_by: reason.forbidden_by(),
            why: reason.to_string(),
        }
    };
    let reasons = unmatched_reasons(scoring, pool, left);
    left.iter().zip(reasons).map(one).collect()
}

/// Party by party, in the order of the file.
fn seats(scoring: &LobbyScoring<'_>, team: &[usize]) -> Vec<Seat> {
    let pool = scoring.pool;
    let mut team = team.to_vec();
    let first = |player: usize| {
        pool.party_of(player)
            .map_or(player, |party| pool.parties()[party][0])
    };
    team.sort_by_key(|&player| (first(player), player));
    let seat = |&player: &usize| {
        let player = &pool[player];
        Seat {
            id: player.id.clone(),
            party: player.party.clone(),
            region: player.region.clone(),
            skill: player.skill,
        }
    };
    team.iter().map(seat).collect()
}
