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
            && let Some(quality) = objective.checked_quality(&teams).map_err(SplitError::from)?
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

/// Takes parties in the pool's order until all teams are full, if the objective allows the match; else leaves the
/// first of them unmatched.
pub struct FirstCome;

impl LobbySolver for FirstCome {
    fn solve_within(&self, pool: &LobbyPool, objective: &dyn LobbyObjective, _: &Limits<'_>) -> Result<Lineups, LobbyError> {
        let mut waiting: Vec<&[usize]> = pool.parties().iter().map(Vec::as_slice).collect();
        let mut matches = Vec::new();
        while !waiting.is_empty() {
            let room = pool.sizes();
            let mut teams = vec![Vec::new(); room.len()];
            let mut others = Vec::new();
            for party in &waiting {
                match (0..room.len()).find(|&side| teams[side].len() + party.len() <= room[side]) {
                    Some(side) => teams[side].extend_from_slice(party),
                    None => others.push(*party),
                }
            }
            let full = teams.iter().map(Vec::len).eq(room.iter().copied());
            if full && objective.quality_of(&teams).is_some() {
                matches.push(teams);
                waiting = others;
            } else {
                waiting.remove(0);
            }
        }
        Lineups::of_teams(pool, objective, matches)
    }
}
