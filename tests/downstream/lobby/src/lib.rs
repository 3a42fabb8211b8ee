//! A splitter and a lobby solver that matchwright-lobby does not have, written against its published interface.

use matchwright_lobby::{
    BoundSource, ExhaustiveSplit, Group, Lineups, LobbyError, LobbyObjective, LobbyPool, LobbySolver,
    SplitError, TeamSplit, TeamSplitter,
};
use matchwright_solver::{Limits, Status};

/// Fills the teams in the group's order, and goes through all splits where that is forbidden or tears a party.
pub struct InOrder;

impl TeamSplitter for InOrder {
    fn split_within(&self, group: &Group, objective: &dyn LobbyObjective, _: &Limits<'_>) -> Result<TeamSplit, SplitError> {
        let mut rest = group.players();
        let mut teams: Vec<Vec<usize>> = Vec::new();
        for &size in group.sizes() {
            let (team, others) = rest.split_at(size);
            teams.push(team.to_vec());
            rest = others;
        }
        let whole = |party: Vec<usize>| {
            teams
                .iter()
                .any(|team| party.iter().all(|player| team.contains(player)))
        };
        if group.parties().all(whole)
            && let Some(quality) = group.quality(&teams, objective)?
        {
            return Ok(TeamSplit {
                teams,
                quality,
                bound: 1.0,
                source: BoundSource::Trivial,
                status: Status::Finished,
            });
        }
        ExhaustiveSplit.split(group, objective)
    }
}

/// Takes parties in the pool's order until both teams are full, if the objective allows the match; else leaves the
/// first of them unmatched.
pub struct FirstCome;

impl LobbySolver for FirstCome {
    fn solve_within(&self, pool: &LobbyPool, objective: &dyn LobbyObjective, _: &Limits<'_>) -> Result<Lineups, LobbyError> {
        let mut waiting: Vec<&[usize]> = pool.parties().iter().map(Vec::as_slice).collect();
        let mut matches = Vec::new();
        while !waiting.is_empty() {
            let mut teams = [Vec::new(), Vec::new()];
            let room = [pool.sizes().0, pool.sizes().1];
            let mut others = Vec::new();
            for party in &waiting {
                match (0..2).find(|&side| teams[side].len() + party.len() <= room[side]) {
                    Some(side) => teams[side].extend_from_slice(party),
                    None => others.push(*party),
                }
            }
            let [team_a, team_b] = teams;
            let full = (team_a.len(), team_b.len()) == pool.sizes();
            if full && objective.quality(&team_a, &team_b).is_some() {
                matches.push((team_a, team_b));
                waiting = others;
            } else {
                waiting.remove(0);
            }
        }
        Lineups::of_teams(pool, objective, matches)
    }
}
