//! Players and a scoring policy as a lobby solver sees them.

use matchwright_lobby::{
    Balance, LobbyError, LobbyObjective, LobbyPool, LobbyTerms, MatchEvaluator, TermsError,
    evaluator_by_calls,
};
use matchwright_scoring::{
    BalanceCurve, Decomposition, PairTable, PolicyDecomposition, PolicyTerm, Pool, TeamFactor, TeamMatch,
    TeamScorer, waiting_cost,
};
use thiserror::Error;

/// A scoring policy over a pool, as what lobbies are made by: players are indices in the pool.
///
/// ```text
/// quality(A, B)  the policy's quality of the match of A against B, likewise of more teams
/// terms          the same as a sum, where the policy adds up (see NoTerms)
/// ```
///
/// ```
/// use matchwright_scoring::{Player, Pool, ScoringPolicy, TeamSkill, WeightedFactor};
/// use matchwright_sim::adapt::{LobbyScoring, lobby_pool};
/// use matchwright_lobby::{CertifiedLobbies, LobbySolver};
///
/// let player = |skill: u32| Player { skill: Some(f64::from(skill)), ..Player::new(format!("p{skill}")) };
/// let pool = Pool::new([100, 4000, 2000, 6100].map(player).into())?;
/// let policy = ScoringPolicy::new(vec![WeightedFactor::new(1.0, TeamSkill::default())])?;
/// let scoring = LobbyScoring { pool: &pool, policy: &policy };
/// let lineups = CertifiedLobbies::new(1).with_moves(1000).solve(&lobby_pool(&pool, [2, 2])?, &scoring)?;
/// assert_eq!(lineups.lobbies[0].teams, [[0, 3], [1, 2]]);
/// assert!(lineups.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct LobbyScoring<'a> {
    /// Who waits.
    pub pool: &'a Pool,
    /// What a good match is.
    pub policy: &'a dyn TeamScorer,
}

/// Why a policy's quality is no sum that a solver could search quickly and bound. Lobbies are found all the same,
/// more slowly, and without a proof of how good they are.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NoTerms {
    /// More than two teams: factors are taken apart for two.
    #[error("matches are of {0} teams, and factors add up for two teams only")]
    ManyTeams(usize),
    /// Teams of different sizes: factors are taken apart for equal ones.
    #[error("teams of {0} and {1} are not of one size, and factors add up for equal teams only")]
    UnevenTeams(usize, usize),
    /// A scorer that does not take itself apart.
    #[error("the scorer gives whole qualities alone")]
    Whole,
    /// Another mean than the weighted average.
    #[error("`scoring.combine` is not the weighted average, and other means of factors do not add up")]
    Mean,
    /// A quality below which no match is made.
    #[error("`scoring.threshold` forbids matches by their sum")]
    Threshold,
    /// A factor that does not add up.
    #[error("`{0}` does not add up over players and pairs")]
    Factor(&'static str),
    /// A quality of one factor below which no match is made.
    #[error("the floor of `{0}` forbids matches by a sum")]
    Floor(&'static str),
    /// More than one factor that counts hosts, or what is like them.
    #[error("`{0}` and `{1}` both count players who reach all others")]
    SeveralHubs(&'static str, &'static str),
    /// A count of hosts that forbids.
    #[error("`{0}` forbids matches by a count")]
    CountForbids(&'static str),
    /// A player who can be reached by another whom it cannot host.
    #[error("`{0}` depends on who of two players is host (somebody has `can_host` = false)")]
    OneSided(&'static str),
    /// A player of whom a balance does not know the level.
    #[error("`{0}` does not know every player's level")]
    UnknownLevel(&'static str),
    /// Numbers that the solver refused.
    #[error("the terms are no numbers that a solver takes: {0}")]
    Numbers(String),
}

impl LobbyScoring<'_> {
    /// The policy's quality as a sum over matches of two teams of `sizes` among `players`.
    ///
    /// A factor's share is spread over its pairs: share / (number of pairs) for each. O(n^2) for each factor.
    ///
    /// # Errors
    /// [`NoTerms`] says which part of the policy does not add up.
    pub fn lobby_terms(&self, players: &[usize], sizes: (usize, usize)) -> Result<LobbyTerms, NoTerms> {
        if sizes.0 != sizes.1 {
            return Err(NoTerms::UnevenTeams(sizes.0, sizes.1));
        }
        let parts = self
            .policy
            .decomposition(self.pool, players, sizes.0)
            .filter(|parts| parts.terms.iter().all(|part| part.decomposition.is_sum()))
            .ok_or_else(|| self.what_does_not_add_up(players, sizes.0))?;
        terms_of(&parts, players.len(), sizes.0)
    }

    fn what_does_not_add_up(&self, players: &[usize], team_size: usize) -> NoTerms {
        let factors = self.policy.factors();
        let adds_up = |factor: &&&dyn TeamFactor| {
            let parts = factor.decomposition(self.pool, players, team_size);
            parts.is_some_and(|parts| parts.is_sum())
        };
        match factors.iter().find(|factor| !adds_up(factor)) {
            Some(factor) => NoTerms::Factor(factor.name()),
            None if factors.is_empty() => NoTerms::Whole,
            None => NoTerms::Mean,
        }
    }
}

impl LobbyObjective for LobbyScoring<'_> {
    fn quality(&self, team_a: &[usize], team_b: &[usize]) -> Option<f64> {
        let teams = [team_a, team_b];
        // Dropped: teams that are no match are forbidden.
        self.policy.quality(&TeamMatch::new(self.pool, &teams).ok()?)
    }

    fn quality_of(&self, teams: &[Vec<usize>]) -> Option<f64> {
        let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
        // Dropped: as above.
        self.policy.quality(&TeamMatch::new(self.pool, &teams).ok()?)
    }

    fn terms(&self, players: &[usize], sizes: (usize, usize)) -> Option<LobbyTerms> {
        // Dropped: a policy that is no sum is evaluated whole; `lobby_terms` names why.
        self.lobby_terms(players, sizes).ok()
    }

    fn evaluator(&self, players: &[usize], sizes: (usize, usize)) -> MatchEvaluator<'_> {
        let equal = sizes.0 == sizes.1;
        let parts = equal.then(|| self.policy.decomposition(self.pool, players, sizes.0));
        match parts.flatten() {
            Some(parts) => Box::new(move |team_a, team_b| parts.search_value([team_a, team_b])),
            None => evaluator_by_calls(self, players),
        }
    }
}

fn terms_of(policy: &PolicyDecomposition, players: usize, team_size: usize) -> Result<LobbyTerms, NoTerms> {
    if policy.threshold > 0.0 {
        return Err(NoTerms::Threshold);
    }
    if let Some(part) = policy.terms.iter().find(|part| may_forbid_by_floor(part)) {
        return Err(NoTerms::Floor(part.name));
    }
    let numbers = |error: TermsError| NoTerms::Numbers(error.to_string());
    let mut terms = LobbyTerms::new(players).map_err(numbers)?;
    let (mut rules, mut constant) = (Vec::new(), 0.0);
    // Row by row, what pairs are worth by all factors: as mates, as opponents.
    let mut worths = [vec![0.0; players * players], vec![0.0; players * players]];
    let mut hubs: Option<&'static str> = None;
    let (mates, opponents) = (team_size * team_size.saturating_sub(1), team_size * team_size);
    for part in &policy.terms {
        match &part.decomposition {
            Decomposition::Players { quality } => {
                let share = part.share / (mates + opponents).max(1) as f64;
                add_players(&mut worths, quality, share);
            }
            Decomposition::Pairs { together, against } => {
                let count = |table: bool, pairs| if table { pairs } else { 0 };
                let pairs = count(together.is_some(), mates) + count(against.is_some(), opponents);
                if pairs == 0 {
                    // Without a pair of its kind a factor has quality 1.
                    constant += part.share;
                    continue;
                }
                let share = part.share / pairs as f64;
                for (worths, table) in worths.iter_mut().zip([together, against]) {
                    let qualities = table.iter().flat_map(PairTable::values);
                    for (worth, quality) in worths.iter_mut().zip(qualities) {
                        *worth += share * quality;
                    }
                }
            }
            Decomposition::PairRule {
                together_forbidden,
                against_forbidden,
            } => rules.push([together_forbidden, against_forbidden]),
            Decomposition::Balance { level, curve } => {
                let balance = balance(part, level, curve)?;
                terms = terms.with_balance(balance).map_err(numbers)?;
            }
            Decomposition::Hubs { linked, by_count } => {
                if let Some(first) = hubs.replace(part.name) {
                    return Err(NoTerms::SeveralHubs(first, part.name));
                }
                let worth = hub_worth(part, linked, by_count, players)?;
                let linked = |i: usize, j: usize| linked[i * players + j];
                terms = terms.with_links(linked, worth).map_err(numbers)?;
            }
            Decomposition::Spread { .. }
            | Decomposition::Greatest { .. }
            | Decomposition::CommonShare { .. } => {
                return Err(NoTerms::Factor(part.name));
            }
        }
    }
    let allowed = |kind: usize, i: usize, j: usize| rules.iter().all(|rule| !rule[kind][i * players + j]);
    // Every match has opponents, which is where what is the same for all is spread.
    let each = constant / opponents.max(1) as f64;
    let [mates, opponents] = worths;
    terms
        .with_pairs(
            |i, j| allowed(0, i, j).then(|| mates[i * players + j]),
            |i, j| allowed(1, i, j).then(|| each + opponents[i * players + j]),
        )
        .map_err(numbers)
}

/// Adds the mean over players, as that over pairs of the two's mean: each player is in as many pairs as every other.
fn add_players(worths: &mut [Vec<f64>; 2], quality: &[f64], share: f64) {
    for worths in worths {
        for (row, one) in worths.chunks_exact_mut(quality.len().max(1)).zip(quality) {
            for (worth, other) in row.iter_mut().zip(quality) {
                *worth += share * f64::midpoint(*one, *other);
            }
        }
    }
}

/// A floor of 0 forbids nothing.
fn may_forbid_by_floor(part: &PolicyTerm) -> bool {
    part.floor.is_some_and(|floor| floor > 0.0)
}

fn balance(part: &PolicyTerm, level: &[f64], curve: &BalanceCurve) -> Result<Balance, NoTerms> {
    if level.iter().any(|level| !level.is_finite()) {
        return Err(NoTerms::UnknownLevel(part.name));
    }
    let (share, curve) = (part.share, curve.clone());
    let worth = move |difference: f64| share * curve.quality(difference);
    Ok(Balance::new(level.to_vec(), share, worth))
}

/// What each number of hubs is worth, if links are the same both ways: those of a solver have no direction.
fn hub_worth(
    part: &PolicyTerm,
    linked: &[bool],
    by_count: &[Option<f64>],
    players: usize,
) -> Result<Vec<f64>, NoTerms> {
    let both = |i: usize, j: usize| linked[i * players + j] == linked[j * players + i];
    if !(0..players).all(|i| (0..i).all(|j| both(i, j))) {
        return Err(NoTerms::OneSided(part.name));
    }
    let worth: Option<Vec<f64>> = by_count
        .iter()
        .map(|quality| Some(part.share * (*quality)?))
        .collect();
    worth.ok_or(NoTerms::CountForbids(part.name))
}

/// The most that waiting adds to a penalty.
const MOST_FOR_WAITING: f64 = 10.0;

/// The penalty of an unmatched player who has waited that long, in qualities of a match.
///
/// ```text
/// penalty = 1 + min(waiting cost, 10)
/// ```
///
/// At 1 or more, no quality is worth a match less: as many play as can. A player who was unmatched before has waited
/// longer and costs more ([`waiting_cost`]), so it plays unless the matches lose more than that by it. The cap, 50
/// minutes, keeps one player's wait from outweighing all qualities; it is a choice of ours.
///
/// ```
/// use matchwright_sim::adapt::unmatched_penalty;
///
/// assert_eq!([0.0, 60.0, 1e9].map(unmatched_penalty), [1.0, 1.2, 11.0]);
/// ```
#[must_use]
pub fn unmatched_penalty(wait_seconds: f64) -> f64 {
    1.0 + waiting_cost(wait_seconds).min(MOST_FOR_WAITING)
}

/// The pool as a lobby solver takes it: parties, penalties by [`unmatched_penalty`], and as the order that searches
/// start from, players by region (or the region that they are nearest to), then by skill.
///
/// # Errors
/// [`LobbyError`] if there are too few players, a party is larger than every team
/// ([`Pool::check_party_sizes`] names its members), or an index below the highest is free: a solver's players have the
/// indices from 0 on, as those of a [`Pool::new`] do.
pub fn lobby_pool(pool: &Pool, sizes: impl Into<Vec<usize>>) -> Result<LobbyPool, LobbyError> {
    let mut order: Vec<usize> = pool.indices().collect();
    if let Some(&highest) = order.last().filter(|&&highest| highest >= pool.len()) {
        return Err(LobbyError::Size {
            what: "the highest index of a player",
            given: highest,
            most: pool.len() - 1,
        });
    }
    let penalty = |&player: &usize| unmatched_penalty(pool.wait_seconds(player));
    let penalties: Vec<f64> = order.iter().map(penalty).collect();
    let homes: Vec<Option<usize>> = order.iter().map(|&player| home(pool, player)).collect();
    order.sort_by(|&a, &b| {
        let by_skill = pool.skill(a).total_cmp(&pool.skill(b));
        homes[a].cmp(&homes[b]).then(by_skill)
    });
    LobbyPool::new(pool.len(), sizes)?
        .with_parties(pool.parties())?
        .with_unmatched_penalties(&penalties)?
        .with_order(&order)
}

/// The place of the player's region among all, or else of the region with its least ping.
fn home(pool: &Pool, player: usize) -> Option<usize> {
    if let Some(region) = &pool[player].region {
        return pool.regions().iter().position(|known| known == region);
    }
    let pings = pool.region_pings(player);
    (0..pings.len())
        .filter(|&place| !pings[place].is_nan())
        .min_by(|&a, &b| pings[a].total_cmp(&pings[b]))
}

#[cfg(test)]
#[cfg(feature = "simulate")]
mod tests;
