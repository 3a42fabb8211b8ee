//! A part of one's own for each trait.

use matchwright_churn::{ChurnModel, Outcome};
use matchwright_lobby::{
    BoundSource, ExhaustiveSplit, Group, Lineups, Lobby, LobbyError, LobbyObjective, LobbyPool, LobbySolver,
    MatchFinder, SplitError, TeamSplit, TeamSplitter,
};
use matchwright_rating::{GameResult, RatingSystem, Scale, Tunable};
use matchwright_scoring::{MatchScorer, TeamMatch, TeamScorer};
use matchwright_solver::{CostOracle, Limits, Pairing, PairingSolver, SolveError, Status};

/// A rating system: points, of which a game moves a share of the surprise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points(pub f64);

impl RatingSystem for Points {
    type Rating = f64;

    fn initial(&self) -> f64 {
        0.0
    }

    fn expected_score(&self, player: &f64, opponent: &f64) -> f64 {
        1.0 / (1.0 + ((opponent - player) / 100.0).exp())
    }

    fn update(&self, player: &f64, _: f64, games: &[GameResult<f64>]) -> f64 {
        let surprise = |game: &GameResult<f64>| {
            game.share * (game.score.value() - self.expected_score(player, &game.opponent))
        };
        player + self.0 * games.iter().map(surprise).sum::<f64>()
    }
}

impl Tunable for Points {
    fn knobs(&mut self, turn: &mut dyn FnMut(&'static str, Scale, &mut f64)) {
        turn("step", Scale::Factors(0.1, 1000.0), &mut self.0);
    }
}

/// A churn model: who lost last leaves more often.
pub struct Sore;

impl ChurnModel<[Outcome]> for Sore {
    fn churn_probability(&self, last: &[Outcome]) -> f64 {
        if last.last() == Some(&Outcome::Loss) { 0.1 } else { 0.02 }
    }
}

/// A scorer: teams whose `form`, a number that no crate knows, is alike.
#[derive(Clone, Copy, Debug)]
pub struct Even;

impl MatchScorer<TeamMatch<'_>> for Even {
    fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
        let form = |&player: &usize| candidate.pool()[player].numbers.get("form").copied().unwrap_or(0.0);
        let gap = candidate.difference(|team| team.iter().map(form).sum::<f64>() / team.len() as f64);
        (gap < 400.0).then(|| 1.0 - gap / 400.0)
    }
}

impl TeamScorer for Even {}

/// A pairing solver: each vertex in turn takes its cheapest free partner.
pub struct Grab;

impl PairingSolver for Grab {
    fn solve_within(&self, costs: &dyn CostOracle, _: &Limits<'_>) -> Result<Pairing, SolveError> {
        let mut mates: Vec<usize> = (0..costs.vertices()).collect();
        for i in 0..mates.len() {
            let is_free = |j: &usize| *j != i && mates[i] == i && mates[*j] == *j;
            let priced = (0..mates.len()).filter(is_free).filter_map(|j| Some((costs.cost(i, j)?, j)));
            if let Some((_, j)) = priced.min_by(|a, b| a.0.total_cmp(&b.0)) {
                (mates[i], mates[j]) = (j, i);
            }
        }
        Pairing::from_mates(costs, mates)
    }
}

/// A team splitter: teams in the group's order; where that is forbidden or tears a party, the best of all splits.
pub struct InTurn;

impl TeamSplitter for InTurn {
    fn split_within(&self, group: &Group, objective: &dyn LobbyObjective, limits: &Limits<'_>) -> Result<TeamSplit, SplitError> {
        let mut rest = group.players().iter().copied();
        let teams: Vec<Vec<usize>> = group.sizes().iter().map(|&size| rest.by_ref().take(size).collect()).collect();
        let is_whole = |party: Vec<usize>| teams.iter().any(|team| party.iter().all(|one| team.contains(one)));
        let quality = if group.parties().all(is_whole) { objective.checked_quality(&teams)? } else { None };
        let Some(quality) = quality else {
            return ExhaustiveSplit.split_within(group, objective, limits);
        };
        Ok(TeamSplit { teams, quality, bound: 1.0, source: BoundSource::Trivial, status: Status::Finished })
    }
}

/// The first parties of a list that fill all teams.
fn first_teams<'a>(sizes: &[usize], parties: impl Iterator<Item = &'a Vec<usize>>) -> Option<Vec<Vec<usize>>> {
    let mut teams = vec![Vec::new(); sizes.len()];
    for party in parties {
        if let Some(team) = (0..sizes.len()).find(|&team| teams[team].len() + party.len() <= sizes[team]) {
            teams[team].extend_from_slice(party);
        }
    }
    teams.iter().map(Vec::len).eq(sizes.iter().copied()).then_some(teams)
}

/// A match finder: the player's party with the first of the list who fill all teams.
pub struct Next;

impl MatchFinder for Next {
    fn find(&self, pool: &LobbyPool, objective: &dyn LobbyObjective, player: usize, _: &Limits<'_>) -> Result<Option<Lobby>, LobbyError> {
        let (own, others): (Vec<_>, Vec<_>) = pool.parties().iter().partition(|party| party.contains(&player));
        let teams = first_teams(pool.sizes(), own.into_iter().chain(others));
        Ok(teams.and_then(|teams| {
            let quality = objective.quality_of(&teams)?;
            Some(Lobby { teams, quality })
        }))
    }
}

/// A lobby solver: match after match of the first of the list; who cannot play with the next ones stays.
pub struct Queue;

impl LobbySolver for Queue {
    fn solve_within(&self, pool: &LobbyPool, objective: &dyn LobbyObjective, _: &Limits<'_>) -> Result<Lineups, LobbyError> {
        let mut waiting: Vec<&Vec<usize>> = pool.parties().iter().collect();
        let mut matches = Vec::new();
        while !waiting.is_empty() {
            match first_teams(pool.sizes(), waiting.iter().copied()) {
                Some(teams) if objective.quality_of(&teams).is_some() => {
                    waiting.retain(|party| !teams.iter().any(|team| team.contains(&party[0])));
                    matches.push(teams);
                }
                _ => drop(waiting.remove(0)),
            }
        }
        Lineups::of_teams(pool, objective, matches)
    }
}
